"""The result of a settled transcript as one object, the contract of `pontoon settle --json`."""

from __future__ import annotations

from collections.abc import Iterable

from pontoon.engine import Reversed, Round, Settled
from pontoon.money import dollars
from pontoon.rulebook import digest
from pontoon.transcript.model import Transcript
from pontoon.transcript.replay import Replay


def nets(players: Iterable[str], settlements: Iterable[Settled | Reversed]) -> dict[str, int]:
    """Each player's result of the round, in cents."""
    totals = dict.fromkeys(players, 0)
    for settlement in settlements:
        totals[settlement.player] += settlement.net
    return totals


def differences(transcript: Transcript, due: dict[str, int]) -> list[dict[str, str]]:
    """Payments that differ from what is due."""
    return [
        {
            "player": player,
            "due": dollars(due[player]),
            "paid": dollars(paid),
            "owed": dollars(due[player] - paid),
        }
        for player, paid in transcript.paid.items()
        if paid != due[player]
    ]


def result(replay: Replay) -> dict[str, object]:
    """Everything a program may want to know about a settled round."""
    state = replay.state
    totals = nets(replay.transcript.players, state.settlements)
    answer: dict[str, object] = {
        "rulebook": replay.rules.about.name,
        "digest": digest(replay.rules),
        "overrides": {override.key: override.value for override in replay.rules.overrides},
        "dealer": {
            "cards": list(state.dealer),
            "total": state.dealer_total,
            "soft": state.dealer_soft,
            "pontoon": state.dealer_pontoon,
        },
        "boxes": _boxes(state),
        "settlements": [_settlement(settlement) for settlement in state.settlements],
        "players": {player: dollars(net) for player, net in totals.items()},
        "house": dollars(-sum(totals.values())),
        "cards_used": state.cards_used,
    }
    if replay.transcript.paid:
        answer["paid_differences"] = differences(replay.transcript, totals)
    return answer


def _boxes(state: Round) -> list[dict[str, object]]:
    return [
        {
            "box": box.number,
            "hands": [
                {"hand": number, "cards": list(hand.cards), "total": hand.total, "soft": hand.soft}
                for number, hand in enumerate(box.hands, 1)
            ],
        }
        for box in state.boxes
    ]


def _settlement(one: Settled | Reversed) -> dict[str, object]:
    return {
        "player": one.player,
        "box": one.box,
        "hand": one.hand or None,
        "kind": one.kind,
        "stake": dollars(one.stake),
        "result": one.result,
        "odds": one.odds or None,
        "net": dollars(one.net),
        "moment": one.moment,
        "clauses": list(one.clauses),
        **({"owner": one.owner} if one.owner else {}),
    }

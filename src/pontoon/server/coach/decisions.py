"""The coach's input: the cards a viewer has seen at a table, and the decisions made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pontoon.cards import JOKER, Card
from pontoon.engine import (
    Box,
    Event,
    Hand,
    Round,
    Surrender,
    evolve,
    refusal,
)
from pontoon.engine import events as e
from pontoon.engine.state import box_in_turn, find_box, wager_of
from pontoon.server.rooms.log import CardUndone, LogEvent
from pontoon.strategy.situation import rank_class
from pontoon.table import Table
from pontoon.table.events import CardLeftShoe, InRound, RoundBegan, RoundReconstructed
from pontoon.table.shoe_keeper import ShoeKeeper
from pontoon.trainer.values import COMMANDS, DECLINE, INSURE, PLAY_ON, Cards, Kind, Question, game_of
from pontoon.view.viewer import FACE_DOWN, Viewer, is_hidden, seen_cards

# --- what is seen at a table ---------------------------------------------------------------------------


class Sight(Struct, frozen=True):
    """The cards a viewer has seen at a table."""

    table: Table
    viewer: Viewer
    earlier: Cards = ()

    def question(self, state: Round, kind: Kind, box: Box, number: int, stake: int) -> Question | None:
        """One hand of a round as a question; None if this viewer does not see it."""
        hand = box.hands[number - 1]
        table = replace(self.table, round=state)
        if is_hidden(table, box, hand, self.viewer) or not hand.cards or not state.dealer:
            return None
        in_turn = kind in ("decision", "doubled") and state.turn == (box.number, number)
        may = tuple(name for name, make in COMMANDS.items() if in_turn and refusal(state, make(box.number)) is None)
        wager = wager_of(hand, box.controller)
        return Question(
            game_of(self.table.rules, self.table.packs, stake),
            kind,
            hand.cards,
            state.dealer[0],
            self._layout(table, state, box, hand),
            self.earlier,
            hand.split,
            wager is None or wager.original,
            hand.fixed_aces,
            may,
        )

    def _layout(self, table: Table, state: Round, own: Box, hand: Hand) -> Cards:
        """All other cards on the layout; for a split the solver removes the other card of the pair itself."""
        seen: Counter[Card] = Counter(state.dealer[1:])
        for box in state.boxes:
            for other in box.hands:
                if other is not hand:
                    seen.update(seen_cards(other, hidden=is_hidden(table, box, other, self.viewer)))
        if hand.split:
            others = (other.cards[0] for other in own.hands if other is not hand and other.cards)
            pair = next((card for card in others if rank_class(card) == rank_class(hand.cards[0])), None)
            seen.subtract([pair] if pair else [])
        return tuple(sorted(card for card in seen.elements() if card not in (FACE_DOWN, JOKER)))


def seen_before(keeper: ShoeKeeper, cards: Iterable[Card], used: int, since: int | None = None) -> Cards:
    """The cards of earlier rounds from this shoe, all of them dealt and proved; empty if the record says nothing.

    `cards` are those of the round in question and `used` their number; `since` is how many were dealt after it, where
    it is over: its shoe may be over too.
    """
    record = keeper.record
    dealt = [drawn.card for drawn in record.dealt] if record is not None else []
    dealt = dealt[: len(dealt) - (since or 0)]
    if since is not None and not dealt and keeper.records:
        dealt = [drawn.card for drawn in keeper.records[-1].dealt]
    place = len(dealt) - used
    fits = place >= 0 and not Counter(cards) - Counter(dealt[place:])
    return tuple(sorted(dealt[:place])) if fits else ()


# --- what was decided ----------------------------------------------------------------------------------


class Decision(Struct, frozen=True):
    """Something a player decided, and the question it answered."""

    player: str
    box: int
    hand: int
    stake: int
    chosen: str
    question: Question


def round_events(events: Iterable[LogEvent], number: int) -> list[Event]:
    """The events of a round, without those withdrawn or undone by a reconstruction."""
    found: list[Event] = []
    before: list[int] = []
    """The counts before each card."""
    began = False
    for event in events:
        match event:
            case CardLeftShoe():
                before.append(len(found))
            case CardUndone():
                del found[before.pop() :]
            case RoundBegan():
                began = event.number == number
            case RoundReconstructed() if began:
                call = next(place for place, one in enumerate(found) if isinstance(one, e.NoMoreBetsCalled))
                del found[call + 1 :]
            case InRound(event=e.WagerTakenBack(box=box, player=player)) if began:
                found = [
                    result
                    for result in found
                    if getattr(result, "box", 0) != box or getattr(result, "player", "") != player
                ]
            case InRound(event=inner) if began:
                found.append(inner)
            case _:
                pass
    return found


def decisions(sight: Sight, events: Iterable[Event], player: str) -> list[Decision]:
    """A player's decisions in a round, in order."""
    return [decision for _, decision in decisions_at(sight, events, (player,))]


def decisions_at(sight: Sight, events: Iterable[Event], players: Iterable[str]) -> Iterator[tuple[int, Decision]]:
    """The decisions of these players in a round, each with the index of its event."""
    players = tuple(players)
    state = Round(sight.table.rules, sight.table.limits)
    absent: set[tuple[int, int]] = set()
    for index, event in enumerate(events):
        if isinstance(event, e.PlayerWasAbsent):
            absent.add((event.box, event.hand))
        for player in players:
            for kind, box, number, chosen in _decided(state, event, player):
                stake = _stake(box, number, player)
                question = sight.question(state, kind, box, number, _first_stake(box, player))
                if question is not None and stake and (box.number, number) not in absent:
                    yield index, Decision(player, box.number, number, stake, chosen, question)
        state = evolve(state, event)


def _decided(state: Round, event: Event, player: str) -> Iterator[tuple[Kind, Box, int, str]]:
    """The player's decision in this event: kind of question, box, hand and choice."""
    match event:
        case e.CardCalled() | e.Stood(by="player") | e.SplitMade() | e.Doubled(joined=False) if (
            state.phase == "decision" and box_in_turn(state).controller == player
        ):
            yield "decision", box_in_turn(state), event.hand, _CHOSEN[type(event)]
        case e.Surrendered(player=who, box=number) if who == player:
            box = find_box(state, number)
            assert box is not None
            yield "surrender" if state.phase == "surrender" else "decision", box, 1, "surrender"
        case e.Kept(player=who, hand=hand) if who == player:
            yield "doubled", box_in_turn(state), hand, "keep"
        case e.Settled(player=who, kind="main", result="forfeit", hand=hand) if who == player:
            yield "doubled", box_in_turn(state), hand, "forfeit"
        case e.OfferClosed(offer="insurance" | "surrender" as offer):
            yield from _answered(state, offer, player)
        case _:
            pass


_CHOSEN: dict[type[Event], str] = {
    e.CardCalled: "hit",
    e.Stood: "stand",
    e.SplitMade: "split",
    e.Doubled: "double",
}


def _answered(
    state: Round, offer: Literal["insurance", "surrender"], player: str
) -> Iterator[tuple[Kind, Box, int, str]]:
    """Letting an offer pass counts as a decision of the player it was made to."""
    for box in state.boxes:
        if not box.hands or not _stake(box, 1, player):
            continue
        if offer == "insurance":
            insured = any(
                insurance.player == player and insurance.owner_box == box.number for insurance in state.insurance
            )
            yield "insurance", box, 1, INSURE if insured else DECLINE
        elif refusal(state, Surrender(box.number, player)) is None:
            yield "surrender", box, 1, PLAY_ON


def _stake(box: Box, number: int, player: str) -> int:
    wager = wager_of(box.hands[number - 1], player) if number <= len(box.hands) else None
    return wager.stake if wager is not None and not wager.result else 0


def _first_stake(box: Box, player: str) -> int:
    return next((bettor.stake for bettor in box.bettors if bettor.player == player), 0)


def stake_on(box: Box, player: str) -> int:
    """The wager of a player, or of the controller, on a box."""
    return _first_stake(box, player) or _first_stake(box, box.controller)


OPEN: dict[str, Kind] = {
    "decision": "decision",
    "forfeit": "doubled",
    "surrender": "surrender",
    "insurance": "insurance",
}
"""The question asked in each phase of a round."""


def now_asked(sight: Sight, player: str, number: int) -> Decision | None:
    """The current decision on a box (0: the current box, or the player's first); `chosen` is still empty."""
    state = sight.table.round
    if state is None or state.phase not in OPEN or sight.table.phase != "round":
        return None
    kind = OPEN[state.phase]
    own = [box.number for box in state.boxes if _first_stake(box, player)]
    turn = state.turn[0] if kind in ("decision", "doubled") else 0
    wanted = number or (turn if turn in own else next(iter(own), turn))
    box = find_box(state, wanted)
    if box is None:
        return None
    place = state.turn[1] if turn == wanted else _first_open(box)
    kind = kind if turn in (0, wanted) else "decision"
    if not place or (stake := stake_on(box, player)) == 0:
        return None
    question = sight.question(state, kind, box, place, stake)
    return Decision(player, box.number, place, stake, "", question) if question is not None else None


def _first_open(box: Box) -> int:
    """The first hand still to be played; 0 if there is none."""
    return next((place for place, hand in enumerate(box.hands, 1) if hand.live and not hand.stood), 0)

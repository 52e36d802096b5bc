"""The net of every outcome against every result of the dealer: the engine settles one example of each."""

from __future__ import annotations

from itertools import product

from msgspec.structs import replace

from pontoon.cards import Card, total
from pontoon.engine import Box, Hand, Round, Settled, Wager
from pontoon.engine.bonuses import SEVEN, pay_bonuses
from pontoon.engine.evolve import STEPS
from pontoon.engine.flow import Flow
from pontoon.engine.odds import SEVENS
from pontoon.rulebook import Rulebook
from pontoon.simulation.exploration import (
    PLAYER,
    UNDECIDED,
    Dealers,
    Hands,
    dealt,
    decided_round,
    finished_hand,
    settled_net,
)

MOST_HANDS = 4
STATUSES: tuple[tuple[str, bool], ...] = (("lose", False), ("win", False), ("", False), ("", True))
"""Result of a wager and whether it is doubled, for each status of `Outcome`."""
DEALER_PONTOON, LOWER, SUPER_BONUS = "dealer_pontoon", "lower_total", "super_bonus"
NONE = "none"
"""The dealer's result if no card was drawn."""


def hand_settlements(hands: Hands, dealers: Dealers) -> list[list[tuple[int, str]]]:
    """For each outcome and each result of the dealer, the net in cents and its label."""
    return [
        [_settled(hands, place, result, dealers.witness[number]) for result, number in dealers.results.items()]
        for place in range(len(hands.outcomes))
    ]


def _settled(hands: Hands, place: int, result: str, witness: tuple[Card, ...]) -> tuple[int, str]:
    outcome, state = list(hands.outcomes)[place], hands.examples[place]
    if outcome.status < UNDECIDED:
        return outcome.net, outcome.label
    if result == NONE:  # the dealer always draws for an undecided hand
        return 0, outcome.label
    over = dealt(_before(state, witness[0]), witness[1:])
    if over.phase != "ended":  # the dealer stopped without effect, but would have drawn for this hand
        return 0, outcome.label
    ended = next(
        entry for entry in over.settlements if isinstance(entry, Settled) and entry.kind == "main" and entry.hand == 1
    )
    lost = DEALER_PONTOON if over.dealer_pontoon else LOWER if ended.result == "lose" else ended.result
    label = outcome.label if ended.result == "win" else lost
    return settled_net(over), label


def _before(state: Round, card: Card) -> Round:
    """The same round with another upcard and no insurance."""
    points = total((card,))
    return replace(
        state, phase="dealer", dealer=(card,), dealer_total=points.points, dealer_soft=points.soft, insurance=()
    )


def insurance_settlements(rules: Rulebook, stake: int, dealers: Dealers) -> list[int]:
    """For each result of the dealer, the net of insurance."""
    nets = []
    for result, witness in zip(dealers.results, dealers.witness, strict=True):
        hand = finished_hand(stake, result="" if result not in (NONE, "stopped") else "lose", original=True)
        state = replace(decided_round(rules, (hand,), witness[0]), insurance=(dealers.insured,))
        over = dealt(state, witness[1:]) if result != NONE else state
        nets.append(
            sum(entry.net for entry in over.settlements if isinstance(entry, Settled) and entry.kind == "insurance")
        )
    return nets


def pontoon_settlements(rules: Rulebook, stake: int, dealers: Dealers) -> list[int]:
    """The net of a split box against a dealer's pontoon by the statuses of its hands; the first hand varies fastest."""
    first, second = dealers.witness[dealers.results["pontoon"]]
    nets = []
    for statuses in product(range(len(STATUSES)), repeat=MOST_HANDS):
        made = [STATUSES[status] for status in reversed(statuses)]
        box = tuple(
            finished_hand(stake, result=result, doubled=doubled, original=not number)
            for number, (result, doubled) in enumerate(made)
        )
        over = dealt(decided_round(rules, box, first), (second,))
        nets.append(sum(entry.net for entry in over.settlements if isinstance(entry, Settled)))
    return nets


def other_bonus(rules: Rulebook, stake: int) -> tuple[int, int]:
    """What a box receives when another wins the Super Bonus: an amount per box, and one per stack of chips on it."""
    alone, doubled = ((finished_hand(stake, result="lose", doubled=double),) for double in (False, True))
    one, two, three = (_received(rules, stake, hands) for hands in (alone, doubled, alone * 2))
    assert three == two, "the bonus for others is neither per box nor per stack"
    return one - (two - one), two - one


def _received(rules: Rulebook, stake: int, hands: tuple[Hand, ...]) -> int:
    cards = tuple(Card(rank + "s") for rank in SEVENS)
    winner = Hand(cards, (Wager(PLAYER + "1", stake, result="win"),), *total(cards))
    others = tuple(replace(hand, wagers=(replace(hand.wagers[0], player=PLAYER),)) for hand in hands)
    boxes = (
        Box(1, (Wager(PLAYER + "1", stake),), (winner,), PLAYER + "1"),
        Box(2, (Wager(PLAYER, stake),), others, PLAYER),
    )
    flow = Flow(Round(rules, boxes=boxes, dealer=(Card(SEVEN + "d"),)), STEPS)
    pay_bonuses(flow)
    return sum(entry.net for entry in flow.state.settlements if isinstance(entry, Settled) and entry.player == PLAYER)

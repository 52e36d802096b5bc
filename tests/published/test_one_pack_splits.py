"""Splitting from one pack, under every way a dealer's natural is collected."""

from __future__ import annotations

from functools import lru_cache

import pytest

from pontoon.analysis import measures
from pontoon.analysis.game import Collects
from pontoon.analysis.solver import Solver
from tests.published.by_total import ByTotal, best_by_total
from tests.published.every_order import fate
from tests.published.figures import FIGURES, value_of
from tests.published.games import blackjack, packs_of_52, split_worth

MGP = FIGURES["mgp_splits"]
NO_HOLE = MGP["no_hole_card"]
EXACT = MGP["tolerance"]
COLLECTS: dict[str, Collects] = {"ENHC": "all", "BB+1": "busts_plus_one", "literal_OBBO": "original_tracked"}
PAIRS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
TWO_HANDS, THREE_OR_MORE = 1e-6, 5e-5
"""How far the analysis may be out in one pack where all hands of a split must be bust: two hands are taken to second
order of the cards they take from each other, more are linked two by two. It falls with the square of the packs."""


@lru_cache
def by_total() -> ByTotal:
    return best_by_total(Solver(blackjack(), shoe=packs_of_52(1)))


@lru_cache
def following(collects: Collects, *, das: bool) -> Solver:
    return Solver(blackjack(das=das, collects=collects), shoe=packs_of_52(1), strategy=by_total())


def departure(rule: str, splits: str, pair: str, first: str) -> float | None:
    rows = (row for row in NO_HOLE["departures"] if row[:4] == [rule, splits, pair, first])
    return next((row[4] for row in rows), None)


@pytest.mark.parametrize("das", ["DAS", "NDAS"])
@pytest.mark.parametrize("pair", PAIRS)
def test_dealer_peeks(das, pair):
    solver, own = following("peek", das=das == "DAS"), value_of(pair)
    for splits, row in MGP["peek"][das][pair].items():
        ours = []
        for first in map(value_of, MGP["upcards"]):
            natural = float(solver.board(first).chance_of_natural(solver.table.hands.two(own, own)))
            ours.append(split_worth(solver, first, own, int(splits[3]) + 1) / (1 - natural))
        assert ours == pytest.approx(row, abs=EXACT), splits


@pytest.mark.parametrize("first", ["10", "A"])
@pytest.mark.parametrize("pair", PAIRS)
def test_all_is_taken(pair, first):
    for splits, rules in NO_HOLE["values"][pair].items():
        ours = split_worth(following("all", das=False), value_of(first), value_of(pair), int(splits[3]) + 1)
        assert ours == pytest.approx(rules["ENHC"][first], abs=EXACT), splits


@pytest.mark.parametrize("first", ["10", "A"])
@pytest.mark.parametrize("pair", PAIRS)
def test_the_first_hands_bet_is_taken_after_one_split(pair, first):
    ours = split_worth(following("original_tracked", das=False), value_of(first), value_of(pair), 2)
    assert ours == pytest.approx(NO_HOLE["values"][pair]["SPL1"]["literal_OBBO"][first], abs=EXACT)


@pytest.mark.parametrize("first", ["10", "A"])
@pytest.mark.parametrize("pair", PAIRS)
def test_one_bet_is_taken_after_one_split(pair, first):
    """The published figure assumes that the second hand is independent of the first."""
    solver = following("busts_plus_one", das=False)
    box = solver.split_box(value_of(first), value_of(pair))
    bust = float(box._chance_decided(box.additional, measures.decided()))
    natural = box.values[box.natural] / box.cards
    apart = float(box.total(box.additive(solver.money), 0, 2).base) - natural * (1 - bust**2)
    published = NO_HOLE["values"][pair]["SPL1"]["BB+1"][first]
    assert apart == pytest.approx(published, abs=EXACT)
    # A hand that busts has high cards that the other would need for it: both bust less often, so ours is not above.
    ours = split_worth(solver, value_of(first), value_of(pair), 2)
    assert published - NO_HOLE["estimate_tolerance"]["BB+1"] <= ours <= published + EXACT


@pytest.mark.parametrize("rule", ["BB+1", "literal_OBBO"])
@pytest.mark.parametrize("splits", ["SPL2", "SPL3"])
@pytest.mark.parametrize("first", ["10", "A"])
@pytest.mark.parametrize("pair", PAIRS)
def test_estimates_for_further_splits(rule, splits, pair, first):
    ours = split_worth(following(COLLECTS[rule], das=False), value_of(first), value_of(pair), int(splits[3]) + 1)
    published, tolerance = NO_HOLE["values"][pair][splits][rule][first], NO_HOLE["estimate_tolerance"][rule]
    known = departure(rule, splits, pair, first)
    if known is None:
        assert ours == pytest.approx(published, abs=tolerance)
    else:
        assert ours == pytest.approx(known, abs=THREE_OR_MORE if rule == "BB+1" else 1e-9)
        assert abs(known - published) > tolerance, "it fits: no departure any more"


@pytest.mark.parametrize(("pair", "first", "most"), [("9", "A", 2), ("A", "10", 3), ("A", "A", 3), ("A", "10", 4)])
def test_every_order(pair, first, most):
    _compare_with_every_order(value_of(pair), value_of(first), most)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pair", "first", "most"),
    [
        ("10", "A", 2),
        ("6", "A", 2),
        ("5", "A", 2),
        ("10", "A", 3),
        ("10", "10", 3),
        ("9", "A", 3),
        ("10", "A", 4),
        ("10", "10", 4),
    ],
)
def test_every_order_of_longer_splits(pair, first, most):
    _compare_with_every_order(value_of(pair), value_of(first), most)


def _compare_with_every_order(pair: int, first: int, most: int) -> None:
    """What collecting less than all returns, counted card by card, added to the value when all is collected."""
    plan = by_total().plan
    dealt = fate(pair, first, most, lambda points, soft: _hits(plan[points, soft, first]))
    ours = {rule: split_worth(following(way, das=False), first, pair, most) for rule, way in COLLECTS.items()}
    original = ours["ENHC"] + dealt.natural * (dealt.standing - dealt.first)
    one = ours["ENHC"] + dealt.natural * (dealt.standing - (1 - dealt.all_bust))
    assert ours["literal_OBBO"] == pytest.approx(original, abs=EXACT)
    assert ours["BB+1"] == pytest.approx(one, abs=TWO_HANDS if most == 2 else THREE_OR_MORE)


def _hits(ranked: tuple[str, ...]) -> bool:
    return next(action for action in ranked if action != "double") == "hit"

"""How exact: products of split hands against every end of the first hand, and the cost of fixed re-splits."""

from __future__ import annotations

import pytest

from pontoon.analysis import Solver, edge_of
from pontoon.analysis.splits.resplit_cost import cost_of, gain, resplit_cost
from pontoon.analysis.splits.second_moment import HandEnds, _Square, configurations
from pontoon.analysis.splits.split import SplitBox
from pontoon.analysis.splits.split_hand import SplitHand

SIMULATED = {"division-15": 1.15753, "star": 1.14785, "adelaide": 1.11617, "canberra": 1.15733, "federal": 1.15597}
"""4e12 rounds each (docs/results.md), to five decimals."""


def product(solver: Solver, box: SplitBox) -> float:
    """The mean product of two hands, as the analysis finds it."""
    of_pair = box.values[box.pair]
    square = _Square(box, of_pair, 2, solver.money, solver.suits_without(box.first, ""))
    (config,) = configurations(of_pair, float(box.cards), 2)
    hands = [square.sums(place, config) for place in (0, 1)]
    return float(square.together(*hands).sum())


def every_end(solver: Solver, box: SplitBox) -> float:
    """The same, with the second hand dealt anew from the shoe that each end of the first leaves."""
    first, suits = box.additional, solver.suits_without(box.first, "")
    ends = HandEnds(first, solver.money, box.values[box.pair], suits).ends(0, whole=True)
    seconds = {}
    total = 0.0
    for chance, cards, won in zip(ends.chance, ends.cards, ends.won, strict=True):
        key = tuple(cards.tolist())
        if key not in seconds:
            left = tuple(count - taken for count, taken in zip(first.values, key, strict=True))
            second = SplitHand(first.table, first.arithmetic, box.first, box.pair, left)
            second.play_by(first.act, first.drop, first.suited_act)
            later = HandEnds(second, solver.money, left[box.pair] - 1, suits).ends(0, whole=True)
            seconds[key] = (later.chance * later.won).sum(axis=0)
        total += float((chance.sum() * won * seconds[key]).sum())
    return total


@pytest.mark.parametrize(
    ("packs", "first", "pair", "error"),
    [(8, 5, 8, 1e-6), (8, 6, 7, 1e-6), (8, 4, 0, 1e-6), (3, 5, 8, 2e-5)],
)
def test_two_hands_take_cards_from_each_other(packs, first, pair, error):
    """Nines against a six, eights against a seven, aces against a five; a thirtieth of this reaches the result."""
    solver = Solver("adelaide", packs)
    box = solver.split_box(first, pair)
    independent = abs(product(solver, box) - every_end(solver, box))
    assert independent < error


def test_the_ways_a_split_turns_out():
    found = list(configurations(30, 381, 4))
    assert sum(config.chance for config in found) == pytest.approx(1, abs=1e-12)
    assert {len(config.whole) for config in found} == {2, 3, 4}
    assert all(len(config.whole) == config.gone + 2 for config in found)


@pytest.mark.parametrize("name", ["adelaide", pytest.param("canberra", marks=pytest.mark.slow)])
def test_the_standard_deviation_is_the_simulated_one(name):
    """Five decimals of the simulation, whose own error is 3e-6."""
    assert edge_of(Solver(name, 8)).sd == pytest.approx(SIMULATED[name], abs=1e-5)


def test_a_fixed_decision_to_split_again_costs_next_to_nothing():
    assert resplit_cost(Solver("star", 6)) == 0
    assert resplit_cost(Solver("federal", 8)) < 3e-8


def test_only_a_close_pair_is_better_kept_after_some_hands():
    """Twos against an eight; the gain is linear in the cards gone, and some cards change its sign."""
    solver = Solver("federal", 8)
    twos, eights = solver.split_box(7, 1), solver.split_box(9, 7)
    assert cost_of(solver, eights, 30) == 0
    assert 0 < cost_of(solver, twos, 30) < 1e-4
    none, six, seven = (gain(twos, 30, cards) for cards in ((), (5,), (6,)))
    assert gain(twos, 30, (5, 6)) == pytest.approx(six + seven - none, abs=5e-5)
    assert none > 0 > gain(twos, 30, (7, 8, 9))

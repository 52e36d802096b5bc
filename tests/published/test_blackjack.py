"""Ordinary blackjack: totals and hands that others published."""

from __future__ import annotations

import numpy as np
import pytest

from pontoon.analysis.dealer import BUST, PONTOON, result_of
from pontoon.analysis.shoe import Shoe
from pontoon.analysis.solver import Solver
from tests.published.by_total import LikeTheDealer, best_by_total
from tests.published.figures import ACE, FIGURES, hand, two_cards, value_of
from tests.published.games import blackjack, packs_of_52, solved, split_worth, value, without_natural

TOTALS, INFINITE, MGP = FIGURES["blackjack_totals"], FIGURES["infinite_packs"], FIGURES["mgp_six_packs"]
FARMER, SPLITS, ENHC = FIGURES["farmer_hands"], FIGURES["farmer_splits"], FIGURES["enhc_hands"]
PLAYS = ("stand", "hit", "double")


@pytest.mark.parametrize(("packs", "soft17", "das", "hole", "published", "source"), TOTALS["rows"])
def test_total(packs, soft17, das, hole, published, source):
    game = blackjack(soft17, das=das, collects="peek" if hole == "peek" else "all")
    assert value(game, packs_of_52(packs)) == pytest.approx(published, abs=TOTALS["tolerance"]), source


def test_very_many_packs_come_to_the_infinite_ones():
    solver = solved(blackjack(), packs_of_52(100_000))
    assert -100 * value(blackjack(), solver.shoe) == pytest.approx(
        INFINITE["house_edge_percent"], abs=INFINITE["tolerance_percent"]
    )
    pair, first = hand("8,8 v 10")
    worth = solver.start(first, pair).values
    for action, published in INFINITE["8,8 v 10"].items():
        ours = without_natural(solver, first, pair, float(worth[action]))
        assert ours == pytest.approx(published, abs=INFINITE["hand_tolerance"]), action


def test_total_dependent_and_optimal_play_of_six_packs():
    solver = solved(blackjack(), packs_of_52(6))
    by_total = Solver(solver.game, shoe=solver.shoe, strategy=best_by_total(solver))
    assert by_total.value() == pytest.approx(MGP["total_dependent"], abs=MGP["total_dependent_tolerance"])
    assert value(solver.game, solver.shoe) == pytest.approx(MGP["optimal"], abs=MGP["optimal_tolerance"])


@pytest.mark.parametrize(("packs", "cards", "low", "high"), FIGURES["farmer_totals"]["rows"])
def test_split_hands_know_of_the_pair_and_no_more(packs, cards, low, high):
    shoe = packs_of_52(packs) if cards == 52 else Shoe.of_packs(packs)
    ours = 100 * value(blackjack(any_cards=cards == 48), shoe)
    rounding = 1e-9
    assert low - rounding <= ours <= high + rounding


@pytest.mark.parametrize(
    ("soft17", "name", "published"), [(rule, *row) for rule in ("S17", "H17") for row in FARMER[rule].items()]
)
def test_hand_against_a_dealer_who_peeks(soft17, name, published):
    solver = solved(blackjack(soft17), packs_of_52(6))
    pair, first = hand(name)
    worth = solver.start(first, pair).values
    ours = [without_natural(solver, first, pair, float(worth[action])) for action in PLAYS]
    assert ours == pytest.approx(published, abs=FARMER["tolerance"])


@pytest.mark.parametrize(
    ("soft17", "name", "published"), [(rule, *row) for rule in ("S17", "H17") for row in SPLITS[rule].items()]
)
def test_split_hands_that_play_as_if_nothing_was_split(soft17, name, published):
    (pair, _), first = hand(name)
    solver = Solver(blackjack(soft17), shoe=packs_of_52(6))  # a separate solver, because its play is changed
    board, split = solver.board(first), solver.split_box(first, pair).additional
    act = split.act.copy()
    for counts, place in split.table.hands.number.items():
        act[place] = board.act[solver.table.hands.index_of(counts)]
    split.play_by(act, split.drop.copy(), {})
    natural = float(board.chance_of_natural(solver.table.hands.two(pair, pair)))
    worth = split_worth(solver, first, pair, 4) - natural
    assert without_natural(solver, first, (pair, pair), worth) == pytest.approx(published, abs=SPLITS["tolerance"])


@pytest.mark.parametrize(
    ("packs", "cards", "published"),
    [(packs, cards, row) for packs in ("6", "8") for cards, row in ENHC[packs].items() if cards != "source"],
)
def test_hand_against_a_dealer_without_a_hole_card(packs, cards, published):
    solver = solved(blackjack("H17", collects="all"), packs_of_52(int(packs)))
    worth = solver.start(ACE, two_cards(cards)).values
    assert [float(worth[action]) for action in PLAYS] == pytest.approx(published, abs=ENHC["tolerance"])


@pytest.mark.parametrize(("first", "published"), FIGURES["dealer"]["rows"].items())
def test_how_the_dealer_ends(first, published):
    solver = Solver(blackjack(), shoe=packs_of_52(1))
    board, nothing = solver.board(value_of(first)), solver.table.hands.index_of((0,) * 10)
    board.deal(np.array([nothing]))
    ends = [*(result_of(points) for points in range(17, 22)), PONTOON, BUST]
    assert board.results[nothing, ends] == pytest.approx(published, abs=FIGURES["dealer"]["tolerance"])


@pytest.mark.parametrize(("dealer", "player", "published"), FIGURES["mimic_the_dealer"]["rows"])
def test_mimic_the_dealer(dealer, player, published):
    strategy = LikeTheDealer({"S17": 17, "H17": 18}[player])
    ours = Solver(blackjack(dealer), shoe=packs_of_52(1), strategy=strategy).value()
    assert ours == pytest.approx(published, abs=FIGURES["mimic_the_dealer"]["tolerance"])

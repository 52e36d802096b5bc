"""Compare floats with fractions on small shoes; measure the approximation for several hands on real ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pontoon.analysis import Solver, kernels, measures
from pontoon.analysis.hands import VALUES
from pontoon.analysis.measures import Measure
from pontoon.analysis.policies.export import strategy_of
from pontoon.analysis.splits import joint_chances
from pontoon.analysis.splits.joint_chances import over_shoes, together, without
from pontoon.analysis.splits.split import SplitBox
from pontoon.analysis.splits.split_hand import SplitHand
from pontoon.cards import PACK, Card
from pontoon.rulebook import NAMES, load
from pontoon.strategy import CompositionStrategy
from tests.analysis.referee import Wild, cards_of, solver_of

ACE, PICTURE, EIGHT, NINE = 0, 9, 7, 8


@pytest.mark.parametrize("name", ["division-15", *(pytest.param(other, marks=pytest.mark.slow) for other in NAMES[1:])])
def test_floats_give_what_fractions_give(name):
    rules, cards = load(name, {"split.max_hands": 2}), cards_of("Ac*2 6s 7s 8s*2 8h 9c Kc*7")
    exact, fast = solver_of(rules, cards), solver_of(rules, cards, exact=False)
    assert fast.value() == pytest.approx(float(exact.value()), abs=1e-12)
    for rank, first, _ in exact.upcards():
        assert fast.value_against(first, rank) == pytest.approx(float(exact.value_against(first, rank)), abs=1e-12)


@pytest.mark.parametrize("collects", ["all", "busts_plus_one", "original_tracked"])
def test_floats_give_what_fractions_give_when_both_follow_one_strategy(collects):
    """Two hands with relief: the quadratic polynomial is not exact on a tiny shoe, but close."""
    rules = load("canberra", {"split.max_hands": 2, "dealer.pontoon_collects": collects})
    cards = cards_of("Ac*3 7s*2 8s*3 9c*2 Kc*8")
    strategy = Wild(rules, 3)
    exact, fast = (solver_of(rules, cards, exact=one, strategy=strategy) for one in (True, False))
    assert fast.value() == pytest.approx(float(exact.value()), abs=1e-12 if collects == "all" else 1e-5)


def test_a_float_solver_can_follow_an_exact_one():
    rules, cards = load("federal"), cards_of("Ac*2 7s 8s*3 Kc*10")
    exact = solver_of(rules, cards)
    strategy = CompositionStrategy(strategy_of(exact, rules))
    values = [float(solver_of(rules, cards, exact=one, strategy=strategy).value()) for one in (True, False)]
    assert values[0] == pytest.approx(values[1], abs=1e-5)


# --- two hands together, on real shoes ---------------------------------------------------------------------


def ends(hand: SplitHand, shoe: tuple[int, ...], *, won: bool, never: int = -1) -> tuple[Any, Any]:
    """Every way a hand is decided, with the cards it drew; never by a second card of this value."""
    board, hands, arithmetic = hand.board(0), hand.table.hands, hand.arithmetic
    numbers, cards = arithmetic.array(shoe), sum(shoe)
    chance = arithmetic.zeros(len(hands.hard), 3)
    for value in range(10):
        start, left = int(hands.more[hand.single, value]), shoe[value] - int(hands.counts[hand.single, value])
        if start >= 0 and left > 0 and value != never:
            chance[start, board.aces(start)] += left / (cards - 1)
    columns, kernel = hand.table.columns, arithmetic.kernel
    kernel["reach"](columns, board.flags, numbers, cards, hand.picks, hand.act, chance)
    most = 30 * len(hand.picks)
    chances, drawn = arithmetic.zeros(most), np.zeros((most, 10), dtype=np.int64)
    listed = board.hands._replace(picks=hand.picks)
    out = kernels.Ends(chance, chances, drawn)
    found = kernel["ends"](listed, numbers, cards, (hand.act, hand.drop), int(won), out)
    return chances[:found], drawn[:found] - hands.counts[hand.single]


def counted(box: SplitBox) -> Measure:
    """The condition on the first hand if a dealer's pontoon spares the others."""
    return measures.decided() if box.game.collects == "busts_plus_one" else measures.won()


def two_by_enumeration(box: SplitBox) -> float:
    """The probability that two hands are decided: for every end of the first, the second from the remaining cards."""
    shoe = without(box.original.values, box.natural)
    chances, drawn = ends(box.original, shoe, won=counted(box).bust == 0)
    return float(chances @ over_shoes(box.additional, measures.decided(), np.array(shoe) - drawn)[:, 0])


def three_by_enumeration(box: SplitBox) -> float:
    """The same for splits to three hands: two levels one by one, the third by the polynomial of second degree."""
    first, other, pair = box.original, box.additional, box.pair
    won, decided = counted(box).bust == 0, measures.decided()
    shoe = without(first.values, box.natural)
    again = box.values[pair] - (box.natural == pair)
    fewer = without(shoe, pair)
    split = 0.0
    for chance, drawn in zip(*ends(first, fewer, won=won), strict=True):
        split += chance * joint_chances._two(other, decided, other, tuple((np.array(fewer) - drawn).tolist()))
    total = again / (sum(shoe) - 1) * split
    for chance, drawn in zip(*ends(first, shoe, won=won, never=pair), strict=True):
        left = tuple((np.array(shoe) - drawn).tolist())
        more = max(again - int(drawn[pair]), 0) / (sum(left) - 1)
        start, both = over_shoes(other, decided, [left])[0]
        total += chance * (start - more * both + more * joint_chances._two(other, decided, other, without(left, pair)))
    return float(total)


@pytest.mark.parametrize(("name", "decks"), [("canberra", 3), ("federal", 8), ("division-15", 8)])
def test_two_hands_together_are_right_to_a_part_in_ten_million(name, decks):
    """Not yet weighted by the probability of the split itself, which is a hundredth or less."""
    solver = Solver(load(name), decks)
    for first in (ACE, PICTURE):
        for pair in range(10):
            box = solver.split_box(first, pair)
            natural = box.values[box.natural] / box.cards
            wrong = natural * (together(box, counted(box), box.values[pair], 2) - two_by_enumeration(box))
            assert abs(wrong) < (5e-8 if decks < 6 else 5e-9), (VALUES[first], VALUES[pair])


def error_of_three(solver: Solver, first: int, pair: int) -> float:
    box = solver.split_box(first, pair)
    natural = box.values[box.natural] / box.cards
    return float(natural * (together(box, counted(box), box.values[pair], 3) - three_by_enumeration(box)))


def test_three_hands_together_are_right_to_a_part_in_a_million():
    """8-8 against a picture is what is split there: the chance of it is 1 in 600, so the game is right to 1e-9."""
    assert abs(error_of_three(Solver(load("division-15"), 8), PICTURE, EIGHT)) < 2e-7
    assert abs(error_of_three(Solver(load("federal"), 8), PICTURE, EIGHT)) < 5e-7


@pytest.mark.slow
@pytest.mark.parametrize("pair", range(1, 10))
@pytest.mark.parametrize("first", [ACE, PICTURE])
@pytest.mark.parametrize(("name", "decks"), [("canberra", 3), ("canberra", 8), ("division-15", 4), ("federal", 8)])
def test_three_hands_of_every_pair(name, decks, first, pair):
    assert abs(error_of_three(Solver(load(name), decks), first, pair)) < 2e-5


@pytest.mark.parametrize("name", ["division-15", "star"])
def test_suits_change_no_decision_on_a_split_hand_against_ace_or_picture(name):
    """There the chance that all hands are decided is taken from hands in mixed suits."""
    solver = Solver(load(name), 8)
    for first in (ACE, PICTURE):
        for pair in (5, 6, 7):
            box = solver.split_box(first, pair)
            for hand in (box.original, box.additional):
                for (both, _), act in hand.suited_act.items():
                    assert act == hand.act[hand.table.hands.two(*both), 0]


def test_a_suited_hand_of_a_split_knows_its_suits():
    solver = Solver(load("star"), 8)
    hit = {
        hand: next(
            value.value
            for value in solver.action_values(cards_of(hand), Card("5d"), after_split=True)
            if value.action == "hit"
        )
        for hand in ("8s 7s", "8s 7c", "8h 7h")
    }
    six = 32 / 380
    assert hit["8s 7s"] - hit["8s 7c"] == pytest.approx(six / 4 * 1.5, abs=1e-12)
    assert hit["8h 7h"] - hit["8s 7c"] == pytest.approx(six / 4 * 0.5, abs=1e-12)


def test_a_shoe_without_a_six_can_be_played():
    cards = [card for card in PACK if card[0] != "6"]
    assert -1 < solver_of(load("star"), cards, exact=False).value() < 1

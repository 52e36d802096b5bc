"""What must hold for any value: looser rules, burned cards, similar shoes, probabilities; and tables hand by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from pontoon.analysis import Shoe, Solver, edge_of
from pontoon.analysis import kernels as k
from pontoon.analysis.game import ROWS, flags_of, game_of, representative, rows_of
from pontoon.analysis.hands import hands
from pontoon.cards import LIMIT, PACK, Card, total
from pontoon.engine import Box, Double, Hand, Round, Stand, Wager, refusal
from pontoon.engine.odds import row
from pontoon.rulebook import NAMES, load
from tests.analysis.referee import Wild, cards_of, solver_of

FEW = 1e-10
"""A float, not a fraction."""

FREER: list[tuple[str, str, tuple[object, ...]]] = [
    ("star", "split.max_hands", (1, 2, 3, 4)),
    ("star", "surrender.first_cards", ([], ["A", "K", "Q", "J"], ["A", "9", "K", "Q", "J"])),
    ("star", "double.forfeit_highest", (0, 20)),
    ("star", "double.two_cards_only", (True, False)),
    ("star", "double.highest_total", (11, 20)),
    ("star", "double.hard_only", (True, False)),
    ("star", "double.fixed_aces", ("all_held", "none")),
    ("star", "draw.forced_below", (17, 0)),
    ("star", "dealer.pontoon_collects", ("all", "busts_plus_one", "original_tracked")),
    ("star", "payout.count_requires_21", (True, False)),
]


@cache
def value(name: str, key: str, said: str, choice: object) -> float:  # noqa: ARG001 `said` names the choice
    given = list(choice) if isinstance(choice, tuple) else choice
    return float(Solver(load(name, {key: given}), 6).value())


@pytest.mark.parametrize(("name", "key", "choices"), FREER)
def test_a_freer_rule_never_lowers_the_value(name, key, choices):
    values = [
        value(name, key, str(choice), tuple(choice) if isinstance(choice, list) else choice) for choice in choices
    ]
    for less, more in pairwise(values):
        assert more >= less - FEW, (key, values)


# --- a card burned -----------------------------------------------------------------------------------------

SMALL = cards_of("Ac*2 7s 8s*2 8h 9c Kc*8")


def mean_without_a_card(rules, **more):
    counts = Counter(SMALL)
    mean = Fraction(0)
    for card, count in counts.items():
        left = list(SMALL)
        left.remove(card)
        mean += Fraction(count, len(SMALL)) * solver_of(rules, left, **more).value()
    return mean


def test_a_card_seen_never_lowers_the_value_of_the_best_play():
    rules = load("star")
    assert mean_without_a_card(rules) >= solver_of(rules, SMALL).value()


@pytest.mark.parametrize("name", ["division-15", pytest.param("canberra", marks=pytest.mark.slow)])
def test_a_card_burned_gives_back_the_mean_for_a_fixed_strategy(name):
    rules = load(name, {"split.max_hands": 2})
    strategy = Wild(rules, 11)
    assert mean_without_a_card(rules, strategy=strategy) == solver_of(rules, SMALL, strategy=strategy).value()


def test_values_are_continuous_in_the_composition():
    rules, shoe = load("star"), Shoe.of_packs(8)
    whole = Solver(rules, shoe=shoe).value()
    for rank in "A5K":
        without = Solver(rules, shoe=shoe.without((Card(rank + "s"),))).value()
        assert abs(without - whole) < 0.01, rank


# --- chances -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_chances_of_a_random_shoe_add_up(seed):
    random = Random(seed)
    shoe = Shoe(tuple(random.randint(0, 4) for _ in PACK))
    rules = load(NAMES[seed], {"split.by": "rank"} if seed % 2 else {})
    solver = Solver(rules, shoe=shoe)
    for rank, first, _ in solver.upcards():
        assert sum(start.chance for start in solver.starts(first, rank)) == pytest.approx(1, abs=1e-12)
        board = solver.board(first)
        possible = [
            hand
            for hand in board.picks.tolist()
            if all(there <= left for there, left in zip(board.table.hands.counts[hand], board.values, strict=True))
        ]
        assert board.results[possible].sum(axis=1) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    "name", ["adelaide", "star", *(pytest.param(other, marks=pytest.mark.slow) for other in NAMES[3:])]
)
def test_frequencies_add_up_to_hands_and_to_the_value(name):
    rules = load(name)
    solver = Solver(rules, 6)
    edge = edge_of(solver)
    lost = {
        "lose": -1.0,
        "doubled_lose": -2.0,
        "surrender": -0.5,
        "forfeit": -1.0,
        "stand_off": 0.0,
        "super_bonus": 0.0,
    }
    pays = {
        **lost,
        "doubled": 2 * float(solver.game.doubled),
        **{one: float(odds) for one, odds in solver.game.odds.items()},
    }
    assert {*edge.frequencies} == {*pays}
    ev = sum(chance * pays[one] for one, chance in edge.frequencies.items()) + edge.super_bonus_value
    assert ev == pytest.approx(edge.ev, abs=1e-7)  # suits of split sevens are averaged in the frequencies
    assert edge.ev == pytest.approx(solver.value(), abs=1e-12)
    assert sum(chance for one, chance in edge.frequencies.items() if one != "super_bonus") == pytest.approx(edge.hands)
    assert 1 < edge.hands < 1.1


# --- tables by hand ----------------------------------------------------------------------------------------


def moment(rules, cards, *, split):
    points, wager = total(cards), Wager("player", 1000)
    hand = Hand(cards, (wager,), points.points, points.soft, split=split)
    return Round(
        rules,
        phase="decision",
        boxes=(Box(1, (wager,), (hand,), controller="player"),),
        dealer=(Card("9h"),),
        turn=(1, 1),
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_hand_may_do_and_is_paid_what_the_engine_says(name):
    rules = load(name)
    game, table = game_of(rules, 1000), hands((32,) * 9 + (96,))
    assert len(table.hard) == 3083
    rows = rows_of(game, table)
    for split in (False, True):
        flags = flags_of(game, table, split=split)
        for place, counts in enumerate(table.counts.tolist()):
            cards = representative(counts)
            points = total(cards).points
            assert points == table.best[place]
            paid = row(cards, points, count_requires_21=rules.payout.count_requires_21)
            assert ROWS[rows[place]] == paid
            if points == LIMIT:
                assert flags[place] == k.PAID
            elif len(cards) > 1 and reachable(counts):
                state = moment(rules, cards, split=split)
                may = k.MAY_STAND * (refusal(state, Stand(1)) is None) | k.MAY_DOUBLE * (
                    refusal(state, Double(1)) is None
                )
                assert flags[place] == may, cards


def reachable(counts):
    """Whether the cards can come in an order in which no shorter hand is 21 already."""
    return _reachable(tuple(counts))


@cache
def _reachable(counts):
    if sum(counts) == 1:
        return True
    if total(representative(counts)).points == LIMIT:
        return False
    return any(
        count and _reachable((*counts[:value], count - 1, *counts[value + 1 :])) for value, count in enumerate(counts)
    )

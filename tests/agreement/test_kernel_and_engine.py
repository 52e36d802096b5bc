"""The kernel plays what the engine plays: round by round, on the same shoes, with the same strategy."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from pontoon.cards import PACK, Card
from pontoon.engine import CallNoMoreBets, DealCard, PlaceWager, Round, must_play
from pontoon.rulebook import NAMES, Rulebook, load
from pontoon.simulation import compile_game, record
from pontoon.strategy import Action, Strategy, answer
from tests.simulation.strategies import Mimic, Wild, published_chart

STAKE = 1000
CARDS = 100
"""More than any round of three boxes here takes."""


def engine_round(rules: Rulebook, strategy: Strategy, cards: list[Card], boxes: int) -> tuple[int, tuple[int, ...]]:
    """Cards dealt and the net of each box, by the engine."""
    state = Round(rules)
    commands = [*(PlaceWager(box, f"player {box}", STAKE) for box in range(1, boxes + 1)), CallNoMoreBets()]
    while state.phase != "ended":
        command = commands.pop(0) if commands else answer(state, strategy) or DealCard(cards[state.cards_used])
        state = must_play(state, command)
    nets = [
        sum(settlement.net for settlement in state.settlements if settlement.box == box) for box in range(1, boxes + 1)
    ]
    return state.cards_used, tuple(nets)


def shoes(count: int, seed: int, pack: list[Card]) -> list[list[Card]]:
    generator = random.Random(seed)
    return [generator.choices(pack, k=CARDS) for _ in range(count)]


def agree(rules: Rulebook, strategy: Strategy, counts: Mapping[int, int], seed: int = 1) -> None:
    """Play this many rounds for each number of boxes; half the shoes have few ranks, for pairs and bonuses."""
    compiled = compile_game(rules, strategy, STAKE)
    few = [card for card in PACK if card[0] in "A678K"]
    for boxes, count in counts.items():
        given = shoes(count // 2, seed, list(PACK)) + shoes(count - count // 2, seed, few)
        expected = [engine_round(rules, strategy, cards, boxes) for cards in given]
        for parts in (False, True) if boxes == 1 else (False,):
            recorded = record(compiled, given, boxes, parts=parts)
            for cards, ours, theirs in zip(given, recorded, expected, strict=True):
                assert (ours.cards, ours.nets) == theirs, (boxes, parts, " ".join(cards[: theirs[0]]))


@pytest.mark.parametrize("name", NAMES)
def test_published_chart(name: str):
    agree(load(name), published_chart(), {1: 1000, 3: 150})


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in ("adelaide", "canberra") else pytest.mark.slow) for name in NAMES]
)
def test_wild_play(name: str):
    agree(load(name), Wild(NAMES.index(name), calm=6), {1: 1000, 2: 150, 7: 60})


@pytest.mark.parametrize(
    ("name", "eager"),
    [
        ("canberra", "split"),
        pytest.param("division-15", "double", marks=pytest.mark.slow),
        ("adelaide", "surrender"),
        pytest.param("star", "forfeit", marks=pytest.mark.slow),
    ],
)
def test_eager_play(name: str, eager: Action):
    agree(load(name), Wild(7, eager, calm=5), {1: 800, 3: 100})


OVERRIDES: tuple[dict[str, object], ...] = (
    {
        "dealer.pontoon_collects": "all",
        "dealer.stands_hard": 16,
        "dealer.stands_soft": 19,
        "double.fixed_aces": "all_held",
    },
    {
        "dealer.pontoon_collects": "busts_plus_one",
        "double.fixed_aces": "none",
        "split.max_hands": 2,
        "super_bonus.split_excludes": "suited_sevens",
        "super_bonus.other_unit": "per_wager",
    },
    {
        "dealer.pontoon_collects": "original_tracked",
        "dealer.stops_without_effect": False,
        "double.fixed_aces": "first_two_of_hand",
        "insurance.winners_paid": "after_settlement",
        "split.max_hands": 4,
    },
    {
        "split.by": "rank",
        "split.decline_locks": True,
        "split.max_hands": 4,
        "surrender.first_cards": ["A", "K", "9"],
        "surrender.timing": "turn",
    },
    {
        "double.forfeit_highest": 21,
        "draw.forced_below": 0,
        "insurance.most_percent": 100,
        "insurance.odds": "3:1",
        "payout.doubled": "3:2",
        "payout.pontoon": "6:5",
    },
    {"double.forfeit_highest": 12, "payout.count_requires_21": False},
    {"double.two_cards_only": True, "split.max_hands": 1},
)
"""Several in one game where they do not touch each other: most of the time goes into compiling it."""


@pytest.mark.parametrize("overrides", OVERRIDES, ids=lambda override: " ".join(map(str, override)))
def test_overrides(overrides: dict[str, object]):
    agree(load("division-15", overrides), Wild(11, "split", calm=3), {1: 500, 2: 80})


def test_super_bonus_and_the_bonus_for_others():
    overrides = {"super_bonus.split_excludes": "suited_sevens", "super_bonus.other_unit": "per_wager"}
    for rules in (load("canberra"), load("star"), load("canberra", overrides)):
        compiled = compile_game(rules, Mimic(), STAKE)
        few = [Card(one) for one in ("7s", "7s", "7d", "7d", "2c", "Kd")]
        given = shoes(1500, 5, few)
        won = 0
        for cards, ours in zip(given, record(compiled, given, 3), strict=True):
            theirs = engine_round(rules, Mimic(), cards, 3)
            assert (ours.cards, ours.nets) == theirs
            won += max(ours.nets) >= 100_000
        assert won > 10


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", NAMES)
def test_a_hundred_thousand_shoes(name: str):
    agree(load(name), published_chart(), {1: 60_000}, seed=2)
    agree(load(name), Wild(3), {1: 30_000, 3: 10_000}, seed=3)

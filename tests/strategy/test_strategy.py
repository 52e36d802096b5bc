"""Strategies as data: reading, writing, lookup and error messages."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from pontoon.cards import Card
from pontoon.engine import CallNoMoreBets, CloseOffer, DealCard, Insure, PlaceWager, Round, Surrender, must_play
from pontoon.rulebook import digest, load
from pontoon.strategy import (
    Action,
    ChartStrategy,
    Composition,
    CompositionStrategy,
    Situation,
    SplitTable,
    StrategyError,
    answer,
    find,
    made_for,
    read_chart,
    read_composition,
    read_strategy,
    write_composition,
)
from tests.simulation.strategies import published_chart

S, H, D, P = "S" * 10, "H" * 10, "D" * 10, "P" * 10
ALL: frozenset[Action] = frozenset({"stand", "hit", "double", "split", "surrender"})
OFFER: frozenset[Action] = frozenset({"surrender", "keep"})
FORFEIT: frozenset[Action] = frozenset({"forfeit", "keep"})

TABLE = Composition(
    rulebook="star",
    digest="d261c65ea9ce",
    decks=8,
    insurance="always",
    first={"67": H, "67s": D, "67+": S, "88": P, "99": P, "8K": S, "A37/1": D, "A37": S, "28": "HD........"},
    surrender={"8K": "YNNNNNNNNN"},
    doubled={"8K3:21": "KKKKKKKKKK", "A28:11": "F.KKKKKKKK"},
    splits={
        "8": SplitTable(
            resplit="YNNNNNNNNN",
            original={"88": S, "58": H},
            additional={"88": D, "58": D},
            doubled={"588:21": "KKKKKKKKKK", "578:20": "FFFFFFFFFF"},
        )
    },
)
STRATEGY = CompositionStrategy(TABLE)


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(part) for part in text.split())


@pytest.mark.parametrize(
    ("hand", "dealer", "expected"),
    [
        ("6c 7d", "5d", "hit"),
        ("7d 6d", "5d", "stand"),
        ("7s 6s", "5d", "double"),
        ("8c 8d", "5d", "split"),
        ("9c 9d", "5d", "hit"),  # no table for its split
        ("8c Qd", "5d", "stand"),
        ("8c Qd", "As", "surrender"),
        ("3c Ad 7c", "5d", "double"),
        ("3c 7d Ac", "5d", "stand"),
        ("2c 8d", "2d", "double"),
    ],
)
def test_lookup(hand: str, dealer: str, expected: Action):
    assert STRATEGY.choose(Situation(cards(hand), Card(dealer), may=ALL)) == expected


def test_what_is_not_allowed_falls_back_to_a_hit():
    for hand, may in (("7s 6s", {"hit", "stand"}), ("8c 8d", {"hit", "stand"}), ("8c Qd", {"hit"})):
        assert STRATEGY.choose(Situation(cards(hand), Card("5d"), may=frozenset(may))) == "hit"  # type: ignore[arg-type]


def test_offers():
    assert STRATEGY.choose(Situation(cards("8c Kd"), Card("As"), may=OFFER)) == "surrender"
    assert STRATEGY.choose(Situation(cards("8c Kd"), Card("Ks"), may=OFFER)) == "keep"
    assert STRATEGY.insures(cards("8c Kd"), Card("As"))


def test_split_hands():
    def choose(
        hand: str, dealer: str, may: frozenset[Action] = ALL - {"surrender"}, *, original: bool = True
    ) -> Action:
        return STRATEGY.choose(Situation(cards(hand), Card(dealer), "8", original, may=may))

    assert choose("8c 8d", "As") == "split"
    assert choose("8c 8d", "As", frozenset({"hit", "stand", "double"})) == "stand"
    assert choose("8c 8d", "2s") == "stand"
    assert choose("8c 8d", "2s", original=False) == "double"
    assert choose("8c 5d", "2s") == "hit"


def test_doubled_hands():
    def choose(hand: str, dealer: str, split: str = "", fixed: int = 0) -> Action:
        return STRATEGY.choose(Situation(cards(hand), Card(dealer), split, doubled=True, fixed_aces=fixed, may=FORFEIT))

    assert choose("Ad 2c 8c", "As", fixed=1) == "forfeit"
    assert choose("Ad 2c 8c", "Ks", fixed=1) == "keep"
    assert choose("Ad 2c 8c", "As") == "keep"  # a soft 21 is another key
    assert choose("8d 5c 7c", "3s", "8") == "forfeit"
    assert choose("9d 5c", "3s") == "keep"


def test_a_hand_without_an_entry():
    with pytest.raises(StrategyError, match="no entry for 45 against 5d"):
        STRATEGY.choose(Situation(cards("4c 5d"), Card("5d"), may=ALL))
    with pytest.raises(StrategyError, match="no entry for 28 against 5d"):
        STRATEGY.choose(Situation(cards("2c 8d"), Card("5d"), may=ALL))
    with pytest.raises(StrategyError, match="no entry for 48 of a split 8"):
        STRATEGY.choose(Situation(cards("8c 4d"), Card("5d"), "8", may=ALL - {"split"}))


def test_written_files_read_back():
    text = write_composition(TABLE)
    assert read_composition(text) == TABLE
    assert isinstance(read_strategy(text), CompositionStrategy)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nonsense", "mine: JSON is malformed"),
        ('{"rulebook": "star", "decks": 8, "first": {"A2": "SS"}}', "mine: first.A2 is 'SS', not 10 of the letters"),
        ('{"rulebook": "star", "decks": 8, "first": {}, "color": 1}', "unknown field `color`"),
        (
            '{"rulebook": "star", "decks": 8, "first": {}, "splits": {"8": {"resplit": "XXXXXXXXXX"}}}',
            r"mine: splits.8.resplit is 'XXXXXXXXXX'",
        ),
    ],
)
def test_bad_files(text: str, words: str):
    with pytest.raises(StrategyError, match=words):
        read_composition(text, "mine")


CHART = published_chart()


@pytest.mark.parametrize(
    ("hand", "dealer", "expected"),
    [
        ("9c 4d", "6d", "stand"),
        ("6c 7d", "6d", "hit"),  # S4*
        ("8c 6d", "5d", "stand"),  # S5': only suited
        ("8d 6d", "5d", "hit"),
        ("8d 6d", "6d", "stand"),  # S6": only spades
        ("8s 6s", "6d", "hit"),
        ("2c 3c 4c 5c", "6d", "stand"),
        ("9c 7d 2d", "2d", "stand"),
        ("6c 5d", "Kc", "double"),
        ("6c 3c 2d", "Kc", "hit"),  # D3
        ("7c 7d", "7h", "split"),
        ("7d 7d", "7h", "hit"),  # P$
        ("8c 8d", "Ah", "surrender"),
        ("Kc 6d", "As", "surrender"),
        ("4c 4d", "5s", "hit"),
        ("5c 5d", "5s", "double"),
        ("Kc Kd", "5s", "stand"),
        ("Ac 7d", "4s", "double"),
        ("Ac Ad", "4s", "split"),
    ],
)
def test_chart(hand: str, dealer: str, expected: Action):
    assert CHART.choose(Situation(cards(hand), Card(dealer), may=ALL)) == expected


def test_chart_where_something_is_not_allowed():
    hit_or_stand: frozenset[Action] = frozenset({"hit", "stand"})
    for hand, dealer, expected in (
        ("6c 5d", "5c", "hit"),
        ("Ac 7d", "4s", "stand"),
        ("Ac 6d", "5s", "hit"),
        ("8c 8d", "6s", "stand"),
    ):
        assert CHART.choose(Situation(cards(hand), Card(dealer), may=hit_or_stand)) == expected
    assert CHART.choose(Situation(cards("8c 8d"), Card("Ks"), may=OFFER)) == "keep"
    assert CHART.choose(Situation(cards("Kc 6d"), Card("Ks"), doubled=True, may=FORFEIT)) == "forfeit"
    assert CHART.choose(Situation(cards("Kc 6d"), Card("5s"), doubled=True, may=FORFEIT)) == "keep"
    assert CHART.choose(Situation(cards("Kc 4d"), Card("5s"), may=frozenset({"hit"}))) == "hit"
    assert not CHART.insures(cards("Kc 4d"), Card("As"))


def test_chart_files():
    text = msgspec.json.encode(CHART.chart)
    assert read_chart(text) == CHART.chart
    assert isinstance(read_strategy(text), ChartStrategy)
    with pytest.raises(StrategyError, match="mine: 'X9' is not a chart code"):
        read_chart(text.replace(b'"S6"', b'"X9"', 1), "mine")
    with pytest.raises(StrategyError, match="mine: Object missing required field"):
        read_chart('{"hard": {}}', "mine")
    with pytest.raises(StrategyError, match="the chart has no code for hard 21 against 2"):
        CHART.choose(Situation(cards("Kc 9d 2c"), Card("2d"), may=ALL))


def test_find(tmp_path: Path):
    file = tmp_path / "mine.json"
    file.write_text(write_composition(TABLE))
    assert isinstance(find(file), CompositionStrategy)
    with pytest.raises(StrategyError, match="neither a composition-dependent strategy nor a chart"):
        read_strategy("{}")
    with pytest.raises(StrategyError, match="neither a composition-dependent strategy nor a chart"):
        read_strategy("not JSON")
    with pytest.raises(StrategyError, match="neither optimal, chart nor a file"):
        find(tmp_path / "other.json")


def test_what_a_strategy_was_made_for():
    rules = load("star")
    own = CompositionStrategy(msgspec.structs.replace(TABLE, rulebook="star", decks=8, digest=digest(rules)))
    assert made_for(own, rules, 8) == ""
    assert made_for(own, rules, 6) == "star, 8 packs"
    assert made_for(own, load("canberra"), 8) == "star, 8 packs"
    assert made_for(own, load("star", {"split.max_hands": 3}), 8) == "star, 8 packs with other overrides"


def begun(name: str, dealt: str) -> Round:
    return must_play(Round(load(name)), PlaceWager(1, "Ann", 1000), CallNoMoreBets(), *map(DealCard, cards(dealt)))


def test_answers_to_offers():
    state = begun("star", "8c As Kd")
    insure = answer(state, STRATEGY)
    assert insure == Insure(1, "Ann", 500)
    assert answer(must_play(state, insure), STRATEGY) == CloseOffer()
    state = begun("star", "8c Ks Kd")
    assert answer(state, STRATEGY) == CloseOffer()
    assert answer(begun("star", "8c"), STRATEGY) is None


def test_surrender_is_answered_when_offered():
    never = CompositionStrategy(msgspec.structs.replace(TABLE, insurance="never"))
    state = begun("star", "8c As Kd")
    assert answer(state, never) == CloseOffer()
    assert answer(must_play(state, CloseOffer()), never) == Surrender(1)


def test_a_strategy_that_asks_for_what_it_may_not_do():
    class Stubborn:
        def insures(self, cards: tuple[Card, ...], dealer: Card) -> bool:  # noqa: ARG002
            return False

        def choose(self, situation: Situation) -> Action:  # noqa: ARG002
            return "split"

    with pytest.raises(
        StrategyError, match="the strategy returned 'split' for 8c Kd against 5s; allowed: double, hit, stand"
    ):
        answer(begun("star", "8c 5s Kd"), Stubborn())

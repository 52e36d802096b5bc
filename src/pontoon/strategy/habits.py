"""Habits of players as strategies: best play with one exception, and the chart of another game."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pontoon.cards import Card
from pontoon.strategy.chart import CHART_UPCARDS, Cell, Chart, ChartStrategy
from pontoon.strategy.situation import Action, Situation, Strategy

HARD = """
4-8    H H H H H H H H H H
9      H D D D D H H H H H
10     D D D D D D D D H H
11     D D D D D D D D D H
12     H H S S S H H H H H
13-16  S S S S S H H H H H
17-20  S S S S S S S S S S"""
SOFT = """
12     H H H H H H H H H H
13-14  H H H D D H H H H H
15-16  H H D D D H H H H H
17     H D D D D H H H H H
18     S D D D D S S H H H
19-20  S S S S S S S S S S"""
PAIRS = """
2-3    P P P P P P H H H H
4      H H H P P H H H H H
6      P P P P P H H H H H
7      P P P P P P H H H H
8      P P P P P P P P P P
9      P P P P P S P P S S
A      P P P P P P P P P P"""
"""Basic strategy of ordinary blackjack: four to eight packs of 52, the dealer stands on all 17s, doubling after a split
is allowed."""


class Without:
    """Plays like another strategy, but never does some things.

    >>> chart = Chart(rulebook="star", decks=8, upcards=("6",), hard={}, soft={}, forfeit={"12": {"6": Cell("F")}})
    >>> hand = Situation(("5c", "4d", "3h"), "6h", doubled=True, may=frozenset({"keep", "forfeit"}))
    >>> ChartStrategy(chart).choose(hand), Without(ChartStrategy(chart), "forfeit").choose(hand)
    ('forfeit', 'keep')
    """

    def __init__(self, usual: Strategy, *never: Action) -> None:
        self.usual, self.never = usual, frozenset(never)

    def choose(self, situation: Situation) -> Action:
        return self.usual.choose(replace(situation, may=situation.may - self.never))

    def insures(self, cards: tuple[Card, ...], dealer: Card) -> bool:
        return self.usual.insures(cards, dealer)


class DoublesOnTwo:
    """Plays like another strategy, but doubles on two cards only, as in ordinary blackjack."""

    def __init__(self, usual: Strategy) -> None:
        self.usual, self.later = usual, Without(usual, "double")

    def choose(self, situation: Situation) -> Action:
        early = situation.doubled or len(situation.cards) == 2
        return self.usual.choose(situation) if early else self.later.choose(situation)

    def insures(self, cards: tuple[Card, ...], dealer: Card) -> bool:
        return self.usual.insures(cards, dealer)


def ordinary_blackjack(rulebook: str, decks: int) -> Strategy:
    """Blackjack strategy applied to Pontoon: no surrender, no forfeit, no play for bonuses.

    >>> may = frozenset({"hit", "stand", "double"})
    >>> hands = ("6c", "5d"), ("2c", "4d", "5h"), ("Kc", "6d")
    >>> [ordinary_blackjack("star", 8).choose(Situation(hand, "6h", may=may)) for hand in hands]
    ['double', 'hit', 'stand']
    """
    pairs = {name * 2: row for name, row in _rows(PAIRS)}
    chart = Chart(
        rulebook=rulebook,
        decks=decks,
        upcards=CHART_UPCARDS,
        hard=dict(_rows(HARD)),
        soft=dict(_rows(SOFT)),
        pairs=pairs,
    )
    return DoublesOnTwo(ChartStrategy(chart))


def _rows(text: str) -> Iterator[tuple[str, dict[str, Cell]]]:
    for line in text.strip().splitlines():
        names, *codes = line.split()
        row = {upcard: Cell(code) for upcard, code in zip(CHART_UPCARDS, codes, strict=True)}
        first, _, last = names.partition("-")
        for name in range(int(first), int(last) + 1) if last else (names,):
            yield str(name), row

"""Side bets and insurance in closed form, as exact fractions for a fresh shoe.

>>> from pontoon.rulebook import load
>>> [(row.name, row.value) for row in side_values(load("canberra"), decks=8)][0]
('Perfect Pairs', Fraction(15, 383))
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Literal

from msgspec import Struct

from pontoon.cards import PACK, Card, points
from pontoon.rulebook import Clauses, Rulebook, SideBet
from pontoon.rulebook.side_bets import row_paid, uses_upcard

TEN = 10


class Outcome(Struct, frozen=True):
    """One way a wager can end: its name, its probability and what it pays per unit."""

    name: str
    chance: Fraction
    pays: Fraction


class SideValue(Struct, frozen=True):
    """A wager: its outcomes, its expected value per unit staked, and its clauses."""

    name: str
    outcomes: tuple[Outcome, ...]
    value: Fraction
    clauses: Clauses

    @property
    def favours(self) -> Literal["player", "house", "nobody"]:
        """Which side has the advantage."""
        return "player" if self.value > 0 else "house" if self.value else "nobody"


def side_values(rules: Rulebook, decks: int) -> tuple[SideValue, ...]:
    """Every side bet the rulebook offers with this many packs, and insurance, from a fresh shoe.

    >>> from pontoon.rulebook import load
    >>> [side_values(load("adelaide"), decks)[0].name for decks in (6, 5)]
    ['Perfect Pairs', 'Insurance, holding no picture']
    """
    offered = (bet for bet in rules.side if bet.offered and decks in bet.decks)
    return (
        *(_bet(rules, bet, decks) for bet in offered),
        *(_insurance(rules, decks, pictures) for pictures in (0, 1, 2)),
    )


def row_chances(bet: SideBet, decks: int, pack: tuple[Card, ...] = PACK) -> dict[str, Fraction]:
    """The probability of each row of a pay table, counted over all cards of a fresh shoe.

    >>> from pontoon.rulebook import load
    >>> chances = row_chances(load("canberra").side[0], decks=8)
    >>> {name: str(chance) for name, chance in chances.items()}
    {'perfect': '7/383', 'coloured': '8/383', 'mixed': '16/383'}
    """
    upcards = pack if uses_upcard(bet) else pack[:1]
    counts = dict.fromkeys((row.name for row in bet.pays), 0)
    total = 0
    for first, second in combinations_with_replacement(pack, 2):
        pairs = (2 - (first == second)) * decks * (decks - (first == second))  # two orders of different cards
        for upcard in upcards:
            ways = pairs * (decks - (upcard == first) - (upcard == second) if len(upcards) > 1 else 1)
            row = row_paid(bet, (first, second), upcard)
            total += ways
            if row is not None:
                counts[row.name] += ways
    return {name: Fraction(count, total) for name, count in counts.items()}


def _bet(rules: Rulebook, bet: SideBet, decks: int) -> SideValue:
    chances = row_chances(bet, decks)
    won = tuple(Outcome(row.title, chances[row.name], Fraction(row.odds)) for row in bet.pays)
    pairs = all(row.title.endswith("pair") for row in bet.pays)
    lost = Outcome("no pair" if pairs else "nothing", 1 - sum(chances.values(), Fraction(0)), Fraction(-1))
    return _valued(bet.title, (*won, lost), bet.won or rules.clauses(f"side.{bet.name}.offered"))


def _insurance(rules: Rulebook, decks: int, pictures: int) -> SideValue:
    """Insurance against an ace, given the bettor's two cards: this many pictures and no ace."""
    tens = decks * sum(points(card) == TEN for card in PACK)
    chance = Fraction(tens - pictures, decks * len(PACK) - 3)
    won = Outcome("dealer's pontoon", chance, Fraction(rules.insurance.odds))
    lost = Outcome("no pontoon", 1 - chance, Fraction(-1))
    words = ("no picture", "one picture", "two pictures")[pictures]
    return _valued(f"Insurance, holding {words}", (won, lost), rules.cites.insurance_won)


def _valued(name: str, outcomes: tuple[Outcome, ...], clauses: Clauses) -> SideValue:
    return SideValue(name, outcomes, sum((outcome.chance * outcome.pays for outcome in outcomes), Fraction(0)), clauses)

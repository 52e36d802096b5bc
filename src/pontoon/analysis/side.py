"""Side wagers and insurance in closed form, as exact fractions of a fresh shoe.

>>> from pontoon.rulebook import load
>>> [(row.name, row.value) for row in side_values(load("canberra"), decks=8)][0]
('Perfect Pairs', Fraction(15, 383))
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from msgspec import Struct

from pontoon.cards import PACK, points
from pontoon.cards.pairs import pair_kind
from pontoon.rulebook import Clauses, Rulebook

TEN = 10
KINDS = ("perfect", "coloured", "mixed")


class Outcome(Struct, frozen=True):
    """One way a wager can end: what it is called, how likely it is, what it pays a unit."""

    name: str
    chance: Fraction
    pays: Fraction


class SideValue(Struct, frozen=True):
    """A wager worth knowing: its outcomes, its expected value a unit staked, the clauses behind it."""

    name: str
    outcomes: tuple[Outcome, ...]
    value: Fraction
    clauses: Clauses

    @property
    def favours(self) -> Literal["player", "house", "nobody"]:
        """Who gains in the long run."""
        return "player" if self.value > 0 else "house" if self.value else "nobody"


def pair_chances(decks: int) -> dict[str, Fraction]:
    """The chance of each kind of pair in the first two cards, counted over the pack.

    >>> {kind: str(chance) for kind, chance in pair_chances(8).items()}
    {'perfect': '7/383', 'coloured': '8/383', 'mixed': '16/383'}
    """
    first = PACK[0]  # every card of a fresh shoe has the same company
    left = decks * len(PACK) - 1
    counts = dict.fromkeys(KINDS, 0)
    for card in PACK:
        kind = pair_kind(first, card)
        if kind is not None:
            counts[kind] += decks - (card == first)
    return {kind: Fraction(count, left) for kind, count in counts.items()}


def side_values(rules: Rulebook, decks: int) -> tuple[SideValue, ...]:
    """Every side wager the rulebook offers with so many packs, and insurance, from a fresh shoe.

    >>> from pontoon.rulebook import load
    >>> [side_values(load("adelaide"), decks)[0].name for decks in (6, 5)]
    ['Perfect Pairs', 'Insurance, holding no picture']
    """
    rows = []
    if rules.side.perfect_pairs and decks in rules.decks.with_perfect_pairs:
        odds = {kind: Fraction(getattr(rules.side, f"perfect_pairs_{kind}")) for kind in KINDS}
        rows.append(_pairs("Perfect Pairs", rules.cites.perfect_pairs_won, odds, decks))
    if rules.side.pairs_play:
        odds = dict.fromkeys(KINDS, Fraction(rules.side.pairs_play_any))
        rows.append(_pairs("Pairs Play", rules.cites.pairs_play_won, odds, decks))
    return (*rows, *(_insurance(rules, decks, pictures) for pictures in (0, 1, 2)))


def _pairs(name: str, clauses: Clauses, odds: dict[str, Fraction], decks: int) -> SideValue:
    chances = pair_chances(decks)
    won = tuple(Outcome(f"{kind} pair", chances[kind], odds[kind]) for kind in KINDS)
    lost = Outcome("no pair", 1 - sum(chances.values(), Fraction(0)), Fraction(-1))
    return _valued(name, (*won, lost), clauses)


def _insurance(rules: Rulebook, decks: int, pictures: int) -> SideValue:
    """Insurance against an ace, knowing the bettor's own two cards, so many of them pictures and none an ace."""
    tens = decks * sum(points(card) == TEN for card in PACK)
    chance = Fraction(tens - pictures, decks * len(PACK) - 3)
    won = Outcome("dealer's pontoon", chance, Fraction(rules.insurance.odds))
    lost = Outcome("no pontoon", 1 - chance, Fraction(-1))
    words = ("no picture", "one picture", "two pictures")[pictures]
    return _valued(f"Insurance, holding {words}", (won, lost), rules.cites.insurance_won)


def _valued(name: str, outcomes: tuple[Outcome, ...], clauses: Clauses) -> SideValue:
    return SideValue(name, outcomes, sum((one.chance * one.pays for one in outcomes), Fraction(0)), clauses)

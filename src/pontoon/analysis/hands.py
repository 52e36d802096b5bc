"""Hands in the analysis: the number of cards of each of ten values, listed once and linked by the next card.

Values are numbered 0 to 9: the ace, two to nine, and all pictures as one value. The list holds every hand whose points
with all aces as 1 do not exceed 21, from the highest points down, so that in one pass the hands a card leads to have
already been valued.

>>> table = hands((24,) * 9 + (72,))
>>> len(table.hard), table.letters(table.more[table.two(0, 6), 3])
(3083, 'A47')
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from pontoon.cards import LIMIT, Card
from pontoon.cards.hand import SOFT_ACE

VALUES = "A23456789K"
"""One letter for each value; K stands for all pictures."""

ACE, PICTURE = 0, 9
SUITS = "cdhs"

LARGE = 100
"""Number of cards from which a shoe counts as large."""

Integers = npt.NDArray[np.int64]
Counts = tuple[Any, ...]
"""Numbers of cards of each value; not whole in the mean shoe at a count."""


def points_of(value: int) -> int:
    """Points of a value, with an ace as 1."""
    return value + 1


def value_of(card: Card) -> int:
    """The number of a card's value.

    >>> value_of("As"), value_of("7h"), value_of("Jd")
    (0, 6, 9)
    """
    return PICTURE if card[0] in "JQK" else VALUES.index(card[0])


@dataclass(frozen=True, eq=False)
class Hands:
    """The list of hands, one array per column."""

    counts: Integers
    """Number of cards of each value."""
    hard: Integers
    """Points with every ace as 1."""
    size: Integers
    best: Integers
    """Points with one ace as 11 if that does not exceed 21."""
    more: Integers
    """The hand after one more card of each value; -1 is bust."""
    number: dict[Counts, int] = field(repr=False)
    """Index of each hand in the list."""

    def index_of(self, counts: Counts) -> int:
        """Index of a hand in the list."""
        return self.number[counts]

    def two(self, first: int, second: int) -> int:
        """Index of the hand of two cards."""
        return self.pairs[first, second]

    @cached_property
    def pairs(self) -> dict[tuple[int, int], int]:
        """Index of every hand of two cards, by their values."""
        found = {}
        for counts, place in self.number.items():
            if sum(counts) == 2:
                low, high = (value for value, count in enumerate(counts) for _ in range(count))
                found[low, high] = found[high, low] = place
        return found

    @lru_cache(maxsize=256)  # noqa: B019 lists of hands are few, and kept for as long as the process
    def with_card(self, value: int) -> Hands:
        """The hands that hold a card of this value, as a list of their own; one list for all games."""
        held = np.nonzero(self.counts[:, value] > 0)[0]
        place = np.full(len(self.hard) + 2, -1, dtype=np.int64)
        place[held] = np.arange(len(held))
        place[BEYOND] = BEYOND
        number = {counts: int(place[index]) for counts, index in self.number.items() if counts[value]}
        columns = (self.counts[held], self.hard[held], self.size[held], self.best[held], place[self.more[held]])
        return Hands(*columns, number)

    def letters(self, hand: int) -> str:
        """A hand as text.

        >>> table = hands((24,) * 9 + (72,))
        >>> table.letters(table.two(6, 0))
        'A7'
        """
        return "".join(letter * int(count) for letter, count in zip(VALUES, self.counts[hand], strict=True))


def limits(shoe: Counts) -> Counts:
    """The maximum number of cards of each value in a hand: what fits into 21, and in a small shoe what it holds.

    For a large shoe all hands are listed, including the few it cannot deal, so that one list serves every large shoe.
    """
    fits = tuple(LIMIT // points_of(value) for value in range(len(shoe)))
    return fits if sum(shoe) >= LARGE else tuple(min(pair) for pair in zip(shoe, fits, strict=True))


def hands(shoe: Counts) -> Hands:
    """Every hand of at most 21 points that a shoe with these cards can deal."""
    return _hands(limits(shoe))


@lru_cache(maxsize=64)
def _hands(most: Counts) -> Hands:
    found: list[tuple[int, Counts]] = []

    def grow(value: int, counts: list[int], hard: int) -> None:
        if value == len(most):
            found.append((hard, tuple(counts)))
            return
        for count in range(most[value] + 1):
            more = hard + count * points_of(value)
            if more > LIMIT:
                break
            grow(value + 1, [*counts, count], more)

    grow(0, [], 0)
    found.sort(reverse=True)
    number = {counts: place for place, (_, counts) in enumerate(found)}
    counts = np.array([counts for _, counts in found], dtype=np.int64)
    hard = np.array([hard for hard, _ in found], dtype=np.int64)
    soft = (counts[:, ACE] > 0) & (hard + SOFT_ACE <= LIMIT)
    more = np.array([[_next(number, hand, value) for value in range(len(most))] for _, hand in found], dtype=np.int64)
    return Hands(counts, hard, counts.sum(axis=1), np.where(soft, hard + SOFT_ACE, hard), more, number)


BEYOND = -2
"""More cards of a value than the shoe holds; such a card is never drawn."""


def _next(number: dict[Counts, int], counts: Counts, value: int) -> int:
    grown = (*counts[:value], counts[value] + 1, *counts[value + 1 :])
    bust = sum(points_of(card) * count for card, count in enumerate(grown)) > LIMIT
    return -1 if bust else number.get(grown, BEYOND)

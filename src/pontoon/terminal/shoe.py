"""The shoe of the practice game, until the table layer brings the real one with a shuffle that can be proved."""

from __future__ import annotations

from random import Random
from typing import Protocol

from pontoon.cards import PACK, Card

CUT_FROM, CUT_TO = 0.70, 0.80
"""Between these parts of the shoe the cutting card goes in: about three quarters."""

RESERVE = 8
"""Cards kept behind the cutting card for each box and the dealer; few hands take more."""


class ShoeEmptyError(Exception):
    """The last card is out in the middle of a round."""


class Shoe(Protocol):
    """What the game needs of a shoe; a test brings one with known cards."""

    def deal(self) -> Card:
        """The next card."""

    def cut_reached(self) -> bool:
        """Whether the cutting card has come out, so that this round is the last before a shuffle."""

    def shuffle(self) -> None:
        """Put all cards back and shuffle."""


class PracticeShoe:
    """Packs of 48 and a cutting card; chance is an argument, so that a seed repeats the game.

    >>> shoe = PracticeShoe(6, 1, Random(7))
    >>> first = shoe.deal()
    >>> first == PracticeShoe(6, 1, Random(7)).deal(), shoe.cut_reached()
    (True, False)
    """

    def __init__(self, decks: int, boxes: int, chance: Random) -> None:
        self._packs = PACK * decks
        self._reserve = RESERVE * (boxes + 1)
        self._chance = chance
        self.shuffle()

    def shuffle(self) -> None:
        self._cards = list(self._packs)
        self._chance.shuffle(self._cards)
        size = len(self._cards)
        cut = int(size * self._chance.uniform(CUT_FROM, CUT_TO))
        self._behind_cut = max(size - cut, min(self._reserve, size - 1))

    def deal(self) -> Card:
        if not self._cards:
            raise ShoeEmptyError
        return self._cards.pop()

    def cut_reached(self) -> bool:
        return len(self._cards) <= self._behind_cut

"""The Super Bonus on the hands of split sevens, where only a split of suited sevens takes the box out of it.

Whether a box can still win depends on the suits of every seven that was split, and so on all its hands. Only the second
cards of the hands matter, and the third of a hand with two sevens of one suit: they are dealt in order here, sevens by
suit, every other card alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pontoon.analysis.hands import SUITS
from pontoon.analysis.measures import Number
from pontoon.analysis.splits.resplit import Again

Left = tuple[Number, ...]
"""Sevens left, by suit."""
Mean = tuple[Number, Number]
"""The probability that no suited sevens are split from here on, and the mean of the prizes if so, times it."""


class SplitSevens:
    """Sevens of different suits that were split against a seven."""

    def __init__(self, amounts: Mapping[str, Number], cards: Number, most: int, again: Again) -> None:
        """`amounts`: what three sevens of a suit add, times the chance that two of them take a third card."""
        self.amounts = [amounts[suit] for suit in SUITS]
        self.cards, self.most = cards, most
        self.splits, self.locks = again
        self._play: Any = cache(self._hand)

    def value(self, left: Mapping[str, Number], own: tuple[str, str]) -> Number:
        """The mean of all prizes; `left` are the sevens without the pair, whose suits are `own`."""
        suits = tuple(SUITS.index(suit) for suit in own)
        return self._play(tuple(left[suit] for suit in SUITS), 0, suits, 2)[1]

    def _draw(self, left: Left, dealt: int) -> Iterator[tuple[Number, int, Left]]:
        """The next card: its probability, its suit if it is a seven, else -1, and the sevens left."""
        rest = self.cards - dealt
        for suit, count in enumerate(left):
            if count > 0:
                yield count / rest, suit, (*left[:suit], max(count - 1, count * 0), *left[suit + 1 :])
        yield (rest - sum(left)) / rest, -1, left

    def _hand(self, left: Left, dealt: int, waiting: tuple[int, ...], formed: int) -> Mean:
        """Deal the second card of the first hand that waits for it; `waiting` are the suits of their first cards."""
        one, none = self.cards / self.cards, self.cards * 0
        if not waiting:
            return one, none
        first, *rest = waiting
        parts = []
        for chance, suit, after in self._draw(left, dealt):
            kept = chance
            if suit >= 0 and formed < self.most:
                kept = chance * (1 - self.splits)
                if suit != first:  # suited sevens that are split win nothing any more
                    parts.append((chance * self.splits, self._play(after, dealt + 1, (first, suit, *rest), formed + 1)))
            if kept:
                locked = self.most if suit >= 0 and self.locks else formed
                played = self._third if suit == first else self._play
                parts.append((kept, played(after, dealt + 1, tuple(waiting if suit == first else rest), locked)))
        return sum((chance * mean[0] for chance, mean in parts), none), sum((c * mean[1] for c, mean in parts), none)

    def _third(self, left: Left, dealt: int, waiting: tuple[int, ...], formed: int) -> Mean:
        """The third card of a hand of two sevens of one suit."""
        own, *rest = waiting
        safe = won = self.cards * 0
        for chance, suit, after in self._draw(left, dealt):
            later, more = self._play(after, dealt + 1, tuple(rest), formed)
            safe += chance * later
            won += chance * (more + (later * self.amounts[own] if suit == own else 0))
        return safe, won

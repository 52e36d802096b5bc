"""The cards left in a shoe.

>>> shoe = Shoe.of_packs(8).without(("7s", "Kd"))
>>> shoe.values[6], shoe.values[9], shoe.cards
(31, 95, 382)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pontoon.analysis.answers import ShoeError
from pontoon.analysis.hands import PICTURE, SUITS, VALUES, value_of
from pontoon.cards import PACK, Card, read_card


@dataclass(frozen=True)
class Shoe:
    """The cards left: the number of each of the 48 cards."""

    left: tuple[Any, ...]
    """Number of each card, in the order of `PACK`; not whole in the mean shoe at a count."""

    @classmethod
    def of_packs(cls, packs: int) -> Shoe:
        """A fresh shoe."""
        return cls((packs,) * len(PACK))

    @classmethod
    def of_cards(cls, cards: Iterable[Card]) -> Shoe:
        """A shoe of just these cards."""
        count = Counter(map(read_card, cards))
        return cls(tuple(count[card] for card in PACK))

    def without(self, cards: Iterable[Card]) -> Shoe:
        """The shoe without these cards."""
        left = list(self.left)
        for card in cards:
            place = _PLACE[read_card(card)]
            left[place] -= 1
            if left[place] < 0:
                raise ShoeError(f"{card}: no more of them in the shoe")
        return Shoe(tuple(left))

    @cached_property
    def cards(self) -> Any:  # noqa: ANN401 whole, or not
        """Number of cards left."""
        return sum(self.left)

    @cached_property
    def values(self) -> tuple[Any, ...]:
        """Number of cards of each value."""
        found: list[Any] = [0] * len(VALUES)
        for card, count in zip(PACK, self.left, strict=True):
            found[value_of(card)] += count
        return tuple(found)

    @cached_property
    def suits(self) -> dict[int, dict[str, Any]]:
        """Number of cards of each value by suit; pictures are one value."""
        found: dict[int, dict[str, Any]] = {value: dict.fromkeys(SUITS, 0) for value in range(len(VALUES))}
        for card, count in zip(PACK, self.left, strict=True):
            found[value_of(card)][card[1]] += count
        return found

    @cached_property
    def pictures(self) -> dict[str, Any]:
        """Number of pictures of each rank."""
        found: dict[str, Any] = dict.fromkeys("JQK", 0)
        for card, count in zip(PACK, self.left, strict=True):
            if value_of(card) == PICTURE:
                found[card[0]] += count
        return found


_PLACE = {card: place for place, card in enumerate(PACK)}

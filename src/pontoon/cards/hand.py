"""The total of a hand: hard, or soft while one ace counts eleven.

>>> total(("As", "7h"))
Total(points=18, soft=True)
>>> total(("As", "7h"), fixed_aces=1)
Total(points=8, soft=False)
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from pontoon.cards.card import ACE, PACK, POINTS, TEN_POINTS, Card

LIMIT = 21
"""The total that always wins; above it a hand is bust."""

SOFT_ACE = 10
"""What an ace counts beyond 1 while it counts eleven."""


class Total(NamedTuple):
    """Points of a hand, and whether an ace in it counts eleven."""

    points: int
    soft: bool


@lru_cache(maxsize=1 << 16)
def total(cards: tuple[Card, ...], fixed_aces: int = 0) -> Total:
    """Count a hand; `fixed_aces` of its aces are held at 1 by a double. Remembered: hands repeat."""
    hard = 0
    aces = -fixed_aces
    for one in cards:
        hard += POINTS[one]
        if one[0] == ACE:
            aces += 1
    if aces > 0 and hard + SOFT_ACE <= LIMIT:
        return Total(hard + SOFT_ACE, soft=True)
    return Total(hard, soft=False)


def aces_in(cards: Iterable[Card]) -> int:
    """How many aces there are among these cards."""
    return sum(one[0] == ACE for one in cards)


PONTOONS = frozenset(
    pair
    for ace in PACK
    for picture in PACK
    if ace[0] == ACE and picture[0] in TEN_POINTS
    for pair in ((ace, picture), (picture, ace))
)
"""Every ace with every picture, in either order: looked up, because nothing is asked more often of two cards."""


def is_pontoon(cards: tuple[Card, ...]) -> bool:
    """An ace and a picture as the two cards of the deal.

    >>> is_pontoon(("As", "Kd")), is_pontoon(("As", "9d")), is_pontoon(("As", "4d", "6d"))
    (True, False, False)
    """
    return cards in PONTOONS

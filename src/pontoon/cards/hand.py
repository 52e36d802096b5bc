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
"""The extra points of an ace counted as eleven."""


class Total(NamedTuple):
    """Points of a hand, and whether an ace in it counts as eleven."""

    points: int
    soft: bool


@lru_cache(maxsize=1 << 13)
def total(cards: tuple[Card, ...], fixed_aces: int = 0) -> Total:
    """The total of a hand; a double fixes `fixed_aces` of its aces at 1. Cached, because hands repeat."""
    hard = 0
    aces = -fixed_aces
    for card in cards:
        hard += POINTS[card]
        if card[0] == ACE:
            aces += 1
    if aces > 0 and hard + SOFT_ACE <= LIMIT:
        return Total(hard + SOFT_ACE, soft=True)
    return Total(hard, soft=False)


def add_card(points: int, soft: bool, card: Card) -> tuple[int, bool]:  # noqa: FBT001 the two parts of a total
    """The total after one more card, from the total before it; aces that a double fixed stay at 1.

    >>> add_card(0, False, "As"), add_card(11, True, "7h"), add_card(18, True, "9d")
    ((11, True), (18, True), (17, False))
    """
    value = POINTS[card]
    if soft:
        points += value
        return (points, True) if points <= LIMIT else (points - SOFT_ACE, False)
    if value == 1 and points + SOFT_ACE < LIMIT:
        return points + 1 + SOFT_ACE, True
    return points + value, False


def aces_in(cards: Iterable[Card]) -> int:
    """The number of aces among these cards."""
    return sum(card[0] == ACE for card in cards)


PONTOONS = frozenset(
    pair
    for ace in PACK
    for picture in PACK
    if ace[0] == ACE and picture[0] in TEN_POINTS
    for pair in ((ace, picture), (picture, ace))
)
"""Every ace with every picture, in either order: a lookup, because this is the most frequent check."""


def is_pontoon(cards: tuple[Card, ...]) -> bool:
    """Whether the hand is an ace and a picture as its two cards.

    >>> is_pontoon(("As", "Kd")), is_pontoon(("As", "9d")), is_pontoon(("As", "4d", "6d"))
    (True, False, False)
    """
    return cards in PONTOONS

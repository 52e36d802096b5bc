"""The dealer's hand as a tree of further cards, for each upcard.

The order of the dealer's cards matters only for when the hand stops. The tree therefore holds every set of further
cards once, in ascending order of value, with the number of orders in which the dealer draws it and stops exactly then.
The probability of a set is that number times falling products of the cards left, which the kernel accumulates along
the branches.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pontoon.analysis.hands import ACE, PICTURE, Counts, Integers, points_of
from pontoon.cards import LIMIT
from pontoon.cards.hand import SOFT_ACE

BUST, PONTOON = 0, 1
LOWEST = 12
"""The lowest total on which a rulebook can let the dealer stand."""
RESULTS = LIMIT - LOWEST + 3
"""Number of possible results of the dealer: bust, pontoon, and totals from 12 to 21."""


def result_of(total: int) -> int:
    """The number of a dealer's total.

    >>> result_of(17), result_of(22)
    (7, 0)
    """
    return BUST if total > LIMIT else total - LOWEST + 2


@lru_cache(maxsize=256)
def tree(first: int, stands_hard: int, stands_soft: int) -> Integers:
    """The branches below an upcard in depth-first order: value, number of the same value above, depth, result, orders.

    The result is -1 if the dealer draws another card.
    """
    ends = _ends(first, stands_hard, stands_soft)
    prefixes: dict[tuple[int, ...], None] = {}
    for cards in sorted(ends):
        for depth in range(1, len(cards) + 1):
            prefixes.setdefault(cards[:depth])
    rows = []
    for cards in prefixes:
        result, orders = ends.get(cards, (-1, 0))
        rows.append((cards[-1], cards.count(cards[-1]) - 1, len(cards), result, orders))
    return np.array(rows, dtype=np.int64)


def within(branches: Integers, values: Counts) -> Integers:
    """The branches that a shoe with these values can deal: a small shoe has few, and fractions are slow."""
    possible: list[int] = []
    barred = branches.shape[0]  # branches below this depth are impossible
    for place, (value, above, depth, _, _) in enumerate(branches.tolist()):
        if depth > barred:
            continue
        barred = depth if above >= values[value] else branches.shape[0]
        if above < values[value]:
            possible.append(place)
    return branches[possible]


def _ends(first: int, stands_hard: int, stands_soft: int) -> dict[tuple[int, ...], tuple[int, int]]:
    """Every set of further cards that completes the dealer's hand: its result and the number of its orders."""
    ends: dict[tuple[int, ...], tuple[int, int]] = {}
    growing: dict[Counts, int] = {(0,) * 10: 1}
    while growing:
        longer: dict[Counts, int] = {}
        for counts, orders in growing.items():
            hard = points_of(first) + sum(points_of(value) * count for value, count in enumerate(counts) if count)
            ace = first == ACE or counts[ACE] > 0
            for value in range(10):
                grown = (*counts[:value], counts[value] + 1, *counts[value + 1 :])
                total, soft = _total(hard + points_of(value), ace=ace or value == ACE)
                if total < (stands_soft if soft else stands_hard):
                    longer[grown] = longer.get(grown, 0) + orders
                    continue
                cards = tuple(card for card, count in enumerate(grown) for _ in range(count))
                result = PONTOON if {first, *cards} == {ACE, PICTURE} and len(cards) == 1 else result_of(total)
                ends[cards] = (result, ends.get(cards, (0, 0))[1] + orders)
        growing = longer
    return ends


def _total(hard: int, *, ace: bool) -> tuple[int, bool]:
    soft = ace and hard + SOFT_ACE <= LIMIT
    return (hard + SOFT_ACE if soft else hard), soft

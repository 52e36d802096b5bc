"""The inner loops of the mean square of a split (second_moment.py): sums over ends, and products of two hands."""

from __future__ import annotations

from typing import Any

import numpy as np

from pontoon.analysis.jit import compiled

Numbers = Any
VALUES = 10


@compiled
def sums(chance: Numbers, counted: Numbers, cards: Any, plain: Numbers, taken: Numbers, pairs: Numbers) -> None:
    """Add up what the ends count: by number of cards taken, by card taken, and by pair of cards taken."""
    held = np.empty(VALUES, np.int64)
    for end in range(chance.shape[0]):
        kinds, number = 0, 0
        for value in range(VALUES):
            if cards[end, value] > 0:
                held[kinds] = value
                kinds += 1
                number += cards[end, value]
        for result in range(chance.shape[1]):
            weight = chance[end, result] * counted[end, result]
            if weight == 0.0:
                continue
            plain[result, number] += weight
            for one in range(kinds):
                value = held[one]
                taken[result, number, value] += weight * cards[end, value]
                for two in range(kinds):
                    other = held[two]
                    ways = cards[end, value] * (cards[end, other] - (1 if one == two else 0))
                    pairs[result, value, other] += weight * ways


@compiled
def product(one: Numbers, two: Numbers, left: Numbers, spread: Numbers, found: Numbers) -> None:
    """The mean of a product over two hands, times the chance of the dealer's result, for each result.

    `one` and `two` are the sums of each hand, `left` the cards left when the dealer has drawn, `spread` the covariance
    of the dealer's cards; results for which no cards are left are passed over.
    """
    plain_one, taken_one, pairs_one = one
    plain_two, taken_two, pairs_two = two
    for result in range(left.shape[0]):
        cards = left[result].sum()
        total = 0.0
        drawn_one, drawn_two = np.zeros(VALUES), np.zeros(VALUES)
        for first in range(plain_one.shape[1]):
            factor = 1.0  # what drawing without replacement adds to the chance of both
            for second in range(plain_two.shape[1]):
                if second > 0:
                    factor *= (cards - second + 1) / (cards - first - second + 1)
                part = plain_one[result, first] * plain_two[result, second]
                for value in range(VALUES):
                    part -= taken_one[result, first, value] * taken_two[result, second, value] / left[result, value]
                total += factor * part
        for value in range(VALUES):
            drawn_one[value] = taken_one[result, :, value].sum()
            drawn_two[value] = taken_two[result, :, value].sum()
        for value in range(VALUES):
            for other in range(VALUES):
                ways = left[result, value] * max(left[result, other] - (1.0 if value == other else 0.0), 1.0)
                total += pairs_one[result, value, other] * pairs_two[result, value, other] / ways / 2
                total += drawn_one[value] * spread[result, value, other] * drawn_two[other]
        found[result] = total

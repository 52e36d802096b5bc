"""What a true count tells about the cards left, and how often each true count occurs.

Given the running count, the mean number of cards left of each rank is linear in it: a true count that is t above
neutral means 4 (1 - t tag / S) cards of a rank in every pack left, where `tag` is the centred tag and S the sum of the
squares of the centred tags of a pack. A shoe of these cards, with as many cards as the fresh one, stands for the count:
its numbers of cards are not whole, and the solver does not need them to be.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import erf, exp, pi, sqrt

from msgspec import Struct

from pontoon.analysis.counting.tags import PACK_CARDS, Tags
from pontoon.analysis.shoe import Shoe
from pontoon.cards import PACK

CARDS_A_ROUND = 5.5
"""Cards that one box and the dealer take in a round, about; only for the depths at which rounds begin."""
MOST_DEPTHS = 200


class Frequency(Struct, frozen=True):
    """A true count as a player uses it, rounded, and the share of rounds dealt at it."""

    true_count: int
    share: float
    mean: float
    """The mean of the true counts that are rounded to it."""


def shoe_at(shoe: Shoe, count: Tags, true_count: float) -> Shoe:
    """The mean shoe at a true count, as large as this one, which has the neutral count.

    >>> from pontoon.analysis.counting.tags import count_named
    >>> values = shoe_at(Shoe.of_packs(8), count_named("hi-lo"), 0).values
    >>> [round(value, 2) for value in values], round(sum(values), 9)
    ([35.89, 28.71, 28.71, 28.71, 28.71, 28.71, 32.3, 32.3, 32.3, 107.66], 384.0)
    """
    above = true_count - count.neutral
    share = {rank: 1 - above * tag / count.squares for rank, tag in count.centred.items()}
    return Shoe(tuple(number * share[card[0]] for card, number in zip(PACK, shoe.left, strict=True)))


def farthest(count: Tags, part: float = 0.5) -> float:
    """How far from neutral a true count can go before a rank has lost this part of its cards."""
    return part * count.squares / max(map(abs, count.centred.values()))


def spread_at(count: Tags, packs: int, seen: float) -> float:
    """The standard deviation of the true count after this part of the shoe has been seen.

    >>> from pontoon.analysis.counting.tags import count_named
    >>> f"{spread_at(count_named('A=-1,3-6=1,T=-1'), 8, 0.5):.2f}"
    '2.00'
    """
    whole = packs * PACK_CARDS
    dealt = seen * whole
    running = sqrt(count.squares / PACK_CARDS * dealt * (whole - dealt) / (whole - 1))
    return running / ((whole - dealt) / PACK_CARDS)


def depths(packs: int, penetration: float, cards_a_round: float = CARDS_A_ROUND) -> list[float]:
    """The parts of the shoe that have been seen when rounds begin, at most a couple of hundred of them."""
    rounds = max(1, round(penetration * packs * PACK_CARDS / cards_a_round))
    number = min(rounds, MOST_DEPTHS)
    return [penetration * place / number for place in range(number)]


def frequencies(
    count: Tags, packs: int, penetration: float, cards_a_round: float = CARDS_A_ROUND, far: int = 30
) -> tuple[Frequency, ...]:
    """How often each rounded true count occurs when rounds are dealt to this depth of the shoe.

    At each depth the true count is normal, around neutral; rounds are spread evenly over the depths.

    >>> from pontoon.analysis.counting.tags import count_named
    >>> found = frequencies(count_named("hi-lo"), 8, 0.75)
    >>> f"{sum(row.share for row in found):.6f}", max(found, key=lambda row: row.share).true_count
    ('1.000000', -4)
    """
    centre = count.neutral
    edges = [centre - far + 0.5 + place for place in range(2 * far)]
    shares, means = [0.0] * (2 * far + 1), [0.0] * (2 * far + 1)
    seen = depths(packs, penetration, cards_a_round)
    for depth in seen:
        spread = spread_at(count, packs, depth)
        for place, (share, mean) in enumerate(_cells(edges, centre, spread)):
            shares[place] += share / len(seen)
            means[place] += share * mean / len(seen)
    return tuple(
        Frequency(centre - far + place, share, means[place] / share)
        for place, share in enumerate(shares)
        if share > 1e-9
    )


def _cells(edges: list[float], centre: float, spread: float) -> Iterator[tuple[float, float]]:
    """The probability of each cell between edges under a normal distribution, and the mean inside it."""
    if spread < 1e-9:
        for low, high in pairwise((float("-inf"), *edges, float("inf"))):
            yield float(low < centre <= high), centre
        return
    points = [(edge - centre) / spread for edge in edges]
    below = [0.0, *(0.5 * (1 + erf(point / sqrt(2))) for point in points), 1.0]
    heights = [0.0, *(exp(-point * point / 2) / sqrt(2 * pi) for point in points), 0.0]
    for (low, high), (left, right) in zip(pairwise(below), pairwise(heights), strict=True):
        share = high - low
        yield share, centre + spread * (left - right) / share if share > 1e-15 else centre

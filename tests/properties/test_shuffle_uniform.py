"""The shuffle is uniform: shown exactly for the index mapper, by statistics for whole shoes, and by broken shuffles.

Every generator here is seeded, so the figures are the same at each run; docs/fairness.md records them.
"""

from __future__ import annotations

import hashlib
import math
import random
from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice, pairwise, permutations, repeat
from operator import eq

import pytest

from pontoon.table.shuffle import (
    index_below,
    permutation,
)

CARDS = 384
SHOES = 20_000
ACCEPTED, REJECTED = 1e-4, 1e-6

# --- the mapper, exactly ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [8, 12, 16])
def test_every_index_has_exactly_as_many_words_as_any_other(bits):
    """Every word for every size; if there are fewer words than indices, all are rejected."""
    words = 1 << bits
    for size in range(2, CARDS + 1):
        share, rest = divmod(words, size)
        count: Counter[int | None] = Counter(map(index_below, repeat(size), range(words), repeat(bits)))
        assert count.pop(None, 0) == rest
        assert count == (dict.fromkeys(range(size), share) if share else {})


# --- the battery --------------------------------------------------------------------------------------------------


def gamma_tails(a: float, x: float) -> tuple[float, float]:
    """The regularised incomplete gamma functions P(a, x) and Q(a, x): series below the mean, fraction above."""
    if x <= 0:
        return 0.0, 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        step = a
        while term > total * 1e-16:
            step += 1
            term *= x / step
            total += term
        lower = min(1.0, scale * total)
        return lower, 1 - lower
    tiny = 1e-300
    b, c, d = x + 1 - a, 1 / tiny, 1 / (x + 1 - a)
    fraction, change, number = d, 0.0, 0
    while abs(change - 1) > 1e-15:
        number += 1
        factor = -number * (number - a)
        b += 2
        d = 1 / (factor * d + b or tiny)
        c = b + factor / c or tiny
        change = d * c
        fraction *= change
    upper = min(1.0, scale * fraction)
    return 1 - upper, upper


def chi_square_p(statistic: float, freedom: int) -> float:
    """Two-sided: a fit that is too good is as suspicious as a bad one."""
    return min(1.0, 2 * min(gamma_tails(freedom / 2, statistic / 2)))


def fit(observed: Counter[int], chances: list[float], total: int) -> float:
    """Chi-square of counts by value against exact chances; neighbouring values are joined until 10 are expected."""
    statistic, bins, expected, seen = 0.0, 0, 0.0, 0
    left, left_seen = float(total), total
    for value, chance in enumerate(chances):
        expected += chance * total
        seen += observed[value]
        if expected >= 10 and left - expected >= 10:
            statistic += (seen - expected) ** 2 / expected
            bins, left, left_seen = bins + 1, left - expected, left_seen - seen
            expected, seen = 0.0, 0
    statistic += (left_seen - left) ** 2 / left
    return chi_square_p(statistic, bins)


def binomial_tails(trials: int, chance: float, seen: int) -> tuple[float, float]:
    """P(X <= seen) and P(X >= seen), exactly."""

    def terms(values: Iterable[int]) -> float:
        log = math.lgamma(trials + 1)
        return math.fsum(
            math.exp(
                log
                - math.lgamma(k + 1)
                - math.lgamma(trials - k + 1)
                + k * math.log(chance)
                + (trials - k) * math.log1p(-chance)
            )
            for k in values
        )

    return terms(range(seen + 1)), terms(range(seen, min(trials, seen + 400) + 1))


def derangements(most: int) -> list[int]:
    found = [1, 0]
    for size in range(2, most + 1):
        found.append((size - 1) * (found[-1] + found[-2]))
    return found


def fixed_point_chances(size: int) -> list[float]:
    """The probability that k cards keep their positions."""
    free = derangements(size)
    return [math.comb(size, k) * free[size - k] / math.factorial(size) for k in range(min(size, 30) + 1)]


def neighbour_chances(size: int) -> list[float]:
    """How likely k cards are followed by the card that followed them before."""
    free = [*derangements(size), 0]
    return [
        math.comb(size - 1, k) * (free[size - k] + (free[size - k - 1] if size > k else 0)) / math.factorial(size)
        for k in range(min(size - 1, 30) + 1)
    ]


def gap_chances(size: int, marked: int) -> list[float]:
    """The probability that the gap from one marked card (or end) to the next is g."""
    ways = math.comb(size, marked)
    return [0.0, *(math.comb(size - gap, marked - 1) / ways for gap in range(1, size - marked + 2))]


def aces_gap(order: list[int], which: int) -> int:
    """One gap between the ends and the aces; all gaps have the same distribution."""
    size = len(order)
    stops = [-1, *(place for place, card in enumerate(order) if card % 12 == 0), size]
    return stops[which + 1] - stops[which]


def block_p(counts: Counter[tuple[int, int]], shoes: int) -> float:
    """Where the cards of each pack went, by eighths of the stack: sees a slope that single cells are too small for.

    The cells of one order have covariance (I - J/n) x (I - J/n) / (n - 1); summed in blocks of 48 that leaves
    48 * 48 / (n - 1) times the same in 8 x 8, so the scaled squares are chi-square with 7 * 7 degrees of freedom.
    """
    expected = shoes * 48 * 48 / CARDS
    squares = sum((counts[place, pack] - expected) ** 2 for place in range(8) for pack in range(8))
    return chi_square_p(squares * (CARDS - 1) / (48 * 48 * shoes), 49)


Shuffle = Callable[[int], list[int]]


def battery(shuffle_of: Shuffle, shoes: int) -> dict[str, float]:
    """The p-value of each statistic over this many shoes."""
    every, identity = array("H"), list(range(CARDS))
    following = [*range(1, CARDS + 1)]
    aces = CARDS // 12
    fixed: Counter[int] = Counter()
    neighbours: Counter[int] = Counter()
    gaps: Counter[int] = Counter()
    for number in range(shoes):
        order = shuffle_of(number)
        every.extend(order)
        fixed[sum(map(eq, order, identity))] += 1
        neighbours[sum(map(eq, islice(order, 1, None), map(following.__getitem__, order)))] += 1
        gaps[aces_gap(order, number % (aces + 1))] += 1
    squares, least, most = 0, shoes, 0
    coarse: Counter[tuple[int, int]] = Counter()
    for place in range(CARDS):
        column = Counter(every[place::CARDS])
        for card, count in column.items():
            coarse[place // 48, card // 48] += count
        squares += sum(count * count for count in column.values())
        most = max(most, *column.values())
        least = min(least, *column.values()) if len(column) == CARDS else 0
    expected = shoes / CARDS
    statistic = (squares / expected - shoes * CARDS) * (CARDS - 1) / CARDS  # cells of an order are not independent
    chance = 1 / CARDS
    rarest = min(binomial_tails(shoes, chance, least)[0], binomial_tails(shoes, chance, most)[1])
    return {
        "position": chi_square_p(statistic, (CARDS - 1) ** 2),
        "pack by eighth": block_p(coarse, shoes),
        "largest cell": min(1.0, 2 * CARDS * CARDS * rarest),
        "neighbour": fit(neighbours, neighbour_chances(CARDS), shoes),
        "gap": fit(gaps, gap_chances(CARDS, aces), shoes),
        "fixed point": fit(fixed, fixed_point_chances(CARDS), shoes),
    }


def test_the_tails_are_right():
    assert gamma_tails(0.5, 1.92)[1] == pytest.approx(math.erfc(math.sqrt(1.92)), rel=1e-12)
    assert gamma_tails(0.5, 0.2)[1] == pytest.approx(math.erfc(math.sqrt(0.2)), rel=1e-12)
    assert gamma_tails(1, 30)[1] == pytest.approx(math.exp(-30), rel=1e-12)
    assert sum(gamma_tails(73344.5, 73344.5)) == pytest.approx(1)
    assert gamma_tails(73344.5, 73344.5)[1] == pytest.approx(0.5, abs=1e-3)
    assert gamma_tails(3, 0) == (0, 1)
    assert binomial_tails(10, 0.5, 3) == pytest.approx((176 / 1024, 968 / 1024))


def test_the_chances_are_right():
    orders = [list(order) for order in permutations(range(6))]
    fixed = Counter(sum(map(eq, order, range(6))) for order in orders)
    neighbours = Counter(sum(b == a + 1 for a, b in pairwise(order)) for order in orders)
    assert fixed_point_chances(6) == pytest.approx([fixed[k] / 720 for k in range(7)])
    assert neighbour_chances(6) == pytest.approx([neighbours[k] / 720 for k in range(6)])
    marked = [[0 if card < 2 else 1 for card in order] for order in orders]
    for which in range(3):
        gaps = Counter(aces_gap(order, which) for order in marked)
        assert gap_chances(6, 2) == pytest.approx([gaps[g] / 720 for g in range(6)])


def provable(number: int) -> list[int]:
    return permutation(hashlib.sha256(b"battery %d" % number).digest(), CARDS)


@pytest.mark.slow
def test_twenty_thousand_shoes_are_uniform():
    found = battery(provable, SHOES)
    assert min(found.values()) > ACCEPTED, found


# --- broken shuffles, each planted and each found ---------------------------------------------------------------


def swaps(pairs: Callable[[random.Random], Iterable[tuple[int, int]]]) -> Shuffle:
    def shuffle_of(number: int) -> list[int]:
        order = list(range(CARDS))
        for here, there in pairs(random.Random(number)):
            order[here], order[there] = order[there], order[here]
        return order

    return shuffle_of


def naive(chance: random.Random) -> Iterable[tuple[int, int]]:
    return ((here, int(chance.random() * CARDS)) for here in range(CARDS))


def sattolo(chance: random.Random) -> Iterable[tuple[int, int]]:
    return ((last, int(chance.random() * last)) for last in range(CARDS - 1, 0, -1))


def one_short(chance: random.Random) -> Iterable[tuple[int, int]]:
    return ((last, int(chance.random() * (last + 1))) for last in range(CARDS - 1, 1, -1))


def modulo(chance: random.Random) -> Iterable[tuple[int, int]]:
    return ((last, chance.getrandbits(12) % (last + 1)) for last in range(CARDS - 1, 0, -1))


def seven_riffles(number: int) -> list[int]:
    """Gilbert, Shannon and Reeds, backwards: each card remembers seven times which half it came from."""
    chance = random.Random(number)
    sides = [chance.getrandbits(7) for _ in range(CARDS)]
    return sorted(range(CARDS), key=sides.__getitem__)


@pytest.mark.parametrize(
    ("broken", "shoes", "by"),
    [
        (swaps(naive), 1_000, "position"),
        (swaps(sattolo), 1_000, "fixed point"),
        (swaps(one_short), SHOES, "largest cell"),
        (swaps(modulo), SHOES, "pack by eighth"),
        (seven_riffles, 1_000, "neighbour"),
    ],
    ids=["naive swap", "Sattolo", "loop one short", "12-bit modulo", "seven riffles"],
)
def test_a_broken_shuffle_is_rejected(broken, shoes, by):
    found = battery(broken, shoes)
    assert found[by] < REJECTED, found

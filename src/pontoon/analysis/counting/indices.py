"""Every decision that changes with a count: the true count at which it changes, and what that is worth.

The squares are those of the chart (chart_squares.py), divided by number of cards and, where two cards can become 6-7-8,
by suits, exactly as the chart divides them, with the same exceptions. Each is valued in the mean shoe at
several true counts, with best play afterwards; the gain of one decision over another is interpolated between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import erf, exp, pi, sqrt

import numpy as np
from msgspec import Struct

from pontoon.analysis.board import Array
from pontoon.analysis.charts import squares
from pontoon.analysis.charts.squares import CHANCE, OFFERED, PAIR_PLACE, SOFT_PLACE, WEIGHT, Column
from pontoon.analysis.counting.tags import PACK_CARDS, PICTURES, Tags, correlation, multiple_correlation, side_count
from pontoon.analysis.counting.true_count import Frequency, depths
from pontoon.analysis.hands import VALUES
from pontoon.analysis.solver import Solver
from pontoon.cards import RANKS

SLACK = 0.3
"""A split that is worse than the best decision by more than this is not valued: no count reaches it."""
LEAST_WORTH = 5e-9
"""Gains below this, in first wagers per round, count as zero."""
SUITS = ("", "6-7, 6-8, 7-8", "6-7, 6-8, 7-8 of one suit", "6-7, 6-8, 7-8 of spades")
PAIR_SUITS = ("", "", "of one suit", "of spades")
SOFT_SUITS = ("", "ace drawn", "", "")
ACTIONS = {"stand": squares.STAND, "hit": squares.HIT, "double": squares.DOUBLE, "split": squares.SPLIT}
DEPTHS = 8
"""Depths of the shoe at which the playing efficiency is averaged."""


class Index(Struct, frozen=True):
    """A decision that changes with the count."""

    hand: str
    """`hard 16`, `soft 18`, `8-8`, or `doubled 17` after the card of a double."""
    dealer: str
    cards: str
    """Number of cards, empty after a double."""
    suits: str
    """Which suits or ranks of the two cards, if it matters."""
    basic: str
    """The best decision at the neutral count."""
    deviation: str
    at: float
    """The true count from which (or below which) the deviation is better, counting every card on the table."""
    above: bool
    worth: float
    """Mean gain per round, in first wagers, over all true counts down to the cutting card."""
    chance: float
    """How often the decision comes up, per round."""
    correlation: float
    """Correlation of the tags with the effects of removal on this decision."""


@dataclass(frozen=True)
class Point:
    """A shoe, solved: every square and the value of a round."""

    true_count: float
    ev: float
    groups: Array
    """By upcard, square, origin, number of cards, suits, column."""
    forfeits: Array
    """By upcard, total, column."""


@dataclass(frozen=True)
class Line:
    """Two decisions in one square: the gain of the second over the first in every shoe, times its probability."""

    hand: str
    dealer: str
    cards: str
    suits: str
    basic: str
    deviation: str
    gains: Array
    weights: Array
    chance: float
    tags: float
    """Mean tags of the cards seen."""
    seen: float
    """Mean number of cards seen."""


def solve(solver: Solver, true_count: float, tags: Sequence[int]) -> Point:
    """Every square of a shoe, with best play."""
    solver.slack = SLACK
    columns: tuple[Column, ...] = squares.columns_of(solver, lambda _: lambda start: start.best, lambda _: None, tags)
    return Point(
        true_count,
        sum(column.value for column in columns),
        np.stack([column.groups for column in columns]),
        np.stack([column.forfeits for column in columns]),
    )


def lines_of(points: Sequence[Point], neutral: int) -> Iterator[Line]:
    """Every two decisions worth comparing: the best at the neutral shoe, which is `points[neutral]`, and each other."""
    groups = np.stack([point.groups for point in points])
    forfeits = np.stack([point.forfeits for point in points])
    chances = groups[neutral, ..., CHANCE].sum(axis=2)
    for first, place, cards, suits in zip(*np.nonzero(chances > 0), strict=True):
        here = groups[:, first, place, :, cards, suits]
        name = _Name(int(first), int(place), int(cards), int(suits))
        yield from _compared(name, _values(here.sum(axis=1), int(place)), here.sum(axis=1), neutral)
        if here[neutral, OFFERED, WEIGHT] > 0:
            offered = here[:, OFFERED]
            values = _values(offered, int(place))
            best = max(values, key=lambda action: values[action][neutral])
            wanted = {best: values[best], "surrender": offered[:, squares.SURRENDER]}
            yield from _compared(name, wanted, offered, neutral)
    for first, total in zip(*np.nonzero(forfeits[neutral, ..., CHANCE] > 0), strict=True):
        here = forfeits[:, first, total]
        rows = np.zeros((len(points), squares.CARDS + 1))
        rows[:, [WEIGHT, CHANCE, squares.TAGS, squares.CARDS]] = here[:, [0, 1, 4, 5]]
        yield from _compared(_Name(int(first), -int(total)), {"keep": here[:, 2], "forfeit": here[:, 3]}, rows, neutral)


@dataclass(frozen=True)
class _Name:
    """Where a line belongs; a negative place is a doubled total."""

    first: int
    place: int
    cards: int = -1
    suits: int = 0

    @property
    def hand(self) -> str:
        if self.place < 0:
            return f"doubled {-self.place}"
        name = squares.name_of(self.place)
        return "-".join("10" if rank == "K" else rank for rank in name[-2:]) if self.place >= PAIR_PLACE else name

    @property
    def dealer(self) -> str:
        return "10" if VALUES[self.first] == "K" else VALUES[self.first]

    @property
    def number(self) -> str:
        if self.cards < 0:
            return ""
        return f"{self.cards + 2}+" if self.cards + 2 == squares.MOST_CARDS else str(self.cards + 2)

    @property
    def which(self) -> str:
        if self.place >= PAIR_PLACE:
            return PAIR_SUITS[self.suits]
        return (SOFT_SUITS if self.place >= SOFT_PLACE else SUITS)[self.suits]


def _values(rows: Array, place: int) -> dict[str, Array]:
    """The values of the decisions allowed in a square; any other has the values of its fallback."""
    values = {action: rows[:, column] for action, column in ACTIONS.items()}
    if place < PAIR_PLACE or not rows[:, squares.SPLIT].any():
        del values["split"]
    if np.allclose(values["stand"], values["hit"], rtol=0, atol=1e-18):
        del values["stand"]
    fallbacks = [values[action] for action in ("stand", "hit") if action in values]
    if any(np.allclose(values["double"], other, rtol=0, atol=1e-18) for other in fallbacks):
        del values["double"]
    return values


def _compared(name: _Name, values: dict[str, Array], rows: Array, neutral: int) -> Iterator[Line]:
    basic = max(values, key=lambda action: values[action][neutral])
    weight = rows[neutral, WEIGHT]
    for action, value in values.items():
        if action != basic:
            yield Line(
                hand=name.hand,
                dealer=name.dealer,
                cards=name.number,
                suits=name.which,
                basic=basic,
                deviation=action,
                gains=value - values[basic],
                weights=rows[:, WEIGHT],
                chance=float(rows[neutral, CHANCE]),
                tags=float(rows[neutral, squares.TAGS] / weight),
                seen=float(rows[neutral, squares.CARDS] / weight),
            )


# --- indices -------------------------------------------------------------------------------------------


def indices_of(
    lines: Sequence[Line], counts: Sequence[float], count: Tags, packs: int, often: Sequence[Frequency], removed: int
) -> tuple[Index, ...]:
    """The decisions whose gain crosses zero at some true count, most valuable first.

    The first gains of a line belong to the true counts `counts`; its last `removed` to shoes without a card of a value.
    """
    found = []
    number = len(counts)
    middle = int(np.argmin([abs(true_count - count.neutral) for true_count in counts]))
    means = np.array([frequency.mean for frequency in often])
    shares = np.array([frequency.share for frequency in often])
    for line in lines:
        at = crossing(list(zip(counts, line.gains[:number].tolist(), strict=True)), count.neutral)
        if at is None:
            continue
        gains = np.interp(means, counts, line.gains[:number])
        worth = float(shares @ np.maximum(gains, 0.0))
        fit = correlation(count.tags, _effects(line, middle, number)) if removed else 0.0
        shown = (at * packs + line.tags) / (packs - line.seen / PACK_CARDS)
        above = bool(line.gains[number - 1] > line.gains[0])
        what = (line.hand, line.dealer, line.cards, line.suits, line.basic, line.deviation)
        found.append(Index(*what, at=shown, above=above, worth=worth, chance=line.chance, correlation=abs(fit)))
    return tuple(sorted(found, key=lambda result: (-result.worth, result.hand, result.dealer)))


def _effects(line: Line, middle: int, number: int) -> dict[str, float]:
    """Effects of removal on a decision: how its gain changes without a card of each rank."""
    usual = line.gains[middle] / line.weights[middle]
    values = line.gains[number:] / np.maximum(line.weights[number:], 1e-300) - usual
    return {rank: float(values[9 if rank in PICTURES else VALUES.index(rank)]) for rank in RANKS}


def crossing(line: list[tuple[float, float]], centre: float) -> float | None:
    """Where a function through these points crosses 0, nearest to the centre; a parabola through the nearest three.

    >>> round(crossing([(0, -4.0), (1, -3.0), (2, 0.0), (3, 5.0)], 0) or 0, 9)
    2.0
    """
    found = []
    for place, ((left, low), (right, high)) in enumerate(pairwise(line)):
        if low != high and (low <= 0 < high or high < 0 <= low or low == 0 != high):
            found.append(_root(line, place, left + (right - left) * low / (low - high)))
    return min(found, key=lambda root: abs(root - centre)) if found else None


def _root(line: list[tuple[float, float]], place: int, straight: float) -> float:
    """The crossing in one segment, by the parabola through it and the nearer neighbour."""
    left, right = line[place][0], line[place + 1][0]
    low = max(0, min(place if place and straight - left > right - straight else place - 1, len(line) - 3))
    three = line[low : low + 3]
    if len(three) < 3:
        return straight
    roots = np.roots(np.polyfit([x for x, _ in three], [y for _, y in three], 2))
    inside = [float(root.real) for root in roots if abs(root.imag) < 1e-9 and left - 1e-9 <= root.real <= right + 1e-9]
    return min(inside, key=lambda root: abs(root - straight)) if inside else straight


# --- playing efficiency --------------------------------------------------------------------------------


def playing_efficiency(
    lines: Sequence[Line], neutral: int, number: int, count: Tags, sides: Sequence[str], shoe: tuple[int, float]
) -> float:
    """What varying the play by a count gains, as a part of what perfect knowledge of the cards left would gain.

    By the linear model: the gain of a decision is normal around its value in the fresh shoe, with the variance that its
    effects of removal give at each depth; the count knows the part of it that correlates with the tags. If a square has
    several decisions, the one with the largest gain counts. `shoe` is packs and penetration.
    """
    packs, penetration = shoe
    cards = packs * PACK_CARDS
    seen = [cards * depth for depth in depths(packs, penetration)]
    seen = seen[len(seen) // DEPTHS // 2 :: max(1, len(seen) // DEPTHS)] or seen
    knows: list[Mapping[str, float]] = [count.tags, *(side_count(rank) for rank in sides)]
    best: dict[tuple[str, ...], tuple[float, float]] = {}
    for line in lines:
        effects = _effects(line, neutral, number)
        mean = sum(effects.values()) / len(effects)
        spread = sqrt(sum((effect - mean) ** 2 for effect in effects.values()) / len(effects))
        short = -float(line.gains[neutral] / line.weights[neutral])
        fit = abs(multiple_correlation(knows, effects))
        perfect = counted = 0.0
        for dealt in seen:
            sd = spread * sqrt((cards - 1) * dealt / (cards - dealt))
            perfect += line.chance * _linear_loss(short, sd) / len(seen)
            counted += line.chance * _linear_loss(short, fit * sd) / len(seen)
        key = (line.hand, line.dealer, line.cards, line.suits)
        best[key] = max(best.get(key, (0.0, 0.0)), (perfect, counted))
    whole = sum(perfect for perfect, _ in best.values())
    return sum(counted for _, counted in best.values()) / whole if whole else 0.0


def _linear_loss(short: float, sd: float) -> float:
    """The mean of the positive part of a normal variable with mean -short.

    >>> f"{_linear_loss(0.0, 1.0):.4f}", _linear_loss(1.0, 0.0)
    ('0.3989', 0.0)
    """
    if sd <= 0:
        return max(-short, 0.0)
    z = short / sd
    return sd * (exp(-z * z / 2) / sqrt(2 * pi) - z * 0.5 * (1 - erf(z / sqrt(2))))

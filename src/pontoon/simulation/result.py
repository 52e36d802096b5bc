"""The figures of a simulation, computed once from exact counts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict

from pontoon.cards import Card
from pontoon.frames import Row, Tabular, figures
from pontoon.simulation.kernel import Sums
from pontoon.simulation.plan import Plan
from pontoon.simulation.tables import Compiled
from pontoon.strategy import rank_class


class Result(Struct, Tabular, frozen=True):
    """The figures of a run. Values are in units of one box's first wager; counts are exact."""

    rounds: int
    ev: float
    """Mean net of a box per round."""
    standard_error: float
    """Standard error of `ev`. The boxes of a round share the dealer's hand, so the sample size is rounds, not boxes."""
    sd: float
    """Standard deviation of the net of one box in one round."""
    frequencies: dict[str, float]
    """How often a hand ended each way, per box and round: payout rows, ways to lose, splits, Super Bonuses."""
    ev_by_upcard: dict[str, float]
    """Mean net of a box by the dealer's upcard."""
    upcards: dict[str, float]
    """Frequency of each upcard."""
    distribution: dict[int, int]
    """Number of boxes with each net, in cents."""
    rounds_per_second: float
    seed: int
    boxes: int
    threads: int
    """Threads of the machine; 0 if it is not known."""
    device: str = ""
    """Where the rounds were played: cpu, gpu, or a cluster of either; empty if it is not known."""

    def rows(self) -> list[Row]:
        """One row for every figure, upcard, way a hand ends and net result in cents: `figure`, `key`, `value`."""
        return figures(**{name: value for name, value in asdict(self).items() if name != "device"})


def result_of(plan: Plan, sums: Sums, rounds: int) -> Result:
    """Turn the counts of `rounds` rounds into figures, exact until the last division; speed and machine stay empty."""
    compiled, boxes = plan.compiled, plan.boxes
    nets = _nets(compiled, sums)
    upcard_moments = [_moments(row) for row in nets]
    number, total, squares = (sum(column) for column in zip(*upcard_moments, strict=True))
    stake, played = compiled.stake, rounds * boxes
    assert number == played, (number, played)
    variance = Fraction(squares, played) - Fraction(total, played) ** 2
    round_variance = variance if boxes == 1 else _round_variance(compiled, sums, rounds)
    by_upcard = _by_upcard(compiled, upcard_moments)
    return Result(
        rounds=rounds,
        ev=float(Fraction(total, played * stake)),
        standard_error=math.sqrt(round_variance / rounds) / (stake * boxes),
        sd=math.sqrt(variance) / stake,
        frequencies={name: count / played for name, count in _labels(compiled, sums).items() if count},
        ev_by_upcard={name: net / (count * stake) for name, (count, net) in by_upcard.items() if count},
        upcards={name: count / played for name, (count, _) in by_upcard.items()},
        distribution=_distribution(nets),
        rounds_per_second=0.0,
        seed=plan.seed,
        boxes=boxes,
        threads=0,
    )


Nets = list[dict[int, int]]
"""For each upcard: net in cents -> number of boxes."""
Moments = tuple[int, int, int]
"""Number of boxes, sum of their nets, sum of the squares."""


def _nets(compiled: Compiled, sums: Sums) -> Nets:
    numbers = compiled.numbers
    nets: Nets = [{} for _ in range(numbers.upcards)]
    ends = sums.visits[numbers.first_end : numbers.first_split]
    for net, up, count in zip(compiled.end_net, compiled.end_up, ends, strict=True):
        nets[up][int(net)] = nets[up].get(int(net), 0) + int(count)
    table = sums.nets.reshape(numbers.upcards, numbers.nets)
    for up, place in zip(*np.nonzero(table), strict=True):
        net = numbers.least + int(place) * numbers.unit
        nets[up][net] = nets[up].get(net, 0) + int(table[up, place])
    return nets


def _labels(compiled: Compiled, sums: Sums) -> dict[str, int]:
    numbers = compiled.numbers
    counts = {name: int(count) for name, count in zip(compiled.labels, sums.labels, strict=True)}
    ends = sums.visits[numbers.first_end : numbers.first_split]
    for label, bonus, count in zip(compiled.end_label, compiled.end_bonus, ends, strict=True):
        counts[compiled.labels[label]] += int(count)
        counts[compiled.labels[numbers.label_bonus]] += int(count) * int(bonus)
    return counts


def _moments(nets: Mapping[int, int]) -> Moments:
    return (
        sum(nets.values()),
        sum(net * count for net, count in nets.items()),
        sum(net * net * count for net, count in nets.items()),
    )


def _round_variance(compiled: Compiled, sums: Sums, rounds: int) -> Fraction:
    """Variance of the net of all boxes of a round, in cents squared."""
    _, units, squares = (int(value) for value in sums.totals)
    return (Fraction(squares, rounds) - Fraction(units, rounds) ** 2) * compiled.numbers.unit**2


def _by_upcard(compiled: Compiled, moments: list[Moments]) -> dict[str, tuple[int, int]]:
    """Number of boxes and sum of their nets by rank class: J, Q and K are one, even where the rules distinguish."""
    merged: dict[str, tuple[int, int]] = {}
    for rank, (count, net, _) in zip(compiled.classes.upcards, moments, strict=True):
        name = rank_class(Card(rank + "s"))
        boxes, total = merged.get(name, (0, 0))
        merged[name] = (boxes + count, total + net)
    return merged


def _distribution(nets: Nets) -> dict[int, int]:
    merged: dict[int, int] = {}
    for row in nets:
        for net, count in row.items():
            merged[net] = merged.get(net, 0) + count
    return {net: merged[net] for net in sorted(merged) if merged[net]}

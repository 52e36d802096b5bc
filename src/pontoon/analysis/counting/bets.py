"""Bets that follow a count: the best ramp under limits, what it wins, its standard deviation, and the risk of ruin.

A round at a true count has a mean and a variance per unit bet; how often each count occurs is known. Everything here
follows from these three, in units of the minimum bet. The win is a diffusion over many rounds, so the risk of ruin of a
bankroll B is exp(-2 B win / variance), N0 is variance / win^2 (the rounds after which the mean win is one standard
deviation) and SCORE is a million over N0: dollars won in 100 rounds with $10,000 at the full Kelly stake.

>>> spots = [Spot(0, 0.9, -0.005, 1.3), Spot(1, 0.1, 0.02, 1.3)]
>>> plan = best_ramp(spots, Limits(1, 8))
>>> [bet for _, bet in plan.ramp], f"{plan.win:+.4f}"
([1, 8], '+0.0115')
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, inf, log, sqrt
from typing import NamedTuple

from msgspec import Struct

HUNDRED = 100
MILLION = 1e6
SEARCH = 200
"""Steps of the search for the scale of the ramp."""


class Spot(NamedTuple):
    """A true count: how often it occurs, and the mean and variance of a round per unit bet."""

    true_count: int
    share: float
    ev: float
    variance: float


class Limits(NamedTuple):
    """What bets are possible, in minimum bets."""

    lowest: float = 1.0
    highest: float = 12.0
    play_from: float = -inf
    """Rounds below this true count are not played."""
    factor: float = inf
    """From one true count to the next the bet grows at most by this factor: cover."""
    whole: float = 0.0
    """Bets are multiples of this; 0: any amount."""
    boxes: int = 1
    correlation: float = 0.0
    """Correlation of two boxes in one round."""


class Plan(Struct, frozen=True):
    """A ramp and its results; amounts are per round dealt at the table, in minimum bets."""

    ramp: tuple[tuple[int, float], ...]
    """The bet on each box at each true count; 0: the round is not played."""
    played: float
    """Share of the rounds that are played."""
    mean_bet: float
    """Mean bet on all boxes, per round dealt."""
    win: float
    sd: float
    n0: float | None
    """Rounds after which the mean win is one standard deviation; None if the ramp does not win."""
    score: float

    def ruin(self, bankroll: float) -> float:
        """The probability of ever losing this bankroll, in minimum bets, without resizing the bets."""
        return exp(-2 * bankroll * self.win / self.sd**2) if self.win > 0 and self.sd else 1.0

    def bankroll_for(self, ruin: float) -> float | None:
        """The bankroll in minimum bets with this risk of ruin; None if the ramp does not win."""
        return -log(ruin) * self.sd**2 / (2 * self.win) if self.win > 0 else None

    def kelly(self) -> float | None:
        """The bankroll in minimum bets for which these bets are the full Kelly stake."""
        return self.sd**2 / self.win if self.win > 0 else None


def measured(spots: Sequence[Spot], bets: Sequence[float], limits: Limits) -> Plan:
    """The results of these bets."""
    boxes = limits.boxes
    together = boxes * (1 + (boxes - 1) * limits.correlation)
    win = sum(spot.share * bet * spot.ev for spot, bet in zip(spots, bets, strict=True)) * boxes
    squares = sum(
        spot.share * bet * bet * (spot.variance * together + (spot.ev * boxes) ** 2)
        for spot, bet in zip(spots, bets, strict=True)
    )
    sd = sqrt(max(squares - win * win, 0.0))
    n0 = sd * sd / (win * win) if win > 0 else None
    return Plan(
        ramp=tuple((spot.true_count, bet) for spot, bet in zip(spots, bets, strict=True)),
        played=sum(spot.share for spot, bet in zip(spots, bets, strict=True) if bet),
        mean_bet=sum(spot.share * bet for spot, bet in zip(spots, bets, strict=True)) * boxes,
        win=win,
        sd=sd,
        n0=n0,
        score=MILLION / n0 if n0 else 0.0,
    )


def best_ramp(spots: Sequence[Spot], limits: Limits) -> Plan:
    """The bets between the limits with the highest SCORE.

    At the best ramp every bet between the limits is in proportion to the mean over the variance at its count; only the
    scale is searched for. Cover and whole chips are then imposed on it.
    """

    def plan(scale: float) -> Plan:
        return measured(spots, _bets(spots, limits, scale), limits)

    low, high = 1e-2 * limits.lowest, 1e6 * limits.highest
    scales = [low * (high / low) ** (step / SEARCH) for step in range(SEARCH + 1)]
    best = max(scales, key=lambda scale: _merit(plan(scale)))
    ratio = (high / low) ** (1 / SEARCH)
    return plan(_refined(lambda scale: _merit(plan(scale)), best / ratio, best * ratio))


def kelly_ramp(spots: Sequence[Spot], limits: Limits, bankroll: float, fraction: float) -> Plan:
    """Bets of this fraction of Kelly for a bankroll in minimum bets, between the limits."""
    return measured(spots, _bets(spots, limits, bankroll * fraction), limits)


def _merit(plan: Plan) -> float:
    """SCORE if the plan wins, otherwise how little it loses for its swings."""
    return plan.score if plan.win > 0 else plan.win / plan.sd if plan.sd else -inf


def _refined(function: Callable[[float], float], low: float, high: float) -> float:
    """The maximum of a function between two points, by ternary search."""
    for _ in range(60):
        third = (high - low) / 3
        if function(low + third) < function(high - third):
            low += third
        else:
            high -= third
    return (low + high) / 2


def _bets(spots: Sequence[Spot], limits: Limits, scale: float) -> list[float]:
    together = 1 + (limits.boxes - 1) * limits.correlation
    bets: list[float] = []
    for spot in spots:
        if spot.true_count < limits.play_from:
            bets.append(0.0)
            continue
        bet = min(max(scale * spot.ev / (spot.variance * together), limits.lowest), limits.highest)
        if bets and bets[-1]:
            bet = min(bet, bets[-1] * limits.factor)
        if limits.whole:
            bet = max(limits.lowest, limits.whole * round(bet / limits.whole))
        bets.append(bet)
    return bets


def at_counts(values: Sequence[tuple[float, float]], true_count: float) -> float:
    """A value between those at given true counts: the parabola through the nearest three, constant beyond the ends.

    >>> at_counts([(0, 0.0), (1, 1.0), (2, 4.0), (3, 9.0)], 1.5)
    2.25
    """
    place = min(range(len(values)), key=lambda number: abs(values[number][0] - true_count))
    low = max(0, min(place - 1, len(values) - 3))
    three = values[low : low + 3]
    if true_count <= values[0][0] or true_count >= values[-1][0] or len(three) < 3:
        return values[place][1]
    total = 0.0
    for x, y in three:
        weight = 1.0
        for other, _ in three:
            if other != x:
                weight *= (true_count - other) / (x - other)
        total += weight * y
    return total

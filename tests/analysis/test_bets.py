"""Bets by a count: the ramp is optimal, and the figures match the textbook."""

from __future__ import annotations

import itertools
import math

import pytest

from pontoon.analysis.counting.bets import Limits, Spot, at_counts, best_ramp, kelly_ramp, measured
from pontoon.analysis.super_bonus import super_bonus_at
from pontoon.rulebook import load

SPOTS = [
    Spot(-1, 0.30, -0.012, 1.30),
    Spot(0, 0.35, -0.004, 1.31),
    Spot(1, 0.20, 0.005, 1.32),
    Spot(2, 0.10, 0.012, 1.33),
    Spot(3, 0.05, 0.022, 1.35),
]


def test_no_bets_between_the_limits_have_a_higher_score():
    plan = best_ramp(SPOTS, Limits(1, 8))
    steps = [1 + 0.5 * step for step in range(15)]
    others = (measured(SPOTS, [1.0, 1.0, *bets], Limits(1, 8)) for bets in itertools.product(steps, repeat=3))
    best = max(others, key=lambda other: other.score)
    assert plan.score >= best.score
    assert plan.score == pytest.approx(best.score, rel=0.01)


def test_full_kelly_bets_are_the_mean_over_the_variance():
    plan = kelly_ramp(SPOTS, Limits(0.0, 1e9), 1000, 0.5)
    assert dict(plan.ramp)[3] == pytest.approx(500 * 0.022 / 1.35)
    assert dict(plan.ramp)[0] == 0


def test_ruin_n0_and_score_belong_together():
    plan = best_ramp(SPOTS, Limits(1, 12))
    assert plan.n0 == pytest.approx((plan.sd / plan.win) ** 2)
    assert plan.score == pytest.approx(1e6 * (plan.win / plan.sd) ** 2)
    assert plan.ruin(plan.bankroll_for(0.05) or 0) == pytest.approx(0.05)
    assert plan.ruin(plan.kelly() or 0) == pytest.approx(math.exp(-2))


def test_ruin_is_that_of_a_random_walk():
    """A walk of one step up or down is ruined with probability (q/p)^B; the diffusion is near for a small edge."""
    edge = 0.02
    plan = measured([Spot(0, 1.0, edge, 1 - edge * edge)], [1.0], Limits(1, 1))
    exact = ((1 - edge) / (1 + edge)) ** 50
    assert plan.ruin(50) == pytest.approx(exact, rel=0.002)


def test_boxes_share_the_dealer():
    alone = measured(SPOTS, [1.0] * 5, Limits(1, 1))
    both = measured(SPOTS, [1.0] * 5, Limits(1, 1, boxes=2, correlation=0.5))
    assert both.win == pytest.approx(2 * alone.win)
    assert both.sd == pytest.approx(math.sqrt(2 * 1.5) * alone.sd, rel=1e-4)


def test_wonging_cover_and_chips():
    plan = best_ramp(SPOTS, Limits(1, 12, play_from=1))
    assert [bet for _, bet in plan.ramp[:2]] == [0, 0]
    assert plan.played == pytest.approx(0.35)
    covered = dict(best_ramp(SPOTS, Limits(1, 12, factor=2)).ramp)
    assert all(covered[count + 1] <= 2 * covered[count] + 1e-9 for count in range(-1, 3))
    chips = best_ramp(SPOTS, Limits(1, 12, whole=0.5)).ramp
    assert all(bet % 0.5 == 0 for _, bet in chips)


def test_a_losing_game_has_no_n0():
    plan = best_ramp([Spot(0, 1.0, -0.01, 1.3)], Limits(1, 8))
    assert (plan.n0, plan.score, plan.ruin(1000), plan.bankroll_for(0.1), plan.kelly()) == (None, 0.0, 1.0, None, None)
    assert plan.ramp == ((0, 1.0),)


def test_values_between_counts():
    line = [(0, 1.0), (1, 2.0), (3, 10.0)]
    assert [at_counts(line, count) for count in (0, 1, 3, -5, 9)] == [1.0, 2.0, 10.0, 1.0, 10.0]


def test_the_super_bonus_is_a_fixed_amount():
    star = load("star")
    assert super_bonus_at(star, 1000) == 100_000
    assert super_bonus_at(star, 2500) == super_bonus_at(star, 100_000) == 500_000
    assert super_bonus_at(load("adelaide"), 1000) == 0

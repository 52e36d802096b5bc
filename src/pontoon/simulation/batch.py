"""Play a range of streams with the compiled kernel and return what was counted."""

from __future__ import annotations

import numpy as np

from pontoon.simulation.kernel import LANES, STREAM_ROUNDS, Shoes, Sums, play_group, play_table_group
from pontoon.simulation.kernel_memory import game_of, new_shoes, new_sums
from pontoon.simulation.plan import Plan

BATCH = 128
"""Streams a thread plays at a time: a million rounds, a few hundredths of a second."""


def play_batch(plan: Plan, first: int, count: int) -> Sums:
    """Play `count` streams from stream `first` on and count their results: the work of one thread or one worker."""
    game, sums, shoes = game_of(plan.compiled), new_sums(plan.compiled), plan_shoes(plan)
    rounds = min(plan.rounds, (first + count) * STREAM_ROUNDS)
    with np.errstate(over="ignore"):  # the generator's words wrap around; numpy would warn when interpreted
        for stream in range(first, first + count, LANES):
            if plan.boxes == 1:
                play_group(game, shoes, np.uint64(plan.seed), stream, rounds, sums)
            else:
                play_table_group(game, shoes, plan.boxes, np.uint64(plan.seed), stream, rounds, sums)
    sums.visits[: plan.compiled.numbers.first_end] = 0
    return sums


def plan_shoes(plan: Plan) -> Shoes:
    """Shoes for the streams that are played side by side."""
    cards = np.array(plan.compiled.classes.shoe(plan.packs), np.uint8)
    fresh = plan.compiled.numbers.burn if plan.burn else 0
    return new_shoes(cards, cut=plan.cut, fresh=fresh)


def add(total: Sums, sums: Sums) -> None:
    """Add the counts of one batch to a total, in place."""
    for into, part in zip(total, sums, strict=True):
        np.add(into, part, out=into)

"""Play a range of streams with the compiled kernel and return what was counted."""

from __future__ import annotations

import numpy as np

from pontoon.simulation.fresh_rounds import MOST_ROUNDS, new_block, play_rounds
from pontoon.simulation.kernel import (
    BY_ROUND,
    FRESH,
    LANES,
    STREAM_ROUNDS,
    Shoes,
    Sums,
    key_of,
    play_group,
)
from pontoon.simulation.kernel_memory import game_of, new_shoes, new_sums
from pontoon.simulation.plan import Plan
from pontoon.simulation.table_rounds import in_units, new_layout, play_tables

BATCH = 128
"""Streams a thread plays at a time: a million rounds, a few hundredths of a second."""


def play_batch(plan: Plan, first: int, count: int) -> Sums:
    """Play `count` streams from stream `first` on and count their results: the work of one thread or one worker."""
    sums = new_sums(plan.compiled)
    with np.errstate(over="ignore"):  # the generator's words wrap around; numpy would warn when interpreted
        if plan.kernel == BY_ROUND:
            _play_rounds(plan, first, count, sums)
        else:
            _play_streams(plan, first, count, sums)
    sums.visits[: plan.compiled.numbers.first_end] = 0
    return with_totals(plan, sums)


def _play_rounds(plan: Plan, first: int, count: int, sums: Sums) -> None:
    """Play the rounds of these streams, each from a fresh shoe."""
    game, key = game_of(plan.compiled), np.uint64(key_of(np.uint64(plan.seed)))  # a plain int otherwise
    block = new_block(plan.compiled)
    end = min(plan.rounds, (first + count) * STREAM_ROUNDS)
    for begin in range(first * STREAM_ROUNDS, end, MOST_ROUNDS):
        last = min(end, begin + MOST_ROUNDS)
        play_rounds(game, plan_shoes(plan), block, key, (np.uint64(begin), np.uint64(last)), sums)


def _play_streams(plan: Plan, first: int, count: int, sums: Sums) -> None:
    """Play these streams, each with its own shoe."""
    game, shoes, seed = game_of(plan.compiled), plan_shoes(plan), np.uint64(plan.seed)
    rounds = min(plan.rounds, (first + count) * STREAM_ROUNDS)
    if plan.boxes > 1:
        play_tables(in_units(game), new_layout(shoes), plan.boxes, seed, (first, first + count, rounds), sums)
        return
    for stream in range(first, first + count, LANES):
        play_group(game, shoes, seed, stream, rounds, sums)


def plan_shoes(plan: Plan) -> Shoes:
    """Shoes for the rounds or streams that are played side by side."""
    cards = np.array(plan.compiled.classes.shoe(plan.packs), np.uint8)
    fresh = plan.compiled.numbers.burn if plan.burn else 0
    if plan.kernel == BY_ROUND:
        return new_shoes(cards, 1, dealing=FRESH)
    return new_shoes(cards, cut=plan.cut, fresh=fresh)


def with_totals(plan: Plan, sums: Sums) -> Sums:
    """The sums with their totals: with one box, a round's net is that of its box, so they follow from the nets."""
    if plan.boxes > 1:
        return sums
    numbers = plan.compiled.numbers
    counts = sums.nets.reshape(numbers.upcards, numbers.nets).sum(axis=0)
    units = numbers.least // numbers.unit + np.arange(numbers.nets)
    return sums._replace(totals=np.array([counts.sum(), units @ counts, units**2 @ counts], np.int64))


def add(total: Sums, sums: Sums) -> None:
    """Add the counts of one batch to a total, in place."""
    for into, part in zip(total, sums, strict=True):
        np.add(into, part, out=into)

"""The state of a run: which streams have been played and what was counted, so that it can be continued from there.

Both are exact, and a `Progress` is replaced as a whole. A run can therefore be stopped at any moment, saved and
continued, and ends with the same counts as a run that was never stopped.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from pontoon.simulation.device import Machine, Range
from pontoon.simulation.kernel import STREAM_ROUNDS, Sums
from pontoon.simulation.kernel_memory import new_sums
from pontoon.simulation.plan import MAX_ROUNDS, Plan, SimulationError
from pontoon.simulation.result import Result, result_of

PILOT = 256
"""Streams played before the number needed for an error is first estimated: two million rounds."""
MARGIN = 1.001
"""Play slightly more than the estimate, so that the error is not missed by a hair."""


class Progress(NamedTuple):
    """What has been played of a plan so far."""

    plan: Plan
    done: tuple[Range, ...]
    """The streams played to their end: ordered ranges with gaps between them."""
    sums: Sums
    seconds: float
    """Time spent playing."""
    goal: int = 0
    """With `until_error`: the stream after which the error is checked next; 0 before the first check."""
    extra: int = 0
    """Rounds of a last, incomplete stream; nothing can be continued after it."""

    @property
    def rounds(self) -> int:
        """Number of rounds played."""
        return sum(end - first for first, end in self.done) * STREAM_ROUNDS + self.extra

    def gaps(self, goal: int) -> list[Range]:
        """The streams below `goal` that have not been played."""
        edges = [0, *(edge for piece in self.done for edge in piece), max(goal, self.done[-1][1] if self.done else 0)]
        pairs = zip(edges[::2], edges[1::2], strict=True)
        return [(first, min(end, goal)) for first, end in pairs if first < min(end, goal)]

    def result(self, machine: Machine | None = None) -> Result:
        """The figures so far; `machine` is where they were played."""
        found = result_of(self.plan, self.sums, self.rounds)
        speed = self.rounds / self.seconds if self.seconds else 0.0
        if machine is None:
            return replace(found, rounds_per_second=speed)
        return replace(found, rounds_per_second=speed, threads=machine.threads, device=machine.name)


def no_progress(plan: Plan) -> Progress:
    """The progress of a run that has not begun.

    Sums of squares over several boxes may need more than 64 bits in a long run, so `totals` holds Python integers.
    """
    sums = new_sums(plan.compiled)
    return Progress(plan, (), sums._replace(totals=sums.totals.astype(object)), 0.0)


def advance(progress: Progress, machine: Machine, until_error: float | None = None) -> Iterator[Progress]:
    """Continue until the plan's rounds are played, yielding the new progress after every piece.

    With `until_error`, stop as soon as the standard error is that small. When to check it follows from exact counts
    alone, so every machine stops after the same round.
    """
    plan = progress.plan
    if progress.rounds > plan.rounds:
        raise SimulationError(f"{progress.rounds} rounds were played already, more than {plan.rounds}")
    whole = plan.rounds // STREAM_ROUNDS
    while True:
        goal = whole if until_error is None else min(whole, progress.goal or PILOT)
        progress = yield from _play(progress, machine, progress.gaps(goal))
        if goal == whole or until_error is None:
            break
        so_far = result_of(plan, progress.sums, progress.rounds)
        if so_far.standard_error <= until_error:
            break
        progress = progress._replace(goal=_next_goal(so_far, goal, until_error))
    if goal == whole and progress.rounds < plan.rounds:
        for last in _play(progress, machine, [(whole, whole + 1)]):
            yield last._replace(done=progress.done, extra=plan.rounds % STREAM_ROUNDS)


def _play(progress: Progress, machine: Machine, ranges: list[Range]) -> Generator[Progress, None, Progress]:
    begun = time.perf_counter() - progress.seconds
    for piece, sums in machine.play(progress.plan, ranges):
        added = Sums(*(total + part for total, part in zip(progress.sums, sums, strict=True)))
        seconds = time.perf_counter() - begun
        progress = progress._replace(done=_joined((*progress.done, piece)), sums=added, seconds=seconds)
        yield progress
    return progress


def _joined(ranges: tuple[Range, ...]) -> tuple[Range, ...]:
    """Sort the ranges and join adjacent ones."""
    joined: list[Range] = []
    for first, end in sorted(ranges):
        if joined and joined[-1][1] == first:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((first, end))
    return tuple(joined)


def _next_goal(so_far: Result, goal: int, error: float) -> int:
    """Streams needed for the error, estimated from the standard deviation so far; at least one more than now."""
    needed = so_far.rounds * (so_far.standard_error / error) ** 2 * MARGIN
    return max(goal + 1, math.ceil(min(needed, MAX_ROUNDS) / STREAM_ROUNDS))

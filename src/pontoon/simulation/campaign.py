"""Long runs: what is known at every moment, how to go on from there, and when the error is small enough.

What is known is a set of streams and what was counted in them, both exact, and it is replaced as a whole. So a run can
be stopped at any moment, written down and continued, and comes to the same counts as one that was never stopped.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterator
from typing import NamedTuple

from pontoon.simulation.device import Machine, Range
from pontoon.simulation.kernel import STREAM_BITS, STREAM_ROUNDS, Sums
from pontoon.simulation.local import Plan, Result, SimulationError, result
from pontoon.simulation.shoes import new_sums

MOST_ROUNDS = (1 << 64 - int(STREAM_BITS)) * STREAM_ROUNDS
"""After so many rounds, 2.25e15, the generator has no further streams and would begin again."""
PILOT = 256
"""Streams to play before it is said how many more an error needs: two million rounds."""
MARGIN = 1.001
"""A little more than the error asks for, so that it is not missed by a hair."""


class Known(NamedTuple):
    """What is known of a run."""

    done: tuple[Range, ...]
    """The streams that were played, whole ones alone: apart from each other, in order."""
    sums: Sums
    seconds: float
    """How long that took."""
    goal: int = 0
    """Until an error is reached: the stream after which it is looked at next; 0 before the first time."""
    extra: int = 0
    """Rounds of a last stream that was not played to its end; nothing can be continued from there."""

    @property
    def rounds(self) -> int:
        """How many rounds that is."""
        return sum(end - first for first, end in self.done) * STREAM_ROUNDS + self.extra

    def gaps(self, goal: int) -> list[Range]:
        """The streams below `goal` that were not played."""
        edges = [0, *(edge for one in self.done for edge in one), max(goal, self.done[-1][1] if self.done else 0)]
        pairs = zip(edges[::2], edges[1::2], strict=True)
        return [(first, min(end, goal)) for first, end in pairs if first < min(end, goal)]


def nothing(plan: Plan) -> Known:
    """A run that has not begun. Squares of a long run of several boxes may need more than 64 bits: Python's numbers."""
    sums = new_sums(plan.compiled)
    return Known((), sums._replace(totals=sums.totals.astype(object)), 0.0)


def play_on(plan: Plan, machine: Machine, known: Known, error: float | None = None) -> Iterator[Known]:
    """Play what is missing, and say after every piece what is known then.

    With `error`, until the standard error is that small or the plan's rounds are played. Where to look at it follows
    from exact counts alone, so that every machine stops after the same round.
    """
    if known.rounds > plan.rounds:
        raise SimulationError(f"{known.rounds} rounds were played already, more than {plan.rounds}")
    whole = plan.rounds // STREAM_ROUNDS
    while True:
        goal = whole if error is None else min(whole, known.goal or PILOT)
        known = yield from _played(plan, machine, known, known.gaps(goal))
        if goal == whole or (error is not None and figures(plan, known).standard_error <= error):
            break
        assert error is not None
        known = known._replace(goal=_next_goal(figures(plan, known), goal, error))
    if goal == whole and known.rounds < plan.rounds:
        for last in _played(plan, machine, known, [(whole, whole + 1)]):
            yield last._replace(done=known.done, extra=plan.rounds % STREAM_ROUNDS)


def _played(plan: Plan, machine: Machine, known: Known, ranges: list[Range]) -> Generator[Known, None, Known]:
    begun = time.perf_counter() - known.seconds
    for piece, sums in machine.play(plan, ranges):
        added = Sums(*(one + other for one, other in zip(known.sums, sums, strict=True)))
        known = known._replace(done=_joined((*known.done, piece)), sums=added, seconds=time.perf_counter() - begun)
        yield known
    return known


def _joined(ranges: tuple[Range, ...]) -> tuple[Range, ...]:
    """Ranges in order, neighbours made one."""
    joined: list[Range] = []
    for first, end in sorted(ranges):
        if joined and joined[-1][1] == first:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((first, end))
    return tuple(joined)


def _next_goal(so_far: Result, goal: int, error: float) -> int:
    """How many streams would come to the error, by the deviation seen so far; at least one more."""
    needed = so_far.rounds * (so_far.standard_error / error) ** 2 * MARGIN
    return max(goal + 1, math.ceil(min(needed, MOST_ROUNDS) / STREAM_ROUNDS))


def figures(plan: Plan, known: Known, threads: int = 0) -> Result:
    """What the rounds come to that were played so far."""
    return result(plan, known.sums, known.rounds, known.seconds, threads)

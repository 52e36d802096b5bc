"""The coach's worker: calculations run in separate processes, so that no table ever waits for them.

Values take milliseconds once the worker is warm, charts and edges take seconds; each has its own process, so that a
value never waits for a chart.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar, cast

from pontoon.cards import Card
from pontoon.rulebook import NAMES, load
from pontoon.server.coach.worker_process import begin, end
from pontoon.server.problems import BUSY, Problem, ProblemError, problem
from pontoon.trainer.values import Game, Question, figures, game_of
from pontoon.trainer.why import why

T = TypeVar("T")
NAP = 0.01
WARM_HAND = (Card("8s"), Card("8h"))
SETTLED = 20
"""Seconds after the start by which clients are back and the values are ready."""
USUAL_STAKE = 2500
"""Cents: the stake of drills and of the chart."""


class Worker:
    """A worker process for all calculations, with cached results."""

    MOST_KEPT = 512
    MOST_WAITING = 16

    def __init__(self, niceness: int = 0) -> None:
        """With `niceness` the process gives way to the tables."""
        self._niceness = niceness
        self._pool: ProcessPoolExecutor | None = None
        self._answers: OrderedDict[Hashable, Future[Any]] = OrderedDict()

    async def ask(self, work: Callable[[Any], T], about: Hashable, patience: float = 0.3) -> T | None:
        """The answer; None while it is being prepared, which takes a few seconds the first time.

        Without patience the caller can do without the answer: a full queue is then no problem, only no answer.
        """
        key = (work.__name__, about)
        found = self._answers.get(key)
        if found is None and not patience and self._is_full():
            return None
        if found is None or (found.done() and (found.cancelled() or found.exception() is not None)):
            found = self._submit(work, about)
            self._answers[key] = found
            if len(self._answers) > self.MOST_KEPT:
                self._answers.popitem(last=False)
        self._answers.move_to_end(key)
        for _ in range(int(patience / NAP)):
            if found.done():
                break
            await asyncio.sleep(NAP)
        return cast("T | None", self._result(found)) if found.done() else None

    def _result(self, found: Future[Any]) -> object:
        try:
            return found.result()
        except BrokenProcessPool:  # the worker was killed; the next job starts another
            self._pool = None
            return None
        except ImportError:
            raise ProblemError(Problem(BUSY, "no_coach", {"missing": "numpy and numba"})) from None

    def _submit(self, work: Callable[[Any], T], about: Hashable) -> Future[T]:
        if self._is_full():
            raise ProblemError(problem("too_many"))
        try:
            return self._started().submit(work, about)
        except BrokenProcessPool:
            self._pool = None
            return self._started().submit(work, about)

    def _is_full(self) -> bool:
        return sum(not answer.done() for answer in self._answers.values()) >= self.MOST_WAITING

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # A fresh interpreter: forking would copy the server's threads, locks and connections.
            self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), begin, (self._niceness,))
        return self._pool

    def warm(self, work: Callable[[Any], T], about: Hashable) -> None:
        """Start a calculation in advance, so that the first answer is quick."""
        key = (work.__name__, about)
        if key not in self._answers:
            self._answers[key] = self._submit(work, about)

    def close(self) -> None:
        """End the process."""
        if self._pool is not None:
            end(self._pool)
        self._pool = None
        self._answers.clear()


VALUES = Worker()
"""Values of decisions and the reasons for them."""
CHARTS = Worker(niceness=5)
"""Charts, edges and counts."""


def _usual_games() -> tuple[Game, ...]:
    books = [load(name) for name in NAMES]
    return tuple(game_of(rules, rules.decks.default, USUAL_STAKE) for rules in books)


def warm_values() -> None:
    """Load the compiled code and the usual games, so that the first answer after a start comes within a second."""
    VALUES.warm(ready, _usual_games())


async def warm_charts() -> None:
    """Calculate the usual charts, once the server has settled: startup needs every processor."""
    await asyncio.sleep(SETTLED)
    games = _usual_games()
    for game in games:
        CHARTS.warm(figures, game)


def close() -> None:
    """End both processes."""
    VALUES.close()
    CHARTS.close()


def ready(games: tuple[Game, ...]) -> bool:
    """Solve one hand of each game, in the worker's process."""
    for game in games:
        why(Question(game, "decision", WARM_HAND, Card("6d"), (), (), may=("hit", "stand", "split")))
    return True

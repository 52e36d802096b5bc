"""Processes for the lab's sums: a bounded queue before each, results cached, and what nobody waits for is dropped."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any, TypeVar

from pontoon.rulebook import NAMES, Rulebook, load
from pontoon.server.lab.sums import Game
from pontoon.server.problems import BUSY, Problem, ProblemError
from pontoon.server.worker_process import begin

T = TypeVar("T")
Sum = Callable[[Game], T]

MOST_WAITING = 32
MOST_CACHED = 2048
FEW, MANY = 2, 7
"""Niceness of the two lanes: the tables come first, then edges, then the rest; none of them stands still."""
FULL = Problem(BUSY, "lab_busy", "The lab is busy: many people are changing rules. Try again in a moment.")
NO_NUMBA = Problem(BUSY, "no_lab", "the lab needs numpy and numba on this server")


class Cache:
    """Results by sum and game; the one asked for longest ago goes first."""

    def __init__(self, most: int = MOST_CACHED) -> None:
        self._most = most
        self._results: OrderedDict[object, Any] = OrderedDict()

    def get(self, work: Sum[T], game: Game) -> T | None:
        """A result that is there already."""
        key = (work.__name__, game)
        if key not in self._results:
            return None
        self._results.move_to_end(key)
        found: T = self._results[key]
        return found

    def put(self, key: object, result: object) -> None:
        """Keep a result."""
        self._results[key] = result
        if len(self._results) > self._most:
            self._results.popitem(last=False)


class Job:
    """A sum under way, and how many wait for it."""

    def __init__(self, work: Future[Any]) -> None:
        self.work = work
        self.result: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.waiting = 0


class Lane:
    """Processes for one kind of sums."""

    def __init__(self, cache: Cache, processes: int, niceness: int, most: int = MOST_WAITING) -> None:
        """`most` sums may be under way or waiting; one more is refused."""
        self._cache = cache
        self._processes = processes
        self._niceness = niceness
        self._most = most
        self._pool: ProcessPoolExecutor | None = None
        self._jobs: dict[object, Job] = {}

    async def do(self, work: Sum[T], game: Game) -> T:
        """The result of a sum; ProblemError where too many are waiting."""
        known = self._cache.get(work, game)
        if known is not None:
            return known
        key = (work.__name__, game)
        job = self._jobs.get(key) or self._begin(work, game)
        job.waiting += 1
        try:
            found: T = await asyncio.shield(job.result)
        except BrokenProcessPool:  # it was killed; the next sum starts another
            self._pool = None
            raise ProblemError(FULL) from None
        except ImportError:
            raise ProblemError(NO_NUMBA) from None
        finally:
            job.waiting -= 1
            if not job.waiting and job.work.cancel():  # one that is being worked on goes on, for the cache
                self._jobs.pop(key, None)
        return found

    def _begin(self, work: Sum[T], game: Game) -> Job:
        if len(self._jobs) >= self._most:
            raise ProblemError(FULL)
        try:
            started = self._started().submit(work, game)
        except BrokenProcessPool:
            self._pool = None
            started = self._started().submit(work, game)
        key, job, loop = (work.__name__, game), Job(started), asyncio.get_running_loop()
        self._jobs[key] = job

        def done(_: Future[Any]) -> None:
            with suppress(RuntimeError):  # the loop is closed: the server has ended
                loop.call_soon_threadsafe(self._done, key, job)

        started.add_done_callback(done)
        return job

    def _done(self, key: object, job: Job) -> None:
        if job.work.cancelled():
            job.result.cancel()
            return
        del self._jobs[key]
        error = job.work.exception()
        if error is None:
            self._cache.put(key, job.work.result())
            job.result.set_result(job.work.result())
        else:
            job.result.set_exception(error)
            job.result.exception()  # perhaps nobody waits any more; that is no fault

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # A fresh interpreter: forking would copy the server's threads, locks and connections.
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._processes, spawn, begin, (self._niceness,))
        return self._pool

    def close(self) -> None:
        """Let the processes end; what waits is dropped."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None


class Lab:
    """One lane for edges, which people wait for; another, which gives way to it, for everything that follows."""

    def __init__(self, own: Mapping[str, Rulebook] | None = None) -> None:
        """Take the server's own rulebooks, which stand beside the five."""
        self._own = own or {}
        self.cache = Cache()
        self.edges = Lane(self.cache, max(1, (os.cpu_count() or 1) // 2), FEW)
        self.rest = Lane(self.cache, 1, MANY)

    def written(self, name: str) -> Rulebook | None:
        """A rulebook as it is written: one of the five, or of the server's own; never a file a client names."""
        return self._own.get(name) or (load(name) if name in NAMES else None)

    def close(self) -> None:
        """End both."""
        self.edges.close()
        self.rest.close()

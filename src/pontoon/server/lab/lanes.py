"""Worker processes for the lab, with bounded queues and cached results; jobs nobody waits for are cancelled."""

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
from pontoon.server.coach.worker_process import begin, end
from pontoon.server.lab.sums import Game
from pontoon.server.problems import ProblemError, problem

T = TypeVar("T")
Sum = Callable[[Game], T]

MOST_WAITING = 32
MOST_CACHED = 2048
FEW, MANY = 2, 7
"""Niceness of the two lanes: tables come first, then edges, then the rest; none of them starves."""
FULL = problem("lab_busy")
NO_NUMBA = problem("no_lab")


class Cache:
    """Results by calculation and game, with least-recently-used eviction."""

    def __init__(self, most: int = MOST_CACHED) -> None:
        self._most = most
        self._results: OrderedDict[object, Any] = OrderedDict()

    def get(self, work: Sum[T], game: Game) -> T | None:
        """A cached result, or None."""
        key = (work.__name__, game)
        if key not in self._results:
            return None
        self._results.move_to_end(key)
        found: T = self._results[key]
        return found

    def put(self, key: object, result: object) -> None:
        """Cache a result."""
        self._results[key] = result
        if len(self._results) > self._most:
            self._results.popitem(last=False)


class Job:
    """A running calculation and the number of callers waiting for it."""

    def __init__(self, work: Future[Any]) -> None:
        self.work = work
        self.result: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.waiting = 0


class Lane:
    """Worker processes for one kind of calculation."""

    def __init__(self, cache: Cache, processes: int, niceness: int, most: int = MOST_WAITING) -> None:
        """At most `most` calculations may be running or queued; further ones are refused."""
        self._cache = cache
        self._processes = processes
        self._niceness = niceness
        self._most = most
        self._pool: ProcessPoolExecutor | None = None
        self._jobs: dict[object, Job] = {}

    async def do(self, work: Sum[T], game: Game) -> T:
        """The result of a calculation; raises ProblemError if too many are queued."""
        known = self._cache.get(work, game)
        if known is not None:
            return known
        key = (work.__name__, game)
        job = self._jobs.get(key) or self._begin(work, game)
        job.waiting += 1
        try:
            found: T = await asyncio.shield(job.result)
        except BrokenProcessPool:  # the worker was killed; the next job starts another
            self._pool = None
            raise ProblemError(FULL) from None
        except ImportError:
            raise ProblemError(NO_NUMBA) from None
        finally:
            job.waiting -= 1
            if not job.waiting and job.work.cancel():  # a running job continues, for the cache
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
            with suppress(RuntimeError):  # the loop is closed: the server has stopped
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
            job.result.exception()  # mark as retrieved, as nobody may be waiting any more

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # A fresh interpreter: forking would copy the server's threads, locks and connections.
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._processes, spawn, begin, (self._niceness,))
        return self._pool

    def close(self) -> None:
        """Stop the processes and cancel queued jobs."""
        if self._pool is not None:
            end(self._pool)
        self._pool = None


class Lab:
    """One lane for edges, which users wait for, and one with lower priority for everything else."""

    def __init__(self, own: Mapping[str, Rulebook] | None = None) -> None:
        """`own` are the server's custom rulebooks."""
        self._own = own or {}
        self.cache = Cache()
        self.edges = Lane(self.cache, max(1, (os.cpu_count() or 1) // 2), FEW)
        self.rest = Lane(self.cache, 1, MANY)

    def written(self, name: str) -> Rulebook | None:
        """A shipped or custom rulebook, unchanged; never a file named by a client."""
        return self._own.get(name) or (load(name) if name in NAMES else None)

    def close(self) -> None:
        """Stop both lanes."""
        self.edges.close()
        self.rest.close()

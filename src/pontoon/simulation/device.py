"""Where rounds are played: the cores of this machine or its GPU. A cluster (cluster.py) is a third such machine.

A machine is given streams and returns their counts in the order in which they finish. A stream gives the same counts
everywhere, so neither the machine nor the order matters.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Protocol

from pontoon.simulation.batch import BATCH, play_batch
from pontoon.simulation.kernel import Sums
from pontoon.simulation.plan import Plan, SimulationError

DEVICES = ("auto", "cpu", "gpu")
GPU_BATCH = (1 << 20) - (1 << 10)
"""Streams in one piece for a GPU: 8.6 billion rounds, two launches of cuda_rounds.py. That is many times as many as it
plays at once, so little time is lost while the last ones leave part of it idle. Several boxes take more memory and get
fewer streams."""
NO_GPU = "no GPU: --device gpu needs an NVIDIA GPU with its driver, and pip install 'pontoon21[gpu]'"

Range = tuple[int, int]
"""First stream of a range, and the first one after it."""


class Machine(Protocol):
    """Something that plays streams."""

    name: str
    threads: int

    def play(self, plan: Plan, ranges: Iterable[Range]) -> Iterator[tuple[Range, Sums]]:
        """Play all these streams and yield them piece by piece, each with its counts."""
        ...

    def close(self) -> None:
        """Release what the machine holds."""
        ...


class Streams:
    """Streams that have not been handed out yet.

    >>> streams = Streams([(0, 5), (9, 10)])
    >>> streams.left, streams.take(3), streams.take(3), streams.take(3), streams.left
    (6, (0, 3), (3, 5), (9, 10), 0)
    """

    def __init__(self, ranges: Iterable[Range]) -> None:
        self._ranges = deque((first, end) for first, end in ranges if first < end)

    @property
    def left(self) -> int:
        """Number of streams left."""
        return sum(end - first for first, end in self._ranges)

    def take(self, most: int) -> Range:
        """Hand out the next range, of at most `most` streams."""
        first, end = self._ranges.popleft()
        if end - first > most:
            self._ranges.appendleft((first + most, end))
            end = first + most
        return first, end


class Cpu:
    """The cores of this machine, one thread per core; the kernel does not hold the GIL."""

    name = "cpu"

    def __init__(self, threads: int = 0) -> None:
        """Use this many threads; 0: one for each core available to this process."""
        self.threads = threads or cores()

    def play(self, plan: Plan, ranges: Iterable[Range]) -> Iterator[tuple[Range, Sums]]:
        streams = Streams(ranges)
        batch = max(1, BATCH // plan.boxes)
        running: dict[Future[Sums], Range] = {}
        pool = ThreadPoolExecutor(self.threads)
        try:
            while running or streams.left:
                while streams.left and len(running) < 2 * self.threads:
                    first, end = streams.take(batch)
                    running[pool.submit(play_batch, plan, first, end - first)] = (first, end)
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield running.pop(future), future.result()
        finally:
            pool.shutdown(cancel_futures=True)

    def close(self) -> None:
        """Nothing to release."""


class Gpu:
    """The GPU of this machine, one launch at a time."""

    name = "gpu"
    threads = GPU_BATCH

    def __init__(self) -> None:
        if not gpu_present():
            raise SimulationError(NO_GPU)

    def play(self, plan: Plan, ranges: Iterable[Range]) -> Iterator[tuple[Range, Sums]]:
        from pontoon.simulation.cuda import play_batch_on_device  # noqa: PLC0415 only if there is a GPU

        streams = Streams(ranges)
        while streams.left:
            first, end = streams.take(GPU_BATCH // plan.boxes)
            yield (first, end), play_batch_on_device(plan, first, end - first)

    def close(self) -> None:
        """Nothing to release."""


def choose(device: str = "auto", threads: int = 0) -> Machine:
    """The machine for a device; auto: a GPU if there is one and no number of threads is given."""
    return Gpu() if on_gpu(device, threads) else Cpu(threads)


def on_gpu(device: str = "auto", threads: int = 0) -> bool:
    """Whether a device means the GPU; an error if it must and there is none."""
    if device == "gpu" and not gpu_present():
        raise SimulationError(NO_GPU)
    return device == "gpu" or (device == "auto" and not threads and not _simulated() and gpu_present())


def cores() -> int:
    """Number of cores available to this process, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def gpu_present() -> bool:
    """Whether a GPU can be used; numba's GPU simulator (NUMBA_ENABLE_CUDASIM=1) counts as one."""
    try:
        from numba import cuda  # noqa: PLC0415 it may be missing
    except ImportError:
        return False
    return bool(_simulated() or cuda.is_available())  # type: ignore[no-untyped-call]


def _simulated() -> bool:
    return os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")

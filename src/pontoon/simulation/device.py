"""Where rounds are played: the cores of this machine, or its GPU. A cluster (cluster.py) is a third such place.

Every machine is given streams and returns what it counted in them, in whatever order they end. A stream comes to the
same counts everywhere, so neither the machine nor the order matters.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Protocol

from pontoon.simulation.kernel import Sums
from pontoon.simulation.local import BATCH, Plan, SimulationError, play_batch

DEVICES = ("auto", "cpu", "gpu")
GPU_BATCH = 1 << 20
"""Streams in one launch on a GPU: eight thousand million rounds, many times as many streams as it plays at once, so
that little time is lost where the last of them leave part of it idle. Several boxes take more memory and get fewer."""
NO_GPU = "no GPU: --device gpu needs an NVIDIA GPU with its driver, and pip install 'pontoon21[gpu]'"

Range = tuple[int, int]
"""First stream, and the first that is no longer meant."""


class Machine(Protocol):
    """Whatever plays streams."""

    name: str
    threads: int

    def play(self, plan: Plan, ranges: Iterable[Range]) -> Iterator[tuple[Range, Sums]]:
        """Play all of these streams, piece by piece; each piece with what was counted in it."""
        ...

    def close(self) -> None:
        """Give back what was taken to play."""
        ...


class Streams:
    """Streams that nobody plays yet.

    >>> streams = Streams([(0, 5), (9, 10)])
    >>> streams.left, streams.take(3), streams.take(3), streams.take(3), streams.left
    (6, (0, 3), (3, 5), (9, 10), 0)
    """

    def __init__(self, ranges: Iterable[Range]) -> None:
        self._ranges = deque(one for one in ranges if one[0] < one[1])

    @property
    def left(self) -> int:
        """How many there are."""
        return sum(end - first for first, end in self._ranges)

    def take(self, most: int) -> Range:
        """The next few."""
        first, end = self._ranges.popleft()
        if end - first > most:
            self._ranges.appendleft((first + most, end))
            end = first + most
        return first, end


class Cpu:
    """Cores of this machine: a thread each, and the kernel holds no lock."""

    name = "cpu"

    def __init__(self, threads: int = 0) -> None:
        """Play with so many threads; 0: one for each core this process may use."""
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
        """Nothing is held between two plays."""


class Gpu:
    """The GPU of this machine, a launch at a time."""

    name = "gpu"
    threads = GPU_BATCH

    def __init__(self) -> None:
        if not gpu_present():
            raise SimulationError(NO_GPU)

    def play(self, plan: Plan, ranges: Iterable[Range]) -> Iterator[tuple[Range, Sums]]:
        from pontoon.simulation.cuda import play_batch_on_device  # noqa: PLC0415 only where there is a GPU

        streams = Streams(ranges)
        while streams.left:
            first, end = streams.take(GPU_BATCH // plan.boxes)
            yield (first, end), play_batch_on_device(plan, first, end - first)

    def close(self) -> None:
        """Nothing is held between two plays."""


def choose(device: str = "auto", threads: int = 0) -> Machine:
    """The machine asked for; auto: a GPU if there is one and nobody asked for threads."""
    if device == "gpu" or (device == "auto" and not threads and not _simulated() and gpu_present()):
        return Gpu()
    return Cpu(threads)


def cores() -> int:
    """The cores this process may use, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def gpu_present() -> bool:
    """Whether there is a GPU that can be used; numba's simulator of one (NUMBA_ENABLE_CUDASIM=1) counts."""
    try:
        from numba import cuda  # noqa: PLC0415 it may be missing
    except ImportError:
        return False
    return bool(_simulated() or cuda.is_available())  # type: ignore[no-untyped-call]


def _simulated() -> bool:
    return os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")

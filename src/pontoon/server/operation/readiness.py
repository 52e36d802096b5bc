"""Whether the server is able to work: a real write with a deadline, free space, and how much of the log is verified."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pontoon.server.operation.logs import broken, event
from pontoon.server.operation.metrics import FREE_BYTES
from pontoon.server.problems import Problem, problem

if TYPE_CHECKING:
    from pontoon.server.house import House

DEADLINE = 2.0
"""Seconds a write may take."""
FRESH = 1.0
"""Seconds for which an answer stays valid, so that frequent requests cause no more writes."""
LEAST_BYTES, LEAST_FILES = 64 << 20, 100
"""Free space and inodes below which the server is not ready."""
TICK = 1.0
JUMP = 2.0
"""Seconds by which the wall clock may differ from the monotonic one within a tick."""


class Readiness:
    """What `/ready` answers, for one house."""

    def __init__(self, house: House, folder: Path | None = None) -> None:
        """`folder` is where the store is, if it is on a disk of this machine."""
        self.house = house
        self.folder = folder
        self._probe: asyncio.Task[Problem | None] | None = None
        self._answered = -FRESH
        self._answer: Problem | None = None

    async def problem(self) -> Problem | None:
        """Why the server is not ready; None if it is."""
        verification = self.house.verification
        if verification is not None and verification.fault:
            return problem("log_damaged", words=verification.fault)
        if self.house.store.failed:  # at once, whatever the last test write came to
            return problem("store_away")
        return self._full() or await self._written()

    def _full(self) -> Problem | None:
        if self.folder is None or not hasattr(os, "statvfs"):
            return None
        try:
            disk = os.statvfs(self.folder)
        except OSError:
            return problem("store_away")
        free = disk.f_bavail * disk.f_frsize
        FREE_BYTES.set(free)
        full = free < LEAST_BYTES or (disk.f_files and disk.f_favail < LEAST_FILES)
        return problem("disk_full") if full else None

    async def _written(self) -> Problem | None:
        """The outcome of a test write; only one runs at a time, however many requests wait for it."""
        now = self.house.clock.steady()
        if self._probe is None and now - self._answered < FRESH:
            return self._answer
        probe = self._probe = self._probe or asyncio.create_task(self._try())
        done, _ = await asyncio.wait({probe}, timeout=DEADLINE)
        if not done:
            event("not_ready", why="a write takes too long")
            return problem("store_away")
        if self._probe is probe:  # the first of the waiting requests
            self._probe, self._answer, self._answered = None, probe.result(), self.house.clock.steady()
        return probe.result()

    async def _try(self) -> Problem | None:
        try:
            await asyncio.to_thread(self.house.store.probe, self.house.owner)
        except Exception:  # noqa: BLE001 whatever it is, we are not ready
            broken("not_ready")
            return problem("store_away")
        return None


async def watch_clock(house: House) -> None:
    """Log every jump of the machine's clock, until cancelled."""
    with suppress(asyncio.CancelledError):
        wall, steady = house.clock.wall(), house.clock.steady()
        while True:
            await asyncio.sleep(TICK)
            now, passed = house.clock.wall(), house.clock.steady() - steady
            jump = (now - wall) / 1000 - passed
            if abs(jump) > JUMP:
                event("clock_jump", seconds=round(jump, 1))
            wall, steady = now, house.clock.steady()

"""When Python's garbage collection runs, so that it does not stop the tables.

The states of tables are frozen values without cycles: garbage collection finds nothing in them, and takes 5 to 15 ms
to traverse what a second of play leaves behind. Requests and new sockets do leave cycles. So automatic collection is
off: the young objects are collected after a second with many requests, and everything four times an hour.
"""

from __future__ import annotations

import asyncio
import gc

TICK = 1.0
"""Seconds between two decisions whether to collect."""
MANY = 10
"""Requests and sockets per tick; the cycles of fewer, some kilobytes each, wait for the full collection."""
EVERYTHING = 900
"""Ticks between two full collections, each of which takes a fraction of a second."""


class GarbageCollection:
    """The garbage collection of one process."""

    def __init__(self) -> None:
        self._arrivals = 0
        self._ticks = 0

    def begin(self) -> None:
        """Turn automatic collection off."""
        gc.collect()
        gc.freeze()
        gc.disable()

    def arrival(self) -> None:
        """Count a request or a socket."""
        self._arrivals += 1

    async def run(self) -> None:
        """Tick until the server stops."""
        while True:
            await asyncio.sleep(TICK)
            self.tick()

    def tick(self) -> None:
        """Collect or not; either way the objects that exist now are exempt from the next collection of the young."""
        self._ticks += 1
        if self._ticks % EVERYTHING == 0:
            gc.unfreeze()
            gc.collect()
        elif self._arrivals >= MANY:
            gc.collect(0)
        self._arrivals = 0
        gc.freeze()

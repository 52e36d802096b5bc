"""Python's collector, kept from stopping the tables.

The states of tables are frozen values without cycles: the collector finds nothing in them, and takes five to fifteen
milliseconds to look at what a second of play leaves behind. What does leave cycles is a request or a new socket. So
nothing is looked at by itself: after a second with many of those the young objects are, and four times an hour all.
"""

from __future__ import annotations

import asyncio
import gc

TICK = 1.0
"""Seconds between two decisions whether to look."""
MANY = 10
"""Requests and sockets in that time; the cycles of fewer, some kilobytes each, wait for the look at everything."""
EVERYTHING = 900
"""Ticks between two looks at everything, each a fraction of a second long."""


class Tidy:
    """When a process looks for what can be thrown away."""

    def __init__(self) -> None:
        self._came = 0
        self._ticks = 0

    def begin(self) -> None:
        """From now on the collector only does what it is told."""
        gc.collect()
        gc.freeze()
        gc.disable()

    def came(self) -> None:
        """A request, or a socket."""
        self._came += 1

    async def run(self) -> None:
        """Until the server stops."""
        while True:
            await asyncio.sleep(TICK)
            self.tick()

    def tick(self) -> None:
        """Look or not; either way what is there now is set aside."""
        self._ticks += 1
        if self._ticks % EVERYTHING == 0:
            gc.unfreeze()
            gc.collect()
        elif self._came >= MANY:
            gc.collect(0)
        self._came = 0
        gc.freeze()

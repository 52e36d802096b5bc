"""Virtual time that advances only when all tasks wait: hours at a table in a second, reproducibly."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

LONGEST = 3600.0
"""Longer than any wait in a simulation; exceeding it means a deadlock."""
EPOCH = 1_750_000_000_000
"""When simulations begin, in milliseconds since 1970."""


class ForgottenError(RuntimeError):
    """All tasks wait and no event is pending."""


class _NobodyOutside(selectors.SelectSelector):
    """A selector without sockets: instead of sleeping it advances the virtual time."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout > LONGEST:
            raise ForgottenError(f"nothing happens any more at {self.now:.3f}")
        self.now += max(timeout, 0.0)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop with virtual time."""

    def __init__(self) -> None:
        self._hand = _NobodyOutside()
        super().__init__(self._hand)

    def time(self) -> float:
        return self._hand.now


class VirtualClock:
    """The server's clocks on virtual time; the wall clock can be set, the steady one cannot."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.set_by = 0
        """How far the wall clock was set forwards or backwards, in milliseconds."""

    def wall(self) -> int:
        return EPOCH + int(self._loop.time() * 1000) + self.set_by

    def steady(self) -> float:
        return self._loop.time()


def run_virtually(work: Coroutine[Any, Any, T]) -> T:
    """Run this to its end in virtual time; tasks left over are ended.

    >>> async def an_hour():
    ...     loop = asyncio.get_running_loop()
    ...     await asyncio.sleep(3600)
    ...     return loop.time()
    >>> run_virtually(an_hour())
    3600.0
    """
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(work)
    finally:
        loop.run_until_complete(_end_all())
        loop.close()


async def _end_all() -> None:
    while left := asyncio.all_tasks() - {asyncio.current_task()}:
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

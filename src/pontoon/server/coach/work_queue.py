"""Heavy work outside the game: one thread and a short queue, so that no caller can starve the tables."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from pontoon.server.problems import ProblemError, problem

T = TypeVar("T")


class WorkQueue:
    """One thread with a short queue."""

    def __init__(self, name: str, most: int) -> None:
        """At most `most` callers may wait; further ones are refused and may try again."""
        self.waiting = 0
        self._most = most
        self._thread = ThreadPoolExecutor(1, name)

    async def do(self, work: Callable[[], T]) -> T:
        """Run `work` when its turn comes; raises ProblemError if too many are waiting."""
        if self.waiting >= self._most:
            raise ProblemError(problem("too_many"))
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self.waiting -= 1

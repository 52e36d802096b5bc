"""Heavy work beside the game: one thread at a time, few who wait, so that nobody can starve the tables with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from pontoon.server.problems import ProblemError, problem

T = TypeVar("T")


class Aside:
    """One thread and a short queue before it."""

    def __init__(self, name: str, most: int) -> None:
        """`most` may wait; whoever comes then is sent away and may try again."""
        self.waiting = 0
        self._most = most
        self._thread = ThreadPoolExecutor(1, name)

    async def do(self, work: Callable[[], T]) -> T:
        """Do this in its turn; ProblemError where too many wait already."""
        if self.waiting >= self._most:
            raise ProblemError(problem("too_many"))
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self.waiting -= 1

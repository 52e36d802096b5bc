"""A set of pending names, through which the house notifies the edge without knowing its readers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable


class Mailbox:
    """A set of names emptied by one reader; a name added twice before it is taken is delivered once."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._filled = asyncio.Event()

    def put(self, names: Iterable[str]) -> None:
        """Add names and wake the reader; never waits."""
        self._names.update(names)
        if self._names:
            self._filled.set()

    async def take(self) -> set[str]:
        """Wait until there are names, and return all of them."""
        await self._filled.wait()
        self._filled.clear()
        names, self._names = self._names, set()
        return names

"""Names that wait to be taken: how the house tells the edge something without knowing who is there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable


class Mailbox:
    """A set of names that one reader empties; a name that is put twice before it is taken is taken once."""

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

"""The leaderboard: a ranking kept in memory, so that a request reads only the streams that have changed.

Of each person who shows their statistics it holds one row for each of the last 30 days, of everybody else a version
number. What was written in this process counts immediately, what another process has written within a minute.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from weakref import WeakKeyDictionary

from msgspec import Struct

from pontoon.server.house import House
from pontoon.server.people import progress
from pontoon.server.people.progress import DAY, HUNDRED, PLACES, SPAN, STREAM, Kept, Place

LOOK_EVERY = 60.0
"""Seconds between two checks for what other processes have written."""
MOST_READ = 200
"""Streams read for one request; the others follow with the next ones."""


class _Day(Struct):
    decisions: int = 0
    right: int = 0
    cost: float = 0.0


class Ranking:
    """The people of a house by the cost of their mistakes."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._versions: dict[str, int] = {}
        self._days: dict[str, dict[int, _Day]] = {}
        """The days of those who show them, by stream."""
        self._waiting: set[str] = set()
        self._looked = float("-inf")
        self._lock = asyncio.Lock()

    async def places(self) -> tuple[Place, ...]:
        """The top places, those whose mistakes cost least first."""
        async with self._lock:
            await self._refresh()
        first = (self._house.clock.wall() - SPAN) // DAY
        found = [place for stream, days in self._days.items() if (place := self._place(stream, days, first))]
        return tuple(sorted(found, key=lambda place: (place.cost, -place.decisions, place.name))[:PLACES])

    async def _refresh(self) -> None:
        """Read what has changed: noted by this process, and every minute what differs in the store."""
        house = self._house
        self._waiting |= progress.take_changed(house)
        now = house.clock.steady()
        if now - self._looked >= LOOK_EVERY:
            self._looked = now
            heads = await house.read(lambda: house.store.heads(STREAM))
            self._waiting |= {head.stream for head in heads if self._versions.get(head.stream) != head.version}
        for stream in sorted(self._waiting)[:MOST_READ]:
            self._waiting.discard(stream)
            await self._read(stream)

    async def _read(self, stream: str) -> None:
        house = self._house
        version, kept = await house.read(lambda: progress.read_stream(house, stream))
        self._versions[stream] = version
        self._days.pop(stream, None)
        if kept.public:
            self._days[stream] = _days(kept, house.clock.wall() - SPAN)

    def _place(self, stream: str, days: dict[int, _Day], first: int) -> Place | None:
        account = self._house.people.find(stream.removeprefix(STREAM))
        lately = [day for number, day in days.items() if number >= first]
        decisions = sum(day.decisions for day in lately)
        if account is None or account.suspended or decisions < progress.FEWEST:
            return None
        cost = sum(day.cost for day in lately) * HUNDRED / decisions
        return Place(account.name, decisions, sum(day.right for day in lately), cost)


def _days(kept: Kept, since: int) -> dict[int, _Day]:
    found: dict[int, _Day] = defaultdict(_Day)
    for answer in kept.answers:
        if answer.at >= since:
            day = found[answer.at // DAY]
            day.decisions += 1
            day.right += not answer.cost
            day.cost += answer.cost
    return dict(found)


_RANKINGS: WeakKeyDictionary[House, Ranking] = WeakKeyDictionary()


def ranking_of(house: House) -> Ranking:
    """The ranking of a house."""
    return _RANKINGS.setdefault(house, Ranking(house))

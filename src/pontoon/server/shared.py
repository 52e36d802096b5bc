"""Several processes on one store: what the others wrote, what this one owns, and whom to ask about the rest."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import count, groupby
from typing import TYPE_CHECKING

from pontoon.server.live import Live, Question
from pontoon.server.logs import broken, event
from pontoon.server.people import STREAM as PEOPLE
from pontoon.server.problems import Problem, problem
from pontoon.server.room import STREAM, stream_of
from pontoon.server.tournaments.log import STREAM as TOURNAMENTS
from pontoon.store.model import PAGE, Entry, Lease

if TYPE_CHECKING:
    from pontoon.server.house import House

WAKE = 1.0
"""Seconds without a notice after which everything is looked at: a notice is no promise."""
PATIENCE = 1.0
"""Seconds until a store that failed is asked again."""
PROCESS = "process/"
"""Before the number of a process's place among the leases."""
GRACE = 0.02
"""Seconds after a notice in which the writer's own word may come; then the store is asked."""


class Shared:
    """A house's dealings with the other processes of its store."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._owners: dict[str, str] = {}
        """Where commands for a table went last; forgotten as soon as that process does not answer for it."""
        self._others: set[str] = set()
        """Where the other processes are."""

    # --- what the others wrote ---

    async def following(self) -> None:
        """A notice only wakes us: each stream is read from the version we have."""
        house = self.house
        while True:
            try:
                woken = await asyncio.to_thread(house.store.wait_for_writes, WAKE)
                if not woken or PEOPLE in woken:
                    await house.follow_people()
                if self._behind(woken):
                    await asyncio.sleep(GRACE)
                behind = self._behind(woken)
                if behind or not woken:
                    await self._follow(behind)
                await self._follow_tournaments(set(woken))
                for stream in woken or await self._streams():
                    room = stream.removeprefix(STREAM)
                    if stream.startswith(STREAM) and room not in house.lives:
                        await house.live(room)
            except Exception:  # noqa: BLE001 the store may be away for a moment
                broken("following_failed")
                await asyncio.sleep(PATIENCE)

    async def _streams(self) -> set[str]:
        """All tables there are: a notice of a new one may have been lost."""
        store = self.house.store
        return {head.stream for head in await self.house.read(lambda: store.heads(STREAM))}

    def _behind(self, woken: Mapping[str, int]) -> set[str]:
        """The tables among these that came further than we have followed."""
        lives = self.house.lives
        return {
            stream
            for stream, version in woken.items()
            if (live := lives.get(stream.removeprefix(STREAM))) and not live.owned and live.room.version < version
        }

    async def _follow(self, woken: set[str]) -> None:
        """One question for all tables that others write, or for some."""
        house = self.house
        full = True
        while full:
            lives = [(stream_of(room), live) for room, live in house.lives.items() if not live.owned]
            seen = {stream: live.room.version for stream, live in lives if not woken or stream in woken}
            news = await house.read(lambda seen=seen: house.store.new_entries(seen)) if seen else []  # type: ignore[misc]
            for stream, entries in groupby(news, lambda entry: entry.stream):
                await self._tell(stream.removeprefix(STREAM), list(entries))
                await asyncio.sleep(0)  # whoever waits for an answer comes between two tables
            full = len(news) == PAGE

    async def _follow_tournaments(self, woken: set[str]) -> None:
        tournaments = self.house.tournaments
        if not woken:
            await tournaments.follow()
        for stream in woken:
            if stream.startswith(TOURNAMENTS):
                await tournaments.follow(stream.removeprefix(TOURNAMENTS))

    async def _tell(self, room: str, entries: list[Entry]) -> None:
        house = self.house
        async with house.lock(room):
            live = house.lives.get(room)
            new = [entry for entry in entries if live is not None and entry.version > live.room.version]
            if live is None or live.owned or not new:  # read anew, or taken over, since we asked
                return
            live.follow(new, house.clock.steady())
            house.moved_on(live, new)

    def tell(self, entries: Sequence[Entry]) -> None:
        """Tell the others what we wrote: they need not be woken and ask, though they would be."""
        if self._others and self.house.peers is not None:
            self.house.peers.tell(self._others, entries)

    def told(self, entries: Sequence[Entry]) -> None:
        """Another process's word on what it wrote; taken where it joins what we have, else the store is asked."""
        house, room = self.house, entries[0].stream.removeprefix(STREAM)
        live = house.lives.get(room)
        if live is None or live.owned or house.lock(room).locked() or entries[0].version != live.room.version + 1:
            return
        try:
            live.follow(entries, house.clock.steady())
        except Exception:  # noqa: BLE001 the others' questions come on the same line
            broken("telling_failed", table=room)
        house.moved_on(live, entries)

    # --- who the others are ---

    async def appear(self) -> None:
        """Stand among the leases, with tables or without: at the first place that is free."""
        house, options = self.house, self.house.options

        def take() -> Lease:
            places = (f"{PROCESS}{number}" for number in count(1))
            taken = (
                house.store.take_lease(place, house.owner, options.address, options.lease_seconds) for place in places
            )
            return next(lease for lease in taken if lease is not None)

        await house.read(take)
        self._look_around(await house.read(house.store.leased))

    def _look_around(self, taken: Mapping[str, str]) -> None:
        self._others = set(taken.values()) - {self.house.options.address, ""}
        if self.house.peers is not None:
            self.house.peers.reach(self._others)

    # --- what we own ---

    async def renewing(self) -> None:
        """Keep what we own, give up what we lost, take what nobody owns."""
        house, seconds = self.house, self.house.options.lease_seconds
        while True:
            await asyncio.sleep(seconds / 3)
            try:
                had = {room for room, live in house.lives.items() if live.owned}
                kept = await house.read(lambda: house.store.renew_leases(house.owner, seconds))
                if not any(stream.startswith(PROCESS) for stream in kept):  # we slept, and another stands there
                    await self.appear()
                taken = await house.read(house.store.leased)
                self._look_around(taken)
                for room, live in tuple(house.lives.items()):
                    if live.owned and room in had and stream_of(room) not in kept:
                        event("lease_lost", table=room)
                        await house.stop(live)
                    if not live.owned and stream_of(room) not in taken:
                        await house.take_over(room)
            except Exception:  # noqa: BLE001 the store may be away for a moment
                broken("renewing_failed")

    # --- whom to ask ---

    async def ask(self, live: Live, question: Question) -> int | Problem:
        """Let the owner of a table answer."""
        house, room = self.house, live.room.id
        address = self._owners.get(room) or await self._owner(room)
        if not address or house.peers is None:
            return problem("not_here")
        answer: int | Problem = problem("not_here")
        try:
            async with asyncio.timeout(house.options.lease_seconds):
                answer = await house.peers.ask(address, room, question)
        except TimeoutError:  # it sleeps, and its lease has run out: look again who owns the table
            pass
        if isinstance(answer, Problem) and answer.code == "not_here":
            self._owners.pop(room, None)
        return answer

    async def _owner(self, room: str) -> str:
        """Where a table's owner is by its lease; a table nobody owns is taken."""
        house = self.house
        lease = await house.read(lambda: house.store.lease(stream_of(room)))
        if lease is None or lease.owner == house.owner:
            await house.take_over(room)
            return ""
        self._owners[room] = lease.address
        return lease.address

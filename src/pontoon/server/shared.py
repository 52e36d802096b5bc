"""Several processes on one store: what the others wrote, what this one owns, and where to send the rest."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from itertools import count, groupby
from typing import TYPE_CHECKING

from pontoon.server.operation.logs import broken, event
from pontoon.server.operation.traces import TRACES
from pontoon.server.people.people import STREAM as PEOPLE
from pontoon.server.problems import Problem, problem
from pontoon.server.rooms.live import Live, Question
from pontoon.server.rooms.room import STREAM, stream_of
from pontoon.server.tournaments.log import STREAM as TOURNAMENTS
from pontoon.store.model import PAGE, Entry, Lease

if TYPE_CHECKING:
    from pontoon.server.house import House

WAKE = 1.0
"""Seconds without a notice after which everything is checked, because notices can be lost."""
PATIENCE = 1.0
"""Seconds until a store that failed is queried again."""
WATCHED = 5.0
"""Seconds for which one look at a table, over REST, is told to its owner."""
PROCESS = "process/"
"""Before the number of a process's place among the leases."""
GRACE = 0.02
"""Seconds after a notice in which the writer may send the entries itself; then the store is queried."""


class Shared:
    """A house's connection to the other processes that share its store."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._owners: dict[str, str] = {}
        """The last known owner of each table; dropped as soon as that process no longer answers for it."""
        self.place = ""
        """The number of this process among those that share the store."""
        self.others: set[str] = set()
        """Addresses of the other processes."""

    # --- what the others wrote ---

    async def following(self) -> None:
        """A notice only wakes us: each stream is read from the version we have."""
        house = self.house
        while True:
            try:
                woken = await asyncio.to_thread(house.store.wait_for_writes, WAKE)
                if not woken or PEOPLE in woken:
                    await house.catch_up_with_people()
                if self._behind(woken):
                    await asyncio.sleep(GRACE)
                behind = self._behind(woken)
                if behind or not woken:
                    await self._catch_up(behind)
                await self._follow_tournaments(set(woken))
                for stream, version in (woken or await self._streams()).items():
                    room = stream.removeprefix(STREAM)
                    unknown = room not in house.lives and not house.idle.is_away(room, version)
                    if stream.startswith(STREAM) and unknown:
                        await house.live(room)
            except Exception:  # noqa: BLE001 the store may be away for a moment
                broken("following_failed")
                await asyncio.sleep(PATIENCE)

    async def _streams(self) -> dict[str, int]:
        """All tables there are, with their versions: a notice of a new one may have been lost."""
        store = self.house.store
        return {head.stream: head.version for head in await self.house.read(lambda: store.heads(STREAM))}

    def _behind(self, woken: Mapping[str, int]) -> set[str]:
        """The tables among these with entries we have not applied."""
        lives = self.house.lives
        return {
            stream
            for stream, version in woken.items()
            if (live := lives.get(stream.removeprefix(STREAM))) and not live.owned and live.room.version < version
        }

    async def _catch_up(self, woken: set[str]) -> None:
        """One query for all tables that others write, or for some."""
        house = self.house
        full = True
        while full:
            lives = [(stream_of(room), live) for room, live in house.lives.items() if not live.owned]
            seen = {stream: live.room.version for stream, live in lives if not woken or stream in woken}
            news = await house.read(lambda seen=seen: house.store.new_entries(seen)) if seen else []  # type: ignore[misc]
            for stream, entries in groupby(news, lambda entry: entry.stream):
                await self._tell(stream.removeprefix(STREAM), list(entries))
                await asyncio.sleep(0)  # requests that wait for an answer run between two tables
            full = len(news) == PAGE

    async def _follow_tournaments(self, woken: set[str]) -> None:
        tournaments = self.house.tournaments
        if not woken:
            await tournaments.catch_up()
        for stream in woken:
            if stream.startswith(TOURNAMENTS):
                await tournaments.catch_up(stream.removeprefix(TOURNAMENTS))

    async def _tell(self, room: str, entries: list[Entry]) -> None:
        house = self.house
        async with house.lock(room):
            live = house.lives.get(room)
            new = [entry for entry in entries if live is not None and entry.version > live.room.version]
            if live is None or live.owned or not new:  # read anew, or taken over, since we asked
                return
            live.apply(new, house.clock.steady())
            house.moved_on(live, new)

    def tell(self, entries: Sequence[Entry]) -> None:
        """Send our entries to the other processes, so that they need not query the store."""
        if self.others and self.house.peers is not None:
            self.house.peers.tell(self.others, entries)

    def told(self, entries: Sequence[Entry]) -> None:
        """Entries that another process wrote; applied if they follow what we have, otherwise the store is queried."""
        house, room = self.house, entries[0].stream.removeprefix(STREAM)
        live = house.lives.get(room)
        if live is None or live.owned or house.lock(room).locked() or entries[0].version != live.room.version + 1:
            return
        try:
            live.apply(entries, house.clock.steady())
        except Exception:  # noqa: BLE001 requests of the other processes arrive on the same connection
            broken("telling_failed", table=room)
        house.moved_on(live, entries)

    # --- who watches ---

    def _tell_watched(self) -> None:
        """Tell the owners of tables where only bots play that someone watches here; otherwise the bots pause."""
        house, now = self.house, self.house.clock.steady()
        rooms = [
            room
            for room, live in house.lives.items()
            if not live.owned and live.room.state.settings.bots_alone and live.seen_within(now, WATCHED)
        ]
        if rooms and self.others and house.peers is not None:
            house.peers.watch(self.others, rooms)

    def watched(self, rooms: Iterable[str]) -> None:
        """Someone watches these tables in another process; the owner's bots continue."""
        now = self.house.clock.steady()
        for room in rooms:
            live = self.house.lives.get(room)
            if live is not None and live.owned:
                live.look(now)

    # --- the other processes ---

    async def appear(self) -> None:
        """Take the first free place among the leases, with or without tables."""
        house, options = self.house, self.house.options

        def take() -> Lease:
            places = (f"{PROCESS}{number}" for number in count(1))
            taken = (
                house.store.take_lease(place, house.owner, options.address, options.lease_seconds) for place in places
            )
            return next(lease for lease in taken if lease is not None)

        self.place = (await house.read(take)).stream.removeprefix(PROCESS)
        self._look_around(await house.read(house.store.leased))

    def _look_around(self, taken: Mapping[str, str]) -> None:
        self.others = set(taken.values()) - {self.house.options.address, ""}
        if self.house.peers is not None:
            self.house.peers.reach(self.others)

    # --- what we own ---

    async def renewing(self) -> None:
        """Renew our leases, release lost tables, and take unowned ones."""
        house, seconds = self.house, self.house.options.lease_seconds
        while True:
            await asyncio.sleep(seconds / 3)
            self._tell_watched()
            try:
                had = {room for room, live in house.lives.items() if live.owned}
                kept = await house.read(lambda: house.store.renew_leases(house.owner, seconds))
                if not any(stream.startswith(PROCESS) for stream in kept):  # another process has taken our place
                    await self.appear()
                taken = await house.read(house.store.leased)
                self._look_around(taken)
                for room, live in tuple(house.lives.items()):
                    if live.owned and room in had and stream_of(room) not in kept:
                        event("lease_lost", table=room)
                        await house.stop(live)
                    unowned = not live.owned and stream_of(room) not in taken
                    if unowned and not await house.idle.unload_unowned(room, live):
                        await house.take_over(room)
            except Exception:  # noqa: BLE001 the store may be away for a moment
                broken("renewing_failed")

    # --- routing commands ---

    async def ask(self, live: Live, question: Question) -> int | Problem:
        """Let the owner of a table answer."""
        house, room = self.house, live.room.id
        address = self._owners.get(room) or await self._owner(room)
        if not address or house.peers is None:
            return problem("not_here")
        answer: int | Problem = problem("not_here")
        try:
            with TRACES.span("forward"):
                async with asyncio.timeout(house.options.lease_seconds):
                    answer = await house.peers.ask(address, room, question)
        except TimeoutError:  # it is suspended and its lease has expired: look up the owner again
            pass
        if isinstance(answer, Problem) and answer.code == "not_here":
            self._owners.pop(room, None)
        return answer

    async def _owner(self, room: str) -> str:
        """The address of a table's owner by its lease; an unowned table is taken."""
        house = self.house
        lease = await house.read(lambda: house.store.lease(stream_of(room)))
        if lease is None or lease.owner == house.owner:
            await house.take_over(room)
            return ""
        self._owners[room] = lease.address
        return lease.address

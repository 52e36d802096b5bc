"""Which tables are in memory: snapshots are written in the background, and tables that nobody uses are unloaded.

When someone arrives, an unloaded table is read from its snapshot, exactly as it was. A table that nobody has used for a
day, or for as long as the house policy says, is archived: it leaves the lobby, but its link still works.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pontoon.server.operation.logs import event
from pontoon.server.rooms.live import Live
from pontoon.server.rooms.room import STREAM, stream_of
from pontoon.server.rooms.snapshots import About, Frozen, about, about_of, encoded, frozen
from pontoon.store.model import Entry

if TYPE_CHECKING:
    from pontoon.server.house import House

TICK = 1.0
"""Seconds between two writes of snapshots."""
LOOK = 15.0
"""Seconds between two searches for idle tables."""
DAY = 86_400_000
LEAST = 32
"""Minimum number of entries since the last snapshot for which a final one is worthwhile."""
MANY = 64
AT_ONCE = 16
"""Snapshots in one transaction: it must not keep the game waiting."""


class IdleTables:
    """The tables of a house that are not in memory, and the snapshots that are due."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.away: dict[str, About] = {}
        """What is known of the unloaded tables, by name."""
        self._due: dict[str, Frozen] = {}
        self._missing: list[Frozen] = []

    async def start(self) -> list[str]:
        """Find the unloaded tables; return the names of the others."""
        house = self.house
        heads = await house.read(lambda: house.store.heads(STREAM))
        found = await house.read(lambda: house.store.last_snapshots(STREAM))
        others: list[str] = []
        for head in heads:
            room, last = head.stream.removeprefix(STREAM), found.get(head.stream)
            said = about_of(last) if last is not None and last.hash == head.hash else None
            if said is not None and said.idle:
                self.away[room] = said
            else:
                others.append(room)
        return others

    # --- unloaded tables ---

    def _archived(self) -> int:
        """The time before which an unused table is archived."""
        return self.house.clock.wall() - self.house.people.policy.archive_days * DAY

    def in_lobby(self) -> dict[str, About]:
        """The public tables that are unloaded and not archived."""
        since = self._archived()
        return {room: said for room, said in self.away.items() if not (said.private or said.heat) and said.at > since}

    def made_by_any(self, names: set[str]) -> list[About]:
        """The tables of these people that are unloaded, neither closed nor archived."""
        return [said for said in self._open() if said.made_by in names]

    def _open(self) -> Iterator[About]:
        since = self._archived()
        return (said for said in self.away.values() if said.phase != "closed" and said.at > since)

    def has_ended(self, room: str) -> bool:
        """Whether a table is the unloaded table of a tournament: it is only unloaded once it has ended."""
        said = self.away.get(room)
        return said is not None and said.heat

    def is_away(self, room: str, version: int) -> bool:
        """Whether a table is unloaded and nothing has been written there since."""
        said = self.away.get(room)
        return said is not None and said.version >= version

    # --- snapshots ---

    def note(self, live: Live, entries: list[Entry]) -> None:
        """A table of ours moved on: take a snapshot if enough entries have been written."""
        every = self.house.options.snapshot_every
        if entries[0].version // every != (entries[-1].version + 1) // every:
            self._due[live.room.id] = self._frozen(live)

    def missing(self, taken: Frozen) -> None:
        """Store a snapshot that was not there when a room was read, as after an upgrade: many at a time."""
        self._missing.append(taken)
        if len(self._missing) >= MANY:
            some, self._missing = self._missing, []
            try:
                self.house.store.keep_snapshots([encoded(one) for one in some])
            except Exception:  # noqa: BLE001 the table is opened without it
                self.house.not_written("snapshot_not_written")

    def _frozen(self, live: Live, *, idle: bool = False) -> Frozen:
        live.snapshot = live.room.version
        return frozen(live.room, live.hash, self.house.clock.wall(), idle=idle)

    async def run(self) -> None:
        """Write snapshots and unload tables, until cancelled."""
        passed = 0.0
        while True:
            await asyncio.sleep(TICK)
            passed += TICK
            await self.write()
            if passed >= LOOK:
                passed = 0.0
                await self.house.write_people_snapshot()
                await self.house.tournaments.write_snapshots()
                await self._put_away()

    async def write(self) -> None:
        """Write the snapshots that are due; a failure does no harm."""
        if self._missing:
            some, self._missing = self._missing, []
            await self._store(some)
        while self._due:
            some = [self._due.pop(name) for name in list(self._due)[:AT_ONCE]]
            await self._store(some)

    async def _store(self, taken: list[Frozen]) -> bool:
        def work() -> None:
            self.house.store.keep_snapshots([encoded(one) for one in taken])

        try:
            if self.house.options.inline:
                work()
            else:
                await asyncio.to_thread(work)
        except Exception:  # noqa: BLE001 a snapshot is never needed; the log says what is wrong with it
            self.house.not_written("snapshot_not_written")
            return False
        return True

    async def close(self) -> None:
        """Snapshots of the tables that have moved on since their last one; their owners have stopped."""
        now = self.house.clock.steady()
        for live in self.house.lives.values():
            idle = self._idle(live, now, 0.0)
            if live.epoch_owned and (live.room.version >= live.snapshot + LEAST or idle):
                self._due[live.room.id] = self._frozen(live, idle=idle)
        await self.write()

    # --- idle tables ---

    def _idle(self, live: Live, now: float, after: float) -> bool:
        """Whether nobody sits, bets or watches, and the program has nothing to do until someone comes."""
        state = live.room.state
        used = bool(live.watchers) or not live.inbox.empty() or now - max(live.watched_at, live.moved_at) < after
        boxes = state.table.round.boxes if state.table.round is not None else ()
        if used or state.settings.opens or state.proposals:
            return False
        if state.heat is not None:
            return state.heat.ended and not boxes
        bots = {bot.player for bot in state.bots}
        if any(seat.player not in bots for seat in state.table.seats):
            return False
        if state.settings.bots_alone:
            return live.rests(now, after)
        return not boxes and live.plan is None

    async def _put_away(self) -> None:
        house = self.house
        now = house.clock.steady()
        for room, live in tuple(house.lives.items()):
            if live.owned and self._idle(live, now, house.options.idle_seconds):
                async with house.lock(room):
                    await self._put_one_away(room, live)

    async def _put_one_away(self, room: str, live: Live) -> None:
        house = self.house
        version = live.room.version
        if not await self._store([self._frozen(live, idle=True)]):
            return
        await house.stop(live)
        if live.watchers or live.room.version != version or house.lives.get(room) is not live:
            await house.take_back(live)
            return
        self._unload(room, live)
        if house.options.leased:
            await house.read(lambda: house.store.release_leases(house.owner, stream_of(room)))

    def _unload(self, room: str, live: Live) -> None:
        del self.house.lives[room]
        self.away[room] = about(live.room.state, self.house.clock.wall(), idle=True)
        event("table_put_away", table=room if not live.room.state.settings.private else "private")

    async def unload_unowned(self, room: str, live: Live) -> bool:
        """Unload a table that another process owned and has put away; False if someone must own it."""
        if live.watchers:
            return False
        store, stream = self.house.store, stream_of(room)
        last = await self.house.read(lambda: store.snapshot_before(stream, 2**62))
        said = about_of(last) if last is not None and last.version == live.room.version else None
        if said is None or not said.idle:
            return False
        async with self.house.lock(room):
            unused = self.house.lives.get(room) is live and not live.owned and not live.watchers
            if unused:
                self._unload(room, live)
            return unused

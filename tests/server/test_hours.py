"""The hours of gaming through the server's clock: tables close with them, and open again when they begin."""

from __future__ import annotations

import asyncio

from pontoon.engine.commands import PlaceWager
from pontoon.server.house import House, Options
from pontoon.server.problems import Problem
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import Asked
from pontoon.server.rooms.room import stream_of
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.store import MemoryStore, Store
from pontoon.store.verify import faults
from pontoon.table import commands as c
from tests.server.virtual_time import VirtualClock, run_virtually

ANN = Actor("Ann")
MINUTE = 60.0
SETTINGS = Settings("canberra", clocks=Clocks(0, 0, 0, 0), opens="15:30", closes="15:10")
"""Virtual time begins at 15:06:40."""


class Casino:
    """A house on virtual time, and what Ann does in it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.clock = VirtualClock(asyncio.get_running_loop())
        self.house = House(store, Options(inline=True, proving=True), self.clock)
        self.asked = 0

    async def open(self) -> str:
        await self.house.start()
        opened = await self.house.write_people(lambda people: people.opened(ANN.name, guest=True))
        assert not isinstance(opened, Problem)
        return await self.make()

    async def make(self) -> str:
        self.asked += 1
        room = await self.house.make_table(ANN, SETTINGS, f"table {self.asked}")
        assert isinstance(room, str), room
        await asyncio.sleep(1)
        return room

    async def ask(self, room: str, command: Asked) -> int | Problem:
        self.asked += 1
        return await self.house.command(ANN, room, command, f"{self.asked}", None)

    async def phase(self, room: str) -> str:
        await asyncio.sleep(1)
        live = await self.house.live(room)
        assert live is not None
        return live.room.state.table.phase

    async def wager(self, room: str) -> int | Problem:
        await self.ask(room, c.Sit(ANN.name, 1))
        return await self.ask(room, PlaceWager(1, ANN.name, 1000))


def test_16_1_a_table_closes_with_the_hours_of_gaming_and_opens_again_when_they_begin():
    async def evening(store: Store) -> None:
        casino = Casino(store)
        room, shut = await casino.open(), await casino.make()
        assert isinstance(await casino.wager(room), int)
        assert isinstance(await casino.ask(shut, c.GiveNotice("notice")), int)
        assert isinstance(await casino.ask(shut, c.Close()), int)
        await asyncio.sleep(4 * MINUTE)
        assert [await casino.phase(one) for one in (room, shut)] == ["closed", "closed"]
        refused = await casino.ask(room, c.Open())
        assert isinstance(refused, Problem)
        assert (refused.code, refused.clauses) == ("hours_over", ("16.1",))
        await asyncio.sleep(21 * MINUTE)
        assert [await casino.phase(one) for one in (room, shut)] == ["ready", "closed"], "who closed one, opens it"
        assert isinstance(await casino.wager(room), int)
        await casino.house.close()

    store = MemoryStore()
    run_virtually(evening(store))
    assert list(faults(store)) == []


def test_16_1_hours_that_began_while_no_server_ran_open_the_table_when_one_does():
    async def evening(store: Store) -> None:
        casino = Casino(store)
        room = await casino.open()
        await asyncio.sleep(5 * MINUTE)
        assert await casino.phase(room) == "closed"
        await casino.house.close()
        await asyncio.sleep(30 * MINUTE)
        casino.house = House(store, Options(inline=True, proving=True), casino.clock)
        await casino.house.start()
        assert await casino.phase(room) == "ready"
        version = store.head(stream_of(room))
        await asyncio.sleep(30 * MINUTE)
        assert store.head(stream_of(room)) == version, "and nothing more is written"
        await casino.house.close()

    run_virtually(evening(MemoryStore()))

"""A store that is temporarily unavailable, as on a full disk: everything continues once it is back."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence

import pytest

from pontoon.server import shared
from pontoon.server.house import House, Options
from pontoon.server.problems import Problem
from pontoon.server.rooms import owner as owners
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import SeatBot
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.store import Append, MemoryStore, Outcome, StoreError
from pontoon.store.model import Root
from pontoon.table.commands import Sit

ANN = Actor("Ann")


class AwayStore(MemoryStore):
    """Refuses writes while it is unavailable."""

    def __init__(self) -> None:
        super().__init__()
        self.away = False
        self.refused = 0

    def _here(self) -> None:
        if self.away:
            self.refused += 1
            raise StoreError("the disk is full")

    def write(self, appends: Sequence[Append]) -> list[Outcome]:
        self._here()
        return super().write(appends)

    def wait_for_writes(self, seconds: float) -> dict[str, int]:
        self._here()
        return super().wait_for_writes(min(seconds, 0.01))

    def seal(self, at: int) -> Root | None:
        self._here()
        return super().seal(at)

    def release_leases(self, owner: str, stream: str = "") -> None:
        self._here()
        super().release_leases(owner, stream)


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owners, "PATIENCE", 0.01)
    monkeypatch.setattr(owners, "LEAST_PACE", 1)
    monkeypatch.setattr(shared, "PATIENCE", 0.01)


async def soon(true: Callable[[], bool]) -> None:
    """Wait until this is true."""
    async with asyncio.timeout(10):
        while not true():  # noqa: ASYNC110 there is no event to wait for
            await asyncio.sleep(0.005)


def test_a_table_the_program_deals_goes_on_by_itself():
    async def evening() -> None:
        store = AwayStore()
        house = House(store, Options(inline=True, bots_unwatched=math.inf))
        await house.start()
        settings = Settings("canberra", bots_alone=True, clocks=Clocks(1, 1, 1, 1))
        room = await house.make_table(ANN, settings, "")
        assert isinstance(room, str)
        live = await house.live(room)
        assert live is not None
        store.away = True
        asked = await house.command(ANN, room, Sit("Ann", 1), "k", None)
        assert isinstance(asked, Problem)
        assert (asked.status, asked.code) == (503, "store_away")
        store.away = False
        assert await house.command(ANN, room, Sit("Ann", 1), "k", None) == live.room.version, (
            "the same key is done once"
        )
        await house.command(ANN, room, SeatBot(2, "chart"), "", None)
        before = live.room.version
        await soon(lambda: live.room.version > before + 20)
        store.away, store.refused = True, 0
        await soon(lambda: store.refused > 2)
        before = live.room.version
        store.away = False
        await soon(lambda: live.room.version > before + 20)
        await house.close()

    asyncio.run(evening())


def test_a_process_follows_the_others_again():
    async def evening() -> None:
        store = AwayStore()
        one, other = (House(store, Options(leased=True, lease_seconds=30)) for _ in range(2))
        await one.start()
        await other.start()
        room = await one.make_table(ANN, Settings("star", clocks=Clocks(card=0)), "")
        assert isinstance(room, str)
        await soon(lambda: room in other.lives)
        owner, follower = (one, other) if one.lives[room].owned else (other, one)
        store.away, store.refused = True, 0
        await soon(lambda: store.refused > 3)
        store.away = False
        version = await owner.command(ANN, room, Sit("Ann", 1), "", None)
        assert isinstance(version, int)
        await soon(lambda: follower.lives[room].room.version == owner.lives[room].room.version >= version)
        await other.close()
        await one.close()

    asyncio.run(evening())

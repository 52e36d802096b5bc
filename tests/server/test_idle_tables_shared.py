"""Idle tables where several processes share a store: unloaded in all of them, and back in any of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from msgspec.structs import replace

from pontoon.server.house import House
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.room import stream_of
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.table import commands as c
from pontoon.view.viewer import Viewer
from tests.server.simulation import Follower
from tests.server.test_store_away import soon
from tests.server.tournaments.test_two_processes import LEASE, Pair

ANN = Actor("Ann")


async def two() -> tuple[Pair, House, House, str]:
    """Two houses that share a store, and an empty table that both know; the first owns it."""
    pair = Pair()
    await pair.other.start()
    await pair.house.start()
    room = await pair.house.make_table(ANN, Settings("star", clocks=Clocks(card=0)), "")
    assert isinstance(room, str)
    await soon(lambda: room in pair.other.lives and any(house.lives[room].owned for house in houses(pair)))
    owner, other = sorted(houses(pair), key=lambda house: not house.lives[room].owned)
    return pair, owner, other, room


def houses(pair: Pair) -> tuple[House, House]:
    return pair.house, pair.other


def evening(work: Callable[[Pair, House, House, str], Awaitable[None]]) -> None:
    async def run() -> None:
        pair, owner, other, room = await two()
        for house in (owner, other):
            house.options = replace(house.options, idle_seconds=0.0)
        await asyncio.sleep(0.01)
        await work(pair, owner, other, room)
        await owner.close()
        await other.close()

    asyncio.run(run())


async def unloaded(owner: House, other: House, room: str) -> None:
    await owner.idle._put_away()
    assert room not in owner.lives
    await soon(lambda: room not in other.lives)
    assert owner.store.lease(stream_of(room)) is None
    assert room in owner.idle.in_lobby()
    assert room in other.idle.in_lobby()


def test_an_idle_table_leaves_the_memory_of_every_process():
    async def work(pair: Pair, owner: House, other: House, room: str) -> None:
        await unloaded(owner, other, room)
        await asyncio.sleep(2 * LEASE)
        assert not any(room in house.lives for house in houses(pair)), "it stays away"
        assert isinstance(await other.command(ANN, room, c.Sit("Ann", 1), "k", None), int)
        assert other.lives[room].owned
        await soon(lambda: room in owner.lives)  # what happens there is shown everywhere
        assert isinstance(await owner.command(ANN, room, c.Sit("Ann", 1), "k", None), int)
        assert not other.idle.away

    evening(work)


def test_a_table_that_is_watched_elsewhere_moves_there():
    async def work(_: Pair, owner: House, other: House, room: str) -> None:
        follower = Follower(room, Viewer())
        follower.join(other.lives[room])
        await owner.idle._put_away()
        assert room not in owner.lives
        await soon(lambda: other.lives[room].owned)
        await asyncio.sleep(2 * LEASE)
        assert other.lives[room].owned

    evening(work)


def test_a_table_whose_owner_died_is_taken_and_not_unloaded():
    async def work(pair: Pair, owner: House, other: House, room: str) -> None:
        await owner.stop(owner.lives.pop(room))
        owner.store.release_leases(owner.owner, stream_of(room))
        await soon(lambda: any(room in house.lives and house.lives[room].owned for house in houses(pair)))
        assert room in other.lives

    evening(work)


def test_a_process_that_starts_leaves_idle_tables_away():
    async def work(pair: Pair, owner: House, other: House, room: str) -> None:
        await unloaded(owner, other, room)
        third = pair._house()
        await third.start()
        await asyncio.sleep(1.5)  # the store is scanned once a second
        assert room not in third.lives
        assert isinstance(await third.command(ANN, room, c.Sit("Ann", 1), "k", None), int)
        await third.close()

    evening(work)

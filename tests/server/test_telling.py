"""Processes that publish their writes to each other: sufficient by itself, and lost or repeated messages do no harm."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from random import Random

import pytest

from pontoon.server.house import House, Options
from pontoon.server.problems import Problem
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.live import Live, Question
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.store.memory import MemoryStore
from pontoon.store.model import Entry
from pontoon.table.commands import Leave, Sit
from pontoon.view.viewer import Viewer
from tests.server.simulation import Follower

ANN = Actor("Ann")
Words = Callable[[Sequence[Entry]], Iterable[Sequence[Entry]]]


class QuietStore(MemoryStore):
    """Never names a stream, so everything must be polled."""

    looks = False

    def wait_for_writes(self, seconds: float) -> dict[str, int]:  # noqa: ARG002 always as short
        time.sleep(0.01)
        return {} if self.looks else {"people": 0}


class Wire:
    """Delivers messages between houses, with a given fate for each."""

    def __init__(self, words: Words) -> None:
        self.houses: dict[str, House] = {}
        self.words = words

    async def ask(self, address: str, room: str, question: Question) -> int | Problem:
        house = self.houses[address]
        return await house.owned_command(question.actor, room, question.asked, question.key, question.seen)

    async def measure(self, addresses: Iterable[str]) -> list[str]:
        return list(addresses)[:0]

    def reach(self, addresses: Iterable[str]) -> None:
        assert set(addresses) <= set(self.houses)

    def watch(self, addresses: Iterable[str], rooms: Sequence[str]) -> None:
        """Nobody asks."""

    def tell(self, addresses: Iterable[str], entries: Sequence[Entry]) -> None:
        for said in self.words(entries):
            for address in addresses:
                self.houses[address].told(said)


async def evening(store: MemoryStore, words: Words) -> tuple[Live, Live, Follower]:
    """Ann comes and goes at a table of the first house; someone watches it in the second."""
    wire = Wire(words)
    houses = [
        House(store, Options(leased=True, lease_seconds=0.3, address=name, inline=True, proving=True)) for name in "ab"
    ]
    for house in houses:
        wire.houses[house.options.address] = house
        house.peers = wire
        await house.start()
    room = await houses[0].make_table(ANN, Settings("star", clocks=Clocks(0, 0, 0, 0)), "")
    assert isinstance(room, str)
    lives = [await house.live(room) for house in houses]
    ours, theirs = lives
    assert ours is not None
    assert theirs is not None
    assert (ours.owned, theirs.owned) == (True, False)
    follower = Follower(room, Viewer())
    follower.join(theirs)
    await asyncio.sleep(0.2)  # by then each knows of the other
    for number in range(20):
        command = Leave("Ann") if number % 2 else Sit("Ann", 1)
        answer = await houses[number % 2].command(ANN, room, command, f"{number}", None)
        assert isinstance(answer, int), answer
    async with asyncio.timeout(5):
        while theirs.room.version < ours.room.version:  # noqa: ASYNC110 there is no event to wait for
            await asyncio.sleep(0.01)
    for house in houses:
        await house.close()
    return ours, theirs, follower


def same(ours: Live, theirs: Live, follower: Follower) -> None:
    assert theirs.room.state == ours.room.state
    assert follower.version == ours.room.version
    follower.sees(ours)


def test_words_alone_are_enough():
    ours, theirs, follower = asyncio.run(evening(QuietStore(), lambda entries: [entries]))
    same(ours, theirs, follower)
    assert follower.frames["_Step"] == 20


@pytest.mark.parametrize("seed", range(5))
def test_words_that_are_lost_or_come_twice_or_late_do_no_harm(seed):
    """A message that does not follow is ignored; the store has everything."""
    chance, before = Random(seed), []

    def muddled(entries: Sequence[Entry]) -> list[Sequence[Entry]]:
        before.append(entries)
        return chance.choices(before[-4:], k=chance.randrange(4))

    store = QuietStore()
    store.looks = True
    same(*asyncio.run(evening(store, muddled)))


def test_a_process_without_a_table_stands_among_the_leases():
    async def work() -> None:
        store = QuietStore()
        houses = [
            House(store, Options(leased=True, address=name, inline=True, proving=True)) for name in ("a:1/x", "b:2/y")
        ]
        for house in houses:
            await house.start()
        assert store.leased() == {"process/1": "a:1/x", "process/2": "b:2/y"}
        await houses[0].close()
        assert store.leased() == {"process/2": "b:2/y"}
        third = House(store, Options(leased=True, address="c:3/z", inline=True))
        await third.start()
        assert store.leased() == {"process/1": "c:3/z", "process/2": "b:2/y"}
        for house in (houses[1], third):
            await house.close()

    asyncio.run(work())

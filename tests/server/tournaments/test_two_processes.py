"""Two servers on one store: either accepts commands, one runs the tables, and when it dies the other continues."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from pontoon.server.house import House, Options
from pontoon.server.problems import Problem
from pontoon.server.rooms.live import Question
from pontoon.store.memory import MemoryStore
from pontoon.store.model import Entry
from pontoon.tournament import commands as c
from tests.server.tournaments.cup import DORA, SIX, Cup, chance, conditions

LEASE = 0.6


class Wire:
    """Delivers messages between the two houses, by the name in the lease."""

    def __init__(self) -> None:
        self.houses: dict[str, House] = {}

    async def ask(self, address: str, room: str, question: Question) -> int | Problem:
        house = self.houses[address]
        return await house.owned_command(question.actor, room, question.asked, question.key, question.seen)

    async def measure(self, addresses: Iterable[str]) -> list[str]:
        return list(addresses)[:0]

    def reach(self, addresses: Iterable[str]) -> None:
        """Local connections only."""

    def watch(self, addresses: Iterable[str], rooms: Sequence[str]) -> None:
        """Nobody asks."""

    def tell(self, addresses: Iterable[str], entries: Sequence[Entry]) -> None:
        for address in addresses:
            self.houses[address].told(entries)


class Pair(Cup):
    """Players and officials talk to `house`; `other` was there first."""

    def __init__(self) -> None:
        self.wire = Wire()
        super().__init__(MemoryStore())
        self.other = self._house()

    def _house(self) -> House:
        name = f"house {len(self.wire.houses) + 1}"
        options = Options(leased=True, lease_seconds=LEASE, address=name, inline=True, proving=True, heat_card=0)
        house = House(self.store, options, self.clock, chance)
        self.wire.houses[name] = house
        house.peers = self.wire
        return house


def steward(cup: Pair) -> House:
    """The owners of the tournament's tables."""
    lease = cup.store.lease(f"steward/{cup.id}")
    assert lease is not None
    return next(house for house in (cup.house, cup.other) if house.owner == lease.owner)


def test_one_runs_the_tables_and_when_it_dies_the_other_goes_on():
    async def work() -> None:
        cup = Pair()
        await cup.other.start()
        await cup.opened(*SIX)
        await cup.made(conditions(length="rounds = 3"))
        await cup.balloted(*SIX)
        for seat in cup.state.seats:
            await cup.do(seat.player, c.TakeSeat(""))
        cup.at_the_start()
        await cup.do(DORA, c.StartSession())
        await cup.run(lambda: cup.state.tables[0].rounds >= 1, 30)
        dead = steward(cup)
        if dead is cup.house:
            cup.house, cup.other = cup.other, cup.house
        assert dead is cup.other
        dead.closing = True
        await dead.tournaments.close()
        for task in (*dead._tasks, *(live.task for live in dead.lives.values() if live.task)):
            task.cancel()  # it notifies nobody: its leases expire
        await asyncio.sleep(2 * LEASE)
        await cup.run(lambda: cup.state.phase == "between" and not cup.state.ties, 60)
        assert steward(cup) is cup.house
        await cup.do(DORA, c.DrawBallot(""))
        await cup.started()
        await cup.run(lambda: cup.state.phase == "between" and not cup.state.ties, 60)
        await cup.finished()
        assert cup.state.phase == "over"
        books = cup.books()
        assert not [name for name in books if name.startswith(("pool/", "chips/", "chips_on/", "chip_bank/"))]
        await cup.house.close()

    asyncio.run(work())

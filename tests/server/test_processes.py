"""Three real processes on one PostgreSQL: one wallet, one order of events, one owner of each table."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pontoon.server.people.people import FIRST_CHIPS
from pontoon.server.records.replay import replay_faults
from pontoon.server.rooms.room import STREAM, stream_of
from pontoon.store import open_store
from pontoon.store.verify import faults
from tests.postgresql import Server
from tests.server.crash import up
from tests.server.test_sockets import Link, Servers, World, run, unbroken

ROUNDS, TABLES, LINKS = 100, 64, 64
"""One link per table: with fewer, a link would exceed a client's message limit."""
LEASE = 1.5


class Three:
    """Three processes, and a client for each."""

    def __init__(self, nursery: Servers) -> None:
        self.nursery = nursery
        self.worlds = [World(port) for port in nursery.ports]

    def pid(self, world: World) -> int:
        return self.nursery.pids[world.port]

    async def owner(self, table: str) -> World:
        """The process that owns a table; waits until there is one."""
        until = time.monotonic() + 10
        while True:
            for world in self.worlds:
                lobby = (await world.ask("GET", "/api/tables?limit=100")).json()
                if any(row["id"] == table and row["here"] for row in lobby["tables"]):
                    return world
            assert time.monotonic() < until, "nobody owns the table"
            await asyncio.sleep(0.05)

    def others(self, world: World) -> list[World]:
        return [other for other in self.worlds if other is not world]


def whole(database: str) -> None:
    """The log is intact and replays, nothing is duplicated, and no chips were created or lost."""
    store = open_store(database, read_only=True)
    try:
        assert list(faults(store)) == []
        assert list(replay_faults(store)) == []
        assert sum(store.balances().values()) == 0
        assert all(amount >= 0 for amount in store.balances("wallet/").values())
        keys = Counter(
            (head.stream, entry.by, entry.key)
            for head in store.heads(STREAM)
            for entry in store.read(head.stream, 0, 10**6)
            if entry.key
        )
        assert max(keys.values(), default=0) <= 1
    finally:
        store.close()


@pytest.fixture(scope="module")
def database(postgresql: Server) -> str:
    return postgresql.new_database()


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory, database: str) -> Iterator[Three]:
    folder: Path = tmp_path_factory.mktemp("three")
    with Servers(folder, database, 3, lease_seconds=LEASE) as nursery:
        for port in nursery.ports:
            nursery.start(port)
        for port in nursery.ports:
            asyncio.run(up(port))
        yield Three(nursery)
        log = nursery.log()
        for port in tuple(nursery.pids):
            nursery.kill(port, signal.SIGTERM)
    assert "trace" not in log, log[-3000:]
    whole(database)


# --- one wallet ----------------------------------------------------------------------------------------


async def all_in(links: list[Link], tables: list[str], number: int) -> dict[str, dict[str, Any]]:
    """Bet the whole balance at every table at once; returns the answers by table."""

    async def bet(link: Link, some: list[str]) -> dict[str, dict[str, Any]]:
        for table in some:
            command = {"type": "PlaceWager", "box": 1, "player": "", "stake": FIRST_CHIPS}
            await link.send(type="do", table=table, key=f"all in {number}/{table}", command=command)
        answers: dict[str, dict[str, Any]] = {}
        while len(answers) < len(some):
            frame = await link.next()
            if frame["type"] in ("done", "problem"):
                answers[frame["key"].partition("/")[2]] = frame
        return answers

    order = Random(number).sample(range(len(links)), len(links))
    found = await asyncio.gather(*(bet(links[place], tables[place :: len(links)]) for place in order))
    return {table: answer for answers in found for table, answer in answers.items()}


def test_of_64_wagers_of_everything_exactly_one_is_accepted(tmp_path, postgresql):
    """A hundred times, over three processes; afterwards the wager is taken back."""
    database = postgresql.new_database()

    async def work(three: Three) -> None:
        first = three.worlds[0]
        _, token = await first.guest("Ann")
        tables = [
            await three.worlds[place % 3].make(token, "star", maximum=0, name=f"{place}") for place in range(TABLES)
        ]
        winners: Counter[str] = Counter()
        async with AsyncExitStack() as stack:
            links = [await stack.enter_async_context(three.worlds[place % 3].link(token)) for place in range(LINKS)]
            began = time.monotonic()
            for number in range(ROUNDS):
                answers = await all_in(links, tables, number)
                assert len(answers) == TABLES
                accepted = [table for table, one in answers.items() if one["type"] == "done"]
                assert len(accepted) == 1, (number, accepted)
                codes = {answer["code"] for answer in answers.values() if answer["type"] == "problem"}
                assert codes == {"not_enough_chips"}
                winners.update(accepted)
                if number % 10 == 0:
                    me = await three.worlds[number % 3].ask("GET", "/api/me", token)
                    assert me.json()["wallet"] == 0
                back = await links[number % LINKS].do(accepted[0], "TakeBack", f"back {number}", box=1, player="")
                assert back["type"] == "done"
            seconds = time.monotonic() - began
        assert (await first.ask("GET", "/api/me", token)).json()["wallet"] == FIRST_CHIPS
        print(f"{ROUNDS} x {TABLES} in {seconds:.1f} s; {len(winners)} tables were first at least once")  # noqa: T201

    with Servers(tmp_path, database, 3, lease_seconds=3.0, seal_seconds=60) as nursery:
        for port in nursery.ports:
            nursery.start(port)
        for port in nursery.ports:
            asyncio.run(up(port))
        run(lambda: work(Three(nursery)))
        for port in tuple(nursery.pids):
            nursery.kill(port, signal.SIGTERM)
        assert "trace" not in nursery.log()
    whole(database)


# --- one order -----------------------------------------------------------------------------------------


def told(link: Link, table: str) -> tuple[list[str], str]:
    """All events in their order, and the table at the end, as text."""
    steps = link.steps(table)
    unbroken(steps)
    events = [repr(event) for step in steps for event in step.get("events", ())]
    return events, repr((steps[-1]["version"], steps[-1]["view"], steps[-1]["room"]))


def test_watchers_of_all_processes_see_the_same_in_the_same_order(three):
    async def work() -> None:
        people = [await world.guest(f"Player {place}") for place, world in enumerate(three.worlds)]
        table = await three.worlds[0].make(people[0][1], "canberra")
        owner = await three.owner(table)
        async with AsyncExitStack() as stack:
            watchers = [await stack.enter_async_context(world.link(watch=table)) for world in three.worlds]
            players = [
                await stack.enter_async_context(world.link(token))
                for world, (_, token) in zip(three.worlds, people, strict=True)
            ]
            first = watchers[0].heard[-1]["version"]
            assert {watcher.heard[-1]["version"] for watcher in watchers} == {first}

            async def bet(place: int) -> int:
                """From every process, whichever owns the table."""
                box, last = place + 1, 0
                for number in range(20):
                    fields = {} if number % 2 else {"stake": 1000}
                    kind = "TakeBack" if number % 2 else "PlaceWager"
                    done = await players[place].do(table, kind, box=box, player="", **fields)
                    assert done["type"] == "done", done
                    last = int(done["version"])
                return last

            last = max(await asyncio.gather(*(bet(place) for place in range(3))))
            assert last == first + 60
            for watcher in watchers:
                while watcher.heard[-1].get("version") != last:
                    await watcher.next()
            ours = [told(watcher, table) for watcher in watchers]
            assert ours[0] == ours[1] == ours[2]
            assert len(ours[0][0]) >= 60
            same = Counter(raw for watcher in watchers for raw in set(watcher.raw) if '"type":"step"' in raw)
            assert await three.owner(table) is owner
            print(f"60 commands: {sum(times == 3 for times in same.values())} frames equal byte by byte in all three")  # noqa: T201
            assert sum(times == 3 for times in same.values()) > 10

    run(work)


def test_a_command_through_any_process_is_answered_alike(three):
    async def work() -> None:
        name, token = await three.worlds[0].guest("Ann")
        table = await three.worlds[0].make(token, "star")
        async with AsyncExitStack() as stack:
            links = [await stack.enter_async_context(world.link(token)) for world in three.worlds]
            again = [
                await link.do(table, "PlaceWager", "once", box=1, player="", stake=2000) for link in (*links, *links)
            ]
            assert len({answer["version"] for answer in again}) == 1
            together = await asyncio.gather(
                *(link.do(table, "TakeBack", "back", box=1, player="") for link in links),
            )
            assert len({answer["version"] for answer in together}) == 1
            refused = [await link.do(table, "Hit", "no", box=1) for link in links]
            assert refused[0]["status"] == 409
            assert refused[0] == refused[1] == refused[2]
            for link, world in zip(links, three.worlds, strict=True):
                me = (await world.ask("GET", "/api/me", token)).json()
                assert (me["name"], me["wallet"]) == (name, FIRST_CHIPS)
                await link.drain(0.3)
                wallets = [message["wallet"] for message in link.heard if message["type"] == "wallet"]
                assert wallets[-1] == FIRST_CHIPS
        body = {"key": "large", "command": {"type": "Shuffle", "order": ["2c"] * 13_080}}  # the largest body
        answers = await asyncio.gather(
            *(world.ask("POST", f"/api/tables/{table}/commands", token, body) for world in three.worlds)
        )
        assert {answer.status_code for answer in answers} == {403}

    run(work)


def test_revoking_closes_the_sockets_of_every_process(three):
    async def work() -> None:
        _, token = await three.worlds[0].guest("Ann")
        async with AsyncExitStack() as stack:
            links = [await stack.enter_async_context(world.link(token)) for world in three.worlds]
            answer = await three.worlds[1].ask("DELETE", "/api/sessions/current", token)
            assert answer.status_code == 204
            assert [await link.closed() for link in links] == [4001] * 3
        for world in three.worlds:
            assert (await world.ask("GET", "/api/me", token)).status_code == 401

    run(work)


# --- one owner -----------------------------------------------------------------------------------------


def test_an_owner_that_slept_too_long_cannot_write(three, database):
    async def work() -> None:
        _, token = await three.worlds[0].guest("Sleeper")
        table = await three.worlds[0].make(token, "star")
        asleep = await three.owner(table)
        awake = three.others(asleep)[0]
        async with asleep.link(token, table) as old, awake.link(token, table) as new, awake.link(token) as twice:
            done = await old.do(table, "PlaceWager", "first", box=1, player="", stake=1000)
            assert done["type"] == "done"
            os.kill(three.pid(asleep), signal.SIGSTOP)
            try:
                # Pending in the sleeping process's socket: a command that is repeated elsewhere, and one that is not.
                repeated = {"type": "PlaceWager", "box": 2, "player": "", "stake": 3000}
                await old.send(type="do", table=table, key="twice", command=repeated)
                alone = {"type": "PlaceWager", "box": 3, "player": "", "stake": 500}
                await old.send(type="do", table=table, key="alone", command=alone)
                until = time.monotonic() + 20
                while True:  # a client asked to retry does so
                    second = await twice.do(table, "PlaceWager", "twice", box=2, player="", stake=3000)
                    if second["type"] == "done":
                        break
                    assert second["code"] == "not_here"
                    assert time.monotonic() < until
                taken_over = await three_owner(three, table, three.others(asleep))
                for _ in range(3):
                    assert (await new.do(table, "TakeBack", box=2, player=""))["type"] == "done"
                    again = await new.do(table, "PlaceWager", box=2, player="", stake=3000)
                    assert again["type"] == "done"
            finally:
                os.kill(three.pid(asleep), signal.SIGCONT)
            first = await old.until("done", key="twice")
            assert first["version"] == second["version"]
            third = await old.until("done", key="alone")
            assert third["version"] > again["version"]
            assert (await three.owner(table)) is taken_over
            final = await old.do(table, "TakeBack", "final", box=1, player="")
            assert final["type"] == "done"
            for link in (old, new):
                while link.steps(table)[-1]["version"] < final["version"]:
                    await link.next()
            assert old.steps(table)[-1]["view"] == new.steps(table)[-1]["view"]
            unbroken(new.steps(table))
        me = await awake.ask("GET", "/api/me", token)
        assert me.json()["wallet"] == FIRST_CHIPS - 3500
        store = open_store(database, read_only=True)
        try:
            keys = Counter(entry.key for entry in store.read(stream_of(table), 0, 1000) if entry.key)
            assert keys["twice"] == keys["alone"] == keys["first"] == 1
        finally:
            store.close()

    run(work)


async def three_owner(three: Three, table: str, worlds: list[World]) -> World:
    """The owner among these processes; the others may be suspended."""
    some = Three(three.nursery)
    some.worlds = worlds
    return await some.owner(table)

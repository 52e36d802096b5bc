"""The WebSocket of a real server process, with real clients: normal, flooding, stalled and cross-origin ones."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pontoon.server.people.people import FIRST_CHIPS
from pontoon.server.records.replay import replay_faults
from pontoon.server.rooms.room import stream_of
from pontoon.server.run import LARGEST_MESSAGE
from pontoon.server.sockets import BURST, OUTBOX
from pontoon.store import open_store
from pontoon.store.verify import faults
from tests.server.crash import ROOT, Nursery, free_port, up

OURS = "https://pontoon.example"
"""The page of another origin that may connect."""
PATIENT = {"card": 0, "wagers": 600_000, "decision": 600_000, "offer": 600_000}
"""Deal without delay and without time limits."""
LONGEST_DRAIN = 10.0
_NUMBERS = count(1)


class Servers(Nursery):
    """A server factory whose servers take extra options."""

    def __init__(self, folder: Path, database: str = "", processes: int = 1, **more: Any) -> None:
        super().__init__(folder, database, processes)
        self.more = {"limited": False, "origins": [OURS], **more}

    def start(self, port: int, **more: Any) -> None:
        super().start(port, **self.more, **more)


class Link:
    """A user's socket that records every frame."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.heard: list[dict[str, Any]] = []
        self.raw: list[str] = []

    async def send(self, **message: Any) -> None:
        await self.connection.send(json.dumps(message))

    async def next(self, seconds: float = 10) -> dict[str, Any]:
        content = await asyncio.wait_for(self.connection.recv(), seconds)
        assert isinstance(content, str)
        frame: dict[str, Any] = json.loads(content)
        self.raw.append(content)
        self.heard.append(frame)
        return frame

    async def until(self, kind: str, **facts: Any) -> dict[str, Any]:
        """The next frame of this kind, with these facts."""
        while True:
            frame = await self.next()
            if frame["type"] == kind and all(frame.get(name) == value for name, value in facts.items()):
                return frame

    async def do(self, table: str, kind: str, key: str = "", **fields: Any) -> dict[str, Any]:
        """Give a command; the answer to it."""
        key = key or f"key {next(_NUMBERS)}"
        seen = fields.pop("version", None)
        sent: dict[str, Any] = {"table": table, "key": key, "command": {"type": kind, **fields}}
        await self.send(type="do", **sent, **({"version": seen} if seen is not None else {}))
        while True:
            frame = await self.next()
            if frame["type"] in ("done", "problem") and frame["key"] == key:
                return frame

    async def drain(self, seconds: float = 0.15) -> list[dict[str, Any]]:
        """Whatever still comes."""
        place = len(self.heard)
        try:
            while True:
                await self.next(seconds)
        except TimeoutError:
            return self.heard[place:]

    async def closed(self, seconds: float = 10) -> int:
        """Read to the end; the code the server closed with."""
        try:
            while True:
                await self.next(seconds)
        except ConnectionClosed as end:
            return end.rcvd.code if end.rcvd is not None else 1006

    def steps(self, table: str) -> list[dict[str, Any]]:
        return [
            message for message in self.heard if message["type"] in ("step", "snapshot") and message["table"] == table
        ]


def unbroken(steps: list[dict[str, Any]]) -> None:
    """Each step begins right behind the version before it."""
    for before, after in pairwise(steps):
        assert after["type"] == "snapshot" or after["first"] == before["version"] + 1


class World:
    """One server and its clients."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def ask(self, method: str, path: str, token: str = "", body: object = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}", timeout=20, verify=False) as web:  # noqa: S501 no TLS here, and reading certificates takes long
            return await web.request(method, path, json=body, headers=headers)

    async def guest(self, name: str) -> tuple[str, str]:
        answer = await self.ask("POST", "/api/guests", body={"name": name})
        assert answer.status_code == 201, answer.text
        return answer.json()["name"], answer.json()["token"]

    async def make(self, token: str, book: str = "star", **settings: Any) -> str:
        body = {"rulebook": book, "clocks": PATIENT, **settings}
        answer = await self.ask("POST", "/api/tables", token, body)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    @asynccontextmanager
    async def link(self, token: str = "", watch: str = "", **options: Any) -> Any:
        options = {"ping_interval": None, "close_timeout": 1, "compression": None, **options}
        async with connect(f"ws://127.0.0.1:{self.port}/play", **options) as connection:
            link = Link(connection)
            if token:
                await link.send(type="hello", token=token)
                await link.until("welcome")
            if watch:
                await link.send(type="watch", table=watch)
                await link.until("snapshot", table=watch)
            yield link


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A server shared by most tests below."""
    with Servers(tmp_path_factory.mktemp("sockets")) as nursery:
        nursery.start(nursery.ports[0])
        asyncio.run(up(nursery.ports[0]))
        yield World(nursery.ports[0])
        log = nursery.log()
        assert "trace" not in log, log[-3000:]
        assert '"level": "error"' not in log


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        await asyncio.wait_for(work(), 60)

    asyncio.run(limited())


# --- who is there --------------------------------------------------------------------------------------


def test_signing_in_by_message_header_and_cookie(running):
    async def work() -> None:
        name, token = await running.guest("Ann")
        ways: list[dict[str, Any]] = [
            {"additional_headers": {"Authorization": f"Bearer {token}"}},
            {"additional_headers": {"Cookie": f"other=1; pontoon={token}"}},
        ]
        wanted = {"type": "welcome", "name": name, "role": "player", "guest": True, "wallet": FIRST_CHIPS}
        for options in ways:
            async with running.link(**options) as link:
                assert await link.next() == wanted
        async with running.link() as link:
            await link.send(type="hello", token=token)
            assert await link.next() == wanted
        async with running.link() as link:
            await link.send(type="hello", token="nobody's")  # noqa: S106
            no = await link.next()
            assert (no["status"], no["code"]) == (401, "unknown_token")
            await link.send(type="hello", token=token)  # and may try again
            assert await link.next() == wanted

    run(work)


def test_watching_needs_no_account_and_doing_does(running):
    async def work() -> None:
        _, token = await running.guest("Ann")
        table = await running.make(token)
        async with running.link(token) as ann, running.link(watch=table) as nobody:
            no = await nobody.do(table, "Sit", box=1, player="")
            assert (no["status"], no["code"]) == (401, "unknown_token")
            assert (await ann.do(table, "Sit", box=1, player=""))["type"] == "done"
            step = await nobody.until("step")
            assert step["view"]["seats"][0]["box"] == 1
            await nobody.send(type="unwatch", table=table)
            await nobody.send(type="watch", table="nowhere")
            assert (await nobody.until("problem"))["code"] == "no_such_table"
            assert (await ann.do(table, "Leave", player=""))["type"] == "done"
            assert await nobody.drain() == []

    run(work)


def test_a_watcher_who_signs_in_at_a_practice_table_has_chips_to_play_with(running):
    async def work() -> None:
        _, token = await running.guest("Ann")
        table = await running.make(token, practice=True)
        _, other = await running.guest("Ben")
        async with running.link(watch=table) as ben:
            await ben.send(type="hello", token=other)
            assert (await ben.until("welcome"))["practice"] == FIRST_CHIPS

    run(work)


# --- the door ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://127.0.0.1:1", "file://", "http://[", "http://127.0.0.1.evil.example"],
)
def test_a_foreign_page_is_not_let_in(running, origin):
    async def work() -> None:
        with pytest.raises(InvalidStatus) as no:
            async with running.link(origin=origin):
                pass
        assert no.value.response.status_code == 403

    run(work)


def test_our_own_page_and_one_that_was_named_are(running):
    async def work() -> None:
        for origin in (f"http://127.0.0.1:{running.port}", OURS):
            async with running.link(origin=origin) as link:
                await link.send(type="ping", at=7)
                assert await link.next() == {"type": "pong", "at": 7}

    run(work)


def test_a_message_that_is_too_long_ends_the_socket(running):
    async def work() -> None:
        _, token = await running.guest("Ann")
        table = await running.make(token)
        async with running.link(token, table) as ann:
            async with running.link(token) as link:
                await link.send(type="hello", token="x" * (LARGEST_MESSAGE - 60))  # large, and refused as a message
                assert (await link.next())["code"] == "malformed"
                await link.send(type="hello", token="x" * 17_000)
                assert await link.closed() == 1009
            assert (await ann.do(table, "Sit", box=1, player=""))["type"] == "done"

    run(work)


def test_a_flood_is_warned_then_disconnected_and_nobody_else_notices(running):
    async def work() -> None:
        _, token = await running.guest("Ann")
        table = await running.make(token)
        async with running.link(token, table) as ann, running.link(token) as flood:
            began = time.monotonic()
            try:
                for number in range(int(BURST * 4)):
                    await flood.send(type="ping", at=number)
            except ConnectionClosed:
                pass
            code = await flood.closed()
            assert code == 4029
            allowed = BURST + 30 * (time.monotonic() - began) + 1
            pongs = [message for message in flood.heard if message["type"] == "pong"]
            assert [pong["at"] for pong in pongs] == list(range(len(pongs)))
            assert len(pongs) <= allowed
            told = [message["code"] for message in flood.heard if message["type"] == "problem"]
            assert told
            assert set(told) == {"too_many"}
            assert (await ann.do(table, "Sit", box=1, player=""))["type"] == "done"
            async with running.link(token) as again:  # and may come back
                await again.send(type="ping", at=1)
                assert (await again.next())["type"] == "pong"

    run(work)


# --- commands ------------------------------------------------------------------------------------------


def test_a_repeated_command_has_one_effect_and_one_answer(running):
    async def work() -> None:
        name, token = await running.guest("Ann")
        table = await running.make(token)
        async with running.link(token, table) as ann, running.link(token) as other:
            first = await ann.do(table, "PlaceWager", key="the wager", box=1, player="", stake=1000)
            assert first["type"] == "done"
            for link in (ann, other, ann):
                again = await link.do(table, "PlaceWager", key="the wager", box=1, player="", stake=1000)
                assert again == first
            again = await ann.do(table, "TakeBack", key="the wager", box=1, player="")  # a key stands for one command
            assert (again["type"], again["code"]) == ("problem", "key_reused")
            await ann.drain()
            assert len([step for step in ann.steps(table) if step["type"] == "step"]) == 1
        me = await running.ask("GET", "/api/me", token)
        assert (me.json()["name"], me.json()["wallet"]) == (name, FIRST_CHIPS - 1000)

    run(work)


def test_a_refusal_says_why_and_only_to_the_sender(running):
    async def work() -> None:
        _, token = await running.guest("Ann")
        _, other = await running.guest("Ben")
        table = await running.make(token)
        async with running.link(token, table) as ann, running.link(other, table) as ben:
            no = await ann.do(table, "Hit", box=1)
            assert no == {
                "type": "problem", "key": no["key"], "status": 409, "code": no["code"], "words": no["words"],
                **({"clauses": no["clauses"]} if "clauses" in no else {}),
            }  # fmt: skip
            no = await ann.do(table, "PlaceWager", box=1, player="", stake=1)
            assert (no["status"], no["code"]) == (409, "below_minimum")
            assert no["clauses"]
            assert no["words"]
            no = await ann.do(table, "PlaceWager", box=1, player="", stake=50_000_000)
            assert no["status"] == 409
            no = await ben.do(table, "Pause", reason="mine")
            assert (no["status"], no["code"]) == (403, "not_yours")
            no = await ben.do(table, "PlaceWager", box=1, player="Ann", stake=1000)
            assert no["status"] == 403
            no = await ben.do(table, "Sit", box=1, player="", version=10**6)
            assert no["code"] == "stale"
            no = await ben.do("nowhere", "Sit", box=1, player="")
            assert no["status"] == 404
            await ben.send(type="do", table=table, key="role", command={"type": "Pass"}, **{"as": "dealer"})
            assert (await ben.until("problem"))["status"] == 403
            await ben.connection.send('{"type":"ping","at":1,"at":2}')
            assert (await ben.until("problem"))["code"] == "malformed"
            await ann.drain()
            await ben.drain()
            for link in (ann, ben):
                assert [message for message in link.heard if message["type"] == "step"] == []
            assert {message["code"] for message in ann.heard if message["type"] == "problem"}.isdisjoint(
                {"stale", "not_yours"}
            )

    run(work)


def test_wallets_are_sent_to_their_owners_only(running):
    async def work() -> None:
        _, token = await running.guest("Ann")
        _, other = await running.guest("Ben")
        table = await running.make(token)
        async with running.link(token, table) as ann, running.link(token) as phone, running.link(other, table) as ben:
            assert (await ann.do(table, "PlaceWager", box=1, player="", stake=2500))["type"] == "done"
            for link in (ann, phone):
                frame = {"type": "wallet", "wallet": FIRST_CHIPS - 2500}
                assert frame in link.heard or await link.until("wallet") == frame
            await ben.drain()
            assert [message for message in ben.heard if message["type"] == "wallet"] == []

    run(work)


def test_an_emote_reaches_the_table_only_from_someone_who_plays_there(running):
    async def work() -> None:
        (ann, token), (_, other) = await running.guest("Emma"), await running.guest("Otto Stranger")
        table = await running.make(token)
        async with running.link(token, table) as link, running.link(other, table) as stranger:
            await stranger.send(type="react", table=table, emote="ouch")
            assert (await stranger.until("problem"))["code"] == "emote_needs_seat"
            assert (await link.do(table, "Sit", player="", box=1))["type"] == "done"
            await link.send(type="react", table=table, emote="well_played")
            shown = {"type": "emote", "table": table, "player": ann, "emote": "well_played"}
            assert await stranger.until("emote") == shown
            assert await link.until("emote") == shown
            await link.send(type="react", table=table, emote="lucky")  # too soon
            assert (await link.until("problem"))["code"] == "too_many"
            await link.send(type="react", table=table, emote="a word of my own")
            assert (await link.until("problem"))["code"] == "malformed"
            assert all(frame["type"] != "emote" for frame in await stranger.drain())

    run(work)


def test_a_private_table_is_found_by_its_name_alone(running):
    async def work() -> None:
        _, token = await running.guest("Ann")
        hidden, shown = await running.make(token, private=True), await running.make(token)
        lobby = await running.ask("GET", "/api/tables?limit=100")
        names = {table["id"] for table in lobby.json()["tables"]}
        assert shown in names
        assert hidden not in names
        assert len(hidden) == 24
        async with running.link(watch=hidden) as link:
            assert link.heard[-1]["room"]["private"] is True
        for path in ("/metrics", "/openapi.json", "/"):
            assert hidden not in (await running.ask("GET", path)).text

    run(work)


# --- coming back ---------------------------------------------------------------------------------------


async def rounds(link: Link, table: str, box: int, number: int) -> None:
    """Play this many rounds alone: one wager, then stand or pass at every question."""
    for _ in range(number):
        assert (await link.do(table, "PlaceWager", box=box, player="", stake=1000))["type"] == "done"
        await link.do(table, "Pass")
        for _ in range(12):
            await link.drain(0.02)
            last = link.steps(table)[-1]
            if last["room"].get("waits") == "wagers":
                break
            if last["room"].get("waits") == "decision":
                await link.do(table, "Stand", box=box)
            else:
                await link.do(table, "Pass")


def test_a_client_that_reconnects_gets_exactly_what_it_missed(running):
    async def work() -> None:
        _, token = await running.guest("Ann")
        table = await running.make(token)
        async with running.link(token, table) as ann:
            await rounds(ann, table, 1, 3)
            whole = ann.steps(table)
            unbroken(whole)
            assert len(whole) > 6
            for away in whole:  # as if cut off after any of them
                async with running.link() as back:
                    await back.send(type="watch", table=table, after=away["version"])
                    await back.send(type="ping", at=1)
                    await back.until("pong")
                    missed = back.heard[:-1]
                    assert missed == [message for message in whole if message["version"] > away["version"]]
            inside = next(message for message in whole[1:] if message["version"] > message["first"])
            for after in (0, None, -3, whole[-1]["version"] + 5, inside["first"]):
                async with running.link() as back:
                    await back.send(type="watch", table=table, after=after)
                    shot = await back.next()
                    assert (shot["type"], shot["version"]) == ("snapshot", whole[-1]["version"])
                    assert shot["view"] == whole[-1]["view"]
                    assert shot["room"] == whole[-1]["room"]

    run(work)


def test_too_long_ago_is_a_snapshot(running):
    async def work() -> None:
        _, token = await running.guest("Ann")
        table = await running.make(token)
        async with running.link(token, table) as ann:
            early = ann.heard[-1]["version"]
            for number in range(70):
                kind = "PlaceWager" if number % 2 == 0 else "TakeBack"
                fields = {"stake": 1000} if kind == "PlaceWager" else {}
                assert (await ann.do(table, kind, box=1, player="", **fields))["type"] == "done"
            async with running.link() as back:
                await back.send(type="watch", table=table, after=early)
                assert (await back.next())["type"] == "snapshot"
                await back.send(type="watch", table=table, after=early + 40)
                await back.send(type="ping", at=1)
                await back.until("pong")
                steps = back.steps(table)[1:]
                assert steps[0]["first"] == early + 41
                unbroken(steps)
                assert steps[-1]["version"] == early + 70

    run(work)


# --- a client that does not read -----------------------------------------------------------------------


ODD = """
import socket, sys
from pathlib import Path
from pontoon.server import run
port, folder, run.HEARTBEAT, size = int(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
config = run.Config(port=port, data=folder, limited=False)
listener = run.listening(config)
if size:
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, size)
run.serve(config, listener, run.store_of(config))
"""
"""A server with a different heartbeat and buffer."""


@contextmanager
def odd_server(folder: Path, heartbeat: float = 20.0, buffer: int = 0) -> Iterator[World]:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-c", ODD, str(port), str(folder), str(heartbeat), str(buffer)],
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
    )
    try:
        yield World(port)
    finally:
        process.terminate()
        _, log = process.communicate(timeout=15)
    assert b"trace" not in log, log[-3000:]


async def deaf(world: World, table: str) -> Link:
    """A client with a small buffer that stops reading."""
    small = socket.socket()
    small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    small.setblocking(False)
    await asyncio.get_running_loop().sock_connect(small, ("127.0.0.1", world.port))
    connection = await connect(
        f"ws://127.0.0.1:{world.port}/play", sock=small, ping_interval=None, compression=None, close_timeout=1
    )
    link = Link(connection)
    await link.send(type="watch", table=table)
    await link.until("snapshot")
    connection.transport.pause_reading()
    return link


def test_a_client_that_does_not_read_is_cut_off_and_slows_nobody(tmp_path):
    """With a small buffer of the kernel's, which else takes up to four megabytes before anyone has to wait."""

    async def work(running: World) -> None:
        await up(running.port)
        _, token = await running.guest("Ann")
        table = await running.make(token)
        async with running.link(watch=table) as other:
            stalled = await deaf(running, table)
            seen = stalled.heard[-1]["version"]
            listening = asyncio.create_task(other.closed(5))
            slowest, sent = 0.0, 0
            while sent < OUTBOX * 2 and not await cut_off(running):
                async with running.link(token) as ann:
                    for number in range(80):
                        began = time.monotonic()
                        fields = {"stake": 1000} if number % 2 == 0 else {}
                        kind = "TakeBack" if number % 2 else "PlaceWager"
                        assert (await ann.do(table, kind, box=1, player="", **fields))["type"] == "done"
                        slowest = max(slowest, time.monotonic() - began)
                        sent += 1
            assert await cut_off(running), sent
            stalled.connection.transport.resume_reading()
            assert await stalled.closed() in (4008, 1006)
            missed = stalled.steps(table)
            unbroken(missed)
            last = missed[-1]["version"]
            assert seen <= last < seen + sent
            assert slowest < 2
            async with running.link() as back:  # and comes back like any other
                await back.send(type="watch", table=table, after=last)
                while back.heard[-1:] == [] or back.heard[-1].get("version") != seen + sent:
                    await back.next()
                unbroken([*missed, *back.steps(table)])
            while other.heard[-1].get("version") != seen + sent:  # noqa: ASYNC110 the task listens
                await asyncio.sleep(0.02)
            listening.cancel()
            heard = other.steps(table)
            unbroken(heard)
            assert [message["type"] for message in heard].count("snapshot") == 1
            print(f"cut off after {len(missed)} of {sent} frames; slowest answer meanwhile {slowest * 1000:.0f} ms")  # noqa: T201

    with odd_server(tmp_path, buffer=16_384) as world:
        run(lambda: work(world))


async def metrics(world: World) -> str:
    return (await world.ask("GET", "/metrics")).text


async def cut_off(world: World) -> bool:
    """Whether a client was: counted when its outbox is full, and again if it still does not read after some seconds."""
    return "pontoon_sockets_cut_off_total 0.0" not in await metrics(world)


# --- ends ----------------------------------------------------------------------------------------------


def test_a_token_that_is_revoked_closes_its_sockets(running):
    async def work() -> None:
        _, token = await running.guest("Ann")
        _, other = await running.guest("Ben")
        async with running.link(token) as one, running.link(token) as two, running.link(other) as ben:
            answer = await running.ask("DELETE", "/api/sessions/current", token)
            assert answer.status_code == 204
            assert await one.closed() == 4001
            assert await two.closed() == 4001
            await ben.send(type="ping", at=1)
            assert (await ben.next())["type"] == "pong"
        async with running.link() as late:
            await late.send(type="hello", token=token)
            assert (await late.next())["code"] == "unknown_token"

    run(work)


def test_heartbeats_find_the_dead(tmp_path):
    async def work(world: World) -> None:
        await up(world.port)
        async with world.link() as alive:
            dead = await connect(f"ws://127.0.0.1:{world.port}/play", ping_interval=None, compression=None)
            dead.transport.pause_reading()  # so it answers no ping
            assert "pontoon_sockets 2.0" in await metrics(world)
            until = time.monotonic() + 10
            while "pontoon_sockets 1.0" not in await metrics(world):
                assert time.monotonic() < until
                await asyncio.sleep(0.1)
            await alive.send(type="ping", at=3)
            assert await alive.next() == {"type": "pong", "at": 3}
            pong = await alive.connection.ping()
            assert await asyncio.wait_for(pong, 5) < 5
            dead.transport.abort()
            await dead.wait_closed()

    with odd_server(tmp_path, heartbeat=1.0) as world:
        run(lambda: work(world))


class Keen:
    """A player who bets and withdraws as fast as possible until the server stops."""

    def __init__(self, world: World, who: tuple[str, str], table: str, box: int) -> None:
        self.world, (self.name, self.token), self.table, self.box = world, who, table, box
        self.done: list[tuple[str, int]] = []
        self.code = 0

    async def run(self) -> None:
        async with self.world.link(self.token, self.table) as link:
            try:
                for number in range(1000):
                    await self.bet(link, number)
                    await asyncio.sleep(0.02)
            except ConnectionClosed as end:
                self.code = end.rcvd.code if end.rcvd is not None else 1006

    async def bet(self, link: Link, number: int) -> None:
        key = f"{self.name} {number}"
        kind, fields = ("TakeBack", {}) if number % 2 else ("PlaceWager", {"stake": 1000})
        answer = await link.do(self.table, kind, key, box=self.box, player="", **fields)
        if answer["type"] == "done":
            self.done.append((key, answer["version"]))
        else:
            assert answer["code"] in ("closing", "too_many"), answer


async def ended(nursery: Servers, *, with_a_deaf_client: bool) -> tuple[float, list[Keen]]:
    """How long the server took to stop with clients connected and rounds open, and their close codes."""
    world = World(nursery.ports[0])
    await up(world.port)
    people = [await world.guest(f"Player {letter}") for letter in "ABCDE"]
    tables = [await world.make(people[0][1], book) for book in ("star", "canberra", "federal")]
    keen = [Keen(world, who, tables[place % 2], 1 + place) for place, who in enumerate(people[:4])]
    async with world.link(people[4][1], tables[2]) as link:  # an open round with cards on the layout
        await link.do(tables[2], "PlaceWager", box=1, player="", stake=1000)
        assert (await link.do(tables[2], "Pass"))["type"] == "done"
        tasks = [asyncio.create_task(player.run()) for player in keen]
        stalled = await deaf(world, tables[1]) if with_a_deaf_client else None
        while sum(len(player.done) for player in keen) < 60:  # noqa: ASYNC110 there is no event to wait for
            await asyncio.sleep(0.01)
        began = time.monotonic()
        await asyncio.to_thread(nursery.kill, world.port, signal.SIGTERM)
        took = time.monotonic() - began
        await asyncio.gather(*tasks)
        assert await link.closed() == 1012
    if stalled is not None:
        stalled.connection.transport.abort()
        await stalled.connection.wait_closed()
    return took, keen


@pytest.mark.parametrize("with_a_deaf_client", [False, True])
def test_sigterm_drains_and_loses_nothing(tmp_path, with_a_deaf_client):
    with Servers(tmp_path) as nursery:
        nursery.start(nursery.ports[0])
        took, keen = asyncio.run(ended(nursery, with_a_deaf_client=with_a_deaf_client))
        log = nursery.log()
    assert took < LONGEST_DRAIN
    assert [player.code for player in keen] == [1012] * 4
    assert "trace" not in log, log[-3000:]
    assert '"event": "stopped"' in log
    store = open_store(str(tmp_path / "pontoon.db"), read_only=True)
    try:
        assert list(faults(store)) == []
        assert list(replay_faults(store)) == []
        for player in keen:
            for key, version in player.done:
                entry = store.read(stream_of(player.table), version - 1, 1)[0]
                assert (entry.by, entry.key) == (player.name, key)
        last = store.roots(0, 1000)[-1]
        assert list(last.heads) == store.heads(), "the last root is over everything"
    finally:
        store.close()
    print(f"{sum(len(player.done) for player in keen)} acknowledged, all there; gone after {took:.2f} s")  # noqa: T201

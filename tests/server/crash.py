"""kill -9 at random moments under load: clients that record every answer, and the comparison with the log.

Nothing acknowledged may be lost, nothing applied twice, no chip may be created or lost, and an open round must be
finished after the restart.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from math import inf
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from pontoon.server.records.replay import replay_faults
from pontoon.server.rooms.room import STREAM, Room
from pontoon.store import open_store
from pontoon.store.verify import faults

ROOT = Path(__file__).resolve().parents[2]
LIVELY = {"card": 0, "wagers": 300, "decision": 300, "offer": 100}
"""Clocks in milliseconds: rounds that continue by themselves when a client is away."""
BOOKS = ("division-15", "star", "adelaide", "canberra", "federal")


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Nursery:
    """Starts servers and kills them."""

    def __init__(self, folder: Path, database: str = "", processes: int = 1) -> None:
        self.folder = folder
        self.database = database
        self.ports = [free_port() for _ in range(processes)]
        self.pids: dict[int, int] = {}
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.nursery"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        )
        assert self._line() == "ready"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for port in tuple(self.pids):
            self.kill(port)
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _line(self) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def start(self, port: int, **more: Any) -> None:
        """A server on this port with the additional options `more`; it may take a moment to answer."""
        told = {
            "port": port,
            "data": str(self.folder),
            "database": self.database,
            "lease_seconds": 0.6,
            "seal_seconds": 0.5,
            "log": str(self.folder / f"server-{port}.log"),
            **more,
        }
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(told) + "\n")
        self._process.stdin.flush()
        self.pids[port] = int(self._line())

    def kill(self, port: int, how: int = signal.SIGKILL) -> None:
        """Stop it, and wait until it has exited."""
        pid = self.pids.pop(port, 0)
        if not pid:
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, how)
        until = time.monotonic() + 15
        while _lives(pid):
            assert time.monotonic() < until, "a killed process lives on"
            time.sleep(0.002)

    def log(self) -> str:
        return "\n".join(path.read_text() for path in self.folder.glob("server-*.log"))


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def up(port: int, seconds: float = 60) -> None:
    """Wait until a server is ready."""
    until = time.monotonic() + seconds
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as web:
        while True:
            with contextlib.suppress(httpx.HTTPError):
                if (await web.get("/ready", timeout=1)).status_code == 200:
                    return
            assert time.monotonic() < until, f"the server on port {port} does not come up"
            await asyncio.sleep(0.01)


class Given(Struct):
    """A command sent by a client, and its answers."""

    table: str
    name: str
    key: str
    command: dict[str, Any]
    version: int = 0
    """The acknowledged version; 0 if none."""
    refused: str = ""
    copies: int = 0
    """How often it was sent: a copy may be done after another was refused."""


class Player:
    """A client that keeps playing, repeats unanswered commands and records everything."""

    patience = inf
    """Seconds without an answer after which it tries another server."""

    def __init__(self, ports: list[int], name: str, token: str, table: str, box: int, chance: random.Random) -> None:
        self.ports, self.name, self.token, self.table, self.box, self.chance = ports, name, token, table, box, chance
        self.given: list[Given] = []
        self.waiting: Given | None = None
        self.frame: dict[str, Any] | None = None
        self.seen = 0
        self.stop = False
        self.problems: Counter[str] = Counter()
        self.gaps = 0
        self.sent_at = 0.0
        self.answered_at: list[float] = []

    def url(self) -> str:
        """A server, by chance."""
        return f"ws://127.0.0.1:{self.chance.choice(self.ports)}/play"

    async def run(self) -> None:
        while not self.stop:
            with contextlib.suppress(OSError, WebSocketException, TimeoutError, asyncio.IncompleteReadError):
                async with connect(self.url(), open_timeout=1, close_timeout=0.2, ping_interval=None) as link:
                    await self._session(link)
            await asyncio.sleep(0.02)

    async def _session(self, link: ClientConnection) -> None:
        await link.send(json.dumps({"type": "hello", "token": self.token}))
        await link.send(json.dumps({"type": "watch", "table": self.table, "after": self.seen or None}))
        if self.waiting is not None:
            await self._send(link, self.waiting)
        while not self.stop and (self.waiting is None or time.monotonic() < self.sent_at + self.patience):
            if self.waiting is None and self.frame is not None:
                await self._next(link)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.2):  # `wait_for` can lose a cancellation in Python 3.11
                    self._take(json.loads(await link.recv()))

    def _take(self, frame: dict[str, Any]) -> None:
        match frame["type"]:
            case "snapshot" | "step":
                if frame["type"] == "step" and self.seen and frame["first"] != self.seen + 1:
                    self.gaps += 1
                self.seen = frame["version"]
                self.frame = frame
            case "done" if self.waiting is not None and frame["key"] == self.waiting.key:
                self.waiting.version = frame["version"]
                self.waiting = None
                self.answered_at.append(time.monotonic())
            case "problem":
                self.problems[frame["code"]] += 1
                if self.waiting is not None and frame["key"] == self.waiting.key and frame["code"] not in AGAIN:
                    self.waiting.refused = frame["code"]
                    self.waiting = None
            case _:
                pass

    async def _next(self, link: ClientConnection) -> None:
        command = self._choose()
        if command is None:
            return
        given = Given(self.table, self.name, f"{self.name}-{len(self.given)}", command)
        self.given.append(given)
        self.waiting = given
        await self._send(link, given)

    async def _send(self, link: ClientConnection, given: Given) -> None:
        message = {"type": "do", "table": self.table, "key": given.key, "command": given.command}
        self.sent_at = time.monotonic()
        for _ in range(self.chance.choice((1, 1, 1, 2))):  # an occasional duplicate
            given.copies += 1
            await link.send(json.dumps(message))

    def _choose(self) -> dict[str, Any] | None:
        """A sensible command for the last frame."""
        assert self.frame is not None
        view, room = self.frame["view"], self.frame["room"]
        if not any(seat["player"] == self.name for seat in view.get("seats", ())) and view["phase"] != "closed":
            return {"type": "Sit", "box": self.box, "player": ""}
        if view["phase"] == "ready":
            boxes = view.get("round", {}).get("boxes", ())
            mine = any(bettor["player"] == self.name for box in boxes for bettor in box["bettors"])
            if not mine:
                return {"type": "PlaceWager", "box": self.box, "player": "", "stake": 1000}
            return {"type": "Pass"} if self.name not in room.get("passed", ()) else None
        choices = view.get("round", {}).get("choices", ())
        allowed = [
            command for choice in choices if choice.get("player") == self.name for command in choice.get("allowed", ())
        ]
        allowed = [command for command in allowed if command["type"] not in ("TakeBack", "Insure")]
        if room.get("waits") == "decision" and self.name in room.get("players", ()) and allowed:
            return dict(self.chance.choice(allowed))
        if self.name in room.get("players", ()) and self.name not in room.get("passed", ()):
            return {"type": "Pass"}
        return None


AGAIN = ("not_here", "closing", "too_many", "store_away", "unsure")
"""Answers after which a client asks again with the same key."""


BUGS = ("table_failed", "message_failed", "owner_failed", "entries_not_published")
"""Events in the server's log that no crash excuses."""


class Report(Struct):
    """The results of a campaign."""

    kills: int = 0
    commands: int = 0
    acknowledged: int = 0
    refused: int = 0
    rounds: int = 0
    entries: int = 0
    gaps: int = 0
    seconds: float = 0.0
    longest_down: float = 0.0


async def people(port: int, names: list[str], host: str = "127.0.0.1") -> list[str]:
    """Guests with their tokens."""
    async with httpx.AsyncClient(base_url=f"http://{host}:{port}", timeout=20) as web:
        tokens = []
        for name in names:
            answer = await web.post("/api/guests", json={"name": name})
            assert answer.status_code in (200, 201), answer.text
            tokens.append(answer.json()["token"])
        return tokens


async def make_tables(port: int, token: str, books: tuple[str, ...], host: str = "127.0.0.1") -> list[str]:
    async with httpx.AsyncClient(base_url=f"http://{host}:{port}", timeout=20) as web:
        made = []
        for number, book in enumerate(books):
            body = {"rulebook": book, "clocks": LIVELY, "key": f"table-{number}"}
            answer = await web.post("/api/tables", json=body, headers={"Authorization": f"Bearer {token}"})
            assert answer.status_code in (200, 201), answer.text
            made.append(answer.json()["id"])
        return made


async def campaign(folder: Path, database: str, kills: int, seed: int, processes: int = 1) -> Report:
    """Play, kill, restart, `kills` times over; then let the rounds end and check everything."""
    chance = random.Random(seed)
    report = Report(kills=kills)
    began = time.monotonic()
    with Nursery(folder, database, processes) as nursery:
        for port in nursery.ports:
            nursery.start(port)
        for port in nursery.ports:
            await up(port)
        names = [f"Player {letter}" for letter in "ABCDEF"]
        tokens = await people(nursery.ports[0], names)
        tables = await make_tables(nursery.ports[0], tokens[0], tuple(chance.sample(BOOKS, 2)))
        players = [
            Player(nursery.ports, name, token, tables[place % 2], 1 + place // 2, random.Random(seed * 100 + place))
            for place, (name, token) in enumerate(zip(names, tokens, strict=True))
        ]
        tasks = [asyncio.create_task(player.run()) for player in players]
        try:
            for _ in range(kills):
                await asyncio.sleep(chance.uniform(0.02, 0.45))
                port = chance.choice(nursery.ports)
                down = time.monotonic()
                nursery.kill(port)
                nursery.start(port)
                await up(port)
                report.longest_down = max(report.longest_down, time.monotonic() - down)
            await asyncio.sleep(1.0)
        finally:  # after a failure, too
            for player in players:
                player.stop = True
        await asyncio.gather(*tasks)
        await rounds_end(nursery.ports[0], tables)
        for port in tuple(nursery.pids):
            nursery.kill(port, signal.SIGTERM)
        check_evening(folder, database, players, report, nursery.log())
    report.seconds = time.monotonic() - began
    return report


async def rounds_end(port: int, tables: list[str], host: str = "127.0.0.1") -> None:
    """Without players, the clocks finish every open round."""
    until = time.monotonic() + 20
    async with httpx.AsyncClient(base_url=f"http://{host}:{port}", timeout=5) as web:
        for table in tables:
            while (await web.get(f"/api/tables/{table}")).json()["view"]["phase"] != "ready":
                assert time.monotonic() < until, f"the open round of table {table} was not resumed"
                await asyncio.sleep(0.05)


def check_evening(folder: Path, database: str, players: list[Player], report: Report, log: str) -> None:
    """Nothing acknowledged is lost or applied twice, and every chip is accounted for."""
    store = open_store(database or str(folder / "pontoon.db"), read_only=True)
    try:
        assert list(faults(store)) == [], log[-3000:]
        bugs = [line[:3000] for line in log.splitlines() if any(f'"event": "{name}"' in line for name in BUGS)]
        assert not bugs, bugs
        assert list(replay_faults(store)) == []
        assert sum(store.balances().values()) == 0
        entries = {head.stream: store.read(head.stream, 0, 1_000_000) for head in store.heads(STREAM)}
        for stream, found in entries.items():
            room = Room(stream.removeprefix(STREAM))
            for entry in found:
                room.apply(entry)
            report.rounds += room.state.table.finished[-1].number if room.state.table.finished else 0
            open_boxes = room.state.table.round.boxes if room.state.table.round else ()
            held = sum(store.balances(f"escrow/{room.id}/").values())
            playing = room.state.table.phase in ("round", "collect")  # then doubles and interim payments count too
            assert playing or held == sum(wager.stake for box in open_boxes for wager in box.bettors)
        keys = Counter(
            (stream, entry.by, entry.key) for stream, found in entries.items() for entry in found if entry.key
        )
        twice = [key for key, times in keys.items() if times > 1]
        assert not twice, f"applied twice: {twice}"
        for player in players:
            report.gaps += player.gaps
            for given in player.given:
                _check_given(given, entries[f"{STREAM}{given.table}"])
                report.commands += 1
                report.acknowledged += bool(given.version)
                report.refused += bool(given.refused)
        report.entries = sum(map(len, entries.values()))
    finally:
        store.close()


def _check_given(given: Given, entries: list[Any]) -> None:
    if given.version:
        entry = entries[given.version - 1]
        assert (entry.by, entry.key) == (given.name, given.key), f"acknowledged and lost: {given}"
    elif given.refused and given.copies == 1:
        assert not any(entry.key == given.key and entry.by == given.name for entry in entries), (
            f"refused and done: {given}"
        )

"""CPU time of one command at an instant table, from the JSON on a socket to the frames of all viewers.

    python bench/command.py                              # memory and SQLite
    python bench/command.py --beside ../other/src        # alternate with another version's sources
    python bench/command.py --walk                       # the files and functions that handle one wager
    python bench/command.py --commands 500 --json

Two players and a spectator at one table in this process, no network: two wagers, two passes, then decisions, as the
table asks for them; the program deals and settles in between. Everything comes from one seed, so two versions write the
same log: `log` is the hash of its last entry, and with --beside the exit status is 1 if the two differ.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from types import FrameType
from typing import Any, cast

from fastapi import WebSocket

import pontoon
from pontoon.server.house import House, Options
from pontoon.server.people.people import ChipsGiven, TokenGiven, token_hash
from pontoon.server.people.quotas import UNLIMITED
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.room import stream_of
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.server.sockets import Client, Hub
from pontoon.store import MemoryStore, SqliteStore, Store

PLAYERS = ("Ann", "Ben")
ROOM = "tttttt"
STAKE = 1000
FULL = 10**9
WARM_UP = 200
"""Commands before timing starts."""
TURNS = 5
"""How many times the rows alternate."""
BLOCK = 100
"""Commands timed together. Every turn plays the same blocks; the figure is the mean over the blocks of the shortest
time of each, because other load on the machine can only add to it."""
FOREVER = 10**14
PARTS = ("<listcomp>", "<genexpr>", "<setcomp>", "<dictcomp>")
"""Names of code objects that belong to the enclosing function."""


class StillClock:
    """A stopped clock: no timer at a table expires, and every run writes the same times."""

    def wall(self) -> int:
        return 1_000_000

    def steady(self) -> float:
        return 1.0


def shuffle_key(number: int) -> bytes:
    """The same shuffles every time."""
    return hashlib.sha256(number.to_bytes(8, "big")).digest()


def unconnected() -> WebSocket:
    """A socket that asks for nothing in particular and is never read from or written to."""
    nobody = cast("Any", None)
    return WebSocket({"type": "websocket", "headers": [], "query_string": b""}, nobody, nobody)


def unlimited() -> Options:
    """No commands are rate-limited, because the clock is stopped."""
    return Options(inline=True, quotas=UNLIMITED)


class Bench:
    """One table, its players and a spectator, on sockets without a network."""

    def __init__(self, store: Store, rulebook: str) -> None:
        self.store = store
        self.rulebook = rulebook
        self.shuffles = 0
        self.house = House(store, unlimited(), StillClock(), self._chance)
        self.hub = Hub(self.house)
        self.clients = {name: Client(unconnected(), self.hub) for name in (*PLAYERS, "")}
        self.sent = 0
        self.outcomes: Counter[str] = Counter()

    def _chance(self, _: int) -> bytes:
        self.shuffles += 1
        return shuffle_key(self.shuffles)

    async def start(self) -> None:
        """Sign in, create a table, sit down and watch."""
        await self.house.start()
        if hasattr(self.hub, "run"):  # an earlier version publishes by itself
            self.publishing = asyncio.create_task(self.hub.run())
        for name in PLAYERS:
            await self.house.write_people(lambda people, name=name: people.opened(name, guest=True))  # type: ignore[misc]
            given = (ChipsGiven(name, FULL), TokenGiven(name, token_hash(name), FOREVER))
            await self.house.say_of(name, *given)
            await self.clients[name].take(json.dumps({"type": "hello", "token": name}))
        settings = Settings(self.rulebook, clocks=Clocks(0, 60_000, 60_000, 60_000))
        await self.house.make_table(Actor(PLAYERS[0]), settings, "", ROOM)
        for client in self.clients.values():
            await client.take(json.dumps({"type": "watch", "table": ROOM}))
        for box, name in enumerate(PLAYERS, 1):
            await self.send(name, {"type": "Sit", "player": "", "box": box})

    async def send(self, name: str, command: dict[str, Any]) -> None:
        """Send one command; receive its answer and everyone's frames."""
        self.sent += 1
        client = self.clients[name]
        message = {"type": "do", "table": ROOM, "key": str(self.sent), "command": command}
        await client.take(json.dumps(message))
        for sender in self.clients.values():
            while not sender.outbox.empty():
                frame = sender.made(sender.outbox.get_nowait())
                if sender is client and frame.startswith('{"type":"problem"'):
                    self.outcomes[json.loads(frame)["code"]] += 1

    def next(self) -> tuple[str, dict[str, Any]]:
        """The next command: an answer to the table's current prompt."""
        state = self.house.lives[ROOM].room.state
        now, table = state.moment, state.table.round
        waiting = [name for name in PLAYERS if name not in state.passed]
        if now.kind == "wagers":
            bet = {wager.player for box in (table.boxes if table else ()) for wager in box.bettors}
            for box, name in enumerate(PLAYERS, 1):
                if name not in bet:
                    return name, {"type": "PlaceWager", "box": box, "player": "", "stake": STAKE}
            return waiting[0], {"type": "Pass"}
        if now.kind == "decision" and table is not None and table.turn is not None:
            name, box = now.players[0], table.turn[0]
            return name, {"type": "Stand" if self.sent % 3 else "Hit", "box": box}
        players = [name for name in now.players if name not in state.passed]
        return (players or waiting)[0], {"type": "Pass"}

    async def play(self, commands: int) -> None:
        """Send this many commands."""
        for _ in range(commands):
            await self.send(*self.next())

    def log(self) -> str:
        """The hash of the last entry of the table."""
        return self.store.head(stream_of(ROOM)).hash


async def measured(store: Store, rulebook: str, commands: int) -> dict[str, Any]:
    """CPU milliseconds per command."""
    bench = Bench(store, rulebook)
    await bench.start()
    await bench.play(WARM_UP)
    before = bench.store.head(stream_of(ROOM)).version
    blocks: list[float] = []
    for _ in range(0, commands, BLOCK):
        began = time.process_time()
        await bench.play(BLOCK)
        blocks.append(1000 * (time.process_time() - began) / BLOCK)
    entries = bench.store.head(stream_of(ROOM)).version - before
    found = {
        "blocks": blocks,
        "entries": entries / commands,
        "log": bench.log(),
        "refused": dict(bench.outcomes),
    }
    await bench.house.close()
    return found


def once(kind: str, rulebook: str, commands: int) -> dict[str, Any]:
    """Measure one row once, in this process."""
    if kind == "memory":
        return asyncio.run(measured(MemoryStore(), rulebook, commands))
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "pontoon.db")
        found = asyncio.run(measured(store, rulebook, commands))
        store.close()
        return found


# --- the walk ------------------------------------------------------------------------------------------


async def walked(rulebook: str) -> dict[str, Any]:
    """Our functions called for one wager, from its JSON to the frame, during a round in which nobody else acts."""
    bench = Bench(MemoryStore(), rulebook)
    await bench.start()
    await bench.play(WARM_UP)
    while bench.next()[1]["type"] != "PlaceWager":
        await bench.play(1)
    calls: Counter[tuple[str, str]] = Counter()
    home = str(Path(pontoon.__file__).parent) + os.sep

    def profile(frame: FrameType, what: str, _: object) -> None:
        code = frame.f_code
        if what == "call" and code.co_filename.startswith(home) and code.co_name not in PARTS:
            calls[code.co_filename.removeprefix(home), f"{code.co_qualname}:{code.co_firstlineno}"] += 1

    sys.setprofile(profile)
    try:
        await bench.play(1)
    finally:
        sys.setprofile(None)
    await bench.house.close()
    return {
        "files": len({file for file, _ in calls}),
        "functions": len(calls),
        "calls": sum(calls.values()),
        "most": [[f"{file}:{name}", count] for (file, name), count in calls.most_common()],
    }


# --- the run -------------------------------------------------------------------------------------------


def apart(sources: Path, *arguments: str) -> dict[str, Any]:
    """Run the bench of these sources in a separate process: modules may have moved between two versions."""
    path = os.pathsep.join([str(sources), str(sources.parent), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, sources.parent / "bench" / "command.py", *arguments, "--json"],
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
    )
    return dict(json.loads(done.stdout))


def least(runs: Iterable[list[float]]) -> float:
    """The mean over the blocks of the shortest time of each.

    >>> least([[1.0, 4.0], [2.0, 3.0]])
    2.0
    """
    return statistics.fmean(map(min, zip(*runs, strict=True)))


def bench(args: argparse.Namespace) -> dict[str, Any]:
    """Measure all rows alternately, each in a fresh process; return the shortest time of each block."""
    versions = {"ours": Path(pontoon.__file__).parents[1]}
    if args.beside:
        versions["beside"] = args.beside.resolve()
    rows: dict[str, list[dict[str, Any]]] = {}
    for _ in range(args.turns):
        for kind in ("memory", "sqlite"):
            for name, sources in versions.items():
                arguments = ("--once", kind, "--commands", str(args.commands), "--rulebook", args.rulebook)
                rows.setdefault(f"{kind}, {name}", []).append(apart(sources, *arguments))
    found = {name: {**runs[0], "ms": least(run["blocks"] for run in runs)} for name, runs in rows.items()}
    ratios = {}
    if args.beside:
        ratios = {kind: found[f"{kind}, ours"]["ms"] / found[f"{kind}, beside"]["ms"] for kind in ("memory", "sqlite")}
    return {
        "rows": found,
        "ratios": ratios,
        "same_log": len({run["log"] for runs in rows.values() for run in runs}) == 1,
    }


def said(found: dict[str, Any]) -> str:
    """The figures as text."""
    lines = [f"{'':<18}{'CPU a command':>15}{'commands/s':>12}{'entries':>9}"]
    for name, row in found["rows"].items():
        lines.append(f"{name:<18}{row['ms']:>12.3f} ms{1000 / row['ms']:>12.0f}{row['entries']:>9.2f}")
    lines += [f"ours / beside, {kind}: {ratio:.2f}" for kind, ratio in found["ratios"].items()]
    lines.append(f"the same log: {'yes' if found['same_log'] else 'NO'}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commands", type=int, default=2000)
    parser.add_argument("--rulebook", default="division-15")
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--beside", type=Path, default=None, help="the src folder in a checkout of another version")
    parser.add_argument("--walk", action="store_true", help="count the files and functions that handle one wager")
    parser.add_argument("--once", choices=("memory", "sqlite"), default="", help="one row, once, in this process")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(arguments)
    if args.walk:
        found = asyncio.run(walked(args.rulebook))
        short = "{files} files, {functions} functions, {calls} calls".format(**found)
        print(json.dumps(found, indent=2) if args.json else short)
        return 0
    if args.once:
        print(json.dumps(once(args.once, args.rulebook, args.commands)))
        return 0
    found = bench(args)
    print(json.dumps(found, indent=2) if args.json else said(found))
    return 0 if found["same_log"] else 1


if __name__ == "__main__":
    sys.exit(main())

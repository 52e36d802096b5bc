"""Clients that play at a steady rate and spectators who only watch, compared with a trivial durable echo server.

    python bench/load.py                                  # a file, one process
    python bench/load.py --postgresql --workers 3         # a PostgreSQL started for the run, three processes
    python bench/load.py --clients 200 --spectators 500 --seconds 20 --json

Each client sends one command a second: wagers, passes and decisions, as its table asks for them. The time from sending
a command to its answer, which comes after the commit, is measured. The echo server is measured in the same run with the
same number of clients, rate and silent sockets; the result is the ratio of the 99th percentiles. In a third part one
spectator in a hundred stops reading, and the others are measured. The parts alternate several times, so that other load
on the machine affects all of them equally. Then the number of clients, with spectators in proportion, is doubled and
halved to find the most whose 99th percentile stays within 50 ms, for the echo and for the tables (`--no-saturation`
leaves that out). Exit status: 0 no errors, 1 errors.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import secrets
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
SEATS = 2
"""Players at a table; the spectators are spread over the tables."""
CLOCKS = {"card": 0, "wagers": 4000, "decision": 4000, "offer": 2500}
WARM_UP = 4.0
TURNS = 6
"""How many times echo, tables, and tables with stalled readers alternate."""
LIMIT_MS = 50.0
"""A server is saturated when the 99th percentile of its answers is above this."""
MOST = 12_800
"""No more clients than this are tried."""
STALLED = 100
"""One spectator in this many stops reading."""


def free_port() -> int:
    """An unused port."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def running(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server in a separate process."""
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            _, said = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            _, said = process.communicate()
        lines = [line for line in said.decode().splitlines() if '"level": "error"' in line]
        if lines:
            print(f"the server logged {len(lines)} errors, the first: {lines[0][:400]}", file=sys.stderr)


async def up(port: int) -> None:
    """Wait until the server answers."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as web:
        for _ in range(600):
            with contextlib.suppress(httpx.HTTPError):
                if (await web.get("/ready")).status_code == 200:
                    return
            await asyncio.sleep(0.05)
    raise SystemExit("the server did not start")


def cpu_of(process: int) -> float:
    """CPU seconds of a process and its children; NaN if the system does not report them."""
    seconds, tick = 0.0, os.sysconf("SC_CLK_TCK")
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has exited meanwhile
            number, rest = file.parent.name, file.read_text().rpartition(")")[2].split()
            if process in (int(number), int(rest[1])):
                seconds += (int(rest[11]) + int(rest[12])) / tick
    return seconds or float("nan")


class Times:
    """Answer times, recorded after the warm-up."""

    def __init__(self, clients: int = 0) -> None:
        """Begin after the warm-up, which leaves a second for every 200 clients to connect."""
        self.since = time.monotonic() + WARM_UP + clients / 200
        self.seconds: list[float] = []
        self.outcomes: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.frames = 0
        self.cpu = 0.0
        """CPU seconds used by the server, including the warm-up."""
        self.answers = 0
        """Answers in that time."""

    def took(self, began: float, outcome: str) -> None:
        """Record one answer."""
        self.answers += 1
        if began >= self.since:
            self.seconds.append(time.monotonic() - began)
            self.outcomes[outcome] += 1

    def add(self, other: Times) -> None:
        """Add the times of another part."""
        self.seconds += other.seconds
        self.outcomes += other.outcomes
        self.errors += other.errors
        self.frames += other.frames
        self.cpu += other.cpu
        self.answers += other.answers

    def percentile(self, part: float) -> float:
        """A percentile in milliseconds."""
        if not self.seconds:
            return float("nan")
        ordered = sorted(self.seconds)
        return 1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))]


# --- the echo ------------------------------------------------------------------------------------------


async def echo_client(port: int, times: Times, until: float, chance: random.Random) -> None:
    """Send one message a second."""
    async with connect(f"ws://127.0.0.1:{port}/play", compression=None, ping_interval=None) as link:
        await asyncio.sleep(chance.random())
        while time.monotonic() < until:
            began = time.monotonic()
            await link.send(json.dumps({"type": "do", "at": began}))
            await link.recv()
            times.took(began, "echo")
            await asyncio.sleep(max(0.0, began + 1 - time.monotonic()))


async def measure_echo(port: int, clients: int, spectators: int, seconds: float, chance: random.Random) -> Times:
    """Measure the echo server under the same load."""
    times = Times(clients)
    until = times.since + seconds
    people = [echo_client(port, times, until, random.Random(chance.random())) for _ in range(clients)]
    await asyncio.gather(*people, watching(port, [], spectators, until, stalled=False))
    return times


# --- the tables ----------------------------------------------------------------------------------------


class Player:
    """A client that answers its table's prompts, once a second."""

    each = 1.0
    """Seconds between two commands."""

    def __init__(self, name: str, token: str, table: str, box: int, chance: random.Random) -> None:
        self.name, self.token, self.table, self.box, self.chance = name, token, table, box, chance
        self.frame: dict[str, Any] = {}
        self.began: dict[str, float] = {}
        self.number = 0
        self.run_of_keys = secrets.token_hex(4)  # a key is used once, and the same people play in every turn

    async def run(self, port: int, times: Times, until: float) -> None:
        """Play until a time."""
        await self.play(port, times, until, {})

    async def play(self, port: int, times: Times, until: float, headers: dict[str, str]) -> None:
        """Play until a time, on a socket opened with these headers."""
        address = f"ws://127.0.0.1:{port}/play"
        async with connect(
            address, compression=None, ping_interval=None, max_size=None, max_queue=None, additional_headers=headers
        ) as link:
            await link.send(json.dumps({"type": "hello", "token": self.token}))
            await link.send(json.dumps({"type": "watch", "table": self.table}))
            reading = asyncio.create_task(self._read(link, times))
            await asyncio.sleep(self.chance.random())
            try:
                while time.monotonic() < until:
                    began = time.monotonic()
                    await self._command(link)
                    await asyncio.sleep(max(0.0, began + self.each - time.monotonic()))
                await asyncio.sleep(0.5)
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)
            if self.began:
                times.errors["no answer"] += len(self.began)

    async def _read(self, link: ClientConnection, times: Times) -> None:
        async for content in link:
            head = content[:20]
            if '"step"' in head or '"snapshot"' in head:
                self.frame = {"raw": content}  # decoded only when a command must be chosen
                times.frames += 1
                continue
            frame = json.loads(content)
            if frame["type"] in ("done", "problem"):
                began = self.began.pop(frame["key"], 0.0)
                times.took(began, frame.get("code", "done"))
                if frame.get("status", 200) >= 500:
                    times.errors[frame["code"]] += 1

    async def _command(self, link: ClientConnection) -> None:
        if not self.frame:
            return
        command = self._choose(json.loads(self.frame["raw"]))
        self.number += 1
        key = f"{self.run_of_keys}-{self.number}"
        self.began[key] = time.monotonic()
        await link.send(json.dumps({"type": "do", "table": self.table, "key": key, "command": command}))

    def _choose(self, frame: dict[str, Any]) -> dict[str, Any]:
        view, room = frame["view"], frame["room"]
        if view["phase"] == "ready":
            boxes = view.get("round", {}).get("boxes", ())
            if not any(bettor["player"] == self.name for box in boxes for bettor in box["bettors"]):
                return {"type": "PlaceWager", "box": self.box, "player": "", "stake": 1000}
            return {"type": "Pass"}
        choices = view.get("round", {}).get("choices", ())
        allowed = [
            command for choice in choices if choice.get("player") == self.name for command in choice.get("allowed", ())
        ]
        allowed = [command for command in allowed if command["type"] in ("Hit", "Stand", "Double", "Split", "Keep")]
        if room.get("waits") == "decision" and allowed:
            return dict(self.chance.choice(allowed))
        return {"type": "Pass"}  # refused if there is no prompt, which is an answer too


async def watching(port: int, tables: list[str], spectators: int, until: float, *, stalled: bool) -> dict[str, int]:
    """Run the spectators in a separate process; silent sockets if there is no table to watch."""
    asked = {
        "port": port,
        "tables": tables,
        "spectators": spectators,
        "until": until,
        "stalled": STALLED if stalled else 0,
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.watchers", stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    )
    said, _ = await process.communicate(json.dumps(asked).encode())
    return dict(json.loads(said))


Ready = tuple[list[tuple[str, str]], list[str]]
"""Names with tokens, and tables."""


async def prepare(port: int, clients: int, run: str) -> Ready:
    """Create guests and tables."""
    books = ("division-15", "star", "adelaide", "canberra", "federal")
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as web:
        people: list[tuple[str, str]] = []
        for number in range(clients):
            answer = await web.post("/api/guests", json={"name": f"{run} {number}"})
            while answer.status_code == 429:
                await asyncio.sleep(0.2)
                answer = await web.post("/api/guests", json={"name": f"{run} {number}"})
            answer.raise_for_status()
            people.append((answer.json()["name"], answer.json()["token"]))
    tables: list[str] = []
    for number in range((clients + SEATS - 1) // SEATS):  # a new connection each time, to reach all processes
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as web:
            answer = await web.post(
                "/api/tables",
                json={"rulebook": books[number % len(books)], "clocks": CLOCKS, "key": f"{run} {number}"},
                headers={"Authorization": f"Bearer {people[0][1]}"},
            )
            answer.raise_for_status()
            tables.append(answer.json()["id"])
    return people, tables


async def measure_tables(
    port: int,
    ready: Ready,
    args: argparse.Namespace,
    seconds: float,
    *,
    stalled: bool,
) -> Times:
    """Measure the tables with everyone playing."""
    people, tables = ready
    times = Times(len(people))
    until = times.since + seconds
    chance = random.Random(args.seed)
    players = [
        Player(name, token, tables[place // SEATS], place % SEATS + 1, random.Random(chance.random()))
        for place, (name, token) in enumerate(people)
    ]
    seen, *results = await asyncio.gather(
        watching(port, tables, args.spectators, until, stalled=stalled),
        *(player.run(port, times, until) for player in players),
        return_exceptions=True,
    )
    if isinstance(seen, dict):
        times.frames += seen["frames"]
        times.errors += Counter({"spectator cut off": seen["cut_off"]})
    else:
        results.append(seen)
    for result in results:
        if isinstance(result, BaseException):
            times.errors[type(result).__name__] += 1
    return times


# --- saturation ----------------------------------------------------------------------------------------


def holds(times: Times, clients: int, seconds: float) -> bool:
    """Whether this load was carried: answers in time, no errors, and no client fell far behind its rate."""
    in_time = len(times.seconds) >= 0.9 * clients * seconds
    return in_time and not times.errors and times.percentile(0.99) <= LIMIT_MS


async def saturation(measure: Callable[[int], Awaitable[Times]], first: int, seconds: float) -> dict[str, Any]:
    """The most clients whose answers stay within the limit, to an eighth: doubled until they do not, then halved."""
    tried: dict[int, dict[str, float]] = {}
    held, broken, clients = 0, MOST + 1, first
    while 8 * (broken - held) > held or not held:
        times = await measure(clients)
        ok = holds(times, clients, seconds)
        tried[clients] = {"p50_ms": times.percentile(0.5), "p99_ms": times.percentile(0.99), "held": ok}
        held, broken = (clients, broken) if ok else (held, clients)
        clients = 2 * held if held and broken > MOST else (held + broken) // 2 // SEATS * SEATS
        if clients in tried or clients > MOST or clients < SEATS:
            break
    return {"clients": held, "tried": tried}


async def saturations(args: argparse.Namespace, echo_port: int, port: int, ready: Ready) -> dict[str, Any]:
    """Where the echo and the tables are saturated, with spectators in proportion to the clients."""
    people, tables = list(ready[0]), list(ready[1])
    seconds, chance = 5.0, random.Random(args.seed)

    def watchers(clients: int) -> int:
        return int(args.spectators * clients / args.clients)

    async def echo(clients: int) -> Times:
        return await measure_echo(echo_port, clients, watchers(clients), seconds, chance)

    async def at_tables(clients: int) -> Times:
        if clients > len(people):
            more = await prepare(port, clients - len(people), f"More {clients}")
            people.extend(more[0])
            tables.extend(more[1])
        some = (people[:clients], tables[: clients // SEATS])
        asked = argparse.Namespace(**{**vars(args), "spectators": watchers(clients)})
        return await measure_tables(port, some, asked, seconds, stalled=False)

    first = args.clients // SEATS * SEATS
    return {"echo": await saturation(echo, first, seconds), "tables": await saturation(at_tables, first, seconds)}


# --- the run -------------------------------------------------------------------------------------------


async def bench(args: argparse.Namespace, database: str) -> dict[str, Any]:
    """Measure echo, tables, and tables with stalled readers, alternately."""
    with tempfile.TemporaryDirectory(dir=args.folder) as folder, ExitStack() as stack:
        kept = database or str(Path(folder) / "echo.txt")
        echo_port, port = free_port(), free_port()
        stack.enter_context(running([sys.executable, "-m", "bench.echo", str(echo_port), kept]))
        serve = ["-m", "pontoon", "serve", "--port", str(port), "--data", folder, "--log-level", "error", "--unlimited"]
        if database:
            serve += ["--database", database, "--workers", str(args.workers)]
        server = stack.enter_context(running([sys.executable, *serve]))
        await up(echo_port)
        await up(port)
        chance = random.Random(args.seed)
        ready = await prepare(port, args.clients, "Load")
        each = args.seconds / TURNS
        echo, tables, stalled = Times(), Times(), Times()
        for turn in range(TURNS):
            echo.add(await measure_echo(echo_port, args.clients, args.spectators, each, chance))
            for slow in (False, True) if turn % 2 == 0 else (True, False):  # the first to run has cold caches
                before = cpu_of(server.pid)
                times = await measure_tables(port, ready, args, each, stalled=slow)
                times.cpu = cpu_of(server.pid) - before
                (stalled if slow else tables).add(times)
        found = await saturations(args, echo_port, port, ready) if args.saturation else {}
    rows = {"echo": echo, "tables": tables, "tables, stalled readers": stalled}
    return {
        "clients": args.clients,
        "spectators": args.spectators,
        "processes": args.workers if database else 1,
        "store": "postgresql" if database else "sqlite",
        "rows": {name: _row(times, echo) for name, times in rows.items()},
        "stalled_change": stalled.percentile(0.99) / tables.percentile(0.99) - 1,
        "errors": dict(tables.errors + stalled.errors),
        "outcomes": dict(tables.outcomes.most_common()),
        "stalled_outcomes": dict(stalled.outcomes.most_common()),
        "saturation": found,
    }


def _row(times: Times, echo: Times) -> dict[str, float]:
    return {
        "answers": len(times.seconds),
        "frames": times.frames,
        "p50_ms": times.percentile(0.5),
        "p95_ms": times.percentile(0.95),
        "p99_ms": times.percentile(0.99),
        "mean_ms": 1000 * statistics.fmean(times.seconds) if times.seconds else float("nan"),
        "cpu_ms": 1000 * times.cpu / max(times.answers, 1),
        "p99_ratio": times.percentile(0.99) / echo.percentile(0.99),
    }


def said(found: dict[str, Any]) -> str:
    """The figures as text."""
    lines = [
        f"{found['clients']} clients, one command a second each, and {found['spectators']} spectators",
        f"{found['store']}, {found['processes']} process(es)",
        f"{'':<26}{'answers':>9}{'frames':>9}{'p50':>9}{'p95':>9}{'p99':>9}   p99 / echo",
    ]
    for name, row in found["rows"].items():
        figures = "".join(f"{row[key]:>7.1f}ms" for key in ("p50_ms", "p95_ms", "p99_ms"))
        lines.append(f"{name:<26}{row['answers']:>9}{row['frames']:>9}{figures}   {row['p99_ratio']:.2f}")
    lines.append(
        f"CPU time of the server: {found['rows']['tables']['cpu_ms']:.2f} ms per command, including all frames"
    )
    lines.append(f"stalled readers change the others' p99 by {100 * found['stalled_change']:+.0f} %")
    for name, point in found["saturation"].items():
        tried = ", ".join(f"{clients} {row['p99_ms']:.0f} ms" for clients, row in sorted(point["tried"].items()))
        lines.append(f"{name}: up to {point['clients']} clients with a p99 within {LIMIT_MS:.0f} ms ({tried})")
    lines.append(f"errors: {found['errors'] or 'none'}; answers: {found['outcomes']}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--spectators", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=30, help="seconds for each of the three (30)")
    parser.add_argument("--saturation", action=argparse.BooleanOptionalAction, default=True, help="find where it is")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--postgresql", action="store_true", help="start a PostgreSQL for the run")
    parser.add_argument("--folder", default=None, help="folder for the files; use a real disk")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(arguments)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    with ExitStack() as stack:
        database = ""
        if args.postgresql:
            from tests.postgresql import postgresql_server  # noqa: PLC0415 only needed here

            database = stack.enter_context(postgresql_server()).new_database()
        found = asyncio.run(bench(args, database))
    print(json.dumps(found, indent=2) if args.json else said(found))
    return 1 if found["errors"] else 0


if __name__ == "__main__":
    sys.exit(main())

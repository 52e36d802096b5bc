"""What a player, a spectator, a table and a round cost the server, and what that means for a thousand times as many.

    python bench/scale.py measure                     # the costs, from one process on this machine (about two minutes)
    python bench/scale.py model                       # the plan of docs/scale.md, from the costs given below
    python bench/scale.py check                       # simulate one process by the model beside a measured one

`measure` runs a server with tables, sockets and players added one after the other, and divides the change in processor
time and memory by what was added. `model` multiplies. `check` simulates one process as the model sees it (commands that
wait for the processor, then for the commit they share) at the load of bench/load.py, and prints its answer times beside
those that docs/performance.md records of a real server.
"""

from __future__ import annotations

import argparse
import asyncio
import heapq
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import httpx  # noqa: E402
from msgspec import Struct  # noqa: E402
from msgspec.structs import replace  # noqa: E402
from websockets.asyncio.client import connect  # noqa: E402

from bench.load import SEATS, WARM_UP, Ready, free_port, measure_tables, prepare, running, up  # noqa: E402

MEASURED = {"p50_ms": 3.1, "p95_ms": 7.6, "p99_ms": 10.5}
"""Of bench/load.py on SQLite, one process, as docs/performance.md records it."""
TURNS = 2
"""How many times players alone, and players with spectators, alternate."""
YEAR = 365.25 * 86400


class Costs(Struct, frozen=True):
    """Of one process and the database; seconds of processor time, and bytes."""

    command: float = 1.3e-3
    """A command of a player at a table of two, with the dealing it sets off and the frames of both."""
    frame: float = 35e-6
    """A step sent to one more socket."""
    socket: float = 41e3
    table: float = 150e3
    round: float = 8.4e3
    """Bytes in the store for four boxes: 5.8 kB were measured for two, 12.4 for seven."""
    commit: float = 1.0e-3
    """A transaction, with the sync."""


class Load(Struct, frozen=True):
    """What people do."""

    players: int
    spectators: float = 1.0
    """For each player."""
    seats: int = 4
    """Players at a table."""
    commands: float = 0.1
    """Commands of a player per second: a decision every ten seconds."""
    rounds: float = 1 / 60
    """Of each table a second."""


class Plan(Struct, frozen=True):
    """What a load needs."""

    tables: float
    commands: float
    frames: float
    processors: float
    """Busy with tables; a process is one."""
    memory: float
    yearly: float
    """Bytes stored in a year at this load day and night."""
    entries: float
    """Entries a second, all of which the database writes."""


def plan(load: Load, costs: Costs, entries_per_command: float = 3.0) -> Plan:
    """What a load needs by these costs."""
    tables = load.players / load.seats
    commands = load.players * load.commands
    viewers = load.seats * (1 + load.spectators)
    frames = commands * (viewers - SEATS)  # a command's cost has those of its own table of two in it
    return Plan(
        tables=tables,
        commands=commands,
        frames=commands * viewers,
        processors=commands * costs.command + max(frames, 0.0) * costs.frame,
        memory=load.players * (1 + load.spectators) * costs.socket + tables * costs.table,
        yearly=tables * load.rounds * YEAR * costs.round,
        entries=commands * entries_per_command,
    )


# --- measuring -----------------------------------------------------------------------------------------


def busy_seconds(process: int) -> float:
    """Processor seconds of a process, without those of the coach's and the lab's workers."""
    words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def memory_of(process: int) -> float:
    """Resident bytes of a process."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return float(line.split()[1]) * 1024
    return math.nan


async def idle_sockets(port: int, tables: list[str], many: int, then: Any) -> Any:  # noqa: ANN401 any figure
    """Open sockets that watch, do something while they are open, and return its result."""
    links = []
    for number in range(many):
        link = await connect(f"ws://127.0.0.1:{port}/play", compression=None, ping_interval=None, max_queue=None)
        await link.send(json.dumps({"type": "watch", "table": tables[number % len(tables)]}))
        await link.recv()
        links.append(link)
    await asyncio.sleep(1)
    found = then()
    for link in links:
        await link.close()
    return found


async def rounds_of(port: int) -> float:
    """Rounds played so far."""
    async with httpx.AsyncClient() as web:
        page = (await web.get(f"http://127.0.0.1:{port}/metrics")).text
    return sum(float(line.split()[-1]) for line in page.splitlines() if line.startswith("pontoon_rounds_total"))


async def part(port: int, process: int, ready: Ready, spectators: int, seconds: float) -> dict[str, Any]:
    """Play for some seconds; processor seconds, answers and frames."""
    args = argparse.Namespace(seed=1, spectators=spectators)
    before = busy_seconds(process)
    times = await measure_tables(port, ready, args, seconds, stalled=False)
    return {
        "cpu": busy_seconds(process) - before,
        "answers": times.answers,
        "frames": times.frames,
        "p50": times.percentile(0.5),
        "p99": times.percentile(0.99),
    }


async def measured(clients: int, spectators: int, seconds: float) -> dict[str, float]:
    """The costs, and the run that `check` compares with."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        serve = ["-m", "pontoon", "serve", "--port", str(port), "--data", folder, "--log-level", "error", "--unlimited"]
        with running([sys.executable, *serve]) as server:
            await up(port)
            await asyncio.sleep(25)  # until the coach has warmed up beside it
            people, tables = await prepare(port, clients, "First")
            empty = memory_of(server.pid)
            _, more = await prepare(port, clients, "Second")
            with_tables = memory_of(server.pid)
            before = busy_seconds(server.pid)
            sockets, after = await idle_sockets(
                port, tables, spectators, lambda: (memory_of(server.pid), busy_seconds(server.pid))
            )
            opening = (after - before) / spectators
            stored, begun = _size(folder), await rounds_of(port)
            quiet: Counter[str] = Counter()
            crowded: Counter[str] = Counter()
            for _ in range(TURNS):
                quiet.update(await part(port, server.pid, (people, tables), 0, seconds))
                crowded.update(await part(port, server.pid, (people, tables), spectators, seconds))
            rounds, grown = await rounds_of(port) - begun, _size(folder) - stored
    return {
        "cpu_ms_per_command": 1000 * quiet["cpu"] / quiet["answers"],
        "cpu_us_per_frame": 1e6
        * (crowded["cpu"] - quiet["cpu"] * crowded["answers"] / quiet["answers"] - TURNS * spectators * opening)
        / (crowded["frames"] - quiet["frames"]),
        "frames": crowded["frames"] - quiet["frames"],
        "cpu_us_per_opening": 1e6 * opening,
        "kb_per_socket": (sockets - with_tables) / spectators / 1000,
        "kb_per_table": (with_tables - empty) / len(more) / 1000,
        "kb_per_round": grown / rounds / 1000,
        "rounds": rounds,
        "commands_a_second": quiet["answers"] / TURNS / (seconds + WARM_UP),
        "busy": quiet["cpu"] / TURNS / (seconds + WARM_UP),
        "p50_ms": quiet["p50"] / TURNS,
        "p99_ms": quiet["p99"] / TURNS,
    }


def _size(folder: str) -> int:
    """Bytes of a backup: the file itself may be longer, and part of it is in its write-ahead log."""
    with tempfile.TemporaryDirectory() as aside:
        file = Path(aside) / "backup.db"
        command = [sys.executable, "-m", "pontoon", "backup", "--data", folder, str(file)]
        subprocess.run(command, check=True, capture_output=True)
        return file.stat().st_size


# --- the model -----------------------------------------------------------------------------------------


def simulated(rate: float, costs: Costs, seconds: float = 600.0, seed: int = 1) -> dict[str, float]:
    """One process as the model sees it: a queue for the processor, then one for the commit that many share.

    Commands come at random; each takes the processor for an exponential time with the mean of `costs`.
    """
    chance = random.Random(seed)
    now, free, busy = 0.0, 0.0, 0.0
    decided: list[tuple[float, float]] = []
    while now < seconds:
        now += chance.expovariate(rate)
        service = chance.expovariate(1 / costs.command)
        free = max(free, now) + service
        busy += service
        heapq.heappush(decided, (free, now))
    answers, writing = [], 0.0
    while decided:
        begin = max(writing, decided[0][0])
        writing = begin + costs.commit
        while decided and decided[0][0] <= begin:
            _, came = heapq.heappop(decided)
            answers.append(writing - came)
    cuts = statistics.quantiles(answers, n=100)
    return {
        "busy": busy / seconds,
        "p50_ms": 1000 * cuts[49],
        "p95_ms": 1000 * cuts[94],
        "p99_ms": 1000 * cuts[98],
    }


def said_plan(costs: Costs) -> str:
    """The table of docs/scale.md."""
    lines = ["players     tables  commands/s    frames/s  processors  memory GB  TB a year  entries/s"]
    for players in (1_000, 100_000, 1_000_000):
        need = plan(Load(players), costs)
        lines.append(
            f"{players:>9,} {need.tables:>8,.0f} {need.commands:>11,.0f} {need.frames:>11,.0f}"
            f" {need.processors:>11,.1f} {need.memory / 1e9:>10,.1f}"
            f" {need.yearly / 1e12:>10,.2f} {need.entries:>10,.0f}"
        )
    return "\n".join(lines)


def said_check(costs: Costs) -> str:
    """The model beside the measured point: 200 players at 100 tables, one command a second, 500 spectators."""
    rate, viewers = 200.0, 5
    each = replace(costs, command=costs.command + viewers * costs.frame)
    found = simulated(rate, each)
    lines = [f"{rate:.0f} commands a second, {each.command * 1000:.2f} ms each: {found['busy']:.0%} of a processor"]
    lines += [f"{name}: model {found[name]:.1f}, measured {point:.1f}" for name, point in MEASURED.items()]
    return "\n".join(lines)


def main() -> None:
    """Measure, or multiply."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("measure", "model", "check"))
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--spectators", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=15.0)
    args = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    if args.what == "model":
        print(said_plan(Costs()))
        return
    if args.what == "check":
        print(said_check(Costs()))
        return
    print(json.dumps(asyncio.run(measured(args.clients, args.spectators, args.seconds)), indent=2))


if __name__ == "__main__":
    main()

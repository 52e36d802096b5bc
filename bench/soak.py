"""Memory of a server under steady load: 200 players with one command a second each.

    python bench/soak.py --minutes 60 --first 10
    python bench/soak.py --minutes 15 --first 3 --rate 4        # the same number of commands in a quarter of the time

Prints memory and processor time once a minute, then the growth after the first minutes: the last minute compared with
the first one after them. The bar is 5 % in an hour after the first ten minutes. The players sit down before they
begin: under adelaide 32 new cards otherwise wait fifteen minutes for the first player, and a fifth of the tables would
begin in the middle of the measurement. Exit status: 1 if an error was seen.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import httpx
from websockets.exceptions import WebSocketException

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.attack import rss  # noqa: E402 beside this file
from bench.load import SEATS, Player, Times, cpu_of, free_port, prepare, running, up  # noqa: E402 beside this file

EACH = 5.0
"""Seconds between two samples."""
MINUTE = 60.0


async def sample(process: int, until: float, found: list[tuple[float, int]]) -> None:
    """Record the memory of a process until a time."""
    began = time.monotonic()
    while time.monotonic() < until:
        await asyncio.sleep(EACH)
        found.append((time.monotonic() - began, rss(process)))
        if len(found) % int(MINUTE / EACH) == 0:
            row = {"minute": round(found[-1][0] / MINUTE, 1), "memory_mb": found[-1][1], "cpu_s": cpu_of(process)}
            print(json.dumps(row), flush=True)


def minute(found: list[tuple[float, int]], first: float) -> float:
    """The mean memory in the minute that begins then."""
    return statistics.fmean(memory for at, memory in found if first <= at < first + MINUTE)


def size_of(folder: Path) -> int:
    """The size of the files in a folder, in MB."""
    return sum(file.stat().st_size for file in folder.iterdir() if file.is_file()) >> 20


async def play(player: Player, port: int, times: Times, until: float) -> None:
    """Play until a time; a player who is cut off, because the machine had no time for this process, comes back."""
    while time.monotonic() < until:
        try:
            await player.run(port, times, until)
        except (OSError, WebSocketException):
            player.began.clear()
            times.errors["cut off"] += 1
            await asyncio.sleep(1)


async def sit(port: int, players: list[Player]) -> None:
    """Give every player a seat, so that every table has begun before the measurement."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as web:
        for player in players:
            command = {"type": "Sit", "player": "", "box": player.box}
            answer = await web.post(
                f"/api/tables/{player.table}/commands",
                json={"command": command, "key": f"sit {player.run_of_keys}"},
                headers={"Authorization": f"Bearer {player.token}"},
            )
            answer.raise_for_status()


async def bench(clients: int, minutes: float, first: float, rate: float) -> int:
    """Play, and measure."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        serve = ["-m", "pontoon", "serve", "--port", str(port), "--data", folder, "--log-level", "error", "--unlimited"]
        with running([sys.executable, *serve]) as server:
            await up(port)
            people, tables = await prepare(port, clients, "Soak")
            times, found = Times(), list[tuple[float, int]]()
            players = [
                Player(name, token, tables[place // SEATS], place % SEATS + 1, random.Random(place))
                for place, (name, token) in enumerate(people)
            ]
            for player in players:
                player.each = 1 / rate
            await sit(port, players)
            until = time.monotonic() + minutes * MINUTE
            playing = (play(player, port, times, until) for player in players)
            await asyncio.gather(sample(server.pid, until, found), *playing)
            size = size_of(Path(folder))
    before, after = minute(found, first * MINUTE), minute(found, found[-1][0] - MINUTE)
    row = {
        "minutes": minutes,
        "commands": times.answers,
        "commands_per_second": round(times.answers / (minutes * MINUTE), 1),
        "p50_ms": round(times.percentile(0.5), 1),
        "p99_ms": round(times.percentile(0.99), 1),
        "memory_after_first_mb": round(before, 1),
        "memory_at_end_mb": round(after, 1),
        "growth_percent": round(100 * (after / before - 1), 1),
        "store_mb": size,
        "errors": dict(times.errors),
    }
    print(json.dumps(row))
    return 1 if times.errors else 0


def main(arguments: list[str] | None = None) -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--first", type=float, default=10, help="minutes after which growth counts (10)")
    parser.add_argument("--rate", type=float, default=1, help="commands a second of each player (1)")
    args = parser.parse_args(arguments)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    return asyncio.run(bench(args.clients, args.minutes, args.first, args.rate))


if __name__ == "__main__":
    sys.exit(main())

"""A server after years of play: start, memory, recall and size, for logs of different lengths.

    python bench/years.py 1000000 3000000 10000000

Plays one table with seven bots for real, with its snapshots, and writes copies of its log under other names, every hash
computed anew, until the log is long enough. Then starts `pontoon serve` on it and measures the time until it is ready,
its memory, and the recall of rounds chosen at random, over HTTP and as processor time; and the bytes on disk of a
seven-box round. On a busy machine only the processor times can be compared.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import math
import os
import random
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import count
from pathlib import Path

import httpx
import msgspec

from pontoon.ledger import Posting
from pontoon.server.api.history import steps_of
from pontoon.server.house import House, Options
from pontoon.server.people.offline_accounts import OfflineAccounts
from pontoon.server.records import history
from pontoon.server.rooms import owner
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import SeatBot
from pontoon.server.rooms.room import Room, stream_of
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.server.rooms.snapshots import EVERY, encoded, frozen
from pontoon.store import MemoryStore, SqliteStore
from pontoon.store.batch import Batch, Move, Standing, Tip
from pontoon.store.model import NOTHING, Append, Draft, Entry, Snapshot, entries_after, entries_of
from pontoon.store.sql import statements
from pontoon.view.viewer import Viewer

TEMPLATE = 10_000
"""Entries of the table that is copied."""
RECALLS = 200
NAMES = "abcdefghijkmnpqrstuvwxyz23456789"


async def play(entries: int) -> tuple[str, list[Entry], list[Snapshot]]:
    """A table where seven bots have played for this many entries, and its snapshots."""
    store, taken = MemoryStore(), []
    owner.LEAST_PACE = 0
    house = House(store, Options(inline=True, bots_unwatched=math.inf))
    await house.start()
    clocks = Clocks(0, 0, 0, 0)
    room = await house.make_table(Actor("server bench"), Settings("star", bots_alone=True, clocks=clocks), "")
    assert isinstance(room, str)
    for box in range(1, 8):
        await house.command(Actor("server bench"), room, SeatBot(box, "chart"), "", None)
    live = await house.live(room)
    assert live is not None
    while live.room.version < entries:  # noqa: ASYNC110 the table sends no notification
        await asyncio.sleep(0)
    await house.close()
    log = list(entries_after(store, stream_of(room)))
    again = Room(room)
    for entry in log:
        again.apply(entry)
        if not entry.version % EVERY or entry is log[-1]:
            taken.append(encoded(frozen(again, entry.hash, entry.at, idle=entry is log[-1])))
    return room, log, taken


def name_of(number: int) -> str:
    text = ""
    for _ in range(6):
        number, digit = divmod(number, len(NAMES))
        text += NAMES[digit]
    return text


class Writer:
    """Writes copies of a log into a file, fast: one transaction a copy, no sync."""

    def __init__(self, path: Path) -> None:
        SqliteStore(path).close()
        self.file = sqlite3.connect(path, isolation_level=None)
        self.file.execute("PRAGMA synchronous = OFF")
        self.file.execute("PRAGMA journal_mode = MEMORY")
        self.file.execute("PRAGMA cache_size = -400000")
        self.dropped = [
            (name, sql) for name, sql in self.file.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        ]
        for name, _ in self.dropped:
            self.file.execute(f"DROP TRIGGER {name}")

    def copy(self, room: str, log: list[Entry], taken: list[Snapshot], other: str, most: int) -> int:
        """Write the log of a room as that of another one of the same length of name."""
        old, new = room.encode(), other.encode()
        drafts = tuple(
            Draft(
                entry.by.replace(room, other),
                entry.body.replace(old, new),
                entry.key,
                tuple(Posting(posting.account.replace(room, other), posting.amount) for posting in entry.postings),
                entry.marks,
            )
            for entry in log[:most]
        )
        append = Append(stream_of(other), 0, log[0].at, drafts)
        entries = entries_of(append, NOTHING)
        accounts = {posting.account for entry in entries for posting in entry.postings}
        places = ", ".join("?" * len(accounts))
        held = dict(self.file.execute(f"SELECT name, balance FROM accounts WHERE name IN ({places})", [*accounts]))  # noqa: S608
        batch = Batch(Standing({}, {}, {}, held))
        batch.entries = list(entries)
        batch.tips[append.stream] = Tip(len(entries), append.at, entries[-1].hash)
        for entry in entries:
            for posting in entry.postings:
                batch.moves.setdefault(posting.account, Move()).total += posting.amount
        self.file.execute("BEGIN")
        for statement, rows in statements(batch):
            self.file.executemany(statement, rows)
        for snapshot in taken:
            if snapshot.version <= len(entries):
                self._snapshot(snapshot, entries[snapshot.version - 1].hash, (old, new))
        self.file.execute("COMMIT")
        return len(entries)

    def _snapshot(self, snapshot: Snapshot, hashed: str, names: tuple[bytes, bytes]) -> None:
        import zlib  # noqa: PLC0415 as the snapshot itself does

        body = zlib.compress(zlib.decompress(snapshot.body).replace(*names), 6)
        stream = snapshot.stream.replace(names[0].decode(), names[1].decode())
        row = (stream, snapshot.version, hashed, snapshot.about, body)
        self.file.execute("INSERT INTO snapshots (stream, version, hash, about, body) VALUES (?, ?, ?, ?, ?)", row)

    def close(self) -> None:
        for _, sql in self.dropped:
            self.file.execute(sql)
        self.file.execute("PRAGMA journal_mode = DELETE")
        self.file.close()


def generate(path: Path, entries: int, room: str, log: list[Entry], taken: list[Snapshot]) -> list[str]:
    """Write a log of this many entries; returns the names of its tables."""
    writer, names, written, began = Writer(path), [], 0, time.monotonic()
    for number in count(1):
        if written >= entries:
            break
        names.append(name_of(number))
        written += writer.copy(room, log, taken, names[-1], len(log))
        if number % 20 == 0:
            print(f"\r{written:,} entries in {time.monotonic() - began:.0f} s ", end="", file=sys.stderr)
    writer.close()
    print(file=sys.stderr)
    return names


def rss(process: int) -> float:
    """Resident memory in MB."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())[1]) / 1024  # type: ignore[index]


def cpu(process: int) -> float:
    """Processor time in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def recall(path: Path, names: list[str], rounds: int) -> dict[str, float]:
    """Processor time of recalls in this process, in milliseconds."""
    chance, times = random.Random(2), []
    with contextlib.closing(SqliteStore(path)) as store:
        house = House(store)
        await house.idle.start()
        for _ in range(RECALLS):
            began = time.process_time()
            row = await history.find_round(house, chance.choice(names), chance.randint(1, rounds))
            assert isinstance(row, history.RoundRow)
            msgspec.json.encode(await steps_of(house, row, Viewer(INSPECTOR, official=True)))
            times.append(1000 * (time.process_time() - began))
    times.sort()
    p99 = times[int(0.99 * len(times)) - 1]
    return {"recall_cpu_median_ms": round(statistics.median(times), 1), "recall_cpu_p99_ms": round(p99, 1)}


INSPECTOR = f"Iris {os.getpid()}"
"""Officials may recall any round."""


def measure(folder: Path, names: list[str], rounds: int) -> dict[str, float]:
    """Start a server on the folder and recall rounds."""
    with contextlib.closing(SqliteStore(folder / "pontoon.db")) as store:
        password = OfflineAccounts(store).add(INSPECTOR, "inspector")
    began = time.monotonic()
    command = [sys.executable, "-m", "pontoon", "serve", "--data", str(folder), "--port", "0", "--unlimited"]
    with (folder.parent / "printed").open("w+") as printed, (folder.parent / "errors").open("w") as errors:
        process = subprocess.Popen(command, stdout=printed, stderr=errors, env=os.environ)
        address = ""
        while not address:
            time.sleep(0.02)
            assert process.poll() is None, (folder.parent / "errors").read_text()
            found = re.search(r"http://\S+", (folder.parent / "printed").read_text())
            address = found[0] if found else ""
        with httpx.Client(base_url=address, timeout=30) as web:
            while True:
                try:
                    if web.get("/ready").status_code == 200:
                        break
                except httpx.HTTPError:
                    pass
                time.sleep(0.02)
            ready, ready_cpu, memory = time.monotonic() - began, cpu(process.pid), rss(process.pid)
            signed = web.post("/api/sessions", json={"name": INSPECTOR, "password": password}).raise_for_status()
            web.headers["Authorization"] = f"Bearer {signed.json()['token']}"
            chance, times = random.Random(1), []
            for _ in range(RECALLS):
                name, number = chance.choice(names), chance.randint(1, rounds)
                at = time.monotonic()
                answer = web.get(f"/api/rounds/{name}/{number}/steps", params={"limit": 200})
                times.append(1000 * (time.monotonic() - at))
                assert answer.status_code == 200, answer.text
            after = rss(process.pid)
        process.terminate()
        process.wait(30)
    times.sort()
    return {
        "ready_s": round(ready, 2),
        "ready_cpu_s": round(ready_cpu, 2),
        "memory_mb": round(memory, 1),
        "recall_median_ms": round(statistics.median(times), 1),
        "recall_p99_ms": round(times[int(0.99 * len(times)) - 1], 1),
        "memory_after_recalls_mb": round(after, 1),
    }


def again(folder: Path) -> dict[str, float]:
    """Measure the log in a folder."""
    with contextlib.closing(SqliteStore(folder / "pontoon.db")) as store:
        heads = store.heads("table/")
        first = heads[0].stream
        rounds = len(store.marked("round", stream=first, limit=10**6))
    names = [head.stream.removeprefix("table/") for head in heads]
    found = measure(folder, names, rounds) | asyncio.run(recall(folder / "pontoon.db", names, rounds))
    return found | {"entries": sum(head.version for head in heads), "tables": len(names), "load": os.getloadavg()[0]}


def main() -> None:
    """Measure every length that was given."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("entries", type=int, nargs="*")
    parser.add_argument("--template", type=int, default=TEMPLATE, help="entries of one table")
    parser.add_argument("--keep", type=Path, help="leave the last log here, and do not measure it")
    parser.add_argument("--on", type=Path, help="measure a log that was left there, instead")
    args = parser.parse_args()
    if args.on:
        print(msgspec.json.encode(again(args.on)).decode())
        return
    room, log, taken = asyncio.run(play(args.template))
    rounds = sum("round" in entry.marks for entry in log)
    for entries in args.entries:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "data"
            folder.mkdir()
            began = time.monotonic()
            names = generate(folder / "pontoon.db", entries, room, log, taken)
            made = time.monotonic() - began
            if args.keep:
                shutil.move(folder, args.keep)
                continue
            size = (folder / "pontoon.db").stat().st_size
            found = measure(folder, names, rounds) | asyncio.run(recall(folder / "pontoon.db", names, rounds))
            found |= {"entries": len(names) * len(log), "tables": len(names), "made_s": round(made, 1)}
            found |= {"bytes_per_round": round(size / (len(names) * rounds)), "megabytes": size >> 20}
            print(msgspec.json.encode(found).decode(), flush=True)


if __name__ == "__main__":
    main()

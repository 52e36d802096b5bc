"""Count how many of N random changes to the raw rows of a store `pontoon verify log` detects, and list any it misses.

.venv/bin/python bench/tamper.py [--number 10000] [--seed 1] [--postgresql 2000]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pontoon.store import SqliteStore
from pontoon.store.postgresql import PostgresStore
from pontoon.store.verify import faults
from tests.postgresql import postgresql_server
from tests.store.appends import furnish
from tests.store.tamper import Opened, RawPostgres, RawSqlite, tamper

EACH = 500
"""Changes tried on one store before a new one is created."""


def count(raw: RawSqlite | RawPostgres, random: Random, number: int) -> tuple[Counter[str], Counter[str]]:
    tried: Counter[str] = Counter()
    found: Counter[str] = Counter()
    assert next(faults(Opened(raw)), None) is None
    for _ in range(number):
        with raw.undone():
            kind = tamper(raw, random)
            tried[kind] += 1
            found[kind] += next(faults(Opened(raw)), None) is not None
    return tried, found


def sqlite(random: Random, number: int) -> tuple[Counter[str], Counter[str]]:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "pontoon.db")
        with closing(SqliteStore(path)) as store:
            furnish(store, random, random.randrange(10, 40))
        with closing(RawSqlite(path)) as raw:
            return count(raw, random, number)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=10_000, help="tamperings with SQLite files")
    parser.add_argument("--postgresql", type=int, default=2_000, help="tamperings with PostgreSQL databases")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    random, begun = Random(chosen.seed), time.perf_counter()
    totals: dict[str, tuple[Counter[str], Counter[str]]] = {"sqlite": (Counter(), Counter())}
    for start in range(0, chosen.number, EACH):
        add(totals["sqlite"], sqlite(random, min(EACH, chosen.number - start)))
    if chosen.postgresql:
        totals["postgresql"] = (Counter(), Counter())
        with postgresql_server() as server:
            for start in range(0, chosen.postgresql, EACH):
                url = server.new_database()
                with closing(PostgresStore(url)) as store:
                    furnish(store, random, random.randrange(10, 40))
                with closing(RawPostgres(url)) as raw:
                    add(totals["postgresql"], count(raw, random, min(EACH, chosen.postgresql - start)))
    show(totals)
    print(f"{time.perf_counter() - begun:.0f} s")
    return 0 if all(tried == found for tried, found in totals.values()) else 1


def add(totals: tuple[Counter[str], Counter[str]], more: tuple[Counter[str], Counter[str]]) -> None:
    for total, one in zip(totals, more, strict=True):
        total.update(one)


def show(totals: dict[str, tuple[Counter[str], Counter[str]]]) -> None:
    for backend, (tried, found) in totals.items():
        for kind in sorted(tried):
            print(f"{backend:12}{kind:20}{found[kind]:6} of {tried[kind]:6} found")
        print(f"{backend:12}{'all':20}{found.total():6} of {tried.total():6} found")


if __name__ == "__main__":
    sys.exit(main())

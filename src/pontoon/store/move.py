"""Move a whole log into another store, row by row, in steps that can be resumed; every row is compared at the end.

Entries, postings, marks and roots are copied first. The heads and accounts follow in one transaction at the end:
until then the target holds no streams, so it cannot be mistaken for the whole log.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from itertools import groupby, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pontoon.store import open_store
from pontoon.store.auditable import AuditableStore
from pontoon.store.lockfile import LockFile
from pontoon.store.migrate import migrate_postgresql, migrate_sqlite
from pontoon.store.model import StoreError
from pontoon.store.rows import TABLES, Rows
from pontoon.store.verify import faults

if TYPE_CHECKING:
    import psycopg

Row = tuple[Any, ...]
Progress = Callable[[str, int], None]
"""Called with what is being done and the number of rows done so far."""

STEP = 5000
"""Rows in one transaction; an interrupted move resumes after the last one."""
LAST = ("heads", "accounts")
PLACES = {"entries": 2, "postings": 2, "marks": 2, "roots": 1, "root_heads": 1}
"""How many leading columns identify a unit that is copied as a whole: an entry with all its lines, or a root."""


class Target(Protocol):
    """The tables of a store that is being filled."""

    def query(self, sql: str) -> list[Row]:
        """The rows of a query."""

    def transaction(self) -> AbstractContextManager[None]:
        """When it ends, everything written in it is on disk, or nothing is."""

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        """Write rows of a table."""


def move(source: str, target: str, progress: Progress) -> int:
    """Copy every row of a store to another place; return the number of entries.

    StoreError if a server uses either, if the target holds another log, or if the copy is not the same.
    """
    with _unused(source), closing(open_store(source, read_only=True)) as ours:
        with ours.snapshot() as rows, _target(target) as tables:
            if not tables.query("SELECT stream FROM heads LIMIT 1"):
                _copy(rows, tables, progress)
        with closing(open_store(target, read_only=True)) as copy:
            _compare(ours, copy, progress)
            fault = next(faults(copy), None)
            if fault is not None:
                where = f"{fault.stream} entry {fault.version}: " if fault.stream else ""
                raise StoreError(f"every row was copied, but the source has a fault: {where}{fault.words}")
            return sum(head.version for head in copy.heads())


@contextmanager
def _unused(source: str) -> Iterator[None]:
    """StoreError if a server is writing to the source; none can start on it meanwhile."""
    if is_postgresql(source):
        with closing(open_store(source, read_only=True)) as store:
            if store.leased():
                raise StoreError("a server uses the source; stop it first")
        yield
        return
    path = Path(source.removeprefix("sqlite:")).resolve()
    if not path.is_file():
        raise StoreError(f"there is no file {path}")
    lock = LockFile(path.with_name(path.name + ".lock"), str(path))
    try:
        yield
    finally:
        lock.release()


def is_postgresql(place: str) -> bool:
    """Whether a place is a database and not a file."""
    return place.startswith(("postgresql:", "postgres:"))


def _copy(rows: Rows, target: Target, progress: Progress) -> None:
    for table in PLACES:
        done = 0
        for step in _steps(table, _missing(table, rows(table), target)):
            with target.transaction():
                target.insert(table, step)
            done += len(step)
            progress(f"copying {table}", done)
    with target.transaction():
        for table in LAST:
            target.insert(table, rows(table))


def _missing(table: str, rows: Iterator[Row], target: Target) -> Iterator[Row]:
    """The rows that an earlier attempt has not copied."""
    if table in ("roots", "root_heads"):
        last = target.query(f"SELECT coalesce(max(number), 0) FROM {table}")[0][0]  # noqa: S608 our own names
        return (row for row in rows if row[0] > last)
    there: dict[str, int] = dict(target.query(f"SELECT stream, max(version) FROM {table} GROUP BY stream"))  # noqa: S608
    return (row for row in rows if row[1] > there.get(row[0], 0))


def _steps(table: str, rows: Iterator[Row]) -> Iterator[list[Row]]:
    """Rows in portions that end with a whole entry or root."""
    places = PLACES[table]
    step: list[Row] = []
    for _, lines in groupby(rows, lambda row: row[:places]):
        step += lines
        if len(step) >= STEP:
            yield step
            step = []
    if step:
        yield step


def _compare(source: AuditableStore, copy: AuditableStore, progress: Progress) -> None:
    with source.snapshot() as ours, copy.snapshot() as theirs:
        for table in TABLES:
            for done, (one, other) in enumerate(zip_longest(ours(table), theirs(table)), 1):
                if one != other:
                    where = (one or other)[:2]
                    raise StoreError(
                        f"the target differs from the source in {table} at {where[0]} {where[1]}: it holds another "
                        "log; move into an empty target"
                    )
                if done % STEP == 0:
                    progress(f"comparing {table}", done)


# --- the two kinds of target ---------------------------------------------------------------------------


@contextmanager
def _target(to: str) -> Iterator[Target]:
    if is_postgresql(to):
        with _postgresql(to) as target:
            yield target
        return
    path = Path(to.removeprefix("sqlite:")).resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = LockFile(path.with_name(path.name + ".lock"), str(path))
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            migrate_sqlite(connection, str(path))
            yield _Sqlite(connection)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"{path}: {error}") from error
    finally:
        lock.release()


class _Sqlite:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.execute("PRAGMA synchronous = FULL")

    def query(self, sql: str) -> list[Row]:
        return self._connection.execute(sql).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        columns, _ = TABLES[table]
        places = ", ".join("?" * len(columns.split(",")))
        self._connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", rows)  # noqa: S608


@contextmanager
def _postgresql(url: str) -> Iterator[Target]:
    import psycopg  # noqa: PLC0415 only needed here

    try:
        with psycopg.connect(url, autocommit=True) as connection:
            where = f"database {connection.info.dbname}"
            migrate_postgresql(connection, where)
            in_use = connection.execute("SELECT 1 FROM leases WHERE owner <> '' AND until > now() LIMIT 1").fetchone()
            if in_use is not None:
                raise StoreError(f"a server uses {where}; stop it first")
            yield _Postgresql(connection)
    except psycopg.Error as error:
        raise StoreError(" ".join(str(error).split())) from error


class _Postgresql:
    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def query(self, sql: str) -> list[Row]:
        return self._connection.execute(sql.encode()).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._connection.transaction():
            yield

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        columns, _ = TABLES[table]
        with self._connection.cursor() as cursor, cursor.copy(f"COPY {table} ({columns}) FROM STDIN".encode()) as copy:
            for row in rows:
                copy.write_row((*row[:-1], bool(row[-1])) if table == "accounts" else row)

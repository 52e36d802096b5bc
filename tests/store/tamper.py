"""An attacker with database access: random changes to the raw rows, each undone after the check.

A tampering is a function of a generator and a connection that changes exactly one thing, or two rows in a swap, and
says what kind it was; constraints and triggers are out of its way. `faults` must find every one of them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, Protocol

import psycopg

from pontoon.store.rows import TABLES, Rows, selection

Row = tuple[Any, ...]

KEYS = {
    "entries": 2,
    "postings": 3,
    "marks": 3,
    "heads": 1,
    "accounts": 1,
    "roots": 1,
    "root_heads": 2,
}
"""How many of the first columns name a row."""

KINDS = ("update", "delete", "insert", "swap")


class Raw(Protocol):
    """A connection that bypasses all guards, in a transaction that is always rolled back."""

    def run(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]: ...


class Opened:
    """A store of raw rows inside the transaction of a tampering."""

    def __init__(self, raw: Raw) -> None:
        self.raw = raw

    @contextmanager
    def snapshot(self) -> Iterator[Rows]:
        yield lambda table: iter(self.raw.run(selection(table)))

    def damage(self) -> list[str]:
        return []


# --- the two databases ---------------------------------------------------------------------------------


class RawSqlite:
    """A file in which nothing guards the rows any more: the tables are recreated without their constraints."""

    def __init__(self, path: str) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        with sqlite3.connect(path) as source:
            source.backup(self.connection)
        source.close()
        self._strip()

    def _strip(self) -> None:
        for (name,) in self.run("SELECT name FROM sqlite_schema WHERE type = 'trigger'"):
            self.run(f"DROP TRIGGER {name}")
        self.run("DROP VIEW whole_entries")
        self.run("PRAGMA foreign_keys = OFF")
        for table in TABLES:
            self.run(f"CREATE TABLE bare AS SELECT * FROM {table}")  # noqa: S608
            self.run(f"DROP TABLE {table}")
            self.run(f"ALTER TABLE bare RENAME TO {table}")

    def run(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        return self.connection.execute(sql, parameters).fetchall()

    @contextmanager
    def undone(self) -> Iterator[None]:
        self.run("BEGIN")
        try:
            yield
        finally:
            self.run("ROLLBACK")

    def close(self) -> None:
        self.connection.close()


class RawPostgres:
    """A database whose triggers and constraints are dropped in a transaction that is rolled back."""

    def __init__(self, url: str) -> None:
        self.connection = psycopg.connect(url)
        for table in TABLES:
            self.run(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        dropped = """
        SELECT conrelid::regclass::text, conname FROM pg_constraint
        WHERE contype <> 'n' AND connamespace = 'public'::regnamespace AND conrelid <> 'leases'::regclass
        ORDER BY contype <> 'f'
        """
        for table, name in self.run(dropped):
            self.run(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
        for name in ("entries_by_key", "marks_by_time", "root_heads_by_entry"):
            self.run(f"DROP INDEX {name}")

    def run(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        done = self.connection.execute(sql.replace("?", "%s").encode(), parameters)
        return done.fetchall() if done.description else []

    @contextmanager
    def undone(self) -> Iterator[None]:
        with self.connection.transaction(force_rollback=True):
            yield

    def close(self) -> None:
        self.connection.rollback()
        self.connection.close()


# --- what someone may do ------------------------------------------------------------------------------


def tamper(raw: Raw, random: Random) -> str:
    """Make one change to one table, and name it."""
    while True:
        table, kind = random.choice(list(TABLES)), random.choice(KINDS)
        rows = raw.run(selection(table))
        done = _DO[kind](raw, random, table, rows)
        if done:
            return f"{kind} {table}"


def _columns(table: str) -> list[str]:
    return TABLES[table][0].split(", ")


def _where(table: str) -> str:
    return " AND ".join(f"{column} = ?" for column in _columns(table)[: KEYS[table]])


def _set(raw: Raw, table: str, old: Row, new: Row) -> None:
    changes = ", ".join(f"{column} = ?" for column in _columns(table))
    raw.run(f"UPDATE {table} SET {changes} WHERE {_where(table)}", [*new, *old[: KEYS[table]]])  # noqa: S608


def _update(raw: Raw, random: Random, table: str, rows: list[Row]) -> bool:
    row = random.choice(rows)
    column = random.randrange(len(row))
    value = _other(random, row[column], [row[column] for row in rows])
    _set(raw, table, row, (*row[:column], value, *row[column + 1 :]))
    return True


def _delete(raw: Raw, random: Random, table: str, rows: list[Row]) -> bool:
    raw.run(f"DELETE FROM {table} WHERE {_where(table)}", random.choice(rows)[: KEYS[table]])  # noqa: S608
    return True


def _insert(raw: Raw, random: Random, table: str, rows: list[Row]) -> bool:
    """A row like another; sometimes the very same, sometimes with other facts or another name."""
    row = list(random.choice(rows))
    for column in random.sample(range(len(row)), random.randrange(len(row) + 1)):
        row[column] = _other(random, row[column], [row[column] for row in rows])
    places = ", ".join("?" * len(row))
    raw.run(f"INSERT INTO {table} ({TABLES[table][0]}) VALUES ({places})", row)  # noqa: S608
    return True


def _swap(raw: Raw, random: Random, table: str, rows: list[Row]) -> bool:
    """Swap two rows, completely or in one column."""
    if len(rows) < 2:
        return False
    one, other = random.sample(rows, 2)
    keys = KEYS[table]
    columns = random.choice([range(keys, len(one)), [random.randrange(keys, len(one))]])
    if all(one[column] == other[column] for column in columns):
        return False
    exchanged = tuple(other[index] if index in columns else one[index] for index in range(len(one)))
    back = tuple(one[index] if index in columns else other[index] for index in range(len(one)))
    _set(raw, table, one, exchanged)
    _set(raw, table, other, back)
    return True


def _other(random: Random, value: Any, column: list[Any]) -> Any:
    """Another value: close to it, random, or from another row."""
    while True:
        found = random.choice([_near(random, value), random.choice(column)])
        if found != value:
            return found


def _near(random: Random, value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + random.choice([-1, 1, 7, -1000, 2**40])
    if isinstance(value, bytes):
        cut = random.randrange(len(value) + 1)
        return random.choice([value[:cut], value + b" ", value[:cut] + b"\xff" + value[cut + 1 :]])
    cut = random.randrange(len(value) + 1)
    return random.choice([value[:cut] + random.choice("ab0/ ") + value[cut + 1 :], value + " ", value.upper(), ""])


_DO: dict[str, Callable[[Raw, Random, str, list[Row]], bool]] = {
    "update": _update,
    "delete": _delete,
    "insert": _insert,
    "swap": _swap,
}

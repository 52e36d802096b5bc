"""Apply numbered SQL files in one transaction; refuse a schema newer than the code."""

from __future__ import annotations

import sqlite3
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from pontoon.store.model import NoLogError, StoreError

if TYPE_CHECKING:
    import psycopg

Dialect = Literal["sqlite", "postgresql"]

_LOCK = 7_766_861_214
"""The key of the PostgreSQL advisory lock that serialises migrations."""

_READABLE = 1
"""The oldest schema that can be read as it is: later scripts only add tables that are derived from the log."""

_TABLE = "CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)"


class Script(Struct, frozen=True):
    """One numbered SQL file."""

    number: int
    name: str
    sql: str


def scripts(dialect: Dialect) -> list[Script]:
    """All scripts of a backend, in order.

    >>> [script.name for script in scripts("sqlite")][0]
    '0001_start.sql'
    """
    folder = resources.files("pontoon.store") / "migrations" / dialect
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    return [Script(int(file.name[:4]), file.name, file.read_text(encoding="utf-8")) for file in files]


def missing(dialect: Dialect, number: int, where: str) -> list[Script]:
    """The scripts that a database at this schema number still needs."""
    known = scripts(dialect)
    if number > known[-1].number:
        newest = known[-1].number
        raise StoreError(f"{where} was written by a newer pontoon (schema {number}, this one supports {newest})")
    return [script for script in known if script.number > number]


def check_readable(dialect: Dialect, number: int, where: str) -> None:
    """Raise StoreError if a database at this schema number cannot be read without a migration."""
    if missing(dialect, number, where) and number < _READABLE:
        raise NoLogError(f"{where} has no log of a pontoon server yet: start one on it first")


# --- SQLite --------------------------------------------------------------------------------------------


def sqlite_number(connection: sqlite3.Connection, where: str) -> int:
    """The schema number of a file; 0 if it is empty."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if tables and "migrations" not in tables:
        raise StoreError(f"{where} is a database, but not a pontoon database")
    if not tables:
        return 0
    number: int = connection.execute("SELECT max(number) FROM migrations").fetchone()[0]
    return number


def migrate_sqlite(connection: sqlite3.Connection, where: str) -> None:
    """Apply the missing scripts to a file; the caller holds its lock file."""
    number = sqlite_number(connection, where)
    todo = missing("sqlite", number, where)
    if not todo:
        return
    parts = ["BEGIN IMMEDIATE", *([] if number else [_TABLE])]
    for script in todo:
        parts += [script.sql, f"INSERT INTO migrations VALUES ({script.number}, '{script.name}')"]  # noqa: S608 our files
    try:
        connection.executescript(";\n".join([*parts, "COMMIT"]))
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


# --- PostgreSQL ----------------------------------------------------------------------------------------


def migrate_postgresql(connection: psycopg.Connection[Any], where: str) -> None:
    """Apply the missing scripts to a database; if two processes start together, the second waits."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        number = postgresql_number(connection, where)
        todo = missing("postgresql", number, where)
        if not number:
            connection.execute(_TABLE)
        for script in todo:
            connection.execute(script.sql.encode())
            connection.execute("INSERT INTO migrations VALUES (%s, %s)", (script.number, script.name))


def postgresql_number(connection: psycopg.Connection[Any], where: str) -> int:
    """The schema number of a database; 0 if it is empty."""
    found = connection.execute("SELECT to_regclass('migrations'), to_regclass('entries')").fetchone()
    assert found is not None
    if found[0] is None:
        if found[1] is not None:
            raise StoreError(f"{where} has an entries table, but it is not a pontoon database")
        return 0
    row = connection.execute("SELECT max(number) FROM migrations").fetchone()
    assert row is not None
    return int(row[0])

"""The raw rows of a store for `verify` and `backup`: bypassing caches and indexes, in a defined order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

Rows = Callable[[str], Iterator[tuple[Any, ...]]]
"""A function that iterates over the rows of one of TABLES."""

TABLES = {
    "entries": ("stream, version, at, by, key, body, hash", "stream, version"),
    "postings": ("stream, version, line, account, amount", "stream, version, line"),
    "marks": ("stream, version, line, mark, at", "stream, version, line"),
    "heads": ("stream, version, at, hash", "stream"),
    "accounts": ("name, balance, floored", "name"),
    "roots": ("number, at, hash", "number"),
    "root_heads": ("number, stream, version, hash", "number, stream"),
}
"""Each table with its columns and sort order; a table comes after those it refers to."""


class Snapshots(Protocol):
    """A store whose rows can be read from a consistent snapshot."""

    def snapshot(self) -> AbstractContextManager[Rows]:
        """All rows as of now, unaffected by later writes."""

    def damage(self) -> list[str]:
        """Faults below the rows, in pages and indexes, as far as the store can tell."""


def selection(table: str) -> str:
    """The query for the rows of a table; `sealed` is `root_heads` in the order of the entries.

    >>> selection("roots")
    'SELECT number, at, hash FROM roots ORDER BY number'
    """
    if table == "sealed":
        return "SELECT stream, version, number, hash FROM root_heads ORDER BY stream, version"
    columns, order = TABLES[table]
    return f"SELECT {columns} FROM {table} ORDER BY {order}"  # noqa: S608 our own names

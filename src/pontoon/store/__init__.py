"""Storage: append-only event streams with a hash chain, and the ledger."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pontoon.store.memory import MemoryStore
from pontoon.store.model import (
    FLOORED,
    NOTHING,
    Append,
    Appended,
    Conflict,
    Draft,
    Entry,
    Fault,
    Head,
    Lease,
    LeaseLost,
    NotEnough,
    Outcome,
    Repeated,
    Root,
    Store,
    StoreError,
)
from pontoon.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from pontoon.store.postgresql import PostgresStore

__all__ = [
    "FLOORED",
    "NOTHING",
    "Append",
    "Appended",
    "Conflict",
    "Draft",
    "Entry",
    "Fault",
    "Head",
    "Lease",
    "LeaseLost",
    "MemoryStore",
    "NotEnough",
    "Outcome",
    "Repeated",
    "Root",
    "SqliteStore",
    "Store",
    "StoreError",
    "open_store",
]


def open_store(
    where: str | Path, *, read_only: bool = False, accept_rollback: bool = False
) -> MemoryStore | SqliteStore | PostgresStore:
    """Open the store at an address: `memory:`, a path or `sqlite:PATH`, or `postgresql://…`.

    >>> open_store("memory:").head("table/1").version
    0
    """
    name = str(where)
    if name == "memory:":
        return MemoryStore()
    if name.startswith(("postgresql:", "postgres:")):
        from pontoon.store.postgresql import PostgresStore  # noqa: PLC0415 psycopg is only needed here

        return PostgresStore(name, read_only=read_only)
    return SqliteStore(name.removeprefix("sqlite:"), read_only=read_only, accept_rollback=accept_rollback)

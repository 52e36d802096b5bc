"""Back up a store, even while it is being written, into one SQLite file, and verify the copy."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from pontoon.store.migrate import migrate_sqlite
from pontoon.store.model import StoreError
from pontoon.store.rows import TABLES, Snapshots
from pontoon.store.sqlite import SqliteStore
from pontoon.store.verify import faults


def backup(store: Snapshots, path: str | Path) -> None:
    """Copy a snapshot of a store into a new file; StoreError if the file exists or the copy is faulty."""
    target = Path(path).resolve()
    if target.exists():
        raise StoreError(f"{target} already exists; a backup never overwrites a file")
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        if isinstance(store, SqliteStore):
            store.copy_into(part)
        else:
            _copy_rows(store, part)
        _verify(part)
        _settle(part, target)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{target}: {error}") from error
    finally:
        part.unlink(missing_ok=True)


def _copy_rows(store: Snapshots, path: Path) -> None:
    """Copy every table except the leases: the copy has a single owner."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    target = sqlite3.connect(path, isolation_level=None)
    try:
        migrate_sqlite(target, str(path))
        target.execute("BEGIN")
        with store.snapshot() as rows:
            for table, (columns, _) in TABLES.items():
                places = ", ".join("?" * len(columns.split(",")))
                target.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", rows(table))  # noqa: S608
        target.execute("COMMIT")
    finally:
        target.close()


def _verify(path: Path) -> None:
    copy = SqliteStore(path, read_only=True)
    try:
        fault = next(faults(copy), None)
    finally:
        copy.close()
    if fault is not None:
        where = f"{fault.stream} version {fault.version}: " if fault.stream else ""
        raise StoreError(f"the copy is faulty, and perhaps the store too: {where}{fault.words}")


def _settle(part: Path, target: Path) -> None:
    """Sync the copy to disk, then give it its name, without overwriting a file created meanwhile."""
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    try:
        os.link(part, target)
    except FileExistsError:
        raise StoreError(f"{target} already exists; a backup never overwrites a file") from None
    except OSError:  # a file system without links
        part.rename(target)
    if os.name == "posix":  # other systems cannot open a folder
        folder = os.open(target.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)

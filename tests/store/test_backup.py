"""A backup is a store like the one it was taken of, in one file, and verified."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest

from pontoon.store import SqliteStore, StoreError
from pontoon.store.backup import backup
from pontoon.store.rows import TABLES
from pontoon.store.verify import faults
from tests.store.appends import furnish, put


def rows_of(store):
    with store.snapshot() as rows:
        return {table: list(rows(table)) for table in TABLES}


def test_a_backup_holds_every_row(store, tmp_path: Path):
    furnish(store, Random(5))
    store.take_lease("table/1", "A", "a", 600)
    backup(store, tmp_path / "copy.db")
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("copy")) == ["copy.db"]
    with closing(SqliteStore(tmp_path / "copy.db", read_only=True)) as copy:
        assert rows_of(copy) == rows_of(store)
        assert copy.roots() == store.roots()


def test_a_backup_can_be_gone_on_with(store, tmp_path: Path):
    furnish(store, Random(5))
    backup(store, tmp_path / "copy.db")
    with closing(SqliteStore(tmp_path / "copy.db")) as copy:
        put(copy, "table/1")
        assert copy.head("table/1").version == store.head("table/1").version + 1
        assert copy.seal(9_999) is not None
        assert list(faults(copy)) == []


def test_a_backup_is_of_one_moment_while_others_write(store, tmp_path: Path):
    furnish(store, Random(5))
    done = Event()

    def write():
        while not done.is_set():
            put(store, "table/1")

    writer = Thread(target=write)
    writer.start()
    try:
        backup(store, tmp_path / "copy.db")
    finally:
        done.set()
        writer.join()
    with closing(SqliteStore(tmp_path / "copy.db", read_only=True)) as copy:
        assert copy.head("table/1").version <= store.head("table/1").version


def test_a_backup_overwrites_nothing(store, tmp_path: Path):
    (tmp_path / "copy.db").write_text("precious")
    with pytest.raises(StoreError, match="already exists"):
        backup(store, tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "precious"
    with pytest.raises(StoreError, match="nowhere"):
        backup(store, tmp_path / "nowhere" / "copy.db")


def test_a_bad_store_gives_no_backup(tmp_path: Path):
    path = tmp_path / "pontoon.db"
    with closing(SqliteStore(path)) as store:
        furnish(store, Random(5))
    with closing(sqlite3.connect(path)) as plain, plain:
        plain.execute("UPDATE accounts SET balance = balance + 1 WHERE name = 'wallet/Ann'")
    with (
        closing(SqliteStore(path, read_only=True)) as store,
        pytest.raises(StoreError, match=r"the copy is faulty.*wallet/Ann"),
    ):
        backup(store, tmp_path / "copy.db")
    assert not list(tmp_path.glob("copy*"))

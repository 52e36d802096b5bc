"""A good store has no faults; a bad one is told which entry is the first that is not as it was written."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from pontoon.store import Fault, MemoryStore, SqliteStore, StoreError
from pontoon.store.verify import faults, trial_balance
from tests.store.appends import buy, furnish, put
from tests.store.tamper import Opened, RawSqlite


def test_a_good_store_has_no_faults(store):
    assert list(faults(store)) == []
    furnish(store, Random(3))
    assert list(faults(store)) == []


def test_the_trial_balance_is_by_kind_of_account_and_comes_to_zero(store):
    furnish(store, Random(3))
    found = trial_balance(store)
    assert list(found) == ["bank", "escrow", "wallet"]
    assert found["bank"] == -40_000
    assert sum(found.values()) == 0


def test_a_snapshot_is_of_one_moment_while_others_write(store):
    if isinstance(store, MemoryStore):
        pytest.skip("its snapshot holds the lock")
    furnish(store, Random(3))
    with store.snapshot() as rows:
        before = len(list(rows("postings")))
        put(store, "people", buy("Ann", 1))
        assert len(list(rows("postings"))) == before
        assert len(list(rows("heads"))) == 5


def test_looking_may_stop_at_the_first_fault(store):
    furnish(store, Random(3))
    with store.snapshot() as rows:
        assert next(rows("entries"))[:2] == ("people", 1)
        assert next(rows("heads"))[:2] == ("people", 4)
    assert list(faults(store)) == []


@pytest.fixture
def raw(tmp_path: Path):
    with closing(SqliteStore(tmp_path / "pontoon.db")) as store:
        furnish(store, Random(3))
    with closing(RawSqlite(str(tmp_path / "pontoon.db"))) as opened:
        yield opened


@pytest.mark.parametrize(
    ("statement", "first"),
    [
        ("UPDATE entries SET body = x'00' WHERE stream = 'table/1' AND version >= 5", Fault("table/1", 5, "the hash")),
        ("UPDATE entries SET at = 1 WHERE stream = 'table/1' AND version = 5", Fault("table/1", 5, "earlier than the")),
        ("DELETE FROM entries WHERE stream = 'table/1' AND version = 5", Fault("table/1", 5, "missing; after")),
        ("DELETE FROM entries WHERE stream = 'table/3' AND version > 5", Fault("table/3", 6, "")),
        ("DELETE FROM entries WHERE stream = 'people'", Fault("people", 1, "a posting without an entry")),
        ("DELETE FROM postings WHERE stream = 'people' AND line = 1", Fault("people", 1, "a posting or a mark")),
        ("UPDATE postings SET amount = amount + 1 WHERE line = 2", Fault("people", 1, "the postings do not sum")),
        ("UPDATE marks SET at = at + 1 WHERE stream = 'people'", Fault("people", 1, "a mark has a different time")),
        ("UPDATE heads SET version = 3 WHERE stream = 'people'", Fault("people", 4, "the head of the stream is not")),
        ("UPDATE heads SET version = 9 WHERE stream = 'people'", Fault("people", 5, "missing; the head of the stream")),
        ("DELETE FROM heads WHERE stream = 'people'", Fault("people", 4, "the head of the stream is not")),
        ("INSERT INTO heads VALUES ('more', 1, 1, '')", Fault("more", 0, "a head without an entry")),
        ("INSERT INTO heads VALUES ('zzz', 1, 1, '')", Fault("zzz", 0, "a head without an entry")),
        ("UPDATE root_heads SET hash = 'x' WHERE stream = 'people'", Fault("people", 4, "root 1 has a different hash")),
        ("UPDATE accounts SET balance = 1 WHERE name = 'wallet/Ann'", Fault("", 0, "account wallet/Ann: balance 1, ")),
        ("UPDATE accounts SET balance = -1 WHERE name = 'wallet/Ann'", Fault("", 0, "account wallet/Ann: balance -1")),
        ("UPDATE accounts SET floored = 0 WHERE name = 'wallet/Ann'", Fault("", 0, "account wallet/Ann has the wrong")),
        ("DELETE FROM accounts WHERE name = 'wallet/Ann'", Fault("", 0, "account wallet/Ann is missing")),
        ("INSERT INTO accounts VALUES ('wallet/Zed', 0, 1)", Fault("", 0, "account wallet/Zed has no postings")),
        ("UPDATE roots SET at = at + 1 WHERE number = 2", Fault("", 0, "root 2 does not match its heads")),
        ("DELETE FROM roots WHERE number = 2", Fault("", 0, "root 2 is missing")),
        ("DELETE FROM roots WHERE number = 7", Fault("", 0, "root 7 is missing, but its heads are present")),
    ],
)  # fmt: skip
def test_the_first_bad_entry_is_named(raw, statement, first):
    raw.run(statement)
    fault = next(faults(Opened(raw)))
    assert (fault.stream, fault.version) == (first.stream, first.version)
    assert fault.words.startswith(first.words)


def test_of_each_bad_stream_one_entry_is_named(raw):
    raw.run("UPDATE entries SET body = x'00' WHERE version = 3")
    raw.run("DELETE FROM heads")
    found = [fault for fault in faults(Opened(raw)) if fault.stream]
    assert [(fault.stream, fault.version) for fault in found] == [
        ("people", 3),
        ("table/0", 3),
        ("table/1", 3),
        ("table/2", 3),
        ("table/3", 3),
    ]


def test_a_mark_that_memory_forgot_is_missed():
    store = MemoryStore()
    furnish(store, Random(3))
    store._marks["player:Ann"].pop()
    assert next(faults(store)).words == "the hash does not match the contents"


def test_bad_bytes_are_a_fault_and_no_crash(tmp_path: Path):
    path = tmp_path / "pontoon.db"
    with closing(SqliteStore(path)) as store:
        furnish(store, Random(3))
    with closing(sqlite3.connect(path)) as plain, plain:
        plain.execute("DROP TRIGGER entries_stay")
        plain.execute("UPDATE entries SET by = CAST(x'ff' AS TEXT) WHERE stream = 'table/1' AND version = 2")
    with closing(SqliteStore(path, read_only=True)) as store:
        assert next(faults(store)) == Fault("table/1", 2, "the hash does not match the contents")


def test_a_key_that_memory_forgot_is_missed():
    store = MemoryStore()
    furnish(store, Random(3))
    store._keys.popitem()
    assert next(faults(store)).words == "the index by key does not match the entries"


def test_a_torn_page_is_a_fault_and_no_crash(tmp_path: Path):
    path, copy = tmp_path / "pontoon.db", tmp_path / "torn.db"
    with closing(SqliteStore(path)) as store:
        furnish(store, Random(3))
    pages = path.stat().st_size // 4096
    assert pages > 10
    for page in range(1, pages):
        torn = bytearray(path.read_bytes())
        torn[page * 4096 : page * 4096 + 100] = b"\xee" * 100
        copy.write_bytes(torn)
        try:
            store = SqliteStore(copy, read_only=True)
        except StoreError:
            continue
        with closing(store):
            assert list(faults(store)), page

"""Tests of the SQL stores only: triggers, migrations, locks, several processes."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Barrier, Thread

import psycopg
import pytest

from pontoon.ledger import Posting
from pontoon.store import (
    Appended,
    Conflict,
    Draft,
    Lease,
    LeaseLost,
    SqliteStore,
    StoreError,
    migrate,
    open_store,
    postgresql,
)
from pontoon.store.postgresql import PostgresStore
from pontoon.store.verify import faults
from tests.store.appends import append, bet, buy, kinds, put

STAY = {"entries": "body", "postings": "amount", "marks": "mark", "roots": "at", "root_heads": "hash"}
REFUSED = [
    *[f"UPDATE {table} SET {column} = {column}" for table, column in STAY.items()],  # noqa: S608
    *[f"DELETE FROM {table}" for table in (*STAY, "heads", "accounts")],  # noqa: S608
    "UPDATE accounts SET balance = -1 WHERE name = 'wallet/Ann'",
]
KILL = b"""
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE application_name = 'pontoon' AND datname = current_database()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "pontoon.db"
    with closing(SqliteStore(path)) as store:
        fill(store)
    return path


def fill(store):
    put(store, "people", buy("Ann", 100))
    put(store, "table/1", bet("Ann", 10, "k"))
    store.seal(1)


# --- indexes -------------------------------------------------------------------------------------------


def test_what_is_asked_of_a_stream_or_a_wallet_is_found_by_an_index(path, monkeypatch: pytest.MonkeyPatch):
    plans: list[str] = []
    with closing(SqliteStore(path)) as store:
        query = store._query

        def explained(sql, parameters=()):
            plans.append(str([row[-1] for row in query(f"EXPLAIN QUERY PLAN {sql}", parameters)]))
            return query(sql, parameters)

        monkeypatch.setattr(store, "_query", explained)
        store.marked("round:5", stream="table/1", limit=1)
        store.marked("round", stream="table/1", before=(1, "table/1", 2))
        store.wallet_streams("wallet/Ann")
        store.wallet_moves("wallet/Ann", "table/1", 9, 9)
        store.marked("round")
        store.marked("player:Ann", stream="table/1")
    used = ["marks_of_stream"] * 2 + ["postings_of_wallets"] * 2 + ["marks_by_time"] * 2
    assert [name in plan for name, plan in zip(used, plans, strict=True)] == [True] * 6, plans
    assert "(stream=? AND mark=?)" in plans[0]
    assert "(account=? AND stream=? AND version<?)" in plans[3]


# --- triggers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("statement", REFUSED)
def test_sqlite_refuses_to_change_what_is_written(path, statement):
    with closing(sqlite3.connect(path)) as plain, pytest.raises(sqlite3.IntegrityError):
        plain.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT OR REPLACE INTO entries SELECT stream, version, at, by, key, x'00', hash FROM entries",
        "INSERT OR REPLACE INTO entries SELECT 'table/1', 2, at, by, key, body, hash FROM entries WHERE key = 'k'",
        "INSERT OR REPLACE INTO entries SELECT stream, version + 2, at, by, '', x'00', hash FROM entries",
        "INSERT OR REPLACE INTO postings SELECT stream, version, line, account, amount * 2 FROM postings",
    ],
)
def test_sqlite_refuses_to_replace_what_is_written(path, statement):
    with closing(sqlite3.connect(path)) as plain, pytest.raises(sqlite3.IntegrityError):
        plain.execute(statement)


def test_postgresql_refuses_to_change_what_is_written(database):
    with closing(PostgresStore(database)) as store:
        fill(store)
    with psycopg.connect(database, autocommit=True) as plain:
        truncated = [f"TRUNCATE {table} CASCADE" for table in (*STAY, "heads", "accounts")]
        for statement in (*REFUSED, *truncated):
            with pytest.raises(psycopg.errors.IntegrityError):
                plain.execute(statement.encode())


# --- files ---------------------------------------------------------------------------------------------


def test_a_commit_is_on_disk(path):
    with closing(SqliteStore(path)) as store:
        assert store._writer is not None
        asked = {
            name: store._writer.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "journal_mode")
        }
    assert asked == {"synchronous": 2, "journal_mode": "wal"}


def test_a_closed_store_is_one_file_beside_its_lock_and_its_count(path):
    names = sorted(file.name for file in path.parent.iterdir())
    assert names == ["pontoon.db", "pontoon.db.entries", "pontoon.db.lock"]


def test_a_file_on_a_medium_that_cannot_be_written_is_read(path, monkeypatch):
    usual = sqlite3.connect

    def connect(name, **options):
        if "immutable" not in name:
            raise sqlite3.OperationalError("unable to open database file")
        return usual(name, **options)

    monkeypatch.setattr(sqlite3, "connect", connect)
    with closing(SqliteStore(path, read_only=True)) as store:
        assert store.head("table/1").version == 1


def test_a_file_has_one_server(path):
    with closing(SqliteStore(path)) as store:
        with pytest.raises(StoreError, match=r"pontoon\.db is in use by another server \(process \d+\)$"):
            SqliteStore(path)
        with closing(open_store(f"sqlite:{path}", read_only=True)) as reader:
            put(store, "table/1")
            assert reader.head("table/1").version == 2
    SqliteStore(path).close()


def test_what_is_open_for_reading_only_is_not_written(path, database):
    before = path.read_bytes()
    PostgresStore(database).close()
    for where in (path, database):
        with closing(open_store(where, read_only=True)) as store:
            assert store.wait_for_writes(0) is not None
            with pytest.raises(StoreError, match="for reading only"):
                store.write([append("table/1", 1)])
    assert path.read_bytes() == before


def test_leases_end_with_the_process_that_had_the_file(path):
    with closing(SqliteStore(path)) as store:
        store.take_lease("table/1", "A", "a", 600)
    with closing(SqliteStore(path)) as store:
        lease = store.take_lease("table/1", "B", "b", 600)
        assert lease is not None
        assert lease.epoch == 2


@pytest.mark.parametrize("read_only", [True, False])
def test_what_is_no_store_is_refused_in_one_line(tmp_path, read_only):
    (tmp_path / "text").write_text("not a database, " * 100)
    with closing(sqlite3.connect(tmp_path / "other")) as other:
        other.execute("CREATE TABLE entries (a)")
    for name in ("text", "other", "missing/file" if not read_only else "missing"):
        with pytest.raises(StoreError) as caught:
            SqliteStore(tmp_path / name, read_only=read_only)
        assert "\n" not in str(caught.value)


def test_a_closed_store_says_so(path, database):
    for store in (SqliteStore(path), PostgresStore(database)):
        store.close()
        store.close()
        with pytest.raises(StoreError, match="closed"):
            store.write([append("t", 0)])
        with pytest.raises(StoreError, match="closed"):
            store.heads()


# --- migrations ----------------------------------------------------------------------------------------


def test_a_newer_schema_is_refused(path, database):
    PostgresStore(database).close()
    with closing(sqlite3.connect(path)) as plain, plain:
        plain.execute("INSERT INTO migrations VALUES (99, '0099_later.sql')")
    with psycopg.connect(database) as other:
        other.execute("INSERT INTO migrations VALUES (99, '0099_later.sql')")
    for where in (path, database):
        for read_only in (True, False):
            with pytest.raises(StoreError, match=r"newer pontoon \(schema 99, this one supports 3\)"):
                open_store(where, read_only=read_only)


def test_migrations_are_one_transaction(path, database, monkeypatch):
    PostgresStore(database).close()
    usual = migrate.scripts
    later = [(3, "0003_a.sql", "CREATE TABLE a (b INTEGER);"), (4, "0004_b.sql", "CREATE TABLE c (b INTEGER); oops;")]

    def until(number):
        more = [migrate.Script(*script) for script in later if script[0] <= number]
        monkeypatch.setattr(migrate, "scripts", lambda dialect: usual(dialect) + more)

    for where in (path, database):
        until(4)
        with pytest.raises(StoreError, match="oops"):
            open_store(where)
        open_store(where, read_only=True).close()  # later scripts add nothing that a reader needs
        until(3)
        open_store(where).close()
        open_store(where, read_only=True).close()


def test_a_database_without_a_log_is_not_read(path, postgresql):
    empty, url = path.with_name("empty.db"), postgresql.new_database()
    empty.touch()
    for where in (empty, url):
        with pytest.raises(StoreError, match="has no log of a pontoon server yet"):
            open_store(where, read_only=True)
    postgresql.drop(url)


def test_processes_that_start_together_migrate_once(postgresql):
    url = postgresql.new_database()
    stores, start = [], Barrier(4)

    def open_one():
        start.wait()
        stores.append(PostgresStore(url))

    together([Thread(target=open_one) for _ in range(4)])
    for store in stores:
        store.close()
    postgresql.drop(url)
    assert len(stores) == 4


def test_a_database_of_somebody_else_is_refused(postgresql):
    url = postgresql.new_database()
    with psycopg.connect(url) as plain:
        plain.execute("CREATE TABLE entries (a INTEGER)")
    with pytest.raises(StoreError, match="not a pontoon database"):
        PostgresStore(url)
    postgresql.drop(url)


# --- several processes on PostgreSQL -------------------------------------------------------------------


@pytest.fixture
def two(database):
    with closing(PostgresStore(database)) as one, closing(PostgresStore(database)) as other:
        yield one, other


def test_two_processes_see_each_other(two):
    one, other = two
    put(one, "table/1")
    assert other.write([append("table/1", 0)]) == [Conflict(1)]
    put(other, "table/1")
    assert [entry.version for entry in one.read("table/1")] == [1, 2]


def test_one_process_wakes_the_other(two):
    one, other = two
    heard = []
    waiting = Thread(target=lambda: heard.append(other.wait_for_writes(10)))
    waiting.start()
    put(one, "table/7")
    waiting.join()
    assert heard == [{"table/7": 1}]


def test_a_replaced_owner_cannot_write(two):
    one, other = two
    one.take_lease("table/1", "one", "a", 0)
    lease = other.take_lease("table/1", "other", "b", 60)
    assert lease is not None
    assert one.write([append("table/1", 0, epoch=1)]) == [LeaseLost(2)]
    assert kinds(other.write([append("table/1", 0, epoch=2)])) == ["Appended"]


def test_a_takeover_waits_for_the_write_that_is_under_way(two, database):
    """The lease is locked while a batch is written, so that its next owner reads all of the stream."""
    one, other = two
    one.take_lease("table/1", "one", "a", 0)
    with psycopg.connect(database) as paused:
        paused.execute("SELECT * FROM leases WHERE stream = 'table/1' FOR SHARE")
        taking = Thread(target=other.take_lease, args=("table/1", "other", "b", 60))
        taking.start()
        taking.join(0.2)
        assert taking.is_alive()
        assert one.lease("table/1") is None
        paused.rollback()
        taking.join()
    assert one.lease("table/1") == other.lease("table/1")


def test_an_owner_that_was_paused_in_its_write_cannot_finish_it(two, monkeypatch):
    """PostgreSQL ends the transaction of a process that sleeps, so that a takeover need not wait for it."""
    one, other = two
    one.take_lease("table/1", "one", "a", 0)
    one._writer.execute("SET idle_in_transaction_session_timeout = '100ms'")
    taken, put_down = [], postgresql._put

    def slow(writer, batch):
        taken.append(other.take_lease("table/1", "other", "b", 60))
        put_down(writer, batch)

    monkeypatch.setattr(postgresql, "_put", slow)
    assert one.write([append("table/1", 0, epoch=1)]) == [LeaseLost(2)]
    assert taken == [Lease("table/1", "other", "b", 2)]
    assert one.read("table/1") == []


def test_processes_never_lose_or_invent_money(two):
    """Opposite orders of the same accounts and new accounts on both sides: a deadlock would show here."""
    put(two[0], "people", buy("Ann", 1000), buy("Bob", 1000))
    outcomes, start = [], Barrier(4)

    def work(number):
        start.wait()
        store = two[number % 2]
        for step in range(15):
            players = ["Ann", "Bob", f"C{step}"][:: 1 if number % 2 else -1]
            batch = [append(f"table/{number}/{step}/{player}", 0, bet(player, 20)) for player in players[:2]]
            outcomes.extend(store.write([*batch, append(f"new/{step}", 0, buy(f"D{step}", 5))]))

    together([Thread(target=work, args=(number,)) for number in range(4)])
    fresh = [
        outcome
        for outcome in outcomes
        if isinstance(outcome, Appended) and outcome.entries[0].stream.startswith("new/")
    ]
    assert len(fresh) == 15
    assert sum(two[0].balances().values()) == 0
    assert set(two[0].balances("wallet/D").values()) == {5}
    assert (two[0].balance("wallet/Ann"), two[0].balance("wallet/Bob")) == (400, 0)
    assert list(faults(two[0])) == []


def test_processes_that_remember_their_streams_never_lose_or_invent_money(two):
    """The same if nobody asks first: opposite orders of accounts that both know, until they are empty."""
    put(two[0], "people", buy("Ann", 1000), buy("Bob", 1000))
    start = Barrier(2)
    for number in range(2):
        put(two[number], f"table/{number}", bet("Ann", 10), bet("Bob", 10))

    def work(number):
        start.wait()
        for _ in range(60):
            head = two[number].head(f"table/{number}").version
            bets = [bet("Ann", 10), bet("Bob", 10)][:: 1 if number else -1]
            two[number].write([append(f"table/{number}", head, *bets)])

    together([Thread(target=work, args=(number,)) for number in range(2)])
    assert [two[0].balance(f"wallet/{player}") for player in ("Ann", "Bob")] == [0, 0]
    assert sum(head.version for head in two[0].heads("table/")) == 200
    assert list(faults(two[0])) == []


def spent(other):
    put(other, "table/2", bet("Ann", 60))


def moved_on(other):
    put(other, "table/1")


def leased(other):
    other.take_lease("table/1", "other", "b", 60)


def said_already(other):
    put(other, "table/1", bet("Ann", 10, "again"))


@pytest.mark.parametrize(
    ("meanwhile", "outcome", "wallet"),
    [(spent, "NotEnough", 30), (moved_on, "Conflict", 90), (leased, "LeaseLost", 90), (said_already, "Repeated", 80)],
)
def test_what_is_remembered_wrongly_is_asked_about(two, monkeypatch, meanwhile, outcome, wallet):
    one, other = two
    put(one, "people", buy("Ann", 100))
    put(one, "table/1", bet("Ann", 10))
    guessed, usual = [], postgresql._put_unasked

    def put_down(writer, batch):
        guessed.append(batch)
        usual(writer, batch)

    monkeypatch.setattr(postgresql, "_put_unasked", put_down)
    meanwhile(other)
    stake = 40 if meanwhile is spent else 10
    assert kinds(one.write([append("table/1", 1, bet("Ann", stake, "again"))])) == [outcome]
    assert one.balance("wallet/Ann") == wallet
    assert len(guessed) == 1
    assert list(faults(one)) == []


def test_an_owner_that_was_replaced_writes_nothing_though_it_remembers(two):
    one, other = two
    one.take_lease("table/1", "one", "a", 0)
    assert kinds(one.write([append("table/1", 0, epoch=1)])) == ["Appended"]
    assert kinds(one.write([append("table/1", 1, epoch=1)])) == ["Appended"]
    other.take_lease("table/1", "other", "b", 60)
    assert one.write([append("table/1", 2, epoch=1)]) == [LeaseLost(2)]
    assert one.write([append("table/1", 2)]) == [LeaseLost(2)]
    assert one.head("table/1").version == 2


def test_what_is_remembered_is_written_without_a_question(two, monkeypatch):
    """Any bytes and any names are stored, and the chain continues."""
    put(two[0], "people", buy("Änn 'x' \\ \N{RIGHT-TO-LEFT OVERRIDE}\x01", 100), buy("Bob", 5))
    monkeypatch.setattr(postgresql, "_asked", None)
    name = "Änn 'x' \\ \N{RIGHT-TO-LEFT OVERRIDE}\x01"
    body = bytes(range(256))
    put(two[0], "people", Draft(name, body, 'k"', (Posting(f"wallet/{name}", -7), Posting("bank", 7)), ("m,{}", "n")))
    (entry,) = two[1].read("people", 2)
    assert (entry.by, entry.key, entry.body, entry.marks) == (name, 'k"', body, ("m,{}", "n"))
    assert two[1].balance(f"wallet/{name}") == 93
    assert list(faults(two[1])) == []


def test_both_seal_without_a_gap(two):
    start = Barrier(2)

    def work(number):
        start.wait()
        for step in range(10):
            put(two[number], f"table/{number}")
            two[number].seal(step)

    together([Thread(target=work, args=(number,)) for number in range(2)])
    roots = two[0].roots()
    assert [root.number for root in roots] == list(range(1, len(roots) + 1))
    assert [head.version for head in roots[-1].heads] == [10, 10]


def together(threads):
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# --- lost connections ----------------------------------------------------------------------------------


def test_lost_connections_are_made_again(two, database):
    one, _ = two
    put(one, "table/1")
    with psycopg.connect(database, autocommit=True) as plain:
        plain.execute(KILL)
        put(one, "table/2")
        # Earlier notifications may arrive first; any sent while no one was listening make every stream suspect.
        assert {"table/1": 1, "table/2": 1} in [one.wait_for_writes(1) for _ in range(3)]
        put(one, "table/3")
        assert one.wait_for_writes(1) == {"table/3": 1}
        plain.execute(KILL)
        assert [entry.version for entry in one.read("table/2")] == [1]


def test_what_another_process_wrote_alike_is_not_ours(two, monkeypatch):
    """The same bytes at the same version, a moment before: the second writer gets a conflict."""
    one, other = two
    usual = postgresql._put

    def second(writer, batch):
        monkeypatch.undo()
        assert kinds(other.write([append("new/1", 0)])) == ["Appended"]
        usual(writer, batch)

    monkeypatch.setattr(postgresql, "_put", second)
    assert one.write([append("new/1", 0)]) == [Conflict(1)]


@pytest.mark.parametrize("way", ["_put", "_put_unasked"])
def test_a_batch_whose_commit_was_not_answered_is_written_once(database, monkeypatch, way):
    with closing(PostgresStore(database)) as store:
        put(store, "people", buy("Ann", 100))
        put(store, "table/1", bet("Ann", 5))
        usual, lost = getattr(postgresql, way), []

        def put_down(writer, batch):
            monkeypatch.undo()
            usual(writer, batch)
            lost.append(writer)
            writer.close()
            raise psycopg.OperationalError("nobody heard of the commit")

        monkeypatch.setattr(postgresql, way, put_down)
        stream = "table/1" if way == "_put_unasked" else "table/2"
        outcomes = store.write([append(stream, store.head(stream).version, bet("Ann", 10))])
        assert kinds(outcomes) == ["Appended"]
        assert store.balance("wallet/Ann") == 85
        assert len(lost) == 1


def test_a_database_that_cannot_be_reached_is_one_line():
    for url in ("postgresql://nobody@127.0.0.1:1/none?connect_timeout=1", "postgresql://127.0.0.1:port/x"):
        with pytest.raises(StoreError) as caught:
            open_store(url)
        assert "\n" not in str(caught.value)


def test_only_who_asks_for_postgresql_needs_psycopg():
    code = "import sys, pontoon.store, pontoon.store.backup; sys.exit('psycopg' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

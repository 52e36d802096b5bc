"""A store in PostgreSQL for several processes: row locks keep them apart, notifications only wake them."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from ipaddress import ip_address
from threading import Lock, Thread
from typing import Any, TypeVar

import msgspec
import psycopg
from msgspec.structs import astuple
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from pontoon.store.batch import Batch, Key, Standing, Tip, check
from pontoon.store.migrate import check_readable, migrate_postgresql, postgresql_number
from pontoon.store.model import PAGE, Append, Entry, Lease, Outcome, Root, Snapshot, StoreError, UnsureError
from pontoon.store.postgresql_sql import KEYS, NEWS, PARTS, RENEW, ROWS, STANDING, TAKE, UNASKED
from pontoon.store.rows import Rows, selection
from pontoon.store.sql import (
    NEW_ROOT,
    NEW_ROOT_HEAD,
    NEW_SNAPSHOT,
    OLD_SNAPSHOTS,
    RELEASE,
    Row,
    SqlReader,
    entry_of,
    next_root,
    statements,
)
from pontoon.store.tip_cache import TipCache
from pontoon.store.write_signal import WriteSignal

Connection = psycopg.Connection[Row]
Answer = TypeVar("Answer")
Decided = tuple[Batch, list[Outcome]]
"""A batch and the outcome of each append."""

_TRIES = 10
_MOMENT = 0.25
_GATHER = 0.02
_CHANNEL = "pontoon_entries"
_SESSION = {
    "application_name": "pontoon",
    "connect_timeout": 5,
    # Notice within seconds that the database's host, or the way to it, is gone: another host has the tables by then.
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 5000,
}
# The database notices a lost host as soon; a process paused in a transaction loses the transaction and its locks.
_SETTINGS = """
SET tcp_keepalives_idle = 2;
SET tcp_keepalives_interval = 1;
SET tcp_keepalives_count = 3;
SET tcp_user_timeout = 5000;
SET synchronous_commit = on;
SET default_transaction_isolation = 'read committed';
SET idle_in_transaction_session_timeout = '5s';
SET enable_seqscan = off;
SET jit = off;
"""
"""Prepared plans live long, and one made while the tables were small is only good if it uses an index, so sequential
scans are disabled. A plan without an index then has a high estimated cost and PostgreSQL would JIT-compile it: 40 to
200 ms for a query of 1 ms."""
_AGAIN = (errors.SerializationFailure, errors.DeadlockDetected, errors.UniqueViolation, errors.DivisionByZero)
"""Another process wrote first; on a retry the batch sees what it wrote. (`_put` divides by zero in that case.)"""


class PostgresStore(SqlReader):
    """One database; this process writes through one connection and reads through a few."""

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        self.url = url
        self.read_only = read_only
        self.name = _name(url)
        self._lock = Lock()
        self._writer: Connection | None = None
        self._readers: list[Connection] = []
        self._listening = Lock()
        self._listener: Connection | None = None
        self._closed = False
        self._tips = TipCache()
        self._written_signal = WriteSignal()
        self._notifier = Thread(target=self._notifying, name="notifier", daemon=True)
        try:
            self._open()
        except psycopg.Error as error:
            self.close()
            raise self._trouble(error) from error
        except StoreError:
            self.close()
            raise

    def _open(self) -> None:
        if self.read_only:
            with self._reader() as reader:
                check_readable("postgresql", postgresql_number(reader, self.name), self.name)
            return
        self._writer = self._connect()
        migrate_postgresql(self._writer, self.name)
        self._listener = self._listen()
        self._notifier.start()

    # --- connections ---------------------------------------------------------------------------------------

    def _connect(self) -> Connection:
        if self._closed:
            raise StoreError(f"{self.name} is closed")
        try:
            connection = psycopg.connect(self.url, autocommit=True, **_SESSION)  # type: ignore[arg-type]
        except psycopg.Error as error:
            raise self._trouble(error) from error
        connection.execute(_SETTINGS)
        return connection

    def _listen(self) -> Connection:
        listener = self._connect()
        listener.execute(f"LISTEN {_CHANNEL}")
        return listener

    @contextmanager
    def _reader(self) -> Iterator[Connection]:
        """A reading connection for one thread at a time: one that is idle, or a new one."""
        try:
            reader = self._readers.pop()
        except IndexError:
            reader = self._connect()
            reader.execute("SET default_transaction_read_only = on")
        try:
            yield reader
        finally:
            if self._closed or reader.closed:
                reader.close()
            else:
                self._readers.append(reader)

    def _query(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """Run a query; retry if the connection was lost, as an idle one may have been dead for a while."""
        for spare in range(len(self._readers), -1, -1):
            try:
                with self._reader() as reader:
                    return reader.execute(_marked(sql), parameters).fetchall()
            except psycopg.Error as error:
                if not spare or not reader.closed:
                    raise self._trouble(error) from error
        raise AssertionError

    def new_entries(self, seen: Mapping[str, int]) -> list[Entry]:
        """A single query for any number of streams: a process that follows a hundred tables calls this often."""
        rows = self._query(NEWS, (list(seen), list(seen.values()), PAGE))
        return [entry_of(row) for row in rows]

    def _written(self, work: Callable[[Connection], Answer]) -> Answer:
        """Run `work` on the writing connection; retry if another process wrote first.

        `work` begins and commits the transaction within its own statements, which saves round trips.
        """
        if self.read_only:
            raise StoreError(f"{self.name} is open for reading only")
        with self._lock:
            for attempt in range(_TRIES):
                if self._writer is None or self._writer.closed:
                    self._writer = self._connect()
                try:
                    return work(self._writer)
                except psycopg.Error as error:
                    with suppress(psycopg.Error):
                        self._writer.rollback()
                    if attempt + 1 == _TRIES or not (isinstance(error, _AGAIN) or self._writer.closed):
                        lost = self._writer.closed and not isinstance(error, _AGAIN)
                        raise (UnsureError(str(self._trouble(error))) if lost else self._trouble(error)) from error
                    if attempt:
                        time.sleep(0.001 * attempt)
            raise AssertionError

    # --- writing -------------------------------------------------------------------------------------------

    def write(self, appends: Sequence[Append]) -> list[Outcome]:
        check(appends)
        tried: list[Decided] = []

        def work(writer: Connection) -> Decided:
            guessed = self._tips.predict(appends) if not tried else None
            if guessed is None:
                return _asked(writer, appends, tried)
            with _sending(guessed, tried):
                self._tips.invalidate(guessed[0])  # until it is written
                _put_unasked(writer, guessed[0])
            return guessed

        batch, outcomes = self._written(work)
        self._tips.update(batch)
        self._written_signal.notify(batch.versions)
        return outcomes

    def _notifying(self) -> None:
        """Notify the other processes after commits, in a separate thread so that no writer waits for it.

        PostgreSQL serialises transactions that notify, so notifications are collected briefly and sent together.
        Processes that need to know sooner are informed by the writing process directly.
        """
        notifier: Connection | None = None
        while not self._closed:
            time.sleep(_GATHER)
            streams = self._written_signal.wait(_MOMENT)
            with suppress(psycopg.Error, StoreError):  # the write is done, and notifications are not guaranteed
                if streams and (notifier is None or notifier.closed):
                    notifier = self._connect()
                if streams and notifier is not None:
                    notifier.execute(
                        "SELECT pg_notify(%s, name) FROM unnest(%s::text[]) AS name",
                        (_CHANNEL, [f"{version} {stream}" for stream, version in streams.items()]),
                    )
        if notifier is not None:
            notifier.close()

    def keep_snapshots(self, snapshots: Sequence[Snapshot], *, only_last: bool = False) -> None:
        rows = [astuple(snapshot) for snapshot in snapshots]
        old = [(snapshot.stream, snapshot.version) for snapshot in snapshots]
        self._written(lambda writer: writer.cursor().executemany(_marked(NEW_SNAPSHOT), rows))
        if only_last:
            self._written(lambda writer: writer.cursor().executemany(_marked(OLD_SNAPSHOTS), old))

    def seal(self, at: int) -> Root | None:
        def work(writer: Connection) -> Root | None:
            writer.execute("LOCK TABLE roots IN SHARE ROW EXCLUSIVE MODE")
            found = next_root(lambda sql, parameters: writer.execute(_marked(sql), parameters).fetchall(), at)
            if found is None:
                return None
            root, heads = found
            writer.execute(_marked(NEW_ROOT), (root.number, root.at, root.hash))
            writer.cursor().executemany(_marked(NEW_ROOT_HEAD), heads)
            return root

        def whole(writer: Connection) -> Root | None:
            with writer.transaction():
                return work(writer)

        return self._written(whole)

    # --- leases --------------------------------------------------------------------------------------------

    def take_lease(self, stream: str, owner: str, address: str, seconds: float) -> Lease | None:
        row = self._written(lambda writer: writer.execute(TAKE, (stream, owner, address, seconds)).fetchone())
        return Lease(stream, owner, address, row[0]) if row else None

    def renew_leases(self, owner: str, seconds: float) -> set[str]:
        return {row[0] for row in self._written(lambda writer: writer.execute(RENEW, (seconds, owner)).fetchall())}

    def release_leases(self, owner: str, stream: str = "") -> None:
        self._written(lambda writer: writer.execute(_marked(RELEASE), (owner, stream, stream)))

    def _now(self) -> str:
        return "clock_timestamp()"

    # --- the rest ------------------------------------------------------------------------------------------

    def wait_for_writes(self, seconds: float) -> dict[str, int]:
        with self._listening:
            try:
                if self._listener is None or self._listener.closed:
                    self._listener = self._listen()
                    return {head.stream: head.version for head in self.heads()}  # notifications were missed meanwhile
                return self._heard(self._listener, time.monotonic() + seconds)
            except (psycopg.Error, StoreError):  # unavailable: the caller polls, and we reconnect
                if self._listener is not None:
                    self._listener.close()
                return {}

    def _heard(self, listener: Connection, until: float) -> dict[str, int]:
        """Receive notifications in short waits, so that closing does not take long."""
        while not self._closed:
            left = max(0.0, until - time.monotonic())
            notices = listener.notifies(timeout=min(left, _MOMENT), stop_after=1)
            said = [notice.payload.partition(" ") for notice in notices]
            if said or not left:
                return {stream: int(version) for version, _, stream in said}
        return {}

    def close(self) -> None:
        self._closed = True
        with self._lock:
            if self._writer is not None:
                self._writer.close()
        while self._readers:
            self._readers.pop().close()
        with self._listening:
            if self._listener is not None:
                self._listener.close()
        self._written_signal.notify({})
        if self._notifier.is_alive():
            self._notifier.join()

    @contextmanager
    def snapshot(self) -> Iterator[Rows]:
        """All rows from one snapshot, streamed, while others write."""
        reader = self._connect()
        with ExitStack() as open_rows:
            open_rows.callback(reader.close)
            reader.execute("SET idle_in_transaction_session_timeout = 0")
            reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            reader.execute("SELECT 1")  # the first query takes the snapshot
            yield lambda table: open_rows.enter_context(closing(self._rows(reader, table)))

    def _rows(self, reader: Connection, table: str) -> Generator[Row]:
        try:
            with reader.cursor(name=f"rows_of_{table}") as cursor:
                cursor.itersize = 2000
                yield from cursor.execute(selection(table).encode())
        except psycopg.Error as error:
            raise self._trouble(error) from error

    @property
    def exposed(self) -> bool:
        """Whether the connection leaves this machine unencrypted and its address does not ask for that."""
        assert self._writer is not None
        host = self._writer.info.hostaddr
        near = not host or ip_address(host).is_loopback
        return not (near or self._writer.pgconn.ssl_in_use or "sslmode=disable" in self.url)

    def damage(self) -> list[str]:
        """None: PostgreSQL checks its own pages and indexes (see `amcheck`)."""
        return []

    def _trouble(self, error: Exception) -> StoreError:
        words = str(error).strip() or type(error).__name__
        return StoreError(f"{self.name}: {' '.join(words.split())}")


def _name(url: str) -> str:
    """The name of the database for messages, without the password.

    >>> _name("postgresql://ann:secret@localhost:5433/casino")
    'PostgreSQL casino on localhost'
    """
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error as error:
        raise StoreError(f"not a PostgreSQL address: {str(error).strip()}") from None
    return f"PostgreSQL {parts.get('dbname', '')} on {parts.get('host', 'this machine')}"


def _marked(sql: str) -> bytes:
    """The statement with PostgreSQL's placeholders; ours are written in SQLite's style."""
    return sql.replace("?", "%s").encode()


_json = msgspec.json.Decoder(list[list[Any]])


def _standing(writer: Connection, appends: Sequence[Append]) -> Standing:
    """Read and lock what the batch touches; a replaced owner sees the new epoch here."""
    keys = [(append.stream, draft.by, draft.key) for append in appends for draft in append.drafts if draft.key]
    asked = {
        "streams": sorted({append.stream for append in appends}),
        "accounts": sorted(
            {posting.account for append in appends for draft in append.drafts for posting in draft.postings}
        ),
        "of": [of for of, _, _ in keys],
        "by": [by for _, by, _ in keys],
        "key": [key for _, _, key in keys],
    }
    cursor = psycopg.ClientCursor(writer)
    cursor.execute(f"BEGIN; {STANDING}".encode(), asked)
    cursor.nextset()
    row = cursor.fetchone()
    assert row is not None
    epochs, tips, balances = (_json.decode(part or "[]") for part in row[:3])
    found: dict[Key, Entry] = {}
    for entry in map(entry_of, writer.execute(KEYS.encode(), asked) if row[3] else ()):
        found[entry.stream, entry.by, entry.key] = entry
    return Standing({stream: Tip(*tip) for stream, *tip in tips}, dict(epochs), found, dict(balances))


@contextmanager
def _sending(sent: Decided, tried: list[Decided]) -> Iterator[None]:
    """Keep the batch in `tried` while its commit is uncertain; an error from the server means it was not committed."""
    tried.append(sent)
    try:
        yield
    except _AGAIN:
        tried.pop()
        raise


def _asked(writer: Connection, appends: Sequence[Append], tried: list[Decided]) -> Decided:
    """Query the store and write a batch; an earlier attempt in `tried` may have been committed without an answer."""
    batch = Batch(_standing(writer, appends))
    for earlier in tried:
        if _is_there(writer, earlier[0]):
            writer.rollback()
            return earlier
    outcomes = [batch.decide(append) for append in appends]
    if batch.entries:
        with _sending((batch, outcomes), tried):
            _put(writer, batch)
    else:
        writer.rollback()
    return batch, outcomes


def _put_unasked(writer: Connection, batch: Batch) -> None:
    """Write a predicted batch in one round trip; nothing is written if the prediction is wrong."""
    given: dict[str, Sequence[object]] = dict.fromkeys(PARTS.values(), ())
    given |= {PARTS[statement]: rows for statement, rows in statements(batch)}
    given["held"] = sorted(batch.standing.epochs.items())
    writer.execute(UNASKED, (msgspec.json.encode(given).decode(),), prepare=True)


def _put(writer: Connection, batch: Batch) -> None:
    """Write a batch and commit; if a guard fails, a division by zero rolls everything back."""
    todo = statements(batch)
    parts = [f"part{place} AS ({ROWS[statement]} RETURNING 1)" for place, (statement, _) in enumerate(todo)]
    counts = ", ".join(f"(SELECT count(*) FROM part{place})" for place in range(len(todo)))  # noqa: S608 our own names
    wanted = ", ".join(str(len(rows)) for _, rows in todo)
    columns = [list(column) for _, rows in todo for column in zip(*rows, strict=True)]
    sql = f"WITH {', '.join(parts)} SELECT 1 / (ROW({counts}) = ROW({wanted}))::int; COMMIT"
    psycopg.ClientCursor(writer).execute(sql.encode(), columns)


def _is_there(writer: Connection, batch: Batch) -> bool:
    """Whether a batch was committed although the connection was lost before the answer."""
    if not batch.entries:
        return False
    first = batch.entries[0]
    sql = "SELECT 1 FROM entries WHERE stream = %s AND version = %s AND hash = %s"
    return writer.execute(sql, (first.stream, first.version, first.hash)).fetchone() is not None

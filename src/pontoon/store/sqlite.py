"""A store in one SQLite file: one connection writes, others read, and every commit is synced to disk."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from threading import Lock
from urllib.parse import quote

from msgspec.structs import astuple

from pontoon.store.batch import Batch, Key, Standing, Tip, check
from pontoon.store.entry_count import EntryCount
from pontoon.store.lockfile import LockFile
from pontoon.store.migrate import check_readable, migrate_sqlite, sqlite_number
from pontoon.store.model import Append, Entry, Lease, Outcome, RollbackError, Root, Snapshot, StoreError, UnsureError
from pontoon.store.rows import Rows, selection
from pontoon.store.sql import (
    ENTRY,
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
from pontoon.store.write_signal import WriteSignal

_PAGES = 10_000
"""Pages in the write-ahead log (40 MB) before a checkpoint: the commit that triggers it waits, so it is rare."""
_OURS = 0o600
"""The mode of the file: it holds password hashes, and the seeds of shoes in play."""
_PATIENCE = 10
"""Seconds to wait for a file that another program, such as a backup, has locked."""

_TAKE = """
INSERT INTO leases (stream, owner, address, epoch, until) VALUES (?, ?, ?, 1, ?)
ON CONFLICT (stream) DO UPDATE SET
    owner = excluded.owner, address = excluded.address, until = excluded.until,
    epoch = leases.epoch + (leases.owner <> excluded.owner)
WHERE leases.owner IN ('', excluded.owner) OR leases.until <= ?
RETURNING epoch
"""


class SqliteStore(SqlReader):
    """One file; only one process may have it open for writing."""

    def __init__(
        self,
        path: str | Path,
        *,
        read_only: bool = False,
        accept_rollback: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """RollbackError if the file holds fewer entries than it has acknowledged, unless that is accepted."""
        self.path = Path(path).resolve()
        self.read_only = read_only
        self._accept_rollback = accept_rollback
        self._count: EntryCount | None = None
        self._entries = 0
        self._file = (0, 0)
        """Device and inode of the file that is open."""
        self._clock = clock
        self._lock = Lock()
        self._written_signal = WriteSignal()
        self._readers: list[sqlite3.Connection] = []
        self._closed = False
        self._held: LockFile | None = None
        self._writer: sqlite3.Connection | None = None
        try:
            self._open()
        except (sqlite3.Error, OSError, StoreError) as error:
            self.close()
            raise error if isinstance(error, StoreError) else _trouble(self.path, error) from error

    def _open(self) -> None:
        if self.read_only:
            if not self.path.is_file():
                raise StoreError(f"there is no file {self.path}")
            with self._reader() as reader:
                check_readable("sqlite", sqlite_number(reader, str(self.path)), str(self.path))
            return
        self._held = LockFile(self.path.with_name(self.path.name + ".lock"), str(self.path))
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, _OURS))  # SQLite gives its other files the same mode
        self.path.chmod(_OURS)
        self._writer = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
        migrated = self._writer.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        assert migrated == "wal", migrated
        self._writer.execute("PRAGMA synchronous = FULL")
        self._writer.execute(f"PRAGMA wal_autocheckpoint = {_PAGES}")
        self._writer.execute("PRAGMA foreign_keys = ON")
        migrate_sqlite(self._writer, str(self.path))
        # No other process can be writing, so leases of an earlier process are free.
        self._writer.execute("UPDATE leases SET owner = '', address = ''")
        self._file = _identity(self.path)
        self._compare_count(self._writer)

    def _compare_count(self, writer: sqlite3.Connection) -> None:
        """Refuse a file that holds fewer entries than it has acknowledged."""
        self._entries = writer.execute("SELECT coalesce(sum(version), 0) FROM heads").fetchone()[0]
        self._count = EntryCount(self.path)
        had = self._count.read()
        if self._entries < had and not self._accept_rollback:
            raise RollbackError(
                f"{self.path} has {self._entries} entries, but {had} were acknowledged: it is an older copy, "
                "was truncated, or its -wal file is lost or damaged"
            )
        self._count.write(self._entries)

    # --- connections ---------------------------------------------------------------------------------------

    @contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection]:
        """A reading connection for one thread at a time: one that is idle, or a new one."""
        if self._closed:
            raise StoreError(f"{self.path} is closed")
        try:
            reader = self._readers.pop()
        except IndexError:
            reader = _reading(self.path)
        try:
            yield reader
        finally:
            if self._closed:
                reader.close()
            else:
                self._readers.append(reader)

    def _query(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        try:
            with self._reader() as reader:
                return reader.execute(sql, parameters).fetchall()
        except sqlite3.Error as error:
            raise _trouble(self.path, error) from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction on the writing connection: all of it is on disk afterwards, or none."""
        with self._lock:
            writer = self._writer
            if writer is None:
                raise StoreError(f"{self.path} is {'open for reading only' if self.read_only else 'closed'}")
            if self.failed:
                raise StoreError(f"{self.path}: {self.failed}")
            committing = False
            try:
                writer.execute("BEGIN IMMEDIATE")
                yield writer
                self._same_file()
                committing = True
                writer.execute("COMMIT")
            except sqlite3.Error as error:
                raise self._failure(error, committing=committing) from error
            finally:
                if writer.in_transaction:
                    with suppress(sqlite3.Error):
                        writer.execute("ROLLBACK")

    def _same_file(self) -> None:
        """Acknowledge nothing into a file that was removed or replaced: it would be gone at the next start."""
        if _identity(self.path) != self._file:
            self.failed = "the file was removed or replaced while it was open"
            raise StoreError(f"{self.path}: {self.failed}")

    def _failure(self, error: sqlite3.Error, *, committing: bool) -> StoreError:
        """A failed commit may be found on disk later; after a failed sync the file is not trusted before a restart."""
        name = getattr(error, "sqlite_errorname", "") or ""
        if committing and name.startswith("SQLITE_IOERR"):
            self.failed = f"a commit failed ({error}); the process must start again"
        return UnsureError(f"{self.path}: {error}") if committing else _trouble(self.path, error)

    # --- writing -------------------------------------------------------------------------------------------

    def write(self, appends: Sequence[Append]) -> list[Outcome]:
        check(appends)
        with self._transaction() as writer:
            batch = Batch(_standing(writer, appends))
            outcomes = [batch.decide(append) for append in appends]
            for statement, rows in statements(batch):
                done = writer.executemany(statement, rows).rowcount
                if done != len(rows):
                    raise StoreError(f"{self.path}: the rows changed during the transaction; nothing was written")
        self._entries += len(batch.entries)
        if self._count is not None and batch.entries:
            self._count.write(self._entries)
        self._written_signal.notify(batch.versions)
        return outcomes

    def keep_snapshots(self, snapshots: Sequence[Snapshot], *, only_last: bool = False) -> None:
        with self._transaction() as writer:
            writer.executemany(NEW_SNAPSHOT, [(*astuple(snapshot),) for snapshot in snapshots])
            if only_last:
                writer.executemany(OLD_SNAPSHOTS, [(snapshot.stream, snapshot.version) for snapshot in snapshots])

    def seal(self, at: int) -> Root | None:
        with self._transaction() as writer:
            found = next_root(lambda sql, parameters: writer.execute(sql, parameters).fetchall(), at)
            if found is None:
                return None
            root, heads = found
            writer.execute(NEW_ROOT, (root.number, root.at, root.hash))
            writer.executemany(NEW_ROOT_HEAD, heads)
            return root

    # --- leases --------------------------------------------------------------------------------------------

    def take_lease(self, stream: str, owner: str, address: str, seconds: float) -> Lease | None:
        now = self._clock()
        with self._transaction() as writer:
            row = writer.execute(_TAKE, (stream, owner, address, now + seconds, now)).fetchone()
        return Lease(stream, owner, address, row[0]) if row else None

    def renew_leases(self, owner: str, seconds: float) -> set[str]:
        with self._transaction() as writer:
            sql = "UPDATE leases SET until = ? WHERE owner = ? RETURNING stream"
            return {row[0] for row in writer.execute(sql, (self._clock() + seconds, owner)).fetchall()}

    def release_leases(self, owner: str, stream: str = "") -> None:
        with self._transaction() as writer:
            writer.execute(RELEASE, (owner, stream, stream))

    def _now(self) -> str:
        return repr(float(self._clock()))

    # --- the rest ------------------------------------------------------------------------------------------

    def wait_for_writes(self, seconds: float) -> dict[str, int]:
        return self._written_signal.wait(seconds)

    def close(self) -> None:
        self._closed = True
        with self._lock:
            while self._readers:
                self._readers.pop().close()
            if self._writer is not None:  # closed last, so that the write-ahead log is merged into the file
                self._writer.close()
                self._writer = None
            if self._count is not None:
                self._count.close()
                self._count = None
            if self._held is not None:
                self._held.release()
                self._held = None

    @contextmanager
    def snapshot(self) -> Iterator[Rows]:
        """All rows as of now, bypassing our caches; the file may be written meanwhile."""
        reader = _reading(self.path)
        # Invalid bytes are a fault to report, not a reason to stop reading.
        reader.text_factory = lambda text: text.decode("utf-8", "backslashreplace")
        with ExitStack() as open_rows:
            open_rows.callback(reader.close)
            reader.execute("BEGIN")
            reader.execute("SELECT number FROM migrations").fetchall()  # the first query takes the snapshot
            yield lambda table: open_rows.enter_context(closing(self._rows(reader, table)))

    def _rows(self, reader: sqlite3.Connection, table: str) -> Generator[Row]:
        try:
            yield from reader.execute(selection(table))
        except sqlite3.Error as error:
            raise _trouble(self.path, error) from error

    def damage(self) -> list[str]:
        """Faults that SQLite's own integrity check finds, including indexes."""
        reader = _reading(self.path)
        try:
            words = [str(row[0]) for row in reader.execute("PRAGMA integrity_check")]
        except sqlite3.Error as error:
            words = [str(error)]
        finally:
            reader.close()
        return [f"{self.path}: {' '.join(line.split())}" for line in words if line != "ok"]

    def copy_into(self, path: Path) -> None:
        """Copy the current contents into a new file while others write."""
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, _OURS))
        source, target = _reading(self.path), sqlite3.connect(path, isolation_level=None)
        try:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")  # so that the copy is one file
        finally:
            target.close()
            source.close()


def _identity(path: Path) -> tuple[int, int]:
    """Device and inode of a file; zeros if it does not exist."""
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return found.st_dev, found.st_ino


def _reading(path: Path) -> sqlite3.Connection:
    """A connection that cannot write."""
    try:
        return _connected(path, "mode=ro")
    except sqlite3.OperationalError:
        if path.with_name(path.name + "-wal").exists():
            raise
        return _connected(path, "mode=ro&immutable=1")  # on a read-only medium


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    name = f"file:{quote(str(path))}?{mode}"
    reader = sqlite3.connect(name, uri=True, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        reader.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error:
        reader.close()
        raise
    return reader


def _standing(writer: sqlite3.Connection, appends: Sequence[Append]) -> Standing:
    """Read what the batch touches, inside its transaction."""
    streams = json.dumps(sorted({append.stream for append in appends}))
    accounts = json.dumps(
        sorted({posting.account for append in appends for draft in append.drafts for posting in draft.postings})
    )
    among = "IN (SELECT value FROM json_each(?))"
    tips = writer.execute(f"SELECT stream, version, at, hash FROM heads WHERE stream {among}", (streams,))  # noqa: S608
    epochs = writer.execute(f"SELECT stream, epoch FROM leases WHERE owner <> '' AND stream {among}", (streams,))  # noqa: S608
    balances = writer.execute(f"SELECT name, balance FROM accounts WHERE name {among}", (accounts,))  # noqa: S608
    return Standing({stream: Tip(*tip) for stream, *tip in tips}, dict(epochs), _keys(writer, appends), dict(balances))


def _keys(writer: sqlite3.Connection, appends: Sequence[Append]) -> dict[Key, Entry]:
    """Existing entries with keys of this batch."""
    found: dict[Key, Entry] = {}
    sql = f"SELECT {ENTRY} FROM whole_entries WHERE stream = ? AND by = ? AND key = ? AND key <> ''"  # noqa: S608
    for append in appends:
        for draft in append.drafts:
            key = (append.stream, draft.by, draft.key)
            row = writer.execute(sql, key).fetchone() if draft.key else None
            if row:
                found[key] = entry_of(row)
    return found


def _trouble(path: Path, error: Exception) -> StoreError:
    return StoreError(f"{path}: {error}")

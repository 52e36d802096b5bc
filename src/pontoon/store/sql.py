"""Queries and rows shared by SQLite and PostgreSQL, which differ in connections and locks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from pontoon.ledger import Posting
from pontoon.store.batch import NO_ENTRY, Batch
from pontoon.store.body_coding import BodyError, body_of, stored
from pontoon.store.model import FLOORED, NOTHING, PAGE, Entry, Head, Lease, Root, Snapshot, StoreError, root_hash

Row = tuple[Any, ...]
Ask = Callable[[str, Sequence[object]], list[Row]]
"""Runs one query inside a transaction."""

ENTRY = "stream, version, at, by, key, body, postings, marks, hash"
"""The columns of `whole_entries` as `entry_of` reads them."""

PROBE = "probe"
"""A name among the leases that belongs to no stream: `probe` writes its row."""

_LAST_NAME = "\U0010ffff"
"""A suffix that sorts after every name with the same prefix."""

_PLAYER = "player:"
_OF_STREAM = f"substr(mark, 1, 7) <> '{_PLAYER}'"
_OF_WALLET = "account = ? AND substr(account, 1, 7) = 'wallet/' AND substr(account, 1, 11) <> 'wallet/bot '"
"""The conditions of the indexes `marks_of_stream` and `postings_of_wallets`: databases use these for queries that
repeat them."""

_postings = msgspec.json.Decoder(list[tuple[str, int]])
_marks = msgspec.json.Decoder(tuple[str, ...])


def entry_of(row: Row) -> Entry:
    """An entry from a row with the columns of ENTRY."""
    stream, version, at, by, key, body, postings, marks, name = row
    moved = tuple(Posting(account, amount) for account, amount in _postings.decode(postings))
    return Entry(stream, version, at, by, key, _body(stream, version, body), moved, _marks.decode(marks), name)


def _body(stream: str, version: int, row: bytes) -> bytes:
    try:
        return body_of(row)
    except BodyError as error:
        raise StoreError(f"{stream} entry {version} cannot be read: {error}") from None


# --- writing -------------------------------------------------------------------------------------------

NEW_HEAD = "INSERT INTO heads (version, at, hash, stream) VALUES (?, ?, ?, ?)"
OLD_HEAD = "UPDATE heads SET version = ?, at = ?, hash = ? WHERE stream = ? AND version = ?"
NEW_ACCOUNT = "INSERT INTO accounts (name, balance, floored) VALUES (?, ?, ?)"
OLD_ACCOUNT = """
UPDATE accounts SET balance = balance + ? WHERE name = ? AND (NOT floored OR balance + ? >= 0)
"""
"""The only statement that debits an account: if the balance is too low, no row is updated."""
NEW_ENTRY = "INSERT INTO entries (stream, version, at, by, key, body, hash) VALUES (?, ?, ?, ?, ?, ?, ?)"
NEW_POSTING = "INSERT INTO postings (stream, version, line, account, amount) VALUES (?, ?, ?, ?, ?)"
NEW_SNAPSHOT = """
INSERT INTO snapshots (stream, version, hash, about, body) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (stream, version) DO UPDATE SET hash = excluded.hash, about = excluded.about, body = excluded.body
"""
OLD_SNAPSHOTS = "DELETE FROM snapshots WHERE stream = ? AND version < ?"
RELEASE = "UPDATE leases SET owner = '', address = '' WHERE owner = ? AND (? = '' OR stream = ?)"
NEW_MARK = "INSERT INTO marks (stream, version, line, mark, at) VALUES (?, ?, ?, ?, ?)"


def statements(batch: Batch) -> list[tuple[str, list[Row]]]:
    """The statements of a batch; each parameter row must affect exactly one row."""
    old, entries = batch.standing, batch.entries
    moves = sorted(batch.moves.items())  # sorted, so that processes cannot deadlock
    tips = sorted(batch.tips.items())
    todo: list[tuple[str, list[Row]]] = [
        (NEW_HEAD, [(tip.version, tip.at, tip.hash, name) for name, tip in tips if name not in old.tips]),
        (
            OLD_HEAD,
            [(tip.version, tip.at, tip.hash, name, old.tips[name].version) for name, tip in tips if name in old.tips],
        ),
        (OLD_ACCOUNT, [(move.total, name, move.lowest) for name, move in moves if name in old.balances]),
        (
            NEW_ACCOUNT,
            [(name, move.total, name.startswith(FLOORED)) for name, move in moves if name not in old.balances],
        ),
        (NEW_ENTRY, [(e.stream, e.version, e.at, e.by, e.key, stored(e.body), e.hash) for e in entries]),
        (NEW_POSTING, _lines(entries, lambda e: [(posting.account, posting.amount) for posting in e.postings])),
        (NEW_MARK, _lines(entries, lambda e: [(mark, e.at) for mark in e.marks])),
    ]
    return [(statement, rows) for statement, rows in todo if rows]


def _lines(entries: Iterable[Entry], parts: Callable[[Entry], list[Row]]) -> list[Row]:
    return [(e.stream, e.version, line, *part) for e in entries for line, part in enumerate(parts(e), 1)]


# --- roots ---------------------------------------------------------------------------------------------

_HEADS = """
SELECT stream, version, hash, EXISTS (
    SELECT 1 FROM root_heads WHERE root_heads.stream = heads.stream AND root_heads.version = heads.version
) FROM heads ORDER BY stream
"""
NEW_ROOT = "INSERT INTO roots (number, at, hash) VALUES (?, ?, ?)"
NEW_ROOT_HEAD = "INSERT INTO root_heads (number, stream, version, hash) VALUES (?, ?, ?, ?)"


def next_root(ask: Ask, at: int) -> tuple[Root, list[Row]] | None:
    """The root over the current heads, with the rows of those that changed; None if none did."""
    every = ask(_HEADS, ())  # one query, for a consistent view of all streams
    changed = [row for *row, sealed in every if not sealed]
    if not changed:
        return None
    last = ask("SELECT number, at, hash FROM roots ORDER BY number DESC LIMIT 1", ())
    number, before, name = last[0] if last else (0, 0, NOTHING)
    number, at, heads = number + 1, max(at, before), tuple(Head(*row) for *row, _ in every)
    return Root(number, at, heads, root_hash(name, number, at, heads)), [(number, *row) for row in changed]


# --- reading -------------------------------------------------------------------------------------------


class SqlReader(ABC):
    """The reading half of an SQL store, based on `_query`."""

    failed = ""

    @abstractmethod
    def _query(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """The rows of one query; placeholders are `?`."""

    def read(self, stream: str, after: int = 0, limit: int = 1000) -> list[Entry]:
        sql = f"SELECT {ENTRY} FROM whole_entries WHERE stream = ? AND version > ? ORDER BY version LIMIT ?"  # noqa: S608
        return [entry_of(row) for row in self._query(sql, (stream, after, limit))]

    def new_entries(self, seen: Mapping[str, int]) -> list[Entry]:
        found: list[Entry] = []
        for stream in sorted(seen):
            found += self.read(stream, seen[stream], PAGE - len(found))
        return found

    def find(self, stream: str, by: str, key: str) -> Entry | None:
        sql = f"SELECT {ENTRY} FROM whole_entries WHERE stream = ? AND by = ? AND key = ? AND key <> ''"  # noqa: S608
        rows = self._query(sql, (stream, by, key))
        return entry_of(rows[0]) if rows else None

    def marked(
        self,
        mark: str,
        *,
        stream: str = "",
        before: tuple[int, str, int] | None = None,
        since: int = 0,
        until: int = 0,
        limit: int = 50,
    ) -> list[Entry]:
        parts: list[tuple[str, Sequence[object]]] = [("mark = ?", (mark,))]
        if stream:
            parts.append(("stream = ?", (stream,)))
            if not mark.startswith(_PLAYER):
                parts.append((_OF_STREAM, ()))
        if before:
            parts.append(("(at, stream, version) < (?, ?, ?)", before))
        if since:
            parts.append(("at >= ?", (since,)))
        if until:
            parts.append(("at <= ?", (until,)))
        condition = " AND ".join(text for text, _ in parts)
        order = "at DESC, stream DESC, version DESC"
        sql = (
            f"WITH found AS (SELECT stream, version FROM marks WHERE {condition} ORDER BY {order} LIMIT ?) "  # noqa: S608
            f"SELECT {ENTRY} FROM found JOIN whole_entries USING (stream, version) ORDER BY {order}"
        )
        rows = self._query(sql, [*(value for _, values in parts for value in values), limit])
        return [entry_of(row) for row in rows]

    def heads(self, prefix: str = "") -> list[Head]:
        sql = "SELECT stream, version, hash FROM heads WHERE stream >= ? AND stream < ? ORDER BY stream"
        return [Head(*row) for row in self._query(sql, (prefix, prefix + _LAST_NAME))]

    def head(self, stream: str) -> Head:
        rows = self._query("SELECT stream, version, hash FROM heads WHERE stream = ?", (stream,))
        return Head(*rows[0]) if rows else Head(stream, NO_ENTRY.version, NO_ENTRY.hash)

    def balance(self, account: str) -> int:
        rows = self._query("SELECT balance FROM accounts WHERE name = ?", (account,))
        return int(rows[0][0]) if rows else 0

    def balances_of(self, accounts: Sequence[str]) -> dict[str, int]:
        if not accounts:
            return {}
        places = ", ".join("?" * len(accounts))
        rows = self._query(f"SELECT name, balance FROM accounts WHERE name IN ({places})", accounts)  # noqa: S608
        return dict.fromkeys(accounts, 0) | dict(rows)

    def balances(self, prefix: str = "") -> dict[str, int]:
        sql = "SELECT name, balance FROM accounts WHERE name >= ? AND name < ? ORDER BY name"
        return dict(self._query(sql, (prefix, prefix + _LAST_NAME)))

    def wallet_streams(self, account: str) -> list[str]:
        least = f"SELECT min(stream) FROM postings WHERE {_OF_WALLET}"  # noqa: S608
        # From one stream to the next in the index, however many postings each has.
        following = f"SELECT ({least} AND stream > every.stream) FROM every WHERE every.stream IS NOT NULL"  # noqa: S608
        sql = (
            f"WITH RECURSIVE every(stream) AS ({least} UNION ALL {following}) "  # noqa: S608
            "SELECT stream FROM every WHERE stream IS NOT NULL"
        )
        return [row[0] for row in self._query(sql, (account, account))]

    def wallet_moves(self, account: str, stream: str, before: int, limit: int) -> list[tuple[int, int]]:
        sql = (
            f"SELECT version, CAST(sum(amount) AS BIGINT) FROM postings WHERE {_OF_WALLET} AND stream = ? "  # noqa: S608
            "AND version < ? GROUP BY version ORDER BY version DESC LIMIT ?"
        )
        return [(version, amount) for version, amount in self._query(sql, (account, stream, before, limit))]

    def roots(self, after: int = 0, limit: int = 1000) -> list[Root]:
        found = self._query(
            "SELECT number, at, hash FROM roots WHERE number > ? ORDER BY number LIMIT ?", (after, limit)
        )
        last = found[-1][0] if found else 0
        heads: dict[str, Head] = {}
        changed: dict[int, list[Head]] = {}
        sql = "SELECT number, stream, version, hash FROM root_heads WHERE number <= ? ORDER BY number"
        for number, *head in self._query(sql, (last,)):
            changed.setdefault(max(number, after), []).append(Head(*head))
        heads.update((head.stream, head) for head in changed.get(after, []))
        roots: list[Root] = []
        for number, at, name in found:
            heads.update((head.stream, head) for head in changed.get(number, []))
            roots.append(Root(number, at, tuple(heads[stream] for stream in sorted(heads)), name))
        return roots

    def root_hash(self, number: int) -> str:
        rows = self._query("SELECT hash FROM roots WHERE number = ?", (number,))
        return str(rows[0][0]) if rows else ""

    def root_lines(self, after: int = 0) -> list[tuple[int, int, str]]:
        rows = self._query("SELECT number, at, hash FROM roots WHERE number > ? ORDER BY number", (after,))
        return [(number, at, name) for number, at, name in rows]

    def behind_roots(self, after: int = 0) -> list[str]:
        sql = (
            "SELECT DISTINCT root_heads.stream FROM root_heads LEFT JOIN heads ON heads.stream = root_heads.stream "
            "WHERE number > ? AND (heads.version IS NULL OR heads.version < root_heads.version)"
        )
        return sorted(row[0] for row in self._query(sql, (after,)))

    @abstractmethod
    def keep_snapshots(self, snapshots: Sequence[Snapshot], *, only_last: bool = False) -> None:
        """As in `Store`."""

    def snapshot_before(self, stream: str, version: int) -> Snapshot | None:
        sql = (
            "SELECT snapshots.stream, snapshots.version, snapshots.hash, about, snapshots.body FROM snapshots "
            "JOIN entries ON entries.stream = snapshots.stream AND entries.version = snapshots.version "
            "AND entries.hash = snapshots.hash "
            "WHERE snapshots.stream = ? AND snapshots.version <= ? ORDER BY snapshots.version DESC LIMIT 1"
        )
        rows = self._query(sql, (stream, version))
        return Snapshot(*rows[0]) if rows else None

    def last_snapshots(self, prefix: str) -> dict[str, Snapshot]:
        # A left join begins with the heads; SQLite would otherwise read every snapshot ever written.
        sql = (
            "SELECT heads.stream, snapshots.version, snapshots.hash, about FROM heads LEFT JOIN snapshots "
            "ON snapshots.stream = heads.stream AND snapshots.version = "
            "(SELECT max(version) FROM snapshots AS every WHERE every.stream = heads.stream) "
            "WHERE heads.stream >= ? AND heads.stream < ?"
        )
        rows = self._query(sql, (prefix, prefix + _LAST_NAME))
        return {row[0]: Snapshot(row[0], row[1], row[2], row[3], b"") for row in rows if row[1] is not None}

    def probe(self, owner: str) -> None:
        self.take_lease(PROBE, owner, "", 0.0)

    @abstractmethod
    def take_lease(self, stream: str, owner: str, address: str, seconds: float) -> Lease | None:
        """As in `Store`."""

    def lease(self, stream: str) -> Lease | None:
        running = f"stream = ? AND owner <> '' AND until > {self._now()}"
        rows = self._query(f"SELECT stream, owner, address, epoch FROM leases WHERE {running}", (stream,))  # noqa: S608
        return Lease(*rows[0]) if rows else None

    def leased(self) -> dict[str, str]:
        sql = f"SELECT stream, address FROM leases WHERE owner <> '' AND until > {self._now()}"  # noqa: S608
        return dict(self._query(sql, ()))

    @abstractmethod
    def _now(self) -> str:
        """The SQL expression for the current time in the lease table."""

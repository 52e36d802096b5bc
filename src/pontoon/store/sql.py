"""Queries and rows shared by SQLite and PostgreSQL, which differ in connections and locks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from pontoon.ledger import Posting
from pontoon.store.batch import NO_ENTRY, Batch
from pontoon.store.model import FLOORED, NOTHING, PAGE, Entry, Head, Lease, Root, root_hash

Row = tuple[Any, ...]
Ask = Callable[[str, Sequence[object]], list[Row]]
"""Runs one query inside a transaction."""

ENTRY = "stream, version, at, by, key, body, postings, marks, hash"
"""The columns of `whole_entries` as `entry_of` reads them."""

_LAST_NAME = "\U0010ffff"
"""A suffix that sorts after every name with the same prefix."""

_postings = msgspec.json.Decoder(list[tuple[str, int]])
_marks = msgspec.json.Decoder(tuple[str, ...])


def entry_of(row: Row) -> Entry:
    """An entry from a row with the columns of ENTRY."""
    stream, version, at, by, key, body, postings, marks, name = row
    moved = tuple(Posting(account, amount) for account, amount in _postings.decode(postings))
    return Entry(stream, version, at, by, key, body, moved, _marks.decode(marks), name)


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
        (NEW_ENTRY, [(e.stream, e.version, e.at, e.by, e.key, e.body, e.hash) for e in entries]),
        (NEW_POSTING, _lines(entries, lambda e: [(one.account, one.amount) for one in e.postings])),
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

"""Verify a store: check every row and report the first bad entry of each stream.

The raw tables are read in parallel, each in the order of the entries, so that a log of any length needs little memory.
If an attacker also recomputes every hash, only a root stored elsewhere reveals the change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from pontoon.ledger import Posting
from pontoon.store.batch import NO_ENTRY, Tip
from pontoon.store.body_coding import BodyError, body_of
from pontoon.store.model import (
    FLOORED,
    NOTHING,
    Entry,
    Fault,
    Head,
    Store,
    StoreError,
    entries_after,
    entry_hash,
    root_hash,
)
from pontoon.store.rows import Rows, Snapshots

Row = tuple[Any, ...]
Place = tuple[str, int]


def faults(store: Snapshots) -> Iterator[Fault]:
    """All faults: the first bad entry of each stream, and others; empty for a sound store."""
    try:
        with store.snapshot() as rows:
            totals: Counter[str] = Counter()
            yield from _Streams(rows, totals).faults()
            yield from _accounts(rows, totals)
            yield from _roots(rows)
    except StoreError as error:  # the file cannot be read completely
        yield Fault("", 0, str(error))
    for words in store.damage():
        yield Fault("", 0, words)


def first_faults(store: Store, prefix: str, begin: Callable[[str], Callable[[Entry], str]]) -> Iterator[Fault]:
    """The first entry of each stream that does not follow from the previous ones.

    `begin` takes the name of a stream, without its prefix, and returns a function that checks one entry after the
    other and returns the fault in words, or an empty string.
    """
    for head in store.heads(prefix):
        fault = _first_fault(store, head.stream, begin(head.stream.removeprefix(prefix)))
        if fault is not None:
            yield fault


def _first_fault(store: Store, stream: str, follow: Callable[[Entry], str]) -> Fault | None:
    for entry in entries_after(store, stream):
        try:
            wrong = follow(entry)
        except Exception as error:  # noqa: BLE001 any error means that we did not write it
            wrong = f"cannot be played: {type(error).__name__}: {error}"
        if wrong:
            return Fault(stream, entry.version, wrong)
    return None


def trial_balance(store: Snapshots) -> dict[str, int]:
    """The sum of the postings for each kind of account; the sums add up to zero.

    >>> from pontoon.store import Append, Draft, MemoryStore
    >>> store = MemoryStore()
    >>> paid = Draft("cashier", b"", postings=(Posting("house", -500), Posting("wallet/Ann", 500)))
    >>> _ = store.write([Append("people", 0, 1, (paid,))])
    >>> trial_balance(store)
    {'house': -500, 'wallet': 500}
    """
    totals: Counter[str] = Counter()
    with store.snapshot() as rows:
        for _, _, _, account, amount in rows("postings"):
            totals[account.partition("/")[0]] += amount
    return dict(sorted(totals.items()))


# --- streams -------------------------------------------------------------------------------------------


class _Beside:
    """Rows that belong to entries, returned entry by entry."""

    def __init__(self, rows: Iterator[Row], what: str, key: int = 2) -> None:
        self._rows = rows
        self._what = what
        self._key = key
        self._next = next(rows, None)

    def of(self, place: tuple[Any, ...]) -> list[Row]:
        """The rows of one entry."""
        found: list[Row] = []
        while self._next is not None and self._next[: self._key] == place:
            found.append(self._next)
            self._next = next(self._rows, None)
        return found

    def before(self, place: tuple[Any, ...] | None) -> Iterator[Fault]:
        """Rows before an entry that belong to no entry; without one, all remaining rows."""
        while self._next is not None and (place is None or self._next[: self._key] < place):
            stream, version = self._next[0], self._next[1] if self._key > 1 else 0
            yield Fault(stream, version, f"{self._what} without an entry")
            self._next = next(self._rows, None)


class _Streams:
    """An iteration over all entries with their postings, marks and seals."""

    def __init__(self, rows: Rows, totals: Counter[str]) -> None:
        self._entries = rows("entries")
        self._postings = _Beside(self._counted(rows("postings"), totals), "a posting")
        self._marks = _Beside(rows("marks"), "a mark")
        self._sealed = _Beside(rows("sealed"), "a sealed head")
        self._heads = _Beside(rows("heads"), "a head", key=1)

    @staticmethod
    def _counted(rows: Iterator[Row], totals: Counter[str]) -> Iterator[Row]:
        for row in rows:
            totals[row[3]] += row[4]
            yield row

    def faults(self) -> Iterator[Fault]:
        """The first fault of each stream, in the order of the streams."""
        named: set[str] = set()
        for fault in self._all():
            if fault.stream not in named:
                named.add(fault.stream)
                yield fault

    def _all(self) -> Iterator[Fault]:
        stream, tip = "", NO_ENTRY
        for row in self._entries:
            if row[0] != stream:
                yield from self._end(stream, tip)
                stream, tip = row[0], NO_ENTRY
            if row[1] != tip.version + 1:
                yield Fault(stream, tip.version + 1, f"missing; after version {tip.version} comes {row[1]}")
            yield from self._lost((stream, row[1]))
            yield from self._entry(row, tip)
            tip = Tip(row[1], row[2], row[6])
        yield from self._end(stream, tip)
        yield from self._lost(None)
        yield from self._heads.before(None)

    def _lost(self, place: Place | None) -> Iterator[Fault]:
        for beside in (self._postings, self._marks, self._sealed):
            yield from beside.before(place)

    def _entry(self, row: Row, tip: Tip) -> Iterator[Fault]:
        """The fault of one entry, given the previous one."""
        stream, version, at, by, key, body, name = row
        with suppress(BodyError):  # the hash of the stored body differs then
            body = body_of(body)
        postings, marks = self._postings.of((stream, version)), self._marks.of((stream, version))
        sealed = self._sealed.of((stream, version))
        moved = tuple(Posting(account, amount) for _, _, _, account, amount in postings)
        entry = Entry(stream, version, at, by, key, body, moved, tuple(mark[3] for mark in marks), name)
        if at < tip.at:
            yield Fault(stream, version, "earlier than the previous entry")
        if not _in_line(postings) or not _in_line(marks):
            yield Fault(stream, version, "a posting or a mark is missing")
        if sum(posting.amount for posting in moved):
            yield Fault(stream, version, "the postings do not sum to zero")
        if any(mark[4] != at for mark in marks):
            yield Fault(stream, version, "a mark has a different time from its entry")
        if entry_hash(tip.hash, entry) != name:
            yield Fault(stream, version, "the hash does not match the contents")
        if any(one[3] != name for one in sealed) or len(sealed) > 1:
            yield Fault(stream, version, f"root {sealed[0][2]} has a different hash, or another root covers it again")

    def _end(self, stream: str, tip: Tip) -> Iterator[Fault]:
        """The fault of a stream's head, after its last entry."""
        if not stream:
            return
        yield from self._lost((stream, 2**63))
        yield from self._heads.before((stream,))
        heads = self._heads.of((stream,))
        if heads and heads[0][1] > tip.version:
            yield Fault(stream, tip.version + 1, f"missing; the head of the stream is at version {heads[0][1]}")
        elif heads != [(stream, tip.version, tip.at, tip.hash)]:
            yield Fault(stream, tip.version, "the head of the stream is not its last entry")


def _in_line(rows: list[Row]) -> bool:
    """Whether line numbers run from one without a gap."""
    return [row[2] for row in rows] == list(range(1, len(rows) + 1))


# --- accounts ------------------------------------------------------------------------------------------


def _accounts(rows: Rows, totals: Counter[str]) -> Iterator[Fault]:
    """Compare balances with the sums of all postings."""
    left, total = dict(totals), 0
    for name, balance, floored in rows("accounts"):
        total += balance
        expected = left.pop(name, None)
        if expected is None:
            yield Fault("", 0, f"account {name} has no postings")
        elif balance != expected:
            yield Fault("", 0, f"account {name}: balance {balance}, but postings sum to {expected}")
        if floored != name.startswith(FLOORED):
            yield Fault("", 0, f"account {name} has the wrong floor")
        if balance < 0 and name.startswith(FLOORED):
            yield Fault("", 0, f"account {name} is below zero: {balance}")
    for name, expected in sorted(left.items()):
        yield Fault("", 0, f"account {name} is missing; its postings sum to {expected}")
    if total or sum(totals.values()):
        yield Fault("", 0, f"the balances sum to {total} and the postings to {sum(totals.values())} instead of zero")


# --- roots ---------------------------------------------------------------------------------------------


def _roots(rows: Rows) -> Iterator[Fault]:
    """Check the chain of roots; after the first break nothing more can be said."""
    changes = _Beside(rows("root_heads"), "a head", key=1)
    heads: dict[str, Head] = {}
    before, last, at = NOTHING, 0, 0
    for number, when, name in rows("roots"):
        if number != last + 1:
            yield Fault("", 0, f"root {last + 1} is missing")
            return
        changed = [Head(*head) for _, *head in changes.of((number,))]
        new = {head.stream: head for head in changed}
        heads |= new
        every = [heads[stream] for stream in sorted(heads)]
        unlike = not new or len(new) != len(changed) or when < at
        if unlike or root_hash(before, number, when, every) != name:
            yield Fault("", 0, f"root {number} does not match its heads")
            return
        before, last, at = name, number, when
    if any(changes.before(None)):
        yield Fault("", 0, f"root {last + 1} is missing, but its heads are present")

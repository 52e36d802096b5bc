"""What is kept, and what a store answers: entries in gap-free streams, postings beside them, every entry hashed.

A stream is one table's history (or the people's). An entry is what one command led to; the store never looks inside
its body. Entries are written in batches, one transaction a batch, and each append of a batch stands or falls alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import msgspec
from msgspec import Struct

from pontoon.ledger import Posting

NOTHING = "0" * 64
"""The hash before the first entry of a stream."""

FLOORED = ("wallet/", "escrow/", "pool/", "chips/", "chips_on/")
"""Accounts that never go below zero, those in tournament chips too; the house, the banks and what is owed may."""


class Draft(Struct, frozen=True):
    """One entry to be written."""

    by: str
    """The account that acted; `dealer`, `clock` or `bot` for the program."""
    body: bytes
    key: str = ""
    """What the sender called the command, so that a repeat has no second effect; empty for none."""
    postings: tuple[Posting, ...] = ()
    marks: tuple[str, ...] = ()
    """Names to find the entry by, as `round:17` or `player:Ann`."""


class Append(Struct, frozen=True):
    """Entries for one stream, all or none of them."""

    stream: str
    expected: int
    """The version the writer saw; the first of the drafts becomes the next."""
    at: int
    """Milliseconds since 1970; never before the entry it follows."""
    drafts: tuple[Draft, ...]
    epoch: int = 0
    """The epoch of the writer's lease; 0 for a stream nobody leases."""


class Entry(Struct, frozen=True):
    """One entry as it is kept."""

    stream: str
    version: int
    at: int
    by: str
    key: str
    body: bytes
    postings: tuple[Posting, ...]
    marks: tuple[str, ...]
    hash: str


def entry_hash(before: str, entry: Entry) -> str:
    """The hash of an entry over the one before it and everything it says."""
    facts = (
        entry.stream,
        entry.version,
        entry.at,
        entry.by,
        entry.key,
        [(one.account, one.amount) for one in entry.postings],
        entry.marks,
    )
    return hashlib.sha256(b"\n".join((before.encode(), msgspec.json.encode(facts), entry.body))).hexdigest()


def entries_of(append: Append, before: str) -> tuple[Entry, ...]:
    """The entries an append becomes when the stream stands at `expected` with this hash."""
    entries: list[Entry] = []
    for version, draft in enumerate(append.drafts, append.expected + 1):
        entry = Entry(
            append.stream, version, append.at, draft.by, draft.key, draft.body, draft.postings, draft.marks, ""
        )
        before = entry_hash(before, entry)
        entries.append(msgspec.structs.replace(entry, hash=before))
    return tuple(entries)


# --- what becomes of an append -------------------------------------------------------------------------


class Appended(Struct, frozen=True):
    """It is on disk."""

    entries: tuple[Entry, ...]


class Repeated(Struct, frozen=True):
    """A draft's key was used on this stream by the same account before; nothing was written."""

    entry: Entry


class Conflict(Struct, frozen=True):
    """The stream is not at the expected version; nothing was written."""

    version: int


class NotEnough(Struct, frozen=True):
    """An account would go below zero; nothing was written."""

    account: str


class LeaseLost(Struct, frozen=True):
    """Somebody else owns the stream by now; nothing was written."""

    epoch: int


Outcome = Appended | Repeated | Conflict | NotEnough | LeaseLost


# --- heads, leases, roots ------------------------------------------------------------------------------


class Head(Struct, frozen=True):
    """Where a stream stands."""

    stream: str
    version: int
    hash: str


class Lease(Struct, frozen=True):
    """Who may write a stream, and where commands for it are to be sent."""

    stream: str
    owner: str
    address: str
    epoch: int
    """Grows by one with every new owner; every write names it."""


class Root(Struct, frozen=True):
    """One hash over the heads of all streams and the root before it."""

    number: int
    at: int
    heads: tuple[Head, ...]
    """In the order of the streams' names."""
    hash: str


def root_hash(before: str, number: int, at: int, heads: Sequence[Head]) -> str:
    """The hash of a root."""
    facts = (number, at, [(head.stream, head.version, head.hash) for head in heads])
    return hashlib.sha256(b"\n".join((before.encode(), msgspec.json.encode(facts)))).hexdigest()


class Fault(Struct, frozen=True):
    """What is wrong in a store: the first bad entry of a stream, or something beside the streams."""

    stream: str
    """Empty where it is not about one stream."""
    version: int
    words: str


class StoreError(Exception):
    """The store cannot be used; the message is one line for a person."""


class Store(Protocol):
    """Memory, SQLite and PostgreSQL answer alike. Every method may be called from any thread."""

    def write(self, appends: Sequence[Append]) -> list[Outcome]:
        """Write a batch in one transaction that is on disk on return; each append stands or falls alone."""

    def read(self, stream: str, after: int = 0, limit: int = 1000) -> list[Entry]:
        """The entries of a stream after a version."""

    def news(self, seen: Mapping[str, int]) -> list[Entry]:
        """The entries of several streams, each after the version seen of it: the first thousand, in order."""

    def find(self, stream: str, by: str, key: str) -> Entry | None:
        """The entry that a command of this key led to."""

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
        """Entries with a mark, newest first by (at, stream, version), strictly before that place; times inclusive."""

    def heads(self, prefix: str = "") -> list[Head]:
        """Where the streams stand, by name."""

    def head(self, stream: str) -> Head:
        """Where one stream stands; version 0 where there is none."""

    def balance(self, account: str) -> int:
        """What an account holds."""

    def held(self, accounts: Sequence[str]) -> dict[str, int]:
        """What each of these accounts holds."""

    def balances(self, prefix: str = "") -> dict[str, int]:
        """All accounts whose name begins so, by name."""

    def take_lease(self, stream: str, owner: str, address: str, seconds: float) -> Lease | None:
        """Own a stream that is free, expired or one's own (then with the same epoch); None while another owns it."""

    def renew_leases(self, owner: str, seconds: float) -> set[str]:
        """Keep what one owns; the streams still owned."""

    def release_leases(self, owner: str) -> None:
        """Give up everything one owns, at once."""

    def lease(self, stream: str) -> Lease | None:
        """The lease that runs now."""

    def leased(self) -> dict[str, str]:
        """The streams that somebody owns now, and where the owner is."""

    def seal(self, at: int) -> Root | None:
        """Write a root over all heads; None when nothing changed since the last."""

    def roots(self, after: int = 0, limit: int = 1000) -> list[Root]:
        """The roots after a number."""

    def woken(self, seconds: float) -> dict[str, int]:
        """Wait so long for streams with new entries, and the version they came to; a wake-up, never a promise."""

    def close(self) -> None:
        """Let go of files and connections."""


PAGE = 1000


def entries_after(store: Store, stream: str, after: int = 0) -> Iterator[Entry]:
    """Every entry of a stream after a version, read page by page."""
    full = True
    while full:
        page = store.read(stream, after, PAGE)
        yield from page
        full = len(page) == PAGE
        after += len(page)

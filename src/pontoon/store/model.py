"""The store interface and its data: entries in gap-free streams, with postings and a hash chain.

A stream is the history of one table, one tournament, or the people. An entry is the result of one command; the store
never looks inside its body. Entries are written in batches, one transaction per batch, and each append of a batch
succeeds or fails on its own.
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

FLOORED = ("wallet/", "escrow/", "pool/", "chips/", "chips_on/", "practice/", "practice_on/")
"""Accounts that never go below zero, including those in tournament chips; house, bank and receivables may."""


class Draft(Struct, frozen=True):
    """One entry to be written."""

    by: str
    """The acting account; `dealer`, `clock` or `bot` for the program."""
    body: bytes
    key: str = ""
    """The sender's key for the command, so that a repeat has no second effect; empty for none."""
    postings: tuple[Posting, ...] = ()
    marks: tuple[str, ...] = ()
    """Index terms for the entry, such as `round:17` or `player:Ann`."""


class Append(Struct, frozen=True):
    """Entries for one stream, all or none of them."""

    stream: str
    expected: int
    """The version the writer saw; the first draft becomes the next version."""
    at: int
    """Milliseconds since 1970; never earlier than the previous entry."""
    drafts: tuple[Draft, ...]
    epoch: int = 0
    """The epoch of the writer's lease; 0 for a stream without a lease."""


class Entry(Struct, frozen=True):
    """One stored entry."""

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
    """The hash of an entry, over its contents and the previous hash."""
    facts = (
        entry.stream,
        entry.version,
        entry.at,
        entry.by,
        entry.key,
        [(posting.account, posting.amount) for posting in entry.postings],
        entry.marks,
    )
    return hashlib.sha256(b"\n".join((before.encode(), msgspec.json.encode(facts), entry.body))).hexdigest()


def entries_of(append: Append, before: str) -> tuple[Entry, ...]:
    """The entries that an append becomes after version `expected` with this hash."""
    entries: list[Entry] = []
    for version, draft in enumerate(append.drafts, append.expected + 1):
        entry = Entry(
            append.stream, version, append.at, draft.by, draft.key, draft.body, draft.postings, draft.marks, ""
        )
        before = entry_hash(before, entry)
        entries.append(msgspec.structs.replace(entry, hash=before))
    return tuple(entries)


# --- what happens to an append -------------------------------------------------------------------------


class Appended(Struct, frozen=True):
    """The append was written to disk."""

    entries: tuple[Entry, ...]


class Repeated(Struct, frozen=True):
    """The same account has already used a draft's key on this stream; nothing was written."""

    entry: Entry


class Conflict(Struct, frozen=True):
    """The stream is not at the expected version; nothing was written."""

    version: int


class NotEnough(Struct, frozen=True):
    """An account would go below zero; nothing was written."""

    account: str


class LeaseLost(Struct, frozen=True):
    """Another process owns the stream now; nothing was written."""

    epoch: int


Outcome = Appended | Repeated | Conflict | NotEnough | LeaseLost


# --- heads, leases, roots ------------------------------------------------------------------------------


class Head(Struct, frozen=True):
    """The last version and hash of a stream."""

    stream: str
    version: int
    hash: str


class Lease(Struct, frozen=True):
    """Which process may write a stream, and the address for its commands."""

    stream: str
    owner: str
    address: str
    epoch: int
    """Increases by one with every new owner; every write carries it."""


class Snapshot(Struct, frozen=True):
    """The state of a stream after an entry: derived from the log, and replaceable."""

    stream: str
    version: int
    hash: str
    """The hash of that entry; another one means that the snapshot is of another log."""
    about: bytes
    """What can be said of the stream without its state."""
    body: bytes


class Root(Struct, frozen=True):
    """One hash over the heads of all streams and the previous root."""

    number: int
    at: int
    heads: tuple[Head, ...]
    """Heads, sorted by stream name."""
    hash: str


def root_hash(before: str, number: int, at: int, heads: Sequence[Head]) -> str:
    """The hash of a root."""
    facts = (number, at, [(head.stream, head.version, head.hash) for head in heads])
    return hashlib.sha256(b"\n".join((before.encode(), msgspec.json.encode(facts)))).hexdigest()


class Fault(Struct, frozen=True):
    """A fault in a store: the first bad entry of a stream, or something outside the streams."""

    stream: str
    """Empty if the fault does not concern one stream."""
    version: int
    words: str


class StoreError(Exception):
    """The store cannot be used; the message is one line for the user."""

    unsure = False
    """Whether what was to be written may be on disk anyway."""


class RollbackError(StoreError):
    """The store holds fewer entries than it has acknowledged."""


class NoLogError(StoreError):
    """No server has written to the store yet."""


class InUseError(StoreError):
    """Another server has the store open."""


class UnsureError(StoreError):
    """The commit failed: what was to be written may be found after a restart."""

    unsure = True


class Store(Protocol):
    """The interface of all stores. Every method may be called from any thread."""

    @property
    def failed(self) -> str:
        """Why nothing more is written before the process starts again; empty if the store works."""

    def write(self, appends: Sequence[Append]) -> list[Outcome]:
        """Write a batch in one transaction, on disk on return; each append succeeds or fails on its own."""

    def read(self, stream: str, after: int = 0, limit: int = 1000) -> list[Entry]:
        """The entries of a stream after a version."""

    def new_entries(self, seen: Mapping[str, int]) -> list[Entry]:
        """The entries of several streams, each after the version seen; the first thousand, in order."""

    def find(self, stream: str, by: str, key: str) -> Entry | None:
        """The entry written for the command with this key."""

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
        """Entries with a mark, newest first by (at, stream, version), strictly before a position; times inclusive."""

    def heads(self, prefix: str = "") -> list[Head]:
        """The heads of all streams, sorted by name."""

    def head(self, stream: str) -> Head:
        """The head of one stream; version 0 if it does not exist."""

    def balance(self, account: str) -> int:
        """The balance of an account."""

    def balances_of(self, accounts: Sequence[str]) -> dict[str, int]:
        """The balances of these accounts."""

    def balances(self, prefix: str = "") -> dict[str, int]:
        """The balances of all accounts with this prefix, sorted by name."""

    def wallet_streams(self, account: str) -> list[str]:
        """The streams that moved the wallet of a person, sorted by name."""

    def wallet_moves(self, account: str, stream: str, before: int, limit: int) -> list[tuple[int, int]]:
        """The entries of a stream before a version that moved a person's wallet: version and amount, newest first."""

    def take_lease(self, stream: str, owner: str, address: str, seconds: float) -> Lease | None:
        """Lease a stream that is free, expired or already owned (the epoch then stays); None while another owns it."""

    def renew_leases(self, owner: str, seconds: float) -> set[str]:
        """Renew all leases of the owner; return the streams it still owns."""

    def release_leases(self, owner: str, stream: str = "") -> None:
        """Release all leases of the owner, or that of one stream."""

    def lease(self, stream: str) -> Lease | None:
        """The current lease of a stream."""

    def leased(self) -> dict[str, str]:
        """The leased streams with their owners' addresses."""

    def seal(self, at: int) -> Root | None:
        """Write a root over all heads; None if nothing changed since the last root."""

    def roots(self, after: int = 0, limit: int = 1000) -> list[Root]:
        """The roots after a number."""

    def root_hash(self, number: int) -> str:
        """The hash of one root; empty if there is none."""

    def root_lines(self, after: int = 0) -> list[tuple[int, int, str]]:
        """Number, time and hash of the roots after a number, without their heads."""

    def behind_roots(self, after: int = 0) -> list[str]:
        """The streams that are shorter than a root after this number has sealed them."""

    def keep_snapshots(self, snapshots: Sequence[Snapshot], *, only_last: bool = False) -> None:
        """Store snapshots; each replaces one of the same version, with `only_last` all earlier ones of its stream."""

    def snapshot_before(self, stream: str, version: int) -> Snapshot | None:
        """The last snapshot of a stream that is not after a version, and fits the entry it names."""

    def last_snapshots(self, prefix: str) -> dict[str, Snapshot]:
        """The last snapshot of every stream, without its body."""

    def probe(self, owner: str) -> None:
        """Write something that is not an entry, on disk on return: StoreError if the store cannot be written."""

    def wait_for_writes(self, seconds: float) -> dict[str, int]:
        """Wait for new entries; return streams and versions. A hint only: writes may be missed, so also poll."""

    def close(self) -> None:
        """Close files and connections."""


PAGE = 1000


def entries_after(store: Store, stream: str, after: int = 0) -> Iterator[Entry]:
    """Every entry of a stream after a version, read page by page."""
    full = True
    while full:
        page = store.read(stream, after, PAGE)
        yield from page
        full = len(page) == PAGE
        after += len(page)

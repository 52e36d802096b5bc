"""All accounts after an entry of the people's stream, stored beside the log: a start reads the entries after it.

Only the last snapshot is stored. It is discarded if its format or the hash of its entry is not what this program
finds; verification compares it with the log.
"""

from __future__ import annotations

import zlib

import msgspec
from msgspec import Struct

from pontoon.server.operation.logs import event
from pontoon.server.people.people import STREAM, Account, HouseRecord, People
from pontoon.store.model import Entry, Fault, Snapshot, Store, entries_after
from pontoon.version import __version__

FORMAT = f"people 2 of {__version__}"
EVERY = 1000
"""Minimum number of entries between two snapshots; with many accounts as many entries as there are accounts."""


class _About(Struct, frozen=True):
    format: str


_ABOUT = msgspec.json.encode(_About(FORMAT))
_READER = msgspec.json.Decoder(tuple[tuple[Account, ...], HouseRecord])


def accounts_of(people: People) -> bytes:
    """The accounts and the record of the house in their stored form."""
    return msgspec.json.encode((tuple(people.accounts.values()), people.record), order="deterministic")


def is_due(people: People, last: int) -> bool:
    """Whether enough has happened since the snapshot of a version: its cost must not grow with every entry."""
    return people.version - last >= max(EVERY, len(people.accounts))


def snapshot_of(accounts: bytes, version: int, hashed: str) -> Snapshot:
    """The snapshot of the accounts after an entry."""
    return Snapshot(STREAM, version, hashed, _ABOUT, zlib.compress(accounts, 6))


def stored_accounts(snapshot: Snapshot) -> bytes:
    """The accounts in a snapshot; empty if this version cannot use it."""
    if snapshot.about != _ABOUT:
        return b""
    try:
        return zlib.decompress(snapshot.body)
    except zlib.error:
        return b""


def open_people(store: Store, people: People) -> int:
    """Read the accounts from their snapshot and the entries after it; returns the version of the snapshot."""
    last = store.snapshot_before(STREAM, 2**62)
    if last is not None and not _restored(people, last):
        event("snapshot_discarded", stream=STREAM, version=last.version)
    version = people.version
    for entry in entries_after(store, STREAM, people.version):
        people.apply(entry)
    return version


def _restored(people: People, last: Snapshot) -> bool:
    try:
        accounts, record = _READER.decode(stored_accounts(last))
    except msgspec.MsgspecError:
        return False
    people.restore(accounts, record, last.version, last.hash)
    return True


class SnapshotCheck:
    """Compares the stored accounts with those that follow from the log: a changed role would be in no entry."""

    def __init__(self, store: Store) -> None:
        self._people = People()
        self._last = store.snapshot_before(STREAM, 2**62)

    def fault(self, entry: Entry) -> str:
        """Apply an entry; what is wrong with the snapshot taken after it, empty for nothing."""
        if self._last is None or entry.version > self._last.version:
            return ""
        self._people.apply(entry)
        if entry.version < self._last.version:
            return ""
        stored = stored_accounts(self._last)
        unlike = stored and stored != accounts_of(self._people)
        return "the snapshot of the accounts is not what the log says" if unlike else ""


def snapshot_fault(store: Store) -> Fault | None:
    """What is wrong with the stored accounts, compared with the whole log; None for nothing."""
    check = SnapshotCheck(store)
    for entry in entries_after(store, STREAM):
        wrong = check.fault(entry)
        if wrong:
            return Fault(STREAM, entry.version, wrong)
    return None

"""Faults of the disk in the simulated evenings: full, a sync that fails, and copies of the log that hold less."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace

from pontoon.server.operation.rollback import append_roots, rolled_back
from pontoon.store import Append, MemoryStore, Outcome, StoreError
from pontoon.store.batch import Tip
from pontoon.store.model import Root, Snapshot, UnsureError

T = TypeVar("T")

EXPECTED = ("table_not_written", "snapshot_not_written", "sealing_failed", "store_failed")
"""What the server logs while the disk fails."""


class FaultyStore(MemoryStore):
    """A store whose disk can be full, and whose next sync can fail."""

    def __init__(self) -> None:
        super().__init__()
        self.full = False
        self.next_sync: bool | None = None
        """None if the next sync works; otherwise it fails, and this says whether the data is on disk anyway."""
        self.failures = 0

    def write(self, appends: Sequence[Append]) -> list[Outcome]:
        return self._tried(lambda: super(FaultyStore, self).write(appends))

    def seal(self, at: int) -> Root | None:
        return self._tried(lambda: super(FaultyStore, self).seal(at))

    def keep_snapshots(self, snapshots: Sequence[Snapshot], *, only_last: bool = False) -> None:
        self._tried(lambda: super(FaultyStore, self).keep_snapshots(snapshots, only_last=only_last))

    def _tried(self, work: Callable[[], T]) -> T:
        if self.failed or self.full:
            self.failures += 1
            raise StoreError(self.failed or "the disk is full")
        if self.next_sync is None:
            return work()
        there, self.next_sync = self.next_sync, None
        if there:
            work()
        self.failures += 1
        self.failed = "a sync failed; the process must start again"
        raise UnsureError(self.failed)


def _cut(store: MemoryStore, stream: str, version: int) -> None:
    """Let a stream end before it ended."""
    entries = store._entries[stream][:version]
    store._entries = {**store._entries, stream: entries}
    tip = Tip(version, entries[-1].at, entries[-1].hash) if entries else None
    store._tips = {name: at for name, at in store._tips.items() if name != stream} | ({stream: tip} if tip else {})


def shorter(store: MemoryStore) -> None:
    """The last sealed entry is missing."""
    head = store._roots[-1].heads[-1]
    _cut(store, head.stream, head.version - 1)


def older(store: MemoryStore) -> None:
    """A copy from before the last root."""
    store._roots = store._roots[:-1]


def missing(store: MemoryStore) -> None:
    """Another, empty file."""
    store._entries, store._tips, store._roots = {}, {}, []


def forked(store: MemoryStore) -> None:
    """Something else was written since the root before the last."""
    store._roots = [*store._roots[:-1], replace(store._roots[-1], hash="f" * 64)]


ROLLBACKS = (shorter, older, missing, forked)


def refused_rollbacks(store: MemoryStore, folder: Path) -> int:
    """Try to serve copies of a store that hold less than its roots say; returns how many were refused."""
    path = folder / "roots.txt"
    path.unlink(missing_ok=True)
    append_roots(path, store.root_lines())
    if not store.root_lines():
        return 0
    assert not rolled_back(store, path), "the store itself fits its roots"
    for change in ROLLBACKS:
        other = copy.copy(store)
        change(other)
        assert rolled_back(other, path), change.__name__
    return len(ROLLBACKS)

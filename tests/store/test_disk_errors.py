"""Errors of the disk at every operation of SQLite: a write, truncation, sync or removal fails, once or from then on.

The store is closed at the first error and opened again on a disk that works. What was acknowledged is there; of what
was refused nothing is; only what the store called unsure may be there or not. With `-m slow` every operation fails,
otherwise a part of them.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from pontoon.store import SqliteStore, StoreError
from pontoon.store.backup import backup
from pontoon.store.verify import faults, trial_balance
from tests.store.powercut import Operation, Recorder, Removed, Synced, Truncated, Written, recordable
from tests.store.test_power_cuts import State, folder, recorded, step

__all__ = ["folder"]  # the fixture

pytestmark = pytest.mark.skipif(not recordable(), reason="Python hides its SQLite")

STEPS = 12
SEED = 3
PART = 17
"""One operation in this many fails, unless all of them do."""
CODES = {Written: 778, Truncated: 1546, Synced: 1034, Removed: 2570}
"""SQLITE_IOERR_WRITE, _TRUNCATE, _FSYNC and _DELETE."""
FULL = 13


class Fault:
    """Fails the operation with a number, and the later ones if it lasts."""

    def __init__(self, number: int, code: int, *, lasts: bool) -> None:
        self.number, self.code, self.lasts = number, code, lasts
        self.seen: list[str] = []
        self.kind = ""

    def __call__(self, operation: Operation) -> int:
        self.seen.append(type(operation).__name__)
        hit = len(self.seen) > self.number if self.lasts else len(self.seen) == self.number + 1
        if hit and (self.code != FULL or isinstance(operation, Written)):
            self.kind = self.kind or type(operation).__name__
            return self.code or CODES[type(operation)]
        return 0


def evening(place: Path, fault: Fault, seed: int) -> tuple[State | None, str]:
    """Work until the fault is seen: the last acknowledged state, and how the store refused the next step."""
    place.mkdir()
    last: State | None = None
    random = Random(seed)
    with Recorder(place) as recorder, recorded(recorder):
        recorder.fault = fault
        try:
            with closing(SqliteStore(place / "store.db")) as store:
                assert store._writer
                store._writer.execute("PRAGMA wal_autocheckpoint = 10")
                last = State.of(store)
                for _ in range(STEPS):
                    step(store, last, random)
                    last = State.of(store)
        except StoreError as error:
            return last, "unsure" if error.unsure else "refused"
        except sqlite3.Error:  # while it was closed: the write-ahead log stays
            return last, "closing"
    return last, "unseen"


def checked(place: Path, last: State | None, how: str) -> None:
    """Open the store on a disk that works."""
    with closing(SqliteStore(place / "store.db")) as store:
        assert list(faults(store)) == []
        assert sum(trial_balance(store).values()) == 0
        found = State.of(store)
    if last is None:
        assert not found.entries, "the store was not open yet"
    elif how == "unsure":
        for stream, entries in last.entries.items():
            assert found.entries[stream][: len(entries)] == entries
        assert found.roots[: len(last.roots)] == last.roots
    else:
        assert found == last, how


def points(folder: Path, every: int) -> list[int]:
    """The operations that fail: one in so many of each kind."""
    whole = Fault(10**9, 0, lasts=False)
    assert evening(folder / "whole", whole, SEED)[1] == "unseen"
    kinds = {kind: [at for at, seen in enumerate(whole.seen) if seen == kind] for kind in set(whole.seen)}
    assert kinds.keys() >= {"Written", "Synced", "Truncated", "Removed"}
    return sorted(at for places in kinds.values() for at in places[::every])


@pytest.mark.parametrize("every", [PART, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("code", "lasts"), [(0, False), (0, True), (FULL, False), (FULL, True)])
def test_what_was_acknowledged_survives_an_error_at_any_operation(folder: Path, every: int, code: int, *, lasts: bool):
    kinds, ways = set(), set()
    for number in points(folder, every):
        with tempfile.TemporaryDirectory(dir=folder) as name:
            fault, place = Fault(number, code, lasts=lasts), Path(name) / "store"
            last, how = evening(place, fault, SEED)
            checked(place, last, how)
        kinds.add(fault.kind)
        ways.add(how)
    assert "refused" in ways
    assert kinds >= ({"Written"} if code == FULL else {"Written", "Synced"})
    assert code == FULL or "unsure" in ways


def test_a_backup_that_cannot_be_renamed_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        step(store, State.of(store), Random(1))
        before = State.of(store)

        def failed(*_: object, **__: object) -> None:
            raise OSError(28, "No space left on device")

        for name in ("rename", "replace", "link"):
            monkeypatch.setattr(os, name, failed)
        for name in ("rename", "replace", "hardlink_to"):
            monkeypatch.setattr(Path, name, failed)
        with pytest.raises(StoreError, match="No space left"):
            backup(store, tmp_path / "copy.db")
        monkeypatch.undo()
        assert State.of(store) == before
    assert not (tmp_path / "copy.db").exists()
    assert not [path for path in tmp_path.iterdir() if not path.name.startswith("store.db")]

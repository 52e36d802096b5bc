"""The store after power cuts: acknowledged writes are present, and nothing is partial.

A game of appends is recorded with everything SQLite does to its files (tests/store/powercut.py). The power then goes at
random moments of that recording, and the store is opened on what the disk may hold. It must be as it was after the last
step that was acknowledged, or after the one that was under way.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pontoon.ledger import Posting
from pontoon.store.model import Append, Draft, Entry, Root
from pontoon.store.sqlite import SqliteStore
from pontoon.store.verify import faults, trial_balance
from tests.store.powercut import (
    SECTOR,
    Disk,
    FolderSynced,
    Journal,
    Made,
    Recorder,
    Removed,
    Synced,
    Truncated,
    Written,
    cuts,
    recordable,
)

# In CI on Linux the tests fail if nothing can be recorded, so that they are never left out unseen.
pytestmark = pytest.mark.skipif(
    not recordable() and not (sys.platform == "linux" and "CI" in os.environ), reason="Python hides its SQLite"
)

RECORDINGS, QUICK = 10, 4
CUTS = 200
STEPS = 30
STREAMS = ("people", "table:1", "table:2")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory if there is one: the durability of the disk is in the journal, not in the folder."""
    memory = Path("/dev/shm")  # noqa: S108
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else tmp_path) as name:
        yield Path(name).resolve()


# --- a recording ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class State:
    """Everything that can be read from a store."""

    entries: dict[str, list[Entry]]
    balances: dict[str, int]
    roots: list[Root]
    epochs: dict[str, int]

    @classmethod
    def of(cls, store: SqliteStore) -> State:
        entries = {head.stream: store.read(head.stream) for head in store.heads()}
        epochs: dict[str, int] = dict(
            store._query("SELECT stream, epoch FROM leases")
        )  # the leases themselves end with the process
        return cls(entries, store.balances(), store.roots(), epochs)


@dataclass(frozen=True)
class Recording:
    journal: Journal
    states: list[State]
    """How the store stood at first and after each step; a mark is the number of one that was acknowledged."""


@contextmanager
def recorded(recorder: Recorder) -> Iterator[None]:
    """Route all database connections through the recorder."""

    def connect(name: str | Path, *, uri: bool = False, **options: Any) -> sqlite3.Connection:
        chosen = f"{name}&{recorder.choice}" if uri else f"{Path(name).as_uri()}?{recorder.choice}"
        connection: sqlite3.Connection = usual(chosen, uri=True, **options)
        return connection

    usual = sqlite3.connect
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", connect)
        yield


def record(folder: Path, random: Random, *, careless: bool = False) -> Recording:
    """Open the store in a folder and work with it for a while."""
    with Recorder(folder) as recorder, recorded(recorder), closing(SqliteStore(folder / "store.db")) as store:
        assert store._writer
        store._writer.execute("PRAGMA wal_autocheckpoint = 30")  # many checkpoints in a short recording
        if careless:
            store._writer.execute("PRAGMA synchronous = NORMAL")
        states = [State.of(store)]
        for number in range(1, STEPS + 1):
            step(store, states[-1], random)
            recorder.mark(number)
            states.append(State.of(store))
    return Recording(recorder.journal, states)


def step(store: SqliteStore, state: State, random: Random) -> None:
    """A random store operation; many of them succeed."""
    at = max((entries[-1].at for entries in state.entries.values()), default=0) + random.randrange(3)
    match random.randrange(10):
        case 0:
            store.seal(at)
        case 1:
            store.take_lease("table:3", random.choice(("north", "south")), "http://here", seconds=0)
        case _:
            versions = {stream: len(entries) for stream, entries in state.entries.items()}
            appends = []
            for _ in range(random.randint(1, 4)):
                stream = random.choice(STREAMS)
                drafts = tuple(draft(random) for _ in range(random.randint(1, 3)))
                appends.append(Append(stream, versions.get(stream, 0), at, drafts))
                versions[stream] = versions.get(stream, 0) + len(drafts)
            store.write(appends)


def draft(random: Random) -> Draft:
    player = random.choice(("Ann", "Bob", "Cai"))
    amount = random.randint(1, 1000)
    way = 1 if random.random() < 0.7 else -1  # out of a wallet that may be empty: a refusal amid a batch
    postings = (Posting("bank", -way * amount), Posting(f"wallet/{player}", way * amount))
    body = random.randbytes(random.choice((20, 200, 200, 1000, 6000)))
    return Draft(player, body, str(random.randrange(10_000)), postings, (f"player:{player}",))


# --- what is found after a cut -------------------------------------------------------------------------


def lay(files: dict[str, bytes], folder: Path) -> Path:
    """Put files into a new folder."""
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def verdict(recording: Recording, moment: int, folder: Path) -> str:
    """Whether all acknowledged data survived, the end of it is lost, or the store is corrupt."""
    acknowledged = len(recording.journal.marks(moment))
    try:
        with closing(SqliteStore(folder / "store.db")) as store, closing(sqlite3.connect(folder / "store.db")) as plain:
            wrong = [words for (words,) in plain.execute("PRAGMA integrity_check") if words != "ok"]
            if not wrong:
                found = State.of(store)
                wrong = [fault.words for fault in faults(store)]
                if sum(trial_balance(store).values()) != 0:
                    wrong.append("the trial balance is not zero")
    except Exception as error:  # noqa: BLE001 rubbish may go wrong anywhere
        return f"broken: {error!r}"
    if wrong:
        return f"broken: {wrong}"
    if found in recording.states[acknowledged : acknowledged + 2]:
        return "kept"
    return "lost" if found in recording.states[:acknowledged] else "broken: a state that never was"


def verdicts(
    recording: Recording, number: int, random: Random, folder: Path, *, honest: bool = True
) -> dict[str, list[int]]:
    """The moments of random cuts of a recording, by verdict."""
    journal = recording.journal
    moments = [random.randint(0, len(journal.operations)) for _ in range(number)]
    found: defaultdict[str, list[int]] = defaultdict(list)
    for moment, files in cuts(journal, moments, random, honest=honest):
        with tempfile.TemporaryDirectory(dir=folder) as name:
            found[verdict(recording, moment, lay(files, Path(name) / "cut"))].append(moment)
    return dict(found)


@pytest.mark.parametrize(
    "seed", [*range(QUICK), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(QUICK, RECORDINGS))]
)
def test_every_acknowledged_append_is_there_after_a_power_cut_and_after_the_next(seed: int, folder: Path):
    random = Random(seed)
    first = record(lay({}, folder / "first"), random)
    found = verdicts(first, CUTS // 2, random, folder)
    assert set(found) == {"kept"}, found
    ((_, files),) = cuts(first.journal, [random.randint(0, len(first.journal.operations))], random)
    second = record(lay(files, folder / "second"), random)
    found = verdicts(second, CUTS // 2, random, folder)
    assert set(found) == {"kept"}, found


def test_a_recording_writes_the_database_too_and_is_about_something(folder: Path):
    recording = record(lay({}, folder / "store"), Random(0))
    (database,) = (
        operation.file
        for operation in recording.journal.operations
        if isinstance(operation, Made) and operation.name == "store.db"
    )
    syncs = [at for at, one in enumerate(recording.journal.operations) if one == Synced(database)]
    assert len(syncs) > 3, "checkpoints, and not only when the store is closed"
    assert sum(map(len, recording.states[-1].entries.values())) > STEPS
    assert recording.states[-1].roots
    assert recording.states[-1].epochs


def test_without_a_sync_at_each_commit_appends_are_lost_but_nothing_breaks(folder: Path):
    recording = record(lay({}, folder / "store"), Random(1), careless=True)
    found = verdicts(recording, CUTS, Random(1), folder)
    assert set(found) == {"kept", "lost"}, found


def test_on_a_disk_that_does_not_sync_appends_are_lost_and_stores_break(folder: Path):
    recording = record(lay({}, folder / "store"), Random(2))
    found = verdicts(recording, CUTS, Random(2), folder, honest=False)
    assert {reason.partition(":")[0] for reason in found} == {"kept", "lost", "broken"}, found


# --- the recorder and the disk -------------------------------------------------------------------------


def test_the_journal_says_everything_that_happened_to_the_files(folder: Path):
    def replayed() -> dict[str, bytes]:
        disk = Disk(recorder.journal.before)
        for operation in recorder.journal.operations:
            disk.do(operation)
        return disk.running()

    def there() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".db-shm"}

    for mode in ("WAL", "DELETE", "TRUNCATE"):
        with Recorder(folder) as recorder:
            uri = f"{(folder / 'a.db').as_uri()}?{recorder.choice}"
            with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
                connection.execute(f"PRAGMA journal_mode = {mode}")
                connection.execute("PRAGMA wal_autocheckpoint = 5")
                connection.execute("CREATE TABLE IF NOT EXISTS page (number INTEGER, body BLOB)")
                for number in range(20):
                    connection.execute("INSERT INTO page VALUES (?, randomblob(3000))", (number,))
                    assert replayed() == there()
                connection.execute("DELETE FROM page WHERE number > 5")
                connection.execute("VACUUM")
                assert replayed() == there()
            assert replayed() == there()


def after_cuts(*operations: Made | Removed | Written | Truncated | Synced | FolderSynced) -> list[dict[str, bytes]]:
    disk = Disk({"old": b"old"})
    for operation in operations:
        disk.do(operation)
    return [disk.after_cut(Random(seed)) for seed in range(200)]


def test_a_write_that_was_not_synced_is_there_or_not_or_torn_between_sectors():
    data = bytes(range(1, 5)) * SECTOR
    found = [files["old"] for files in after_cuts(Truncated(0, len(data)), Synced(0), Written(0, 0, data))]
    before = b"old".ljust(len(data), b"\0")
    sectors = range(0, len(data), SECTOR)
    for files in found:
        assert all(files[at : at + SECTOR] in {one[at : at + SECTOR] for one in (before, data)} for at in sectors)
    assert {before, data} < set(found)
    assert any(files[:SECTOR] != data[:SECTOR] and files[SECTOR:] == data[SECTOR:] for files in found), "out of order"


def test_a_later_write_may_be_there_without_an_earlier_one():
    found = {files["old"] for files in after_cuts(Written(0, 0, b"a"), Written(0, 2, b"b"), Truncated(0, 2))}
    assert {b"old", b"ald", b"olb", b"alb", b"ol", b"al"} == found


def test_what_was_synced_is_there():
    assert all(files == {"old": b"new"} for files in after_cuts(Written(0, 0, b"new"), Synced(0)))


def test_a_name_lasts_with_its_folder_not_with_its_file():
    made = (Made("new", 1), Written(1, 0, b"new"), Synced(1))
    assert {files.get("new") for files in after_cuts(*made)} == {None, b"new"}
    assert {files.get("new") for files in after_cuts(*made, FolderSynced())} == {b"new"}
    assert {files.get("old") for files in after_cuts(Removed("old"))} == {None, b"old"}
    assert {files.get("old") for files in after_cuts(Removed("old"), FolderSynced())} == {None}
    assert {files.get("old") for files in after_cuts(Removed("old"), Made("old", 1))} == {None, b"old", b""}

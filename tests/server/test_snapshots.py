"""Snapshots and idle tables: cost does not depend on history, and a room from a snapshot is the room from its log."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from pontoon.server.house import House, Options
from pontoon.server.records.past_rounds import PastRooms
from pontoon.server.records.past_shoes import PastShoes
from pontoon.server.records.pinned import book_faults
from pontoon.server.records.replay import replay_faults
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import SeatBot
from pontoon.server.rooms.log import RoundKept, read_body
from pontoon.server.rooms.room import Room, folded, stream_of
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.server.rooms.snapshots import (
    EVERY,
    FORMAT,
    Frozen,
    about_of,
    encoded,
    frozen,
    open_room,
    restore,
    state_of,
)
from pontoon.server.rooms.state import ROUNDS
from pontoon.store import MemoryStore, SqliteStore
from pontoon.store.model import Entry, Head, Store, entries_after
from pontoon.store.postgresql import PostgresStore
from pontoon.table import commands as c
from pontoon.table.shoe_keeper import ShoeKeeper
from tests.postgresql import Server
from tests.server.api.visitors import running
from tests.server.hall import key

ANN = Actor("Ann")
FAST = Clocks(1, 1, 1, 1)
BOOKS = ("star", "canberra", "adelaide", "federal", "division-15")


async def evening(store: Store, book: str, entries: int, **more: Any) -> str:
    """The name of a table where bots have played for this many entries."""
    house = House(store, Options(inline=True, bots_unwatched=math.inf, **more))
    await house.start()
    settings = Settings(book, bots_alone=True, clocks=FAST, face_down=False)
    room = await house.make_table(ANN, settings, "")
    assert isinstance(room, str), room
    for box in (1, 3, 4, 7):
        await house.command(ANN, room, SeatBot(box, "chart"), "", None)
    live = await house.live(room)
    assert live is not None
    while live.room.version < entries:  # noqa: ASYNC110 the table tells nobody
        await asyncio.sleep(0)
    await house.close()
    return room


@pytest.fixture(scope="module")
def logs() -> dict[str, list[Entry]]:
    """The log of one table under each rulebook: several rounds, at least one shuffle."""
    from pontoon.server.rooms import owner

    before, owner.LEAST_PACE = owner.LEAST_PACE, 0
    found = {}
    for book in BOOKS:
        store = MemoryStore()
        room = asyncio.run(evening(store, book, 600 if book == "star" else 300))
        found[book] = list(entries_after(store, stream_of(room)))
    owner.LEAST_PACE = before
    return found


def name_of(log: Sequence[Entry]) -> str:
    return log[0].stream.partition("/")[2]


@pytest.mark.parametrize("book", BOOKS)
def test_a_room_from_a_snapshot_is_the_room_from_its_log(logs, book):
    log = logs[book]
    whole = Room(name_of(log), key)
    for entry in log:
        whole.apply(entry)
        if entry.version % 17 == 4:
            taken = encoded(frozen(whole, entry.hash, entry.at))
            again = Room(name_of(log), key)
            again.apply(log[0])
            assert restore(again, taken)
            assert again.state == whole.state, entry.version
            assert again.keeper.record == whole.keeper.record
            assert again.keeper.position == whole.keeper.position
            assert again.seed == whole.seed
            assert state_of(taken, whole.state.table.rules) == whole.state
            for later in log[entry.version : entry.version + 12]:
                happened = again.apply(later)
                assert all(step.proofs is not None for step in happened)


def test_a_room_goes_on_from_a_snapshot_with_the_same_proofs(logs):
    log = logs["canberra"]
    whole, again = Room(name_of(log), key), Room(name_of(log), key)
    for entry in log[:150]:
        whole.apply(entry)
    again.apply(log[0])
    assert restore(again, encoded(frozen(whole, log[149].hash, 0)))
    for entry in log[150:]:
        assert [one.proofs for one in again.apply(entry)] == [one.proofs for one in whole.apply(entry)]
    assert again.state == whole.state
    assert again.plan() == whole.plan()


def copied(log: Sequence[Entry]) -> MemoryStore:
    store = MemoryStore()
    store._entries[log[0].stream] = list(log)
    return store


def taken_at(log: Sequence[Entry], version: int) -> Any:
    room = Room(name_of(log), key)
    for entry in log[:version]:
        room.apply(entry)
    return encoded(frozen(room, log[version - 1].hash, 0))


class Counting(MemoryStore):
    def __init__(self) -> None:
        super().__init__()
        self.returned = 0

    def read(self, stream: str, after: int = 0, limit: int = 1000) -> list[Entry]:
        found = super().read(stream, after, limit)
        self.returned += len(found)
        return found


def test_h3_opening_reads_the_entries_after_the_snapshot(logs):
    log = logs["star"]
    store = Counting()
    store._entries[log[0].stream] = list(log)
    store.keep_snapshots([taken_at(log, 560)])
    room, whole = Room(name_of(log), key), Room(name_of(log), key)
    assert open_room(store, room) == log[-1].hash
    assert store.returned == 2 + len(log) - 560
    for entry in log:
        whole.apply(entry)
    assert room.state == whole.state


@pytest.mark.parametrize("harm", ["hash", "format", "body", "truncated"])
def test_a_snapshot_that_does_not_fit_is_discarded(logs, harm):
    log = logs["star"]
    store = copied(log)
    good = taken_at(log, 500)
    bad = {
        "hash": replace(good, hash="0" * 64),
        "format": replace(good, about=good.about.replace(FORMAT.encode(), b"room 0 of 0.0.1")),
        "body": replace(good, body=b"not zlib"),
        "truncated": replace(good, body=good.body[:-40]),
    }[harm]
    store.keep_snapshots([bad])
    room, whole = Room(name_of(log), key), Room(name_of(log), key)
    missing: list[Frozen] = []
    open_room(store, room, missing.append)
    for entry in log:
        whole.apply(entry)
    assert room.state == whole.state
    assert [taken.state.version for taken in missing] == list(range(EVERY, len(log) + 1, EVERY))
    assert (about_of(bad) is None) == (harm == "format")


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_stores_keep_snapshots_alike(kind, tmp_path, request: pytest.FixtureRequest):
    server: Server | None = request.getfixturevalue("postgresql") if kind == "postgresql" else None
    store = PostgresStore(server.new_database()) if server is not None else SqliteStore(tmp_path / "pontoon.db")
    room = asyncio.run(evening(store, "star", 40, snapshot_every=16))
    stream = stream_of(room)
    for version in (15, 16, 31, 39):
        found = store.snapshot_before(stream, version)
        assert (found.version if found else 0) <= version
        if found is not None:
            assert found.hash == store.read(stream, found.version - 1, 1)[0].hash
    assert store.last_snapshots("table/").keys() == {stream}
    again = Room(room, key)
    assert open_room(store, again) == store.head(stream).hash
    last = store.snapshot_before(stream, 2**62)
    assert last is not None
    store.keep_snapshots([last], only_last=True)
    assert store.snapshot_before(stream, last.version - 1) is None
    assert store.snapshot_before(stream, 2**62) == last
    store.close()


def test_h3_the_last_snapshots_are_found_without_reading_the_others(tmp_path, monkeypatch: pytest.MonkeyPatch):
    store = SqliteStore(tmp_path / "pontoon.db")
    asked: list[str] = []
    query = store._query

    def noted(sql: str, values: tuple[Any, ...]) -> list[Any]:
        asked.append(sql)
        return query(sql, values)

    monkeypatch.setattr(store, "_query", noted)
    assert store.last_snapshots("table/") == {}
    plan = [row[3] for row in query(f"EXPLAIN QUERY PLAN {asked[0]}", ("table/", "table0"))]
    assert plan[0].startswith("SEARCH heads"), plan
    assert plan[1].startswith("SEARCH snapshots"), plan
    assert "version=?" in plan[1], plan
    store.close()


class Watched(MemoryStore):
    """Counts what is read."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[str] = []

    def heads(self, prefix: str = "") -> list[Head]:
        return [Head(stream, 1, "") for stream in self._entries if stream.startswith(prefix)]

    def read(self, stream: str, after: int = 0, limit: int = 1000) -> list[Entry]:
        self.reads.append(stream)
        return super().read(stream, after, limit)


def test_h3_a_start_reads_no_first_entry_of_a_table_it_has_opened_before(logs):
    stream = logs["star"][0].stream
    store = Watched()
    store._entries[stream] = logs["star"]
    assert list(book_faults(store, only_new=True)) == []
    store.keep_snapshots([taken_at(logs["star"], 500)])
    assert list(book_faults(store, only_new=True)) == []
    assert store.reads == [stream]
    assert list(book_faults(store)) == []
    assert len(store.reads) == 2, "`pontoon verify log` reads all of them"


# --- what is read from the log ---------------------------------------------------------------------------------


def test_h3_memory_holds_the_last_rounds_and_the_last_shoe(logs):
    for book, log in logs.items():
        room = Room(name_of(log), key)
        for entry in log:
            room.apply(entry)
        assert len(room.state.table.finished) <= ROUNDS, book
        assert len(room.keeper.records) <= 1, book
        records = [*room.keeper.records, *([room.keeper.record] if room.keeper.record is not None else [])]
        assert not any(proof.path for record in records for proof in record.dealt), "they are made again from the seed"


@pytest.mark.parametrize("book", BOOKS)
def test_every_round_and_every_shoe_is_found_again(logs, book):
    log = logs[book]
    store = copied(log)
    for entry in log:
        for mark in entry.marks:
            store._marks.setdefault(mark, []).append((entry.at, entry.stream, entry.version))
    store._tips[log[0].stream] = replace(store_tip(log))
    rooms, stream = PastRooms(store), log[0].stream
    state, keeper, records = None, ShoeKeeper(), []
    for entry in log:
        state, _ = folded(state, entry)
        for event in read_body(entry.body).events:
            if isinstance(event, RoundKept):
                done = rooms.finished(stream, event.number)
                assert done == state.table.finished[-1]
            if type(event).__name__ == "SeedKept":
                keeper.begin(event.shoe, state.table.packs, bytes.fromhex(event.seed))  # type: ignore[union-attr]
            elif hasattr(event, "clauses"):
                keeper.apply(event)  # type: ignore[arg-type]
    records = [*keeper.records, *([keeper.record] if keeper.record is not None else [])]
    for unmarked in (False, True):
        if unmarked:  # as version 0.1.0 wrote it
            store._marks.pop("shoe", None)
        shoes = PastShoes(store)
        begun = shoes.begun(stream)
        ends = [*begun[1:], len(log) + 1]
        assert [shoes.record(stream, first, end) for first, end in zip(begun, ends, strict=True)] == records


def store_tip(log: Sequence[Entry]) -> Any:
    from pontoon.store.batch import Tip

    return Tip(log[-1].version, log[-1].at, log[-1].hash)


@pytest.mark.parametrize("book", BOOKS)
def test_a_state_in_the_past_is_the_state_of_that_time(logs, book):
    log = logs[book]
    store = copied(log)
    store.keep_snapshots([taken_at(log, 300)])
    past, state = PastRooms(store), None
    for entry in log[:420]:
        if entry.version % 7 == 1:
            assert past.before(entry.stream, entry.version) == state
        state, _ = folded(state, entry)


def test_a_round_that_is_long_over_can_be_void_and_replays():
    store = MemoryStore()
    house = House(store, Options(inline=True, proving=True))

    async def night() -> None:
        await house.start()
        room = await house.make_table(ANN, Settings("canberra", clocks=Clocks(0, 0, 0, 0)), "")
        assert isinstance(room, str)
        await house.write_people(lambda people: people.opened("Ann"))
        await house.command(ANN, room, c.Sit("Ann", 1), "", None)
        live = await house.live(room)
        assert live is not None
        from pontoon.engine import PlaceWager

        for _ in range(200):
            if live.room.state.table.number > ROUNDS + 4:
                break
            await house.command(ANN, room, PlaceWager(1, "", 1000), "", None)
            await asyncio.sleep(0)
        assert live.room.state.table.finished[0].number > 1
        sue = Actor("Sue", "game_supervisor")
        done = await house.command(sue, room, c.VoidEarlier(1, "game_supervisor", reason="a card misplaced"), "", None)
        if isinstance(done, int) and live.room.state.proposals:
            iris = Actor("Iris", "inspector")
            from pontoon.server.rooms.commands import Approve

            done = await house.command(iris, room, Approve(1), "", None)
        assert isinstance(done, int), done
        assert store.marked("voided:1")
        await house.close()

    asyncio.run(night())
    assert list(replay_faults(store)) == []


# --- idle tables -----------------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_idle_tables_leave_memory_and_come_back():
    async with running() as server:
        house = server.house
        ann = await server.guest()
        table = await ann.make_table()
        before = (await ann.get(f"/api/tables/{table}"))["view"]
        house.options = replace(house.options, idle_seconds=0.0)
        await asyncio.sleep(0.01)
        await house.idle._put_away()
        assert table not in house.lives
        rows = (await server.nobody.get("/api/tables"))["tables"]
        assert [row["id"] for row in rows] == [table]
        assert (await ann.get(f"/api/tables/{table}"))["view"] == before
        assert table in house.lives
        await ann.sit(table)
        await house.idle._put_away()
        assert table in house.lives, "somebody sits there"


@pytest.mark.asyncio
async def test_tables_nobody_used_for_a_day_are_archived():
    async with running() as server:
        house = server.house
        ann = await server.guest()
        table = await ann.make_table()
        house.options = replace(house.options, idle_seconds=0.0)
        await asyncio.sleep(0.01)
        await house.idle._put_away()
        house.idle.away[table] = replace(house.idle.away[table], at=house.clock.wall() - 25 * 3_600_000)
        assert (await server.nobody.get("/api/tables"))["tables"] == []
        assert house._tables_of(ann.name) == 0
        await ann.sit(table)
        assert table in house.lives


@pytest.mark.asyncio
async def test_a_restart_leaves_idle_tables_away():
    store = MemoryStore()
    house = House(store, Options(inline=True))
    await house.start()
    rooms = [await house.make_table(ANN, Settings("star"), "") for _ in range(3)]
    await asyncio.sleep(0.05)
    await house.command(ANN, str(rooms[0]), c.Sit("Ann", 1), "", None)
    await house.close()
    again = House(store, Options(inline=True))
    await again.start()
    assert set(again.lives) == {rooms[0]}
    assert set(again.idle.away) == {rooms[1], rooms[2]}
    assert isinstance(await again.command(ANN, str(rooms[1]), c.Sit("Ann", 2), "", None), int)
    await again.close()

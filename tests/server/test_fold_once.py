"""The owner of a table adopts what it decided: nothing is decoded, or shown before it is on disk.

In the simulated evenings, the tournaments and the fuzz tests every adopted entry is folded as well (`Options.proving`).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from pontoon.engine import PlaceWager, Stand
from pontoon.server.house import House, Options
from pontoon.server.people.people import FIRST_CHIPS
from pontoon.server.problems import Problem
from pontoon.server.rooms import room as rooms
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import Asked, Pass
from pontoon.server.rooms.decide import Decided
from pontoon.server.rooms.live import Make
from pontoon.server.rooms.log import Body, RoundKept, read_body
from pontoon.server.rooms.room import Room, stream_of
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.server.rooms.state import RoomState
from pontoon.store import Append, MemoryStore, Outcome
from pontoon.store.model import Conflict, Entry, LeaseLost, entries_of
from pontoon.view.viewer import Viewer
from tests.server.hall import ID, Hall, key

ANN = Actor("Ann")
INSTANT = Settings("star", maximum=0, clocks=Clocks(0, 60_000, 60_000, 60_000))


def decided_wager(hall: Hall) -> tuple[Room, Decided, Entry]:
    """A separate room in the same state, a wager decided there, and its entry as a store would write it."""
    room = Room(ID, key, proving=True)
    for entry in hall.entries:
        room.apply(entry)
    decided = room.ask(ANN, PlaceWager(1, "", 1000), "k", None)
    assert isinstance(decided, Decided)
    (entry,) = entries_of(Append(stream_of(ID), room.version, 0, (decided.draft,)), hall.entries[-1].hash)
    return room, decided, entry


def test_what_is_adopted_is_the_very_state_that_was_decided():
    room, decided, entry = decided_wager(Hall("star").ready("Ann 1"))
    happened = room.apply(entry, decided)
    assert room.state is decided.state
    assert tuple(step.event for step in happened) == decided.events
    assert happened[-1].after is decided.state.table
    assert [step.before for step in happened[1:]] == [step.after for step in happened[:-1]]


WRONG: dict[str, Callable[[Decided], Decided]] = {
    "state": lambda decided: replace(decided, state=replace(decided.state, held="never written")),
    "table": lambda decided: replace(decided, tables=(decided.tables[-1], *decided.tables[1:])),
    "events": lambda decided: replace(decided, events=decided.events[::-1]),
}


@pytest.mark.parametrize("what", WRONG)
def test_proving_finds_a_shortcut_that_is_not_the_fold(what):
    room, decided, entry = decided_wager(Hall("star").ready("Ann 1"))
    before = room.state
    with pytest.raises(AssertionError):
        room.apply(entry, WRONG[what](decided))
    assert room.state is before


def test_other_bytes_than_were_decided_are_decoded():
    hall = Hall("star").ready("Ann 1", "Ben 2")
    room, decided, _ = decided_wager(hall)
    other = room.ask(Actor("Ben"), PlaceWager(2, "", 2000), "", None)
    assert isinstance(other, Decided)
    (entry,) = entries_of(Append(stream_of(ID), room.version, 0, (other.draft,)), hall.entries[-1].hash)
    room.apply(entry, decided)
    assert room.state == other.state != decided.state
    assert room.state is not other.state


class Watching:
    """A viewer who receives every step, never before it is on disk."""

    viewer = Viewer()

    def __init__(self, store: MemoryStore, room: str) -> None:
        self.store = store
        self.room = room
        self.seen: list[int] = []

    def send(self, _: str) -> None:
        raise AssertionError("only steps are expected")

    def show(self, make: Make) -> None:
        version = json.loads(make(self.viewer))["version"]
        assert version <= self.store.head(stream_of(self.room)).version, "shown before it was on disk"
        self.seen.append(version)


class FailingStore(MemoryStore):
    """Answers the next append with a different result."""

    instead: Outcome | None = None

    def write(self, appends: Sequence[Append]) -> list[Outcome]:
        if self.instead is None:
            return super().write(appends)
        outcome, self.instead = self.instead, None
        return [outcome]


async def opened(store: MemoryStore, options: Options) -> tuple[House, str, Watching]:
    """A house with Ann at box 1 of an instant table, watched."""
    house = House(store, options, chance=key)
    await house.start()
    await house.write_people(lambda people: people.opened(ANN.name, guest=True))
    room = await house.make_table(ANN, INSTANT, "")
    assert isinstance(room, str)
    watching = Watching(store, room)
    house.lives[room].watchers.add(watching)
    return house, room, watching


def answer_to(state: RoomState) -> Asked:
    """Ann's next command."""
    match state.moment.kind:
        case "wagers" if state.table.round is None or not state.table.round.boxes:
            return PlaceWager(1, "", 1000)
        case "decision":
            return Stand(1)
        case _:
            return Pass()


def test_the_owner_decodes_nothing_and_followers_get_the_same(monkeypatch: pytest.MonkeyPatch):
    async def evening() -> None:
        store = MemoryStore()
        house, room, watching = await opened(store, Options(inline=True))
        live = house.lives[room]
        decoded: list[bytes] = []

        def counted(body: bytes) -> Body:
            decoded.append(body)
            return read_body(body)

        monkeypatch.setattr(rooms, "read_body", counted)
        for _ in range(40):
            await house.command(ANN, room, answer_to(live.room.state), "", None)
        assert decoded == []
        follower = Room(room)
        events = [step.event for entry in store.read(stream_of(room)) for step in follower.apply(entry)]
        assert any(isinstance(event, RoundKept) for event in events)
        assert len(decoded) == live.room.version
        assert follower.state == live.room.state
        assert follower.keeper.record == live.room.keeper.record
        assert watching.seen == sorted(set(watching.seen))
        assert watching.seen[-1] == live.room.version
        await house.close()

    asyncio.run(evening())


@pytest.mark.parametrize("outcome", [Conflict(99), LeaseLost(2)])
def test_a_draft_that_is_not_written_is_thrown_away(outcome: Any):
    async def evening() -> None:
        store = FailingStore()
        house, room, watching = await opened(store, Options(inline=True, proving=True))
        live = house.lives[room]
        before = live.room.state
        store.instead = outcome
        answer = await house.owned_command(ANN, room, PlaceWager(1, "", 1000), "k", None)
        assert isinstance(answer, Problem)
        assert answer.code == "not_here"
        assert live.room.state is before
        assert watching.seen == []
        await house.close()

    asyncio.run(evening())


def test_a_wager_without_chips_is_thrown_away():
    async def evening() -> None:
        house, room, watching = await opened(MemoryStore(), Options(inline=True, proving=True))
        live = house.lives[room]
        before = live.room.state
        answer = await house.command(ANN, room, PlaceWager(1, "", 2 * FIRST_CHIPS), "", None)
        assert isinstance(answer, Problem)
        assert answer.code == "not_enough_chips"
        assert live.room.state is before
        assert watching.seen == []
        assert isinstance(await house.command(ANN, room, PlaceWager(1, "", 1000), "", None), int)
        assert live.room.version > before.version
        await house.close()

    asyncio.run(evening())

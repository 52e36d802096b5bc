"""Replay of the log: deciding every command again must give the logged events, postings and marks.

The hash chain shows that nothing was changed afterwards; the replay shows that every entry follows the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pontoon.rulebook import RulebookError
from pontoon.server.records.past_rounds import PastRooms, earlier_round, with_round
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import EndHeat, MakeTable, MissWager, OpenRound
from pontoon.server.rooms.decide import SHOE, Step, marks_of, postings_of, room_step
from pontoon.server.rooms.log import Body, Passed, RulingProposed, SeedKept, TableMade, read_body
from pontoon.server.rooms.room import STREAM, Room
from pontoon.server.tournaments.replay import tournament_faults
from pontoon.store.model import Entry, Fault, Store
from pontoon.store.verify import first_faults
from pontoon.table.commands import TableCommand


def replay_faults(store: Store) -> Iterator[Fault]:
    """The first entry of each table, and of each tournament, that does not follow from the ones before it."""
    past = PastRooms(store)
    yield from first_faults(store, STREAM, lambda name: partial(_applied, Room(name), past))
    yield from tournament_faults(store)


def _applied(room: Room, past: PastRooms, entry: Entry) -> str:
    wrong = _wrong(room, past, entry)
    try:
        room.apply(entry)
    except RulebookError as error:
        return str(error)
    return wrong


def _wrong(room: Room, past: PastRooms, entry: Entry) -> str:
    body = read_body(entry.body)
    first = entry.version == 1
    if first != (isinstance(body.did, MakeTable) and isinstance(body.events[0], TableMade)):
        return "a table must be created once, in its first entry"
    if set(marks_of(body.events)) - set(entry.marks) - {SHOE}:  # version 0.1.0 did not mark shoes
        return "marks are missing"
    if first:
        return ""
    owed = [posting for posting in entry.postings if posting.account.startswith(("receivable/", "practice_bank/"))]
    if not owed and entry.postings != postings_of(room.id, room.state.settings, body.events):
        return "the postings do not match the events"
    if isinstance(body.did, OpenRound | MissWager | EndHeat):
        return _differs(room, entry.by, body)
    if not isinstance(body.did, TableCommand) or isinstance(body.events[0], RulingProposed):
        return ""
    number = earlier_round(room.state, body.did)
    step = Step(with_round(room.state, past.finished(entry.stream, number, entry.version)) if number else room.state)
    for event in body.events:
        if isinstance(event, SeedKept):
            step.put(event)
    no = step.do(body.did)
    if no is not None:
        return f"the command should have been refused: {no.code}"
    followed = tuple(event for event in body.events if not isinstance(event, Passed))
    return "" if tuple(step.events) == followed else "the events do not match the command"


def _differs(room: Room, by: str, body: Body) -> str:
    """Decide a room command again; returns how the events differ."""
    assert isinstance(body.did, OpenRound | MissWager | EndHeat)
    step = Step(room.state)
    wrong = room_step(step, Actor(by), body.did)
    if wrong is not None:
        return f"the command should have been refused: {wrong.code}"
    return "" if tuple(step.events) == body.events else "the events do not match the command"

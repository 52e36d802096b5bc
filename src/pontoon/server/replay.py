"""The log played again: every command decided anew must lead to the events, postings and marks that were written.

The hash chain shows that nothing was changed since; this shows that what was written was by the book.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pontoon.rulebook import RulebookError
from pontoon.server.capacity import Actor
from pontoon.server.commands import EndHeat, MakeTable, MissWager, OpenRound
from pontoon.server.decide import Step, marks_of, postings_of, room_step
from pontoon.server.log import Body, Passed, RulingProposed, SeedKept, TableMade, read_body
from pontoon.server.room import STREAM, Room
from pontoon.server.tournaments.replay import tournament_faults
from pontoon.store.model import Entry, Fault, Store
from pontoon.store.verify import first_faults
from pontoon.table.commands import TableCommand


def replay_faults(store: Store) -> Iterator[Fault]:
    """The first entry of each table, and of each tournament, that does not follow from the ones before it."""
    yield from first_faults(store, STREAM, lambda name: partial(_followed, Room(name)))
    yield from tournament_faults(store)


def _followed(room: Room, entry: Entry) -> str:
    wrong = _wrong(room, entry)
    try:
        room.follow(entry)
    except RulebookError as error:
        return str(error)
    return wrong


def _wrong(room: Room, entry: Entry) -> str:
    body = read_body(entry.body)
    first = entry.version == 1
    if first != (isinstance(body.did, MakeTable) and isinstance(body.events[0], TableMade)):
        return "a table begins with its making, and is made once"
    if set(marks_of(body.events)) - set(entry.marks):
        return "marks are missing"
    if first:
        return ""
    owed = [one for one in entry.postings if one.account.startswith("receivable/")]
    if not owed and entry.postings != postings_of(room.id, room.state.settings, body.events):
        return "the postings are not those of its events"
    if isinstance(body.did, OpenRound | MissWager | EndHeat):
        return _differs(room, entry.by, body)
    if not isinstance(body.did, TableCommand) or isinstance(body.events[0], RulingProposed):
        return ""
    step = Step(room.state)
    for event in body.events:
        if isinstance(event, SeedKept):
            step.put(event)
    no = step.do(body.did)
    if no is not None:
        return f"the command was to be refused: {no.code}"
    followed = tuple(event for event in body.events if not isinstance(event, Passed))
    return "" if tuple(step.events) == followed else "the events are not those of its command"


def _differs(room: Room, by: str, body: Body) -> str:
    """The steward's commands at a tournament's table are decided anew as well."""
    assert isinstance(body.did, OpenRound | MissWager | EndHeat)
    step = Step(room.state)
    wrong = room_step(step, Actor(by), body.did)
    if wrong is not None:
        return f"the command was to be refused: {wrong.code}"
    return "" if tuple(step.events) == body.events else "the events are not those of its command"

"""Replay of tournaments: deciding every command again must give the logged events and postings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pontoon.engine import Refusal
from pontoon.server.rooms.actors import Actor
from pontoon.server.tournaments.decide import decided_by, permitted, postings_of, taken_events
from pontoon.server.tournaments.hosted import Hosted
from pontoon.server.tournaments.log import (
    STREAM,
    BallotSeedKept,
    Body,
    Happening,
    MakeTournament,
    RulingDropped,
    RulingTaken,
    TournamentMade,
    read_body,
)
from pontoon.store.model import Entry, Fault, Store
from pontoon.store.verify import first_faults
from pontoon.tournament import commands as c
from pontoon.tournament.conditions.load import digest


def tournament_faults(store: Store) -> Iterator[Fault]:
    """The first entry of each tournament that does not follow from the previous ones."""
    return first_faults(store, STREAM, lambda name: partial(_applied, Hosted(name)))


def _applied(hosted: Hosted, entry: Entry) -> str:
    wrong = _wrong(hosted, entry)
    hosted.apply(entry)
    if entry.version == 1 and hosted.digest != digest(hosted.state.conditions):
        return "the digest does not match the conditions"
    return wrong


def _wrong(hosted: Hosted, entry: Entry) -> str:
    body = read_body(entry.body)
    first = entry.version == 1
    made = isinstance(body.did, MakeTournament) and [type(event) for event in body.events] == [
        TournamentMade,
        BallotSeedKept,
    ]
    if first != made:
        return "a tournament must be created once, in its first entry"
    if entry.postings != postings_of(hosted.id, body.events):
        return "the postings do not match the events"
    if first:
        return ""
    events = _anew(hosted, entry, body)
    if isinstance(events, str):
        return events
    return "" if events == body.events else "the events do not match the command"


def _anew(hosted: Hosted, entry: Entry, body: Body) -> tuple[Happening, ...] | str:
    """The expected events, or why there should be none."""
    ruled = body.events[0]
    if isinstance(ruled, RulingTaken | RulingDropped):
        waiting = next((ruling for ruling in hosted.waiting if ruling.number == ruled.number), None)
        return taken_events(hosted.state, waiting) if waiting is not None else "there is no such deferred ruling"
    assert isinstance(body.did, c.TournamentCommand)
    actor = Actor(entry.by, body.role)
    if permitted(hosted, actor, body.did) != "allowed":
        return "the sender is not allowed to give this command"
    decided = decided_by(hosted, actor, body.did)
    return f"the command should have been refused: {decided.code}" if isinstance(decided, Refusal) else decided

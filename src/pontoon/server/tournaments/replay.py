"""Tournaments played again: every command decided anew must lead to the events and postings that were written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pontoon.engine import Refusal
from pontoon.server.capacity import Actor
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
from pontoon.tournament.load import digest


def tournament_faults(store: Store) -> Iterator[Fault]:
    """The first entry of each tournament that does not follow from the ones before it."""
    return first_faults(store, STREAM, lambda name: partial(_followed, Hosted(name)))


def _followed(hosted: Hosted, entry: Entry) -> str:
    wrong = _wrong(hosted, entry)
    hosted.follow(entry)
    if entry.version == 1 and hosted.digest != digest(hosted.state.conditions):
        return "the digest is not that of the conditions"
    return wrong


def _wrong(hosted: Hosted, entry: Entry) -> str:
    body = read_body(entry.body)
    first = entry.version == 1
    made = isinstance(body.did, MakeTournament) and [type(one) for one in body.events] == [
        TournamentMade,
        BallotSeedKept,
    ]
    if first != made:
        return "a tournament begins with its making, and is made once"
    if entry.postings != postings_of(hosted.id, body.events):
        return "the postings are not those of its events"
    if first:
        return ""
    events = _anew(hosted, entry, body)
    if isinstance(events, str):
        return events
    return "" if events == body.events else "the events are not those of its command"


def _anew(hosted: Hosted, entry: Entry, body: Body) -> tuple[Happening, ...] | str:
    """The events as they must be, or why there must be none."""
    ruled = body.events[0]
    if isinstance(ruled, RulingTaken | RulingDropped):
        waiting = next((one for one in hosted.waiting if one.number == ruled.number), None)
        return taken_events(hosted.state, waiting) if waiting is not None else "no such ruling waits"
    assert isinstance(body.did, c.TournamentCommand)
    actor = Actor(entry.by, body.role)
    if permitted(hosted, actor, body.did) != "allowed":
        return "whoever gave the command may not give it"
    decided = decided_by(hosted, actor, body.did)
    return f"the command was to be refused: {decided.code}" if isinstance(decided, Refusal) else decided

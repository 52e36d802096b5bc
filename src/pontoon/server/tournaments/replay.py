"""Tournaments played again: every command decided anew must lead to the events and postings that were written."""

from __future__ import annotations

from collections.abc import Iterator

from pontoon.engine import Refusal
from pontoon.server.capacity import Actor
from pontoon.server.tournaments.decide import decided_by, postings_of, taken_events
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
from pontoon.server.tournaments.permits import verdict
from pontoon.store.model import Entry, Fault, Store, entries_after
from pontoon.tournament import commands as c
from pontoon.tournament.load import digest


def tournament_faults(store: Store) -> Iterator[Fault]:
    """The first entry of each tournament that does not follow from the ones before it."""
    for head in store.heads(STREAM):
        fault = _first_fault(store, head.stream)
        if fault is not None:
            yield fault


def _first_fault(store: Store, stream: str) -> Fault | None:
    hosted = Hosted(stream.removeprefix(STREAM))
    for entry in entries_after(store, stream):
        try:
            wrong = _wrong(hosted, entry)
            hosted.follow(entry)
            if entry.version == 1 and hosted.digest != digest(hosted.state.conditions):
                wrong = "the digest is not that of the conditions"
        except Exception as error:  # noqa: BLE001 whatever it is, it is not what we write
            return Fault(stream, entry.version, f"cannot be played: {type(error).__name__}: {error}")
        if wrong:
            return Fault(stream, entry.version, wrong)
    return None


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
    about = getattr(body.did, "player", "") if isinstance(body.did, c.Enter | c.TakeSeat | c.BuyBack) else ""
    if verdict(type(body.did).__name__, actor, hosted.state.director, about) != "allowed":
        return "whoever gave the command may not give it"
    decided = decided_by(hosted, actor, body.did)
    return f"the command was to be refused: {decided.code}" if isinstance(decided, Refusal) else decided

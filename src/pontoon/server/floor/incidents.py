"""Incidents: each irregularity, dispute and ruling with its people, cards, clauses, money and decision.

Nothing is stored twice. The entries of an incident carry its mark; what it was is derived from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from pontoon.rulebook import Clauses
from pontoon.server.floor.picture import HandPicture, MoneyRow, money_rows, picture
from pontoon.server.records.past_rounds import PastRooms
from pontoon.server.rooms.decide import INCIDENT
from pontoon.server.rooms.frames import happened_view
from pontoon.server.rooms.log import (
    Body,
    LogEvent,
    PaymentNoted,
    RulingApproved,
    RulingProposed,
    RulingRejected,
    SupervisorCalled,
    read_body,
)
from pontoon.server.rooms.room import STREAM, folded
from pontoon.server.wire import KEPT, kept
from pontoon.store.model import Entry
from pontoon.table.commands import Play
from pontoon.table.events import TableEvent
from pontoon.view.catalogue import ENGLISH
from pontoon.view.command_words import command_words
from pontoon.view.viewer import Viewer

MOST_ENTRIES = 200
"""How many entries of one incident are read."""


class IncidentRow(Struct, frozen=True):
    """An incident in a list."""

    table: str
    number: int
    at: int
    round: int
    words: str
    people: tuple[str, ...]
    state: str
    """open, closed, approved or rejected."""
    clauses: Clauses
    moved: int
    """Total amount that changed hands, in cents."""


class IncidentStep(Struct, frozen=True):
    """One entry of an incident."""

    version: int
    at: int
    by: str
    role: str
    did: str
    """The command, by name."""
    words: str


class Incident(Struct, frozen=True):
    """An incident in full."""

    row: IncidentRow
    name: str
    """Name of the table."""
    rulebook: str
    shoe: int
    dealer_rules: str
    until: int
    steps: tuple[IncidentStep, ...]
    decisions: tuple[str, ...]
    before: tuple[HandPicture, ...]
    after: tuple[HandPicture, ...]
    money: tuple[MoneyRow, ...]
    hash: str
    """Hash of the last entry."""


def number_of(entry: Entry) -> int:
    """Which incident of its table an entry belongs to."""
    return next(int(mark.split(":")[1]) for mark in entry.marks if mark.startswith(f"{INCIDENT}:"))


def incident(archive: PastRooms, entries: Sequence[Entry], language: str = ENGLISH) -> Incident:
    """An incident from its entries, oldest first."""
    first, last = entries[0], entries[-1]
    before = archive.before(first.stream, first.version)
    assert before is not None, "no incident happens before its table is made"
    state, steps, events = before, [], []
    viewer = Viewer("", True, language)  # noqa: FBT003 an official
    marked = {entry.version for entry in entries}
    for entry in archive.entries(first.stream, first.version - 1, last.version):
        state, happened = folded(state, entry)
        if entry.version in marked:
            views = (happened_view(step, viewer) for step in happened)
            words = ". ".join(view.words for view in views if view is not None and view.words)
            steps.append(_step(entry, words))
        events += [step.event for step in happened]
    bodies = [read_body(entry.body) for entry in entries]
    money = money_rows(before, state, tuple(events))
    decisions = tuple(dict.fromkeys(_decisions(bodies, language)))
    table = first.stream.removeprefix(STREAM)
    row = IncidentRow(
        table,
        number_of(first),
        first.at,
        before.table.number,
        _what(bodies, decisions),
        tuple(dict.fromkeys(entry.by for entry in entries)),
        _state(events, open_now=state.floor.incident == number_of(first)),
        _clauses(events),
        sum(abs(row.net_after - row.net_before) for row in money) or sum(abs(row.wallet) for row in money),
    )
    return Incident(
        row,
        before.settings.name,
        before.settings.rulebook,
        before.table.shoe_number,
        before.table.rules.about.title,
        last.at,
        tuple(steps),
        decisions,
        picture(before, language),
        picture(state, language),
        money,
        last.hash,
    )


def _step(entry: Entry, words: str) -> IncidentStep:
    body = read_body(entry.body)
    did = body.did.command if isinstance(body.did, Play) else body.did
    return IncidentStep(entry.version, entry.at, entry.by, body.role, type(did).__name__, words)


def _decisions(bodies: Sequence[Body], language: str) -> Iterator[str]:
    """What was ruled, or proposed and rejected."""
    for body in bodies:
        for event in body.events:
            if isinstance(event, RulingProposed):
                yield command_words(_proposed(event), language)
        names = {type(event).__name__ for event in body.events}
        ruled = {"Ruled", "EarlierRoundVoided", "DisputeDecided", "PlayerExcluded", "PlayerRestricted"} & names
        if ruled and type(body.did).__name__ != "Approve":
            yield command_words(body.did.command if isinstance(body.did, Play) else body.did, language)


def _proposed(event: RulingProposed) -> Struct:
    ruling = kept(msgspec.json.decode(event.command, type=KEPT))
    return ruling.command if isinstance(ruling, Play) else ruling


def _what(bodies: Sequence[Body], decisions: Sequence[str]) -> str:
    """The first description that was given of it."""
    for event in (event for body in bodies for event in body.events):
        if isinstance(event, SupervisorCalled) and event.reason:
            return event.reason
        if isinstance(event, PaymentNoted):
            return f"Wrong payment, box {event.box}, {event.player}"
    return decisions[0] if decisions else "Supervisor called"


def _state(events: Sequence[LogEvent], *, open_now: bool) -> str:
    if open_now:
        return "open"
    if any(isinstance(event, RulingApproved) for event in events):
        return "approved"
    return "rejected" if any(isinstance(event, RulingRejected) for event in events) else "closed"


def _clauses(events: Sequence[LogEvent]) -> Clauses:
    ruled = [event for event in events if isinstance(event, TableEvent | RulingProposed)]
    found = (clause for event in ruled for clause in event.clauses)
    return tuple(dict.fromkeys(found))[:8]

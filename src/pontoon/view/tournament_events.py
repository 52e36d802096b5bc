"""What happened in a tournament, one sentence an event.

Of everything that happened the seed of the ballots alone is secret for a while, and an event has it only when it is
revealed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from pontoon.money import dollars
from pontoon.tournament import events as e
from pontoon.view.words import named

OUT = {
    "minimum": "cannot make the least wager and is out",
    "session": "does not go on",
    "ruling": "is ruled out",
    "absent": "made no wager in time and is out",
    "criterion": "is out by the conditions",
}
"""Why somebody is eliminated."""
PARTED = {"extra_rounds": "extra rounds", "ballot": "a ballot"}
"""How equal players are parted."""


def tournament_words(event: e.TournamentEvent) -> str:
    """Say what happened.

    >>> tournament_words(e.MarkerMoved((), table=2, box=5))
    'Table 2: the starting marker is at box 5'
    """
    return TOURNAMENT_WORDS[type(event)](event)


def _because(words: str) -> str:
    return f": {words}" if words else ""


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _fee(fee: int) -> str:
    return f" and pays ${dollars(fee)}" if fee else ""


def _standings(event: e.SessionEnded) -> str:
    best = next((f"; {one.player} has most, ${dollars(one.chips)}" for one in event.standings), "")
    on = f". {named(event.advanced)} go on" if len(event.advanced) > 1 else ""
    return f"Session {event.session} is over{best}{on}"


def _counts(event: e.ChipsCounted) -> str:
    held = ", ".join(f"{name} ${dollars(chips)}" for name, chips in event.chips)
    return f"Table {event.table}, round {event.round}: {held}"


def _out(event: e.Eliminated) -> str:
    return f"{event.player} {OUT[event.reason]}{_because(event.words)}"


def _awarded(event: e.PlacesAwarded) -> str:
    first = named([one.player for one in event.standings if one.place == 1])
    won = f" to {first}" if first else ""
    return f"The places are awarded: the first{won}. The pool is ${dollars(event.pool)}"


def _order(event: e.ExtraCounted) -> str:
    return f"Extra rounds: {', then '.join(named(group) for group in event.order)}"


def _paid(event: e.PrizePaid) -> str:
    one = event.payment
    where = f" of session {one.session}" if one.session else ""
    return f"{one.player} receives ${dollars(one.amount)} for place {one.place}{where}"


def _ballot(event: e.BallotDrawn) -> str:
    tables = _counted(len(event.markers), "table")
    again = f" (draw {event.draw}: groups are kept apart)" if event.draw > 1 else ""
    return f"The ballot of session {event.session} is drawn: {_counted(len(event.seats), 'player')} at {tables}{again}"


def _closed(event: e.EntriesClosed) -> str:
    added = f"; the casino adds ${dollars(event.added)}" if event.added else ""
    return f"Entries are closed with {_counted(event.players, 'player')}{added}"


def _refunded(event: e.Cancelled) -> str:
    back = sum(fee for _, fee, _ in event.refunds)
    return f"The tournament is cancelled{_because(event.reason)}. All fees are refunded, ${dollars(back)}"


def _started(event: e.SessionStarted) -> str:
    return f"Session {event.session} begins with {_counted(len(event.chips), 'player')}"


def _substituted(event: e.Substituted) -> str:
    return f"{event.substitute} plays on for {event.player}{_because(event.reason)}"


def _directed(event: e.Directed) -> str:
    return f"The director to {event.player or 'all'}: {event.words}"


def _pace(event: e.PaceSet) -> str:
    if not event.seconds:
        return "There is no time limit for wagers and decisions"
    return f"From now on {_counted(event.seconds, 'second')} for a wager or a decision"


TOURNAMENT_WORDS = cast(
    "dict[type[e.TournamentEvent], Callable[[Any], str]]",
    {
        e.ConditionsPublished: lambda event: f"The conditions are given to the {event.to}",
        e.DirectorNominated: lambda event: f"{event.by} nominates {event.director} as director",
        e.BallotCommitted: lambda _: "The seed of the ballots is fixed; its hash is published",
        e.Entered: lambda event: f"{event.player} enters{_fee(event.fee)}",
        e.Reserved: lambda event: f"{event.player} is a reserve player",
        e.EntriesClosed: _closed,
        e.StartMoved: lambda event: f"The next session starts at another time, with {event.notice} minutes' notice",
        e.BallotDrawn: _ballot,
        e.SeatTaken: lambda event: f"{event.player} is seated",
        e.SeatOffered: lambda event: f"{event.player} takes the seat of {event.absent}{_fee(event.fee)}",
        e.Substituted: _substituted,
        e.PositionForfeited: lambda event: f"{event.player} was not seated in time and has lost the seat",
        e.SessionStarted: _started,
        e.ChipsCounted: _counts,
        e.MarkerMoved: lambda event: f"Table {event.table}: the starting marker is at box {event.box}",
        e.Eliminated: _out,
        e.BoughtBack: lambda event: f"{event.player} buys back{_fee(event.fee)}, with ${dollars(event.chips)} in chips",
        e.BreakCalled: lambda event: f"A break of {_counted(event.minutes, 'minute')}",
        e.BreakEnded: lambda _: "The break is over",
        e.PaceSet: _pace,
        e.Directed: _directed,
        e.TableEnded: lambda event: f"Table {event.table} has played session {event.session}",
        e.TieFound: lambda event: f"{named(event.players)} are equal; {PARTED[event.by]} will part them",
        e.TieLeft: lambda event: f"{named(event.players)} stay equal",
        e.TieDropped: lambda event: f"{named(event.players)} need not be parted any more",
        e.ExtraCounted: _order,
        e.LotsDrawn: lambda event: f"The ballot between equal players: {', then '.join(event.order)}",
        e.SessionEnded: _standings,
        e.PointsRecorded: lambda event: f"Points of another game are recorded: {event.game}",
        e.PlacesAwarded: _awarded,
        e.PrizePaid: _paid,
        e.BallotRevealed: lambda _: "The seed of all ballots is published",
        e.Cancelled: _refunded,
        e.Completed: lambda _: "Everything is paid: the tournament is over",
    },
)
"""A sentence for each kind of event."""

QUIET = (e.ChipsCounted, e.MarkerMoved)
"""Told in the standings and at the tables, and too often for a list of news."""

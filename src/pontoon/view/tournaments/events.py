"""What happened in a tournament: the facts of an event, and its sentence.

Only the ballot seed is secret for a while, and no event contains it before it is revealed. Lists that the view contains
anyway (seats, standings, chips) are sent as counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

from msgspec.structs import asdict

from pontoon.tournament import events as e
from pontoon.view.catalogue import ENGLISH, say

Facts: TypeAlias = dict[str, Any]


def tournament_words(event: e.TournamentEvent, language: str = ENGLISH) -> str:
    """Say what happened.

    >>> tournament_words(e.MarkerMoved((), table=2, box=5))
    'Table 2: the starting marker is at box 5'
    """
    return say(f"tournament.{type(event).__name__}", tournament_facts(event), language)


def tournament_facts(event: e.TournamentEvent) -> Facts:
    """The facts from which an event's sentence is made.

    >>> tournament_facts(e.SessionStarted((), 1, (("Ann", 1000), ("Ben", 1000))))
    {'session': 1, 'players': 2}
    """
    shorter = SHORTER.get(type(event))
    if shorter is not None:
        return shorter(event)
    return {key: value for key, value in asdict(event).items() if key != "clauses"}


def _standings(event: e.SessionEnded) -> Facts:
    facts: Facts = {"session": event.session}
    if event.standings:
        facts |= {"best": event.standings[0].player, "chips": event.standings[0].chips}
    return facts | ({"advanced": event.advanced} if len(event.advanced) > 1 else {})


def _awarded(event: e.PlacesAwarded) -> Facts:
    return {"first": tuple(standing.player for standing in event.standings if standing.place == 1), "pool": event.pool}


def _session_prizes(event: e.SessionPrizesAwarded) -> Facts:
    winners = tuple(payment.player for payment in event.payments)
    return {"session": event.session, "winners": winners, "amount": sum(payment.amount for payment in event.payments)}


def _paid(event: e.PrizePaid) -> Facts:
    payment = event.payment
    return {"player": payment.player, "amount": payment.amount, "place": payment.place, "session": payment.session}


def _ballot(event: e.BallotDrawn) -> Facts:
    facts = {"session": event.session, "draw": event.draw, "players": len(event.seats), "tables": len(event.markers)}
    return facts | ({"again": True} if event.draw > 1 else {})


def _counts(event: e.ChipsCounted) -> Facts:
    return {"session": event.session, "table": event.table, "round": event.round, "chips": event.chips}


def _refunded(event: e.Cancelled) -> Facts:
    return {"reason": event.reason, "refunded": sum(fee for _, fee, _ in event.refunds)}


def _started(event: e.SessionStarted) -> Facts:
    return {"session": event.session, "players": len(event.chips)}


SHORTER = cast(
    "dict[type[e.TournamentEvent], Callable[[Any], Facts]]",
    {
        e.BallotDrawn: _ballot,
        e.SessionStarted: _started,
        e.ChipsCounted: _counts,
        e.SessionEnded: _standings,
        e.PointsRecorded: lambda event: {"game": event.game},
        e.SessionPrizesAwarded: _session_prizes,
        e.PlacesAwarded: _awarded,
        e.PrizePaid: _paid,
        e.Cancelled: _refunded,
    },
)
"""Events whose fields are changed before they are sent."""

QUIET = (e.ChipsCounted, e.MarkerMoved)
"""Told in the standings and at the tables, and too often for a list of news."""

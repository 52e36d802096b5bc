"""The second half of `evolve`: ties, results of sessions and of the tournament, and its end."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from msgspec.structs import replace

from pontoon.tournament import events as e
from pontoon.tournament.changes import changed, changed_appeal, given_back
from pontoon.tournament.state import Dispute, Order, Phase, Result, Tie, Tournament, points_of, same_name

# --- ties ---------------------------------------------------------------------------------------------------------


def _without_tie(state: Tournament, players: tuple[str, ...]) -> tuple[Tie, ...]:
    return tuple(tie for tie in state.ties if set(tie.players) != set(players))


def tie_found(state: Tournament, event: e.TieFound) -> Tournament:
    """Open a tie, or reopen it with another method."""
    tie = Tie(event.players, event.by, clauses=event.clauses, purpose=event.purpose)
    return replace(state, ties=(*_without_tie(state, event.players), tie))


def tie_left(state: Tournament, event: e.TieLeft) -> Tournament:
    """Close a tie that stays unbroken."""
    return replace(
        state, ties=_without_tie(state, event.players), left_equal=(*state.left_equal, tuple(sorted(event.players)))
    )


def tie_dropped(state: Tournament, event: e.TieDropped) -> Tournament:
    """Drop a tie that no longer matters."""
    return replace(state, ties=_without_tie(state, event.players))


def _tie_broken(state: Tournament, event: e.ExtraCounted | e.LotsDrawn, order: Order) -> Tournament:
    players = tuple(name for group in order for name in group)
    return replace(
        state,
        ties=_without_tie(state, players),
        tie_orders=(*state.tie_orders, order),
        purposes=(*state.purposes, event.purpose),
    )


def extra_counted(state: Tournament, event: e.ExtraCounted) -> Tournament:
    """Count extra rounds that broke nothing; otherwise close the tie, and smaller ones may follow."""
    if len(event.order) > 1:
        return _tie_broken(state, event, event.order)
    ties = tuple(
        replace(tie, lots=tie.lots + 1) if set(tie.players) == set(event.players) else tie for tie in state.ties
    )
    return replace(state, ties=ties)


def lots_drawn(state: Tournament, event: e.LotsDrawn) -> Tournament:
    """Close the tie with the drawn order."""
    return _tie_broken(state, event, tuple((name,) for name in event.order))


# --- appeals ------------------------------------------------------------------------------------------------------


def appeal_made(state: Tournament, event: e.AppealMade) -> Tournament:
    """Add the appeal."""
    made = Dispute(event.number, event.player, event.reason, session=state.session)
    return replace(state, appeals=(*state.appeals, made))


def appeal_decided(state: Tournament, event: e.AppealDecided) -> Tournament:
    """Record the outcome."""
    outcome: Literal["upheld", "dismissed"] = "upheld" if event.upheld else "dismissed"
    return changed_appeal(state, event.number, outcome=outcome, decision=event.decision)


# --- results ------------------------------------------------------------------------------------------------------


def session_ended(state: Tournament, event: e.SessionEnded) -> Tournament:
    """Record places and points; the next ranking starts empty."""
    players = list(state.players)
    for standing in event.standings:
        place = state.index[same_name(standing.player)]
        points: Fraction = points_of(players[place].points) + points_of(standing.points)
        players[place] = replace(
            players[place],
            seat=-1,
            place=standing.place,
            last_chips=standing.chips,
            points=(points.numerator, points.denominator),
        )
    state = replace(
        state,
        phase="between",
        players=tuple(players),
        results=(*state.results, Result(event.session, event.standings, event.advanced)),
        tables=(),
        seats=(),
        ties=(),
        tie_orders=(),
        purposes=(),
        left_equal=(),
    )
    return given_back(state, event.returned)


def points_recorded(state: Tournament, event: e.PointsRecorded) -> Tournament:
    """Add the points; orders already played for remain valid for players still tied."""
    for name, points in event.points:
        total = points_of(state.players[state.index[same_name(name)]].points) + points_of(points)
        state = changed(state, name, points=(total.numerator, total.denominator))
    return replace(state, recorded=(*state.recorded, same_name(event.game)))


def session_prizes_awarded(state: Tournament, event: e.SessionPrizesAwarded) -> Tournament:
    """Record the payments due for a session."""
    return replace(state, payments=(*state.payments, *event.payments))


def awarded(state: Tournament, event: e.PlacesAwarded) -> Tournament:
    """Record places and due payments."""
    payments = (*state.payments, *event.payments)
    state = replace(state, phase="awarded", standings=event.standings, payments=payments)
    return given_back(state, event.returned)


def prize_paid(state: Tournament, event: e.PrizePaid) -> Tournament:
    """Record a payment from the pool."""
    return replace(state, paid=(*state.paid, event.payment.number), pool=state.pool - event.payment.amount)


def revealed(state: Tournament, event: e.BallotRevealed) -> Tournament:
    """Record the revealed seed."""
    return replace(state, seed=event.seed)


def cancelled(state: Tournament, event: e.Cancelled) -> Tournament:
    """Empty the pool and mark the tournament as cancelled."""
    state = replace(state, phase="cancelled", pool=0, commission=0, added=0, ties=(), pause=0, payments=())
    return given_back(state, event.returned)


def completed(state: Tournament, _: e.Completed) -> Tournament:
    """Mark the tournament as over."""
    over: Phase = "over"
    return replace(state, phase=over)

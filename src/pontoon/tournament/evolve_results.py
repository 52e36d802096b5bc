"""The second half of `evolve`: equal players, results of sessions and of the tournament, and its end."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from pontoon.tournament import events as e
from pontoon.tournament.changes import changed, given_back
from pontoon.tournament.state import Order, Phase, Result, Tie, Tournament, points_of, same_name

# --- equal players ------------------------------------------------------------------------------------------------


def _without_tie(state: Tournament, players: tuple[str, ...]) -> tuple[Tie, ...]:
    return tuple(tie for tie in state.ties if set(tie.players) != set(players))


def tie_found(state: Tournament, event: e.TieFound) -> Tournament:
    """Open, or open again in another way."""
    tie = Tie(event.players, event.by, clauses=event.clauses, purpose=event.purpose)
    return replace(state, ties=(*_without_tie(state, event.players), tie))


def tie_left(state: Tournament, event: e.TieLeft) -> Tournament:
    """Nobody parts them any more."""
    return replace(
        state, ties=_without_tie(state, event.players), left_equal=(*state.left_equal, tuple(sorted(event.players)))
    )


def tie_dropped(state: Tournament, event: e.TieDropped) -> Tournament:
    """Nobody has to part them."""
    return replace(state, ties=_without_tie(state, event.players))


def _parted(state: Tournament, event: e.ExtraCounted | e.LotsDrawn, order: Order) -> Tournament:
    players = tuple(name for group in order for name in group)
    return replace(
        state,
        ties=_without_tie(state, players),
        parted=(*state.parted, order),
        purposes=(*state.purposes, event.purpose),
    )


def extra_counted(state: Tournament, event: e.ExtraCounted) -> Tournament:
    """A lot of extra rounds that parted nobody is counted; otherwise the tie is gone, and smaller ones may follow."""
    if len(event.order) > 1:
        return _parted(state, event, event.order)
    ties = tuple(
        replace(tie, lots=tie.lots + 1) if set(tie.players) == set(event.players) else tie for tie in state.ties
    )
    return replace(state, ties=ties)


def lots_drawn(state: Tournament, event: e.LotsDrawn) -> Tournament:
    """One after the other."""
    return _parted(state, event, tuple((name,) for name in event.order))


# --- results ------------------------------------------------------------------------------------------------------


def session_ended(state: Tournament, event: e.SessionEnded) -> Tournament:
    """Places and points; the next ranking begins with nothing."""
    players = list(state.players)
    for one in event.standings:
        place = state.index[same_name(one.player)]
        points: Fraction = points_of(players[place].points) + points_of(one.points)
        players[place] = replace(
            players[place],
            seat=-1,
            place=one.place,
            last_chips=one.chips,
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
        parted=(),
        purposes=(),
        left_equal=(),
    )
    return given_back(state, event.returned)


def points_recorded(state: Tournament, event: e.PointsRecorded) -> Tournament:
    """Added up; an order that was played for stands between those who are equal still."""
    for name, points in event.points:
        total = points_of(state.players[state.index[same_name(name)]].points) + points_of(points)
        state = changed(state, name, points=(total.numerator, total.denominator))
    return replace(state, recorded=(*state.recorded, same_name(event.game)))


def awarded(state: Tournament, event: e.PlacesAwarded) -> Tournament:
    """Payments are due."""
    state = replace(state, phase="awarded", standings=event.standings, payments=event.payments)
    return given_back(state, event.returned)


def prize_paid(state: Tournament, event: e.PrizePaid) -> Tournament:
    """Out of the pool."""
    return replace(state, paid=(*state.paid, event.payment.number), pool=state.pool - event.payment.amount)


def revealed(state: Tournament, event: e.BallotRevealed) -> Tournament:
    """The seed is out."""
    return replace(state, seed=event.seed)


def cancelled(state: Tournament, event: e.Cancelled) -> Tournament:
    """Nothing is left in it."""
    state = replace(state, phase="cancelled", pool=0, commission=0, added=0, ties=(), pause=0)
    return given_back(state, event.returned)


def completed(state: Tournament, _: e.Completed) -> Tournament:
    """All paid."""
    over: Phase = "over"
    return replace(state, phase=over)

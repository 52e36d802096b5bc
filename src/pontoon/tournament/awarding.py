"""Places and payments of the whole tournament (20.18, 20.19): awarded once, each paid once."""

from __future__ import annotations

from collections.abc import Sequence

from pontoon.engine import Refusal
from pontoon.engine.refusals import refuse
from pontoon.tournament import commands as c
from pontoon.tournament import events as e
from pontoon.tournament import ties
from pontoon.tournament.appeals import open_appeals
from pontoon.tournament.ballot import upcoming
from pontoon.tournament.flow import Flow
from pontoon.tournament.places import final_standings
from pontoon.tournament.prizes import pay_sheet, session_sheet
from pontoon.tournament.state import Tournament, find, known, same_name

OTHER = ("20.3(a)(ii)(D)", "20.3(a)(ix)")
"""Points of other authorised games."""


def refuse_record(state: Tournament, command: c.RecordPoints) -> Refusal | None:
    """Allowed if the conditions have other games: between sessions, once per game, for players in or with points."""
    if not state.conditions.structure.other_games:
        return refuse("no_other_games", OTHER)
    if state.phase not in {"closed", "between"}:
        return refuse("not_between_sessions", OTHER, phase=state.phase)
    names = [name for name, _ in command.points]
    numbers = [part for _, points in command.points for part in points]
    least = [edge for _ in command.points for edge in (0, 1)]  # numerator at least 0, denominator at least 1
    wrong = any(number < edge for number, edge in zip(numbers, least, strict=True))
    if not same_name(command.game) or wrong or len(set(names)) < len(names):
        return refuse("points_unusable", OTHER, game=command.game)
    if same_name(command.game) in state.recorded:
        return refuse("recorded_already", OTHER, game=command.game)
    for name in names:
        player = find(state, name)
        if player is None or player.status not in {"in", "eliminated"}:
            return refuse("not_in", OTHER, player=name)
    return None


def record(flow: Flow, command: c.RecordPoints) -> None:
    """Add them to the session points, then look for ties again."""
    flow.put(e.PointsRecorded(OTHER, " ".join(command.game.split()), command.points))
    ties.look(flow)


def refuse_award(state: Tournament, _: c.AwardPlaces) -> Refusal | None:
    """Allowed when nothing is left to play, no tie is open, and someone holds a place."""
    if state.phase != "between":
        return refuse("no_result", ("20.18",), phase=state.phase)
    if upcoming(state):
        return refuse("sessions_to_come", ("20.18",), session=upcoming(state))
    if state.conditions.structure.other_games and not state.recorded:
        return refuse("points_not_recorded", OTHER, games=state.conditions.structure.other_games)
    if state.ties:
        return refuse("tie_open", ("20.3(a)(xi)(D)",), players=state.ties[0].players)
    waiting = open_appeals(state)
    if waiting:
        return refuse("appeal_open", ("17.4", "20.18"), player=waiting[0].player)
    if not final_standings(state):
        return refuse("nobody_to_place", ("20.19", "20.21"))
    return None


def prize_lists(state: Tournament, standings: Sequence[e.Standing]) -> list[tuple[int, Sequence[e.Standing]]]:
    """The tournament's own prize list (0) and those of sessions that are still to be awarded."""
    lists: list[tuple[int, Sequence[e.Standing]]] = [(0, standings)]
    if state.conditions.prizes.sessions_paid == "tournament":
        lists += [(result.session, _holders(state, result.standings)) for result in state.results]
    return lists


def _holders(state: Tournament, standings: Sequence[e.Standing]) -> list[e.Standing]:
    """Who can win a prize of a session; disqualified players win nothing."""
    return [standing for standing in standings if known(state, standing.player).status != "disqualified"]


def award_session(flow: Flow) -> None:
    """Award the prizes of the session that has just ended, if the conditions award them then (20.3(a)(ii)(D))."""
    state = flow.state
    result = state.results[-1]
    if state.conditions.prizes.sessions_paid != "session":
        return
    paid = sum(payment.amount for payment in state.payments if payment.number in state.paid)
    holders = _holders(state, result.standings)
    payments = session_sheet(state.conditions, state.pool + paid, result.session, holders, len(state.payments))
    if payments:
        flow.put(e.SessionPrizesAwarded(("20.3(a)(ii)(D)", "20.18"), result.session, payments))


def owed(state: Tournament) -> int:
    """What the pool holds for prizes that were awarded and are not paid yet."""
    return sum(payment.amount for payment in state.payments if payment.number not in state.paid)


def award(flow: Flow, _: c.AwardPlaces) -> None:
    """Award every place and payment; with what is owed already, the payments sum to the pool."""
    state = flow.state
    standings, pool = final_standings(state), state.pool - owed(state)
    payments = pay_sheet(state.conditions, pool, prize_lists(state, standings), len(state.payments))
    assert sum(payment.amount for payment in payments) == pool, "100 % of the pool"
    returned = tuple((player.name, player.chips) for player in state.players if player.chips)
    flow.put(e.PlacesAwarded(("20.18", "20.19"), standings, payments, pool, returned))
    _complete(flow)


def refuse_pay(state: Tournament, command: c.PayPrize) -> Refusal | None:
    """Allowed once for each payment on the list; those of a session from its end, if they are awarded then."""
    if state.phase not in {"awarded", "over"} and not state.payments:
        return refuse("places_not_awarded", ("20.18",), phase=state.phase)
    if not 1 <= command.place <= len(state.payments):
        return refuse("no_such_payment", ("20.19",), payment=command.place, payments=len(state.payments))
    if command.place in state.paid:
        return refuse("paid_already", ("20.19",), payment=command.place)
    return None


def pay(flow: Flow, command: c.PayPrize) -> None:
    """Pay from the pool; the last payment empties it and ends the tournament."""
    flow.put(e.PrizePaid(("20.19", "20.20"), flow.state.payments[command.place - 1]))
    _complete(flow)


def _complete(flow: Flow) -> None:
    if not flow.state.pool and flow.state.phase == "awarded":
        flow.put(e.Completed(("20.19",)))

"""The director puts right what went wrong: chips are corrected, and players reinstated (17.4, 20.9, 20.13, 20.18).

The rule is silent on both, so they are the house's own decisions, given with a reason. What the rule or the conditions
decided (a forfeited seat, too few chips, the result of a session) is taken back only if the operator has upheld the
player's appeal.
"""

from __future__ import annotations

from typing import Literal

from pontoon.engine import Refusal
from pontoon.engine.refusals import refuse
from pontoon.tournament import commands as c
from pontoon.tournament import events as e
from pontoon.tournament import marker, ties
from pontoon.tournament.appeals import DISPUTE, upheld
from pontoon.tournament.ballot import draw_seat, refuse_seat
from pontoon.tournament.conditions.load import MOST_MONEY
from pontoon.tournament.entries import RUNNING
from pontoon.tournament.flow import Flow
from pontoon.tournament.sessions import at_table, length_reached
from pontoon.tournament.state import Player, Tournament, find, is_last, known, settings, table_of, those

CHIPS = ("20.13", "20.18")
RULINGS = frozenset({"ruling", "criterion"})
"""Eliminations that the director decided and may take back."""
OUT = frozenset({"eliminated", "disqualified", "forfeited"})
Where = Literal["table", "seat", "draw", "ballot", "status"]
"""As in `Reinstated.to`; `draw` is a seat that has to be drawn."""


# --- chips --------------------------------------------------------------------------------------------------------


def refuse_correct(state: Tournament, command: c.CorrectChips) -> Refusal | None:
    """Allowed for a player who holds chips, until the session's result is recorded."""
    player = find(state, command.player)
    if player is None or player.status != "in":
        return refuse("not_in", CHIPS, player=command.player)
    if not _holds_chips(state, player):
        return refuse("holds_no_chips", CHIPS, player=command.player, phase=state.phase)
    if not 0 <= command.chips <= MOST_MONEY or command.chips == player.chips:
        return refuse("chips_unusable", CHIPS, player=player.name, held=player.chips)
    return None if command.reason.strip() else refuse("reason_missing", CHIPS)


def _holds_chips(state: Tournament, player: Player) -> bool:
    if state.phase == "session":
        return player.session == state.session or bool(state.conditions.money.carried and player.session)
    later = state.phase in {"between", "balloted"} and (state.phase == "balloted" or not is_last(state))
    return bool(later and state.conditions.money.carried and player.session)


def correct(flow: Flow, command: c.CorrectChips) -> None:
    """Move the difference; a player left with too few chips for the next round is eliminated (20.14)."""
    state = flow.state
    player = known(state, command.player)
    change = command.chips - player.chips
    flow.put(e.ChipsCorrected(CHIPS, player.name, state.session, command.chips, change, command.reason.strip()))
    table = at_table(state, player)
    if table is not None and not table.ended and not length_reached(state, table):
        if command.chips < state.conditions.game.minimum:
            name, chips, rounds = player.name, command.chips, table.rounds
            flow.put(e.Eliminated(("20.14",), name, state.session, "minimum", chips, round=rounds, before=player.chips))
        marker.settle(flow, table.table)
    ties.look(flow)


# --- reinstatement ------------------------------------------------------------------------------------------------


def refuse_reinstate(state: Tournament, command: c.Reinstate) -> Refusal | None:
    """Allowed for a player who is out, if there is something to return to and the decision was the director's."""
    if state.phase not in RUNNING:
        return refuse("not_under_way", ("20.18",), phase=state.phase)
    player = find(state, command.player)
    if player is None or player.status not in OUT:
        return refuse("not_out", ("20.18",), player=command.player)
    if player.out_by not in RULINGS and upheld(state, player.name) is None:
        return refuse("appeal_needed", DISPUTE, player=player.name)
    where = returns_to(state, player)
    if not isinstance(where, str):
        return where
    refused = _refuse_chips(state, player, where, command.chips)
    if refused is None and not command.reason.strip():
        return refuse("reason_missing", ("20.18",))
    return refused or (refuse_seat(state, player.group, command.seed) if where == "draw" else None)


def returns_to(state: Tournament, player: Player) -> Where | Refusal:
    """Where a player who is out would return to, or why nowhere."""
    if player.was not in {"", "in"} and not (state.phase == "balloted" and _balloted(state, player)):
        return "status"
    match state.phase:
        case "session":
            return _in_session(state, player)
        case "balloted":
            return _before_session(state, player)
        case "between" if is_last(state):
            return "status" if player.status == "disqualified" and _has_place(state, player) else _nothing_left(state)
        case _:
            full = len(those(state, "in")) >= state.conditions.players.most and not state.session
            most = state.conditions.players
            return refuse("tournament_full", ("20.3(a)(v)",), most=most.most, reserves=0) if full else "ballot"


def _nothing_left(state: Tournament) -> Refusal:
    return refuse("nothing_to_return_to", ("20.18",), phase=state.phase)


def _has_place(state: Tournament, player: Player) -> bool:
    """Whether a player was ruled out after the last session, so that its result has a place for the player."""
    return player.session == state.session and player.place > 0


def _balloted(state: Tournament, player: Player) -> bool:
    """Whether the ballot gave the player a seat that nobody else has taken since."""
    return any(seat.player == player.name for seat in state.seats)


def _before_session(state: Tournament, player: Player) -> Where:
    if _balloted(state, player):
        return "seat"
    return "ballot" if settings(state).kind == "repechage" else "draw"


def _in_session(state: Tournament, player: Player) -> Where | Refusal:
    """To the same place at the table, while it plays; someone who went out earlier joins the next ballot."""
    if not _balloted(state, player):
        if settings(state).kind == "repechage":
            return "ballot"
        return refuse("session_is_on", ("20.7",), player=player.name)
    table = table_of(state, player.table)
    if table is None or table.ended or not table.seated or length_reached(state, table):
        return _nothing_left(state)
    return "table"


def _refuse_chips(state: Tournament, player: Player, where: Where, chips: int) -> Refusal | None:
    """A player who returns to a table, or to a later session with chips carried over, needs chips; others none."""
    carried = bool(state.conditions.money.carried and player.session and where != "status" and player.was != "reserve")
    needed = where == "table" or carried
    least = state.conditions.game.minimum if needed else 0
    most = MOST_MONEY if needed else 0
    if not least <= chips <= most:
        return refuse("reinstatement_chips", CHIPS, player=player.name, least=least)
    return None


def reinstate(flow: Flow, command: c.Reinstate) -> None:
    """Let the player back in, and look at ties again."""
    state = flow.state
    player = known(state, command.player)
    where = returns_to(state, player)
    assert isinstance(where, str)
    won = upheld(state, player.name)
    to = "seat" if where == "draw" else where
    clauses = DISPUTE if won else ("20.18",)
    reason = command.reason.strip()
    number = won.number if won else 0
    flow.put(e.Reinstated(clauses, player.name, state.session, to, command.chips, reason, number, house=won is None))
    if where == "draw":
        draw_seat(flow, player.name, player.group, command.seed)
    if where == "table":
        marker.settle(flow, player.table)
    ties.look(flow)

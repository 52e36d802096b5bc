"""Entries after entries have closed: at the director's discretion, before the first session (20.3(a)(i), 20.6, 20.7).

The rule is silent on them, so they are the house's own decision; what it says of entries, places, groups, agreement and
seats by ballot applies.
"""

from __future__ import annotations

from pontoon.engine import Refusal
from pontoon.engine.refusals import refuse
from pontoon.tournament import commands as c
from pontoon.tournament import events as e
from pontoon.tournament.ballot import draw_seat, refuse_seat
from pontoon.tournament.entries import refuse_agreement, refuse_group, refuse_name
from pontoon.tournament.flow import Flow
from pontoon.tournament.state import Tournament, find, those

ENTRY = ("20.3(a)(i)", "20.6")


def refuse_late(state: Tournament, command: c.EnterLate) -> Refusal | None:
    """Allowed after entries have closed and before the first session, while there is a place and a seat."""
    if state.phase == "entries":
        return refuse("entries_open", ENTRY)
    if state.phase not in {"closed", "balloted"} or state.session > 1:
        return refuse("too_late_to_enter", ("20.7",), phase=state.phase)
    if state.conditions.structure.sit_and_go:
        return refuse("sit_and_go_full", ("20.3(a)(ii)(B)",), players=state.conditions.structure.sit_and_go)
    return _refuse_place(state) or _refuse_player(state, command) or _refuse_seat(state, command)


def _refuse_place(state: Tournament) -> Refusal | None:
    players = state.conditions.players
    if len(those(state, "in")) >= players.most:
        return refuse("tournament_full", ("20.3(a)(v)",), most=players.most, reserves=players.reserves)
    return None


def _refuse_player(state: Tournament, command: c.EnterLate) -> Refusal | None:
    """Reserve players, who applied earlier, go first."""
    waiting = those(state, "reserve")
    known = find(state, command.player)
    if known is None or known.status != "reserve":
        refused = refuse_name(state, command.player) or refuse_group(state, command.group)
        if refused is not None:
            return refused
    if waiting and waiting[0].name != command.player:
        return refuse("reserves_first", ("20.10",), player=waiting[0].name)
    if not command.reason.strip():
        return refuse("reason_missing", ENTRY)
    return refuse_agreement(state, command.player, agreed=command.agreed)


def _group(state: Tournament, command: c.EnterLate) -> str:
    known = find(state, command.player)
    return known.group if known is not None else command.group


def _refuse_seat(state: Tournament, command: c.EnterLate) -> Refusal | None:
    if state.phase != "balloted":
        return None
    if command.until_start < 0:
        return refuse("seat_forfeited", ("20.9",), player=command.player)
    return refuse_seat(state, _group(state, command), command.seed)


def enter_late(flow: Flow, command: c.EnterLate) -> None:
    """Admit the player for the fee; after the ballot, draw one of the free seats."""
    state, group = flow.state, _group(flow.state, command)
    flow.put(e.LateEntryAllowed(ENTRY, command.player, command.reason.strip()))
    money = state.conditions.money
    flow.put(e.Entered(("20.3(a)(iii)", "20.6", "20.20"), command.player, group, money.fee, money.commission))
    if state.phase == "balloted":
        draw_seat(flow, command.player, group, command.seed)

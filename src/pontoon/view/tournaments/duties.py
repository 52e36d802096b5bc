"""Who has to do what next in a tournament: one line for each person who is waited for."""

from __future__ import annotations

from collections.abc import Iterator

from pontoon.tournament import Tournament, options, refusal
from pontoon.tournament.appeals import open_appeals
from pontoon.tournament.ballot import upcoming
from pontoon.tournament.commands import Reinstate
from pontoon.tournament.decide import VALUE
from pontoon.tournament.entries import READERS
from pontoon.tournament.state import Player, table_of, those
from pontoon.view.catalogue import say
from pontoon.view.tournaments.parts import DutyRow

OPERATOR, MANAGER, DIRECTOR, PLAYERS = "operator", "shift_manager", "director", "players"
STEPS = ("CloseEntries", "DrawBallot", "StartSession", "EndBreak", "RecordPoints", "AwardPlaces", "RevealBallot")
"""Steps of the director that need no more facts than the session's name, in the order of a tournament."""


TIMED = ("late", "StartSession")
"""Duties that are due at the start of the session."""


def duties(state: Tournament, language: str, start: int = 0) -> tuple[DutyRow, ...]:
    """What is waited for, first things first; `start` is the announced start of the next session."""
    return tuple(
        DutyRow(role, key, say(f"duty.{key}", facts, language), clause, start if key in TIMED else 0)
        for role, key, clause, facts in _due(state)
    )


def _due(state: Tournament) -> Iterator[tuple[str, str, str, dict[str, object]]]:
    if state.phase == "draft":
        yield from _before_entries(state)
        return
    if state.phase == "entries":
        yield PLAYERS, "Enter", "20.5", {}
    yield from _appeals(state)
    now = options(state)
    names = {type(command).__name__ for command in now.allowed} | set(now.needs)
    facts: dict[str, object] = {"session": _session(state)}
    late = [player.name for player in those(state, "in") if player.seat >= 0 and not is_seated(state, player)]
    if state.phase == "balloted" and late:
        yield DIRECTOR, "late", "20.9", {"players": late}
    for tie in state.ties:
        role, what = (DIRECTOR, "DrawLots") if tie.by == "ballot" else (PLAYERS, "extra")
        yield role, what, tie.clauses[0], {"players": list(tie.players)}
    for name in STEPS:
        if name in names:
            yield DIRECTOR, name, CLAUSES[name], facts
    unpaid = [payment.player for payment in state.payments if payment.number not in state.paid]
    if unpaid and "PayPrize" in names:
        yield DIRECTOR, "PayPrize", "20.19", {"players": unpaid}
    if state.phase == "session" and not state.pause and not state.ties:
        yield DIRECTOR, "tables", "20.14", facts


def _appeals(state: Tournament) -> Iterator[tuple[str, str, str, dict[str, object]]]:
    """Appeals to be decided, and those upheld for a player who can be reinstated now."""
    for appeal in open_appeals(state):
        yield OPERATOR, "DecideAppeal", "17.4", {"player": appeal.player, "reason": appeal.reason}
    for won in (one for one in state.appeals if one.outcome == "upheld" and not one.carried_out):
        no = refusal(state, Reinstate(won.player, ""))
        if no is not None and no.code in VALUE:  # all that is missing are the reason and the chips
            yield DIRECTOR, "Reinstate", "17.4", {"player": won.player}


CLAUSES = {
    "CloseEntries": "20.3(a)(i)",
    "DrawBallot": "20.7",
    "StartSession": "20.9",
    "EndBreak": "20.16",
    "RecordPoints": "20.3(a)(ii)(D)",
    "AwardPlaces": "20.18",
    "RevealBallot": "20.7",
}


def _before_entries(state: Tournament) -> Iterator[tuple[str, str, str, dict[str, object]]]:
    for reader, clause in READERS.items():
        if reader not in state.published:
            yield OPERATOR, f"publish_{reader}", clause, {}
    if not state.seed_hash:
        yield OPERATOR, "CommitBallot", "20.7", {}
    if not state.director:
        yield MANAGER, "NominateDirector", "20.4", {}


def _session(state: Tournament) -> str:
    """The session that is on, or the next one."""
    sessions = state.conditions.sessions
    if state.phase in ("balloted", "session"):
        return sessions[state.session - 1].name
    following = upcoming(state) if state.phase in ("closed", "between") else 0
    return sessions[max(following, 1) - 1].name


def is_seated(state: Tournament, player: Player) -> bool:
    """Whether a player has taken the seat of this session."""
    if state.phase == "balloted":
        return player.seat >= 0 and state.seats[player.seat].taken
    table = table_of(state, player.table)
    return table is not None and (player.box, player.name) in table.seated

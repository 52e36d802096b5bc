"""Appeals: a player disputes a decision, and the operator decides it (17.4, which 20.1 retains)."""

from __future__ import annotations

from pontoon.engine import Refusal
from pontoon.engine.refusals import refuse
from pontoon.tournament import commands as c
from pontoon.tournament import events as e
from pontoon.tournament.entries import RUNNING
from pontoon.tournament.flow import Flow
from pontoon.tournament.state import Dispute, Tournament, find

DISPUTE = ("17.4", "20.1")


def refuse_appeal(state: Tournament, command: c.Appeal) -> Refusal | None:
    """Allowed to anyone who has entered, one at a time, until the places are awarded."""
    if state.phase not in RUNNING:
        return refuse("not_under_way", DISPUTE, phase=state.phase)
    if find(state, command.player) is None:
        return refuse("not_in", DISPUTE, player=command.player)
    if any(appeal.player == command.player and not appeal.outcome for appeal in state.appeals):
        return refuse("appeal_waits", DISPUTE, player=command.player)
    return None if command.reason.strip() else refuse("reason_missing", DISPUTE)


def appeal(flow: Flow, command: c.Appeal) -> None:
    """Record the appeal."""
    flow.put(e.AppealMade(DISPUTE, len(flow.state.appeals) + 1, command.player, command.reason.strip()))


def refuse_decide(state: Tournament, command: c.DecideAppeal) -> Refusal | None:
    """Allowed once for each appeal, with the decision in words."""
    if state.phase not in RUNNING:
        return refuse("not_under_way", DISPUTE, phase=state.phase)
    if not 1 <= command.number <= len(state.appeals):
        return refuse("no_such_appeal", DISPUTE, number=command.number)
    if state.appeals[command.number - 1].outcome:
        return refuse("appeal_decided", DISPUTE, number=command.number)
    return None if command.decision.strip() else refuse("reason_missing", DISPUTE)


def decide_appeal(flow: Flow, command: c.DecideAppeal) -> None:
    """Record the decision; the director carries it out."""
    player = flow.state.appeals[command.number - 1].player
    flow.put(e.AppealDecided(DISPUTE, command.number, player, command.upheld, command.decision.strip()))


def open_appeals(state: Tournament) -> list[Dispute]:
    """The appeals that wait for a decision."""
    return [appeal for appeal in state.appeals if not appeal.outcome]


def upheld(state: Tournament, player: str) -> Dispute | None:
    """The player's upheld appeal that has not been carried out yet."""
    won = (
        appeal
        for appeal in state.appeals
        if appeal.player == player and appeal.outcome == "upheld" and not appeal.carried_out
    )
    return next(won, None)

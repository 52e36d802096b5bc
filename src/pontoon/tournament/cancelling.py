"""Cancellation: all payments are refunded (20.21). Nothing is refunded otherwise."""

from __future__ import annotations

from pontoon.engine import Refusal
from pontoon.engine.refusals import refuse
from pontoon.tournament import commands as c
from pontoon.tournament import events as e
from pontoon.tournament.flow import Flow
from pontoon.tournament.state import Tournament


def refuse_cancel(state: Tournament, _: c.Cancel) -> Refusal | None:
    """Allowed until the places are awarded and a prize is paid: then the result stands."""
    if state.paid and state.phase in {"awarded", "over"}:
        return refuse("prizes_paid", ("20.21",), payments=len(state.paid))
    if state.phase in {"over", "cancelled"}:
        return refuse("tournament_over", ("20.21",), phase=state.phase)
    return None


def cancel(flow: Flow, command: c.Cancel) -> None:
    """Refund fees and commissions in full to those who paid; the casino's contribution is returned to it.

    Session prizes that were paid stay with their winners, and the casino makes up for them.
    """
    state, players = flow.state, flow.state.players
    made_up = sum(payment.amount for payment in state.payments if payment.number in state.paid)
    refunds = tuple((player.name, player.paid, player.commission) for player in players if player.paid)
    returned = tuple((player.name, player.chips) for player in players if player.chips)
    flow.put(e.Cancelled(("20.21",), command.reason, refunds, state.added, returned, made_up))

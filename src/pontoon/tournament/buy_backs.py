"""Buy-backs, where the conditions offer them (20.3(a)(ii)(F), 20.6)."""

from __future__ import annotations

from pontoon.engine import Refusal
from pontoon.engine.refusals import refuse
from pontoon.tournament import commands as c
from pontoon.tournament import events as e
from pontoon.tournament import marker
from pontoon.tournament.flow import Flow
from pontoon.tournament.sessions import length_reached
from pontoon.tournament.state import Player, Tournament, find, is_last, known, table_of

BUY_BACK = ("20.3(a)(ii)(F)",)


def refuse_buy_back(state: Tournament, command: c.BuyBack) -> Refusal | None:
    """Allowed for an eliminated player, within the conditions' number of times, deadline and timing."""
    offer = state.conditions.buy_back
    player = find(state, command.player)
    if player is None or player.status != "eliminated":
        return refuse("not_eliminated", BUY_BACK, player=command.player)
    if player.bought_back >= offer.times:
        return refuse("no_buy_back_left", BUY_BACK, times=offer.times)
    names = [session.name for session in state.conditions.sessions]
    if offer.until and state.session > names.index(offer.until) + 1:
        return refuse("buy_backs_over", BUY_BACK, until=offer.until)
    timely = _at_once(state, player) if offer.when == "at_once" else _between(state)
    return None if timely else refuse("not_the_time", BUY_BACK, when=offer.when)


def _at_once(state: Tournament, player: Player) -> bool:
    """Allowed before the next round at the table, if there is one."""
    table = table_of(state, player.table)
    if state.phase != "session" or table is None or table.ended or length_reached(state, table):
        return False  # if time or shoes run out, the table plays one more round (refuse_end_table)
    return player.session == state.session and player.out_round == table.rounds


def _between(state: Tournament) -> bool:
    """Allowed before the ballot of the next session."""
    return state.phase == "between" and not is_last(state)


def buy_back(flow: Flow, command: c.BuyBack) -> None:
    """Return the player to the same seat at once, or to the next ballot."""
    offer = flow.state.conditions.buy_back
    flow.put(e.BoughtBack((*BUY_BACK, "20.6"), command.player, offer.fee, offer.commission, offer.chips))
    if flow.state.phase == "session":
        marker.come_back(flow, known(flow.state, command.player).table)

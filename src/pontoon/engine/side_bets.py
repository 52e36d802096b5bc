"""Settlement of side bets: the first matching row of the pay table is paid; without one the bet loses."""

from __future__ import annotations

from pontoon.cards import PACK, Card
from pontoon.engine.events import Moment, Settled
from pontoon.engine.flow import Flow, cite
from pontoon.engine.odds import payout
from pontoon.engine.state import Round, SideWager, find_box
from pontoon.rulebook import SideBet
from pontoon.rulebook.side_bets import PayRow, row_paid, uses_upcard


def settle_side_bets(flow: Flow, settled: str, moment: Moment) -> None:
    """Settle the side bets due at this moment: losers are removed first, then winners are paid."""
    due = [
        (side_bet, bet)
        for side_bet in flow.state.side
        if not side_bet.settled and (bet := bet_of(flow.state, side_bet)).settled == settled
    ]
    for one, bet in due:
        if not _decided(flow.state, one, bet):
            flow.put(Settled(one.player, one.box, 0, one.kind, one.stake, "void", "", 0, moment, bet.void))
    rows = [(one, bet, paid_row(flow.state, one)) for one, bet in due if _decided(flow.state, one, bet)]
    for one, bet, row in sorted(rows, key=lambda due: due[2] is not None):
        _settle(flow, one, bet, row, moment)


def bet_of(state: Round, wager: SideWager) -> SideBet:
    """The side bet of the rulebook that a side wager is made on."""
    bet = state.rules.side_bet(wager.kind)
    assert bet is not None
    return bet


def paid_row(state: Round, wager: SideWager) -> PayRow | None:
    """The row that pays a side wager, from the first two cards of its box and the dealer's upcard."""
    return row_paid(bet_of(state, wager), _first_two(state, wager), (*state.dealer, PACK[0])[0])


def _first_two(state: Round, wager: SideWager) -> tuple[Card, ...]:
    box = find_box(state, wager.box)
    assert box is not None
    return box.split_pair or box.hands[0].cards[:2]


def _decided(state: Round, wager: SideWager, bet: SideBet) -> bool:
    """Whether all cards the bet depends on were dealt; an error may have left one out."""
    return len(_first_two(state, wager)) == 2 and (bool(state.dealer) or not uses_upcard(bet))


def _settle(flow: Flow, one: SideWager, bet: SideBet, row: PayRow | None, moment: Moment) -> None:
    if row is None:
        flow.put(Settled(one.player, one.box, 0, one.kind, one.stake, "lose", "", -one.stake, moment, bet.lost))
        return
    rules = flow.state.rules
    net, rounded = payout(rules, flow.state.limits, one.stake, row.odds)
    clauses = cite(bet.won, rules.clauses(f"side.{bet.name}.pays.{row.name}"), rounded)
    flow.put(Settled(one.player, one.box, 0, one.kind, one.stake, "win", str(row.odds), net, moment, clauses))

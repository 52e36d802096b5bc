"""The interim settlement, before the dealer's hand.

After the initial deal the steps of `deal.then` follow in their order: side wagers, pontoons, insurance, surrender.
Later a 21 is paid and a bust collected the moment it appears.
"""

from __future__ import annotations

from collections.abc import Callable

from pontoon.cards import LIMIT, is_pontoon
from pontoon.engine.events import OfferOpened, Settled
from pontoon.engine.flow import Flow, cite
from pontoon.engine.insurance import insurance_is_offered
from pontoon.engine.odds import payout, total_for
from pontoon.engine.payments import collect, pay
from pontoon.engine.side_bets import settle_side_bets
from pontoon.engine.state import Box, Hand, Round, Wager
from pontoon.engine.surrender import surrender_is_offered
from pontoon.engine.turns import next_turn
from pontoon.rulebook import Clauses


def begin_interim(flow: Flow) -> None:
    """The initial deal is complete."""
    _steps_from(flow, 0)


def continue_interim(flow: Flow, closed: str) -> None:
    """An offer was closed: continue with the step after it."""
    _steps_from(flow, flow.state.rules.deal.then.index(closed) + 1)


def _steps_from(flow: Flow, first: int) -> None:
    for step in flow.state.rules.deal.then[first:]:
        if _STEPS[step](flow):
            return
    next_turn(flow)


def _settle_side_wagers(flow: Flow) -> bool:
    if flow.state.side:
        settle_side_bets(flow, "initial_deal", "interim")
    return False


def _pay_pontoons(flow: Flow) -> bool:
    for box in flow.state.boxes:
        if box.hands[0].total == LIMIT and is_pontoon(box.hands[0].cards):
            for wager in (wager for wager in box.hands[0].wagers if not wager.result):  # not on a voided box
                _pay_pontoon(flow, box, wager, flow.state.rules.joined["cites.pontoon_paid", "payout.pontoon"])
    return False


def _pay_pontoon(flow: Flow, box: Box, wager: Wager, clauses: Clauses) -> None:
    odds = flow.state.rules.payout.pontoon
    net, rounded = payout(flow.state.rules, flow.state.limits, wager.stake, odds, multiples=True)
    cited = cite(clauses, rounded)
    flow.put(Settled(wager.player, box.number, 1, "main", wager.stake, "win", str(odds), net, "interim", cited))


def _offer_insurance(flow: Flow) -> bool:
    if not insurance_is_offered(flow.state):
        return False
    flow.put(OfferOpened("insurance", flow.state.rules.cites.insurance_offered))
    return True


def _offer_surrender(flow: Flow) -> bool:
    if not surrender_is_offered(flow.state):
        return False
    flow.put(OfferOpened("surrender", flow.state.rules.cites.surrender_offered))
    return True


_STEPS: dict[str, Callable[[Flow], bool]] = {
    "side_wagers": _settle_side_wagers,
    "pontoons": _pay_pontoons,
    "insurance": _offer_insurance,
    "surrender": _offer_surrender,
}
"""The steps; each settles what it can and returns whether a player must answer now."""


def settle_at_once(flow: Flow, box: int, number: int, hand: Hand) -> None:
    """Collect a bust hand, pay every wager with 21; others play on."""
    rules = flow.state.rules
    for wager in hand.wagers:
        if not wager.live:
            continue
        points = total_for(rules, hand, wager)
        if points > LIMIT:
            why = rules.joined["cites.bust", "cites.split_bust"] if hand.split else rules.cites.bust
            collect(flow, (box, number), wager, "interim", why)
        elif points == LIMIT:
            pay(flow, (box, number), hand, wager, "interim", _why_21(flow.state, hand, wager))


def _why_21(state: Round, hand: Hand, wager: Wager) -> Clauses:
    if wager.double:
        return state.rules.cites.doubled_21
    if hand.split and is_pontoon(hand.cards):
        return state.rules.joined["cites.twenty_one_paid", "cites.split_21"]
    return state.rules.cites.twenty_one_paid

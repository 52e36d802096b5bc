"""The dealer's hand: only as many cards as can still change a wager.

With a hand in play the dealer draws by the rule; with only surrender or insurance left, exactly one card.
"""

from __future__ import annotations

from pontoon.cards import LIMIT, Card, is_pontoon, total
from pontoon.engine.events import CardDealt, DealerStopped, DealersTurnCame, NoFirstCardNoticed, TurnCame
from pontoon.engine.flow import Flow, cite
from pontoon.engine.settlement import settle_insurance, settle_round
from pontoon.engine.state import Round

TWO = 2


def begin_dealer(flow: Flow) -> None:
    """All decisions are made."""
    if not needs_card(flow.state):
        stop(flow)
    elif flow.state.dealer:
        flow.put(DealersTurnCame(flow.state.rules.cites.dealer_second))
    else:
        flow.put(NoFirstCardNoticed(flow.state.rules.clauses("irregular.missing_first")))


def take_card(flow: Flow, card: Card) -> None:
    """Deal a card to the dealer and see whether more are needed."""
    state = flow.state
    rules = state.rules
    cards = (*state.dealer, card)
    points = total(cards)
    clauses = (
        cite(rules.cites.dealer_second, rules.clauses("dealer.stands_hard"))
        if len(cards) == TWO
        else rules.clauses("dealer.stands_hard")
    )
    if is_pontoon(cards) and not state.dealer_skipped:
        clauses = cite(clauses, rules.cites.dealer_pontoon)
    flow.put(CardDealt(card, 0, 1, points.points, points.soft, clauses))
    if len(cards) == TWO:
        settle_insurance(flow, "second_card")
    if stands(flow.state):
        conclude(flow)
    elif not needs_card(flow.state):
        stop(flow)


def conclude(flow: Flow) -> None:
    """The dealer's hand is complete: finish hands that were passed over unnoticed, then settle (adelaide 106)."""
    state = flow.state
    if state.dealer_pontoon or state.dealer_total > LIMIT:
        settle_round(flow)
        return
    for box in state.boxes:
        for number, hand in enumerate(box.hands, 1):
            if hand.live and hand.skipped and not hand.stood:
                flow.put(TurnCame(box.number, number, state.rules.clauses("irregular.missing_card")))
                return
    settle_round(flow)


def stands(state: Round) -> bool:
    """Whether the dealer's total is complete by the drawing rule."""
    rules = state.rules.dealer
    return state.dealer_total >= (rules.stands_soft if state.dealer_soft else rules.stands_hard)


def needs_card(state: Round) -> bool:
    """Whether a further card can change the outcome of any wager."""
    if not state.rules.dealer.stops_without_effect:
        return True
    contested = any(hand.live for box in state.boxes for hand in box.hands)
    if contested or len(state.dealer) > 1:
        return contested
    insured = any(not one.settled for one in state.insurance)
    return insured or any(
        _waits(wager.surrendered, wager.result) for box in state.boxes for wager in box.hands[0].wagers
    )


def _waits(surrendered: bool, result: str) -> bool:  # noqa: FBT001 two fields of a wager
    return surrendered and not result


def stop(flow: Flow) -> None:
    """No further card would change anything: settle."""
    flow.put(DealerStopped(flow.state.rules.clauses("dealer.stops_without_effect")))
    settle_round(flow)

"""The dealer's hand: the dealer draws only cards that can still affect a wager.

With a hand in play the dealer draws by the rule; with only surrender or insurance left, exactly one card.
"""

from __future__ import annotations

from pontoon.cards import LIMIT, Card, add_card, is_pontoon
from pontoon.engine.events import CardDealt, DealerStopped, DealersTurnCame, NoFirstCardNoticed, TurnCame
from pontoon.engine.flow import Flow
from pontoon.engine.settlement import settle_insurance, settle_round
from pontoon.engine.state import INITIAL_CARDS, Round


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
    cards = (*state.dealer, card)
    points, soft = add_card(state.dealer_total, state.dealer_soft, card)
    flow.put(CardDealt(card, 0, 1, points, soft, state.rules.joined[_why(state, cards)]))
    if state.insurance and len(cards) == INITIAL_CARDS:
        settle_insurance(flow, "second_card")
    if stands(flow.state):
        conclude(flow)
    elif not needs_card(flow.state):
        stop(flow)


def _why(state: Round, cards: tuple[Card, ...]) -> tuple[str, ...]:
    """The values by which the dealer takes this card."""
    if len(cards) != INITIAL_CARDS:
        return ("dealer.stands_hard",)
    if is_pontoon(cards) and not state.dealer_skipped:
        return ("cites.dealer_second", "dealer.stands_hard", "cites.dealer_pontoon")
    return ("cites.dealer_second", "dealer.stands_hard")


def conclude(flow: Flow) -> None:
    """The dealer's hand is complete: finish hands that were passed over unnoticed, then settle (adelaide 106)."""
    state = flow.state
    for box in state.boxes:
        for number, hand in enumerate(box.hands, 1):
            if hand.skipped and hand.live and not hand.stood and not _decided(state):
                flow.put(TurnCame(box.number, number, state.rules.clauses("irregular.missing_card")))
                return
    settle_round(flow)


def _decided(state: Round) -> bool:
    """Whether the dealer's hand decides every other hand, however that would be played."""
    return state.dealer_pontoon or state.dealer_total > LIMIT


def stands(state: Round) -> bool:
    """Whether the dealer's total is complete by the drawing rule."""
    rules = state.rules.dealer
    return state.dealer_total >= (rules.stands_soft if state.dealer_soft else rules.stands_hard)


def needs_card(state: Round) -> bool:
    """Whether a further card can change the outcome of any wager."""
    if not state.rules.dealer.stops_without_effect:
        return True
    for box in state.boxes:
        for hand in box.hands:
            for wager in hand.wagers:
                if not wager.result and not wager.surrendered:
                    return True
    if len(state.dealer) > 1:
        return False
    insured = any(not insurance.settled for insurance in state.insurance)
    return insured or any(
        wager.surrendered and not wager.result for box in state.boxes for wager in box.hands[0].wagers
    )


def stop(flow: Flow) -> None:
    """No further card would change anything: settle."""
    flow.put(DealerStopped(flow.state.rules.clauses("dealer.stops_without_effect")))
    settle_round(flow)

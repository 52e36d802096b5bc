"""Dealing: where the next card goes, in the order of the documents, and its consequences."""

from __future__ import annotations

from collections.abc import Callable

from pontoon.cards import JOKER, Card, add_card
from pontoon.engine.commands import CloseOffer, DealCard, MissCard
from pontoon.engine.dealer import take_card
from pontoon.engine.decisions import after_card
from pontoon.engine.doubling import after_double_card, close_forfeit
from pontoon.engine.events import CardDealt, CardMissed, JokerDealt, OfferClosed
from pontoon.engine.flow import Flow
from pontoon.engine.interim import begin_interim, continue_interim
from pontoon.engine.refusals import Refusal, refuse
from pontoon.engine.short_hands import refuse_missing, take_first_card
from pontoon.engine.state import Box, Hand, Round, find_box, hand_in_turn
from pontoon.engine.turns import next_turn


def next_place(state: Round) -> tuple[int, int] | None:
    """Box and hand the next card belongs to; box 0 is the dealer; None when no card is due."""
    match state.phase:
        case "initial_deal":
            box = _initial_box(state)
            return None if box is None else (box.number, 1)
        case "card":
            return state.turn
        case "dealer" | "first_card":
            return (0, 1)
        case _:
            return None


DEALER = Box(0, (), (Hand((), ()),))
"""Takes the place of a box where the dealer is next."""


def _initial_box(state: Round) -> Box | None:
    """One card to each box, one to the dealer, a second to each box; None when the deal is complete."""
    if not state.dealer:
        for box in state.boxes:
            hand = box.hands[0]
            if not hand.cards and (not hand.wagers[0].result or _takes_cards(state, hand)):
                return box
        if not state.dealer_skipped:
            return DEALER
    for box in state.boxes:
        hand = box.hands[0]
        if len(hand.cards) == 1 and not hand.missed and (not hand.wagers[0].result or _takes_cards(state, hand)):
            return box
    return None


def _takes_cards(state: Round, hand: Hand) -> bool:
    """A void hand gets no more cards; version 0.1.0 still dealt its two."""
    return hand.live or state.rules.irregular.void_cards == "initial_deal"


def refuse_card(state: Round, command: DealCard) -> Refusal | None:
    """Refuse a card that is not due or cannot come."""
    if state.phase not in CARD_DUE:
        return refuse("no_card_due", state.rules.cites.card_drawn, phase=state.phase)
    if state.exposed and command.card != state.exposed:
        return refuse("exposed_card_is_next", state.rules.clauses("irregular.exposed"), card=state.exposed)
    if command.card == JOKER and not state.rules.shoe.joker:
        return refuse("no_joker", state.rules.clauses("shoe.joker"))
    return None


def deal_card(flow: Flow, command: DealCard) -> None:
    """Deal the card where it is due; a joker is set aside, and the next card takes its place."""
    if command.card == JOKER:
        flow.put(JokerDealt(flow.state.rules.clauses("shoe.joker")))
    else:
        _DEALS[flow.state.phase](flow, command.card)


def _deal_initial(flow: Flow, card: Card) -> None:
    state = flow.state
    box = _initial_box(state)
    assert box is not None
    hand, cites = box.hands[0], state.rules.cites
    points, soft = add_card(hand.total, hand.soft, card)
    clauses = cites.deal_second if hand.cards else cites.deal_dealer if box is DEALER else cites.deal_first
    flow.put(CardDealt(card, box.number, 1, points, soft, clauses))
    if hand.cards and _initial_box(flow.state) is None:
        begin_interim(flow)


def refuse_miss(state: Round, command: MissCard) -> Refusal | None:
    """Whether a card is due to this hand, and the document lets the round continue without it."""
    clauses = state.rules.clauses("irregular.missing_card")
    refused = refuse_missing(state, command, "card_not_dealt")
    if refused:
        return refused
    if next_place(state) != (command.box, command.hand) or not _has_card(state, command.box) or len(state.dealer) > 1:
        return refuse("no_card_due", clauses, phase=state.phase)
    return None


def _has_card(state: Round, number: int) -> bool:
    """Whether a box has its first card, which is never missed without the hand."""
    box = find_box(state, number)
    return box is not None and bool(box.hands[0].cards)


def miss_card(flow: Flow, command: MissCard) -> None:
    """Skip the card: the deal continues without it."""
    initial = flow.state.phase == "initial_deal"
    clauses = flow.state.rules.clauses("irregular.missing_card")
    flow.put(CardMissed(command.box, command.hand, clauses, command.by_house, command.noticed))
    if not initial:
        if not command.noticed:
            next_turn(flow)
    elif _initial_box(flow.state) is None:
        begin_interim(flow)


def _deal_to_hand(flow: Flow, card: Card) -> None:
    state = flow.state
    box, number = state.turn
    hand, cites = hand_in_turn(state), state.rules.cites
    points, soft = add_card(hand.total, hand.soft, card)
    clauses = (
        cites.double_card
        if hand.doubled
        else cites.split_order
        if hand.split and len(hand.cards) == 1
        else cites.card_drawn
    )
    flow.put(CardDealt(card, box, number, points, soft, clauses))
    if hand.doubled:
        after_double_card(flow)
    else:
        after_card(flow)


_DEALS: dict[str, Callable[[Flow, Card], None]] = {
    "initial_deal": _deal_initial,
    "card": _deal_to_hand,
    "first_card": take_first_card,
    "dealer": take_card,
}
"""What becomes of a card in each phase in which one is due."""
CARD_DUE = frozenset(_DEALS)
"""The phases in which the next thing is a card."""


def refuse_close(state: Round, _: CloseOffer) -> Refusal | None:
    """Whether an offer is open."""
    if state.phase not in ("insurance", "surrender", "forfeit", "withdraw"):
        return refuse("no_offer_open", state.rules.cites.turn, phase=state.phase)
    return None


def close_offer(flow: Flow, _: CloseOffer) -> None:
    """The dealer moves on; players who have not answered have declined."""
    cites = flow.state.rules.cites
    match flow.state.phase:
        case "insurance":
            flow.put(OfferClosed("insurance", cites.insurance_deadline))
            _go_on(flow, "insurance")
        case "surrender":
            flow.put(OfferClosed("surrender", cites.surrender_deadline))
            _go_on(flow, "surrender")
        case "withdraw":
            _close_withdrawal(flow)
        case _:
            close_forfeit(flow)


def _close_withdrawal(flow: Flow) -> None:
    """Continue the deal after a late first card; on a short hand, carry out its controller's decision."""
    rules, answering = flow.state.rules, flow.state.answering
    key = "irregular.short_others" if answering else "irregular.missing_first"
    flow.put(OfferClosed("withdraw", rules.clauses(key)))
    if answering != "draw":
        next_turn(flow)


def _go_on(flow: Flow, closed: str) -> None:
    """Continue after an offer: with the next step, or after a late one with the current hand."""
    if flow.state.late_offer:
        next_turn(flow)
    else:
        continue_interim(flow, closed)

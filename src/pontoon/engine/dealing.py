"""Dealing: where the next card goes, in the order the documents give, and what the card sets in motion."""

from __future__ import annotations

from pontoon.cards import JOKER, Card, total
from pontoon.engine.commands import CloseOffer, DealCard, MissCard
from pontoon.engine.dealer import take_card
from pontoon.engine.decisions import after_card
from pontoon.engine.doubling import after_double_card, close_forfeit
from pontoon.engine.events import CardDealt, CardMissed, JokerDealt, OfferClosed
from pontoon.engine.flow import Flow
from pontoon.engine.interim import begin_interim, continue_interim
from pontoon.engine.refusals import Refusal, refuse
from pontoon.engine.short_hands import refuse_missing, take_first_card
from pontoon.engine.state import Hand, Round, find_box, hand_in_turn
from pontoon.engine.turns import next_turn

CARD_DUE = frozenset({"initial_deal", "card", "first_card", "dealer"})
"""The phases in which the next thing is a card."""


def next_place(state: Round) -> tuple[int, int] | None:
    """Box and hand the next card belongs to; box 0 is the dealer; None when no card is due."""
    match state.phase:
        case "initial_deal":
            return _initial_place(state)
        case "card":
            return state.turn
        case "dealer" | "first_card":
            return (0, 1)
        case _:
            return None


def _initial_place(state: Round) -> tuple[int, int] | None:
    """One card to each box, one to the dealer, a second to each box; None when the deal is complete."""
    for box in state.boxes:
        if not box.hands[0].cards and _takes_cards(state, box.hands[0]):
            return (box.number, 1)
    if not state.dealer and not state.dealer_skipped:
        return (0, 1)
    for box in state.boxes:
        hand = box.hands[0]
        if len(hand.cards) == 1 and not hand.missed and _takes_cards(state, hand):
            return (box.number, 1)
    return None


def _takes_cards(state: Round, hand: Hand) -> bool:
    """A void hand gets no more cards; version 0.1.0 dealt it its two."""
    return hand.live or state.rules.irregular.void_cards == "initial_deal"


def refuse_card(state: Round, command: DealCard) -> Refusal | None:
    """Whether a card is due, and this one may come."""
    rules = state.rules
    if state.phase not in CARD_DUE:
        return refuse("no_card_due", rules.cites.card_drawn, phase=state.phase)
    if state.exposed and command.card != state.exposed:
        return refuse("exposed_card_is_next", rules.clauses("irregular.exposed"), card=state.exposed)
    if command.card == JOKER and not rules.shoe.joker:
        return refuse("no_joker", rules.clauses("shoe.joker"))
    return None


def deal_card(flow: Flow, command: DealCard) -> None:
    """Deal the card where it belongs; a joker belongs nowhere, the next card takes its place."""
    if command.card == JOKER:
        flow.put(JokerDealt(flow.state.rules.clauses("shoe.joker")))
        return
    match flow.state.phase:
        case "initial_deal":
            _deal_initial(flow, command.card)
        case "dealer":
            take_card(flow, command.card)
        case "first_card":
            take_first_card(flow, command.card)
        case _:
            _deal_to_hand(flow, command.card)


def _deal_initial(flow: Flow, card: Card) -> None:
    state = flow.state
    cites = state.rules.cites
    place = _initial_place(state)
    assert place is not None
    number, hand = place
    if number == 0:
        points = total((card,))
        flow.put(CardDealt(card, 0, 1, points.points, points.soft, cites.deal_dealer))
        return
    box = find_box(state, number)
    assert box is not None
    held = box.hands[0].cards
    points = total((*held, card))
    flow.put(CardDealt(card, number, hand, points.points, points.soft, cites.deal_second if held else cites.deal_first))
    if held and _initial_place(flow.state) is None:
        begin_interim(flow)


def refuse_miss(state: Round, command: MissCard) -> Refusal | None:
    """Whether a card is due to this hand, and the document lets the round go on without it."""
    clauses = state.rules.clauses("irregular.missing_card")
    refused = refuse_missing(state, command, "card_not_dealt")
    if refused:
        return refused
    second = state.phase == "card" or bool(state.dealer) or state.dealer_skipped
    if not command.box or not second or next_place(state) != (command.box, command.hand) or len(state.dealer) > 1:
        return refuse("no_card_due", clauses, phase=state.phase)
    return None


def miss_card(flow: Flow, command: MissCard) -> None:
    """Leave the card out: the deal goes on without it."""
    initial = flow.state.phase == "initial_deal"
    clauses = flow.state.rules.clauses("irregular.missing_card")
    flow.put(CardMissed(command.box, command.hand, clauses, command.by_house))
    if not initial:
        next_turn(flow)
    elif _initial_place(flow.state) is None:
        begin_interim(flow)


def _deal_to_hand(flow: Flow, card: Card) -> None:
    box, number = flow.state.turn
    hand = hand_in_turn(flow.state)
    cites = flow.state.rules.cites
    points = total((*hand.cards, card), hand.fixed_aces)
    clauses = (
        cites.double_card
        if hand.doubled
        else cites.split_order
        if hand.split and len(hand.cards) == 1
        else cites.card_drawn
    )
    flow.put(CardDealt(card, box, number, points.points, points.soft, clauses))
    if hand.doubled:
        after_double_card(flow)
    else:
        after_card(flow)


def refuse_close(state: Round, _: CloseOffer) -> Refusal | None:
    """Whether an offer is open."""
    if state.phase not in ("insurance", "surrender", "forfeit", "withdraw"):
        return refuse("no_offer_open", state.rules.cites.turn, phase=state.phase)
    return None


def close_offer(flow: Flow, _: CloseOffer) -> None:
    """The dealer goes on; whoever has not answered has declined."""
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
    """After a late first card the deal goes on; on a short hand, what its controller decided is done."""
    rules, answering = flow.state.rules, flow.state.answering
    key = "irregular.short_others" if answering else "irregular.missing_first"
    flow.put(OfferClosed("withdraw", rules.clauses(key)))
    if answering != "draw":
        next_turn(flow)


def _go_on(flow: Flow, closed: str) -> None:
    """After an offer in its place the next step; after a late one back to the hand in turn."""
    if flow.state.late_offer:
        next_turn(flow)
    else:
        continue_interim(flow, closed)

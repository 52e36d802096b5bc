"""Cards that should not have moved, and offers that should have been made: what the documents do about them."""

from __future__ import annotations

from pontoon.engine.commands import BurnCard, ExposeCard, OfferLate, RefuseCard
from pontoon.engine.events import CardBurned, CardExposed, CardRefused, OfferOpened, Stood
from pontoon.engine.flow import Flow
from pontoon.engine.insurance import insurance_is_offered
from pontoon.engine.refusals import Refusal, refuse
from pontoon.engine.state import Round, find_box
from pontoon.engine.turns import next_turn

BURNS = {"face_up": "irregular.face_up", "in_error": "irregular.burned", "dealer_excess": "irregular.dealer_excess"}
"""Which key of the rulebook decides about each reason to burn a card."""


def refuse_burn(state: Round, command: BurnCard) -> Refusal | None:
    """Whether the document burns a card for this reason, now."""
    key = BURNS[command.reason]
    clauses = state.rules.clauses(key)
    value: str = getattr(state.rules.irregular, key.removeprefix("irregular."))
    if value == "silent":
        return refuse("document_silent", clauses, matter="card_out_of_place")
    if value == "next_card":
        return refuse("is_the_next_card", clauses, card=command.card)
    if state.phase == "wagers" or (command.reason == "dealer_excess") != (state.phase == "ended"):
        return refuse("no_card_due", clauses, phase=state.phase)
    if state.exposed:
        return refuse("exposed_card_is_next", state.rules.clauses("irregular.exposed"), card=state.exposed)
    return None


def burn_card(flow: Flow, command: BurnCard) -> None:
    """Take the card out of play."""
    flow.put(CardBurned(command.card, command.reason, flow.state.rules.clauses(BURNS[command.reason])))


def refuse_exposure(state: Round, _: ExposeCard) -> Refusal | None:
    """A card is drawn in error after the initial deal, between decisions."""
    clauses = state.rules.clauses("irregular.exposed")
    if state.rules.irregular.exposed == "silent":
        return refuse("document_silent", clauses, matter="card_seen_in_error")
    if state.phase != "decision" or state.exposed:
        return refuse("no_card_due", clauses, phase=state.phase)
    return None


def expose_card(flow: Flow, command: ExposeCard) -> None:
    """Everybody has seen the next card."""
    flow.put(CardExposed(command.card, flow.state.rules.clauses("irregular.exposed")))


def refuse_refusal(state: Round, command: RefuseCard) -> Refusal | None:
    """Whether the hand in turn may refuse the exposed card."""
    box = find_box(state, command.box)
    if not state.exposed or state.rules.irregular.exposed != "refusable":
        return refuse("nothing_to_refuse", state.rules.cites.card_drawn, box=command.box)
    if box is None or state.phase != "decision" or state.turn[0] != box.number:
        return refuse("out_of_turn", state.rules.cites.turn, box=command.box, turn=state.turn[0])
    if command.player and command.player != box.controller:
        clauses = state.rules.cites.controller
        return refuse("not_controller", clauses, player=command.player, controller=box.controller)
    return None


def refuse_exposed_card(flow: Flow, command: RefuseCard) -> None:
    """No more cards for this hand this round, whatever its total (A60)."""
    clauses = flow.state.rules.clauses("irregular.exposed")
    number = flow.state.turn[1]
    flow.put(CardRefused(command.box, number, clauses))
    flow.put(Stood(command.box, number, clauses, "rule"))
    next_turn(flow)


def refuse_late_offer(state: Round, command: OfferLate) -> Refusal | None:
    """Whether a forgotten offer can still be made: between decisions, before the dealer's second card."""
    clauses = state.rules.clauses("irregular.missed_offer")
    if state.rules.irregular.missed_offer == "silent":
        return refuse("document_silent", clauses, matter=f"late_{command.offer}")
    if state.phase not in ("decision", "dealer") or len(state.dealer) != 1:
        return refuse("no_offer_open", clauses, phase=state.phase)
    first = state.dealer[0][0]
    calls_for = (
        insurance_is_offered(state) if command.offer == "insurance" else first in state.rules.surrender.first_cards
    )
    if not calls_for:
        return refuse("offer_not_due", clauses, offer=command.offer, first=state.dealer[0])
    return None


def offer_late(flow: Flow, command: OfferLate) -> None:
    """Make the offer now; when it closes, the hand in turn goes on."""
    flow.put(OfferOpened(command.offer, flow.state.rules.clauses("irregular.missed_offer"), late=True))

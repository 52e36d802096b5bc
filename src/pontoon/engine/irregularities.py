"""Misdealt cards and forgotten offers, and how the documents correct them."""

from __future__ import annotations

from pontoon.engine.commands import BurnCard, BurnReason, ExposeCard, OfferLate, RefuseCard
from pontoon.engine.events import CardBurned, CardExposed, CardRefused, OfferOpened, Stood
from pontoon.engine.flow import Flow
from pontoon.engine.house import refuse_silence
from pontoon.engine.insurance import has_declined, insurance_is_offered
from pontoon.engine.refusals import Refusal, refuse
from pontoon.engine.state import Round, find_box, hand_in_turn
from pontoon.engine.turns import next_turn
from pontoon.rulebook import Clauses

AFTER_THE_DEAL = ("insurance", "surrender", "decision", "forfeit", "withdraw")
"""The phases in which players are asked to answer."""

BURNS = {
    "face_up": "irregular.face_up",
    "in_error": "irregular.burned",
    "dealer_excess": "irregular.dealer_excess",
    "dealer_early": "irregular.dealer_early",
    "left_over": "irregular.left_over",
}
"""Which key of the rulebook decides about each reason to burn a card."""


def refuse_burn(state: Round, command: BurnCard) -> Refusal | None:
    """Whether the document burns a card for this reason, now."""
    key = BURNS[command.reason]
    clauses = state.rules.clauses(key)
    value: str = getattr(state.rules.irregular, key.removeprefix("irregular."))
    refused = refuse_silence(command, value, clauses, "card_out_of_place")
    if refused:
        return refused
    if value == "next_card":
        return _still_next(command, clauses)
    if not _may_burn(state, command.reason):
        return refuse("no_card_due", clauses, phase=state.phase)
    if state.exposed and not (command.by_house and command.card == state.exposed):
        return refuse("exposed_card_is_next", state.rules.clauses("irregular.exposed"), card=state.exposed)
    return None


def _still_next(command: BurnCard, clauses: Clauses) -> Refusal:
    """The document uses the card instead of burning it."""
    if command.reason == "left_over":
        return refuse("exposed_card_is_next", clauses, card=command.card)
    code = "early_card_is_next" if command.reason == "dealer_early" else "is_the_next_card"
    return refuse(code, clauses, card=command.card)


def _may_burn(state: Round, reason: BurnReason) -> bool:
    """A card too many for the dealer ends a round; one drawn too early comes before the dealer's turn.

    One that came out after a hand was passed over is removed before that hand decides, so that it decides without
    knowing the card (A83).
    """
    if reason == "left_over":
        return state.phase == "decision" and state.rules.irregular.missing_card == "reconstruct"
    if reason == "dealer_early":
        return state.phase in AFTER_THE_DEAL or state.phase == "card"
    return (reason == "dealer_excess") == (state.phase == "ended")


def burn_card(flow: Flow, command: BurnCard) -> None:
    """Take the card out of play."""
    clauses = flow.state.rules.clauses(BURNS[command.reason])
    flow.put(CardBurned(command.card, command.reason, clauses, command.by_house))


def refuse_exposure(state: Round, command: ExposeCard) -> Refusal | None:
    """A card was drawn in error and seen: in the deal it goes to the next box, later to a hand that takes it.

    It may be one too many for a split ace, seen before the next hand of the split gets its second card.
    """
    clauses = state.rules.clauses("irregular.exposed")
    refused = refuse_silence(command, state.rules.irregular.exposed, clauses, "card_seen_in_error")
    if refused:
        return refused
    begun = state.phase == "initial_deal" and state.cards_used  # the cutting card may still come before the first card
    if not (begun or state.phase in AFTER_THE_DEAL or _is_asked(state)) or state.exposed:
        return refuse("no_card_due", clauses, phase=state.phase)
    return None


def expose_card(flow: Flow, command: ExposeCard) -> None:
    """Record that the next card was exposed."""
    flow.put(CardExposed(command.card, flow.state.rules.clauses("irregular.exposed"), command.by_house))


def refuse_refusal(state: Round, command: RefuseCard) -> Refusal | None:
    """Whether the current hand may refuse the exposed card; a split hand may before its second card."""
    if not state.exposed or state.rules.irregular.exposed != "refusable":
        clauses = state.rules.clauses("irregular.exposed") or state.rules.cites.card_drawn
        return refuse("nothing_to_refuse", clauses, box=command.box)
    box = find_box(state, command.box)
    if box is None or not _is_asked(state) or state.turn[0] != box.number:
        return refuse("out_of_turn", state.rules.cites.turn, box=command.box, turn=state.turn[0])
    if command.player and command.player != box.controller:
        clauses = state.rules.cites.controller
        return refuse("not_controller", clauses, player=command.player, controller=box.controller)
    return None


def _is_asked(state: Round) -> bool:
    """Whether the current hand would receive the next card without asking for it, or may still ask."""
    untouched = state.phase == "card" and len(hand_in_turn(state).cards) == 1 and not state.joining
    return state.phase == "decision" or untouched


def refuse_exposed_card(flow: Flow, command: RefuseCard) -> None:
    """Give this hand no more cards this round, whatever its total (A60)."""
    clauses = flow.state.rules.clauses("irregular.exposed")
    number = flow.state.turn[1]
    flow.put(CardRefused(command.box, number, clauses))
    flow.put(Stood(command.box, number, clauses, "rule"))
    next_turn(flow)


def refuse_late_offer(state: Round, command: OfferLate) -> Refusal | None:
    """Whether a forgotten offer can still be made: between decisions, before the dealer's second card."""
    clauses = state.rules.clauses("irregular.missed_offer")
    matter = f"late_{command.offer}"
    refused = refuse_silence(command, state.rules.irregular.missed_offer, clauses, matter)
    if refused:
        return refused
    if state.phase not in ("decision", "dealer") or len(state.dealer) != 1:
        return refuse("no_offer_open", clauses, phase=state.phase)
    first = state.dealer[0][0]
    calls_for = (
        insurance_is_offered(state) if command.offer == "insurance" else first in state.rules.surrender.first_cards
    )
    if not calls_for:
        return refuse("offer_not_due", clauses, offer=command.offer, first=state.dealer[0])
    return _refuse_named(state, command, clauses) if command.player else None


def _refuse_named(state: Round, command: OfferLate, clauses: Clauses) -> Refusal | None:
    """Whether the player it was forgotten for has a wager there and has not declined in time."""
    box, player = find_box(state, command.box), command.player
    if box is None or all(wager.player != player for wager in box.bettors):
        return refuse("no_wager_there", clauses, player=player, box=command.box)
    if has_declined(state, command.offer, box.number, player):
        return refuse("declined_in_time", clauses, player=player)
    return None


def offer_late(flow: Flow, command: OfferLate) -> None:
    """Make the forgotten offer now; when it closes, play continues with the current hand."""
    clauses = flow.state.rules.clauses("irregular.missed_offer")
    box = command.box if command.player else 0
    opened = OfferOpened(command.offer, clauses, True, box, command.player, by_house=command.by_house)  # noqa: FBT003
    flow.put(opened)

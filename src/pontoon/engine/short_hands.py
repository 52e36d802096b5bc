"""Cards that were not dealt: a hand passed over, a dealer without a first card (adelaide 105 to 108)."""

from __future__ import annotations

from pontoon.cards import Card, total
from pontoon.engine.commands import NoticeNoFirstCard, NoticeSkip, SkipDealer, SkipHand, Withdraw
from pontoon.engine.events import (
    CardDealt,
    ControlPassed,
    DealerSkipped,
    HandSkipped,
    NoFirstCardNoticed,
    OfferOpened,
    SkipNoticed,
    WagerWithdrawn,
)
from pontoon.engine.flow import Flow
from pontoon.engine.payments import return_void
from pontoon.engine.refusals import Refusal, refuse
from pontoon.engine.state import Hand, Round, find_box, hand_in_turn, wager_of
from pontoon.engine.turns import next_turn
from pontoon.rulebook import Clauses


def refuse_skip(state: Round, command: SkipHand) -> Refusal | None:
    """A hand is passed over in its turn; where the document puts the round right, there is nothing to record."""
    clauses = state.rules.clauses("irregular.missing_card")
    if state.rules.irregular.missing_card != "withdraw_or_draw":
        return _put_right(state.rules.irregular.missing_card, clauses, "hand_passed_over")
    if state.phase != "decision" or state.turn[0] != command.box or len(state.dealer) > 1:
        return refuse("out_of_turn", clauses, box=command.box, turn=state.turn[0])
    return None


def _put_right(remedy: str, clauses: Clauses, matter: str) -> Refusal:
    """The document puts such a round right, so that there is nothing to record, or it says nothing."""
    if remedy == "silent":
        return refuse("document_silent", clauses, matter=matter)
    return refuse("put_right", clauses, remedy=remedy)


def skip_hand(flow: Flow, _: SkipHand) -> None:
    """Pass over the hand in turn."""
    flow.put(HandSkipped(*flow.state.turn, flow.state.rules.clauses("irregular.missing_card")))
    next_turn(flow)


def refuse_notice(state: Round, command: NoticeSkip) -> Refusal | None:
    """Whether a hand of this box was passed over, and the dealer has no second card yet."""
    clauses = state.rules.clauses("irregular.missing_card")
    if len(state.dealer) > 1 or _passed(state, command.box) is None:
        return refuse("nothing_passed_over", clauses, box=command.box)
    return None


def _passed(state: Round, number: int) -> int | None:
    box = find_box(state, number)
    if box is None:
        return None
    return next((place for place, hand in enumerate(box.hands, 1) if hand.skipped and not hand.noticed), None)


def notice_skip(flow: Flow, command: NoticeSkip) -> None:
    """The hand will be finished before the dealer's second card."""
    number = _passed(flow.state, command.box)
    assert number is not None
    flow.put(SkipNoticed(command.box, number, flow.state.rules.clauses("irregular.missing_card")))
    if flow.state.phase == "dealer":
        next_turn(flow)


def refuse_short_hand(state: Round, hand: Hand) -> Refusal | None:
    """A hand finished after the dealer's may neither split nor double (adelaide 106(d))."""
    if len(state.dealer) > 1:
        return refuse("draw_or_withdraw", state.rules.clauses("irregular.missing_card"), total=hand.total)
    return None


def refuse_skip_dealer(state: Round, _: SkipDealer) -> Refusal | None:
    """The dealer's first card can be missed only in the initial deal."""
    clauses = state.rules.clauses("irregular.missing_first")
    if state.rules.irregular.missing_first != "next_card":
        return _put_right(state.rules.irregular.missing_first, clauses, "dealer_without_a_first_card")
    if state.phase != "initial_deal" or state.cards_used or state.dealer_skipped:
        return refuse("no_card_due", clauses, phase=state.phase)
    return None


def skip_dealer(flow: Flow, _: SkipDealer) -> None:
    """The initial deal goes without a card for the dealer."""
    flow.put(DealerSkipped(flow.state.rules.clauses("irregular.missing_first")))


def refuse_notice_first(state: Round, _: NoticeNoFirstCard) -> Refusal | None:
    """It can be noticed once decisions have begun."""
    if state.phase != "decision" or state.dealer:
        return refuse("no_card_due", state.rules.clauses("irregular.missing_first"), phase=state.phase)
    return None


def notice_no_first_card(flow: Flow, _: NoticeNoFirstCard) -> None:
    """The next card drawn is the dealer's first."""
    flow.put(NoFirstCardNoticed(flow.state.rules.clauses("irregular.missing_first")))


def take_first_card(flow: Flow, card: Card) -> None:
    """The dealer's late first card; then everybody may withdraw or play on."""
    clauses = flow.state.rules.clauses("irregular.missing_first")
    points = total((card,))
    flow.put(CardDealt(card, 0, 1, points.points, points.soft, clauses))
    flow.put(OfferOpened("withdraw", clauses))


def refuse_withdraw(state: Round, command: Withdraw) -> Refusal | None:
    """Whether an irregularity lets this bettor take the wager back now."""
    box = find_box(state, command.box)
    player = command.player or (box.controller if box else "")
    offered = state.phase == "withdraw"
    short = state.phase == "decision" and state.turn[0] == command.box and hand_in_turn(state).skipped
    if box is None or not (offered or short):
        return refuse("may_not_withdraw", state.rules.cites.wager_frozen, player=player)
    clauses = state.rules.clauses("irregular.missing_first" if offered else "irregular.missing_card")
    if short and player == box.controller and hand_in_turn(state).went_on:
        return refuse("may_not_withdraw", clauses, player=player)
    hands = box.hands if offered else (hand_in_turn(state),)
    if not any(wager.live for hand in hands for wager in hand.wagers if wager.player == player):
        return refuse("no_wager_there", clauses, player=player, box=command.box)
    return None


def withdraw(flow: Flow, command: Withdraw) -> None:
    """Return the wager; on a hand passed over, the controller's withdrawal voids the others' wagers too (107)."""
    box = find_box(flow.state, command.box)
    assert box is not None
    player = command.player or box.controller
    offered = flow.state.phase == "withdraw"
    clauses = flow.state.rules.clauses("irregular.missing_first" if offered else "irregular.missing_card")
    flow.put(WagerWithdrawn(box.number, flow.state.turn[1], player, clauses))
    if offered:
        for number, hand in enumerate(box.hands, 1):
            _return(flow, (box.number, number), hand, (player,), clauses)
        _pass_control(flow, box.number, player)
        return
    hand = hand_in_turn(flow.state)
    everybody = tuple(wager.player for wager in hand.wagers)
    _return(flow, flow.state.turn, hand, everybody if player == box.controller else (player,), clauses)
    if not hand_in_turn(flow.state).live:
        next_turn(flow)


def _pass_control(flow: Flow, number: int, player: str) -> None:
    """Whoever withdrew calls nothing more; the next bettor in line does."""
    box = find_box(flow.state, number)
    assert box is not None
    heir = next((wager.player for hand in box.hands for wager in hand.wagers if wager.live), "")
    if heir and box.controller == player:
        flow.put(ControlPassed(number, heir, flow.state.rules.cites.controller))


def _return(flow: Flow, place: tuple[int, int], hand: Hand, players: tuple[str, ...], clauses: Clauses) -> None:
    for player in players:
        wager = wager_of(hand, player)
        if wager is not None and wager.live:
            return_void(flow, place, wager, clauses)

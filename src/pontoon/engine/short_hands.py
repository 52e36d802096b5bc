"""Missing cards: a hand passed over, a dealer without a first card (adelaide 105 to 108)."""

from __future__ import annotations

from typing import Literal

from pontoon.cards import Card, total
from pontoon.engine.commands import (
    MissCard,
    NoticeNoFirstCard,
    NoticeSkip,
    PutRight,
    SkipDealer,
    SkipHand,
    Withdraw,
)
from pontoon.engine.events import (
    CardDealt,
    ControlPassed,
    DealerSkipped,
    HandSkipped,
    MissPutRight,
    NoFirstCardNoticed,
    OfferOpened,
    SkipNoticed,
    WagerWithdrawn,
)
from pontoon.engine.flow import Flow, cite
from pontoon.engine.house import refuse_silence
from pontoon.engine.payments import return_void
from pontoon.engine.refusals import Refusal, refuse
from pontoon.engine.state import INITIAL_CARDS, Box, Hand, Round, box_in_turn, find_box, hand_in_turn, wager_of
from pontoon.engine.turns import next_turn
from pontoon.rulebook import Clauses, Rulebook


def refuse_skip(state: Round, command: SkipHand) -> Refusal | None:
    """Refuse to record a hand passed over in its turn if the document corrects the error instead."""
    clauses = state.rules.clauses("irregular.missing_card")
    refused = refuse_missing(state, command, "hand_passed_over")
    if refused:
        return refused
    if state.phase != "decision" or state.turn[0] != command.box or len(state.dealer) > 1:
        return refuse("out_of_turn", clauses, box=command.box, turn=state.turn[0])
    return None


def refuse_missing(state: Round, command: SkipHand | MissCard, matter: str) -> Refusal | None:
    """Whether the document, or the house where it is silent, completes a hand with too few cards later."""
    remedy, clauses = state.rules.irregular.missing_card, state.rules.clauses("irregular.missing_card")
    refused = refuse_silence(command, remedy, clauses, matter)
    if refused is None and remedy == "reconstruct":
        return refuse("put_right", clauses, remedy=remedy)
    return refused


def skip_hand(flow: Flow, command: SkipHand) -> None:
    """Pass over the current hand."""
    flow.put(HandSkipped(*flow.state.turn, flow.state.rules.clauses("irregular.missing_card"), command.by_house))
    next_turn(flow)


def refuse_put_right(state: Round, command: PutRight) -> Refusal | None:
    """Whether such an error is corrected: always in the initial deal, later if the document says so."""
    rules = state.rules
    if command.box == 0:
        return _refuse_first_put_right(state, command)
    clauses = rules.clauses("irregular.missing_card")
    refused = refuse_silence(command, rules.irregular.missing_card, clauses, "card_not_dealt")
    box = find_box(state, command.box)
    if refused:
        return refused
    if box is None or not box.hands or not 1 <= command.hand <= len(box.hands):
        count = len(box.hands) if box is not None else 0
        return refuse("no_such_hand", clauses, box=command.box, hand=command.hand, count=count)
    if rules.irregular.missing_card == "withdraw_or_draw" and not _in_initial_deal(state):
        return refuse("not_put_right", clauses, box=command.box)
    return None


def _refuse_first_put_right(state: Round, command: PutRight) -> Refusal | None:
    """Whether the dealer's missing first card is corrected: in the initial deal, later if the document says so."""
    remedy, clauses = state.rules.irregular.missing_first, state.rules.clauses("irregular.missing_first")
    refused = refuse_silence(command, remedy, clauses, "dealer_without_a_first_card")
    if refused is None and remedy == "next_card" and not _in_initial_deal(state):
        return refuse("not_put_right", clauses, box=0)
    return refused


def _in_initial_deal(state: Round) -> bool:
    """Nobody has stood, drawn a third card, got a card on a split hand or been paid (adelaide 47(d))."""
    return not any(
        hand.stood or hand.split or len(hand.cards) > INITIAL_CARDS or any(wager.result for wager in hand.wagers)
        for box in state.boxes
        for hand in box.hands
    )


def put_right(flow: Flow, command: PutRight) -> None:
    """Record that the cards lie as they should have been dealt."""
    rules = flow.state.rules
    key = "irregular.missing_card" if command.box else "irregular.missing_first"
    early = rules.irregular.missing_card == "withdraw_or_draw"
    clauses = rules.clauses("irregular.misplaced" if early else key)
    flow.put(MissPutRight(command.box, command.hand, clauses, command.by_house))


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
    """A hand completed after the dealer's may neither split nor double (adelaide 106(d)), nor may a single card."""
    if len(state.dealer) > 1 or (hand.missed and len(hand.cards) == 1):
        return refuse("draw_or_withdraw", state.rules.clauses("irregular.missing_card"), total=hand.total)
    return None


def refuse_in_view(state: Round, card: str) -> Refusal | None:
    """A hand passed over, which need not draw, does not decide knowing a card unless that is the next card (A83)."""
    rules = state.rules
    if rules.irregular.left_over == "next_card":
        return None
    return refuse(
        "card_seen", cite(rules.clauses("irregular.reconstruction"), rules.clauses("irregular.left_over")), card=card
    )


def ask_others(flow: Flow, decided: Literal["draw", "stand"]) -> bool:
    """The others on a short hand say, before the card, whether they accept what its controller decided (108)."""
    state = flow.state
    box, hand = box_in_turn(state), hand_in_turn(state)
    clauses = state.rules.clauses("irregular.short_others")
    others = any(wager.live and wager.player != box.controller for wager in hand.wagers)
    if state.rules.irregular.short_others != "on_decision" or not others:
        return False
    flow.put(OfferOpened("withdraw", clauses, decided=decided))
    return True


def refuse_skip_dealer(state: Round, command: SkipDealer) -> Refusal | None:
    """The dealer's first card can be missed only in the initial deal."""
    remedy, clauses = state.rules.irregular.missing_first, state.rules.clauses("irregular.missing_first")
    refused = refuse_silence(command, remedy, clauses, "dealer_without_a_first_card")
    if refused is None and remedy == "reconstruct":
        return refuse("put_right", clauses, remedy=remedy)
    if refused:
        return refused
    dealt = any(box.hands[0].cards for box in state.boxes if box.hands)
    if state.phase != "initial_deal" or dealt or state.dealer_skipped:
        return refuse("no_card_due", clauses, phase=state.phase)
    return None


def skip_dealer(flow: Flow, command: SkipDealer) -> None:
    """Continue the initial deal without a card for the dealer."""
    flow.put(DealerSkipped(flow.state.rules.clauses("irregular.missing_first"), command.by_house))


def refuse_notice_first(state: Round, _: NoticeNoFirstCard) -> Refusal | None:
    """Allowed once the initial deal is complete; before that the deal is put right and nobody withdraws."""
    rules = state.rules
    if state.phase != "decision" or state.dealer:
        return refuse("no_card_due", rules.clauses("irregular.missing_first"), phase=state.phase)
    if first_card_is_put_right(rules) and _in_initial_deal(state):
        clauses = cite(rules.clauses("irregular.misplaced"), rules.clauses("deal.complete"))
        return refuse("put_right", clauses, remedy="reconstruct")
    return None


def first_card_is_put_right(rules: Rulebook) -> bool:
    """Whether a first card that the dealer missed is put right while nobody has decided (adelaide 105(a))."""
    return rules.irregular.missing_first == "next_card" and rules.deal.complete == "first_decision"


def notice_no_first_card(flow: Flow, _: NoticeNoFirstCard) -> None:
    """The next card drawn is the dealer's first."""
    flow.put(NoFirstCardNoticed(flow.state.rules.clauses("irregular.missing_first")))


def take_first_card(flow: Flow, card: Card) -> None:
    """Deal the dealer's late first card; then everyone may withdraw or play on."""
    clauses = flow.state.rules.clauses("irregular.missing_first")
    points = total((card,))
    flow.put(CardDealt(card, 0, 1, points.points, points.soft, clauses))
    flow.put(OfferOpened("withdraw", clauses))


def refuse_withdraw(state: Round, command: Withdraw) -> Refusal | None:
    """Whether an irregularity lets this bettor take the wager back now."""
    box = find_box(state, command.box)
    player = command.player or (box.controller if box else "")
    offered = state.phase == "withdraw" and not state.answering
    if box is None or not (offered or _short_in_turn(state, box)):
        return refuse("may_not_withdraw", state.rules.cites.wager_frozen, player=player)
    clauses = state.rules.clauses(_why_withdrawn(state))
    if not offered and not _may_leave(state, controls=player == box.controller):
        return refuse("may_not_withdraw", clauses, player=player)
    hands = box.hands if offered else (hand_in_turn(state),)
    if not any(wager.live for hand in hands for wager in hand.wagers if wager.player == player):
        return refuse("no_wager_there", clauses, player=player, box=command.box)
    return None


def _short_in_turn(state: Round, box: Box) -> bool:
    """Whether a short hand of this box is in play, and its controller or the others are to decide."""
    number, place = state.turn
    if number != box.number or (state.phase != "decision" and not state.answering):
        return False
    return box.hands[place - 1].short


def _why_withdrawn(state: Round) -> str:
    """The key that gives the right to withdraw now."""
    if state.answering:
        return "irregular.short_others"
    return "irregular.missing_first" if state.phase == "withdraw" else "irregular.missing_card"


def _may_leave(state: Round, *, controls: bool) -> bool:
    """Who may withdraw: a short hand's controller until it continues, the others after that, before the card."""
    if controls:
        return not state.answering and not hand_in_turn(state).went_on
    return bool(state.answering) or state.rules.irregular.short_others == "any_time"


def withdraw(flow: Flow, command: Withdraw) -> None:
    """Return the wager; on a hand passed over, the controller's withdrawal voids the others' wagers too (107)."""
    box = find_box(flow.state, command.box)
    assert box is not None
    player = command.player or box.controller
    offered = flow.state.phase == "withdraw" and not flow.state.answering
    clauses = flow.state.rules.clauses(_why_withdrawn(flow.state))
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
    """Pass control from a player who withdrew to the next bettor in line."""
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

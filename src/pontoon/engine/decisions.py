"""Decisions on a hand: who may call them, hit, stand, and what happens when nobody is there."""

from __future__ import annotations

from pontoon.cards import LIMIT, points
from pontoon.engine.commands import Absent, Double, Hit, Split, Stand
from pontoon.engine.events import (
    BettorWasAbsent,
    CardCalled,
    ControlPassed,
    DoubleTakenBack,
    PlayerWasAbsent,
    SplitBarred,
    Stood,
)
from pontoon.engine.flow import Flow, cite
from pontoon.engine.interim import settle_at_once
from pontoon.engine.payments import give_back_double
from pontoon.engine.refusals import Refusal, refuse
from pontoon.engine.short_hands import ask_others
from pontoon.engine.state import Box, Hand, Round, box_in_turn, find_box, hand_in_turn
from pontoon.engine.turns import next_turn
from pontoon.rulebook import Clauses

Decision = Hit | Stand | Double | Split | Absent
ACE = "A"
TWO = 2


def refuse_turn(state: Round, command: Decision) -> Refusal | None:
    """Whether it is this box's turn to decide, and this person's to call it."""
    rules = state.rules
    box = find_box(state, command.box)
    if box is None:
        return refuse("no_wager_there", rules.cites.turn, player="anybody", box=command.box)
    if state.phase in ("wagers", "initial_deal", "insurance", "surrender", "withdraw"):
        return refuse("too_early", rules.cites.turn, phase=state.phase)
    if _finished(state, box):
        return refuse("hand_finished", _why_finished(state, box), box=command.box)
    if state.turn[0] != command.box:
        return refuse("out_of_turn", rules.cites.turn, box=command.box, turn=state.turn[0])
    if state.phase == "forfeit":
        return refuse("double_takes_one_card", rules.cites.double_card, box=command.box)
    if state.phase in ("card", "first_card"):
        return refuse("card_due", rules.cites.card_drawn, box=command.box)
    if command.player and command.player != box.controller:
        return refuse("not_controller", rules.cites.controller, player=command.player, controller=box.controller)
    return None


def _finished(state: Round, box: Box) -> bool:
    """Nothing is left to decide on the box: settled, stood, surrendered, or passed."""
    return state.phase == "dealer" or (
        state.turn[0] != box.number and not any(hand.live and not hand.stood for hand in box.hands)
    )


def _why_finished(state: Round, box: Box) -> Clauses:
    """What ended the last hand of the box: 21, a split ace's one card, a double's one card, or its own turn."""
    cites, last = state.rules.cites, box.hands[-1]
    if last.split and last.cards[0][0] == ACE:
        return cites.split_aces_one_card
    if last.total == LIMIT:
        return cites.no_draw_on_21
    if last.total > LIMIT:
        return cites.bust
    return cites.double_card if last.doubled else cites.turn


def refuse_hit(state: Round, command: Hit) -> Refusal | None:
    """A hand in turn may always draw: 21 is paid at once and never in turn."""
    return refuse_turn(state, command)


def hit(flow: Flow, _: Hit) -> None:
    """Ask for a card; on a hand whose double got none, draw rather than double (adelaide 108)."""
    note_declined_split(flow)
    hand = hand_in_turn(flow.state)
    if hand.doubled:
        _take_double_back(flow, hand)
    call_card(flow, flow.state.rules.cites.card_drawn)


def _take_double_back(flow: Flow, hand: Hand) -> None:
    place, clauses = flow.state.turn, flow.state.rules.clauses("irregular.missing_card")
    for wager in hand.wagers:
        if wager.live:
            give_back_double(flow, place, wager, "void", "interim", clauses)
    flow.put(DoubleTakenBack(*place, clauses))


def call_card(flow: Flow, clauses: Clauses) -> None:
    """The hand in turn takes a card; on a short hand the others are asked first, once."""
    went_on = hand_in_turn(flow.state).went_on
    flow.put(CardCalled(*flow.state.turn, clauses))
    if not went_on:
        ask_others(flow, "draw")


def refuse_stand(state: Round, command: Stand) -> Refusal | None:
    """A hand may stand unless the document makes it draw."""
    refused = refuse_turn(state, command)
    if refused:
        return refused
    least = state.rules.draw.forced_below
    hand = hand_in_turn(state)
    if hand.doubled or (hand.missed and len(hand.cards) == 1):
        return refuse("draw_or_withdraw", state.rules.clauses("irregular.missing_card"), total=hand.total)
    if hand.total < least:
        clauses = state.rules.clauses("draw.forced_below")
        return refuse("forced_draw", clauses, total=hand.total, soft=hand.soft, least=least)
    return None


def stand(flow: Flow, command: Stand) -> None:
    """Take no more cards; on a short hand the others are asked whether they stand too (adelaide 108)."""
    note_declined_split(flow)
    hand = hand_in_turn(flow.state)
    flow.put(Stood(command.box, flow.state.turn[1], flow.state.rules.cites.stood))
    if hand.went_on or not ask_others(flow, "stand"):
        next_turn(flow)


def refuse_absent(state: Round, command: Absent) -> Refusal | None:
    """The absent-player clause reaches the hand in turn; leaving it alone is for who need not deal to it."""
    refused = refuse_turn(state, command)
    key = "draw.absent_by"
    if refused or command.deal or state.rules.draw.absent_by != "dealer" or state.rules.sources[key].silent:
        return refused
    return refuse("absent_is_dealt", state.rules.clauses(key), below=state.rules.draw.absent_below)


def absent(flow: Flow, command: Absent) -> None:
    """Let the next bettor on the box decide, where one is there and may; else play by the absent-player clause."""
    rules = flow.state.rules
    clauses = cite(rules.clauses("draw.absent_below"), rules.clauses("draw.absent_by"))
    if command.player and rules.draw.absent_next == "passes":
        passed = rules.clauses("draw.absent_next")
        flow.put(BettorWasAbsent(command.box, command.player, passed))
        heir = _next_present(flow.state)
        if heir:
            flow.put(ControlPassed(command.box, heir, passed))
            return
    flow.put(
        PlayerWasAbsent(
            command.box, flow.state.turn[1], command.by or rules.draw.absent_by, clauses, left=not command.deal
        )
    )
    if command.deal:
        _go_on_absent(flow)
    else:
        flow.put(Stood(*flow.state.turn, clauses, "rule"))
        next_turn(flow)


def _next_present(state: Round) -> str:
    """The next bettor with a wager on the hand in turn who is there to decide."""
    box, hand = box_in_turn(state), hand_in_turn(state)
    live = {wager.player for wager in hand.wagers if wager.live}
    return next((one.player for one in box.bettors if one.player in live and one.player not in box.absent), "")


def _go_on_absent(flow: Flow) -> None:
    rules = flow.state.rules
    box, number = flow.state.turn
    clauses = rules.clauses("draw.absent_below")
    if hand_in_turn(flow.state).total < rules.draw.absent_below:
        flow.put(CardCalled(box, number, clauses))
    else:
        flow.put(Stood(box, number, clauses, "rule"))
        next_turn(flow)


def after_card(flow: Flow) -> None:
    """The hand in turn got a card: settle it at once, or let it go on."""
    box, number = flow.state.turn
    hand = hand_in_turn(flow.state)
    if hand.total >= LIMIT:
        settle_at_once(flow, box, number, hand)
        next_turn(flow)
    elif hand.split and hand.cards[0][0] == ACE:
        flow.put(Stood(box, number, flow.state.rules.cites.split_aces_one_card, "rule"))
        next_turn(flow)
    elif hand.absent:
        _go_on_absent(flow)


def pair_may_split(state: Round, box: Box, hand: Hand) -> bool:
    """Two equal cards that the hand limit allows to be split; a split ace is never in turn again."""
    return is_pair(state, hand) and len(box.hands) < state.rules.split.max_hands


def is_pair(state: Round, hand: Hand) -> bool:
    """Two cards equal in the way the rulebook asks for."""
    if len(hand.cards) != TWO or hand.doubled:
        return False
    first, second = hand.cards
    return points(first) == points(second) if state.rules.split.by == "value" else first[0] == second[0]


def note_declined_split(flow: Flow) -> None:
    """Another decision on a pair declines to split it; where that locks, say so."""
    state = flow.state
    if not state.rules.split.decline_locks:
        return
    box = box_in_turn(state)
    if not box.split_barred and pair_may_split(state, box, hand_in_turn(state)):
        flow.put(SplitBarred(box.number, state.rules.clauses("split.decline_locks")))

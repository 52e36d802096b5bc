"""Decisions on a hand: who may make them, hit, stand, and absent players."""

from __future__ import annotations

from pontoon.cards import LIMIT, points
from pontoon.engine.commands import Absent, Hit, Stand
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
from pontoon.engine.state import INITIAL_CARDS, Box, Hand, Round, box_in_turn, hand_in_turn
from pontoon.engine.turns import next_turn
from pontoon.rulebook import Clauses

ACE = "A"
TOO_EARLY = frozenset({"wagers", "initial_deal", "insurance", "surrender", "withdraw"})
"""The phases before a decision."""


def box_to_decide(state: Round, number: int, player: str = "") -> Box | Refusal:
    """The box, if it is its turn to decide and this player controls it; otherwise why not."""
    for box in state.boxes:
        if box.number == number:
            break
    else:
        return refuse("no_wager_there", state.rules.cites.turn, player="anybody", box=number)
    if state.phase != "decision" or state.turn[0] != number:
        return _refuse_moment(state, box)
    if player and player != box.controller:
        return refuse("not_controller", state.rules.cites.controller, player=player, controller=box.controller)
    return box


def _refuse_moment(state: Round, box: Box) -> Refusal:
    """The box has finished or is not in turn, or something else is due."""
    rules = state.rules
    if state.phase in TOO_EARLY:
        return refuse("too_early", rules.cites.turn, phase=state.phase)
    if _finished(state, box):
        return refuse("hand_finished", _why_finished(state, box), box=box.number)
    if state.turn[0] != box.number:
        return refuse("out_of_turn", rules.cites.turn, box=box.number, turn=state.turn[0])
    if state.phase == "forfeit":
        return refuse("double_takes_one_card", rules.cites.double_card, box=box.number)
    return refuse("card_due", rules.cites.card_drawn, box=box.number)


def _finished(state: Round, box: Box) -> bool:
    """Nothing is left to decide on the box: settled, stood, surrendered, or passed."""
    return state.phase == "dealer" or (
        state.turn[0] != box.number and not any(hand.live and not hand.stood for hand in box.hands)
    )


def _why_finished(state: Round, box: Box) -> Clauses:
    """What ended the last hand of the box; if the document does not say, that its turn is over."""
    rules, last = state.rules, box.hands[-1]
    if all(wager.result == "void" for wager in last.wagers):
        return _why_void(state, last) or rules.cites.turn
    ended = (
        (last.refused, rules.clauses("irregular.exposed")),
        (last.absent, rules.clauses("draw.absent_by")),
        (last.split and last.cards[0][0] == ACE, rules.cites.split_aces_one_card),
        (last.total == LIMIT, rules.cites.no_draw_on_21),
        (last.total > LIMIT, rules.cites.bust),
        (last.doubled, rules.cites.double_card),
        (last.skipped, rules.clauses("irregular.missing_card")),
        (any(wager.surrendered for wager in last.wagers), rules.cites.surrendered),
    )
    return next((clauses for so, clauses in ended if so), rules.cites.turn)


def _why_void(state: Round, hand: Hand) -> Clauses:
    """What makes a hand void: withdrawn because a card was missing, declared void alone, or with the whole round."""
    if state.dealer_skipped:
        return state.rules.clauses("irregular.missing_first")
    if hand.short:
        return state.rules.clauses("irregular.missing_card")
    others = any(wager.result != "void" for box in state.boxes for other in box.hands for wager in other.wagers)
    return state.rules.clauses("irregular.void_hand" if others else "irregular.void_round")


def refuse_hit(state: Round, command: Hit) -> Refusal | None:
    """The current hand may always draw, because 21 is paid at once."""
    box = box_to_decide(state, command.box, command.player)
    return box if type(box) is Refusal else None


def hit(flow: Flow, _: Hit) -> None:
    """Ask for a card; on a hand whose double got no card, draw instead of doubling (adelaide 108)."""
    note_declined_split(flow)
    hand = hand_in_turn(flow.state)
    if hand.doubled:
        _take_double_back(flow, hand)
    call_card(flow, hand, flow.state.rules.cites.card_drawn)


def _take_double_back(flow: Flow, hand: Hand) -> None:
    place, clauses = flow.state.turn, flow.state.rules.clauses("irregular.missing_card")
    for wager in hand.wagers:
        if wager.live:
            give_back_double(flow, place, wager, "void", "interim", clauses)
    flow.put(DoubleTakenBack(*place, clauses))


def call_card(flow: Flow, hand: Hand, clauses: Clauses) -> None:
    """The current hand takes a card; on a short hand the others are asked first, once."""
    flow.put(CardCalled(*flow.state.turn, clauses))
    if hand.short and not hand.went_on:
        ask_others(flow, "draw")


def refuse_stand(state: Round, command: Stand) -> Refusal | None:
    """A hand may stand unless the document makes it draw."""
    box = box_to_decide(state, command.box, command.player)
    if type(box) is Refusal:
        return box
    least = state.rules.draw.forced_below
    hand = box.hands[state.turn[1] - 1]
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
    if not hand.short or hand.went_on or not ask_others(flow, "stand"):
        next_turn(flow)


def refuse_absent(state: Round, command: Absent) -> Refusal | None:
    """Whether the absent-player clause applies to the current hand; leaving it unchanged needs a rule for it."""
    box = box_to_decide(state, command.box, command.player)
    if type(box) is Refusal:
        return box
    key = "draw.absent_by"
    if command.deal or state.rules.draw.absent_by != "dealer" or state.rules.sources[key].silent:
        return None
    return refuse("absent_is_dealt", state.rules.clauses(key), below=state.rules.draw.absent_below)


def absent(flow: Flow, command: Absent) -> None:
    """Let the next bettor present on the box decide if allowed; otherwise play by the absent-player clause."""
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
    """The next bettor with a wager on the current hand who is present."""
    box, hand = box_in_turn(state), hand_in_turn(state)
    live = {wager.player for wager in hand.wagers if wager.live}
    return next(
        (bettor.player for bettor in box.bettors if bettor.player in live and bettor.player not in box.absent), ""
    )


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
    """After a card to the current hand: settle it immediately, or let it continue."""
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
    """Whether the hand is a pair that may be split within the hand limit; a split ace has no further turn."""
    return is_pair(state, hand) and len(box.hands) < state.rules.split.max_hands


def is_pair(state: Round, hand: Hand) -> bool:
    """Whether two cards form a pair as the rulebook defines it."""
    if len(hand.cards) != INITIAL_CARDS or hand.doubled:
        return False
    first, second = hand.cards
    return points(first) == points(second) if state.rules.split.by == "value" else first[0] == second[0]


def note_declined_split(flow: Flow) -> None:
    """Record that another decision on a pair declines to split it, if that is final."""
    state = flow.state
    if not state.rules.split.decline_locks:
        return
    box = box_in_turn(state)
    if not box.split_barred and pair_may_split(state, box, hand_in_turn(state)):
        flow.put(SplitBarred(box.number, state.rules.clauses("split.decline_locks")))

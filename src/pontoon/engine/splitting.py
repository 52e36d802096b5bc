"""Splitting pairs: a second hand for an equal wager, co-bettors covering it or riding one of the two."""

from __future__ import annotations

from pontoon.engine.commands import Ride, Split
from pontoon.engine.decisions import ACE, box_to_decide, is_pair
from pontoon.engine.events import SplitCovered, SplitMade, WagerRode
from pontoon.engine.flow import Flow
from pontoon.engine.refusals import Refusal, refuse
from pontoon.engine.short_hands import refuse_short_hand
from pontoon.engine.state import Box, Hand, Round, box_in_turn, find_box, hand_in_turn, wager_of


def refuse_split(state: Round, command: Split) -> Refusal | None:
    """Whether the controller may split this hand, or a co-bettor cover the split."""
    if state.joining == "split" and state.turn[0] == command.box:
        return _refuse_answer(state, command)
    rules = state.rules
    box = box_to_decide(state, command.box)
    if _aces_were_split(find_box(state, command.box) if type(box) is Refusal else box):
        return refuse("aces_split_once", rules.cites.split_aces_once)
    if type(box) is Refusal:
        return box
    if command.player and command.player != box.controller:
        return refuse("co_bettor_may_not_split", rules.cites.split_alone, player=command.player)
    hand = box.hands[state.turn[1] - 1]
    wager = wager_of(hand, box.controller)
    if wager is None or not wager.live:
        return refuse("already_surrendered", rules.cites.surrendered, player=box.controller)
    return refuse_short_hand(state, hand) or _refuse_hand(state, box, hand)


def _aces_were_split(box: Box | None) -> bool:
    """Whether the hands of a box are split aces, each of which gets one card."""
    if box is None or len(box.hands) == 1:
        return False
    return any(hand.split and hand.cards[0][0] == ACE for hand in box.hands)


def _refuse_hand(state: Round, box: Box, hand: Hand) -> Refusal | None:
    rules = state.rules
    if not is_pair(state, hand):
        return refuse("not_a_pair", rules.clauses("split.by"), cards=" ".join(hand.cards))
    if len(box.hands) >= rules.split.max_hands:
        return refuse("hand_limit", rules.clauses("split.max_hands"), most=rules.split.max_hands)
    if box.split_barred:
        return refuse("split_declined_before", rules.clauses("split.decline_locks"), box=box.number)
    return None


def split(flow: Flow, command: Split) -> None:
    """Split the hand in two, or add a co-bettor's cover to the second hand."""
    state = flow.state
    rules, box = state.rules, box_in_turn(state)
    player = command.player or box.controller
    hand = hand_in_turn(state)
    wager = wager_of(hand, player)
    assert wager is not None
    place = state.turn
    if state.joining == "split":
        flow.put(SplitCovered(*place, player, wager.stake, rules.cites.split_covered))
        return
    clauses = rules.cites.resplit if hand.split else rules.cites.split
    flow.put(SplitMade(*place, player, wager.stake, clauses))


def refuse_ride(state: Round, command: Ride) -> Refusal | None:
    """Whether a co-bettor may leave the wager on this hand of the split."""
    rules = state.rules
    box = find_box(state, command.box)
    if state.joining != "split" or box is None or state.turn[0] != box.number:
        return refuse("no_split_to_ride", rules.clauses("split.co_bettor"), box=command.box)
    refused = _refuse_answer(state, command)
    if refused:
        return refused
    if command.on not in (1, 2):
        return refuse("ride_one_or_two", rules.clauses("split.co_bettor"), on=command.on)
    if command.on != 1 and rules.split.co_bettor == "first_hand":
        return refuse("rides_first_hand", rules.clauses("split.co_bettor"), player=command.player)
    return None


def _refuse_answer(state: Round, command: Split | Ride) -> Refusal | None:
    rules, box = state.rules, box_in_turn(state)
    player = command.player or box.controller
    second = box.hands[state.turn[1]]
    if player == box.controller:
        return refuse("card_due", rules.cites.split_order, box=box.number)
    first = wager_of(hand_in_turn(state), player)
    if wager_of(second, player) is not None or (first is not None and first.rides):
        return refuse("already_answered", rules.cites.wager_frozen, player=player)
    if first is None or not first.live:
        return refuse("no_wager_there", rules.cites.split_covered, player=player, box=box.number)
    return None


def ride(flow: Flow, command: Ride) -> None:
    """Leave the wager on one of the two hands."""
    clauses = flow.state.rules.clauses("split.co_bettor")
    flow.put(WagerRode(*flow.state.turn, command.player, command.on, clauses))

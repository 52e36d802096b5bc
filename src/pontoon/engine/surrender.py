"""Surrender: half the wager given up on the first two cards, unless the dealer makes pontoon.

Four modes: the controller binds the box; each alone with control passing down the line; each alone with the hand
frozen once the controller goes; each alone and nothing else changes.
"""

from __future__ import annotations

from pontoon.engine.commands import DeclineSurrender, Surrender
from pontoon.engine.events import ControlPassed, Stood, SurrenderDeclined, Surrendered
from pontoon.engine.flow import Flow, cite
from pontoon.engine.insurance import EVERYBODY, first_rank, has_declined
from pontoon.engine.refusals import Refusal, refuse
from pontoon.engine.state import INITIAL_CARDS, Box, Hand, Round, find_box, wager_of
from pontoon.engine.turns import next_turn

NOT_OPEN = ("cites.surrender_deadline", "surrender.first_cards")
NOT_OPEN_LATE = (*NOT_OPEN, "irregular.missed_offer")
"""The values cited when surrender is not offered; a late offer adds one."""


def surrender_is_offered(state: Round) -> bool:
    """Whether the dealer's upcard calls for the offer and some bettor could accept it."""
    rules = state.rules.surrender
    return (
        rules.timing != "turn"
        and first_rank(state) in rules.first_cards
        and any(box.hands[0].live for box in state.boxes)
    )


def refuse_surrender(state: Round, command: Surrender | DeclineSurrender) -> Refusal | None:
    """Whether this bettor may surrender here and now."""
    rules = state.rules
    box = find_box(state, command.box)
    player = command.player or (box.controller if box else "")
    wager = wager_of(box.hands[0], player) if box and box.hands else None
    if box is None or wager is None:
        return refuse("no_wager_there", rules.cites.surrendered, player=player, box=command.box)
    if wager.result:
        return refuse("already_settled", rules.cites.surrender_paid_hand, box=command.box)
    if not _is_open(state, box):
        clauses = rules.joined[NOT_OPEN_LATE if state.late_offer else NOT_OPEN]
        return refuse("surrender_not_open", clauses, first=state.dealer[0] if state.dealer else "")
    refused = _refuse_late(state, box.number, player)
    if refused:
        return refused
    if wager.surrendered:
        return refuse("already_surrendered", rules.cites.surrendered, player=player)
    if isinstance(command, DeclineSurrender) and has_declined(state, "surrender", box.number, player):
        return refuse("surrender_declined", rules.cites.surrender_offered, player=player)
    if player != box.controller and not _co_bettor_may(state, box):  # nor is there anything to decline
        return refuse("co_bettor_bound", rules.clauses("surrender.co_bettor_alone"), player=player)
    return None


def _refuse_late(state: Round, box: int, player: str) -> Refusal | None:
    """Whether a late offer includes this wager: not if the bettor declined in time."""
    if not state.late_offer or state.phase != "surrender":
        return None
    clauses = state.rules.clauses("irregular.missed_offer")
    if state.offer_to not in (EVERYBODY, (box, player)):
        return refuse("offer_is_for_another", clauses, player=state.offer_to[1])
    if has_declined(state, "surrender", box, player):
        return refuse("declined_in_time", clauses, player=player)
    return None


def _is_open(state: Round, box: Box) -> bool:
    """During the offer, or at the hand's turn on two untouched cards if the rulebook allows it."""
    rules = state.rules.surrender
    if state.phase == "surrender":  # a late offer reaches only hands that got no further card
        return _untouched(box.hands[0]) and not box.hands[0].doubled
    if state.phase != "decision" or rules.timing == "offer":
        return False
    return (
        len(state.dealer) == 1
        and first_rank(state) in rules.first_cards
        and state.turn == (box.number, 1)
        and _untouched(box.hands[0])
    )


def _untouched(hand: Hand) -> bool:
    return len(hand.cards) == INITIAL_CARDS and not hand.split and not hand.absent


def _co_bettor_may(state: Round, box: Box) -> bool:
    rules = state.rules.surrender
    controller = wager_of(box.hands[0], box.controller)
    controller_gone = controller is not None and controller.surrendered
    return rules.co_bettor_alone or (rules.mode != "controller_binds" and controller_gone)


def surrender(flow: Flow, command: Surrender) -> None:
    """Surrender one wager, or the whole box if the controller decides for it."""
    rules = flow.state.rules
    box = find_box(flow.state, command.box)
    assert box is not None
    player = command.player or box.controller
    clauses = cite(rules.cites.surrendered, rules.clauses("surrender.mode"))
    binds = rules.surrender.mode == "controller_binds"
    for wager in box.hands[0].wagers:
        if wager.live and (binds or wager.player == player):
            flow.put(Surrendered(box.number, wager.player, clauses))
    if player == box.controller:
        _controller_gone(flow, box.number)
    if flow.state.phase == "decision" and not _hand(flow.state, box.number).live:
        next_turn(flow)


def _controller_gone(flow: Flow, number: int) -> None:
    rules = flow.state.rules
    hand = _hand(flow.state, number)
    clauses = rules.clauses("surrender.mode")
    if not hand.live:
        return
    if rules.surrender.mode == "control_passes":
        heir = next(wager.player for wager in hand.wagers if wager.live)
        flow.put(ControlPassed(number, heir, clauses))
    elif rules.surrender.mode == "hand_frozen":
        flow.put(Stood(number, 1, clauses, "rule"))
        if flow.state.phase == "decision":
            next_turn(flow)


def _hand(state: Round, number: int) -> Hand:
    box = find_box(state, number)
    assert box is not None
    return box.hands[0]


def decline_surrender(flow: Flow, command: DeclineSurrender) -> None:
    """Put on record that a bettor plays on."""
    box = find_box(flow.state, command.box)
    assert box is not None
    clauses = flow.state.rules.cites.surrender_offered
    flow.put(SurrenderDeclined(box.number, command.player or box.controller, clauses))

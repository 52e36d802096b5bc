"""Whose turn it is: boxes clockwise from the dealer's left, the hands of a box in order, then the dealer.

A hand passed over by mistake comes last: before the dealer's second card if that was noticed in time, else after the
dealer's hand (adelaide 105, 106).
"""

from __future__ import annotations

from pontoon.engine.dealer import begin_dealer, conclude
from pontoon.engine.events import TurnCame
from pontoon.engine.flow import Flow
from pontoon.engine.state import Hand, Round
from pontoon.rulebook import Clauses


def next_turn(flow: Flow) -> None:
    """Go to the next hand that still needs cards or a decision; when there is none, to the dealer."""
    state = flow.state
    if len(state.dealer) > 1:
        conclude(flow)
        return
    passed = None
    for box in state.boxes:
        for number, hand in enumerate(box.hands, 1):
            if hand.stood or not hand.live:
                continue
            if not hand.skipped:
                flow.put(TurnCame(box.number, number, _clauses(state, hand)))
                return
            if hand.noticed and passed is None:
                passed = (box.number, number, hand)
    if passed is None:
        begin_dealer(flow)
    else:
        flow.put(TurnCame(passed[0], passed[1], _clauses(state, passed[2])))


def _clauses(state: Round, hand: Hand) -> Clauses:
    return state.rules.cites.split_order if hand.split else state.rules.cites.turn

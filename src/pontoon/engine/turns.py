"""Whose turn it is: boxes clockwise from the dealer's left, the hands of a box in order, then the dealer.

A hand passed over by mistake comes last: before the dealer's second card if that was noticed in time, else after the
dealer's hand (adelaide 105, 106).
"""

from __future__ import annotations

from pontoon.engine.dealer import begin_dealer, conclude
from pontoon.engine.events import TurnCame
from pontoon.engine.flow import Flow


def next_turn(flow: Flow) -> None:
    """Go to the next hand that still needs cards or a decision; when there is none, to the dealer."""
    if len(flow.state.dealer) > 1:
        conclude(flow)
    elif not _turn(flow, skipped=False) and not _turn(flow, skipped=True):
        begin_dealer(flow)


def _turn(flow: Flow, *, skipped: bool) -> bool:
    """Give the turn to the first open hand; to one passed over only if that was noticed."""
    cites = flow.state.rules.cites
    for box in flow.state.boxes:
        for number, hand in enumerate(box.hands, 1):
            if hand.live and not hand.stood and hand.skipped is skipped and (not skipped or hand.noticed):
                flow.put(TurnCame(box.number, number, cites.split_order if hand.split else cites.turn))
                return True
    return False

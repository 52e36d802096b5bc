"""Whose turn it is: boxes clockwise from the dealer's left, the hands of a box in order, then the dealer."""

from __future__ import annotations

from pontoon.engine.dealer import begin_dealer
from pontoon.engine.events import TurnCame
from pontoon.engine.flow import Flow


def next_turn(flow: Flow) -> None:
    """Go to the next hand that still needs cards or a decision; when there is none, to the dealer."""
    for box in flow.state.boxes:
        for number, hand in enumerate(box.hands, 1):
            if hand.live and not hand.stood:
                cites = flow.state.rules.cites
                flow.put(TurnCame(box.number, number, cites.split_order if hand.split else cites.turn))
                return
    begin_dealer(flow)

"""The flow of a table, in which events of the round become events of the table."""

from __future__ import annotations

from msgspec.structs import replace

from pontoon import decider
from pontoon.cards import Card
from pontoon.engine import Command, Round, Settled
from pontoon.engine.bonuses import super_bonus_hand
from pontoon.engine.decide import perform
from pontoon.engine.events import CardBurned, clauses_of
from pontoon.engine.flow import Trace as RoundTrace
from pontoon.engine.state import find_box
from pontoon.table.events import CardLeftShoe, HandCollected, InRound, TableEvent
from pontoon.table.evolve import with_round
from pontoon.table.state import Table

Flow = decider.Flow[Table, TableEvent]
"""A table, and the events that led to it."""


def play_in_round(flow: Flow, command: Command, recorded: Command | None = None) -> None:
    """Carry out a command of the round that was already checked."""
    assert flow.state.round is not None
    put_in_round(flow, perform(flow.state.round, command), recorded)


def put_in_round(flow: Flow, done: RoundTrace, recorded: Command | None = None) -> None:
    """Put the events of the round as they were applied there, the first with the decision that led to them.

    A card that was burned has left the shoe. Hands settled before the dealer's are collected before the next card.
    """
    assert flow.state.round is not None
    limits = flow.state.round.limits
    settled: dict[tuple[int, int], None] = {}
    for event, after in zip(done.events, done.states, strict=True):
        if not isinstance(event, Settled):
            _collect(flow, settled)
        state = after if after.limits is limits else replace(after, limits=limits)  # a personal limit is for one wager
        step = with_round(flow.state, event, state, recorded)
        flow.adopt(InRound(clauses_of(event), event, recorded), step)
        recorded = None
        if isinstance(event, CardBurned):
            flow.put(CardLeftShoe(clauses_of(event), event.card))
        if isinstance(event, Settled) and event.kind == "main" and event.moment == "interim":
            settled[event.box, event.hand] = None
    _collect(flow, settled)


def _collect(flow: Flow, settled: dict[tuple[int, int], None]) -> None:
    """Move finished hands to the discard rack, if the document says so."""
    table = flow.state
    places = [place for place in settled if place not in table.in_rack]
    settled.clear()
    if table.rules.shoe.collected == "after_round" or table.round is None:
        return
    for box, hand in places:
        cards = _finished(table.round, box, hand)
        if cards:
            flow.put(HandCollected(table.rules.clauses("shoe.collected"), box, hand, cards))


def _finished(state: Round, number: int, place: int) -> tuple[Card, ...]:
    """The cards of a hand whose wagers are all decided; none if it waits for a Super Bonus."""
    box = find_box(state, number)
    assert box is not None
    hand = box.hands[place - 1]
    waits = super_bonus_hand(state, box, hand) or not all(wager.result for wager in hand.wagers)
    return () if waits else hand.cards

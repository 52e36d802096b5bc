"""The flow of a table: what happens in its round is an event of the table."""

from __future__ import annotations

from msgspec.structs import replace

from pontoon import decider
from pontoon.engine import Command
from pontoon.engine.decide import perform
from pontoon.engine.events import CardBurned, clauses_of
from pontoon.engine.flow import Flow as RoundFlow
from pontoon.table.events import CardLeftShoe, InRound, TableEvent
from pontoon.table.evolve import with_round
from pontoon.table.state import Table

Flow = decider.Flow[Table, TableEvent]
"""A table, and the events that led to it."""


def play_in_round(flow: Flow, command: Command) -> None:
    """Carry out a command of the round that was checked before and not refused."""
    assert flow.state.round is not None
    put_in_round(flow, perform(flow.state.round, command))


def put_in_round(flow: Flow, done: RoundFlow) -> None:
    """Put what happened in the round, as it was applied there; a card it burned has left the shoe."""
    assert flow.state.round is not None
    limits = flow.state.round.limits
    for event, after in zip(done.events, done.states, strict=True):
        state = after if after.limits is limits else replace(after, limits=limits)  # a personal limit is for one wager
        flow.adopt(InRound(clauses_of(event), event), with_round(flow.state, event, state))
        if isinstance(event, CardBurned):
            flow.put(CardLeftShoe(clauses_of(event), event.card))

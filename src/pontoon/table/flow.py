"""The flow of a table: what happens in its round is an event of the table."""

from __future__ import annotations

from collections.abc import Iterable

from pontoon import decider, engine
from pontoon.engine.events import CardBurned, clauses_of
from pontoon.table.events import CardLeftShoe, InRound, TableEvent
from pontoon.table.state import Table

Flow = decider.Flow[Table, TableEvent]
"""A table, and the events that led to it."""


def play_in_round(flow: Flow, command: engine.Command) -> None:
    """Carry out a command of the round that was checked before and not refused."""
    assert flow.state.round is not None
    played = engine.play(flow.state.round, command)
    assert not isinstance(played, engine.Refusal), played
    put_in_round(flow, played.events)


def put_in_round(flow: Flow, events: Iterable[engine.Event]) -> None:
    """Put the events of the round; a card it burned has left the shoe."""
    for event in events:
        flow.put(InRound(clauses_of(event), event))
        if isinstance(event, CardBurned):
            flow.put(CardLeftShoe(clauses_of(event), event.card))

"""Table events on their way up, as in the engine: each is put once and the table follows at once."""

from __future__ import annotations

from collections.abc import Iterable

from pontoon.engine import Command, Event, Refusal, play
from pontoon.engine.events import CardBurned, clauses_of
from pontoon.table.events import CardLeftShoe, InRound, TableEvent
from pontoon.table.evolve import evolve_table
from pontoon.table.state import Table


class TableFlow:
    """A table and the events that led to it."""

    __slots__ = ("events", "table")

    def __init__(self, table: Table) -> None:
        """Begin at a table, without events."""
        self.table = table
        self.events: list[TableEvent] = []

    def put(self, event: TableEvent) -> None:
        """It happened."""
        self.events.append(event)
        self.table = evolve_table(self.table, event)

    def play(self, command: Command) -> None:
        """Do something inside the round that was asked before and not refused."""
        assert self.table.round is not None
        played = play(self.table.round, command)
        assert not isinstance(played, Refusal), played
        self.follow(played.events)

    def follow(self, events: Iterable[Event]) -> None:
        """The round went on; a card it burned has left the shoe."""
        for event in events:
            self.put(InRound(clauses_of(event), event))
            if isinstance(event, CardBurned):
                self.put(CardLeftShoe(clauses_of(event), event.card))

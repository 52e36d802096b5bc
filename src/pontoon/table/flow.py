"""The flow of a table: what happens in its round is an event of the table."""

from __future__ import annotations

from collections.abc import Iterable

from pontoon import decider, engine
from pontoon.engine.events import CardBurned, clauses_of
from pontoon.table.events import CardLeftShoe, InRound, TableEvent
from pontoon.table.evolve import STEPS
from pontoon.table.state import Table


class Flow(decider.Flow[Table, TableEvent]):
    """A table, and the events that led to it."""

    __slots__ = ()
    steps = STEPS

    def play(self, command: engine.Command) -> None:
        """Carry out a command of the round that was checked before and not refused."""
        assert self.state.round is not None
        played = engine.play(self.state.round, command)
        assert not isinstance(played, engine.Refusal), played
        self.follow(played.events)

    def follow(self, events: Iterable[engine.Event]) -> None:
        """Put the events of the round; a card it burned has left the shoe."""
        for event in events:
            self.put(InRound(clauses_of(event), event))
            if isinstance(event, CardBurned):
                self.put(CardLeftShoe(clauses_of(event), event.card))

"""Events on their way up, as at the table: each is put once and the tournament follows at once."""

from __future__ import annotations

from pontoon.tournament.events import TournamentEvent
from pontoon.tournament.evolve import evolve
from pontoon.tournament.state import Tournament


class TournamentFlow:
    """A tournament and the events that led to it."""

    __slots__ = ("events", "state")

    def __init__(self, state: Tournament) -> None:
        """Begin at a state, without events."""
        self.state = state
        self.events: list[TournamentEvent] = []

    def put(self, event: TournamentEvent) -> None:
        """It happened."""
        self.events.append(event)
        self.state = evolve(self.state, event)

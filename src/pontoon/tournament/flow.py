"""The flow of a tournament."""

from __future__ import annotations

from pontoon import decider
from pontoon.tournament.events import TournamentEvent
from pontoon.tournament.evolve import STEPS
from pontoon.tournament.state import Tournament


class Flow(decider.Flow[Tournament, TournamentEvent]):
    """A tournament, and the events that led to it."""

    __slots__ = ()
    steps = STEPS

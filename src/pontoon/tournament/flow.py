"""The decision flow of a tournament."""

from __future__ import annotations

from pontoon import decider
from pontoon.tournament.events import TournamentEvent
from pontoon.tournament.state import Tournament

Flow = decider.Flow[Tournament, TournamentEvent]
"""A tournament and the events put so far."""

"""Tournaments under canberra rule 20: conditions as data, a director's commands, events, and money to the cent.

A tournament runs tables but does not change their rules: the engine decides what is dealt and paid in a round.
"""

from pontoon.decider import Played
from pontoon.tournament.ballot import check_ballot, check_lots, check_seat
from pontoon.tournament.conditions.values import Conditions
from pontoon.tournament.decide import Options, decide, evolve, options, play, refusal
from pontoon.tournament.marker import wager_order
from pontoon.tournament.money import postings
from pontoon.tournament.state import Tournament, begin

__all__ = [
    "Conditions",
    "Options",
    "Played",
    "Tournament",
    "begin",
    "check_ballot",
    "check_lots",
    "check_seat",
    "decide",
    "evolve",
    "options",
    "play",
    "postings",
    "refusal",
    "wager_order",
]

"""Everything around the rounds: shoe, shuffle, cut, burn, devices, seats, limits, rulings, opening and closing.

The same five functions as the engine's, for a table: `refusal`, `options`, `decide`, `evolve`, `play`. A shuffle comes
with its order, so that chance stays data.
"""

from pontoon.decider import Played
from pontoon.table.decide import Options, decide, evolve, options, perform, play, refusal
from pontoon.table.state import Table

__all__ = ["Options", "Played", "Table", "decide", "evolve", "options", "perform", "play", "refusal"]

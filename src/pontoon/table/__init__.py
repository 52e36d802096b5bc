"""What stands around the rounds: shoe, shuffle, cut, burn, devices, seats, limits, rulings, opening and closing.

The same four functions as the engine's, for a table: `table_refusal`, `table_options`, `table_decide`, `evolve_table`;
`act` is decide and evolve in one step. A shuffle comes with its order, so that chance stays data.
"""

from pontoon.table.decide import Acted, TableOptions, act, table_decide, table_options, table_refusal
from pontoon.table.evolve import evolve_table
from pontoon.table.state import Table

__all__ = ["Acted", "Table", "TableOptions", "act", "evolve_table", "table_decide", "table_options", "table_refusal"]

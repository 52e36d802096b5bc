"""Decision tables as data: composition-dependent files, charts, and how a strategy answers the engine.

>>> from pontoon.strategy import Situation, read_strategy
>>> sorted(action for action in Situation(("8c", "8d"), "6h", may=frozenset({"hit", "split"})).may)
['hit', 'split']
"""

from pontoon.strategy.answers import answer
from pontoon.strategy.chart import Chart, ChartStrategy, read_chart
from pontoon.strategy.composition import (
    Composition,
    CompositionStrategy,
    SplitTable,
    read_composition,
    write_composition,
)
from pontoon.strategy.function_strategy import FunctionStrategy, as_strategy
from pontoon.strategy.header import made_for
from pontoon.strategy.library import find, read_strategy
from pontoon.strategy.situation import (
    UPCARDS,
    Action,
    Situation,
    Strategy,
    StrategyError,
    StrategyLike,
    hand_key,
    rank_class,
)

__all__ = [
    "UPCARDS",
    "Action",
    "Chart",
    "ChartStrategy",
    "Composition",
    "CompositionStrategy",
    "FunctionStrategy",
    "Situation",
    "SplitTable",
    "Strategy",
    "StrategyError",
    "StrategyLike",
    "answer",
    "as_strategy",
    "find",
    "hand_key",
    "made_for",
    "rank_class",
    "read_chart",
    "read_composition",
    "read_strategy",
    "write_composition",
]

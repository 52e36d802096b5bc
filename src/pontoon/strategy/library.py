"""Strategies in files: finding one and reading either form."""

from __future__ import annotations

import json
from pathlib import Path

from pontoon.shown import shown
from pontoon.strategy.chart import ChartStrategy, read_chart
from pontoon.strategy.composition import CompositionStrategy, read_composition
from pontoon.strategy.situation import Strategy, StrategyError

NAMES = ("optimal", "chart")
"""Strategies that are made for a rulebook and a shoe when asked for by name; everything else is a file."""


def find(name: str | Path) -> Strategy:
    """The strategy in this file.

    >>> find("mine.json")
    Traceback (most recent call last):
    pontoon.strategy.situation.StrategyError: no strategy 'mine.json': neither optimal, chart nor a file
    """
    path = Path(name)
    try:
        text = path.read_bytes()
    except (OSError, ValueError):
        raise StrategyError(f"no strategy {shown(str(name))}: neither {', '.join(NAMES)} nor a file") from None
    return read_strategy(text, str(path))


def read_strategy(text: str | bytes, file: str = "strategy") -> Strategy:
    """Read a strategy in either form; a composition-dependent file says its format, a chart has its totals.

    >>> read_strategy("[]", "mine.json")
    Traceback (most recent call last):
    pontoon.strategy.situation.StrategyError: mine.json: neither a composition-dependent strategy nor a chart
    """
    try:
        read = json.loads(text)
    except ValueError:
        read = None
    if isinstance(read, dict) and "format" in read:
        return CompositionStrategy(read_composition(text, file))
    if isinstance(read, dict) and "hard" in read:
        return ChartStrategy(read_chart(text, file))
    raise StrategyError(f"{file}: neither a composition-dependent strategy nor a chart")

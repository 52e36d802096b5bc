"""Which strategy is meant: one that comes with the program, by its name, or a file."""

from __future__ import annotations

import json
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from pontoon.rulebook import Rulebook, digest
from pontoon.shown import shown
from pontoon.strategy.chart import ChartStrategy, read_chart
from pontoon.strategy.composition import CompositionStrategy, read_composition
from pontoon.strategy.situation import Strategy, StrategyError

NAMES = {"optimal": "{}-{}.json", "chart": "{}-{}-chart.json"}
"""The strategies that come with the program, and how their files are called by rulebook and packs."""


def find(name: str | Path, rules: Rulebook, decks: int) -> Strategy:
    """The strategy of this name for this rulebook and shoe, or the one in this file.

    >>> from pontoon.rulebook import load
    >>> find("mine.json", load("star"), 8)
    Traceback (most recent call last):
    pontoon.strategy.situation.StrategyError: no strategy 'mine.json': neither optimal, chart nor a file
    """
    if name in NAMES:
        return _shipped(str(name), rules, decks)
    path = Path(name)
    try:
        text = path.read_bytes()
    except (OSError, ValueError):
        raise StrategyError(f"no strategy {shown(str(name))}: neither {', '.join(NAMES)} nor a file") from None
    return read_strategy(text, str(path))


def _shipped(name: str, rules: Rulebook, decks: int) -> Strategy:
    title = rules.about.name
    file = _files() / NAMES[name].format(title, decks)
    if not file.is_file():
        raise StrategyError(f"no {name} strategy comes with the program for {title} with {decks} packs; name a file")
    text = file.read_bytes()
    made_for = json.loads(text).get("digest", "")
    if made_for and made_for != digest(rules):
        raise StrategyError(f"the {name} strategy for {title} was made without these overrides; name a file")
    return read_strategy(text, file.name)


def _files() -> Traversable:
    return resources.files("pontoon.strategy") / "files"


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

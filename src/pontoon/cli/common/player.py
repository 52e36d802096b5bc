"""Shared by `risk`, `shoe` and `habits`: the strategy, the number of rounds, the seed."""

from __future__ import annotations

import json
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pontoon.cli.common.analysis import MISSING, AnalysisError, progress
from pontoon.cli.common.numbers import rounds
from pontoon.cli.common.parser import Parser, fail
from pontoon.cli.common.simulation import seed, strategy_in_file
from pontoon.cli.common.tables import show_data, wants_data
from pontoon.cli.strategy import CHART, OPTIMAL, exact_value, strategy_text
from pontoon.rulebook import Rulebook
from pontoon.strategy import Strategy, StrategyError, read_strategy

if TYPE_CHECKING:
    from pontoon.simulation import Progress

Found = TypeVar("Found")
Find = Callable[[Namespace], Found]
Data = Callable[[Found, Namespace], dict[str, object]]
Lines = Callable[[Found, Namespace], list[str]]


class Play(NamedTuple):
    """A strategy, with its exact value if known."""

    strategy: Strategy
    ev: float | None
    """The exact mean of a round in first wagers; None if it must be measured."""


def add_seed(command: Parser) -> None:
    """Add --seed."""
    command.add_argument("--seed", type=seed, default=1, help="the same seed gives the same cards (1)")


def add_rounds(command: Parser, default: int) -> None:
    """Add --rounds, the number of rounds to simulate."""
    command.add_argument(
        "--rounds", type=rounds, default=default, metavar="N", help=f"rounds to simulate, as in 1e7 ({default:.0e})"
    )


def add_strategy(command: Parser) -> None:
    """Add --strategy."""
    command.add_argument(
        "--strategy",
        default=OPTIMAL,
        metavar="WHICH",
        help="optimal (best play, the default), chart (the best chart), or a file with a strategy or a chart",
    )


def play_of(args: Namespace, rules: Rulebook) -> Play:
    """The requested strategy, computed for these rules or read from its file."""
    if args.strategy == OPTIMAL:
        return Play(read_strategy(strategy_text(OPTIMAL, args, rules)), exact_value(args, rules))
    if args.strategy == CHART:
        text = strategy_text(CHART, args, rules)
        return Play(read_strategy(text), float(json.loads(text)["ev_chart"]))
    return Play(strategy_in_file(args, rules), None)


@contextmanager
def counting(title: str, whole: int) -> Iterator[Callable[[Progress], None]]:
    """A progress bar for `on_progress` of a simulation."""
    with progress(title) as show:
        yield lambda state: show(state.rounds / whole)


def amount(dollars: str) -> str:
    """Dollars, with cents only if there are any.

    >>> amount("10.00"), amount("7.50")
    ('10', '7.50')
    """
    return dollars.removesuffix(".00")


def answer(args: Namespace, name: str, find: Find[Found], data: Data[Found], lines: Lines[Found]) -> int:
    """Compute the answer and print it as JSON or text."""
    begun = time.perf_counter()
    try:
        from pontoon.simulation import SimulationError
    except ImportError:
        return fail(MISSING)
    try:
        found = find(args)
    except (AnalysisError, SimulationError, StrategyError) as error:
        return fail(str(error))
    if wants_data(args):
        seconds = round(time.perf_counter() - begun, 3)
        return show_data(args, name, {**data(found, args), "seconds": seconds})
    print("\n".join(lines(found, args)))
    return 0

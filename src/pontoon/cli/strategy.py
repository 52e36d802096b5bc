"""`pontoon strategy`: write the best play found by the analysis to a file."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from pontoon import library
from pontoon.cli.common.analysis import (
    AnalysisError,
    add_common,
    decks_of,
    note,
    progress,
    rules_of,
    solver_of,
)
from pontoon.cli.common.output import deliver, format_of
from pontoon.cli.common.parser import Commands, Parser, fail
from pontoon.money import cents
from pontoon.rulebook import Rulebook, digest

if TYPE_CHECKING:
    from pontoon.analysis import Solver

OPTIMAL, CHART = library.OPTIMAL, library.CHART


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "strategy", help="write the best play under a rulebook to a file", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_common(command, formats=False)
    command.add_argument(
        "--out", metavar="FILE", help="the file to write, FILE.json; - is standard output (the default)"
    )
    command.set_defaults(run=_run)


_DESCRIPTION = """The best decision for every exact hand against every upcard, computed exactly from a fresh shoe. The
file is JSON, the same with and without --json; `pontoon simulate --strategy FILE` plays it."""

_EXAMPLES = """Examples:
  pontoon strategy star --out star.json
  pontoon strategy canberra --packs 4 --stake 25 --out canberra-4.json
  pontoon strategy adelaide --set split.max_hands=4 > four-hands.json"""


def _run(args: Namespace) -> int:
    try:
        format_of(args.out, None, ("json",), "json")
        text = strategy_text(OPTIMAL, args, rules_of(args))
        deliver(args.out, text.encode())
    except AnalysisError as error:
        return fail(str(error))
    return 0


# --- made once, then kept ------------------------------------------------------------------------------


def strategy_text(name: str, args: Namespace, rules: Rulebook) -> str:
    """The text of a strategy file for optimal play or the chart, from the analysis or the cache."""

    def make(solver: Solver) -> str:
        if name == CHART:
            with progress(CHART) as show:
                return library.strategy_text(name, solver, rules, show)
        with note("computing the best play"):
            return library.strategy_text(name, solver, rules)

    return _cached(f"{name}.json", args, rules, make)


def exact_value(args: Namespace, rules: Rulebook) -> float:
    """The exact value of a round with the optimal strategy."""

    def make(solver: Solver) -> str:
        from pontoon.analysis.edge import edge_of

        with progress("exact value") as show:
            return json.dumps({"ev": edge_of(solver, show).ev})

    return float(json.loads(_cached("value.json", args, rules, make))["ev"])


def _cached(name: str, args: Namespace, rules: Rulebook, make: Callable[[Solver], str]) -> str:
    packs, stake = decks_of(args, rules), cents(args.stake)
    return library.cached_text(name, rules, packs, stake, lambda: make(_solver(args, rules)))


_solvers: dict[tuple[str, int, str], Solver] = {}


def _solver(args: Namespace, rules: Rulebook) -> Solver:
    """One solver for both the strategy and the value, because it caches results."""
    key = (digest(rules), decks_of(args, rules), args.stake)
    if key not in _solvers:
        _solvers.clear()
        _solvers[key] = solver_of(args, rules)
    return _solvers[key]

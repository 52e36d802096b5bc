"""`pontoon strategy`: the best play of the analysis as a file that others can play by."""

from __future__ import annotations

import importlib.util
import json
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pontoon import cache
from pontoon.cli.analysing import AnalysisError, add_common, decks_of, note, progress, rules_of, solver_of, write_file
from pontoon.cli.parser import Commands, Parser, fail
from pontoon.rulebook import Rulebook, digest

if TYPE_CHECKING:
    from pontoon.analysis import Solver

OPTIMAL, CHART = "optimal", "chart"


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "strategy", help="write the best play of a rulebook as a file", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_common(command)
    command.add_argument("--out", metavar="FILE", help="the file to write (standard output)")
    command.set_defaults(run=_run)


_DESCRIPTION = """The best decision for every hand, card by card, against every first card of the dealer, by exact
chances from a fresh shoe. The file is JSON, the same with and without --json; `pontoon simulate --strategy FILE` plays
by it."""

_EXAMPLES = """Examples:
  pontoon strategy star --out star.json
  pontoon strategy canberra --decks 4 --stake 25 --out canberra-4.json
  pontoon strategy adelaide --set split.max_hands=4 > four-hands.json"""


def _run(args: Namespace) -> int:
    try:
        text = strategy_text(OPTIMAL, args, rules_of(args))
        if args.out is not None:
            write_file(args.out, text.encode())
    except AnalysisError as error:
        return fail(str(error))
    print(text if args.out is None else f"{args.out}\n", end="")
    return 0


# --- made once, then kept ------------------------------------------------------------------------------


def strategy_text(name: str, args: Namespace, rules: Rulebook) -> str:
    """The optimal strategy or the chart as a file's text: made by the analysis, or kept from an earlier time."""

    def make(solver: Solver) -> str:
        if name == CHART:
            import msgspec

            from pontoon.analysis.chart import chart_of

            with progress(CHART) as show:
                return msgspec.json.encode(chart_of(solver, rules, show)).decode()
        from pontoon.analysis.export import strategy_of
        from pontoon.strategy import write_composition

        with note("working out the best play"):
            return write_composition(strategy_of(solver, rules))

    return _kept(f"{name}.json", args, rules, make)


def exact_value(args: Namespace, rules: Rulebook) -> float:
    """What a round is worth under the optimal strategy, by the analysis."""

    def make(solver: Solver) -> str:
        from pontoon.analysis.edge import edge_of

        with progress("exact value") as show:
            return json.dumps({"ev": edge_of(solver, show).ev})

    return float(json.loads(_kept("value.json", args, rules, make))["ev"])


def _kept(name: str, args: Namespace, rules: Rulebook, make: Callable[[Solver], str]) -> str:
    """What was made of the same rules by the same analysis, or make it now. The cache may be missing or read-only."""
    decks = decks_of(args, rules)
    file = _cache() / f"{rules.about.name}-{digest(rules)}-{decks}-{args.stake}-{name}"
    try:
        text = file.read_text(encoding="utf-8")
        json.loads(text)
    except (OSError, ValueError):
        text = make(_solver(args, rules))
        cache.put(file, text.encode())
    return text


_solvers: dict[tuple[str, int, str], Solver] = {}


def _solver(args: Namespace, rules: Rulebook) -> Solver:
    """One solver for the strategy and the value: it remembers what it has worked out."""
    key = (digest(rules), decks_of(args, rules), args.stake)
    if key not in _solvers:
        _solvers.clear()
        _solvers[key] = solver_of(args, rules)
    return _solvers[key]


def _cache() -> Path:
    """A folder of the user's cache for this very analysis: whoever edits it starts a new one."""
    spec = importlib.util.find_spec("pontoon.analysis")
    assert spec is not None
    assert spec.origin is not None
    return cache.folder("strategies", Path(spec.origin).parent)

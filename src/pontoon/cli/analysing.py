"""What the analysing commands share: rulebook, packs, stake, a note while compiling, a line of progress."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from pontoon.cli.parser import Parser, add_settings, rulebook_name
from pontoon.money import MoneyError, cents, dollars
from pontoon.rulebook import Rulebook, RulebookError, load

if TYPE_CHECKING:
    from pontoon.analysis import Solver

STAKE = "10"
MISSING = "this command needs numpy and numba: pip install 'pontoon21[fast]'"


class AnalysisError(ValueError):
    """One line for whoever asked."""


def add_common(command: Parser, *, rulebook: bool = True) -> None:
    """Add RULEBOOK, --decks, --stake, --set and --json."""
    if rulebook:
        command.add_argument("rulebook", metavar="RULEBOOK", type=rulebook_name, help="star, canberra, ...")
    command.add_argument("--decks", type=int, default=0, help="packs in the shoe (default: the rulebook's)")
    command.add_argument(
        "--stake", type=stake, default=STAKE, help="the first wager in dollars; the Super Bonus depends on it (10)"
    )
    command.add_argument("--json", action="store_true", help="one JSON object instead of text")
    add_settings(command)


def stake(text: str) -> str:
    """A stake in dollars, for `type=`."""
    with suppress(MoneyError):
        if (amount := cents(text)) > 0:
            return dollars(amount)
    raise ArgumentTypeError(f"{text!r} is not a stake; write dollars, as in 10 or 7.50")


def rules_of(args: Namespace) -> Rulebook:
    """The rulebook with its overrides, the number of packs checked."""
    try:
        rules = load(args.rulebook, dict(args.settings))
    except RulebookError as error:
        raise AnalysisError(str(error)) from None
    decks_of(args, rules)
    return rules


def decks_of(args: Namespace, rules: Rulebook) -> int:
    """The packs asked for, if the document allows them."""
    decks: int = args.decks or rules.decks.default
    if decks not in rules.decks.allowed:
        allowed = ", ".join(map(str, rules.decks.allowed))
        raise AnalysisError(f"--decks {decks}: this document allows {allowed}")
    return decks


def solver_of(args: Namespace, rules: Rulebook) -> Solver:
    """The solver for what was asked, with a note if its code must be compiled first."""
    solver_class = ready()
    return solver_class(rules, decks_of(args, rules), stake=args.stake)


def ready() -> type[Solver]:
    """Import the solver; say so when the first use of it will take a while."""
    try:
        from pontoon.analysis import jit
        from pontoon.analysis.solver import Solver
    except ImportError:
        raise AnalysisError(MISSING) from None
    if not jit.is_compiled():
        print("pontoon: compiling the analysis for this machine, once (about ten seconds) ...", file=sys.stderr)
    return Solver


@contextmanager
def progress(title: str) -> Iterator[Callable[[float], None]]:
    """A line on the terminal that grows with the work; nothing where nobody looks."""
    start = time.monotonic()
    shown = False

    def show(part: float) -> None:
        nonlocal shown
        if sys.stderr.isatty() and time.monotonic() - start > 1:
            shown = True
            bar = "#" * int(30 * min(part, 1.0))
            print(f"\r{title} [{bar:<30}] {part:4.0%}", end="", file=sys.stderr, flush=True)

    yield show
    if shown:
        print(f"\r{'':70}\r", end="", file=sys.stderr, flush=True)

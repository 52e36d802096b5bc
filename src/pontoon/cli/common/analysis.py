"""Shared by the analysis commands: rulebook, packs, stake, a note while compiling, a progress bar."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from pontoon.cli.common.numbers import dollars_of
from pontoon.cli.common.parser import Parser, add_formats, add_packs, add_rulebook, add_settings
from pontoon.quoting import quoted
from pontoon.rulebook import Rulebook, RulebookError, digest, load

if TYPE_CHECKING:
    from pontoon.analysis import Solver

STAKE = "10"
WIDE = 100
"""Characters in a line of text."""
COMPILING = "\rpontoon: compiling for this machine, once (about ten seconds) ..."
MISSING = "this command needs numpy and numba: pip install 'pontoon21[fast]'"


class AnalysisError(ValueError):
    """An error shown to the user as one line."""


def add_common(command: Parser, *, rulebook: bool = True, formats: bool = True) -> None:
    """Add RULEBOOK, --packs, --stake, --set, --json, and --format unless the command has its own."""
    if rulebook:
        add_rulebook(command)
    add_packs(command)
    command.add_argument(
        "--stake", type=dollars_of, default=STAKE, help="the first wager in dollars; the Super Bonus depends on it (10)"
    )
    if formats:
        add_formats(command)
    else:
        command.add_argument("--json", action="store_true", help="one JSON object instead of text")
    add_settings(command)


def rules_of(args: Namespace) -> Rulebook:
    """The rulebook with its overrides, after checking the number of packs."""
    try:
        rules = load(args.rulebook, dict(args.settings))
    except RulebookError as error:
        raise AnalysisError(str(error)) from None
    decks_of(args, rules)
    return rules


def decks_of(args: Namespace, rules: Rulebook) -> int:
    """The number of packs requested; an error if the document does not allow it."""
    decks: int = args.decks or rules.decks.default
    if decks not in rules.decks.allowed:
        allowed = ", ".join(map(str, rules.decks.allowed))
        raise AnalysisError(f"--packs {decks}: this document allows {allowed}")
    return decks


def about(rules: Rulebook, decks: int, args: Namespace) -> dict[str, object]:
    """The first keys of every JSON answer."""
    return {
        "rulebook": rules.about.name,
        "digest": digest(rules),
        "overrides": {override.key: override.value for override in rules.overrides},
        "decks": decks,
        "stake": args.stake,
    }


def write_file(place: str | Path, content: bytes) -> None:
    """Write an output file."""
    try:
        Path(place).write_bytes(content)
    except (OSError, ValueError) as error:
        raise unwritable(place, error) from None


def unwritable(place: str | Path, error: Exception) -> AnalysisError:
    """The error for a file that cannot be written."""
    return AnalysisError(f"cannot write {quoted(str(place))}: {getattr(error, 'strerror', None) or error}")


def solver_of(args: Namespace, rules: Rulebook) -> Solver:
    """The solver for these arguments, with a note if its code must be compiled first."""
    solver_class = ready()
    return solver_class(rules, decks_of(args, rules), stake=args.stake)


def ready() -> type[Solver]:
    """Import the solver; print a note if it must be compiled."""
    try:
        from pontoon.analysis.solver import Solver
    except ImportError:
        raise AnalysisError(MISSING) from None
    say_when_compiling()
    return Solver


@cache
def say_when_compiling() -> None:
    """Print the note once when numba starts to compile: only numba knows what is already cached."""
    from numba.core import event

    class Note(event.Listener):
        said = False

        def on_start(self, event: object) -> None:  # noqa: ARG002 whatever it is
            if not self.said:
                self.said = True
                print(COMPILING, file=sys.stderr, flush=True)

        def on_end(self, event: object) -> None:
            pass

    event.register("numba:compile", Note())  # type: ignore[no-untyped-call]


@contextmanager
def note(text: str) -> Iterator[None]:
    """Show a short note on the terminal while something takes a few seconds."""
    shown = f"{text} ..." if sys.stderr.isatty() else ""
    print(shown, end="", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        if shown:
            print(f"\r{'':{len(shown)}}\r", end="", file=sys.stderr, flush=True)


@contextmanager
def progress(title: str) -> Iterator[Callable[[float], None]]:
    """Show a progress bar on a terminal; nothing if the output is not a terminal."""
    start = time.monotonic()
    shown = False

    def show(part: float) -> None:
        nonlocal shown
        if sys.stderr.isatty() and (part == 0 or time.monotonic() - start > 1):
            shown = True
            bar = "#" * int(30 * min(part, 1.0))
            line = f"{title} [{bar:<30}] {part:4.0%}"
            print("\r" + line[: get_terminal_size().columns - 1], end="", file=sys.stderr, flush=True)

    show(0.0)
    try:
        yield show
    finally:
        if shown:
            print(f"\r{'':{get_terminal_size().columns - 1}}\r", end="", file=sys.stderr, flush=True)

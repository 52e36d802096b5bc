"""The `pontoon` command. It contains no rules: it reads arguments, calls the layers below and prints their results.

Built on argparse, which starts in a tenth of the time of larger frameworks and adds no dependency.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from pontoon.cli.common.parser import Parser, fail
from pontoon.version import __version__

INTERRUPTED, BROKEN_PIPE = 130, 141
COMMANDS = (
    *("play", "drill", "deal", "rule", "rules", "settle", "school", "verify"),
    *("edge", "ev", "chart", "side", "whatif", "count", "bet", "compare", "sweep", "strategy", "report"),
    *("simulate", "risk", "shoe", "habits"),
    *("serve", "account", "admin", "backup", "migrate"),
    "schema",
    "tournament",
)
"""Modules of this package, one command each, in the order of the help: at the table, analysis, simulation, server."""


def parser(only: str = "") -> Parser:
    """The whole command line, or as much of it as one command needs: each has its own imports."""
    top = Parser(
        prog="pontoon",
        description="Casino Pontoon by the book: five rulebooks, every round settled by its clause.",
        epilog="Examples:\n  pontoon play\n  pontoon drill star\n  pontoon rules canberra\n  pontoon settle round.prt\n"
        "  pontoon rule round.prt\n  pontoon deal star --out rounds\n"
        "  pontoon ev star --hand 88 --dealer 10\n  pontoon chart canberra\n"
        "  pontoon simulate star --rounds 1e8\n  pontoon serve --demo\n"
        "  pontoon verify shoe rounds/shoe-0001.shoe.json\n\n"
        "`pontoon COMMAND --help` shows the options and examples of a command.",
    )
    top.add_argument("--version", action="version", version=f"pontoon {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for name in (only,) if only in COMMANDS else COMMANDS:
        import_module(f"pontoon.cli.{name}").add_to(commands)
    return top


def _forget_output() -> None:
    """Let the interpreter close a broken standard output without an error message."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _spelled_out(given: list[str]) -> list[str]:
    """The arguments with a position (docs/positions.md) after `ev` written as its options."""
    if len(given) < 2 or given[0] != "ev" or "|" not in given[1]:
        return given
    from pontoon.trainer.position import PositionError, read_position

    try:
        position = read_position(given[1])
    except PositionError as error:
        sys.exit(fail(str(error)))
    options = ["--packs", str(position.packs), "--hand", " ".join(position.hand), "--dealer", position.dealer]
    options += ["--out", " ".join(position.seen)] if position.seen else []
    options += ["--doubled"] * position.doubled + ["--after-split"] * position.split
    return ["ev", position.rulebook, *options, *given[2:]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; bad usage prints one line and returns 2, Ctrl-C prints nothing."""
    if sys.stderr is None:  # closed by the caller
        sys.stderr = io.StringIO()
    for stream in (sys.stdout, sys.stderr):  # a name the terminal cannot display must not stop the program
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    given = _spelled_out(sys.argv[1:] if arguments is None else list(arguments))
    top = parser(given[0] if given else "")
    args = top.parse_args(given)
    if not args.command:
        top.print_help()
        sys.exit(0)
    try:
        status = args.run(args)
        if sys.stdout is not None:  # closed by the caller
            sys.stdout.flush()
    except KeyboardInterrupt:
        status = INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        status = BROKEN_PIPE
    except OSError as error:  # the disk is full, the terminal is gone
        _forget_output()
        status = fail(f"cannot write: {error.strerror}")
    sys.exit(status)

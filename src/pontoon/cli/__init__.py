"""The `pontoon` command. Holds no rule: reads arguments, calls the layers below, prints what `view` says.

Built on argparse: it starts in a tenth of the time of the larger frameworks and brings no dependency.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from pontoon import __version__
from pontoon.cli import play, rules, settle
from pontoon.cli.parser import Parser

INTERRUPTED, BROKEN_PIPE = 130, 141


def parser() -> Parser:
    """The whole command line."""
    top = Parser(
        prog="pontoon",
        description="Casino Pontoon by the book: five rulebooks, every round settled by its clause.",
        epilog="Examples:\n  pontoon play\n  pontoon rules canberra\n  pontoon settle round.prt\n\n"
        "`pontoon COMMAND --help` shows the options and examples of a command.",
    )
    top.add_argument("--version", action="version", version=f"pontoon {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for command in (play, rules, settle):
        command.add_to(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; bad usage is one line and exit status 2, Ctrl-C is quiet."""
    top = parser()
    args = top.parse_args(arguments)
    if not args.command:
        top.print_help()
        sys.exit(0)
    try:
        status = args.run(args)
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = BROKEN_PIPE
    sys.exit(status)

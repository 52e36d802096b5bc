"""`pontoon verify`: check what the house has proved."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path

import msgspec

from pontoon.cli.parser import Commands, Parser, fail
from pontoon.shown import shown
from pontoon.table.fairness import ShoeFileError, read, verify

FAIR, FAULT = 0, 1

_MARKS = {True: "✓", False: "✗", None: "·"}


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser("verify", help="check a shoe against what was published", description=_DESCRIPTION)
    things = command.add_subparsers(title="what", metavar="WHAT", dest="what", required=True)
    shoe = things.add_parser(
        "shoe", help="check cards, order, cut and burn of a shoe", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    shoe.add_argument("file", metavar="FILE", help="a shoe file (.shoe.json); - is standard input")
    shoe.add_argument("--json", action="store_true", help="the checks as one JSON object")
    shoe.set_defaults(run=_verify_shoe)


_DESCRIPTION = """Check a shoe against what the house published before the first wager: the seeds, the shuffle made
again from them, and each dealt card's proof and place after cut and burn. A shoe still in play is checked as far as
it goes."""

_EXAMPLES = """Examples:
  pontoon verify shoe table-1.shoe.json
  pontoon verify shoe --json table-1.shoe.json

The same without this program: python3 verify_shoe.py table-1.shoe.json

Exit status: 0 no check failed; 1 a check failed; 2 the file cannot be read."""


def _verify_shoe(args: Namespace) -> int:
    try:
        content = sys.stdin.buffer.read() if args.file == "-" else Path(args.file).read_bytes()
        record = read(content)
    except OSError as error:
        return fail(f"{args.file}: {error.strerror}")
    except ShoeFileError as error:
        return fail(f"{args.file}: {error}")
    checks = verify(record)
    failed = [one.name for one in checks if one.ok is False]
    open_yet = [one.name for one in checks if one.ok is None]
    if args.json:
        data = {"shoe": record.shoe, "ok": not failed, "complete": not open_yet, "checks": msgspec.to_builtins(checks)}
        print(json.dumps(data, indent=2))
    else:
        name = record.shoe if record.shoe.isprintable() else shown(record.shoe)
        print(f"{name}: {record.packs} packs, {len(record.dealt)} cards dealt")
        for one in checks:
            print(f"  {_MARKS[one.ok]} {one.name}: {one.words}")
        print(_summary(failed, open_yet))
    return FAULT if failed else FAIR


def _summary(failed: list[str], open_yet: list[str]) -> str:
    if failed:
        return f"NOT as published: {', '.join(failed)}"
    if open_yet:
        return f"as published so far; cannot be checked yet: {', '.join(open_yet)}"
    return "as published"

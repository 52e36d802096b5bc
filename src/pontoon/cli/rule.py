"""`pontoon rule`: the remedies for an error at the table, with clauses, money and approval."""

from __future__ import annotations

import argparse
import json
import sys
from argparse import Namespace

from msgspec.structs import replace

from pontoon.cli.parser import Commands, Parser, add_settings, fail, rulebook_name
from pontoon.cli.settle import UNREADABLE, folder_of, read_file
from pontoon.quoting import quoted
from pontoon.rulebook import RulebookError, load
from pontoon.rulebook.remedies import KINDS
from pontoon.transcript import TranscriptError, read_bytes
from pontoon.transcript.remedies import listing
from pontoon.transcript.ruling import rule
from pontoon.view.ruling import list_data, list_lines, ruling_data, ruling_lines

RULED, SILENT = 0, 1
MOST_BOX = 7


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "rule",
        help="remedies for an error: clauses, money, approval",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
    )
    command.add_argument("file", metavar="FILE", nargs="?", help="a transcript up to the error; - is standard input")
    command.add_argument(
        "--error", metavar="KIND", choices=tuple(KINDS), default="", help="the kind of error, if no line states it"
    )
    command.add_argument("--box", metavar="N", type=_box, default=0, help="the box concerned")
    command.add_argument(
        "--list", dest="book", metavar="RULEBOOK", type=rulebook_name, default=None, help="every error under a rulebook"
    )
    command.add_argument("--json", action="store_true", help="one JSON object (with --list a list)")
    add_settings(command)
    command.set_defaults(run=_rule)


_DESCRIPTION = """Given a round up to an error, list the remedies the document allows, with clauses, who must approve,
and cards and money before and after each. The last line states the error (dealer exposed, dealer burn 7d,
dealer skipped b1, dealer skipped dealer, dealer omitted insurance, dealer omitted surrender), or use --error.
This is advice only: nothing is changed."""

_EXAMPLES = f"""Kinds of errors:
  {", ".join(list(KINDS)[:9])},
  {", ".join(list(KINDS)[9:])}

Examples:
  pontoon rule round.prt
  pontoon rule --error misplaced --box 3 round.prt
  pontoon rule --error found_late round.prt
  pontoon rule --list adelaide

Exit status: 0 the document has a rule; 1 it is silent and the house decides; 2 the input cannot be read."""


def _box(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) == 1 and 1 <= int(text) <= MOST_BOX:
        return int(text)
    message = f"{quoted(text)} is not a box from 1 to {MOST_BOX}"
    raise argparse.ArgumentTypeError(message)


def _rule(args: Namespace) -> int:
    if (args.file is None) == (args.book is None):
        return fail("give one transcript, or --list with a rulebook")
    overrides = dict(args.settings)
    if args.book and (args.error or args.box):
        return fail("--list shows every error; --error and --box belong to a transcript")
    if args.book:
        return _list(args.book, overrides, as_json=args.json)
    try:
        transcript = read_bytes(read_file(args.file), folder_of(args.file))
        transcript = replace(transcript, overrides={**transcript.overrides, **overrides})
        ruling = rule(transcript, args.error, args.box)
    except TranscriptError as error:
        print(f"{args.file if args.file.isprintable() else quoted(args.file)}: {error}", file=sys.stderr)
        return UNREADABLE
    print(json.dumps(ruling_data(ruling), indent=2) if args.json else "\n".join(ruling_lines(ruling)))
    return SILENT if ruling.silent else RULED


def _list(name: str, overrides: dict[str, object], *, as_json: bool) -> int:
    try:
        rules = load(name, overrides)
    except RulebookError as error:
        return fail(str(error))
    entries = listing(rules)
    print(json.dumps(list_data(entries), indent=2) if as_json else "\n".join(list_lines(rules, entries)))
    return RULED

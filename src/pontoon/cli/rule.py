"""`pontoon rule`: the remedies for an error at the table, with clauses, money and approval."""

from __future__ import annotations

import argparse
import sys
from argparse import Namespace

from msgspec.structs import replace

from pontoon.cards import PACK
from pontoon.cli.common.parser import Commands, Parser, add_formats, add_settings, fail, rulebook_name
from pontoon.cli.common.tables import json_text, show_data, wants_data
from pontoon.cli.settle import UNREADABLE, folder_of, read_file
from pontoon.money import cents
from pontoon.quoting import quoted
from pontoon.rulebook import RulebookError, load
from pontoon.rulebook.remedies import KINDS
from pontoon.transcript import Transcript, TranscriptError, read_bytes
from pontoon.transcript.house_errors import HOUSE_KINDS, Case, house_listing, house_ruling
from pontoon.transcript.remedies import listing
from pontoon.transcript.ruling import Ruling, rule
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
        "--error",
        metavar="KIND",
        choices=(*KINDS, *HOUSE_KINDS),
        default="",
        help="the kind of error, if no line states it",
    )
    command.add_argument("--box", metavar="N", type=_box, default=0, help="the box concerned")
    command.add_argument("--player", metavar="NAME", default="", help="the player, if several bet on the box")
    command.add_argument(
        "--paid", metavar="AMOUNT", type=_paid, default=None, help="for wrong_pay: what was paid; --paid=-25 was taken"
    )
    command.add_argument("--card", metavar="CARD", type=_card, default=None, help="for card_found: the card, as in 7s")
    command.add_argument(
        "--list", dest="book", metavar="RULEBOOK", type=rulebook_name, default=None, help="every error under a rulebook"
    )
    add_formats(command, "one JSON object (with --list a list)")
    add_settings(command)
    command.set_defaults(run=_rule)


_DESCRIPTION = """Given a round up to an error, list the remedies the document allows, with clauses, who must approve,
and cards and money before and after each. The last line states the error (dealer exposed, dealer burn 7d,
dealer skipped b1, dealer skipped dealer, dealer omitted insurance, dealer omitted surrender), or use --error.
This is advice only: nothing is changed."""

_EXAMPLES = f"""Kinds of errors:
  {", ".join(list(KINDS)[:9])},
  {", ".join(list(KINDS)[9:])},
  {", ".join(HOUSE_KINDS)}

Examples:
  pontoon rule round.prt
  pontoon rule --error misplaced --box 3 round.prt
  pontoon rule --error found_late round.prt
  pontoon rule --error wrong_pay --box 1 --paid 37.50 round.prt
  pontoon rule --error late_bet --box 3 --player Ann round.prt
  pontoon rule --error card_found --card 7s round.prt
  pontoon rule --list adelaide

Exit status: 0 the document has a rule; 1 it is silent and the house decides; 2 the input cannot be read."""


def _box(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) == 1 and 1 <= int(text) <= MOST_BOX:
        return int(text)
    message = f"{quoted(text)} is not a box from 1 to {MOST_BOX}"
    raise argparse.ArgumentTypeError(message)


def _paid(text: str) -> int:
    sign = -1 if text.startswith("-") else 1
    try:
        return sign * cents(text.removeprefix("-").removeprefix("$"))
    except ValueError:
        message = f"{quoted(text)} is not an amount such as 37.50 or -25"
        raise argparse.ArgumentTypeError(message) from None


def _card(text: str) -> str:
    card = text[:-1].upper() + text[-1:].lower()
    if card in PACK:
        return card
    message = f"{quoted(text)} is not a card such as 7s or Kd"
    raise argparse.ArgumentTypeError(message)


def _ruling(transcript: Transcript, args: Namespace) -> Ruling:
    """The ruling for the error that is named, or that the last line states."""
    if args.error in HOUSE_KINDS:
        return house_ruling(transcript, Case(args.error, args.box, args.player, args.paid, args.card or ""))
    given = {"--player": args.player, "--paid": args.paid is not None, "--card": args.card}
    for name in (name for name, value in given.items() if value):
        raise TranscriptError(name, f"belongs to --error {' or '.join(HOUSE_KINDS)}")
    return rule(transcript, args.error, args.box)


def _rule(args: Namespace) -> int:
    if (args.file is None) == (args.book is None):
        return fail("give one transcript, or --list with a rulebook")
    overrides = dict(args.settings)
    if args.book and (args.error or args.box):
        return fail("--list shows every error; --error and --box belong to a transcript")
    if args.file and args.format in ("csv", "parquet"):
        return fail(f"--format {args.format}: a ruling is not a table; --json has all of it")
    if args.book:
        return _list(args, overrides)
    try:
        transcript = read_bytes(read_file(args.file), folder_of(args.file))
        transcript = replace(transcript, overrides={**transcript.overrides, **overrides})
        ruling = _ruling(transcript, args)
    except TranscriptError as error:
        print(f"{args.file if args.file.isprintable() else quoted(args.file)}: {error}", file=sys.stderr)
        return UNREADABLE
    print(json_text("rule", ruling_data(ruling)) if wants_data(args) else "\n".join(ruling_lines(ruling)))
    return SILENT if ruling.silent else RULED


def _list(args: Namespace, overrides: dict[str, object]) -> int:
    try:
        rules = load(args.book, overrides)
    except RulebookError as error:
        return fail(str(error))
    entries = (*listing(rules), *house_listing(rules))
    if wants_data(args):
        return show_data(args, "rule-list", list_data(entries))
    print("\n".join(list_lines(rules, entries)))
    return RULED

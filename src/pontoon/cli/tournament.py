"""`pontoon tournament`: check the conditions of a tournament, print them for patrons and the commission, play it."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pontoon.cli.common.analysis import AnalysisError, write_file
from pontoon.cli.common.parser import Commands, Parser, fail
from pontoon.cli.common.tables import json_text
from pontoon.cli.tournament_folder import find_beside
from pontoon.cli.tournament_run import add_run
from pontoon.quoting import quoted

if TYPE_CHECKING:
    from pontoon.tournament.conditions.check import Fault
    from pontoon.tournament.conditions.values import Conditions

IN_ORDER, FAULTY, UNREADABLE = 0, 1, 2


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "tournament", help="tournaments under canberra rule 20", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    things = command.add_subparsers(title="what", metavar="WHAT", dest="what", required=True)
    check = things.add_parser(
        "check", help="check that the conditions are complete", description=_CHECK, epilog=_CHECK_EXAMPLES
    )
    check.set_defaults(run=_check)
    printed = things.add_parser(
        "conditions",
        help="print the conditions for patrons and the commission",
        description=_PRINT,
        epilog=_PRINT_EXAMPLES,
    )
    form = printed.add_mutually_exclusive_group()
    form.add_argument("--html", metavar="OUT", help="write an HTML page to OUT instead")
    form.add_argument("--markdown", action="store_true", help="as markdown")
    printed.set_defaults(run=_conditions)
    for command, target in ((check, check), (printed, form)):
        command.add_argument("file", metavar="FILE", help="the conditions (.toml); - is standard input")
        target.add_argument("--json", action="store_true", help="as JSON")
    add_run(things)


_DESCRIPTION = (
    """Tournaments under rule 20 of the canberra rulebook. The conditions are a file (docs/tournaments.md)."""
)

_EXAMPLES = """Examples:
  pontoon tournament check examples/tournaments/spring-knock-out.toml
  pontoon tournament conditions examples/tournaments/spring-knock-out.toml
  pontoon tournament run examples/tournaments/spring-knock-out.toml --out spring

`pontoon tournament WHAT --help` shows the options and examples of each."""

_CHECK = """List everything missing, wrong or contradictory in the conditions of a tournament, each fault with the
clause of rule 20 that it violates."""

_CHECK_EXAMPLES = """Examples:
  pontoon tournament check spring.toml
  pontoon tournament check --json spring.toml
  pontoon tournament check - < spring.toml

Exit status: 0 in order; 1 there are faults; 2 the file cannot be read."""

_PRINT = """Print the conditions of a tournament as the document for patrons and the commission: in the order of
rule 20.3, every paragraph with its clause, prizes to the cent for the minimum, a medium and the maximum number of
players. The digest at the bottom identifies exactly these conditions."""

_PRINT_EXAMPLES = """Examples:
  pontoon tournament conditions spring.toml
  pontoon tournament conditions spring.toml --html spring.html
  pontoon tournament conditions spring.toml --markdown > spring.md
  pontoon tournament conditions spring.toml --json

Exit status: 0 printed; 1 there are faults, `pontoon tournament check` lists them; 2 the file cannot be read, or OUT
cannot be written."""


class UnreadableError(ValueError):
    """The file is missing or not text; the message is one line for the user."""


def read_text(file: str) -> str:
    """The text of a file or of standard input, up to the size limit of conditions."""
    from pontoon.tournament.conditions import load

    try:
        if file == "-":
            data = sys.stdin.buffer.read(load.LARGEST + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(load.LARGEST + 1)
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        why = "not a text in UTF-8"
    except (OSError, ValueError) as error:  # ValueError: a name with a null character
        why = getattr(error, "strerror", None) or "cannot be read"
    raise UnreadableError(f"{_named(file)}: {why}")


def _named(file: str) -> str:
    return file if file.isprintable() else quoted(file)


def _check(args: Namespace) -> int:
    from pontoon.tournament.conditions import load

    try:
        conditions, faults = load.examine(read_text(args.file), args.file, find_beside(args.file))
    except (UnreadableError, load.ConditionsError) as error:
        return fail(str(error))
    print(_as_json(args.file, conditions, faults) if args.json else "\n".join(_lines(args.file, conditions, faults)))
    return FAULTY if faults else IN_ORDER


def _as_json(file: str, conditions: Conditions | None, faults: tuple[Fault, ...]) -> str:
    from pontoon.tournament.conditions import load

    data = {
        "file": file,
        "in_order": not faults,
        "digest": load.digest(conditions) if conditions and not faults else None,
        "faults": msgspec.to_builtins(faults),
        "warnings": msgspec.to_builtins(_warnings(conditions, faults)),
    }
    return json_text("tournament-check", data)


def _warnings(conditions: Conditions | None, faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
    """What may surprise in conditions that are in order."""
    from pontoon.tournament.conditions.check import warnings

    return warnings(conditions) if conditions and not faults else ()


def _lines(file: str, conditions: Conditions | None, faults: tuple[Fault, ...]) -> list[str]:
    from pontoon.tournament.conditions import load

    if conditions and not faults:
        notes = [f"  warning: {warning.words} [{warning.clause}]" for warning in _warnings(conditions, faults)]
        return [f"{_named(file)}: in order", *notes, f"digest {load.digest(conditions)}"]
    width = max(len(fault.clause) for fault in faults)
    number = f"{len(faults)} fault{'s' if len(faults) > 1 else ''}"
    return [f"{_named(file)}: {number}", *(f"  {fault.clause:{width}}  {fault.words}" for fault in faults)]


def _conditions(args: Namespace) -> int:
    from pontoon.tournament.conditions import document, load

    try:
        conditions = load.read(read_text(args.file), args.file, find_beside(args.file))
    except load.ConditionsError as error:
        fail(str(error))
        return FAULTY if error.faults else UNREADABLE
    except UnreadableError as error:
        return fail(str(error))
    if args.html is None:
        print(_printed(conditions, args))
        return IN_ORDER
    try:
        write_file(args.html, document.page(conditions).encode())
    except AnalysisError as error:
        return fail(str(error))
    print(args.html)
    return IN_ORDER


def _printed(conditions: Conditions, args: Namespace) -> str:
    from pontoon.tournament.conditions import document, load

    if args.json:
        paper = msgspec.to_builtins(document.document(conditions))
        data = {"digest": load.digest(conditions), "conditions": load.plain(conditions), "paper": paper}
        return json_text("tournament-conditions", data, unicode=True)
    return document.markdown(conditions).rstrip() if args.markdown else "\n".join(document.lines(conditions))

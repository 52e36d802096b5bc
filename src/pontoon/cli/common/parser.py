"""User-friendly argument parsing: help with examples, one clear line for bad usage."""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from pontoon.cli.common import numbers
from pontoon.rulebook import NAMES, RulebookError, load, parse_setting

Commands = argparse._SubParsersAction  # noqa: SLF001 argparse has no public name for it
BAD_USAGE = 2
FORMATS = ("text", "json", "csv", "parquet")


class Parser(argparse.ArgumentParser):
    """A parser whose help keeps its line breaks and whose errors are one line."""

    def __init__(self, **options: object) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        options.setdefault("allow_abbrev", False)
        super().__init__(**options)  # type: ignore[arg-type]

    def parse_known_args(  # type: ignore[override] # argparse has overloads for the kind of namespace
        self,
        args: Sequence[str] | None = None,
        namespace: Any = None,  # noqa: ANN401 as in argparse
    ) -> tuple[Any, list[str]]:
        """Report an unknown argument here: argparse would leave it to the program, whose help does not list it."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown and not any(isinstance(action, Commands) for action in self._actions):
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Exit with a one-line message that suggests what was meant and points to the help."""
        print(f"{self.prog}: {message}{self._meant(message)} (see {self.prog} --help)", file=sys.stderr)
        sys.exit(BAD_USAGE)

    def _meant(self, message: str) -> str:
        """The command or option nearest to an unknown one, as a question."""
        choice = re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message)
        option = re.search(r"unrecognized arguments: (--[\w-]+)", message)
        if choice:
            return near(choice[1], re.findall(r"[\w-]+", choice[2]))
        return near(option[1], list(self._every_option())) if option else ""

    def _every_option(self) -> set[str]:
        """The options of this parser and of its commands: argparse reports an unknown one at the top."""
        found = set(self._option_string_actions)
        for action in self._actions:
            if isinstance(action, Commands):
                for command in action.choices.values():
                    found |= set(command._option_string_actions)  # noqa: SLF001 no public name
        return found


def near(word: str, known: list[str]) -> str:
    """A suggestion of the nearest known word; empty if none is close.

    >>> near("ege", ["edge", "ev"])
    '; did you mean edge?'
    """
    found = difflib.get_close_matches(word, known, n=1)
    return f"; did you mean {found[0]}?" if found else ""


def fail(message: str) -> int:
    """Print one line to standard error and return the exit status for bad input."""
    print(f"pontoon: {message}", file=sys.stderr)
    return BAD_USAGE


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add `--set key=value`, which overrides a rule."""
    parser.add_argument(
        "--set",
        dest="settings",
        metavar="KEY=VALUE",
        action="append",
        type=_setting,
        default=[],
        help="override a rule, e.g. split.max_hands=4; may be repeated",
    )


def _setting(text: str) -> tuple[str, object]:
    try:
        return parse_setting(text)
    except RulebookError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_rulebook(parser: argparse.ArgumentParser) -> None:
    """Add the RULEBOOK argument, a name or a file."""
    parser.add_argument("rulebook", metavar="RULEBOOK", type=rulebook_name, help="star, canberra, ... or a TOML file")


def rulebook_name(text: str) -> str:
    """Load a rulebook by name (in capitals or not) or file, for `type=`."""
    if text.lower() in NAMES:
        return text.lower()
    try:
        load(text)
    except RulebookError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def add_packs(command: Parser, default: int | None = 0) -> None:
    """Add --packs, which may also be written --decks."""
    words = "packs in the shoe (default: the rulebook's)"
    command.add_argument(
        "--packs", "--decks", dest="decks", metavar="N", type=numbers.packs, default=default, help=words
    )


def add_formats(command: argparse.ArgumentParser, json_help: str = "one JSON object instead of text") -> None:
    """Add --json and --format, of which one can be given."""
    group = command.add_mutually_exclusive_group()
    group.add_argument("--json", action="store_true", help=json_help)
    group.add_argument(
        "--format",
        choices=FORMATS,
        help="text (default), json, or the table as csv or parquet, to standard output",
    )

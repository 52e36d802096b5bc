"""User-friendly argument parsing: help with examples, one clear line for bad usage."""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn

from pontoon.rulebook import RulebookError, load, parse_setting

Commands = argparse._SubParsersAction  # noqa: SLF001 argparse has no public name for it
BAD_USAGE = 2


class Parser(argparse.ArgumentParser):
    """A parser whose help keeps its line breaks and whose errors are one line."""

    def __init__(self, **options: object) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        options.setdefault("allow_abbrev", False)
        super().__init__(**options)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        """Exit with a one-line message that points to the help."""
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        sys.exit(BAD_USAGE)


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
    """Load a rulebook by name or file, for `type=`."""
    try:
        load(text)
    except RulebookError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def add_packs(command: Parser, default: int | None = 0) -> None:
    """Add --packs, which may also be written --decks."""
    words = "packs in the shoe (default: the rulebook's)"
    command.add_argument("--packs", "--decks", dest="decks", metavar="N", type=int, default=default, help=words)

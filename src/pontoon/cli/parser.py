"""Argument parsing that a person can live with: help with examples, one clear line for bad usage."""

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
        """Say what is wrong in one line, and where help is."""
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        sys.exit(BAD_USAGE)


def fail(message: str) -> int:
    """One clear line on standard error; the exit status of bad input."""
    print(f"pontoon: {message}", file=sys.stderr)
    return BAD_USAGE


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add `--set key=value`, which any rule can be overridden with."""
    parser.add_argument(
        "--set",
        dest="settings",
        metavar="KEY=VALUE",
        action="append",
        type=_setting,
        default=[],
        help="override a rule, as in split.max_hands=4; may be given several times",
    )


def _setting(text: str) -> tuple[str, object]:
    try:
        return parse_setting(text)
    except RulebookError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_rulebook(parser: argparse.ArgumentParser) -> None:
    """Add RULEBOOK, by name or by file."""
    parser.add_argument("rulebook", metavar="RULEBOOK", type=rulebook_name, help="star, canberra, ... or a TOML file")


def rulebook_name(text: str) -> str:
    """A rulebook by name or by its file, for `type=`."""
    try:
        load(text)
    except RulebookError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def add_packs(command: Parser, default: int | None = 0) -> None:
    """Add --packs, which may also be written --decks."""
    words = "packs in the shoe (default: the rulebook's)"
    command.add_argument("--packs", "--decks", dest="decks", metavar="N", type=int, default=default, help=words)

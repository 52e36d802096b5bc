"""The page of the site with every command, from the commands' own help; tools/site_links.py adds it to the site."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from pontoon.cli import COMMANDS, parser
from pontoon.cli.common.parser import Commands


def reference() -> str:
    """The commands from their own help, in Markdown; the same with every version of Python."""
    lines = ["# Every command", ""]
    lines += ["From the commands' own help (`pontoon COMMAND --help`).", ""]
    top = parser()
    [commands] = [action for action in top._actions if isinstance(action, Commands)]  # noqa: SLF001 argparse has no other way
    for name in COMMANDS:
        lines += _command(f"pontoon {name}", commands.choices[name], 2)
    return "\n".join(lines).rstrip() + "\n"


def _command(name: str, command: argparse.ArgumentParser, level: int) -> Iterator[str]:
    yield f"{'#' * level} {name}"
    yield ""
    if command.description:
        yield _escaped(command.description)
        yield ""
    rows = [row for action in command._actions if (row := _row(action))]  # noqa: SLF001 argparse has no other way
    if rows:
        yield "| argument | |"
        yield "| --- | --- |"
        yield from rows
        yield ""
    if command.epilog:
        yield "```text"
        yield command.epilog
        yield "```"
        yield ""
    for action in command._actions:  # noqa: SLF001 argparse has no other way
        if isinstance(action, Commands):
            for word, inner in action.choices.items():
                yield from _command(f"{name} {word}", inner, level + 1)


def _row(action: argparse.Action) -> str:
    """One option or argument; nothing for the help and for subcommands."""
    if isinstance(action, Commands) or "--help" in action.option_strings or action.help == argparse.SUPPRESS:
        return ""
    value = action.metavar or (
        "{" + ",".join(map(str, action.choices)) + "}" if action.choices else action.dest.upper()
    )
    takes = action.nargs != 0
    if not action.option_strings:
        name = str(value)
    else:
        name = ", ".join(action.option_strings) + (f" {value}" if takes else "")
    words = _escaped((action.help or "").replace("%%", "%"))
    return f"| `{name}` | {words} |"


def _escaped(words: str) -> str:
    return words.replace("|", "\\|").replace("<", "&lt;")

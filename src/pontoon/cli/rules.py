"""`pontoon rules`."""

from __future__ import annotations

from pontoon.cli.parser import Commands, Parser


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""

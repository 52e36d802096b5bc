"""What a rulebook is made of: sections of values, each with its sentence and its source."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Says(Struct, frozen=True):
    """The sentence of a value: `{}` takes the value, a choice has one sentence for each."""

    text: str | Mapping[str, str]
    no: str = ""
    """The sentence when the value is no, nothing or none."""
    example: str = ""
    """A good value, shown when a bad one is refused; left out where the type says it all."""
    least: int | None = None
    most: int | None = None


Clauses = tuple[str, ...]


class Source(Struct, frozen=True):
    """Where a value comes from: clauses of the document, and a note where we read between the lines."""

    clauses: Clauses
    note: str = ""
    silent: bool = False
    """The document has no rule here; the value is how we read its silence."""


class Section(Struct, frozen=True):
    """A table of the rulebook file."""

"""Sections of a rulebook: values, each with its sentence and its source."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Says(Struct, frozen=True):
    """The sentence of a value: `{}` takes the value, a choice has one sentence for each."""

    text: str | Mapping[str, str]
    no: str = ""
    """The sentence for the value no, zero or none."""
    example: str = ""
    """A correct value, shown when a bad one is refused; omitted if the type is enough."""
    least: int | None = None
    most: int | None = None


Clauses = tuple[str, ...]


class Source(Struct, frozen=True):
    """The source of a value: clauses of the document, and a note on interpretation."""

    clauses: Clauses
    note: str = ""
    silent: bool = False
    """Whether the document has no rule here; the value is then our interpretation."""


class Section(Struct, frozen=True):
    """A table of the rulebook file."""

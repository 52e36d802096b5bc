"""Metadata of the conditions' values: clause, sentence, and how the value is written."""

from __future__ import annotations

from msgspec import Struct


class FieldSpec(Struct, frozen=True):
    """The clause that requires a value, and its sentence, with `{}` for the value."""

    clause: str
    text: str
    no: str = ""
    """The sentence for the value no, zero or none."""
    example: str = ""
    """An example as written in the file."""
    unit: str = ""
    """The unit, singular and plural: `round/rounds`."""
    words: tuple[tuple[str, str], ...] = ()
    """The wording of each choice."""
    least: int = 0
    most: int = 10_000
    """The sensible range of a number."""
    must: bool = False
    """Whether it must be written although it has a default, because the rule leaves it to the operator."""


class Part(Struct, frozen=True):
    """A table of the conditions file."""

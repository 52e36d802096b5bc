"""What every value of the conditions carries with it: its clause, its sentence, how it is written."""

from __future__ import annotations

from msgspec import Struct


class Asks(Struct, frozen=True):
    """What one value answers: the clause that wants it, and its sentence, `{}` for the value."""

    clause: str
    text: str
    no: str = ""
    """The sentence when the value is no, nothing or none."""
    example: str = ""
    """As it is written in the file."""
    unit: str = ""
    """What is counted, one and several: `round/rounds`."""
    words: tuple[tuple[str, str], ...] = ()
    """How each choice reads."""
    least: int = 0
    most: int = 10_000
    """Of a number; nothing sensible lies outside."""
    must: bool = False
    """To be written although the program knows a usual value: the rule wants the operator to decide."""


class Part(Struct, frozen=True):
    """A table of the conditions file."""

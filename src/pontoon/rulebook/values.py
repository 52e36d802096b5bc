"""Values of a rulebook: their types, and how they are written in files and for people."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from pontoon.money import Cents, MoneyError, Odds, cents, dollars
from pontoon.rulebook.section import Says, Section


class WrongValueError(ValueError):
    """A value has the wrong type or is out of range; the argument says what is required."""


def fields(section: type[Section]) -> dict[str, tuple[Says, object]]:
    """The values of a section with their sentences and types, without names and titles."""
    return {name: field(section, name) for name in section.__struct_fields__ if _is_value(section, name)}


def field(section: type[Section], name: str) -> tuple[Says, object]:
    """The sentence and the type of one value."""
    kind, says = get_args(_hints(section)[name])
    return says, kind


def _is_value(section: type[Section], name: str) -> bool:
    return get_origin(_hints(section)[name]) is Annotated


@cache
def _hints(section: type[Section]) -> dict[str, Any]:
    return get_type_hints(section, include_extras=True)


def read_value(raw: object, kind: object, says: Says) -> object:
    """Convert a value from a file or an override to its type; raises WrongValueError."""
    try:
        value = _as(raw, kind)
    except MoneyError:
        raise WrongValueError("a ratio in quotes" if kind is Odds else "an amount in quotes") from None
    low, high = says.least, says.most
    if low is not None and high is not None and isinstance(value, int) and not low <= value <= high:
        raise WrongValueError(f"a number from {low} to {high}")
    return value


def _as(raw: object, kind: Any) -> object:  # noqa: ANN401 a type as a value
    """Convert one TOML value to the type of its field."""
    if kind is Odds:
        return Odds(raw)
    if kind is Cents:
        return cents(raw)
    origin = get_origin(kind)
    if origin is Literal:
        if raw not in get_args(kind):
            raise WrongValueError("one of " + ", ".join(get_args(kind)))
        return raw
    if origin is tuple:
        item = get_args(kind)[0]
        if not isinstance(raw, list) or not all(type(part) is item for part in raw):
            raise WrongValueError("a list of " + {int: "whole numbers", str: "words"}[item])
        return tuple(raw)
    if type(raw) is not kind:
        raise WrongValueError({int: "a whole number", bool: "true or false"}[kind])
    return raw


def plain(value: object, kind: object) -> object:
    """A value in the form of a file, which `read_value` reads.

    >>> plain(Odds("3:2"), Odds), plain(500000, Cents), plain((6, 8), tuple)
    ('3:2', '5000.00', [6, 8])
    """
    if isinstance(value, Odds):
        return str(value)
    if kind is Cents and isinstance(value, int):
        return dollars(value)
    return list(value) if isinstance(value, tuple) else value


def show(value: object, kind: object) -> str:
    """A value for people: money in dollars, yes or no, a list with commas.

    >>> show(2500, Cents), show(True, bool), show((6, 8), tuple)
    ('25.00', 'yes', '6, 8')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if kind is Cents and isinstance(value, int):
        return dollars(value)
    if isinstance(value, tuple):
        return ", ".join(str(part) for part in value) or "none"
    return str(value)

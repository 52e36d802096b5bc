"""Faults in a rulebook file, each with its position, the reason and a correct example."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping

from msgspec import Struct

from pontoon.quoting import quoted

_NOTHING = object()


class Fault(Struct, frozen=True):
    """One fault in a rulebook."""

    key: str
    """The key, such as `split.max_hands`; empty for the file as a whole."""
    reason: str
    value: str = ""
    """The value found, quoted and shortened; empty if there is none."""
    example: str = ""
    line: int = 0
    """The line number, from 1; 0 if unknown."""

    def __str__(self) -> str:
        """The fault in one line, without its line number."""
        said = f"{self.key} is {self.value}; {self.reason}" if self.value else f"{self.key} {self.reason}".strip()
        return f"{said}, as in {self.example}" if self.example else said


def fault(key: str, reason: str, *, value: object = _NOTHING, example: str = "") -> Fault:
    """A fault; the value is quoted and shortened."""
    return Fault(key, reason, "" if value is _NOTHING else quoted(value), example)


class RulebookError(ValueError):
    """A rulebook or an override cannot be used; the message is one line, `faults` has all faults."""

    def __init__(self, message: str, faults: Iterable[Fault] = ()) -> None:
        super().__init__(message)
        self.faults = tuple(faults)


def refuse(file: str, faults: list[Fault]) -> RulebookError:
    """The error for a file with these faults: the first in full, and how to see the rest."""
    more = len(faults) - 1
    rest = f" (and {more} more; pontoon rules check shows all)" if more else ""
    return RulebookError(f"{file}: {faults[0]}{rest}", faults)


# --- where in the file -----------------------------------------------------------------------------------

_HEADER = re.compile(r"\s*(\[\[?)\s*([A-Za-z0-9_.\-\" ]+?)\s*\]")
NUMBERED = ("remedy",)
"""Lists whose tables are identified by number, because their names may repeat."""
_KEY = re.compile(r"""\s*("[^"]*"|'[^']*'|[A-Za-z0-9_\-]+)\s*=""")


def with_lines(text: str, faults: Iterable[Fault]) -> tuple[Fault, ...]:
    r"""The faults with their line numbers.

    >>> faults = [Fault("split.by", "no"), Fault("split.max_hands", "no")]
    >>> [one.line for one in with_lines("[split]\nby = 3\n", faults)]
    [2, 1]
    """
    lines = line_numbers(text)
    return tuple(
        Fault(found.key, found.reason, found.value, found.example, found.line or _line(lines, found.key))
        for found in faults
    )


def _line(lines: Mapping[str, int], key: str) -> int:
    """The line of a key, or of the nearest enclosing table."""
    while key and key not in lines:
        key = key.rpartition(".")[0]
    return lines.get(key, 0)


def line_numbers(text: str) -> dict[str, int]:
    r"""The line of every key and table in a valid TOML text.

    Tables in a list are identified by `name` (`side.perfect_pairs`), otherwise by number (`remedy.2`).

    >>> line_numbers('format = 2\n[[side]]\nname = "match"\nminimum = "5"\n')["side.match.minimum"]
    4
    """
    lines: dict[str, int] = {}
    place, counts = "", dict[str, int]()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            place = _place(_clean(header[2]), header[1] == "[[", counts, text, number)
            lines.setdefault(place, number)
            for name in counts:  # a member without a usable name is identified by its number
                lines.setdefault(f"{name}.{counts[name]}", number)
        elif key := _KEY.match(line):
            lines.setdefault(f"{place}.{key[1].strip(chr(34) + chr(39))}".lstrip("."), number)
    return lines


def _place(name: str, listed: bool, counts: dict[str, int], text: str, number: int) -> str:  # noqa: FBT001 how it is written
    """The key of a table; in a list, below the list member it belongs to."""
    first, dot, rest = name.partition(".")
    if not dot:
        if not listed:
            return name
        counts[name] = counts.get(name, 0) + 1
        counts["." + name] = 0
        return f"{name}.{(name not in NUMBERED and _named(text, number)) or counts[name]}"
    if first not in counts:
        return name
    owner = f"{first}.{_owner(text, first, number) or counts[first]}"
    if not listed:
        return f"{owner}.{rest}"
    counts["." + first] += 1
    return f"{owner}.{rest}.{_named(text, number) or counts['.' + first]}"


def _named(text: str, number: int) -> str:
    """The `name` among the keys right below a header line."""
    for line in text.splitlines()[number:]:
        if _HEADER.match(line):
            return ""
        if line.strip().startswith("name") and (key := _KEY.match(line)) and key[1] == "name":
            try:
                name = tomllib.loads(line)["name"]
            except (tomllib.TOMLDecodeError, KeyError):
                return ""
            return name if isinstance(name, str) else ""
    return ""


def _owner(text: str, list_name: str, number: int) -> str:
    """The name of the nearest member of the list above a line."""
    lines = text.splitlines()
    return _named(text, next(place for place in range(number - 1, 0, -1) if _list(lines[place - 1]) == list_name))


def _list(line: str) -> str:
    """The list that a header line adds a table to."""
    header = _HEADER.match(line)
    return _clean(header[2]) if header and header[1] == "[[" else ""


def _clean(name: str) -> str:
    return name.replace(" ", "").replace('"', "")

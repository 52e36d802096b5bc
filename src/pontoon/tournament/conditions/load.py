"""Read the conditions of a tournament: check every key and type; errors name the clause and a correct example.

A key whose sentence has a "no" is optional, and the document then says no. Everything else rule 20.3 requires must be
written, even if there is a usual value (`FieldSpec.must`).
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
import tomllib
from collections.abc import Callable
from contextlib import suppress
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, Literal, cast, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields, replace

from pontoon.money import Cents, MoneyError, cents, dollars
from pontoon.quoting import quoted
from pontoon.rulebook import NAMES as SHIPPED
from pontoon.rulebook import Rulebook, RulebookError, pinned
from pontoon.rulebook import digest as digest_of_rules
from pontoon.rulebook import load as load_rulebook
from pontoon.tournament.conditions.check import UNKNOWN, Fault, UnknownError, faults
from pontoon.tournament.conditions.field_spec import FieldSpec, Part
from pontoon.tournament.conditions.round_rulebook import digest_of, with_book
from pontoon.tournament.conditions.values import RULEBOOK, Advance, Conditions, Session

LARGEST = 256 * 1024
"""Maximum size of a conditions file in bytes."""
LONGEST = 2000
"""Maximum characters of a text; a name must fit on a line."""
LONGEST_NAME = 60
MOST_MONEY = Cents(1_000_000_000)
"""Ten million dollars: the sum over thousands of players still fits every store."""
MOST_ROWS = 1000
NAMES = {"name", "until", "qualifies"}
NO_BOOK = ("book", "")

_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,6})?) ?%", re.ASCII)
_PLAIN = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_FRACTION = re.compile(r"(\d{1,6}) ?/ ?(\d{1,6})", re.ASCII)


class ConditionsError(ValueError):
    """The conditions cannot be used; the message is one line, `faults` has all faults."""

    def __init__(self, file: str, found: tuple[Fault, ...], unreadable: str = "") -> None:
        self.faults = found
        """Empty if the file is not TOML."""
        words = unreadable or f"{found[0].words} [{found[0].clause}]"
        super().__init__(f"{file if file.isprintable() else quoted(file)}: {words}")


Find = Callable[[str], Rulebook]
"""A function that finds a rulebook by the name or path in the conditions; raises RulebookError."""


def read(text: str, file: str, find: Find = load_rulebook) -> Conditions:
    """Read the text of a conditions file; errors name `file`, and `find` finds the rulebook it names.

    >>> read('name = 7', "spring.toml")
    Traceback (most recent call last):
    pontoon.tournament.conditions.load.ConditionsError: spring.toml: name is 7; a text is needed, \
as in name = "Spring Pontoon" [20.2(a)]
    """
    conditions, found = examine(text, file, find)
    if conditions is None or found:
        raise ConditionsError(file, found)
    return conditions


def examine(text: str, file: str, find: Find = load_rulebook) -> tuple[Conditions | None, tuple[Fault, ...]]:
    """The conditions as far as they can be read, and all faults."""
    if len(text) > LARGEST:
        raise ConditionsError(file, (), f"more than {LARGEST // 1024} KiB; conditions are a short file")
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise ConditionsError(file, (), "not TOML: nested too deeply") from None
    except ValueError as error:  # not TOML, or a number of more digits than Python reads
        words = " ".join(str(error).split())
        raise ConditionsError(file, (), f"not TOML: {words if words.isprintable() else quoted(words)}") from None
    reader = _Reader(data)
    conditions = Conditions(**reader.part(Conditions, data, ""))
    try:
        with suppress(UnknownError):
            conditions = _with_rulebook(conditions, find)
    except RulebookError as error:
        reader.found.append(Fault("20.1", f"game.rulebook: {error}"))
        conditions = replace(conditions, game=replace(conditions.game, rulebook=UNKNOWN, book=UNKNOWN))
    found = (*reader.found, *faults(conditions))
    return (None if reader.found else conditions), found


def _with_rulebook(conditions: Conditions, find: Find) -> Conditions:
    """The conditions with the rulebook embedded, unless it is the shipped canberra."""
    game = conditions.game
    if game.rulebook == RULEBOOK and not game.book:
        return conditions
    book = pinned(game.book) if game.book else find(game.rulebook)
    name = book.about.name
    if name in SHIPPED and digest_of_rules(book) != digest_of_rules(load_rulebook(name)):
        raise RulebookError(f"about.name is {name!r}, the name of a shipped rulebook; choose another")
    return with_book(conditions, book)


# --- the tables of a file ---------------------------------------------------------------------------------


@cache
def hints(kind: type[Struct]) -> dict[str, tuple[Any, FieldSpec]]:
    """Every key of a table as named in a file, with its type and metadata."""
    found: dict[str, tuple[Any, FieldSpec]] = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        wanted, spec = get_args(hint) if get_origin(hint) is Annotated else (hint, _TABLE)
        found[_IN_FILE.get(name, name)] = (wanted, spec)
    return found


_TABLE = FieldSpec("20.3(a)", "")
_IN_FILE = {"sessions": "session"}
_IN_CLASS = {"session": "sessions"}


@cache
def _left_out(kind: type[Struct]) -> dict[str, object]:
    """The optional keys with their defaults."""
    return {field.name: field.default for field in fields(kind) if field.default is not NODEFAULT}


def _must(key: str, spec: FieldSpec, data: dict[str, Any]) -> bool:
    """Whether a key with a default must be written, unless it does not apply."""
    sessions = data.get("session")
    rows = [row for row in sessions if isinstance(row, dict)] if isinstance(sessions, list) else []
    if key == "ties.session":
        return any("advance" in row for row in rows)
    if key == "ties.points":
        return any(row.get("points") for row in rows)
    return spec.must


class _WrongError(ValueError):
    """A value is invalid; the argument says what is required."""


class _Reader:
    """Reads a whole file and collects every fault instead of stopping at the first."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.found: list[Fault] = []

    def part(self, kind: type[Struct], data: dict[str, Any], place: str) -> dict[str, Any]:
        """The values of one table."""
        known, usual = hints(kind), _left_out(kind)
        for key in data:
            if key not in known:
                self.unknown(key, kind, place)
        values = {}
        for name, (wanted, spec) in known.items():
            field = _IN_CLASS.get(name, name) if kind is Conditions else name
            key = place + name
            if name in data:
                values[field] = self.value(data[name], wanted, spec, key)
            elif isinstance(wanted, type) and issubclass(
                wanted, Part
            ):  # the table is missing: report its required keys
                values[field] = self.table({}, wanted, key)
            elif field not in usual or _must(key, spec, self.data):
                self.missing(key, wanted, spec)
                values[field] = UNKNOWN
            else:
                values[field] = usual[field]
        return values

    def value(self, raw: object, wanted: Any, spec: FieldSpec, key: str) -> object:  # noqa: ANN401 a type as a value
        """Read one value, or add a fault."""
        if wanted == tuple[Session, ...]:
            return self.sessions(raw)
        if wanted == Advance | None:
            return self.table(raw, Advance, key)
        if isinstance(wanted, type) and issubclass(wanted, Part):
            return self.table(raw, wanted, key)
        try:
            return _as(raw, wanted, spec, key)
        except _WrongError as error:
            name = key.rpartition(".")[2]
            words = f"{key} is {quoted(raw)}; {error} is needed, as in {name} = {example(wanted, spec)}"
            self.found.append(Fault(spec.clause, words))
            return UNKNOWN

    def table(self, raw: object, kind: type[Part], key: str) -> Part:
        """Read one table, or add a fault; values that cannot be read are UNKNOWN."""
        if not isinstance(raw, dict):
            how = {Advance: "{ from_table = 2 }", Session: "[[session]]"}.get(kind, f"[{key}]")
            words = f"{key} is {quoted(raw)}; a table is needed, as in {how}"
            self.found.append(Fault(_clause(kind), words))
            return cast("Part", UNKNOWN)
        return kind(**self.part(kind, raw, f"{key}."))

    def sessions(self, raw: object) -> tuple[Part, ...]:
        """Read all sessions, or add a fault."""
        if not isinstance(raw, list) or len(raw) > MOST_ROWS:
            words = f"session is {quoted(raw)}; sessions are needed, each as in [[session]]"
            self.found.append(Fault(_clause(Session), words))
            return cast("tuple[Part, ...]", UNKNOWN)
        return tuple(self.table(one, Session, f"session[{number}]") for number, one in enumerate(raw, start=1))

    def missing(self, key: str, wanted: object, spec: FieldSpec) -> None:
        """Add a fault for a missing key."""
        if key == "session":
            self.found.append(Fault(_clause(Session), "session is missing; each is written as in [[session]]"))
            return
        name = key.rpartition(".")[2]
        words = f"{key} is missing; it is written as in {name} = {example(wanted, spec)}"
        self.found.append(Fault(spec.clause, words))

    def unknown(self, key: str, kind: type[Struct], place: str) -> None:
        """Add a fault for an unknown key."""
        known = list(hints(kind))
        near = get_close_matches(key[:LONGEST_NAME], known, 1)
        hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(known)}"
        self.found.append(Fault(_clause(kind), f"there is no key {quoted(place + key)}; {hint}"))


def _clause(kind: type[Struct]) -> str:
    return next(iter(hints(kind).values()))[1].clause


# --- one value --------------------------------------------------------------------------------------------


def example(wanted: Any, spec: FieldSpec) -> str:  # noqa: ANN401 a type as a value
    """How a value is written in a file.

    >>> example(Cents, FieldSpec("", "")), example(Literal["divide", "ballot"], FieldSpec("", ""))
    ('"100.00"', '"divide"')
    """
    if spec.example:
        return spec.example
    if get_origin(wanted) is Literal:
        return f'"{get_args(wanted)[0]}"'
    return _USUAL[wanted]


_USUAL: dict[Any, str] = {
    bool: "true",
    int: "7",
    str: '"Heats"',
    Cents: '"100.00"',
    tuple[int, ...]: "[7, 5, 3, 1]",
    tuple[Fraction, ...]: '["50%", "30%", "20%"]',
}


def _as(raw: object, wanted: Any, spec: FieldSpec, key: str) -> object:  # noqa: ANN401 a type as a value
    """Convert one TOML value to the type of its field."""
    if get_origin(wanted) is Literal:
        if not isinstance(raw, str) or raw not in get_args(wanted):
            raise _WrongError("one of " + ", ".join(get_args(wanted)))
        return raw
    if wanted is int:
        return _number(raw, spec)
    if wanted is Cents:
        return _money(raw)
    if wanted is str:
        return _text(raw, key)
    if wanted == tuple[int, ...]:
        return tuple(_number(row, spec) for row in _rows(raw))
    if wanted == tuple[Fraction, ...]:
        return tuple(_share(row) for row in _rows(raw))
    if type(raw) is not wanted:
        raise _WrongError({bool: "true or false", dt.datetime: "a date with a time"}[wanted])
    return raw


def _number(raw: object, spec: FieldSpec) -> int:
    if type(raw) is not int or not spec.least <= raw <= spec.most:
        raise _WrongError(f"a whole number from {spec.least} to {spec.most}")
    return raw


def _money(raw: object) -> Cents:
    try:
        amount = cents(raw)
    except MoneyError:
        raise _WrongError("an amount of dollars in quotation marks") from None
    if amount > MOST_MONEY:
        raise _WrongError(f"an amount of at most {dollars(MOST_MONEY)}")
    return amount


def _text(raw: object, key: str) -> str:
    name = key.rpartition(".")[2]
    if name == "book" and isinstance(raw, str):
        return raw  # checked later against the rulebooks
    longest = LONGEST_NAME if name in NAMES else LONGEST
    text = " ".join(raw.split()) if isinstance(raw, str) else None
    if text is None or not text.isprintable():
        raise _WrongError("a text")
    if len(text) > longest:
        raise _WrongError(f"a text of at most {longest} characters")
    if not text and name in {"name", "entry", "eligibility"}:
        raise _WrongError("a text that is not empty")
    return text


def _rows(raw: object) -> list[object]:
    if not isinstance(raw, list) or len(raw) > MOST_ROWS:
        raise _WrongError(f"a list of at most {MOST_ROWS}")
    return raw


def _share(raw: object) -> Fraction:
    text = raw if isinstance(raw, str) else ""
    if match := _PERCENT.fullmatch(text):
        return Fraction(match[1]) / 100
    match = _FRACTION.fullmatch(text)
    if match is None or not int(match[2]):
        raise _WrongError('shares in quotation marks, each as "50%" or "1/3",')
    return Fraction(int(match[1]), int(match[2]))


# --- writing ----------------------------------------------------------------------------------------------


def values_of(text: str) -> dict[str, Any]:
    """The values of a conditions file as they are written, right or wrong; raises ValueError if it is not TOML."""
    return cast("dict[str, Any]", _bare(tomllib.loads(text)))


def _bare(value: object) -> object:
    """A value without dates and times, which are written as text."""
    if isinstance(value, dict):
        return {key: _bare(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_bare(item) for item in value]
    return value.isoformat() if isinstance(value, dt.date | dt.time) else value


def plain(conditions: Conditions) -> dict[str, Any]:
    """The conditions as plain strings, numbers, lists and tables, including default values.

    A date keeps the TOML form, which is also valid in JSON.
    """
    return _plain(conditions)


def _plain(part: Struct) -> dict[str, Any]:
    rows = (
        (name, getattr(part, _IN_CLASS.get(name, name) if part.__class__ is Conditions else name), kind)
        for name, (kind, _) in hints(type(part)).items()
    )
    return {name: _written(value, kind) for name, value, kind in rows if value is not None and (name, value) != NO_BOOK}


def _written(value: object, wanted: object) -> object:
    if isinstance(value, Struct):
        return _plain(value)
    if isinstance(value, tuple):
        return [_written(item, None) for item in value]
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, dt.datetime):
        return value.isoformat()
    if wanted is Cents:
        assert isinstance(value, int)
        return dollars(value)
    return value


def write(conditions: Conditions) -> str:
    """The text of a conditions file."""
    return text_of(plain(conditions))


def text_of(values: dict[str, Any]) -> str:
    """The text of a conditions file with these values, right or wrong.

    >>> print(text_of({"name": "Cup", "start": {"at": "2026-12-05T19:00"}, "session": [{"name": "Final"}]}))
    name = "Cup"
    <BLANKLINE>
    [start]
    at = 2026-12-05T19:00:00
    <BLANKLINE>
    [[session]]
    name = "Final"
    <BLANKLINE>
    """
    tables = {name: value for name, value in values.items() if isinstance(value, dict)}
    rows = values.get("session")
    sessions = rows if isinstance(rows, list) and all(isinstance(row, dict) for row in rows) else []
    written = {"session", *tables} if sessions else set(tables)
    lines = [_line(name, value) for name, value in values.items() if name not in written]
    for name, table in tables.items():
        lines += ["", f"[{_key(name)}]", *(_line(key, value) for key, value in table.items())]
    for session in sessions:
        lines += ["", "[[session]]", *(_line(key, value) for key, value in session.items())]
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    """A key as it is written in a file; quoted unless it is plain."""
    return name if _PLAIN.fullmatch(name) else json.dumps(name)


def _line(name: str, value: object) -> str:
    key = _key(name)
    if key == "at":
        try:
            return f"{key} = {dt.datetime.fromisoformat(str(value)).isoformat()}"  # dates are not quoted
        except ValueError:
            pass
    if isinstance(value, dict):
        return f"{key} = {{ {', '.join(_line(*row) for row in value.items())} }}"
    return f"{key} = {json.dumps(value, ensure_ascii=False)}"


def digest(conditions: Conditions) -> str:
    """The digest of these conditions: SHA-256 of all values, whatever the layout of the file.

    It is not shortened, so that an author cannot find two sets of conditions with the same digest.
    """
    data = msgspec.to_builtins(conditions, enc_hook=str, order="sorted")
    game, rules = data["game"], digest_of(conditions.game)
    del game["book"]
    if game["rulebook"] == RULEBOOK:  # the same digest as in version 0.1.0
        del game["rulebook"]
    elif rules:
        game["rulebook"] = rules
    if conditions.prizes.sessions_paid == "tournament":  # likewise
        del data["prizes"]["sessions_paid"]
    return hashlib.sha256(msgspec.json.encode(data, order="sorted")).hexdigest()

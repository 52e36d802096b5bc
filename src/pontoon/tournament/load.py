"""Reading the conditions of a tournament: every key, every type; refused in one line with clause and good example.

A key whose sentence has a "no" may be left out, and the document then says no. Whatever else rule 20.3 wants has to
be written, even where the program knows a usual value (`Asks.must`).
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
import tomllib
from collections.abc import Callable
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from pontoon.money import Cents, MoneyError, cents, dollars
from pontoon.rulebook import NAMES as SHIPPED
from pontoon.rulebook import Rulebook, RulebookError, pinned
from pontoon.rulebook import digest as digest_of_rules
from pontoon.rulebook import load as load_rulebook
from pontoon.shown import shown
from pontoon.tournament.asks import Asks, Part
from pontoon.tournament.check import Fault, faults
from pontoon.tournament.conditions import RULEBOOK, Advance, Conditions, Session
from pontoon.tournament.dealt_by import digest_of, with_book

LARGEST = 256 * 1024
"""Bytes of a file of conditions."""
LONGEST = 2000
"""Characters of a text; a name has to fit a line."""
LONGEST_NAME = 60
MOST_MONEY = Cents(1_000_000_000)
"""Ten million dollars: what thousands of players pay together is still a number that every store can hold."""
MOST_ROWS = 1000
NAMES = {"name", "until", "qualifies"}
NO_BOOK = ("book", "")

_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,6})?) ?%", re.ASCII)
_FRACTION = re.compile(r"(\d{1,6}) ?/ ?(\d{1,6})", re.ASCII)


class ConditionsError(ValueError):
    """Conditions that cannot be used; the message is one line for a person, `faults` are all that was found."""

    def __init__(self, file: str, found: tuple[Fault, ...], unreadable: str = "") -> None:
        self.faults = found
        """Empty where the file is no TOML at all."""
        words = unreadable or f"{found[0].words} [{found[0].clause}]"
        super().__init__(f"{file if file.isprintable() else shown(file)}: {words}")


Find = Callable[[str], Rulebook]
"""How a rulebook is found by the name or path that stands in the conditions; RulebookError where there is none."""


def read(text: str, file: str, find: Find = load_rulebook) -> Conditions:
    """Read the text of a conditions file; `file` is named in the complaint, `find` finds the rulebook it names.

    >>> read('name = 7', "spring.toml")
    Traceback (most recent call last):
    pontoon.tournament.load.ConditionsError: spring.toml: name is 7; a text is needed, as in name = "Spring Pontoon"
    [20.2(a)]
    """
    conditions, found = examine(text, file, find)
    if conditions is None or found:
        raise ConditionsError(file, found)
    return conditions


def examine(text: str, file: str, find: Find = load_rulebook) -> tuple[Conditions | None, tuple[Fault, ...]]:
    """The conditions as far as they can be read, and everything that is wrong with them."""
    if len(text) > LARGEST:
        raise ConditionsError(file, (), f"more than {LARGEST // 1024} KiB; conditions are a short file")
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise ConditionsError(file, (), "not TOML: nested too deeply") from None
    except ValueError as error:  # not TOML, or a number of more digits than Python reads
        words = " ".join(str(error).split())
        raise ConditionsError(file, (), f"not TOML: {words if words.isprintable() else shown(words)}") from None
    reader = _Reader(data)
    values = reader.part(Conditions, data, "")
    if reader.found:
        return None, tuple(reader.found)
    try:
        conditions = _with_rulebook(Conditions(**values), find)
    except RulebookError as error:
        return None, (Fault("20.1", f"game.rulebook: {error}"),)
    return conditions, faults(conditions)


def _with_rulebook(conditions: Conditions, find: Find) -> Conditions:
    """The conditions with the rulebook in them, where it is not canberra as this version ships it."""
    game = conditions.game
    if game.rulebook == RULEBOOK and not game.book:
        return conditions
    book = pinned(game.book) if game.book else find(game.rulebook)
    name = book.about.name
    if name in SHIPPED and digest_of_rules(book) != digest_of_rules(load_rulebook(name)):
        raise RulebookError(f"about.name is {name!r}, the name of a shipped rulebook; give it another")
    return with_book(conditions, book)


# --- the tables of a file ---------------------------------------------------------------------------------


@cache
def hints(kind: type[Struct]) -> dict[str, tuple[Any, Asks]]:
    """Every key of a table with its type and what it answers, as they are called in a file."""
    found: dict[str, tuple[Any, Asks]] = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        wanted, asks = get_args(hint) if get_origin(hint) is Annotated else (hint, _TABLE)
        found[_IN_FILE.get(name, name)] = (wanted, asks)
    return found


_TABLE = Asks("20.3(a)", "")
_IN_FILE = {"sessions": "session"}
_IN_CLASS = {"session": "sessions"}


@cache
def _left_out(kind: type[Struct]) -> dict[str, object]:
    """The keys that need not be written, and what they are then."""
    return {field.name: field.default for field in fields(kind) if field.default is not NODEFAULT}


def _must(key: str, asks: Asks, data: dict[str, Any]) -> bool:
    """Whether a key with a usual value has to be written all the same: what is never asked need not be answered."""
    sessions = data.get("session")
    rows = [row for row in sessions if isinstance(row, dict)] if isinstance(sessions, list) else []
    if key == "ties.session":
        return any("advance" in row for row in rows)
    if key == "ties.points":
        return any(row.get("points") for row in rows)
    return asks.must


class _WrongError(ValueError):
    """A value that does not fit; carries what is needed."""


class _Reader:
    """Reads a whole file and remembers every fault instead of stopping at the first."""

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
        for name, (wanted, asks) in known.items():
            field = _IN_CLASS.get(name, name) if kind is Conditions else name
            key = place + name
            if name in data:
                values[field] = self.value(data[name], wanted, asks, key)
            elif isinstance(wanted, type) and issubclass(
                wanted, Part
            ):  # not there at all: which of its keys are missed?
                values[field] = self.table({}, wanted, key)
            elif field not in usual or _must(key, asks, self.data):
                self.missing(key, wanted, asks)
            else:
                values[field] = usual[field]
        return values

    def value(self, raw: object, wanted: Any, asks: Asks, key: str) -> object:  # noqa: ANN401 a type as a value
        """One value, or a fault."""
        if wanted == tuple[Session, ...]:
            return self.sessions(raw)
        if wanted == Advance | None:
            return self.table(raw, Advance, key)
        if isinstance(wanted, type) and issubclass(wanted, Part):
            return self.table(raw, wanted, key)
        try:
            return _as(raw, wanted, asks, key)
        except _WrongError as error:
            name = key.rpartition(".")[2]
            words = f"{key} is {shown(raw)}; {error} is needed, as in {name} = {example(wanted, asks)}"
            self.found.append(Fault(asks.clause, words))
            return None

    def table(self, raw: object, kind: type[Part], key: str) -> Part | None:
        """One table, or a fault."""
        if not isinstance(raw, dict):
            how = {Advance: "{ from_table = 2 }", Session: "[[session]]"}.get(kind, f"[{key}]")
            words = f"{key} is {shown(raw)}; a table is needed, as in {how}"
            self.found.append(Fault(_clause(kind), words))
            return None
        before = len(self.found)
        values = self.part(kind, raw, f"{key}.")
        return kind(**values) if len(self.found) == before else None

    def sessions(self, raw: object) -> tuple[Part | None, ...]:
        """All sessions, or a fault."""
        if not isinstance(raw, list) or len(raw) > MOST_ROWS:
            words = f"session is {shown(raw)}; sessions are needed, each as in [[session]]"
            self.found.append(Fault(_clause(Session), words))
            return ()
        return tuple(self.table(one, Session, f"session[{number}]") for number, one in enumerate(raw, start=1))

    def missing(self, key: str, wanted: object, asks: Asks) -> None:
        """A key that is not there."""
        if key == "session":
            self.found.append(Fault(_clause(Session), "session is missing; each is written as in [[session]]"))
            return
        name = key.rpartition(".")[2]
        words = f"{key} is missing; it is written as in {name} = {example(wanted, asks)}"
        self.found.append(Fault(asks.clause, words))

    def unknown(self, key: str, kind: type[Struct], place: str) -> None:
        """A key that nothing asks for."""
        known = list(hints(kind))
        near = get_close_matches(key[:LONGEST_NAME], known, 1)
        hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(known)}"
        self.found.append(Fault(_clause(kind), f"there is no key {shown(place + key)}; {hint}"))


def _clause(kind: type[Struct]) -> str:
    return next(iter(hints(kind).values()))[1].clause


# --- one value --------------------------------------------------------------------------------------------


def example(wanted: Any, asks: Asks) -> str:  # noqa: ANN401 a type as a value
    """How a value is written in a file.

    >>> example(Cents, Asks("", "")), example(Literal["divide", "ballot"], Asks("", ""))
    ('"100.00"', '"divide"')
    """
    if asks.example:
        return asks.example
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


def _as(raw: object, wanted: Any, asks: Asks, key: str) -> object:  # noqa: ANN401 a type as a value
    """Convert one TOML value to the type of its field."""
    if get_origin(wanted) is Literal:
        if not isinstance(raw, str) or raw not in get_args(wanted):
            raise _WrongError("one of " + ", ".join(get_args(wanted)))
        return raw
    if wanted is int:
        return _number(raw, asks)
    if wanted is Cents:
        return _money(raw)
    if wanted is str:
        return _text(raw, key)
    if wanted == tuple[int, ...]:
        return tuple(_number(one, asks) for one in _rows(raw))
    if wanted == tuple[Fraction, ...]:
        return tuple(_share(one) for one in _rows(raw))
    if type(raw) is not wanted:
        raise _WrongError({bool: "true or false", dt.datetime: "a date with a time"}[wanted])
    return raw


def _number(raw: object, asks: Asks) -> int:
    if type(raw) is not int or not asks.least <= raw <= asks.most:
        raise _WrongError(f"a whole number from {asks.least} to {asks.most}")
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
        return raw  # whether it is a rulebook is asked afterwards
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


# --- and back ---------------------------------------------------------------------------------------------


def plain(conditions: Conditions) -> dict[str, Any]:
    """Conditions as a file has them: only strings, numbers, lists and tables; every value, the usual ones too.

    A date keeps the form of TOML, which is also that of JSON.
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
        return [_written(one, None) for one in value]
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, dt.datetime):
        return value.isoformat()
    if wanted is Cents:
        assert isinstance(value, int)
        return dollars(value)
    return value


def write(conditions: Conditions) -> str:
    """The text of a file that reads back as these conditions."""
    data = plain(conditions)
    tables = {name: value for name, value in data.items() if isinstance(value, dict)}
    sessions = data.pop("session")
    lines = [_line(name, value) for name, value in data.items() if name not in tables]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(_line(key, value) for key, value in table.items())]
    for session in sessions:
        lines += ["", "[[session]]", *(_line(key, value) for key, value in session.items())]
    return "\n".join(lines) + "\n"


def _line(key: str, value: object) -> str:
    if key == "at":
        return f"{key} = {value}"  # a date has no quotation marks
    if isinstance(value, dict):
        return f"{key} = {{ {', '.join(_line(*row) for row in value.items())} }}"
    return f"{key} = {json.dumps(value, ensure_ascii=False)}"


def digest(conditions: Conditions) -> str:
    """What names these conditions and no others: SHA-256 of all their values, however the file is written.

    All of it, since whoever wrote the conditions must not be able to find others with the same one.
    """
    data = msgspec.to_builtins(conditions, enc_hook=str, order="sorted")
    game, rules = data["game"], digest_of(conditions.game)
    del game["book"]
    if game["rulebook"] == RULEBOOK:  # as version 0.1.0 named the same conditions
        del game["rulebook"]
    elif rules:
        game["rulebook"] = rules
    return hashlib.sha256(msgspec.json.encode(data, order="sorted")).hexdigest()

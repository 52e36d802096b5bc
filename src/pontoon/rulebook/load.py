"""Reading a rulebook: the file, every key, every type, every contradiction; refused with a good example."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from pontoon.money import Cents, MoneyError, Odds, cents, dollars
from pontoon.rulebook.contradictions import contradictions
from pontoon.rulebook.schema import CITES, SECTIONS, About, Override, Rulebook, Says, Section, Source
from pontoon.shown import shown

NAMES = ("division-15", "star", "adelaide", "canberra", "federal")
"""The five documents, in the order they were given."""


class RulebookError(ValueError):
    """A rulebook or an override that cannot be used; the message is one line for a person."""


def load(name: str, overrides: Mapping[str, object] | None = None) -> Rulebook:
    """Load a rulebook by name, with the operator's overrides.

    >>> load("division-15", {"split.max_hands": 4}).split.max_hands
    4
    """
    book = _shipped(name)
    return override(book, overrides) if overrides else book


@cache
def _shipped(name: str) -> Rulebook:
    if name not in NAMES:
        message = f"no rulebook {name!r}; there are {', '.join(NAMES)}"
        raise RulebookError(message)
    file = f"{name}.toml"
    return read((resources.files("pontoon.rulebook") / "books" / file).read_text("utf-8"), file)


def read(text: str, file: str) -> Rulebook:
    """Read the text of a rulebook file; `file` is named in every complaint."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = f"{file}: not TOML: {error}"
        raise RulebookError(message) from None
    _same_keys(file, "", data, {"about", "cites", "table", *SECTIONS})
    about = _about(file, data["about"])
    sources: dict[str, Source] = {}
    sections = {name: _section(file, name, kind, data[name], sources) for name, kind in SECTIONS.items()}
    cites = {name: _cites(file, name, kind, data[name], sources) for name, kind in CITES.items()}
    book = Rulebook(about=about, sources=sources, **cites, **sections)  # type: ignore[arg-type]
    _refuse_contradictions(book, file)
    return book


def override(book: Rulebook, overrides: Mapping[str, object]) -> Rulebook:
    """Replace values by the operator's choice; the replaced values stay on record."""
    changed = {name: _values(getattr(book, name)) for name in SECTIONS}
    record = []
    for key, raw in overrides.items():
        section, _, field = key.partition(".")
        if field not in changed.get(section, {}):
            message = f"no option {shown(key)} in a rulebook; an option is written section.key, as in split.max_hands"
            raise RulebookError(message)
        says, kind = _field(SECTIONS[section], field)
        value = _read_value(raw, kind, says, f"override of {book.about.name}", key)
        was = changed[section][field]
        if value != was:
            record.append(Override(key=key, value=show(value, kind), was=show(was, kind)))
        changed[section][field] = value
    sections = {name: SECTIONS[name](**values) for name, values in changed.items()}
    new = Rulebook(
        about=book.about,
        cites=book.cites,
        table=book.table,
        sources=book.sources,
        overrides=(*book.overrides, *record),
        **sections,  # type: ignore[arg-type]
    )
    _refuse_contradictions(new, f"override of {book.about.name}")
    return new


def parse_setting(text: str) -> tuple[str, object]:
    """Read `key=value` of the command line; a value that is not TOML is a bare word.

    >>> parse_setting("split.max_hands=4"), parse_setting("double.fixed_aces=none")
    (('split.max_hands', 4), ('double.fixed_aces', 'none'))
    """
    key, sign, value = text.partition("=")
    if not sign:
        message = f"{shown(text)}: an override is written key=value, as in split.max_hands=4"
        raise RulebookError(message)
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except (ValueError, RecursionError):  # ValueError: not TOML, or a number of more digits than Python reads
        return key.strip(), value.strip()


def show(value: object, kind: object) -> str:
    """Write a value as a person would: money in dollars, yes or no, a list with commas.

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


def plain_value(book: Rulebook, key: str) -> object:
    """A value as it is written in a file: what `override` reads back.

    >>> plain_value(load("division-15"), "payout.pontoon"), plain_value(load("division-15"), "super_bonus.upper")
    ('3:2', '5000.00')
    """
    section, _, field = key.partition(".")
    value = getattr(getattr(book, section), field)
    if isinstance(value, Odds):
        return str(value)
    if _field(SECTIONS[section], field)[1] is Cents:
        return dollars(value)
    return list(value) if isinstance(value, tuple) else value


def digest(book: Rulebook) -> str:
    """Twelve hexadecimal digits that name these rules, overrides included.

    >>> digest(load("star")) == digest(load("star", {"split.max_hands": 3}))
    False
    """
    values = {key: plain_value(book, key) for key in book.sources if key.partition(".")[0] in SECTIONS}
    cites = {key: source.clauses for key, source in book.sources.items()}
    text = json.dumps([book.about.name, values, cites], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def fields(section: type[Section]) -> dict[str, tuple[Says, object]]:
    """The fields of a section with their sentence and type."""
    return {name: _field(section, name) for name in section.__struct_fields__}


@cache
def _hints(section: type[Section]) -> dict[str, Any]:
    return get_type_hints(section, include_extras=True)


def _field(section: type[Section], name: str) -> tuple[Says, object]:
    hint = _hints(section)[name]
    assert get_origin(hint) is Annotated, name
    kind, says = get_args(hint)
    return says, kind


def _values(section: Section) -> dict[str, object]:
    return {name: getattr(section, name) for name in section.__struct_fields__}


_EXAMPLES = {
    "about.": 'title = "Rules of Pontoon"',
    "cites.": 'bust = { clauses = ["14.2"] }',
    "table.": 'collected = { clauses = ["8.6"] }',
    "": "[split]",
    ".": 'max_hands = { value = 3, clauses = ["13.4(a)"] }',
    "clauses": 'clauses = ["13.4(a)"]',
    "value": "value = 3",
}
"""What a missing key looks like: by its own name, or by the place it belongs to."""


def _same_keys(file: str, place: str, data: object, wanted: set[str]) -> None:
    if not isinstance(data, dict):
        message = f"{file}: {place.rstrip('.')} is {shown(data)}; a table is needed, as in [{place.rstrip('.')}]"
        raise RulebookError(message)
    for key, value in data.items():
        if key not in wanted:
            message = f"{file}: unknown key {place + key!r} is {shown(value)}; known here: {', '.join(sorted(wanted))}"
            raise RulebookError(message)
    missing = sorted(wanted - set(data))
    if missing:
        example = _EXAMPLES.get(missing[0]) or _EXAMPLES.get(place) or _EXAMPLES["."]
        message = f"{file}: missing key {place}{missing[0]}; it is written as in {example}"
        raise RulebookError(message)


def _about(file: str, data: object) -> About:
    _same_keys(file, "about.", data, set(About.__struct_fields__))
    assert isinstance(data, dict)
    for key, value in data.items():
        if not isinstance(value, str) or not value:
            message = f'{file}: about.{key} is {shown(value)}; a text is needed, as in "star"'
            raise RulebookError(message)
    return About(**data)


def _section(file: str, name: str, kind: type[Section], data: object, sources: dict[str, Source]) -> Section:
    _same_keys(file, f"{name}.", data, set(kind.__struct_fields__))
    assert isinstance(data, dict)
    values = {}
    for field, entry in data.items():
        key = f"{name}.{field}"
        sources[key] = _source(file, key, entry, {"value", "clauses"})
        says, wanted = _field(kind, field)
        values[field] = _read_value(entry["value"], wanted, says, file, key)
    return kind(**values)


def _cites(file: str, name: str, kind: type[Section], data: object, sources: dict[str, Source]) -> Section:
    _same_keys(file, f"{name}.", data, set(kind.__struct_fields__))
    assert isinstance(data, dict)
    for field, entry in data.items():
        sources[f"{name}.{field}"] = _source(file, f"{name}.{field}", entry, {"clauses"})
    return kind(**{field: sources[f"{name}.{field}"].clauses for field in data})


def _source(file: str, key: str, entry: object, wanted: set[str]) -> Source:
    if not isinstance(entry, dict):
        example = '{ value = 3, clauses = ["13.4(a)"] }'
        message = f"{file}: {key} is {shown(entry)}; a value stands with its clauses, as in {example}"
        raise RulebookError(message)
    _same_keys(file, f"{key}.", {name: part for name, part in entry.items() if name != "note"}, wanted)
    clauses, note = entry["clauses"], entry.get("note", "")
    if not isinstance(clauses, list) or not all(isinstance(clause, str) for clause in clauses):
        message = f'{file}: {key}.clauses is {shown(clauses)}; a list of clause numbers is needed, as in ["13.4(a)"]'
        raise RulebookError(message)
    if not isinstance(note, str):
        message = f'{file}: {key}.note is {shown(note)}; a text is needed, as in "A29: one split only"'
        raise RulebookError(message)
    if not clauses and not note:
        message = f"{file}: {key} has no clause and no note; where the document is silent a note must say so"
        raise RulebookError(message)
    return Source(tuple(clauses), note)


def _read_value(raw: object, kind: object, says: Says, file: str, key: str) -> object:
    try:
        value = _within(_as(raw, kind), says)
    except (_WrongError, MoneyError) as error:
        wanted = error.args[0] if isinstance(error, _WrongError) else "another value"
        example = f", as in {says.example}" if says.example else ""
        message = f"{file}: {key} is {shown(raw)}; {wanted} is needed{example}"
        raise RulebookError(message) from None
    return value


def _within(value: object, says: Says) -> object:
    low, high = says.least, says.most
    if low is not None and high is not None and isinstance(value, int) and not low <= value <= high:
        raise _WrongError(f"a number from {low} to {high}")
    return value


class _WrongError(ValueError):
    """A value of the wrong type; carries what is wanted."""


def _as(raw: object, kind: Any) -> object:  # noqa: ANN401 a type as a value
    """Convert one TOML value to the type of its field."""
    if kind is Odds:
        return Odds(raw)
    if kind is Cents:
        return cents(raw)
    origin = get_origin(kind)
    if origin is Literal:
        if raw not in get_args(kind):
            raise _WrongError("one of " + ", ".join(get_args(kind)))
        return raw
    if origin is tuple:
        item = get_args(kind)[0]
        if not isinstance(raw, list) or not all(type(part) is item for part in raw):
            raise _WrongError("a list of " + {int: "whole numbers", str: "words"}[item])
        return tuple(raw)
    if type(raw) is not kind:
        raise _WrongError({int: "a whole number", bool: "true or false"}[kind])
    return raw


def _refuse_contradictions(book: Rulebook, file: str) -> None:
    found = contradictions(book)
    if found:
        message = f"{file}: {found[0]}"
        raise RulebookError(message)

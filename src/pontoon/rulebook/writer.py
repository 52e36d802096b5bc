"""Write a rulebook file, complete and ready to edit, with every value's sentence as a comment."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Literal, get_args, get_origin

from msgspec.structs import asdict

from pontoon.rulebook.explain import HEADINGS, filled
from pontoon.rulebook.schema import CITES, SECTIONS, Rulebook, Says, Source
from pontoon.rulebook.side_bets import CITE_FIELDS, LOOKS, VALUE_FIELDS, VOCABULARY, SideBet
from pontoon.rulebook.upgrade import FORMAT
from pontoon.rulebook.values import field, plain, show

WIDTH = 118


def to_toml(book: Rulebook, *, name: str = "", clauses: bool = True) -> str:
    """The rulebook as TOML; `name` renames it, and without `clauses` it cites none.

    >>> from pontoon.rulebook import load, read
    >>> read(to_toml(load("star"), name="my-casino"), "my-casino.toml").about.name
    'my-casino'
    """
    return "\n".join((*_head(book, name or book.about.name), *_body(book, clauses=clauses))) + "\n"


def _head(book: Rulebook, name: str) -> Iterator[str]:
    about = book.about
    yield f"# {name}: rules of Pontoon, to be read by `pontoon`. Check it with `pontoon rules check FILE`."
    yield '# A value may stand alone, or with where it comes from: { value = 3, clauses = ["13.4(a)"], note = "..." }.'
    yield '# Money is a decimal string in dollars, odds are written "3:2". docs/rulebook.md explains every key.'
    yield ""
    yield f"format = {FORMAT}"
    yield ""
    yield "[about]"
    for key, value in {"name": name, "title": about.title, "place": about.place, "nature": about.nature}.items():
        yield f"{key} = {_text(value)}"


def _body(book: Rulebook, *, clauses: bool) -> Iterator[str]:
    for section, kind in SECTIONS.items():
        yield from ("", f"# --- {HEADINGS[section]}", f"[{section}]")
        for key in kind.__struct_fields__:
            says, wanted = field(kind, key)
            value, full = getattr(getattr(book, section), key), f"{section}.{key}"
            yield from _comment(says, wanted, value, "")
            yield f"{key} = {_entry(book.sources[full], value, wanted, clauses=clauses)}"
    yield from _bets(book, clauses=clauses)
    for section, kind in CITES.items():
        yield from ("", f"# --- {HEADINGS[section]}: clauses alone, for what every rulebook does", f"[{section}]")
        yield from _cites(book, section, kind.__struct_fields__, clauses=clauses)
    yield from _remedies(book, clauses=clauses)


def _comment(says: Says, kind: object, value: object, title: str) -> Iterator[str]:
    """The comment for a value: its sentence, and the other possible values."""
    yield f"# {filled(says, plain(value, kind), show(value, kind), title)}"
    if get_origin(kind) is Literal:
        texts: Mapping[str, str] = says.text if isinstance(says.text, Mapping) else {}
        for choice in get_args(kind):
            if choice != value:
                yield f'#   "{choice}": {texts[choice].replace("{title}", title)}'
    elif says.least is not None:
        yield f"#   a number from {says.least} to {says.most}"


def _entry(source: Source, value: object, kind: object, *, clauses: bool) -> str:
    raw = _toml(plain(value, kind))
    parts = [f"clauses = {_toml(list(source.clauses))}"] if clauses and source.clauses else []
    parts += [f"note = {_text(source.note)}"] if clauses and source.note else []
    parts += ["silent = true"] if source.silent else []
    return f"{{ value = {', '.join((raw, *parts))} }}" if parts else raw


def _cites(book: Rulebook, place: str, keys: tuple[str, ...], *, clauses: bool) -> Iterator[str]:
    """Keys that hold clauses; without clauses only `silent` remains, which is not a citation."""
    for key in keys:
        source = book.sources[f"{place}.{key}"]
        cited = source if clauses else Source((), silent=source.silent)
        if cited != Source(()):
            yield f"{key} = {_cite(cited)}"


def _cite(source: Source) -> str:
    note = f", note = {_text(source.note)}" if source.note else ""
    silent = ", silent = true" if source.silent else ""
    return f"{{ clauses = {_toml(list(source.clauses))}{note}{silent} }}"


def _bets(book: Rulebook, *, clauses: bool) -> Iterator[str]:
    yield from ("", "# --- Side bets: one [[side]] each, then its pay table; the first row that is true pays.")
    yield f"# A row looks at `cards`: {', '.join(LOOKS)}."
    yield f"# `when` lists what must be true of them: {', '.join(VOCABULARY)}."
    for bet in book.side:
        yield from ("", "[[side]]", f"name = {_text(bet.name)}", f"title = {_text(bet.title)}")
        for key in VALUE_FIELDS:
            says, kind = field(SideBet, key)
            yield from _comment(says, kind, getattr(bet, key), bet.title)
            source = book.sources[f"side.{bet.name}.{key}"]
            yield f"{key} = {_entry(source, getattr(bet, key), kind, clauses=clauses)}"
        yield from _cites(book, f"side.{bet.name}", CITE_FIELDS, clauses=clauses)
        yield from _rows(book, bet, clauses=clauses)


def _rows(book: Rulebook, bet: SideBet, *, clauses: bool) -> Iterator[str]:
    for row in bet.pays:
        yield from ("", "[[side.pays]]", f"name = {_text(row.name)}", f"title = {_text(row.title)}")
        yield f"cards = {_text(row.cards)}"
        yield f"when = {_toml([condition.text for condition in row.when])}"
        source = book.sources[f"side.{bet.name}.pays.{row.name}"]
        yield f"odds = {_entry(source, row.odds, None, clauses=clauses)}"


def _remedies(book: Rulebook, *, clauses: bool) -> Iterator[str]:
    yield from (
        "",
        "# --- Remedies: what may be done about an error, one [[remedy]] each, for one value above.",
    )
    yield "# A value without a row has the standard remedies; docs/rulebook.md explains the keys."
    for row in book.remedies:
        yield from ("", "[[remedy]]")
        for key, value in asdict(row).items():
            if value and (clauses or key != "clauses"):
                yield f"{key} = {_toml(list(value) if isinstance(value, tuple) else value)}"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return _text(value) if isinstance(value, str) else str(value)


def _text(value: str) -> str:
    """A TOML string; JSON's escapes are valid in TOML."""
    return json.dumps(value, ensure_ascii=False)

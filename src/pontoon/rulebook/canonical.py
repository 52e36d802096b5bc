"""The canonical text of a rulebook, which is stored with everything recorded under it, and its digest.

The canonical text holds every value with its clauses, but no notes, which have no effect.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from typing import Any

import msgspec

from pontoon.rulebook.faults import RulebookError
from pontoon.rulebook.overrides import options_of, value_of
from pontoon.rulebook.reader import read_data
from pontoon.rulebook.schema import CITES, SECTIONS, Override, RemedyRow, Rulebook, Source
from pontoon.rulebook.side_bets import CITE_FIELDS, VALUE_FIELDS, SideBet
from pontoon.rulebook.upgrade import FORMAT
from pontoon.rulebook.values import field, plain

DIGITS = 12
AROUND = frozenset({"shoe", "cut", "people", "closing", "irregular"})
"""Sections about what happens around a round."""


def canonical(book: Rulebook) -> str:
    """The rulebook as one line of JSON, including overrides, as stored in logs, saved games and strategies.

    >>> from pontoon.rulebook import load
    >>> pinned(canonical(load("star", {"split.max_hands": 3}))).overrides[0].was
    '2'
    """
    overrides = [[override.key, override.value, override.was] for override in book.overrides]
    return _text({"book": tables(book), "overrides": overrides})


def pinned(text: str, digest_was: str = "") -> Rulebook:
    """The rulebook of a canonical text; refused if its digest is not the recorded one.

    The digest is that of the text as it was recorded, so that a key added later does not change it.
    """
    try:
        data = json.loads(text)
        digest_is = _hash(data["book"])
        overrides = tuple(Override(*override) for override in data["overrides"])
        book = read_data(data["book"], "the rulebook of the record", overrides)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        if isinstance(error, RulebookError):
            raise
        raise RulebookError("the rulebook of the record cannot be read") from None
    if digest_was and digest_is != digest_was:
        raise RulebookError(f"the rulebook of the record has digest {digest_is}, but {digest_was} was recorded")
    return book


def digest(book: Rulebook) -> str:
    """Twelve hexadecimal digits that identify these rules, including overrides.

    >>> from pontoon.rulebook import load
    >>> digest(load("star")) == digest(load("star", {"split.max_hands": 3}))
    False
    """
    return _hash(tables(book))


def play_digest(book: Rulebook, also: Collection[str] = ()) -> str:
    """Like `digest`, of the values a round is played by: equal for two rulebooks whose rounds play alike.

    What a rulebook cites, what it is called, and what it says about the shoe, people and irregularities do not count,
    except the keys in `also`.
    """
    played = [(key, kind) for key, _, kind in options_of(book) if of_the_round(key) or key in also]
    values = {key: plain(value_of(book, key), kind) for key, kind in played}
    rows = {
        bet.name: [[row.cards, [condition.text for condition in row.when]] for row in bet.pays] for bet in book.side
    }
    return _hash({"values": values, "rows": rows})


def of_the_round(key: str) -> bool:
    """Whether a key is about the round itself rather than about the table around it.

    >>> of_the_round("split.max_hands"), of_the_round("side.match.who"), of_the_round("people.late")
    (True, True, False)
    """
    return key.partition(".")[0] not in AROUND


def tables(book: Rulebook) -> dict[str, Any]:
    """The tables of a file for this rulebook, without notes."""
    sections = {
        name: {
            key: _entry(book, f"{name}.{key}", getattr(getattr(book, name), key), kind) for key, kind in _kinds(name)
        }
        for name in SECTIONS
    }
    cites = {
        name: {key: cite for key in kind.__struct_fields__ if (cite := _cite(book.sources[f"{name}.{key}"]))}
        for name, kind in CITES.items()
    }
    about = msgspec.structs.asdict(book.about)
    side = [_bet(book, bet) for bet in book.side]
    remedies = {"remedy": [_remedy(row) for row in book.remedies]} if book.remedies else {}
    return {"format": FORMAT, "about": about, **sections, "side": side, **cites, **remedies}


def _remedy(row: RemedyRow) -> dict[str, Any]:
    """The row without omitted keys."""
    entries = msgspec.structs.asdict(row)
    return {key: list(value) if isinstance(value, tuple) else value for key, value in entries.items() if value}


def _kinds(section: str) -> list[tuple[str, object]]:
    kind = SECTIONS[section]
    return [(key, field(kind, key)[1]) for key in kind.__struct_fields__]


def _entry(book: Rulebook, key: str, value: object, kind: object) -> object:
    """A value alone, or in a table with its clauses."""
    source, raw = book.sources[key], plain(value, kind)
    beside = {"clauses": list(source.clauses)} if source.clauses else {}
    silent = {"silent": True} if source.silent else {}
    return {"value": raw, **beside, **silent} if beside or silent else raw


def _cite(source: Source) -> object:
    """Clauses alone, or marked silent; None if there is neither."""
    return {"clauses": list(source.clauses), "silent": True} if source.silent else list(source.clauses)


def _bet(book: Rulebook, bet: SideBet) -> dict[str, Any]:
    place = f"side.{bet.name}"
    values = {key: _entry(book, f"{place}.{key}", getattr(bet, key), field(SideBet, key)[1]) for key in VALUE_FIELDS}
    cites = {key: cite for key in CITE_FIELDS if (cite := _cite(book.sources[f"{place}.{key}"]))}
    rows = [
        {
            "name": row.name,
            "title": row.title,
            "cards": row.cards,
            "when": [condition.text for condition in row.when],
            "odds": _entry(book, f"{place}.pays.{row.name}", row.odds, None),
        }
        for row in bet.pays
    ]
    return {"name": bet.name, "title": bet.title, **values, **cites, "pays": rows}


def _text(data: object) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _hash(data: object) -> str:
    return hashlib.sha256(_text(data).encode()).hexdigest()[:DIGITS]

"""Overrides: the operator's values that replace a rulebook's."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from pontoon.money import Cents, Odds
from pontoon.quoting import quoted
from pontoon.rulebook.faults import RulebookError, fault
from pontoon.rulebook.reader import contradicted
from pontoon.rulebook.schema import SECTIONS, Override, Rulebook, Says, Section
from pontoon.rulebook.side_bets import VALUE_FIELDS, SideBet
from pontoon.rulebook.upgrade import renamed
from pontoon.rulebook.values import WrongValueError, field, fields, plain, read_value, show

ODDS = Says("{title} pays {}.", example='"25:1"')
"""The sentence of a row of a pay table."""


def options_of(book: Rulebook) -> Iterator[tuple[str, Says, object]]:
    """Every key an operator may override, with its sentence and type, in the order of play."""
    for name, kind in SECTIONS.items():
        for key, (says, wanted) in fields(kind).items():
            yield f"{name}.{key}", says, wanted
    for bet in book.side:
        for key in VALUE_FIELDS:
            yield f"side.{bet.name}.{key}", *field(SideBet, key)
        for row in bet.pays:
            yield f"side.{bet.name}.pays.{row.name}", ODDS, Odds


def value_of(book: Rulebook, key: str) -> object:
    """A value by its key, in its own type.

    >>> from pontoon.rulebook import load
    >>> value_of(load("star"), "side.perfect_pairs.pays.mixed")
    Odds("5:1")
    """
    section, *names = key.split(".")
    if section != "side":
        return getattr(getattr(book, section), names[0])
    bet = book.side_bet(names[0])
    assert bet is not None
    if names[1] != "pays":
        return getattr(bet, names[1])
    return next(row.odds for row in bet.pays if row.name == names[2])


def plain_value(book: Rulebook, key: str) -> object:
    """A value as written in a file, which `override` can read.

    >>> from pontoon.rulebook import load
    >>> plain_value(load("division-15"), "payout.pontoon"), plain_value(load("division-15"), "super_bonus.upper")
    ('3:2', '5000.00')
    """
    kinds = {name: kind for name, _, kind in options_of(book) if name == key}
    return plain(value_of(book, key), kinds[key])


def override(book: Rulebook, overrides: Mapping[str, object]) -> Rulebook:
    """Replace values with the operator's; the replaced values are recorded."""
    known = {key: (says, kind) for key, says, kind in options_of(book)}
    new, record = book, []
    for key, raw in _current(book, overrides):
        if key not in known:
            message = f"no option {quoted(key)} in a rulebook; an option is written section.key, as in split.max_hands"
            raise RulebookError(message, [fault(key, "there is no such option")])
        says, kind = known[key]
        was = value_of(new, key)
        value = _read(book, key, raw, says, kind)
        if value != was:
            record.append(Override(key=key, value=show(value, kind), was=show(was, kind)))
            new = _with(new, key, value)
    new = replace(new, overrides=(*book.overrides, *record))
    wrong = contradicted(new)
    if wrong:
        raise RulebookError(f"override of {book.about.name}: {wrong[0]}", wrong)
    return new


def _current(book: Rulebook, overrides: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """The overrides under today's keys; keys of version 0.1.0 are still accepted."""
    bets = tuple(bet.name for bet in book.side)
    for key, raw in overrides.items():
        new = renamed(key, raw, bets)
        yield from ((key, raw),) if new is None else new.items()


def _read(book: Rulebook, key: str, raw: object, says: Says, kind: object) -> object:
    try:
        return read_value(_as_typed(raw, kind), kind, says)
    except WrongValueError as error:
        found = fault(key, f"{error.args[0]} is needed", value=raw, example=says.example)
        raise RulebookError(f"override of {book.about.name}: {found}", [found]) from None


def _as_typed(raw: object, kind: object) -> object:
    """A typed value in the form of a file: 5000 for money, yes or no, 6, 8 for a list.

    >>> _as_typed(5000, Cents), _as_typed("yes", bool)
    ('5000', True)
    """
    if kind is Cents and type(raw) is int:
        return str(raw)
    if kind is bool and isinstance(raw, str):
        return {"yes": True, "no": False}.get(raw, raw)
    return raw


def _with(book: Rulebook, key: str, value: object) -> Rulebook:
    section, *names = key.split(".")
    if section != "side":
        old: Section = getattr(book, section)
        return replace(book, **{section: replace(old, **{names[0]: value})})
    return replace(book, side=tuple(_bet_with(bet, names, value) for bet in book.side))


def _bet_with(bet: SideBet, names: list[str], value: object) -> SideBet:
    if bet.name != names[0]:
        return bet
    if names[1] != "pays":
        return replace(bet, **{names[1]: value})
    rows = tuple(replace(row, odds=value) if row.name == names[2] else row for row in bet.pays)
    return replace(bet, pays=rows)


def parse_setting(text: str) -> tuple[str, object]:
    """Read `key=value` of the command line; a value that is not TOML is a bare word.

    >>> parse_setting("split.max_hands=4"), parse_setting("double.fixed_aces=none")
    (('split.max_hands', 4), ('double.fixed_aces', 'none'))
    """
    key, sign, value = text.partition("=")
    if not sign:
        message = f"{quoted(text)}: an override is written key=value, as in split.max_hands=4"
        raise RulebookError(message)
    try:
        read = tomllib.loads(f"value = {value}")["value"]
    except (ValueError, RecursionError):  # ValueError: not TOML, or a number of more digits than Python reads
        return key.strip(), value.strip()
    return key.strip(), value.strip() if isinstance(read, float) else read  # 7.50 is money, not a float

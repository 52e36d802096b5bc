"""Rules as a person changes them: a label, a group, and the values worth choosing from, each in a few words."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any, Literal, get_args, get_origin

from msgspec import Struct

from pontoon.money import Cents
from pontoon.rulebook.overrides import ODDS, options_of, plain_value, value_of
from pontoon.rulebook.schema import Rulebook, Says
from pontoon.rulebook.values import plain

LONGEST_RANGE = 12
"""A range of so many numbers is offered whole."""
LADDER = (1, 2, 3, 4, 5, 6, 8, 10, 11, 12, 15, 20, 25, 30, 40, 50, 60, 100)
"""Odds to one as side bets pay them."""
NEAR = 3
"""So many steps of the ladder are offered below and above what a row pays."""
LARGE = 6
"""Packs of a large shoe."""
SIDE, SIDE_BETS, PAYS = "side", "side_bets", "pays"


class Option(Struct, frozen=True):
    """A value as `override` reads it, and its words."""

    value: object
    words: str


class Label(Struct, frozen=True):
    """A rule in a few words."""

    key: str
    label: str
    main: bool
    """Shown at once; the others on request."""
    options: tuple[Option, ...]
    """What may be chosen; the rulebook's own value is among them."""


class Group(Struct, frozen=True):
    """Rules that belong together."""

    name: str
    title: str
    labels: tuple[Label, ...]


def groups(book: Rulebook) -> tuple[Group, ...]:
    """Every rule of a rulebook that may be changed, in groups.

    >>> from pontoon.rulebook import load
    >>> [group.title for group in groups(load("star"))][:4]
    ['Deal', 'Doubling', 'Splitting', 'Dealer']
    """
    schema = {key: (says, kind) for key, says, kind in options_of(book)}
    keys: dict[str, list[str]] = {name: [] for name in _data() if name != SIDE_BETS}
    for key in (*_bet_keys(book), *_entries()):
        keys[_entries()[key][0] if key in _entries() else SIDE].append(key)
    return tuple(
        Group(name, _data()[name]["title"], tuple(_label(book, key, *schema[key]) for key in listed))
        for name, listed in keys.items()
    )


def labels_of(book: Rulebook, *keys: str) -> dict[str, Label]:
    """The labels of these rules by their keys, those that the rulebook has; without keys of every rule.

    >>> from pontoon.rulebook import load
    >>> labels_of(load("star"), "side.perfect_pairs.pays.mixed")["side.perfect_pairs.pays.mixed"].label
    'Perfect Pairs: mixed pair pays'
    """
    return {key: _label(book, key, says, kind) for key, says, kind in options_of(book) if not keys or key in keys}


def words_of(book: Rulebook, key: str) -> str:
    """A rulebook's value of a rule in words.

    >>> from pontoon.rulebook import load
    >>> book = load("adelaide", {"payout.pontoon": "7:5"})
    >>> [words_of(book, key) for key in ("double.two_cards_only", "payout.pontoon")]
    ['two cards', '7 to 5']
    """
    own = plain_value(book, key)
    return next(option.words for option in labels_of(book, key)[key].options if option.value == own)


# --- what is written in labels.toml --------------------------------------------------------------------


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads((resources.files("pontoon.rulebook") / "labels.toml").read_text("utf-8"))


@cache
def _entries() -> dict[str, tuple[str, dict[str, Any]]]:
    """Group and entry of every rule but those of side bets."""
    groups = ((name, group["rules"]) for name, group in _data().items() if name != SIDE_BETS)
    return {key: (name, entry) for name, rules in groups for key, entry in rules.items()}


def _bet_keys(book: Rulebook) -> Iterator[str]:
    for bet in book.side:
        for name in _data()[SIDE_BETS]:
            rows = (f".{row.name}" for row in bet.pays) if name == PAYS else ("",)
            yield from (f"side.{bet.name}.{name}{row}" for row in rows)


def _entry(book: Rulebook, key: str) -> dict[str, Any]:
    if key in _entries():
        return _entries()[key][1]
    _, name, field, *rows = key.split(".")
    bet = book.side_bet(name)
    assert bet is not None
    row = next((row.title for row in bet.pays if [row.name] == rows), "")
    entry: dict[str, Any] = _data()[SIDE_BETS][field]
    return {**entry, "label": entry["label"].format(title=bet.title, row=row)}


def _label(book: Rulebook, key: str, says: Says, kind: object) -> Label:
    entry = _entry(book, key)
    own = plain(value_of(book, key), kind)
    if entry.get("options"):
        options = [Option(value, words) for value, words in entry["options"]]
    else:
        chosen = entry.get("words", {})
        named = says is ODDS or "options" in entry or _is_list(kind)
        values = _from_book(book, key, own) if named else _all(says, kind)
        options = [Option(value, chosen.get(str(value)) or _words(value, says, kind)) for value in values]
    if all(option.value != own for option in options):
        options.append(Option(own, _words(own, says, kind)))
    return Label(key, entry["label"], entry.get("main", False), tuple(options))


def _is_list(kind: object) -> bool:
    return get_origin(kind) is tuple


def _from_book(book: Rulebook, key: str, own: object) -> list[object]:
    """Values that only the rulebook can name: its packs, its other side bets, odds near those it pays."""
    packs = list(book.decks.allowed)
    if key == "decks.default":
        return [*packs]
    if key.endswith(".decks"):
        large = [count for count in packs if count >= LARGE]
        return [packs, large] if large != packs else [packs]
    if key.endswith(".instead_of"):
        others = [bet.name for bet in book.side if bet.name != key.split(".")[1]]
        return [[], *([name] for name in others)]
    pays, _, stake = str(own).partition(":")
    above = [step for step in LADDER if step * int(stake) >= int(pays)]
    place = len(LADDER) - len(above)
    return [f"{step}:1" for step in LADDER[max(0, place - NEAR) : place + NEAR + 1]]


def _all(says: Says, kind: object) -> list[object]:
    """Every value of a rule, where the schema says what they are."""
    if kind is bool:
        return [True, False]
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    assert says.least is not None
    assert says.most is not None
    assert says.most - says.least < LONGEST_RANGE, says
    return list(range(says.least, says.most + 1))


def _words(value: object, says: Says, kind: object) -> str:
    """A value in words where nobody has chosen better ones."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(str(part).replace("_", " ") for part in value) or "none"
    if not isinstance(says.text, str):
        return says.text[str(value)].removesuffix(".")
    if kind is Cents:
        return f"${float(str(value)):,.2f}".removesuffix(".00")
    return "none" if says.no and value == 0 else str(value).replace(":", " to ")

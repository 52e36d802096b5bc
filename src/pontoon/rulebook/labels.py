"""Rules as a person changes them: a label, a group, and the values worth choosing from, each in a few words."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any, Literal, get_args, get_origin

from msgspec import Struct

from pontoon.money import Cents
from pontoon.rulebook.load import field_of, plain_value
from pontoon.rulebook.schema import Rulebook, Says

LONGEST_RANGE = 12
"""A range of so many numbers is offered whole."""


class Option(Struct, frozen=True):
    """A value as `override` reads it, and its words."""

    value: object
    words: str


class Label(Struct, frozen=True):
    """A rule in a few words."""

    key: str
    label: str
    group: str
    main: bool
    """Shown at once; the others on request."""
    options: tuple[Option, ...]
    """What may be chosen; a rulebook's own value is always among them (`options_of`)."""


class Group(Struct, frozen=True):
    """Rules that belong together."""

    name: str
    title: str
    labels: tuple[Label, ...]


@cache
def groups() -> tuple[Group, ...]:
    """Every rule, in groups.

    >>> [group.title for group in groups()][:4]
    ['Deal', 'Doubling', 'Splitting', 'Dealer']
    >>> next(one for one in groups()[3].labels if one.key == "dealer.stands_soft").label
    'Dealer stands on soft'
    """
    data = tomllib.loads((resources.files("pontoon.rulebook") / "labels.toml").read_text("utf-8"))
    return tuple(
        Group(name, group["title"], tuple(_label(name, key, entry) for key, entry in group["rules"].items()))
        for name, group in data.items()
    )


@cache
def labels() -> dict[str, Label]:
    """Every label by its key."""
    return {label.key: label for group in groups() for label in group.labels}


def options_of(book: Rulebook, label: Label) -> tuple[Option, ...]:
    """The values to choose from under a rulebook: its own is among them.

    >>> from pontoon.rulebook import load
    >>> book = load("star", {"draw.forced_below": 14})
    >>> [option.words for option in options_of(book, labels()["draw.forced_below"])]
    ['12', '17', 'no minimum', '14']
    """
    own = plain_value(book, label.key)
    if any(option.value == own for option in label.options):
        return label.options
    return (*label.options, Option(own, _plain_words(own, *field_of(label.key))))


def words_of(book: Rulebook, key: str) -> str:
    """A rulebook's value of a rule in words.

    >>> from pontoon.rulebook import load
    >>> words_of(load("adelaide"), "double.two_cards_only"), words_of(load("star"), "payout.pontoon")
    ('two cards', '3 to 2')
    """
    own = plain_value(book, key)
    return next(option.words for option in options_of(book, labels()[key]) if option.value == own)


def _label(group: str, key: str, entry: dict[str, Any]) -> Label:
    says, kind = field_of(key)
    listed = entry.get("options")
    words = entry.get("words", {})
    values = [value for value, _ in listed] if listed else _all_values(says, kind)
    named = (
        [text for _, text in listed]
        if listed
        else [words.get(value) or _plain_words(value, says, kind) for value in values]
    )
    options = tuple(Option(value, text) for value, text in zip(values, named, strict=True))
    return Label(key, entry["label"], group, entry.get("main", False), options)


def _all_values(says: Says, kind: object) -> list[object]:
    """Every value of a rule, where the schema says what they are."""
    if kind is bool:
        return [True, False]
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    assert says.least is not None
    assert says.most is not None
    assert says.most - says.least < LONGEST_RANGE, says
    return list(range(says.least, says.most + 1))


def _plain_words(value: object, says: Says, kind: object) -> str:
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

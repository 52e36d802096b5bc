"""The conditions of a tournament as a form: every key with its label, type, clause and default."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from typing import Any, Literal, get_args, get_origin

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from pontoon.money import Cents
from pontoon.tournament.conditions.field_spec import FieldSpec, Part
from pontoon.tournament.conditions.load import MOST_MONEY, hints
from pontoon.tournament.conditions.values import Advance, Conditions, Session
from pontoon.view.catalogue import ENGLISH, say

KINDS: dict[Any, str] = {
    bool: "yes_no",
    int: "number",
    str: "text",
    Cents: "money",
    dt.datetime: "time",
    tuple[int, ...]: "numbers",
    tuple[Fraction, ...]: "shares",
}
HIDDEN = ("game.book",)
"""Keys that are filled in by the program."""


class Choice(Struct, frozen=True):
    """One of the words a key may have."""

    value: str
    words: str


class FormField(Struct, frozen=True):
    """A key of the conditions."""

    key: str
    """As in a file: `money.fee`, `session.rounds`."""
    label: str
    kind: str
    """`text`, `money`, `number`, `numbers`, `shares`, `time`, `yes_no`, `choice`."""
    clause: str
    required: bool
    default: str
    """The default as written in a file; empty if there is none."""
    example: str
    least: int = 0
    most: int = 0
    choices: tuple[Choice, ...] = ()


class FormPart(Struct, frozen=True):
    """A table of the conditions; the part without a name holds the keys at the top of a file."""

    name: str
    title: str
    fields: tuple[FormField, ...]
    many: bool = False


def form(language: str = ENGLISH) -> tuple[FormPart, ...]:
    """The whole form, in the order of a file."""
    top = [(name, wanted, spec) for name, (wanted, spec) in hints(Conditions).items() if not _is_table(wanted)]
    parts = [FormPart("", say("conditions.part_top", {}, language), tuple(_field("", row, language) for row in top))]
    for name, (wanted, _) in hints(Conditions).items():
        kind = Session if wanted == tuple[Session, ...] else wanted
        if _is_table(wanted):
            title = say(f"conditions.part_{name}", {}, language)
            parts.append(FormPart(name, title, _fields(name, kind, language), many=kind is Session))
    return tuple(parts)


def _is_table(wanted: Any) -> bool:  # noqa: ANN401 a type as a value
    return wanted == tuple[Session, ...] or (isinstance(wanted, type) and issubclass(wanted, Part))


def _fields(name: str, kind: type[Part], language: str) -> tuple[FormField, ...]:
    made: list[FormField] = []
    for key, (wanted, spec) in hints(kind).items():
        if wanted == Advance | None:
            made.extend(_fields(f"{name}.{key}", Advance, language))
        elif f"{name}.{key}" not in HIDDEN:
            made.append(_field(f"{name}.", (key, wanted, spec), language, kind))
    return tuple(made)


def _field(place: str, row: tuple[str, Any, FieldSpec], language: str, kind: type[Struct] = Conditions) -> FormField:
    key, wanted, spec = row
    default = next((field.default for field in fields(kind) if field.name == key), NODEFAULT)
    choice = get_origin(wanted) is Literal
    words = dict(spec.words)
    return FormField(
        key=place + key,
        label=say(f"conditions.{(place + key).replace('.', '_')}", {}, language),
        kind="choice" if choice else KINDS[wanted],
        clause=spec.clause,
        required=default is NODEFAULT or spec.must,
        default=_default(default, wanted),
        example=spec.example.strip('"'),
        least=spec.least,
        most=MOST_MONEY if wanted is Cents else spec.most,
        choices=tuple(Choice(value, words.get(value, value)) for value in get_args(wanted)) if choice else (),
    )


def _default(value: Any, wanted: Any) -> str:  # noqa: ANN401 a value of any key
    if value is NODEFAULT or value in ((), ""):
        return ""
    if wanted is Cents:
        return f"{value / 100:.2f}"
    return str(value).lower() if wanted is bool else str(value)

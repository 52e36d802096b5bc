"""Remedies as rows of a rulebook: the ways to correct an error, depending on the rulebook's value for it.

A row without clauses cites those of the value for its kind of error. If the rulebook has no row for the value (a file
in an older format, or a value the operator overrode), the rows of `standard_remedies.toml` apply.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from string import Formatter
from typing import Any, Literal, get_args

from msgspec import Struct, convert

from pontoon.rulebook.faults import Fault, fault
from pontoon.rulebook.round_rules import Draw
from pontoon.rulebook.section import Clauses, Section
from pontoon.rulebook.table_rules import CutRules, Irregular
from pontoon.rulebook.values import field

Asks = Literal["always", "reconstruct", "void", "directs", "never"]
Moment = Literal["", "initial_deal", "in_turn", "passed", "dealer_stands", "dealer_breaks", "dealer_pontoon"]

ASKS: dict[str, str] = {
    "always": "approval as `irregular.approval` has it",
    "reconstruct": "hands are put right: management supervises after the initial deal, or the operator approves",
    "void": "wagers are void: the operator approves",
    "directs": "the operator directs it",
    "never": "nobody has to approve",
}
"""Who must approve a remedy."""
MOMENTS: tuple[str, ...] = tuple(kind for kind in get_args(Moment) if kind)

KINDS = {
    "face_up": "irregular.face_up",
    "hidden": "irregular.hidden",
    "exposed": "irregular.exposed",
    "burned": "irregular.burned",
    "dealer_excess": "irregular.dealer_excess",
    "misplaced": "irregular.misplaced",
    "found_late": "irregular.found_late",
    "missing_card": "irregular.missing_card",
    "missing_first": "irregular.missing_first",
    "superfluous": "irregular.superfluous",
    "too_few": "irregular.too_few",
    "damaged": "irregular.damaged",
    "missed_insurance": "irregular.missed_offer",
    "missed_surrender": "irregular.missed_offer",
    "absent": "draw.absent_by",
    "cutting_card_missing": "cut.missing",
    "cutting_card_passed": "cut.passed",
}
"""Every kind of error, with the rulebook key that decides its remedies."""

LINES = (
    "dealer burn {card}",
    "dealer exposed",
    "dealer noticed b{box}",
    "dealer omitted insurance",
    "dealer omitted surrender",
    "dealer skipped b{box}",
    "dealer skipped dealer",
    "supervisor void b{box}",
    "supervisor void round",
    "b{box} absent",
    "b{box} hit",
    "b{box} refuse",
    "b{box} stand",
    "b{box} withdraw",
    "{insurers}",
    "{surrenderers}",
    "{withdrawers}",
)
"""Lines that a remedy may add to a transcript; the last three stand for the answers of everyone offered a choice."""

TOGETHER = "+"
MOST_REMEDIES = 100
LONGEST_WORDS = 200
SILENT = "silent"
_SECTIONS: dict[str, type[Section]] = {"irregular": Irregular, "draw": Draw, "cut": CutRules}


class RemedyRow(Struct, frozen=True):
    """A remedy in general form; `{box}` and `{card}` stand for those of the case."""

    kind: str
    """The kind of error."""
    value: str
    """The rulebook value for which it applies."""
    name: str
    words: str
    lines: tuple[str, ...] = ()
    """Lines entered now."""
    later: tuple[str, ...] = ()
    """Lines entered when the box has its turn; `+` joins lines that are entered together."""
    moments: tuple[str, ...] = ()
    """When it is available; empty means always."""
    asks: Asks = "always"
    clauses: Clauses = ()
    """Clauses; if empty, those of the value for its kind of error."""


def values_of(kind: str) -> tuple[str, ...]:
    """The values for which a kind of error can have a remedy; none if the document is silent.

    >>> values_of("exposed")
    ('refusable', 'next_card')
    """
    section, _, key = KINDS[kind].partition(".")
    return tuple(value for value in get_args(field(_SECTIONS[section], key)[1]) if value != SILENT)


@cache
def standard_rows() -> tuple[RemedyRow, ...]:
    """The standard rows, for kinds without rows in the rulebook."""
    text = (resources.files("pontoon.rulebook") / "standard_remedies.toml").read_text("utf-8")
    rows, faults = read_remedies(tomllib.loads(text)["remedy"])
    assert not faults, faults
    return rows


# --- reading -------------------------------------------------------------------------------------------


def read_remedies(data: object) -> tuple[tuple[RemedyRow, ...], list[Fault]]:
    """Read the rows of a file; return them with their faults."""
    if not isinstance(data, list) or not all(isinstance(row, dict) for row in data):
        return (), [fault("remedy", "remedies are a list of tables", value=data, example="[[remedy]]")]
    if len(data) > MOST_REMEDIES:
        return (), [fault("remedy", f"at most {MOST_REMEDIES} remedies are possible")]
    faults = [found_fault for number, row in enumerate(data, 1) for found_fault in _faults(f"remedy.{number}", row)]
    return () if faults else convert(data, tuple[RemedyRow, ...]), faults


def _faults(place: str, data: Mapping[str, Any]) -> list[Fault]:
    known = RemedyRow.__struct_fields__
    found = [
        fault(f"{place}.{key}", f"unknown key; known here: {', '.join(known)}") for key in data if key not in known
    ]
    for key, (is_good, wanted, example) in _CHECKS.items():
        if key not in data:
            found += [fault(f"{place}.{key}", "is missing; write it", example=f"{key} = {example}")] * (key in _NEEDED)
        elif not is_good(data[key]):
            found.append(fault(f"{place}.{key}", f"{wanted} is needed", value=data[key], example=example))
    if not found and data["value"] not in (choices := values_of(data["kind"])):
        wanted = f"one of {', '.join(choices)} is needed: the values of {KINDS[data['kind']]}"
        found.append(fault(f"{place}.value", wanted, value=data["value"]))
    return found


def _is_text(value: object, known: frozenset[str] = frozenset()) -> bool:
    """Whether this is a line of text with only known names in braces."""
    if not isinstance(value, str) or not value or len(value) > LONGEST_WORDS or not value.isprintable():
        return False
    try:
        parts = list(Formatter().parse(value))
    except ValueError:
        return False
    return all(name is None or (name in known and not form and not how) for _, name, form, how in parts)


def _is_name(value: object) -> bool:
    return _is_text(value, frozenset({"box"}))


def _are_words(value: object) -> bool:
    return _is_text(value, frozenset({"box", "card"}))


def _is_kind(value: object) -> bool:
    return isinstance(value, str) and value in KINDS


def _are_lines(value: object) -> bool:
    return isinstance(value, list) and all(item in LINES for item in value)


def _are_later(value: object) -> bool:
    lists = (
        [item.split(TOGETHER) if isinstance(item, str) else item for item in value] if isinstance(value, list) else []
    )
    return isinstance(value, list) and all(map(_are_lines, lists))


def _are_moments(value: object) -> bool:
    return isinstance(value, list) and all(item in MOMENTS for item in value)


def _are_clauses(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _asks(value: object) -> bool:
    return isinstance(value, str) and value in ASKS


_NEEDED = ("kind", "value", "name", "words")
_LINE = f"a list of lines from: {', '.join(LINES)}"
_CHECKS = {
    "kind": (_is_kind, f"one of {', '.join(KINDS)}", '"exposed"'),
    "value": (_is_text, "a value of the rulebook", '"refusable"'),
    "name": (_is_name, "a line of text, with no braces but {box},", '"refuse"'),
    "words": (_are_words, "a line of text, with no braces but {box} and {card},", '"Box {box} takes {card}."'),
    "lines": (_are_lines, _LINE, '["dealer exposed", "b{box} hit"]'),
    "later": (_are_later, f"{_LINE}, with + between those entered together,", '["b{box} hit"]'),
    "moments": (_are_moments, f"a list from: {', '.join(MOMENTS)}", '["in_turn"]'),
    "asks": (_asks, f"one of {', '.join(ASKS)}", '"always"'),
    "clauses": (_are_clauses, "a list of clause numbers", '["13.4(a)"]'),
}
"""Each key with its check, a description of valid values, and an example."""

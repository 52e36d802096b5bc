"""The remedies for an error: the rulebook's rows for it, and who approves.

A row cites clauses for people; whether it is open depends on the values of the rulebook alone. `ruling` tries it on the
cards.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pontoon.rulebook import Clauses, RemedyRow, Rulebook
from pontoon.rulebook.explain import Sentence, explain
from pontoon.rulebook.remedies import KINDS, SILENT, standard_rows

Who = Literal["nobody", "inspector", "management", "operator"]

WRONG_PLACE = ("missing_card", "missing_first", "superfluous")
"""Dealing errors; without a specific rule each is treated as a card in the wrong place."""
NEEDS = {"supervisor void b{box}": "void_hand", "supervisor void round": "void_round"}
"""Lines allowed only if the rulebook lets a hand or a round be void."""


class Approval(Struct, frozen=True):
    """Who must agree before the remedy is carried out."""

    who: Who
    clauses: Clauses = ()


class Remedy(Struct, frozen=True):
    """A remedy the document allows."""

    name: str
    words: str
    clauses: Clauses
    approval: Approval
    lines: tuple[str, ...] = ()
    """Lines to enter now."""
    later: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """Lines to enter when a box has its turn."""


class Entry(Struct, frozen=True):
    """One row of the list: a kind of error under one rulebook."""

    kind: str
    says: Sentence
    silent: bool
    approvals: tuple[Approval, ...]


def says(rules: Rulebook, kind: str) -> Sentence:
    """The document's rule for a kind of error."""
    key = KINDS[kind]
    return next(sentence for chapter in explain(rules) for sentence in chapter.sentences if sentence.key == key)


def silent(rules: Rulebook, kind: str) -> bool:
    """Whether the document has no rule for a kind of error; a value is then only how we read its silence."""
    return _value(rules, kind) == SILENT or rules.sources[KINDS[kind]].silent


def _value(rules: Rulebook, kind: str) -> str:
    section, _, key = KINDS[kind].partition(".")
    return str(getattr(getattr(rules, section), key))


def rows_of(rules: Rulebook, kind: str) -> tuple[RemedyRow, ...]:
    """The remedies for a kind of error under one rulebook: its own rows, or the standard ones."""
    value = _value(rules, kind)
    rows = _rows(rules.remedies, kind, value)
    if not rows and kind in WRONG_PLACE and value == "reconstruct":
        return rows_of(rules, "misplaced")
    return tuple(row for row in rows or _rows(standard_rows(), kind, value) if _may(rules, row))


def _rows(rows: tuple[RemedyRow, ...], kind: str, value: str) -> tuple[RemedyRow, ...]:
    return tuple(row for row in rows if (row.kind, row.value) == (kind, value))


def _may(rules: Rulebook, row: RemedyRow) -> bool:
    """Whether the rulebook supports the lines of a row."""
    needed = (NEEDS[line] for line in row.lines if line in NEEDS)
    return all(getattr(rules.irregular, key) != SILENT for key in needed)


def cited(rules: Rulebook, kind: str, row: RemedyRow) -> Clauses:
    """The clauses of a row: its own, or those of the value for this kind of error."""
    return row.clauses or rules.clauses(KINDS[kind])


def approval(rules: Rulebook, kind: str, row: RemedyRow, moment: str) -> Approval:
    """Who approves: always an inspector, or the operator if hands are corrected or void, or nobody."""
    asked, own = rules.irregular.approval, rules.clauses("irregular.approval")
    if row.asks == "never":
        return Approval("nobody")
    if row.asks == "directs":
        return Approval("operator", cited(rules, kind, row))
    if asked == "inspector":
        full = row.asks == "reconstruct" and moment != "initial_deal"
        return Approval("management" if full else "inspector", own)
    if asked == "operator" and row.asks in ("reconstruct", "void"):
        return Approval("operator", own)
    return Approval("operator", cited(rules, kind, row)) if row.asks == "void" else Approval("nobody")


def listing(rules: Rulebook) -> tuple[Entry, ...]:
    """Every kind of error with its remedies and approvals.

    >>> from pontoon.rulebook import load
    >>> first = listing(load("adelaide"))[0]
    >>> first.kind, first.says.clauses, first.approvals[0].who
    ('face_up', ('101',), 'inspector')
    """
    entries = []
    for kind in KINDS:
        approvals = [
            approval(rules, kind, row, moment) for row in rows_of(rules, kind) for moment in row.moments or ("",)
        ]
        entries.append(Entry(kind, says(rules, kind), silent(rules, kind), tuple(dict.fromkeys(approvals))))
    return tuple(entries)

"""What may be done about an error: the rows of the rulebook for it, and who approves.

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
"""Errors in dealing: without a rule of its own each is a card in the wrong place."""
NEEDS = {"supervisor void b{box}": "void_hand", "supervisor void round": "void_round"}
"""Lines that are entered only where the rulebook lets a hand or a round be void."""


class Approval(Struct, frozen=True):
    """Who must agree before the remedy is carried out."""

    who: Who
    clauses: Clauses = ()


class Remedy(Struct, frozen=True):
    """One thing the document lets the table do."""

    name: str
    words: str
    clauses: Clauses
    approval: Approval
    lines: tuple[str, ...] = ()
    """What is entered now."""
    later: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """What is entered when a box has its turn."""


class Entry(Struct, frozen=True):
    """One row of the list: a kind of error under one rulebook."""

    kind: str
    says: Sentence
    silent: bool
    approvals: tuple[Approval, ...]


def says(rules: Rulebook, kind: str) -> Sentence:
    """What the document says about a kind of error."""
    key = KINDS[kind]
    return next(one for chapter in explain(rules) for one in chapter.sentences if one.key == key)


def silent(rules: Rulebook, kind: str) -> bool:
    """Whether the document has no rule for a kind of error; a value is then only how we read its silence."""
    return _value(rules, kind) == SILENT or rules.sources[KINDS[kind]].silent


def _value(rules: Rulebook, kind: str) -> str:
    section, _, key = KINDS[kind].partition(".")
    return str(getattr(getattr(rules, section), key))


def rows_of(rules: Rulebook, kind: str) -> tuple[RemedyRow, ...]:
    """The remedies of a kind under one rulebook, at any moment: its own rows, else the standard ones."""
    value = _value(rules, kind)
    rows = _rows(rules.remedies, kind, value)
    if not rows and kind in WRONG_PLACE and value == "reconstruct":
        return rows_of(rules, "misplaced")
    return tuple(row for row in rows or _rows(standard_rows(), kind, value) if _may(rules, row))


def _rows(rows: tuple[RemedyRow, ...], kind: str, value: str) -> tuple[RemedyRow, ...]:
    return tuple(row for row in rows if (row.kind, row.value) == (kind, value))


def _may(rules: Rulebook, row: RemedyRow) -> bool:
    """Whether the rulebook knows what the lines of a row do."""
    needed = (NEEDS[line] for line in row.lines if line in NEEDS)
    return all(getattr(rules.irregular, key) != SILENT for key in needed)


def cited(rules: Rulebook, kind: str, row: RemedyRow) -> Clauses:
    """The clauses a row rests on: its own, else those beside the value of the kind."""
    return row.clauses or rules.clauses(KINDS[kind])


def approval(rules: Rulebook, kind: str, row: RemedyRow, moment: str) -> Approval:
    """Who approves: an inspector every time, or the operator where hands are put right or void, or nobody."""
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
    """Every kind of error: what the document does, and who approves.

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

"""Outputs of the commands at the table and of the rulebooks. Amounts are dollars as text, as in "-7.50"."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from pontoon.cli.outputs.common import Part
from pontoon.rulebook.diff import Difference
from pontoon.rulebook.explain import Chapter, Summary
from pontoon.rulebook.faults import Fault
from pontoon.rulebook.register import Clause
from pontoon.rulebook.schema import Override
from pontoon.school import Exercise
from pontoon.table.fairness import Check

RulebookListed = Summary
ClauseListed = Clause
ExerciseListed = Exercise


class DealerCards(Part, frozen=True, kw_only=True):
    """The dealer's hand."""

    cards: list[str]
    total: int
    soft: bool
    pontoon: bool


class HandCards(Part, frozen=True, kw_only=True):
    """A hand at the end of the round."""

    hand: int
    cards: list[str]
    total: int
    soft: bool


class BoxHands(Part, frozen=True, kw_only=True):
    """The hands of a box."""

    box: int
    hands: list[HandCards]


class Settlement(Part, frozen=True, kw_only=True):
    """One payment or collection."""

    player: str
    box: int
    hand: int | None
    kind: str
    stake: str
    result: str
    odds: str | None
    net: str
    moment: str
    clauses: list[str]
    owner: str | UnsetType = UNSET


class PaidDifference(Part, frozen=True, kw_only=True):
    """A player who was paid something else than is due."""

    player: str
    due: str
    paid: str
    owed: str


class RefusedAction(Part, frozen=True, kw_only=True):
    """The line that the rules refuse."""

    action: str
    code: str
    clauses: list[str]
    why: str


class ComparedWith(Part, frozen=True, kw_only=True):
    """The round under its own rulebook."""

    rulebook: str
    players: dict[str, str]


class SettleOutput(Part, frozen=True, kw_only=True):
    """A settled round; or `refused`; or, with several files, `error`. With --as also the comparison."""

    file: str | UnsetType = UNSET
    rulebook: str | UnsetType = UNSET
    digest: str | UnsetType = UNSET
    overrides: dict[str, Any] | UnsetType = UNSET
    dealer: DealerCards | UnsetType = UNSET
    boxes: list[BoxHands] | UnsetType = UNSET
    settlements: list[Settlement] | UnsetType = UNSET
    players: dict[str, str] | UnsetType = UNSET
    house: str | UnsetType = UNSET
    cards_used: int | UnsetType = UNSET
    paid_differences: list[PaidDifference] | UnsetType = UNSET
    compared_with: ComparedWith | UnsetType = UNSET
    difference: dict[str, str] | UnsetType = UNSET
    notes: list[str] | UnsetType = UNSET
    refused: RefusedAction | UnsetType = UNSET
    error: str | UnsetType = UNSET


class DealOutput(Part, frozen=True, kw_only=True):
    """The results of rounds dealt to bots."""

    rulebook: str
    digest: str
    overrides: dict[str, Any]
    rounds: int
    shoes: int
    irregularities: int
    players: dict[str, str]
    house: str
    out: str | None


class RuledError(Part, frozen=True, kw_only=True):
    """The error that a ruling is about."""

    kind: str
    box: int | None
    card: str | None


class DocumentSays(Part, frozen=True, kw_only=True):
    """What the document says about it."""

    silent: bool
    says: str
    clauses: list[str]
    note: str


class CardsAndTotal(Part, frozen=True, kw_only=True):
    """A hand."""

    cards: list[str]
    total: int


class BoxPosition(Part, frozen=True, kw_only=True):
    """A box in the middle of a round."""

    box: int
    hands: list[CardsAndTotal]


class Position(Part, frozen=True, kw_only=True):
    """The round before or after a remedy."""

    phase: str
    turn: int | None
    dealer: list[str]
    boxes: list[BoxPosition]
    chips: dict[str, str]
    net: dict[str, str]
    if_all_stand: dict[str, str] | None
    cards_used: int


class ApprovedBy(Part, frozen=True, kw_only=True):
    """Who must approve."""

    who: str
    clauses: list[str]


class LaterLines(Part, frozen=True, kw_only=True):
    """What a box may do later."""

    box: int
    lines: list[str]


class UndonePayment(Part, frozen=True, kw_only=True):
    """A settlement that the remedy takes back."""

    player: str
    box: int
    kind: str
    net: str


class RemedyRow(Part, frozen=True, kw_only=True):
    """A remedy that the document allows."""

    name: str
    words: str
    clauses: list[str]
    approval: ApprovedBy
    lines: list[str]
    strike: list[str]
    enter: list[str]
    later: list[LaterLines]
    after: Position | None
    undone: list[UndonePayment]
    refused: Any


class RuleOutput(Part, frozen=True, kw_only=True):
    """The remedies for an error at the table."""

    rulebook: str
    error: RuledError
    document: DocumentSays
    disputes: list[str]
    before: Position
    remedies: list[RemedyRow]


class RuleListed(Part, frozen=True, kw_only=True):
    """A kind of error under a rulebook."""

    kind: str
    silent: bool
    says: str
    clauses: list[str]
    note: str
    approvals: list[ApprovedBy]


class RulesAbout(Part, frozen=True, kw_only=True):
    """Which document it is."""

    name: str
    title: str
    place: str
    nature: str


class RulesOutput(Part, frozen=True, kw_only=True):
    """A rulebook in plain words."""

    about: RulesAbout
    digest: str
    overrides: list[Override]
    sections: list[Chapter]


class RulesCompared(Part, frozen=True, kw_only=True):
    """One of two rulebooks."""

    name: str
    digest: str
    overrides: list[Override]


class RulesDiffOutput(Part, frozen=True, kw_only=True):
    """The values that differ between two rulebooks."""

    first: RulesCompared
    second: RulesCompared
    differences: list[Difference]


class ClauseOutput(Clause, frozen=True, kw_only=True, rename={"kind": "class"}):
    """A clause, and the keys of the values that cite it."""

    cited_by: list[str]


class NoRegisterOutput(Part, frozen=True, kw_only=True):
    """A rulebook file has no register of clauses."""

    rulebook: str
    register: None
    cited_by: list[str]


class CoverageCounts(Part, frozen=True, kw_only=True):
    """The number of clauses by status."""

    clauses: int
    implemented: int
    equipment: int
    conduct: int
    information: int


class RulesNewOutput(Part, frozen=True, kw_only=True):
    """A rulebook file that was written."""

    file: str
    name: str
    like: str
    digest: str
    changed: list[str]


class RulesCheckOutput(Part, frozen=True, kw_only=True):
    """The faults of a rulebook file."""

    file: str
    faults: list[Fault]
    digest: str | None


class DrillListed(Part, frozen=True, kw_only=True):
    """A hand to practise, with its answer."""

    position: str
    area: str
    square: Any
    may: list[str]
    values: dict[str, float]
    best: str
    why: str


class VerifyShoeOutput(Part, frozen=True, kw_only=True):
    """The checks of a shoe."""

    shoe: str
    ok: bool
    complete: bool
    checks: list[Check]

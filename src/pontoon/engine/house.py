"""Decisions of the house if a document is silent, recorded without a clause."""

from __future__ import annotations

from pontoon.engine.commands import (
    BurnCard,
    ExposeCard,
    MissCard,
    OfferLate,
    PutRight,
    SkipDealer,
    SkipHand,
    VoidBox,
    VoidHand,
    VoidRound,
    VoidWager,
)
from pontoon.engine.refusals import Refusal, refuse
from pontoon.rulebook import Clauses

Ruling = (
    BurnCard
    | ExposeCard
    | MissCard
    | OfferLate
    | PutRight
    | SkipDealer
    | SkipHand
    | VoidBox
    | VoidHand
    | VoidRound
    | VoidWager
)
"""Matters the house may decide by itself."""


def refuse_silence(command: Ruling, value: str, clauses: Clauses, matter: str) -> Refusal | None:
    """Where a document is silent only the house decides; if it has a rule, the house cannot."""
    if value == "silent" and not command.by_house:
        return refuse("document_silent", clauses, matter=matter)
    if value != "silent" and command.by_house:
        return refuse("document_rules", clauses, matter=matter)
    return None

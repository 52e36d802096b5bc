"""Where a document is silent: what the house then decides is recorded as its own, without a clause."""

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
"""What the house may decide by itself."""


def refuse_silence(command: Ruling, value: str, clauses: Clauses, matter: str) -> Refusal | None:
    """On what a document is silent only the house decides; on what it rules, the house has nothing to add."""
    if value == "silent" and not command.by_house:
        return refuse("document_silent", clauses, matter=matter)
    if value != "silent" and command.by_house:
        return refuse("document_rules", clauses, matter=matter)
    return None

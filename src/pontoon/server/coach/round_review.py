"""A finished round looked over: what its player decided, what each mistake cost, and why another choice was better."""

from __future__ import annotations

from msgspec import Struct

from pontoon.cards import Card, total
from pontoon.engine.events import WagerPlaced
from pontoon.server.coach.decisions import Decision, Sight, decisions
from pontoon.server.records.history import PastRound
from pontoon.server.sharing.hands import position_of
from pontoon.trainer.drills import TITLES
from pontoon.trainer.values import Solved
from pontoon.trainer.why import with_article
from pontoon.view.viewer import Viewer

NEARLY = 0.0005
"""First wagers: choices this close are equally good."""


class Mistake(Struct, frozen=True):
    """A decision that cost something."""

    box: int
    cards: tuple[Card, ...]
    dealer: Card
    words: str
    """The situation: "soft 17 against a 5"."""
    area: str
    chosen: str
    best: str
    cents: float
    """What it costs on average."""
    why: str
    position: str
    """The situation as a position for the trainer; empty if it cannot be one."""


def made_in(past: PastRound, player: str) -> list[Decision]:
    """The decisions of a player in a finished round, each with the cards of the round that were seen then."""
    return decisions(Sight(past.table, Viewer(player)), past.events, player)


def first_wagers(past: PastRound, player: str) -> int:
    """What a player staked before the deal, in cents."""
    return sum(event.stake for event in past.events if isinstance(event, WagerPlaced) and event.player == player)


def cost_of(decision: Decision, solved: Solved) -> float:
    """What a decision costs in cents; 0 for the best play, and where it has no values."""
    worth = {value.action: value.value for value in solved.values}
    lost = max(worth.values()) - worth[decision.chosen] if decision.chosen in worth else 0.0
    return lost * decision.stake if lost >= NEARLY else 0.0


def mistake(past: PastRound, decision: Decision, solved: Solved, why: str) -> Mistake:
    """A decision as a row of the review."""
    asked = decision.question
    area, name = _named(decision)
    return Mistake(
        decision.box,
        asked.hand,
        asked.dealer,
        f"{name} against {with_article(asked.dealer)}",
        area,
        decision.chosen,
        solved.values[0].action,
        cost_of(decision, solved),
        why,
        position_of(past.table.rules, decision),
    )


def _named(decision: Decision) -> tuple[str, str]:
    """The area of a decision and its hand, in words."""
    asked = decision.question
    held = total(asked.hand, asked.fixed_aces)
    name = f"soft {held.points}" if held.soft else str(held.points)
    if asked.kind in ("insurance", "surrender"):
        return asked.kind.capitalize(), name
    if asked.kind == "doubled":
        return TITLES["doubled"], f"{name}, doubled"
    if asked.split:
        return TITLES["split"], f"{name} after a split"
    if "split" in asked.may:
        return TITLES["pairs"], f"a pair, {name}"
    return TITLES["soft" if held.soft else "hard"], name

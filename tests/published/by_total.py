"""Play by total: a decision depends on the total, hard or soft, and the upcard."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace

from pontoon.analysis import kernels
from pontoon.analysis.solver import Solver, Start
from pontoon.cards import Card, total
from pontoon.strategy.situation import Action, Situation, column, rank_class

Cell = tuple[int, bool, int]
"""Total, soft, the dealer's first card."""


@dataclass(frozen=True)
class ByTotal:
    """The first action of a cell that is allowed; pairs are split where `splits` names them, by rank and first card."""

    plan: dict[Cell, tuple[Action, ...]]
    splits: frozenset[tuple[str, int]]

    def choose(self, situation: Situation) -> Action:
        points, first = total(situation.cards), column(situation.dealer)
        if "surrender" in situation.may:
            return "keep"
        if "split" in situation.may:
            if (rank_class(situation.cards[0]), first) in self.splits:
                return "split"
            return self.choose(replace(situation, may=situation.may - {"split"}))
        ranked = self.plan[points.points, points.soft, first]
        return next(action for action in ranked if action in situation.may)

    def insures(self, cards: tuple[Card, ...], dealer: Card) -> bool:  # noqa: ARG002 never
        return False


@dataclass(frozen=True)
class LikeTheDealer:
    """Draw as a dealer must: never double, never split."""

    stands_soft: int

    def choose(self, situation: Situation) -> Action:
        points = total(situation.cards)
        return "hit" if points.points < (self.stands_soft if points.soft else 17) else "stand"

    def insures(self, cards: tuple[Card, ...], dealer: Card) -> bool:  # noqa: ARG002 never
        return False


def best_by_total(solver: Solver) -> ByTotal:
    """The best action for each total, over the two-card hands that make it, each by its chance.

    A total that no two cards make is averaged over all hands, weighted by the chance that best play holds them.
    """
    plan: dict[Cell, tuple[Action, ...]] = {}
    splits = set()
    for first in range(10):
        starts = list(solver.starts(first))
        plan |= {(*points, first): ranked for points, ranked in _plan_against(solver, first, starts).items()}
        splits |= {("A23456789K"[start.pair[0]], first) for start in starts if start.best == "split"}
    return ByTotal(plan, frozenset(splits))


def _plan_against(solver: Solver, first: int, starts: list[Start]) -> dict[tuple[int, bool], tuple[Action, ...]]:
    hands, board = solver.table.hands, solver.board(first)
    dealt = np.zeros((len(hands.hard), 3))
    for start in starts:
        dealt[hands.two(*start.pair), 0] += float(start.chance)
    held = dealt.copy()
    kernels.reach(solver.table.columns, board.flags, board.shoe, board.cards, board.picks, board.act, held)
    plan: dict[tuple[int, bool], tuple[Action, ...]] = {}
    soft = hands.best != hands.hard
    for points in {(int(hands.best[hand]), bool(soft[hand])) for hand in board.picks}:
        picks = board.picks[(hands.best[board.picks] == points[0]) & (soft[board.picks] == points[1])]
        two = dealt[picks, 0].any()
        stand, hit, double = (dealt if two else held)[picks, 0] @ board.quality[picks, 0]
        ranked: tuple[Action, ...] = ("stand", "hit") if stand >= hit else ("hit", "stand")
        plan[points] = ("double", *ranked) if two and double > max(stand, hit) else ranked
    return plan

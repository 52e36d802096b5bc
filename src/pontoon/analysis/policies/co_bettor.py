"""The value of a co-bettor's wager that never grows: it joins no double and covers no split.

The controller plays the hand optimally for the controller. The co-bettor has a single wager: on a doubled hand it wins
or loses as it is, even if the controller forfeits; after a split it stays on the first hand.

>>> from pontoon.analysis import Solver
>>> from pontoon.rulebook import load
>>> f"{riding_value(Solver(load('star'), 8)):.4f}"
'-0.0212'
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pontoon.analysis import measures
from pontoon.analysis.board import EVERY_ACTION, Board
from pontoon.analysis.edge import play_value
from pontoon.analysis.measures import Measure
from pontoon.analysis.solver import Solver


def riding_value(solver: Solver) -> float:
    """The value of such a wager per unit staked, from a fresh shoe.

    A doubled 21 is paid at the odds of a doubled hand. Where the rulebook pays bonus odds to a bettor who did not
    double, that omits less than 1e-4.
    """
    single = replace(
        solver.money,
        doubled_win=solver.money.rows["other"],
        doubled_lose=solver.money.lose,
        doubled_pontoon=solver.money.pontoon,
        doubled_bust=solver.money.bust,
        doubled_paid=solver.money.rows["other"],
    )
    total = 0.0
    for rank, first, count in solver.upcards():
        board = _without_forfeits(solver, first, single)
        for start in solver.starts(first, rank):
            chance = count / solver.shoe.cards * float(start.chance)
            if start.best == "split":
                total += chance * _first_hand(solver, first, start.pair[0], start.of_pair, single)
            else:
                total += chance * float(play_value(solver, board, start, single))
    return total


def _without_forfeits(solver: Solver, first: int, measure: Measure) -> Board:
    """The controller's play without forfeits."""
    best = solver.board(first)
    board = Board(best.table, best.arithmetic, first, best.values)
    board.results, board.act = best.results, best.act
    board.use[:] = EVERY_ACTION
    board.sweep(measure, follow=True, spoilt=solver.spoilt)
    return board


def _first_hand(solver: Solver, first: int, pair: int, of_pair: int, measure: Measure) -> float:
    """The value of the first hand of a split."""
    box = solver.split_box(first, pair)
    most = solver.split_total(first, pair, of_pair)[2]
    nothing = measures.nothing().map(float)
    forfeits = box.original.drop
    box.original.drop = np.zeros_like(forfeits)
    value = float(box.total((measure, nothing), of_pair, most).base)
    box.original.drop = forfeits
    return value

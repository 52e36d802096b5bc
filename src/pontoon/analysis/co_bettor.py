"""What a wager is worth that rides on somebody else's box and never grows: no double, no cover of a split.

The controller plays the hand as is best for the controller. The co-bettor has one wager: on a doubled hand it wins or
loses as it is, also when the controller forfeits; of a split it stays on the first hand.

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
    """The value of such a wager, a unit staked, from a fresh shoe.

    A doubled 21 is counted at the odds of a doubled hand; where the rulebook keeps bonus odds for whoever did not
    double, that leaves out less than 1e-4.
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
    for rank, first, count in solver.first_cards():
        board = _kept(solver, first, single)
        for start in solver.starts(first, rank):
            chance = count / solver.shoe.cards * float(start.chance)
            if start.best == "split":
                total += chance * _first_hand(solver, first, start.pair[0], start.of_pair, single)
            else:
                total += chance * float(play_value(solver, board, start, single))
    return total


def _kept(solver: Solver, first: int, measure: Measure) -> Board:
    """The controller's play, no double given up."""
    best = solver.board(first)
    board = Board(best.table, best.arithmetic, first, best.values)
    board.results, board.act = best.results, best.act
    board.use[:] = EVERY_ACTION
    board.sweep(measure, follow=True, spoilt=solver.spoilt)
    return board


def _first_hand(solver: Solver, first: int, pair: int, of_pair: int, measure: Measure) -> float:
    """The first hand of a split alone."""
    box = solver.split_box(first, pair)
    most = solver.split_total(first, pair, of_pair)[2]
    nothing = measures.nothing().map(float)
    given_up = box.original.drop
    box.original.drop = np.zeros_like(given_up)
    value = float(box.total((measure, nothing), of_pair, most).base)
    box.original.drop = given_up
    return value

"""Aces that a double leaves free to count 11, where it fixes those among the first two cards dealt at 1."""

from __future__ import annotations

import numpy as np

from pontoon.analysis import kernels
from pontoon.analysis.board import Array, Board
from pontoon.analysis.game import Game
from pontoon.analysis.hands import ACE


def split_aces_free(game: Game) -> bool:
    """Whether a double fixes aces of the hand dealt and none of a split hand."""
    return game.fixed == kernels.FIXED_FIRST_TWO and game.fixed_split == kernels.FIXED_NONE


def free_aces(board: Board, rows: Array, aces: Array) -> Array:
    """Whether hands with this many aces among their first two cards have one that a double leaves free."""
    game, held = board.table.game, board.table.hands.counts[rows, ACE]
    if game.fixed != kernels.FIXED_FIRST_TWO:
        return np.zeros(len(rows), dtype=bool)
    fixed = aces if board.switches[kernels.FIXED] == kernels.FIXED_FIRST_TWO else 0
    free: Array = held > fixed
    return free & (board.switches[kernels.FIXED] != kernels.FIXED_ALL)

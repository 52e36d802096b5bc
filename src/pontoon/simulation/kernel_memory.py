"""The arrays the kernel works in: shoes for the streams, and sums."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pontoon.simulation.kernel import FRESH, LANES, MOST_BOXES, NOTES, SHUFFLED, Game, Shoes, Sums
from pontoon.simulation.tables import Compiled


def new_shoes(
    cards: NDArray[np.uint8], lanes: int = LANES, *, cut: int = 0, fresh: int = 0, dealing: np.uint64 = SHUFFLED
) -> Shoes:
    """A shoe of these cards for each lane."""
    return Shoes(
        cards,
        np.tile(cards.astype(np.uint32) if dealing == FRESH else cards, lanes),
        np.uint64(len(cards)),
        np.uint64(cut),
        np.uint64(fresh),
        dealing,
        np.zeros(lanes, np.uint64),
        np.zeros(lanes, np.uint64),
        np.zeros(lanes, np.uint64),
        np.zeros(lanes, np.int64),
        np.zeros(lanes, np.uint64),
        np.zeros(lanes * MOST_BOXES * NOTES, np.int64),
    )


def new_sums(compiled: Compiled) -> Sums:
    """Sums with every count at zero."""
    numbers = compiled.numbers
    return Sums(
        np.zeros(numbers.first_split + len(compiled.tables.split_end), np.int64),
        np.zeros(numbers.upcards * numbers.nets, np.int64),
        np.zeros(numbers.labels, np.int64),
        np.zeros(3, np.int64),
    )


def game_of(compiled: Compiled) -> Game:
    """The part of a compiled game that the kernel reads."""
    return Game(compiled.tables, compiled.numbers)

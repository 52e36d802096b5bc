"""Rounds on given shoes, one by one: how the kernel is held against the engine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from pontoon.cards import Card
from pontoon.simulation.compile import Compiled
from pontoon.simulation.kernel import NET, NOTES, ZERO, play_round, play_table
from pontoon.simulation.shoes import game_of, new_shoes, new_sums


class Recorded(Struct, frozen=True):
    """What one round came to."""

    cards: int
    """Cards dealt."""
    nets: tuple[int, ...]
    """The net of each box, in cents."""


def record(
    compiled: Compiled, shoes: Sequence[Sequence[Card]], boxes: int = 1, *, parts: bool = False
) -> list[Recorded]:
    """Play one round on each shoe, its cards in the order given; `parts`: without the joined automaton."""
    game, sums = game_of(compiled), new_sums(compiled)
    rounds = []
    for cards in shoes:
        numbers = np.array([compiled.classes.number[card] for card in cards], np.uint8)
        shoe = new_shoes(numbers, 1, shuffled=False)
        with np.errstate(over="ignore"):  # only matters when the kernel is interpreted
            if boxes == 1 and not parts:
                end = int(play_round(game, shoe, ZERO, sums)) - compiled.numbers.first_end
                plain = end < len(compiled.end_net)
                nets = [int(compiled.end_net[end]) if plain else int(shoe.notes[NET])]
            else:
                play_table(game, shoe, ZERO, boxes, sums)
                nets = [int(shoe.notes[box * NOTES + NET]) for box in range(boxes)]
        rounds.append(Recorded(int(shoe.places[0]), tuple(nets)))
    return rounds

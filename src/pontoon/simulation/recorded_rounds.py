"""Rounds played by the kernel on given shoes, one by one, to compare them with the engine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from pontoon.cards import Card
from pontoon.simulation.kernel import GIVEN, NET, NOTES, ZERO, play_round, play_table
from pontoon.simulation.kernel_memory import game_of, new_shoes, new_sums
from pontoon.simulation.tables import Compiled


class Recorded(Struct, frozen=True):
    """The result of one round."""

    cards: int
    """Number of cards dealt."""
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
        shoe = new_shoes(numbers, 1, dealing=GIVEN)
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

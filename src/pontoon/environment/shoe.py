"""A shoe that an environment deals from, shuffled with the environment's own generator."""

from __future__ import annotations

import numpy as np

from pontoon.cards import PACK, Card
from pontoon.environment.box import ranks_of

CARDS = len(PACK)


class RandomShoe:
    """Packs in random order. A shoe that runs out in a round is refilled with the cards that are not on the table."""

    def __init__(self, packs: int, generator: np.random.Generator) -> None:
        self.packs, self.generator = packs, generator
        self.round_began = 0
        self._order: list[int] = []
        self.dealt = 0
        self.shuffle()

    def shuffle(self) -> None:
        """Put every card back and shuffle."""
        self._order = self.generator.permutation(self.packs * CARDS).tolist()
        self.dealt = self.round_began = 0

    def draw(self) -> Card:
        """The next card."""
        if self.dealt == len(self._order):
            self._refill()
        self.dealt += 1
        return PACK[self._order[self.dealt - 1] % CARDS]

    def _refill(self) -> None:
        lying = self._order[self.round_began :]
        rest = sorted({*range(self.packs * CARDS)} - {*lying})
        self._order = lying + self.generator.permutation(rest).tolist()
        self.dealt, self.round_began = len(lying), 0

    def ranks_dealt(self) -> tuple[int, ...]:
        """How many cards of each rank have left the shoe."""
        return ranks_of(PACK[number % CARDS] for number in self._order[: self.dealt])

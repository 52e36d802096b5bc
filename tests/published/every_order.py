"""Splits of one pack dealt in every order, hand after hand: slow, but independent of the analysis.

Given that the dealer is to have a natural, which hands of a split are bust? The ways of taking bets differ in nothing
else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from tests.published.figures import ACE, TEN

Left = tuple[int, ...]


class Fate(NamedTuple):
    """The hands of a split when the dealer has a natural."""

    natural: float
    """The chance of the natural."""
    standing: float
    """How many hands are not bust."""
    first: float
    """The chance that the first hand is not bust."""
    all_bust: float


def fate(pair: int, first: int, most: int, hits: Callable[[int, bool], bool]) -> Fate:
    """Deal the hands of a split of one pack of 52, no doubles; `hits` decides by total, hard or soft."""
    natural = {ACE: TEN, TEN: ACE}[first]
    pack: Left = (4,) * 9 + (16,)
    pack = _less(_less(_less(pack, first), pair), pair)
    return Fate(pack[natural] / sum(pack), *_Split(pair, most, hits).play(_less(pack, natural), 2, 2, True))


class _Split:
    def __init__(self, pair: int, most: int, hits: Callable[[int, bool], bool]) -> None:
        self.pair, self.most, self.hits = pair, most, hits
        self.ends, self.play = cache(self._ends), cache(self._play)

    def _ends(self, left: Left, hard: int, ace: bool) -> dict[tuple[Left, bool], float]:
        """How a hand ends: the cards left, and whether it is bust."""
        soft = ace and hard + 10 <= 21
        if hard > 21 or hard + 10 * soft == 21 or not self.hits(hard + 10 * soft, soft):
            return {(left, hard > 21): 1.0}
        found: dict[tuple[Left, bool], float] = {}
        for value, share, less in _draws(left):
            for end, chance in self.ends(less, hard + value + 1, ace or value == ACE).items():
                found[end] = found.get(end, 0.0) + chance * share
        return found

    def _play(self, left: Left, waiting: int, formed: int, original: bool) -> tuple[float, float, float]:
        """Hands that wait for their second card: how many will stand, whether the first does, whether all bust."""
        if not waiting:
            return 0.0, 0.0, 1.0
        standing = own = bust = 0.0
        for value, share, less in _draws(left):
            if value == self.pair and formed < self.most:
                more = self.play(less, waiting + 1, formed + 1, original)
                standing, own, bust = standing + share * more[0], own + share * more[1], bust + share * more[2]
                continue
            second = {(less, False): 1.0}  # a split ace gets one card
            if self.pair != ACE:
                second = self.ends(less, self.pair + value + 2, value == ACE)
            for (rest, lost), chance in second.items():
                more = self.play(rest, waiting - 1, formed, False)
                standing += share * chance * (more[0] + (not lost))
                own += share * chance * (more[1] + (original and not lost))
                bust += share * chance * more[2] * lost
        return standing, own, bust


def _draws(left: Left) -> Iterator[tuple[int, float, Left]]:
    """Every possible card, its probability, and the remaining cards."""
    cards = sum(left)
    for value, count in enumerate(left):
        if count:
            yield value, count / cards, _less(left, value)


def _less(left: Left, value: int) -> Left:
    return (*left[:value], left[value] - 1, *left[value + 1 :])

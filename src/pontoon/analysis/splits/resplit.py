"""How often each hand of a split is played, by the number of further cards of the pair already dealt.

The strategy of a split hand looks only at its own cards, so the mean of a hand does not depend on the cards of the
others, except for what is known of them: a second card that was of the pair was split again, and one that was not was
not. The mean of a hand, given that m other cards are known not to be of the pair, follows from means with more cards of
the pair gone:

    mean(gone, m) = (mean(gone, m - 1) - chance * mean(gone + 1, m - 1)) / (1 - chance)

The value of a whole split is therefore a sum over the number of further cards of the pair gone, of the means of hands
that start with one card of the pair (FROM_ONE) and of hands of two cards of the pair that are not split (FROM_PAIR).
The weights depend only on the number of cards of the pair, the number of all cards, and the maximum number of hands.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

FIRST, SECOND, NEW = 0, 1, 2
"""The hand with the first card of the pair, the hand with the second, and those of further splits."""
FROM_ONE, FROM_PAIR = 0, 1
"""A hand that starts with one card of the pair, and one with two that is not split again."""

Weights = Any
"""An array of floats or of fractions."""
Number = Any
Chances = Any
"""A function from a hand, or from a number of hands, to a probability."""


Again = tuple[Number, bool]
"""How often a further pair is split again, and whether a pair that is kept bars further splits."""
ALWAYS: Again = (1, False)


def depth(most: int, again: Again = ALWAYS) -> int:
    """Number of further cards of the pair to consider for this maximum number of hands; a pair that is kept is one."""
    return 2 * (most - 2) if again == ALWAYS else 2 * most


@lru_cache(maxsize=4096)
def weights(of_pair: float, cards: float, most: int, *, exact: bool = False, again: Again = ALWAYS) -> Weights:
    """Weights by hand (first, second, new), kind (FROM_ONE, FROM_PAIR) and further cards of the pair gone.

    `of_pair` cards of the pair are among `cards` left after the two that were split.

    >>> weights(30, 381, 2)[:, FROM_ONE, 0].tolist()
    [1.0, 1.0, 0.0]
    """
    number = Fraction if exact else float
    recursion = _Weights((of_pair, cards), most, number, again)
    return recursion.play((FIRST, SECOND), 2, 0, 0)


class _Weights:
    def __init__(self, cards: tuple[float, float], most: int, number: Number, again: Again) -> None:
        (self.of_pair, self.cards), self.most, self.number = cards, most, number
        self.splits, self.locks, self.depth = number(again[0]), again[1], depth(most, again)

    def nothing(self) -> Weights:
        empty = np.zeros((3, 2, self.depth + 1), dtype=object if self.number is Fraction else np.float64)
        return empty + self.number(0)

    def chance(self, gone: int, others: int) -> Number:
        """The probability that the next card is of the pair."""
        return self.number(max(self.of_pair - gone, 0)) / (self.cards - gone - others)

    def mean(self, hand: int, kind: int, gone: int, others: int) -> Weights:
        """Weights of the mean of a hand, given cards of the pair `gone` and `others` known not to be of the pair."""
        if others == 0:
            unit = self.nothing()
            unit[hand, kind, gone] = self.number(1)
            return unit
        chance = self.chance(gone + kind, others - 1)  # a hand of two cards of the pair holds one more
        more = self.mean(hand, kind, gone, others - 1)
        if chance:
            more = (more - chance * self.mean(hand, kind, gone + 1, others - 1)) / (1 - chance)
        return more

    def play(self, waiting: tuple[int, ...], formed: int, gone: int, others: int) -> Weights:
        """Weights of the hands still waiting for their second card, in order of play."""
        if formed == self.most:
            return sum((self.mean(hand, FROM_ONE, gone, others) for hand in waiting), self.nothing())
        if not waiting:
            return self.nothing()
        hand, *rest = waiting
        chance = self.chance(gone, others)
        split, kept = chance * self.splits, chance * (1 - self.splits)
        unsplit = self.mean(hand, FROM_ONE, gone, others) - split * self.mean(hand, FROM_PAIR, gone, others)
        total = unsplit + (1 - chance) * self.play(tuple(rest), formed, gone, others + 1)
        if kept:
            total = total + kept * self.play(tuple(rest), self.most if self.locks else formed, gone + 1, others)
        if split:
            total = total + split * self.play((hand, NEW, *rest), formed + 1, gone + 1, others)
        return total


def chance_of_all(
    of_pair: float, cards: float, most: int, hand: Chances, linked: Chances, again: Again = ALWAYS
) -> Number:
    """The probability that something holds for every hand of a split, from the probabilities for one hand.

    `hand(place, kind, gone)` is the probability for one hand; `linked(formed)` corrects the product for the cards that
    the hands take from each other.
    """
    number = Fraction if isinstance(hand(FIRST, FROM_ONE, 0), Fraction) else float
    recursion = _Weights((of_pair, cards), most, number, again)

    def mean(place: int, kind: int, gone: int, others: int) -> Number:
        row = recursion.mean(place, kind, gone, others)[place, kind]
        return sum((row[more] * hand(place, kind, more) for more in range(len(row)) if row[more]), number(0))

    def play(waiting: tuple[int, ...], formed: int, gone: int, others: int) -> Number:
        if formed == most:
            product = linked(formed)
            for place in waiting:
                product = product * mean(place, FROM_ONE, gone, others)
            return product
        if not waiting:
            return linked(formed)
        place, *rest = waiting
        chance = recursion.chance(gone, others)
        split, kept = chance * recursion.splits, chance * (1 - recursion.splits)
        of_two = mean(place, FROM_PAIR, gone, others)
        unsplit = mean(place, FROM_ONE, gone, others) - chance * of_two
        total = unsplit * play(tuple(rest), formed, gone, others + 1)
        if kept:
            total = total + kept * of_two * play(tuple(rest), most if recursion.locks else formed, gone + 1, others)
        if split:
            total = total + split * play((place, NEW, *rest), formed + 1, gone + 1, others)
        return total

    return play((FIRST, SECOND), 2, 0, 0)

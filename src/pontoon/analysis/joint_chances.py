"""The probability that all hands of a split are decided before the dealer plays.

A dealer's pontoon that takes one wager of a box takes it only if a hand is undecided, so this is the one figure that is
not a sum over the hands. Given the pontoon, the card that makes it is out of the shoe, and the hands affect each other
only by the cards they take.

Two hands: the probability for the second is a polynomial of second degree in the cards that the first took (exact for
zero, one and two cards; the rest is of third order, below 1e-9 of the stake). Three or four hands: products of such
probabilities with the link between each two. With fractions every order of cards is enumerated and nothing is omitted.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from pontoon.analysis import kernels, measures, resplit
from pontoon.analysis.board import Array
from pontoon.analysis.hands import Counts
from pontoon.analysis.measures import Measure, Number
from pontoon.analysis.resplit import FIRST, FROM_ONE, NEW, SECOND
from pontoon.analysis.split_hand import SplitHand

if TYPE_CHECKING:
    from pontoon.analysis.split import SplitBox

RELIEF = ("busts_plus_one", "original_tracked")
"""The ways of collecting that spare additional wagers."""


def without(values: Counts, *cards: int) -> Counts:
    """A shoe without cards of these values."""
    return tuple(count - cards.count(value) for value, count in enumerate(values))


def together(box: SplitBox, first: Measure, of_pair: int, most: int) -> Number:
    """The probability, given a dealer's pontoon, that the first hand is decided (or won) and all others are decided."""
    if box.arithmetic.exact:
        return _every_order(box, of_pair, most, won=first.bust == 0)
    shoe = without(box.original.values, box.natural)
    link = box.links.setdefault("first", Link()).of(box.original, first, box.additional, shoe)
    if most == 2:
        return link.both
    decided = measures.decided()
    alike = box.original is box.additional and first.bust == decided.bust
    others = link if alike else box.links.setdefault("others", Link()).of(box.additional, decided, box.additional, shoe)
    chances = {}
    for gone in range(resplit.depth(most) + 1):
        left = without(shoe, *[box.pair] * gone)
        chances[False, gone] = over_shoes(box.additional, decided, [left])[0]
        chances[True, gone] = chances[False, gone] if alike else over_shoes(box.original, first, [left])[0]

    def linked(formed: int) -> float:
        return float(link.factor ** (formed - 1) * others.factor ** ((formed - 1) * (formed - 2) // 2))

    return resplit.chance_of_all(
        _again(box, of_pair),
        box.cards - 1,
        most,
        lambda place, kind, gone: float(chances[place == FIRST, gone][kind]),
        linked,
    )


def alone(box: SplitBox, first: Measure, of_pair: int, most: int) -> Number:
    """The probability, given a dealer's pontoon, that the first hand is decided (or won), whatever the others do."""
    if box.arithmetic.exact:
        return _every_order(box, of_pair, most, won=first.bust == 0, others=False)
    shoe = without(box.original.values, box.natural)
    shoes = [without(shoe, *[box.pair] * gone) for gone in range(resplit.depth(most) + 1)]
    chances = over_shoes(box.original, first, shoes)
    weights = resplit.weights(_again(box, of_pair), box.cards - 1, most)[FIRST]
    return float((weights.T * chances).sum())


def _again(box: SplitBox, of_pair: int) -> float:
    """Cards that would make the pair again, without the one of the dealer's pontoon; for pictures, its share."""
    return of_pair - (of_pair / max(box.values[box.pair], 1) if box.natural == box.pair else 0)


class Link:
    """The dependence of two hands, computed once: the probability of both, and its ratio to independent hands."""

    both = -1.0
    factor = 1.0

    def of(self, hand: SplitHand, measure: Measure, other: SplitHand, shoe: Counts) -> Link:
        """The link between a hand that counts under the measure and another that is decided."""
        if self.both < 0:
            self.both = _two(hand, measure, other, shoe)
            own = over_shoes(hand, measure, [shoe])[0, FROM_ONE]
            apart = own * over_shoes(other, measures.decided(), [shoe])[0, FROM_ONE]
            self.factor = float(self.both / apart) if apart > 0 else 1.0
        return self


def _two(hand: SplitHand, measure: Measure, other: SplitHand, shoe: Counts) -> float:
    """The probability that one hand counts and another is decided."""
    chances, removed = ends_of(hand, shoe, won=measure.bust == 0)
    removed = removed - hand.table.hands.counts[hand.single]
    value = over_shoes(other, measures.decided(), np.array(shoe) - _FEW)[:, FROM_ONE]
    base, single = value[0], value[1:11] - value[0]
    second = value[11:] - base - single[_ONE] - single[_TWO]
    pairs = removed[:, _ONE] * (removed[:, _TWO] - (_ONE == _TWO)) / np.where(_ONE == _TWO, 2, 1)
    return float(base * chances.sum() + chances @ removed @ single + chances @ pairs @ second)


_ONE, _TWO = np.triu_indices(10)
_UNITS = np.eye(10, dtype=np.int64)
_FEW = np.vstack([np.zeros((1, 10), dtype=np.int64), _UNITS, _UNITS[_ONE] + _UNITS[_TWO]])
"""No card, one card of each value, two cards of each two values."""


def ends_of(hand: SplitHand, shoe: Counts, *, won: bool) -> tuple[Array, Array]:
    """Every way the hand is decided before the dealer plays: probabilities, and the cards of the hand."""
    board, hands = hand.board(0), hand.table.hands
    numbers, cards = hand.arithmetic.array(shoe), sum(shoe)
    chance = hand.arithmetic.zeros(len(hands.hard), 3)
    for value in range(10):
        start = int(hands.more[hand.single, value])
        left = shoe[value] - int(hands.counts[hand.single, value])
        if start >= 0 and left > 0:
            chance[start, board.aces(start)] += hand.arithmetic.number(left) / (cards - 1)
    kernel = hand.arithmetic.kernel
    kernel["reach"](hand.table.columns, board.flags, numbers, cards, hand.picks, hand.act, chance)
    most = 10 * 3 * len(hand.picks)
    chances, removed = hand.arithmetic.zeros(most), np.zeros((most, 10), dtype=np.int64)
    listed = board.hands._replace(picks=hand.picks)
    out = kernels.Ends(chance, chances, removed)
    found = kernel["ends"](listed, numbers, cards, (hand.act, hand.drop), int(won), out)
    return chances[:found], removed[:found]


def over_shoes(hand: SplitHand, measure: Measure, shoes: Array) -> Array:
    """Means of a hand (FROM_ONE, FROM_PAIR) for several shoes, under a measure independent of the dealer's result."""
    arithmetic, board = hand.arithmetic, hand.board(0)
    pay = arithmetic.array(measures.payoffs(measure))
    wins = board.wins(measure)
    columns, kernel = hand.table.columns, arithmetic.kernel
    switches = board.switches.copy()
    switches[kernels.FOLLOW] = 1
    results = arithmetic.zeros(*board.results.shape)
    kept, quality, value = (np.zeros_like(array) for array in (board.kept, board.quality, board.value))
    kernel["keep_doubles"](columns, switches, pay, hand.reached, results, kept, hand.drop)
    whole = np.asarray(shoes, dtype=np.int64)
    numbers = np.array([arithmetic.array(row) for row in whole.tolist()]) if arithmetic.exact else whole.astype(float)
    listed = kernels.HandList(columns, board.flags, switches, hand.reached)
    work = kernels.Work(results, kept, hand.use, hand.act, quality, value)
    start = (hand.single, int(hand.table.hands.more[hand.single, hand.pair]))
    found: Array = kernel["over_shoes"](listed, kernels.Payout(wins, pay), numbers, whole.sum(axis=1), work, start)
    return found


# --- every order of cards, for fractions -----------------------------------------------------------------------


def _every_order(box: SplitBox, of_pair: int, most: int, *, won: bool, others: bool = True) -> Fraction:
    """Deal the hands one after another, with every possible card; without `others` only the first hand counts.

    Where pictures are split by rank, a picture has the pair's rank as often as the pictures not yet identified do.
    """

    @cache
    def play(left: Counts, waiting: tuple[int, ...], formed: int, unlike: int) -> Fraction:
        if not waiting or (waiting[0] != FIRST and not others):
            return Fraction(1)
        place, *rest = waiting
        hand = box.original if place == FIRST else box.additional
        total = Fraction(0)
        for value, count in enumerate(left):
            if not count:
                continue
            chance = Fraction(count, sum(left))
            less = without(left, value)
            told = unlike
            if value == box.pair and formed < most:
                gone = formed - 2
                same = Fraction(of_pair - gone, box.values[value] - gone - unlike)
                if same:
                    total += chance * same * play(less, (place, NEW, *rest), formed + 1, unlike)
                if same == 1:
                    continue
                chance, told = chance * (1 - same), unlike + 1
            start = int(hand.table.hands.more[hand.single, value])
            for part, later in _decided(hand, start, hand.boards[0].aces(start), less, won=won and place == FIRST):
                total += chance * part * play(later, tuple(rest), formed, told)
        return total

    return play(without(box.values, box.natural), (FIRST, SECOND), 2, 0)


def _decided(hand: SplitHand, held: int, aces: int, left: Counts, *, won: bool) -> Iterator[tuple[Fraction, Counts]]:
    """The ways in which a hand is decided: the probability of each, and the shoe after it."""
    board, hands = hand.boards[0], hand.table.hands
    if board.flags[held] & kernels.PAID:
        yield Fraction(1), left
        return
    act = int(hand.act[held, aces])
    if act == kernels.STAND:
        return
    fixed = kernels.fixed_aces(board.switches, hands.counts[held, 0], aces)
    for value, count in enumerate(left):
        if not count:
            continue
        chance, less, held_next = Fraction(count, sum(left)), without(left, value), int(hands.more[held, value])
        if held_next < 0:
            if not won:
                yield chance, less
        elif act == kernels.HIT:
            for part, later in _decided(hand, held_next, aces, less, won=won):
                yield chance * part, later
        else:
            soft = kernels.soft_when_doubled(board.switches, hands.counts[held_next, 0], fixed, hands.hard[held_next])
            total = hands.hard[held_next] + soft * board.switches[kernels.SOFT]
            paid = bool(board.switches[kernels.WINS]) and total == board.switches[kernels.LIMIT]
            if paid or (not won and hand.drop[held_next, soft]):
                yield chance, less

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
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pontoon.analysis import kernels, measures
from pontoon.analysis.board import Array
from pontoon.analysis.hands import SUITS, Counts
from pontoon.analysis.measures import Measure, Number
from pontoon.analysis.splits import resplit
from pontoon.analysis.splits.resplit import FIRST, FROM_ONE, NEW, SECOND
from pontoon.analysis.splits.split_hand import SEVENS, SplitHand, Suits

if TYPE_CHECKING:
    from pontoon.analysis.splits.split import SplitBox

SuitedPair = tuple[Suits, tuple[str, str]]
"""The cards left by suit, and the suits of the pair that was split."""
RELIEF = ("busts_plus_one", "original_tracked")
"""The ways of collecting that spare additional wagers."""


def without(values: Counts, *cards: int) -> Counts:
    """A shoe without cards of these values."""
    return tuple(count - cards.count(value) for value, count in enumerate(values))


def together(box: SplitBox, first: Measure, of_pair: int, most: int, pair: SuitedPair | None = None) -> Number:
    """The probability, given a dealer's pontoon, that the first hand is decided (or won) and all others are decided.

    `pair` is given if suits change a decision.
    """
    if box.arithmetic.exact:
        return every_order(box, of_pair, most, won=first.bust == 0, pair=pair)
    shoe = without(box.original.values, box.natural)
    if pair:
        suits, own = pair
        factor = suited_factor(box.original, first, shoe, suits, own[0])
        factor *= suited_factor(box.additional, measures.decided(), shoe, suits, own[1])
        return factor * together(box, first, of_pair, most)
    link = box.links.setdefault("first", Link()).of(box.original, first, box.additional, shoe)
    if most == 2:
        return link.both
    decided = measures.decided()
    alike = box.original is box.additional and first.bust == decided.bust
    others = link if alike else box.links.setdefault("others", Link()).of(box.additional, decided, box.additional, shoe)
    chances = {}
    for gone in range(resplit.depth(most, box.again) + 1):
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
        box.again,
    )


def alone(box: SplitBox, first: Measure, of_pair: int, most: int, pair: SuitedPair | None = None) -> Number:
    """The probability, given a dealer's pontoon, that the first hand is decided (or won), whatever the others do."""
    if box.arithmetic.exact:
        return every_order(box, of_pair, most, won=first.bust == 0, others=False, pair=pair)
    shoe = without(box.original.values, box.natural)
    if pair:
        suits, own = pair
        return suited_factor(box.original, first, shoe, suits, own[0]) * alone(box, first, of_pair, most)
    shoes = [without(shoe, *[box.pair] * gone) for gone in range(resplit.depth(most, box.again) + 1)]
    chances = over_shoes(box.original, first, shoes)
    weights = resplit.weights(_again(box, of_pair), box.cards - 1, most, again=box.again)[FIRST]
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
    numbers = hand.arithmetic.array(shoe)
    cards = sum(shoe) if hand.arithmetic.exact else float(sum(shoe))
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
    whole = np.asarray(shoes, dtype=np.int64 if arithmetic.exact else np.float64)
    numbers = np.array([arithmetic.array(row) for row in whole.tolist()]) if arithmetic.exact else whole
    listed = kernels.HandList(columns, board.flags, switches, hand.reached)
    work = kernels.Work(results, kept, hand.use, hand.act, quality, value)
    start = (hand.single, int(hand.table.hands.more[hand.single, hand.pair]))
    found: Array = kernel["over_shoes"](listed, kernels.Payout(wins, pay), numbers, whole.sum(axis=1), work, start)
    return found


# --- suits that change a decision --------------------------------------------------------------------------


def suits_decide(hand: SplitHand) -> bool:
    """Whether two cards of one suit are played differently from the same cards in mixed suits."""
    hands = hand.table.hands
    return any(np.any(act != hand.act[hands.two(*pair), 0]) for (pair, _), act in hand.suited_act.items())


def suited_factor(hand: SplitHand, measure: Measure, shoe: Counts, suits: Suits, suit: str) -> float:
    """How much more often a hand whose first card has this suit is decided, because of its decisions on suited cards.

    To first order: the cards of other hands are left out of it.
    """
    means = hand.means(measure, 0)
    more = hand.straight_gain(means, measure, suits, suit)
    if hand.pair == SEVENS[0] and SEVENS in means.suited:
        chance = hand.arithmetic.number(suits[hand.pair][suit]) / means.rest
        more += chance * hand.gain(means, measure, SEVENS, suit, 0, prize=False)
    usual = float(over_shoes(hand, measure, [shoe])[0, FROM_ONE])
    return 1 + float(more) / usual if usual > 0 else 1.0


# --- every order of cards, for fractions -----------------------------------------------------------------------


def every_order(
    box: SplitBox, of_pair: int, most: int, *, won: bool, others: bool = True, pair: SuitedPair | None = None
) -> Fraction:
    """Deal the hands one after another, with every possible card; without `others` only the first hand counts.

    Where pictures are split by rank, a picture has the pair's rank as often as the pictures not yet identified do. With
    the suits of a pair, 6, 7 and 8 are dealt by suit and played as two cards of one suit are.
    """
    again, locks = box.again
    suits, own = pair or ({}, ("", ""))
    kinds = tuple((value, suit) for value in range(10) for suit in (SUITS if value in suits else ("",)))
    values = tuple(value for value, _ in kinds)
    shoe = without(box.values, box.natural)

    @cache
    def play(left: Counts, waiting: tuple[tuple[int, str], ...], formed: int, unlike: int, kept: int) -> Fraction:
        if not waiting or (waiting[0][0] != FIRST and not others):
            return Fraction(1)
        (place, first), *rest = waiting
        hand = box.original if place == FIRST else box.additional
        total = Fraction(0)
        for kind, count in enumerate(left):
            if not count:
                continue
            value, suit = kinds[kind]
            chance = Fraction(count, sum(left))
            less = without(left, kind)
            after = [(chance, formed, unlike, kept)]
            if value == box.pair and formed < most:
                known = formed - 2 + kept
                same = Fraction(of_pair - known, box.values[value] - known - unlike)
                if same * again:
                    total += (
                        chance
                        * same
                        * again
                        * play(less, ((place, first), (NEW, suit), *rest), formed + 1, unlike, kept)
                    )
                after = [
                    (chance * (1 - same), formed, unlike + 1, kept),
                    (chance * same * (1 - again), most if locks else formed, unlike, kept + 1),
                ]
            start = int(hand.table.hands.more[hand.single, value])
            aces = hand.boards[0].aces(start)
            both = (min(box.pair, value), max(box.pair, value))
            act = hand.suited_act.get((both, suit)) if suit and suit == first else None
            dealing = _Dealing(hand, values, won and place == FIRST)
            for weight, *known_now in after:
                for part, later in _decided(dealing, start, aces, less, act) if weight else ():
                    total += weight * part * play(later, tuple(rest), *known_now)
        return total

    counts = tuple(int(suits[value][suit]) if suit else shoe[value] for value, suit in kinds)
    return play(counts, ((FIRST, own[0]), (SECOND, own[1])), 2, 0, 0)


class _Dealing(NamedTuple):
    """A hand that is dealt every possible card."""

    hand: SplitHand
    values: tuple[int, ...]
    """The value of each kind of card in the shoe."""
    won: bool
    """Whether only a hand that is won counts as decided."""


def _decided(
    dealing: _Dealing,
    held: int,
    aces: int,
    left: Counts,
    act: Any = None,  # noqa: ANN401 an action, or the chances of three
) -> Iterator[tuple[Fraction, Counts]]:
    """The ways in which a hand is decided: the probability of each, and the shoe after it; `act` is decided already."""
    hand, values, won = dealing
    board, hands = hand.boards[0], hand.table.hands
    if board.flags[held] & kernels.PAID:
        yield Fraction(1), left
        return
    weight, act = hand.arithmetic.weight, hand.act[held, aces] if act is None else act
    hits, doubles = weight(act, kernels.HIT), weight(act, kernels.DOUBLE)
    fixed = kernels.fixed_aces(board.switches, hands.counts[held, 0], aces)
    for kind, count in enumerate(left if hits + doubles else ()):
        if not count:
            continue
        chance, less, held_next = Fraction(count, sum(left)), without(left, kind), int(hands.more[held, values[kind]])
        if held_next < 0:
            if not won:
                yield chance * (hits + doubles), less
            continue
        if hits:
            for part, later in _decided(dealing, held_next, aces, less):
                yield chance * hits * part, later
        if doubles:
            soft = kernels.soft_when_doubled(board.switches, hands.counts[held_next, 0], fixed, hands.hard[held_next])
            total = hands.hard[held_next] + soft * board.switches[kernels.SOFT]
            paid = bool(board.switches[kernels.WINS]) and total == board.switches[kernels.LIMIT]
            decided = 1 if paid else 0 if won else hand.drop[held_next, soft]
            if decided:
                yield chance * doubles * decided, less

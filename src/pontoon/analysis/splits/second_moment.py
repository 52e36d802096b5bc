"""The mean square of a split: what several hands of one box win together, with the cards they take from each other.

The hands of a split share the dealer's result, and each takes cards that the others cannot get. The mean of the product
of two hands is a sum over the dealer's results and over the ends of both hands. Given the dealer's result, the chance
of two ends together is the product of their chances, times a factor that follows from drawing without replacement: with
k and l cards of a value with n left,

    C(n - k, l) / C(n, l) = 1 - k l / n + k (k - 1) l (l - 1) / (2 n (n - 1)) - ...

Terms up to the second order are kept, so sums over the ends of one hand are enough: what it wins, times the cards and
times the pairs of cards it took. The rest is of third order in the cards taken over the cards left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pontoon.analysis import kernels, kernels_products
from pontoon.analysis.dealer import BUST, LOWEST, PONTOON, RESULTS, tree
from pontoon.analysis.hands import Integers
from pontoon.analysis.measures import Measure
from pontoon.analysis.splits.joint_chances import RELIEF
from pontoon.analysis.splits.split import SplitBox
from pontoon.analysis.splits.split_hand import SplitHand, Suits
from pontoon.cards import LIMIT

Floats = NDArray[np.float64]
VALUES = 10


def mean_square(box: SplitBox, of_pair: int, most: int, money: Measure, suits: Suits) -> float:
    """The mean of the square of what a split wins, all its hands together, in squares of the first wager."""
    return _Square(box, of_pair, most, money, suits).value()


class Config(NamedTuple):
    """How a split turns out: how many hands, and what is known of the second card of each."""

    chance: float
    gone: int
    """Further cards of the pair that were dealt and split."""
    whole: tuple[bool, ...]
    """For each hand, the one with the original wager first: whether its second card may also be of the pair."""


def configurations(of_pair: float, cards: float, most: int) -> Iterator[Config]:
    """Every way a split turns out if every further pair is split up to `most` hands.

    >>> [(round(row.chance, 3), row.gone, row.whole) for row in configurations(30, 381, 3)]
    [(0.079, 1, (True, True, True)), (0.073, 1, (False, True, True)), (0.849, 0, (False, False))]
    """

    def play(chance: float, waiting: int, done: tuple[bool, ...], gone: int) -> Iterator[Config]:
        formed = waiting + len(done)
        if formed == most or not waiting:
            yield Config(chance, gone, (*done, *(True,) * waiting))
            return
        again = max(of_pair - gone, 0) / (cards - gone - len(done))
        if again > 0:
            yield from play(chance * again, waiting + 1, done, gone + 1)
        yield from play(chance * (1 - again), waiting - 1, (*done, False), gone)

    yield from play(1.0, 2, (), 0)


# --- the ends of one hand ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ends:
    """Every way in which one hand of a split ends."""

    chance: Floats
    """By end and result of the dealer: the probability of both."""
    cards: Integers
    """By end and value: the cards the hand took after its first."""
    won: Floats
    """By end and result: what the hand wins."""
    decided: NDArray[np.bool_]
    """Whether the hand ended before the dealer plays."""

    def counted(self, what: str) -> Floats:
        """By end and result: what is won, or 1 for any end, one before the dealer plays, one won before."""
        if what == "won":
            return self.won
        early = self.decided & (self.won[:, PONTOON] > 0)
        which = {"any": np.ones_like(self.decided), "decided": self.decided, "early": early}[what]
        return np.repeat(which.astype(float)[:, None], RESULTS, axis=1)

    def sums(self, counted: Floats) -> Sums:
        """The sums over the ends that products of two hands need, of something counted by end and result."""
        numbers = int(self.cards.sum(axis=1).max()) + 1
        found = Sums(
            np.zeros((RESULTS, numbers)), np.zeros((RESULTS, numbers, VALUES)), np.zeros((RESULTS, VALUES, VALUES))
        )
        kernels_products.sums(self.chance, counted, self.cards, *found)
        return found


class Sums(NamedTuple):
    """Sums over the ends of a hand, by the dealer's result."""

    plain: Floats
    """By result and number of cards taken."""
    taken: Floats
    """By result, number and value."""
    pairs: Floats
    """By result, value and value, over the pairs of cards taken."""

    @property
    def total(self) -> Floats:
        """By result alone."""
        found: Floats = self.plain.sum(axis=1)
        return found


@dataclass(frozen=True)
class Dealer:
    """The dealer's results and cards, in the shoe that the hands of a split draw from."""

    chance: Floats
    left: Floats
    """By result and value: cards left when the dealer has drawn, on average."""
    spread: Floats
    """By result: covariance of the dealer's cards over the cards left, less the same for all values together."""


def dealer_of(box: SplitBox) -> Dealer:
    """The dealer's results with their cards."""
    counts, ends, orders = _dealer_sets(box.first, box.game.stands_hard, box.game.stands_soft)
    shoe = np.array([float(count) for count in box.values])
    falling = np.ones((VALUES, counts.max() + 1))
    for number in range(1, falling.shape[1]):
        falling[:, number] = falling[:, number - 1] * np.maximum(shoe - number + 1, 0)
    depth = counts.sum(axis=1)
    whole = np.cumprod(np.concatenate([[1.0], shoe.sum() - np.arange(depth.max())]))
    chances = orders * falling[np.arange(VALUES), counts].prod(axis=1) / whole[depth]
    chance, left, spread = np.zeros(RESULTS), np.tile(shoe, (RESULTS, 1)), np.zeros((RESULTS, VALUES, VALUES))
    share = counts / np.maximum(shoe, 1) - (depth / shoe.sum())[:, None]
    for result in np.unique(ends):
        here = ends == result
        weight = chances[here]
        chance[result] = weight.sum()
        if chance[result] > 0:
            weight = weight / chance[result]
            left[result] = shoe - weight @ counts[here]
            mean = weight @ share[here]
            spread[result] = (share[here] * weight[:, None]).T @ share[here] - np.outer(mean, mean)
    return Dealer(chance, left, spread)


@lru_cache(maxsize=256)
def _dealer_sets(first: int, stands_hard: int, stands_soft: int) -> tuple[Integers, Integers, Floats]:
    """Every set of further cards of the dealer: counts by value, result, and number of orders."""
    found, held = [], [np.zeros(VALUES, dtype=np.int64)]
    for value, _, depth, result, orders in tree(first, stands_hard, stands_soft).tolist():
        grown = held[depth - 1].copy()
        grown[value] += 1
        held[depth:] = [grown]
        if result >= 0:
            found.append((grown, result, orders))
    counts, ends, orders = zip(*found, strict=True)
    return np.array(counts), np.array(ends), np.array(orders, dtype=np.float64)


class HandEnds:
    """Lists the ends of one hand of a split, with further cards of the pair gone."""

    def __init__(self, hand: SplitHand, measure: Measure, of_pair: float, suits: Suits) -> None:
        self.hand, self.measure, self.suits = hand, measure, suits
        self.board = hand.boards[0]
        self.same = of_pair / max(float(hand.values[hand.pair]) - 1, 1)
        """How many of the cards of the pair's value would make the pair again: not all where ranks count."""
        hands = hand.table.hands
        second = [int(hands.more[hand.single, value]) for value in range(VALUES)]
        shoe = np.array([float(count) for count in hand.values])
        shoe[hand.pair] -= 1
        self.effects = np.array([self.board.results[place] if place >= 0 else 0.0 for place in second], dtype=float)
        self.effects = self.effects - (shoe @ self.effects) / shoe.sum()
        """What one card of each value out of the shoe changes in the dealer's results, to first order."""

    def ends(self, gone: int, *, whole: bool) -> Ends:
        """The ends of a hand; not `whole`: its second card is not of the pair."""
        hand = self.hand
        shoe = np.array([float(count) for count in hand.values])
        shoe[hand.pair] = max(shoe[hand.pair] - gone, 0)
        results = np.asarray(self.board.results, dtype=float) + gone * self.effects[hand.pair]
        parts = []
        for act, start in self._plays(shoe, whole=whole):
            kernels.reach(hand.table.columns, self.board.flags, shoe, float(shoe.sum()), hand.picks, act, start)
            parts += [self._final(start, act, results), self._drawn(start, act, results, shoe)]
        return Ends(*(np.concatenate([getattr(part, name) for part in parts]) for name in _FIELDS))

    def _plays(self, shoe: Floats, *, whole: bool) -> Iterator[tuple[Integers, Floats]]:
        """The play and the chances of two cards: first in mixed suits, then each other play that suits lead to."""
        hand, hands = self.hand, self.hand.table.hands
        second = shoe.copy()
        second[hand.pair] = max(second[hand.pair] - 1, 0) * (1 if whole else 1 - self.same)
        chance = np.zeros((len(hands.hard), 3))
        suited = {action: (np.array(hand.act), np.zeros_like(chance)) for action in range(3)}
        for value in range(VALUES):
            place = int(hands.more[hand.single, value])
            if place < 0:
                continue
            here = (place, self.board.aces(place))
            chance[here] = second[value] / second.sum()
            for action, share in self._suited(value, int(hand.act[here])):
                suited[action][0][here] = action
                suited[action][1][here] = chance[here] * share
            chance[here] -= sum(start[here] for _, start in suited.values())
        yield np.array(hand.act), chance
        yield from (other for other in suited.values() if other[1].any())

    def _suited(self, value: int, usual: int) -> Iterator[tuple[int, float]]:
        """Other decisions on two cards of one suit, with the chance of those suits."""
        pair = (min(value, self.hand.pair), max(value, self.hand.pair))
        shares: dict[int, float] = {}
        for (both, suit), action in self.hand.suited_act.items():
            if both == pair and action != usual:
                first, second = self.suits[self.hand.pair], self.suits[value]
                same = value == self.hand.pair
                chance = float(first[suit]) / float(sum(first.values()))
                chance *= (float(second[suit]) - same) / (float(sum(second.values())) - same)
                shares[int(action)] = shares.get(int(action), 0.0) + chance
        yield from shares.items()

    def _final(self, chance: Floats, act: Integers, results: Floats) -> Ends:
        """Hands that were paid, and hands that stood."""
        hands, measure = self.hand.table.hands, self.measure
        paid = (self.board.flags & kernels.PAID) > 0
        stood = act == kernels.STAND
        rows, aces = np.nonzero((chance > 0) & (stood | paid[:, None]))
        wins = np.asarray(self.board.wins(measure), dtype=float)
        won = _against(hands.best[rows], wins[rows], measure.lose, measure.tie, measure.pontoon)
        at_once = paid[rows]
        won[at_once] = wins[rows][at_once, None]
        return self._listed(chance[rows, aces, None] * results[rows], hands.counts[rows], won, at_once)

    def _drawn(self, chance: Floats, act: Integers, results: Floats, shoe: Floats) -> Ends:
        """Hands that end by the card they draw: busts, and doubles of any kind."""
        hands = self.hand.table.hands
        open_now = (chance > 0) & ((self.board.flags & kernels.PAID) == 0)[:, None] & (act != kernels.STAND)
        rows, aces = np.nonzero(open_now)
        left = shoe - hands.counts[rows]
        after, doubles = hands.more[rows], act[rows, aces] == kernels.DOUBLE
        place, drawn = np.nonzero((left > 0) & ((after == -1) | doubles[:, None]))
        row, more = rows[place], after[place, drawn]
        share = chance[row, aces[place]] * left[place, drawn] / (shoe.sum() - hands.size[row])
        bust = more == -1
        known = np.where(bust[:, None], results[row] + self.effects[drawn], results[np.where(bust, row, more)])
        won, decided = self._doubled(row, aces[place], more, doubles[place])
        counts = hands.counts[row].copy()
        counts[np.arange(len(row)), drawn] += 1
        return self._listed(share[:, None] * known, counts, won, decided)

    def _doubled(
        self, row: Integers, aces: Integers, more: Integers, doubles: NDArray[np.bool_]
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """What hands win by the card they draw, and whether that decides them."""
        hands, measure, switches = self.hand.table.hands, self.measure, self.board.switches
        bust = more == -1
        held = np.where(bust, 0, more)
        fixed = {kernels.FIXED_FIRST_TWO: aces, kernels.FIXED_ALL: hands.counts[row, 0]}.get(switches[kernels.FIXED], 0)
        soft = (hands.counts[held, 0] > fixed) & (hands.hard[held] + switches[kernels.SOFT] <= LIMIT)
        total = hands.hard[held] + soft * switches[kernels.SOFT]
        double = float(measure.doubled_win)
        won = _against(
            total, np.full(len(row), double), measure.doubled_lose, measure.doubled_tie, measure.doubled_pontoon
        )
        paid = (total == LIMIT) & bool(switches[kernels.WINS])
        dropped = self.hand.drop[held, soft.astype(np.int64)] == 1
        won[dropped] = float(measure.forfeit)
        won[paid] = float(measure.doubled_paid)
        won[bust] = np.where(doubles, float(measure.doubled_bust), float(measure.bust))[bust, None]
        return won, bust | paid | dropped

    def _listed(self, chance: Floats, counts: Integers, won: Floats, decided: NDArray[np.bool_]) -> Ends:
        taken = counts.copy()
        taken[:, self.hand.pair] -= 1
        return Ends(chance, taken, won, decided)


_FIELDS = ("chance", "cards", "won", "decided")


def _against(total: Integers, win: Floats, lose: float, tie: float, pontoon: float) -> Floats:
    """What hands with these totals win, by the dealer's result."""
    points = np.arange(RESULTS) - 2 + LOWEST
    won = np.where(points < total[:, None], win[:, None], np.where(points > total[:, None], float(lose), float(tie)))
    won[:, BUST], won[:, PONTOON] = win, float(pontoon)
    return won


# --- several hands -------------------------------------------------------------------------------------------


class _Square:
    """The mean square of one split."""

    def __init__(self, box: SplitBox, of_pair: int, most: int, money: Measure, suits: Suits) -> None:
        self.box, self.of_pair, self.most, self.suits = box, of_pair, most, suits
        self.measures = box.additive(money)
        self.relieved = box.game.collects in RELIEF and box.natural >= 0
        self.tracked = self.relieved and box.game.collects == "original_tracked"
        self._sums: dict[tuple[bool, int, bool, str], Sums] = {}
        self._found: dict[tuple[bool, bool, bool, int], float] = {}

    @cached_property
    def dealer(self) -> Dealer:
        return dealer_of(self.box)

    @cached_property
    def listed(self) -> tuple[HandEnds, HandEnds]:
        original = HandEnds(self.box.original, self.measures[0], self.of_pair, self.suits)
        alike = self.box.original is self.box.additional and self.measures[0] is self.measures[1]
        return original, original if alike else HandEnds(
            self.box.additional, self.measures[1], self.of_pair, self.suits
        )

    def value(self) -> float:
        """The squares of the hands, their products, and what a dealer's pontoon changes."""
        squares = [measure.map(lambda won: won * won) for measure in self.measures]
        alike = self.measures[0] is self.measures[1]
        own = self.box.total((squares[0], squares[0 if alike else 1]), self.of_pair, self.most)
        total = float(own.mean(self.suits))
        mean = float(self.box.total(self.measures, self.of_pair, self.most).mean(self.suits))
        every = list(configurations(self.of_pair, float(self.box.cards), self.most))
        means = [
            sum(float(self.sums(place, config).total.sum()) for place in range(len(config.whole))) for config in every
        ]
        missing = mean - sum(config.chance * found for config, found in zip(every, means, strict=True))
        for config, found in zip(every, means, strict=True):
            others = found * (1 - 1 / len(config.whole))
            total += config.chance * (self._products(config) + 2 * missing * others)
        if self.box.spoilt:  # the wager is lost to a pontoon before the hand is played
            total += float(self.dealer.chance[PONTOON])
        return total

    def sums(self, place: int, config: Config, what: str = "won") -> Sums:
        """The sums of one hand over something that its ends count."""
        other = self._kind(place)
        key = (other, config.gone, config.whole[place], what)
        if key not in self._sums:
            ends = self._ends(other, config.gone, config.whole[place])
            counted = ends.counted(what)
            if self.box.spoilt and what == "won":
                counted = counted.copy()
                counted[:, PONTOON] = 0.0
            self._sums[key] = ends.sums(counted)
        return self._sums[key]

    @lru_cache(maxsize=64)  # noqa: B019 the object lives as long as one split is valued
    def _ends(self, other: bool, gone: int, whole: bool) -> Ends:  # noqa: FBT001 cached by position
        return self.listed[other].ends(gone, whole=whole)

    def _products(self, config: Config) -> float:
        """Twice the mean products of every two hands."""
        hands = range(len(config.whole))
        total = 0.0
        for one in hands:
            for two in hands[one + 1 :]:
                key = (self._kind(one), config.whole[one], config.whole[two], config.gone)
                if key not in self._found:
                    both = self.together(self.sums(one, config), self.sums(two, config))
                    possible = self.together(self.sums(one, config, "any"), self.sums(two, config, "any"))
                    self._found[key] = float(both.sum()) / float(possible.sum())
                total += 2 * self._found[key]
        return total + (self._pontoon(config) if self.relieved else 0.0)

    def _kind(self, place: int) -> bool:
        """Whether a hand plays otherwise than the one with the original wager."""
        return place > 0 and self.listed[0] is not self.listed[1]

    def together(self, one: Sums, two: Sums) -> Floats:
        """The mean of a product over two hands, by the dealer's result."""
        found = np.zeros(RESULTS)
        left = np.maximum(self.dealer.left, 1.0)
        kernels_products.product(tuple(one), tuple(two), left, self.dealer.spread, found)
        chance = self.dealer.chance
        return np.divide(found, chance, out=np.zeros(RESULTS), where=chance > 0)

    def _pontoon(self, config: Config) -> float:
        """What a dealer's pontoon that takes one wager of the box changes in the mean square."""
        chance = float(self.dealer.chance[PONTOON])
        hands = range(len(config.whole))
        won = [float(self.sums(place, config).total[PONTOON]) / chance for place in hands]
        decided = [float(self.sums(place, config, "decided").total[PONTOON]) / chance for place in hands]
        if not self.tracked:
            every = self._all(config, decided)
            ratio = [mean / part if part else 0.0 for mean, part in zip(won, decided, strict=True)]
            return chance * (1 - 2 * sum(won) + every * (2 * sum(ratio) - 1))
        first = float(self.sums(0, config, "early").total[PONTOON]) / chance
        early = self._early(config) / chance
        others = float(np.prod(decided[1:]))
        ratio = [mean / part if part else 0.0 for mean, part in zip(won[1:], decided[1:], strict=True)]
        taken = first * (1 - others)
        both = early + first * sum(won[1:]) - others * (early + first * sum(ratio))
        return chance * (taken - 2 * both)

    def _all(self, config: Config, decided: list[float]) -> float:
        """The probability that every hand is decided, given a dealer's pontoon."""
        if len(decided) != 2:
            return float(np.prod(decided))
        two = [self.sums(place, config, "decided") for place in (0, 1)]
        return float(self.together(*two)[PONTOON] / self.dealer.chance[PONTOON])

    def _early(self, config: Config) -> float:
        """What the original hand wins if it is won before the dealer plays, with a dealer's pontoon."""
        ends = self._ends(False, config.gone, config.whole[0])  # noqa: FBT003 cached by position
        return float((ends.chance * ends.won * ends.counted("early"))[:, PONTOON].sum())

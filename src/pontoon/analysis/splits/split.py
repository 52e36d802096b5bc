"""The value of splitting a pair against one upcard: all hands of the box together.

The hands interact at one point only: a dealer's pontoon that takes one wager from what is undecided on the box. What it
takes depends on all hands at once and is computed separately from the sum of the hands (`taken`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from pontoon.analysis import kernels, measures
from pontoon.analysis.board import Arithmetic, Array, Table
from pontoon.analysis.game import natural_value
from pontoon.analysis.hands import ACE, SUITS, Counts
from pontoon.analysis.measures import Measure, Number
from pontoon.analysis.policies.strategy_play import follow_split
from pontoon.analysis.splits import resplit
from pontoon.analysis.splits.joint_chances import (
    RELIEF,
    Link,
    SuitedPair,
    alone,
    over_shoes,
    suits_decide,
    together,
    without,
)
from pontoon.analysis.splits.resplit import FIRST, FROM_ONE, FROM_PAIR, NEW, SECOND
from pontoon.analysis.splits.split_hand import SEVENS, HandMeans, SplitHand, Suits
from pontoon.analysis.splits.split_sevens import SplitSevens
from pontoon.strategy import Strategy


class SplitBox:
    """Splitting one pair against one upcard."""

    def __init__(  # noqa: PLR0913, PLR0917 a box: its table and arithmetic, three kinds of cards, its player
        self,
        table: Table,
        arithmetic: Arithmetic,
        first: int,
        pair: int,
        values: Counts,
        suits: Suits,
        strategy: Strategy | None = None,
    ) -> None:
        """Split a pair.

        `values` is the shoe without the upcard and the two cards of the pair; `suits` is the shoe without the upcard,
        whose suit is averaged if it is not known.
        """
        self.table, self.arithmetic, self.first, self.pair = table, arithmetic, first, pair
        self.game = table.game
        self.values = values
        self.cards = sum(values) if arithmetic.exact else float(sum(values))
        self.natural = natural_value(first)
        self.spoilt = int(self.game.collects == "peek")
        self.relieved = self.game.collects in RELIEF and self.natural >= 0
        self.most = 2 if pair == ACE and not self.game.split_aces_again else self.game.max_hands
        self.again = resplit.ALWAYS
        own = tuple(count + (value == pair) for value, count in enumerate(values))
        self.original = self.additional = SplitHand(table, arithmetic, first, pair, own)
        self.links: dict[str, Link] = {}
        self._measure: tuple[Measure, Measure] | None = None
        self._means: dict[tuple[bool, int], HandMeans] = {}
        if strategy is None:
            self._find(measures.money(self.game).map(arithmetic.number), own, suits)
        else:
            self._follow(strategy, own)

    # --- the strategy ----------------------------------------------------------------------------------

    def _follow(self, strategy: Strategy, own: Counts) -> None:
        follow_split(strategy, self.additional, original=False)
        if self.relieved and self.game.collects == "original_tracked":
            self.original = SplitHand(self.table, self.arithmetic, self.first, self.pair, own)
            follow_split(strategy, self.original, original=True)

    def _find(self, money: Measure, own: Counts, suits: Suits) -> None:
        """Find the optimal strategy.

        Where a dealer's pontoon takes one wager only, an undecided hand costs that wager only if no other hand does, so
        the strategies depend on each other: two iterations.
        """
        self.additional.optimise(money, suits, spoilt=self.spoilt)
        if not self.relieved:
            return
        if self.game.collects == "busts_plus_one":
            for _ in range(2):
                cost = -self._chance_decided(self.additional, measures.decided())
                self.additional.optimise(replace(money, pontoon=cost, doubled_pontoon=cost), suits)
            return
        self.original = SplitHand(self.table, self.arithmetic, self.first, self.pair, own)
        self.original.optimise(money, suits)
        for _ in range(2):
            cost = -self._chance_decided(self.original, measures.won())
            self.additional.optimise(replace(money, pontoon=cost, doubled_pontoon=cost), suits)
            shared = 1 - self._chance_decided(self.additional, measures.decided())
            self.original.optimise(money, suits, shared=shared)

    def _chance_decided(self, hand: SplitHand, measure: Measure) -> Number:
        """The probability, given a dealer's pontoon, that a hand is decided (or won) before the dealer plays."""
        return over_shoes(hand, measure, [without(hand.values, self.natural)])[0, FROM_ONE]

    # --- its value -------------------------------------------------------------------------------------

    def additive(self, money: Measure) -> tuple[Measure, Measure]:
        """The measures for the original and for additional hands under which hands can be summed."""
        if not self.relieved:
            return money, money
        free = replace(money, pontoon=self.arithmetic.number(0), doubled_pontoon=self.arithmetic.number(0))
        return (money if self.game.collects == "original_tracked" else free), free

    def means(self, measure: tuple[Measure, Measure], place: int, gone: int) -> HandMeans:
        """The means of the hand with the original wager, or of another."""
        return self.hand(place).means(measure[place != FIRST], gone, spoilt=self.spoilt)

    def _cached_means(self, measure: tuple[Measure, Measure], place: int, gone: int) -> HandMeans:
        """Means, cached for the latest measure: splits to two and to more hands share them."""
        if measure is not self._measure:
            self._measure, self._means = measure, {}
        key = (place == FIRST, gone)
        if key not in self._means:
            self._means[key] = self.means(measure, place, gone)
        return self._means[key]

    def hand(self, place: int) -> SplitHand:
        """The strategy of a hand."""
        return self.original if place == FIRST else self.additional

    def total(self, measure: tuple[Measure, Measure], of_pair: int, most: int) -> SplitTotal:
        """The sum over all hands of a measure, as it depends on suits."""
        weights = resplit.weights(of_pair, self.cards, most, exact=self.arithmetic.exact, again=self.again)
        total = SplitTotal(self, measure, of_pair, most)
        alike = self.original is self.additional and measure[0] is measure[1]
        for place in (FIRST, SECOND, NEW):
            for gone in range(weights.shape[2]):
                weight = weights[place, :, gone]
                if not weight.any():
                    continue
                means = self._cached_means(measure, place if not alike else NEW, gone)
                total.base += weight[FROM_ONE] * means.start + weight[FROM_PAIR] * means.pair
                if means.suited:
                    total.parts.append((means, place, weight, gone))
        return total

    @cached_property
    def minimum_taken(self) -> Number:
        """A quick lower bound of what a dealer's pontoon takes: the loss of one undecided hand is certain."""
        if not self.relieved or self.game.collects != "busts_plus_one":
            return self.arithmetic.number(0)
        chance = self.arithmetic.number(self.values[self.natural]) / self.cards
        return chance * (1 - self._chance_decided(self.additional, measures.decided()))

    @cached_property
    def suits_decide(self) -> bool:
        """Whether the suits of the pair change what a dealer's pontoon takes; best play has no such decision."""
        return self.relieved and (suits_decide(self.original) or suits_decide(self.additional))

    def taken(self, of_pair: int, most: int, pair: SuitedPair | None = None) -> Number:
        """What a dealer's pontoon takes from the hands together, beyond what they count one by one.

        `pair` gives the suits of the pair, where they change a decision.
        """
        if not self.relieved:
            return self.arithmetic.number(0)
        chance = self.arithmetic.number(self.values[self.natural]) / self.cards
        if self.game.collects == "busts_plus_one":
            return chance * (1 - together(self, measures.decided(), of_pair, most, pair))
        won = measures.won()
        return chance * (alone(self, won, of_pair, most, pair) - together(self, won, of_pair, most, pair))


class SplitTotal:
    """A sum over the hands of a split, and what the suits of the pair add to it."""

    def __init__(self, box: SplitBox, measure: tuple[Measure, Measure], of_pair: int, most: int) -> None:
        self.box, self.measure, self.of_pair, self.most = box, measure, of_pair, most
        self.base: Number = box.arithmetic.number(0)
        self.parts: list[tuple[HandMeans, int, Array, int]] = []
        """Means, hand, weights and cards of the pair gone, for the hands whose suits can matter."""
        self._straights: dict[str, dict[int, dict[str, Number]]] = {}

    def value(self, suits: Suits, first: str, second: str, seen: str = "") -> Number:
        """The sum when the two cards of the pair have these suits; `suits` is the shoe without them.

        `seen` is the suit of the upcard if it matters; what 6-7-8 adds is cached by it.
        """
        if not self.parts:
            return self.base
        if seen not in self._straights:
            self._straights[seen] = self._straight_gains(suits)
        straights, left = self._straights[seen], suits[self.box.pair]
        every = sum(left.values())
        total = self.base + straights[FIRST][first] + straights[SECOND][second]
        for suit in SUITS if every else "":
            total += straights[NEW][suit] * left[suit] / every
        return total + self._sevens(left, (first, second)) if self.box.pair == SEVENS[0] else total

    def mean(self, suits: Suits) -> Number:
        """The mean over the suits of the pair; `suits` is the shoe with the pair still in it."""
        left = suits.get(self.box.pair)
        if left is None or not self.parts:
            return self.base
        number = self.box.arithmetic.number
        every, mean = number(sum(left.values())), number(0)
        for suit in SUITS:
            for two in SUITS:
                chance = number(left[suit]) * number(left[two] - (suit == two)) / (every * (every - 1))
                less = {s: number(count - (s == suit) - (s == two)) for s, count in left.items()}
                mean += chance * self.value({**suits, self.box.pair: less}, suit, two, seen="any")
        return mean

    def _straight_gains(self, suits: Suits) -> dict[int, dict[str, Number]]:
        """What a suited 6-7-8 adds, by hand and the suit of its first card."""
        gains = {place: dict.fromkeys(SUITS, self.box.arithmetic.number(0)) for place in (FIRST, SECOND, NEW)}
        for means, place, weight, _ in self.parts:
            hand, measure = self.box.hand(place), self.measure[place != FIRST]
            for suit in SUITS:
                gains[place][suit] += weight[FROM_ONE] * hand.straight_gain(means, measure, suits, suit)
        return gains

    def _sevens(self, left: dict[str, Number], own: tuple[str, str]) -> Number:
        """What three suited sevens add; a hand's first seven is one of the pair, or comes from a further split."""
        box, number = self.box, self.box.arithmetic.number
        every = sum(left.values())
        total = self._prizes(left, own)
        for means, place, weight, gone in self.parts:
            hand, measure = box.hand(place), self.measure[place != FIRST]
            drawn = number(max(self.of_pair - gone, 0)) / means.rest
            for suit in SUITS if place == NEW else (own[place],):
                there, pairs, chance = left[suit], every, number(1)
                if place == NEW:
                    there, pairs, chance = there - 1, pairs - 1, number(left[suit]) / max(every, 1)
                if there > 0:
                    share = number(there - 1) / max(pairs - 1, 1)
                    gain = hand.gain(means, measure, SEVENS, suit, share, prize=False)
                    total += chance * there / pairs * (weight[FROM_PAIR] + drawn * weight[FROM_ONE]) * gain
        return total

    def _prizes(self, left: dict[str, Number], own: tuple[str, str]) -> Number:
        """What the Super Bonus adds where hands of a split can win it: not if a suited pair of sevens was split."""
        box = self.box
        if own[0] == own[1] or not box.game.prize_split or box.first != box.pair:
            return box.arithmetic.number(0)
        amounts = {}
        for suit in SUITS:
            row, measure = box.table.bonuses[SEVENS][1][suit], self.measure[1]
            hits = box.arithmetic.weight(box.additional.suited_act[SEVENS, suit], kernels.HIT)
            amounts[suit] = hits * (measure.prize.get(f"{row} {suit}", measure.rows[row]) - measure.rows[row])
        return SplitSevens(amounts, box.arithmetic.number(box.cards), self.most, box.again).value(left, own)

"""One hand of a split: its strategy, and its means as more cards of the pair are dealt.

The strategy looks at the hand's own cards, the upcard and the pair, not at the other hands; it looks at the suits of 6,
7 and 8 only if its first two cards share one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pontoon.analysis import kernels
from pontoon.analysis.board import EVERY_ACTION, Arithmetic, Board, Table
from pontoon.analysis.game import Game
from pontoon.analysis.hands import ACE, SUITS, Counts, Integers
from pontoon.analysis.measures import Measure, Number

Pair = tuple[int, int]
Suits = dict[int, dict[str, Number]]
"""Number of cards by value and suit."""
Bonuses = dict[Pair, tuple[int, dict[str, str]]]
"""Two values whose suits matter, the third value that completes them, and the payout row by suit."""

SEVENS: Pair = (6, 6)


@dataclass(frozen=True)
class Suited:
    """The values of two cards whose suits matter, on one board."""

    quality: tuple[Number, Number, Number]
    """Values of stand, hit and double in mixed suits."""
    value: Number
    """Value of the decision taken in mixed suits."""
    chance: Number
    """Probability that the next card completes them, in any suit."""


@dataclass(frozen=True)
class HandMeans:
    """Means of one hand under a measure, given the number of further cards of the pair gone."""

    start: Number
    """Mean from one card of the pair."""
    pair: Number
    """Mean from two cards of the pair, not split again."""
    rest: float
    """Number of cards left when the hand has its first."""
    suited: dict[Pair, Suited]


def extra(game: Game, measure: Measure, pair: Pair, row: str, suit: str, *, prize: bool) -> Number:
    """How much more three cards of one suit count than three of different suits."""
    mixed = "sevens_mixed" if pair == SEVENS else "six_seven_eight_mixed"
    same = measure.rows[row]
    if prize and pair == SEVENS and game.prize[suit]:
        same = measure.prize.get(f"{row} {suit}", same)
    return same - measure.rows[mixed]


class SplitHand:
    """The strategy of one hand of a split, found once and valued under any measure."""

    def __init__(self, table: Table, arithmetic: Arithmetic, first: int, pair: int, values: Counts) -> None:
        """`values` is the shoe without the upcard and without the other card of the pair."""
        self.table, self.arithmetic, self.first, self.pair, self.values = table, arithmetic, first, pair, values
        hands, picks = table.hands, table.picks
        self.one_card = pair == ACE and table.game.split_aces_one_card
        self.picks = picks[hands.size[picks] == 2] if self.one_card else picks
        self.single = hands.index_of(tuple(int(value == pair) for value in range(10)))
        self.boards = {0: self._board(0)}
        self.boards[0].deal(self.picks)
        self.suited_act: dict[tuple[Pair, str], int] = {}

    def _board(self, gone: int) -> Board:
        values = list(self.values)
        values[self.pair] = max(values[self.pair] - gone, 0)
        board = Board(self.table, self.arithmetic, self.first, tuple(values))
        board.picks = self.picks
        return board

    def optimise(self, measure: Measure, suits: Suits, *, spoilt: int = 0, shared: Number = 0) -> None:
        """Find the best strategy for a hand that knows only the pair and its own cards."""
        board = self.boards[0]
        if self.one_card:
            board.use[:] = 1 << kernels.STAND
        self._optimised = (measure, spoilt, shared)
        board.sweep(measure, follow=self.one_card, spoilt=spoilt, shared=shared)
        self.suited_act = {}
        if not self.one_card:
            for pair, (third, rows) in self._bonuses().items():
                for suit in SUITS:
                    self.suited_act[pair, suit] = self._best_suited(measure, suits, pair, third, rows[suit], suit)
        self.play_by(board.act.copy(), board.drop.copy(), self.suited_act)

    def revalue(self) -> None:
        """Value every decision again under the measure for which the strategy was found."""
        measure, spoilt, shared = self._optimised
        board = self.boards[0]
        board.use = np.full_like(board.use, EVERY_ACTION)
        board.sweep(measure, follow=True, spoilt=spoilt, shared=shared)

    def _bonuses(self) -> Bonuses:
        return {pair: bonus for pair, bonus in self.table.bonuses.items() if self.pair in pair}

    def _best_suited(self, measure: Measure, suits: Suits, pair: Pair, third: int, row: str, suit: str) -> int:
        board = self.boards[0]
        hand = self.table.hands.two(*pair)
        share = self.arithmetic.number(suits[third][suit]) / max(sum(suits[third].values()), 1)
        more = extra(self.table.game, measure, pair, row, suit, prize=False)
        quality = board.quality[hand, 0]
        hit = quality[kernels.HIT] + self.chance_of_third(board, hand, third) * share * more
        ranked = [(quality[kernels.STAND], -kernels.STAND), (hit, -kernels.HIT)]
        if board.flags[hand] & kernels.MAY_DOUBLE:
            ranked.append((quality[kernels.DOUBLE], -kernels.DOUBLE))
        return -max(ranked[not board.flags[hand] & kernels.MAY_STAND :])[1]

    def chance_of_third(self, board: Board, hand: int, third: int) -> Number:
        """The probability that the next card has the value that completes 6-7-8 or 7-7-7."""
        left = board.values[third] - int(self.table.hands.counts[hand, third])
        return self.arithmetic.number(max(left, 0)) / (board.cards - 2)

    def play_by(self, act: Integers, drop: Integers, suited_act: dict[tuple[Pair, str], int]) -> None:
        """Play by this strategy from now on."""
        self.act, self.drop, self.suited_act = act, drop, suited_act
        hands, board = self.table.hands, self.boards[0]
        use: Integers = np.zeros(act.shape[:2], dtype=np.int64)
        need: Integers = np.zeros(len(hands.hard), dtype=np.int64)
        marks = self.arithmetic.marks
        for value in range(10):
            hand = int(hands.more[self.single, value])
            if hand >= 0:
                aces = board.aces(hand)
                use[hand, aces] = marks(act[hand, aces])
                for suit in SUITS:
                    use[hand, aces] |= marks(suited_act.get((_pair(self.pair, value), suit), act[hand, aces]))
        kernel = self.arithmetic.kernel["mark"]
        kernel(self.table.columns, board.flags, self.picks, act, use, need)
        held = use.any(axis=1) | (need > 0) | (board.flags & kernels.PAID > 0)
        self.use, self.needed, self.reached = use, self.picks[need[self.picks] > 0], self.picks[held[self.picks]]
        self.boards = {0: board}

    def board(self, gone: int) -> Board:
        """The board with this many further cards of the pair gone, following the strategy."""
        if gone not in self.boards:
            self.boards[gone] = self._board(gone)
            self.boards[gone].deal(self.needed)
        board = self.boards[gone]
        board.act, board.drop, board.use = self.act, self.drop, self.use
        return board

    def means(self, measure: Measure, gone: int, *, spoilt: int = 0, shared: Number = 0) -> HandMeans:
        """The means of a hand under the strategy."""
        board = self.board(gone)
        board.sweep(measure, follow=True, spoilt=spoilt, shared=shared)
        start = self.arithmetic.kernel["first_two"](
            self.table.columns, board.switches, board.shoe, board.cards, self.single, board.value
        )
        hands = self.table.hands
        pair = int(hands.more[self.single, self.pair])
        value = board.value[pair, board.aces(pair)] if pair >= 0 else self.arithmetic.number(0)
        suited = {}
        for both, (third, _) in self._bonuses().items() if not self.one_card else ():
            hand = hands.two(*both)
            quality = board.quality[hand, 0]
            suited[both] = Suited(tuple(quality), board.value[hand, 0], self.chance_of_third(board, hand, third))
        return HandMeans(start, value, board.cards - 1, suited)

    def gain(self, means: HandMeans, measure: Measure, pair: Pair, suit: str, share: Number, *, prize: bool) -> Number:
        """What two cards of one suit add to a hand; `share` is the probability that the third has that suit too."""
        suited = means.suited[pair]
        act = self.suited_act[pair, suit]
        value = self.arithmetic.mean(act, suited.quality)
        if hits := self.arithmetic.weight(act, kernels.HIT):
            row = self.table.bonuses[pair][1][suit]
            more = extra(self.table.game, measure, pair, row, suit, prize=prize)
            value = value + hits * suited.chance * share * more
        return value - suited.value

    def straight_gain(self, means: HandMeans, measure: Measure, suits: Suits, suit: str) -> Number:
        """What a suited 6-7-8 adds to a hand whose first card has this suit."""
        total = self.arithmetic.number(0)
        for pair in means.suited:
            if pair == SEVENS:
                continue
            second = pair[1] if pair[0] == self.pair else pair[0]
            third = self.table.bonuses[pair][0]
            share = self.arithmetic.number(suits[third][suit]) / max(sum(suits[third].values()), 1)
            chance = self.arithmetic.number(suits[second][suit]) / means.rest
            total += chance * self.gain(means, measure, pair, suit, share, prize=False)
        return total


def _pair(one: int, other: int) -> Pair:
    return (one, other) if one <= other else (other, one)

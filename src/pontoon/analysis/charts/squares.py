"""The value of each decision in each square of a chart: the mean over its hands, weighted by probability.

A square is a total, a soft total or a pair against one upcard. Hands that a chart can treat differently within a square
form separate groups: by number of cards, by whether two cards can become 6-7-8 and in which suits, and by origin, since
only the two cards dealt can be surrendered or split.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pontoon.analysis import kernels, measures
from pontoon.analysis.board import EVERY_ACTION, Array, Board
from pontoon.analysis.dealer import BUST, PONTOON, RESULTS, result_of
from pontoon.analysis.free_aces import free_aces
from pontoon.analysis.hands import ACE, PICTURE, SUITS, VALUES
from pontoon.analysis.measures import Measure
from pontoon.analysis.solver import Solver, Start
from pontoon.analysis.splits import resplit
from pontoon.analysis.splits.joint_chances import over_shoes, without
from pontoon.analysis.splits.resplit import FIRST, FROM_ONE, FROM_PAIR, NEW, SECOND
from pontoon.analysis.splits.split import SplitBox
from pontoon.analysis.splits.split_hand import SEVENS, SplitHand, extra
from pontoon.cards import LIMIT
from pontoon.cards.hand import SOFT_ACE
from pontoon.strategy.chart import STANDS_HARD, STANDS_SOFT

WEIGHT, CHANCE, STAND, HIT, DOUBLE, SPLIT, SURRENDER, TAGS, CARDS = range(9)
"""Columns of a group: weight of its means, probability per round, values times weight, tags and cards seen."""
OF_SPLIT, DEALT, OFFERED = range(3)
"""Origin of a hand: a split, the deal, the deal with surrender offered."""
PLAIN, MIXED, SUITED, SPADES = range(4)
"""Suits of two cards that can become 6-7-8, or of a pair of 6, 7 or 8."""
DRAWN = MIXED
"""In a soft square: hands with an ace that a double leaves free, where it fixes those of the first two cards dealt."""
MOST_CARDS = 7
"""Hands of more cards are counted as this many."""
SOFT_PLACE, PAIR_PLACE, PLACES = LIMIT, 2 * LIMIT, 2 * LIMIT + 10
"""Squares are numbered: hard totals by their total, then soft totals, then pairs."""
UNSEEN = 1e-12
"""Weight of hands that the play never holds: they decide only squares with no other hands."""

Decision = Callable[[Start], str]


@dataclass(frozen=True)
class Column:
    """Every square against one upcard."""

    groups: Array
    """By square, origin, number of cards (from two), suits, column."""
    forfeits: Array
    """By total after a double: weight, probability, keep, forfeit, tags and number of cards seen."""
    value: float
    """Value of the game against this upcard under the decisions taken, times the probability of the upcard."""


def columns_of(
    solver: Solver,
    decision: Callable[[int], Decision],
    progress: Callable[[float], None],
    tags: Sequence[int] = (0,) * len(VALUES),
) -> tuple[Column, ...]:
    """The squares against each upcard; after each decision play continues as the solver's.

    `tags` by value are added up over the cards that the player sees.
    """
    found: dict[int, Column] = {}
    done = 0.0
    for rank, first, count in solver.upcards():
        chance = count / solver.shoe.cards
        column = _Gatherer(solver, first, decision(first), tags).gather(rank, chance)
        if first in found:  # pictures that the rulebook distinguishes
            old = found[first]
            column = Column(old.groups + column.groups, old.forfeits + column.forfeits, old.value + column.value)
        found[first] = column
        done += chance
        progress(done)
    return tuple(found[first] for first in sorted(found))


class _Gatherer:
    def __init__(self, solver: Solver, first: int, decision: Decision, tags: Sequence[int]) -> None:
        self.solver, self.first, self.decision = solver, first, decision
        self.tags = np.array(tags)
        self.groups = np.zeros((PLACES, 3, MOST_CARDS - 1, 4, 9))
        self.forfeits = np.zeros((LIMIT, 6))

    def gather(self, rank: str, chance: float) -> Column:
        solver, board = self.solver, self.solver.board(self.first)
        count = len(board.table.hands.hard)
        hit, double, unseen = np.zeros((count, 3)), np.zeros((count, 3)), np.zeros((count, 3))
        splits: dict[tuple[int, int], float] = {}
        value = float(solver.insurance_against(self.first)) * chance
        for start in solver.starts(self.first, rank):
            if not start.chance or "paid" in start.values:
                value += float(start.chance * start.value) * chance
                continue
            here = float(start.chance) * chance
            taken = self.decision(start)
            value += here * float(start.values[taken])
            two = board.table.hands.two(*start.pair)
            aces = board.aces(two)
            unseen[two, aces] += here
            if taken == "split":
                key = (start.pair[0], start.of_pair)
                splits[key] = splits.get(key, 0.0) + here
            hit[two, aces] += here * (taken == "hit")
            double[two, aces] += here * (taken == "double")
            self._start(start, here, int(board.table.hands.best[two]))
            if start.pair[0] == start.pair[1]:
                self._two(board, two, UNSEEN * here, DEALT)
        reached = grown(board, board.act, hit)
        unseen += grown(board, np.full_like(board.act, kernels.HIT), unseen)
        self._longer(board, reached, UNSEEN * unseen, DEALT)
        self._doubled(board, double + reached * (board.act == kernels.DOUBLE), unseen, solver.money)
        for (pair, of_pair), weight in splits.items():
            self._split(pair, of_pair, weight)
        return Column(self.groups, self.forfeits, value)

    # --- the two cards dealt ---------------------------------------------------------------------------

    def _start(self, start: Start, chance: float, total: int) -> None:
        """Add two cards dealt: a pair to its own square, others to their total."""
        values, (low, high) = start.values, start.pair
        soft = low == ACE
        place = PAIR_PLACE + low if low == high else total + SOFT_PLACE * soft
        suits = PLAIN if not start.suit else SPADES if start.suit == "s" else SUITED
        if (low, high) in self.solver.table.bonuses and suits == PLAIN:
            suits = MIXED
        origin = OFFERED if "surrender" in values else DEALT
        hit = values["hit"]
        stand = values.get("stand", hit)
        double = values.get("double", stand if total >= (STANDS_SOFT if soft else STANDS_HARD) else hit)
        split = values.get("split", self._unsplit(low, max(stand, hit, double))) if low == high else 0
        seen = self.tags[low] + self.tags[high] + self.tags[self.first]
        row = (1, 1, stand, hit, double, split, values.get("surrender", 0), seen, len(start.pair) + 1)
        self.groups[place, origin, 0, suits] += chance * np.array(row, dtype=float)

    def _unsplit(self, value: int, best: float) -> float:
        """What stands for the split of a pair that was not valued: it cannot be split, or is worse than `slack`."""
        game = self.solver.game
        if game.max_hands < 2 or VALUES[value] * 2 not in game.pairs:
            return 0
        # A pair of pictures that cannot be split is played by its total.
        return best if value == PICTURE and "KQ" not in game.pairs else best - self.solver.slack

    # --- hands on a board ------------------------------------------------------------------------------

    def _two(self, board: Board, two: int, weight: float, origin: int, more: float = 0, suits: int = PLAIN) -> None:
        """Add two cards to the square of their total; `more` is what their suits add to a hit."""
        mask = np.zeros((len(board.act), 3))
        mask[two, board.aces(two)] = weight
        self._add(board, mask, mask * (origin == OF_SPLIT), origin, (suits, more))

    def _longer(self, board: Board, chance: Array, unseen: Array, origin: int) -> None:
        longer = (board.table.hands.size > 2)[:, None]
        self._add(board, (chance + unseen) * longer, chance * longer, origin, (PLAIN, 0.0))

    def _add(self, board: Board, weight: Array, chance: Array, origin: int, two: tuple[int, float]) -> None:
        hands, (suits, more) = board.table.hands, two
        rows, aces = np.nonzero((weight > 0) & ((board.flags & kernels.PAID) == 0)[:, None])
        soft = hands.best[rows] != hands.hard[rows]
        quality, flags = board.quality[rows, aces], board.flags[rows]
        hit = quality[:, kernels.HIT] + more
        stand = np.where(flags & kernels.MAY_STAND, quality[:, kernels.STAND], hit)
        high = hands.best[rows] >= np.where(soft, STANDS_SOFT, STANDS_HARD)
        double = np.where(flags & kernels.MAY_DOUBLE, quality[:, kernels.DOUBLE], np.where(high, stand, hit))
        here = weight[rows, aces]
        place = hands.best[rows] + SOFT_PLACE * soft
        cards = np.minimum(hands.size[rows], MOST_CARDS) - 2
        there: Array = (place, origin, cards, np.where(soft & free_aces(board, rows, aces), DRAWN, suits))
        values = {WEIGHT: here, CHANCE: chance[rows, aces], STAND: here * stand, HIT: here * hit, DOUBLE: here * double}
        seen, cards_seen = self._seen(board, rows)
        for column, value in (values | {TAGS: here * seen, CARDS: here * cards_seen}).items():
            np.add.at(self.groups[..., column], there, value)

    def _seen(self, board: Board, rows: Array) -> tuple[Array, Array]:
        """The tags and the number of the cards that are seen with these hands; of a split, one more of the pair."""
        hands, pair = board.table.hands, board.table.split
        tags = hands.counts[rows] @ self.tags + self.tags[self.first]
        return (tags, hands.size[rows] + 1) if pair is None else (tags + self.tags[pair], hands.size[rows] + 2)

    def _doubled(self, board: Board, chance: Array, unseen: Array, measure: Measure) -> None:
        """Add every card a double can receive: kept or forfeited."""
        may = (board.flags & kernels.MAY_DOUBLE > 0)[:, None]
        weight = (chance + UNSEEN * unseen) * may
        hands, fixing = board.table.hands, int(board.switches[kernels.FIXED])
        rows, aces = np.nonzero(weight)
        held_aces = hands.counts[rows, ACE]
        fixed = {kernels.FIXED_NONE: 0 * aces, kernels.FIXED_FIRST_TWO: aces, kernels.FIXED_ALL: held_aces}
        rest = board.cards - hands.size[rows]
        for drawn in range(10):
            left = np.maximum(board.values[drawn] - hands.counts[rows, drawn], 0) / rest
            grown = hands.more[rows, drawn]
            soft = (hands.counts[grown, ACE] > fixed[fixing]) & (hands.hard[grown] + SOFT_ACE <= LIMIT)
            total = hands.hard[grown] + SOFT_ACE * soft
            held = (grown >= 0) & (total < LIMIT) & (left > 0)
            keep = _kept_values(board.results[grown[held]], total[held], measure)
            here, true = (array[rows, aces][held] * left[held] for array in (weight, chance))
            tags, cards = (here * part for part in self._seen(board, grown[held]))
            for column, value in enumerate((here, true, here * keep, here * float(measure.forfeit), tags, cards)):
                np.add.at(self.forfeits[:, column], total[held], value)

    # --- splits ----------------------------------------------------------------------------------------

    def _split(self, pair: int, of_pair: int, weight: float) -> None:
        solver = self.solver
        box, most = solver.split_box(self.first, pair), solver.split_total(self.first, pair, of_pair)[2]
        weights = weight * resplit.weights(of_pair, box.cards, most).sum(axis=2)
        others = weights[SECOND] + weights[NEW]
        money, (own, shared) = _bearing(solver, box)
        if box.original is box.additional:
            self._split_hand(box.additional, weights[FIRST] + others, own, 0.0)
        else:
            self._split_hand(box.original, weights[FIRST], money, shared)
            self._split_hand(box.additional, others, own, 0.0)

    def _split_hand(self, hand: SplitHand, weights: Array, measure: Measure, shared: float) -> None:
        if hand.one_card:
            return
        board, hands = hand.board(0), hand.table.hands
        board.use = np.full_like(board.use, EVERY_ACTION)
        board.sweep(measure, follow=True, spoilt=self.solver.spoilt, shared=shared)
        hit, double = np.zeros((len(hands.hard), 3)), np.zeros((len(hands.hard), 3))
        for value in range(10):
            two = int(hands.more[hand.single, value])
            left = board.values[value] - int(hands.counts[hand.single, value])
            if two < 0 or left <= 0 or board.flags[two] & kernels.PAID:
                continue
            chance = weights[FROM_ONE] * left / (board.cards - 1) + (weights[FROM_PAIR] if value == hand.pair else 0.0)
            if chance <= 0:
                continue
            pair = (min(value, hand.pair), max(value, hand.pair))
            for suits, part, more, act in self._suits(hand, pair, two):
                self._two(board, two, chance * part, OF_SPLIT, more, suits)
                hit[two, board.aces(two)] += chance * part * (act == kernels.HIT)
                double[two, board.aces(two)] += chance * part * (act == kernels.DOUBLE)
        reached = grown(board, hand.act, hit)
        self._longer(board, reached, 0 * reached, OF_SPLIT)
        self._doubled(board, double + reached * (hand.act == kernels.DOUBLE), 0 * reached, measure)

    def _suits(self, hand: SplitHand, pair: tuple[int, int], two: int) -> list[tuple[int, float, float, int]]:
        """Two cards of a split hand by suit: probability, what the suit adds to a hit, and the decision."""
        board = hand.boards[0]
        act = int(hand.act[two, board.aces(two)])
        if pair not in hand.table.bonuses or pair == SEVENS:
            return [(PLAIN, 1.0, 0.0, act)]
        third, rows = hand.table.bonuses[pair]
        chance = (board.values[third] - int(hand.table.hands.counts[two, third])) / (board.cards - 2)
        found = [(MIXED, 1 - 1 / len(SUITS), 0.0, act)]
        for suit in SUITS:
            more = float(extra(hand.table.game, self.solver.money, pair, rows[suit], suit, prize=False))
            own = hand.suited_act[pair, suit]
            found.append((SPADES if suit == "s" else SUITED, 1 / len(SUITS) ** 2, chance * more / len(SUITS), own))
        return found


def grown(board: Board, act: Array, hit: Array) -> Array:
    """The probabilities of longer hands, from two-card hands that hit."""
    hands = board.table.hands
    chance = np.zeros_like(hit)
    rows, aces = np.nonzero(hit)
    for drawn in range(10):
        left = np.maximum(board.values[drawn] - hands.counts[rows, drawn], 0) / (board.cards - hands.size[rows])
        grown = hands.more[rows, drawn]
        held = grown >= 0
        np.add.at(chance, (grown[held], aces[held]), (hit[rows, aces] * left)[held])
    picks = board.picks[hands.size[board.picks] > 2]
    kernels.reach(board.table.columns, board.flags, board.shoe, board.cards, picks, act, chance)
    return chance


def _kept_values(results: Array, total: Array, measure: Measure) -> Array:
    """The value of doubled hands with these totals against the dealer's results."""
    ends = np.arange(RESULTS)[None, :]
    own = (total + result_of(0))[:, None]
    lower = (ends == BUST) | ((ends > PONTOON) & (ends < own))
    higher = (ends > PONTOON) & (ends > own)
    win, lose, tie, pontoon = (
        float(number)
        for number in (measure.doubled_win, measure.doubled_lose, measure.doubled_tie, measure.doubled_pontoon)
    )
    pays = np.where(lower, win, np.where(higher, lose, np.where(ends == PONTOON, pontoon, tie)))
    return (results * pays).sum(axis=1)


def _bearing(solver: Solver, box: SplitBox) -> tuple[Measure, tuple[Measure, float]]:
    """The measure for a hand of a split when the other hands share what a dealer's pontoon takes."""
    money = solver.money
    if not box.relieved:
        return money, (money, 0.0)
    other = measures.won() if box.game.collects == "original_tracked" else measures.decided()
    cost = -_chance(box, box.original, other)
    own = replace(money, pontoon=cost, doubled_pontoon=cost)
    return money, (own, 1 - _chance(box, box.additional, measures.decided()))


def _chance(box: SplitBox, hand: SplitHand, measure: Measure) -> float:
    return float(over_shoes(hand, measure, [without(hand.values, box.natural)])[0, FROM_ONE])


def name_of(place: int) -> str:
    """The block and hand of a square.

    >>> name_of(16), name_of(SOFT_PLACE + 17), name_of(PAIR_PLACE + 7)
    ('hard 16', 'soft 17', 'pairs 88')
    """
    if place >= PAIR_PLACE:
        return f"pairs {VALUES[place - PAIR_PLACE] * 2}"
    return f"soft {place - SOFT_PLACE}" if place >= SOFT_PLACE else f"hard {place}"

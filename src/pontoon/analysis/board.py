"""A board: the cards left after the upcard is dealt, and the value of every hand against that upcard.

A board belongs to a shoe, counted by value. Its hands take their own cards out of that shoe; everything else that has
been dealt (the upcard, the other card of a split pair) is already removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from pontoon.analysis import kernels
from pontoon.analysis.dealer import RESULTS, tree, within
from pontoon.analysis.game import ROWS, Game, bonuses_of, flags_of, natural_value, rows_of
from pontoon.analysis.hands import Counts, Hands, Integers
from pontoon.analysis.hands import hands as list_hands
from pontoon.analysis.jit import plain
from pontoon.analysis.measures import Measure, Number, payoffs
from pontoon.cards import LIMIT
from pontoon.cards.hand import SOFT_ACE

Array = Any
ACTIONS = 3
EVERY_ACTION = 7
"""All three actions as bits."""


class Arithmetic:
    """Floats with compiled kernels, or fractions with the same kernels uncompiled."""

    def __init__(self, *, exact: bool) -> None:
        self.exact = exact
        self.number: Any = Fraction if exact else float
        self.dtype: Any = object if exact else np.float64
        names: dict[str, Any] = plain(vars(kernels)) if exact else vars(kernels)
        self.kernel = names

    def array(self, values: Iterable[Number]) -> Array:
        """An array of numbers."""
        return np.array([self.number(value) for value in values], dtype=self.dtype)

    def zeros(self, *shape: int) -> Array:
        """An array of zeros."""
        return np.zeros(shape, dtype=self.dtype)

    # How decisions are held: here one decision for each hand, in mixed play (mixed_play.py) the chance of each.

    def decisions(self, count: int) -> tuple[Array, Array]:
        """Arrays for the decisions on this many hands, and for the doubles that are forfeited."""
        return np.full((count, 3), kernels.STAND, dtype=np.int64), np.zeros((count, 2), dtype=np.int64)

    def weight(self, decided: Any, action: int) -> Number:  # noqa: ANN401 an action, or the chances of three
        """The probability of an action under a decision."""
        return self.number(int(decided == action))

    def marks(self, decided: Any) -> int:  # noqa: ANN401 as above
        """The actions that a decision can lead to, as bits."""
        return sum(1 << action for action in range(ACTIONS) if self.weight(decided, action))

    def mean(self, decided: Any, quality: Sequence[Number]) -> Number:  # noqa: ANN401 as above
        """The value of a decision, from the value of each action."""
        return quality[decided]


FLOATS = Arithmetic(exact=False)
FRACTIONS = Arithmetic(exact=True)


@dataclass(frozen=True, eq=False)
class Table:
    """The hands of a shoe, and what the game allows and pays on each; shared by every board of that shoe."""

    game: Game
    hands: Hands
    split: int | None
    """The value of the pair, if these are hands of a split."""
    columns: tuple[Integers, ...]
    rows: Integers
    """The payout row of each hand, as an index in `ROWS`."""
    flags: Integers
    """What each hand may do."""
    picks: Integers
    """Hands of two cards and more, longest first."""
    bonuses: dict[tuple[int, int], tuple[int, dict[str, str]]]
    """Two values whose suits matter, the third value that completes them, and the payout row by suit."""

    def wins(self, arithmetic: Arithmetic, measure: Measure) -> Array:
        """What a win counts, for every hand."""
        return arithmetic.array(measure.rows[name] for name in ROWS)[self.rows]


def table_of(game: Game, values: Counts, split: int | None = None) -> Table:
    """The hands that a shoe with these values can deal; after a split, those that hold a card of the pair."""
    return _table(game, list_hands(values), split)


@lru_cache(maxsize=256)
def _table(game: Game, hands: Hands, split: int | None) -> Table:
    if split is not None:
        hands = hands.with_card(split)
    picks = np.nonzero(hands.size > 1)[0].astype(np.int64)
    return Table(
        game=game,
        hands=hands,
        split=split,
        columns=(hands.counts, hands.hard, hands.size, hands.best, hands.more),
        rows=rows_of(game, hands),
        flags=flags_of(game, hands, split=split is not None),
        picks=picks,
        bonuses={pair: bonus for pair, bonus in bonuses_of(game).items() if pair in hands.pairs},
    )


class Board:
    """The hands of one shoe against one upcard, under one set of payoffs."""

    def __init__(self, table: Table, arithmetic: Arithmetic, first: int, values: Counts) -> None:
        self.table, self.arithmetic, self.first = table, arithmetic, first
        self.values = values
        self.cards = sum(values) if arithmetic.exact else float(sum(values))
        self.shoe = arithmetic.array(values)
        self.picks, self.flags = table.picks, table.flags
        game, count = table.game, len(table.hands.hard)
        fixed = game.fixed if table.split is None else game.fixed_split
        wins = int(game.twenty_one_wins)
        self.switches = np.array(
            [fixed, game.forfeit_highest, 0, natural_value(first), SOFT_ACE, LIMIT, wins], dtype=np.int64
        )
        self.results = arithmetic.zeros(count, RESULTS)
        self.kept = arithmetic.zeros(count, 2)
        self.use = np.zeros((count, ACTIONS), dtype=np.int64)
        self.act, self.drop = arithmetic.decisions(count)
        self.quality = arithmetic.zeros(count, 3, ACTIONS)
        self.value = arithmetic.zeros(count, 3)

    def deal(self, picks: Integers) -> None:
        """Find the dealer's results for these hands."""
        game = self.table.game
        branches = tree(self.first, game.stands_hard, game.stands_soft)
        if self.arithmetic.exact:
            branches = within(branches, self.values)
        columns = self.table.columns
        self.arithmetic.kernel["dealer_results"](
            branches, self.shoe, self.cards, columns[0], columns[2], picks, self.results
        )

    def sweep(self, measure: Measure, *, follow: bool, spoilt: int = 0, shared: Number = 0) -> None:
        """Value the hands under a measure, finding the best decisions or following those already set."""
        pay = self.arithmetic.array(payoffs(measure, spoilt=spoilt, shared=shared))
        wins = self.wins(measure)
        self.switches[kernels.FOLLOW] = int(follow)
        columns, kernel = self.table.columns, self.arithmetic.kernel
        kernel["keep_doubles"](columns, self.switches, pay, self.picks, self.results, self.kept, self.drop)
        kernel["sweep"](self.hands, kernels.Payout(wins, pay), self.shoe, self.cards, self.work)

    @property
    def hands(self) -> kernels.HandList:
        """The hands to value, for the kernels."""
        return kernels.HandList(self.table.columns, self.flags, self.switches, self.picks)

    @property
    def work(self) -> kernels.Work:
        """The arrays of this board, for the kernels."""
        return kernels.Work(self.results, self.kept, self.use, self.act, self.quality, self.value)

    def under(self, measure: Measure, *, spoilt: int = 0) -> Board:
        """The same play valued by another measure."""
        other = Board(self.table, self.arithmetic, self.first, self.values)
        other.results, other.act, other.drop = self.results, self.act, self.drop
        other.use[:] = EVERY_ACTION
        other.sweep(measure, follow=True, spoilt=spoilt)
        return other

    def wins(self, measure: Measure) -> Array:
        """What a win counts, for every hand."""
        return self.table.wins(self.arithmetic, measure)

    def aces(self, hand: int) -> int:
        """The column of a two-card hand: its number of aces if doubles depend on it, otherwise 0."""
        first_two = self.switches[kernels.FIXED] == kernels.FIXED_FIRST_TWO
        return int(self.table.hands.counts[hand, 0]) if first_two else 0

    def chance_of_natural(self, hand: int) -> Number:
        """The probability that the dealer's next card makes a pontoon."""
        natural = natural_value(self.first)
        if natural < 0:
            return self.arithmetic.number(0)
        hands = self.table.hands
        left = self.values[natural] - int(hands.counts[hand, natural])
        return self.arithmetic.number(left) / (self.cards - int(hands.size[hand]))

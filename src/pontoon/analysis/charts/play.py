"""Play by a chart, written into the kernels' tables square by square instead of hand by hand.

It is the play of `strategy.ChartStrategy` and gives the same values as `Solver(strategy=...)`, about ten times as fast;
a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from pontoon.analysis import kernels
from pontoon.analysis.board import EVERY_ACTION, Board
from pontoon.analysis.free_aces import free_aces
from pontoon.analysis.game import Game
from pontoon.analysis.hands import ACE, SUITS, VALUES, Hands, Integers
from pontoon.analysis.solver import Solver
from pontoon.analysis.splits.split import SplitBox
from pontoon.analysis.splits.split_hand import SplitHand
from pontoon.cards import LIMIT
from pontoon.cards.hand import SOFT_ACE
from pontoon.strategy import Chart, ChartStrategy, Strategy
from pontoon.strategy.chart import (
    CHART_UPCARDS,
    DRAWN_ACE,
    SIX_SEVEN_EIGHT_PAIRS,
    STANDS_HARD,
    STANDS_SOFT,
    Cell,
    Code,
    read_code,
)

HARD, SOFT, PAIRS, FORFEIT = "hard", "soft", "pairs", "forfeit"
LETTERS = "SHD"
"""In the order of the kernels' decisions."""
MARKED = {pair: sum(VALUES.index(card) + 1 for card in pair) for pair in sorted(SIX_SEVEN_EIGHT_PAIRS)}
"""Two cards that can become 6-7-8, with their total."""
FORFEITED = "F"
KEPT = "K"

Codes = Mapping[str, str]
"""The code for each hand against one upcard, by block and hand: `hard 16`, `pairs 88`, `forfeit 17`."""


@dataclass(frozen=True)
class Sheet:
    """A chart: its codes against each of the ten upcards, by value."""

    columns: tuple[Codes, ...]
    read: tuple[dict[str, Code], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        read = tuple(
            {place: read_code(code) for place, code in column.items() if not place.startswith(FORFEIT)}
            for column in self.columns
        )
        object.__setattr__(self, "read", read)

    def with_every_split(self) -> Sheet:
        """The same chart with every pair split, so that splitting is valued everywhere."""
        split = {place: "P" for place in self.columns[0] if place.startswith(PAIRS)}
        return Sheet(tuple({**column, **split} for column in self.columns))

    def rows(self, block: str) -> dict[str, dict[str, str]]:
        """One block of the chart as it is written: hand, upcard, code."""
        names = [place.split()[1] for place in self.columns[0] if place.startswith(block)]
        return {
            name: {first: self.columns[VALUES.index(first)][f"{block} {name}"] for first in CHART_UPCARDS}
            for name in names
        }

    def chart(self, rulebook: str, decks: int, *, split_aces_free: bool = False) -> Chart:
        """The chart as `strategy.ChartStrategy` reads it."""
        cells = [
            {name: {first: Cell(code) for first, code in row.items()} for name, row in self.rows(block).items()}
            for block in (HARD, SOFT, PAIRS, FORFEIT)
        ]
        hard, soft, pairs, forfeit = cells
        return Chart(
            rulebook=rulebook,
            decks=decks,
            upcards=CHART_UPCARDS,
            hard=hard,
            soft=soft,
            pairs=pairs,
            forfeit=forfeit,
            split_aces_free=split_aces_free,
        )


def place_of(total: int, *, soft: bool) -> str:
    """The square of a total."""
    return f"{SOFT if soft else HARD} {total}"


def pair_place(value: int) -> str:
    """The square of a pair.

    >>> pair_place(7), pair_place(9)
    ('pairs 88', 'pairs KK')
    """
    return f"{PAIRS} {VALUES[value] * 2}"


def marked(code: Code, suit: str) -> bool:
    """Whether a mark makes two cards of 6-7-8 hit; `suit` is the suit they share, if any."""
    return code.mark == "*" or (code.mark == "'" and suit != "") or (code.mark == '"' and suit == "s")


def plain_act(code: Code, flags: int, total: int, *, soft: bool) -> int:
    """The decision of a code's letter, with its fallback if the rules do not allow it."""
    act = LETTERS.index(code.letter)
    if act == kernels.DOUBLE and not flags & kernels.MAY_DOUBLE:
        act = kernels.HIT if total < (STANDS_SOFT if soft else STANDS_HARD) else kernels.STAND
    return kernels.HIT if act == kernels.STAND and not flags & kernels.MAY_STAND else act


def acts_of(codes: Mapping[str, Code], hands: Hands, flags: Integers) -> Integers:
    """A chart's decision on every hand of a list, for mixed suits and without splits."""
    soft = (hands.best != hands.hard).astype(np.int64)
    letter, limit = np.ones((2, LIMIT + 1), dtype=np.int64), np.zeros((2, LIMIT + 1), dtype=np.int64)
    for total in range(LIMIT):
        for is_soft in (0, 1):
            code = codes.get(place_of(total, soft=bool(is_soft)))
            if code:
                letter[is_soft, total], limit[is_soft, total] = LETTERS.index(code.letter), code.limit
    act: Integers = letter[soft, hands.best]
    most = limit[soft, hands.best]
    low = hands.best < np.where(soft, STANDS_SOFT, STANDS_HARD)
    barred = (act == kernels.DOUBLE) & (flags & kernels.MAY_DOUBLE == 0)
    act[barred] = np.where(low, kernels.HIT, kernels.STAND)[barred]
    act[(most > 0) & (hands.size >= most)] = kernels.HIT
    for pair, total in MARKED.items():
        counts = tuple(pair.count(value) for value in VALUES)
        if counts in hands.number and codes[place_of(total, soft=False)].mark == "*":
            act[hands.index_of(counts)] = kernels.HIT
    for value in range(10):
        counts = tuple(2 * (value == other) for other in range(10))
        code = codes[pair_place(value)]
        if counts in hands.number and code.letter != "P":
            two = hands.index_of(counts)
            act[two] = plain_act(code, int(flags[two]), int(hands.best[two]), soft=bool(soft[two]))
    act[(act == kernels.STAND) & (flags & kernels.MAY_STAND == 0)] = kernels.HIT
    return act


def drops_of(codes: Codes, hands: Hands, game: Game) -> Integers:
    """Where a chart forfeits a double: for every hand, counted hard and soft."""
    gives = np.zeros(LIMIT + SOFT_ACE + 1, dtype=np.int64)
    for total in range(min(game.forfeit_highest, LIMIT - 1) + 1):
        gives[total] = codes.get(f"{FORFEIT} {total}") == FORFEITED
    drops = np.stack([gives[hands.hard], gives[hands.hard + SOFT_ACE]], axis=1)
    drops[hands.counts[:, ACE] == 0, 1] = 0
    return drops


def fill(sheet: Sheet, board: Board) -> None:
    """Write a chart's decisions into every hand of a board."""
    hands = board.table.hands
    board.act[:] = acts_of(sheet.read[board.first], hands, board.flags)[:, None]
    for aces in range(board.act.shape[1]):
        board.act[_doubled_with_a_free_ace(sheet.read[board.first], board, aces), aces] = kernels.DOUBLE
    board.drop[:] = drops_of(sheet.columns[board.first], hands, board.table.game)


def _doubled_with_a_free_ace(codes: Mapping[str, Code], board: Board, aces: int) -> Integers:
    """The soft hands that a chart doubles if the double leaves an ace free, with this many aces among the first two."""
    hands = board.table.hands
    marked_totals = [
        total for total in range(LIMIT) if (code := codes.get(place_of(total, soft=True))) and code.mark == DRAWN_ACE
    ]
    soft = (hands.best != hands.hard) & (board.flags & kernels.MAY_DOUBLE > 0) & np.isin(hands.best, marked_totals)
    rows: Integers = np.nonzero(soft)[0]
    return rows[free_aces(board, rows, np.full(len(rows), aces))]


class ChartSolver(Solver):
    """A solver that plays by a chart."""

    def __init__(self, base: Solver, sheet: Sheet) -> None:
        """Take the game, the shoe and the dealer's results of another solver."""
        strategy = ChartStrategy(sheet.chart(base.game.name, base.packs))
        super().__init__(base.game, base.packs, shoe=base.shoe, exact=base.arithmetic.exact, strategy=strategy)
        self.base, self.sheet = base, sheet

    def board(self, first: int) -> Board:
        if first not in self._boards:
            known = self.base.board(first)
            board = Board(known.table, known.arithmetic, first, known.values)
            board.results = known.results
            fill(self.sheet, board)
            board.use[:] = EVERY_ACTION
            board.sweep(self.money, follow=True, spoilt=self.spoilt)
            self._boards[first] = board
        return self._boards[first]

    def split_box(self, first: int, pair: int) -> SplitBox:
        if (first, pair) not in self._splits:
            known = self.base.split_box(first, pair)
            self._splits[first, pair] = _ChartBox(known, self.sheet)
        return self._splits[first, pair]


class _ChartBox(SplitBox):
    """A split played by a chart."""

    def __init__(self, known: SplitBox, sheet: Sheet) -> None:
        self.known, self.sheet = known, sheet
        super().__init__(known.table, known.arithmetic, known.first, known.pair, known.values, {}, _NEVER_ASKED)

    def _follow(self, strategy: Strategy, own: tuple[int, ...]) -> None:
        del strategy
        self._write(self.additional)
        if self.relieved and self.game.collects == "original_tracked":
            self.original = SplitHand(self.table, self.arithmetic, self.first, self.pair, own)
            self._write(self.original)

    def _write(self, hand: SplitHand) -> None:
        board, codes = hand.boards[0], self.sheet.read[hand.first]
        if hand.one_card:
            hand.play_by(np.zeros_like(board.act), board.drop.copy(), {})
            return
        fill(self.sheet, board)
        suited = {}
        for pair in hand.table.bonuses:
            if hand.pair in pair:
                two = hand.table.hands.two(*pair)
                code = codes[place_of(int(hand.table.hands.hard[two]), soft=False)]
                for suit in SUITS:
                    hits = pair[0] != pair[1] and marked(code, suit)
                    suited[pair, suit] = kernels.HIT if hits else int(board.act[two, 0])
        hand.play_by(board.act.copy(), board.drop.copy(), suited)


_NEVER_ASKED = ChartStrategy(Chart(rulebook="", decks=0, upcards=(), hard={}, soft={}))
"""A strategy that is never asked; the box writes its decisions itself."""

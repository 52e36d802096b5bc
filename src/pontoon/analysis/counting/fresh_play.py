"""The best play of one shoe, usually a fresh one, on the cards of another: what a player who ignores the count gets."""

from __future__ import annotations

from pontoon.analysis.board import EVERY_ACTION, Board
from pontoon.analysis.shoe import Shoe
from pontoon.analysis.solver import Solver, Start
from pontoon.analysis.splits.split import SplitBox
from pontoon.analysis.splits.split_hand import Pair, SplitHand
from pontoon.cards import Card
from pontoon.strategy import Situation, Strategy
from pontoon.strategy.situation import Action


class _Told:
    """A strategy that always makes a given decision."""

    action: Action = "hit"

    def choose(self, situation: Situation) -> Action:
        return self.action if self.action in situation.may else "keep"

    def insures(self, cards: tuple[Card, ...], dealer: Card) -> bool:  # noqa: ARG002 never
        return False


class FreshPlay(Solver):
    """A solver that copies the decisions of another, made for other cards of the same game."""

    def __init__(self, base: Solver, shoe: Shoe) -> None:
        """Play the decisions of `base` on this shoe."""
        self.told = _Told()
        super().__init__(base.game, base.packs, shoe=shoe, strategy=self.told)
        self.base = base

    def board(self, first: int) -> Board:
        if first not in self._boards:
            known = self.base.board(first)
            values = tuple(count - (value == first) for value, count in enumerate(self.values))
            board = Board(known.table, known.arithmetic, first, values)
            board.deal(board.picks)
            board.act[:], board.drop[:] = known.act, known.drop
            board.use[:] = EVERY_ACTION
            board.sweep(self.money, follow=True, spoilt=self.spoilt)
            self._boards[first] = board
        return self._boards[first]

    def split_box(self, first: int, pair: int) -> SplitBox:
        if (first, pair) not in self._splits:
            values = tuple(count - (value == first) - 2 * (value == pair) for value, count in enumerate(self.values))
            self._splits[first, pair] = _CopiedBox(self.base.split_box(first, pair), values, self.told)
        return self._splits[first, pair]

    def start(
        self,
        first: int,
        pair: Pair,
        *,
        ranks: str = "",
        suits: tuple[str, str] = ("", ""),
        suit: str = "",
        quick: bool = False,
    ) -> Start:
        known = self.base.start(first, pair, ranks=ranks, suits=suits, suit=suit, quick=quick)
        self.told.action = known.best  # type: ignore[assignment] # a decision by its name
        return super().start(first, pair, ranks=ranks, suits=suits, suit=suit, quick=quick)

    def _hands_worth_forming(self, box: SplitBox) -> tuple[int, ...]:
        of_pair = self.base._of_pair(box.first, (box.pair, box.pair), "")  # noqa: SLF001 the same class
        return (self.base.split_total(box.first, box.pair, of_pair)[2],)


class _CopiedBox(SplitBox):
    """A split played as another solver plays it."""

    def __init__(self, known: SplitBox, values: tuple[float, ...], followed: Strategy) -> None:
        self.known = known
        super().__init__(known.table, known.arithmetic, known.first, known.pair, values, {}, followed)

    def _follow(self, strategy: Strategy, own: tuple[int, ...]) -> None:
        del strategy
        _copy(self.known.additional, self.additional)
        if self.known.original is not self.known.additional:
            self.original = SplitHand(self.table, self.arithmetic, self.first, self.pair, own)
            _copy(self.known.original, self.original)


def _copy(known: SplitHand, hand: SplitHand) -> None:
    hand.play_by(known.act.copy(), known.drop.copy(), dict(known.suited_act))

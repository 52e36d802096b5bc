"""Play by chances instead of decisions: the exact value of any policy, and where it falls short of the best play.

The boards of a `MixedSolver` hold the chance of each action on each hand; kernels_mixed.py takes means over them. What
a policy does is asked once for each situation, through `Mixed`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from pontoon.analysis import kernels, kernels_mixed
from pontoon.analysis.board import ACTIONS, EVERY_ACTION, Arithmetic, Array, Board, table_of
from pontoon.analysis.game import Game, is_natural
from pontoon.analysis.hands import ACE, SUITS, VALUES
from pontoon.analysis.jit import plain
from pontoon.analysis.measures import Number
from pontoon.analysis.policies.mistakes import NAMES, Mistake, Valued, forfeits, start_name, valued, with_action
from pontoon.analysis.shoe import Shoe
from pontoon.analysis.solver import Solver, Start, less, two_cards
from pontoon.analysis.splits.resplit import Again
from pontoon.analysis.splits.split import SplitBox
from pontoon.analysis.splits.split_hand import Pair, SplitHand
from pontoon.cards import LIMIT
from pontoon.cards.hand import SOFT_ACE

Chances = Mapping[str, Number]
"""The probability of each action by name; those that are missing are never taken."""


@dataclass(frozen=True)
class Holding:
    """A hand as the analysis knows it. Values are numbered as in `hands.VALUES`."""

    counts: tuple[int, ...]
    total: int
    soft: bool
    first: int
    """Value of the upcard."""
    may: frozenset[str]
    suit: str = ""
    """The suit of two cards on the way to a bonus, if they share one."""
    first_aces: int = 0
    split: int = -1
    """Value of the pair that was split; -1 if none was."""
    original: bool = False
    """Whether it carries the original wager, where that matters."""


class Mixed(Protocol):
    """A policy, asked by the analysis."""

    def plays(self, held: Holding) -> Chances:
        """Stand, hit, double; on the two cards dealt also split and surrender, if `held.may` has them."""
        ...

    def surrenders(self, held: Holding) -> Number:
        """The probability of accepting an offer of surrender."""
        ...

    def forfeits(self, held: Holding) -> Number:
        """The probability of forfeiting a doubled hand."""
        ...

    def insures(self, held: Holding) -> Number:
        """The probability of insuring."""
        ...

    def splits_again(self, held: Holding) -> Number:
        """The probability of splitting a hand of a split again."""
        ...


class MixedArithmetic(Arithmetic):
    """Decisions are chances: one number for each action."""

    def __init__(self, *, exact: bool) -> None:
        super().__init__(exact=exact)
        names = {**vars(kernels), **vars(kernels_mixed)}
        self.kernel = plain(names) if exact else names

    def decisions(self, count: int) -> tuple[Array, Array]:
        return self.zeros(count, 3, ACTIONS) + self.number(0), self.zeros(count, 2) + self.number(0)

    def weight(self, decided: Any, action: int) -> Number:  # noqa: ANN401 the chances of three actions
        return decided[action]

    def mean(self, decided: Any, quality: Any) -> Number:  # noqa: ANN401 as above
        return sum((chance * value for chance, value in zip(decided, quality, strict=True)), self.number(0))


MIXED_FLOATS, MIXED_FRACTIONS = MixedArithmetic(exact=False), MixedArithmetic(exact=True)


@dataclass(frozen=True)
class MixedStart(Start):
    """Two cards dealt, with the chance of each action."""

    chances: Chances = field(default_factory=dict)

    @property
    def value(self) -> Number:
        return sum(self.chances[action] * self.values[action] for action in self.chances if self.chances[action])


class MixedBox(SplitBox):
    """A split whose hands are played by a policy."""

    policy: Mixed

    def _follow(self, strategy: Any, own: Any) -> None:  # noqa: ANN401 the policy, in place of a strategy
        self.policy, locks = strategy
        _follow(self.policy, self.additional, original=False)
        if self.relieved and self.game.collects == "original_tracked":
            self.original = SplitHand(self.table, self.arithmetic, self.first, self.pair, own)
            _follow(self.policy, self.original, original=True)
        if self.most > 2:
            self.again = (self.arithmetic.number(self._again()), locks)

    def _again(self) -> Number:
        hands = self.table.hands
        two = int(hands.more[self.additional.single, self.pair])
        if two < 0:
            return 1
        held = _holding(self.additional.boards[0], two, frozenset({"split", "keep"}), split=self.pair)
        return self.policy.splits_again(held)


def _holding(board: Board, hand: int, may: frozenset[str], **more: Any) -> Holding:  # noqa: ANN401 fields of it
    hands = board.table.hands
    counts, best = tuple(hands.counts[hand].tolist()), int(hands.best[hand])
    return Holding(counts, best, best != hands.hard[hand], board.first, may, **more)


def _fill(policy: Mixed, board: Board, *, split: int = -1, original: bool = False) -> None:
    """Write a policy's chances into every hand of a board."""
    first_two = board.switches[kernels.FIXED] == kernels.FIXED_FIRST_TWO
    where = {"split": split, "original": original}
    for hand in board.picks.tolist():
        _fill_forfeits(policy, board, hand, where)  # also on 21: with its aces fixed at 1 a doubled hand has less
        may = _may(int(board.flags[hand]))
        if not may:
            continue
        aces = int(board.table.hands.counts[hand, ACE])
        for column in range(min(2, aces) + 1 if first_two else 1):
            held = _holding(board, hand, may, first_aces=column, **where)
            board.act[hand, column] = _row(board.arithmetic, policy.plays(held))


def _fill_forfeits(policy: Mixed, board: Board, hand: int, where: dict[str, Any]) -> None:
    hands = board.table.hands
    hard, aces = int(hands.hard[hand]), int(hands.counts[hand, ACE])
    for soft in range(1 + (aces > 0 and hard + SOFT_ACE <= LIMIT)):
        total = hard + soft * SOFT_ACE
        if total <= min(board.table.game.forfeit_highest, LIMIT - 1):
            counts = tuple(hands.counts[hand].tolist())
            held = Holding(counts, total, bool(soft), board.first, frozenset({"forfeit", "keep"}), **where)
            board.drop[hand, soft] = board.arithmetic.number(policy.forfeits(held))


def _row(arithmetic: Arithmetic, chances: Chances) -> list[Number]:
    return [arithmetic.number(chances.get(name, 0)) for name in NAMES]


def _may(flags: int) -> frozenset[str]:
    if flags & kernels.PAID:
        return frozenset()
    named = ((kernels.MAY_STAND, "stand"), (kernels.MAY_DOUBLE, "double"))
    return frozenset({"hit"} | {name for flag, name in named if flags & flag})


def _follow(policy: Mixed, hand: SplitHand, *, original: bool) -> None:
    """Write a policy's chances into a hand of a split."""
    board = hand.boards[0]
    if hand.one_card:
        board.act[:, :, kernels.STAND] = hand.arithmetic.number(1)
        hand.play_by(board.act.copy(), board.drop.copy(), {})
        return
    _fill(policy, board, split=hand.pair, original=original)
    suited: dict[Any, Any] = {}
    for pair in hand.table.bonuses:
        if hand.pair in pair:
            place = hand.table.hands.two(*pair)
            for suit in SUITS:
                may = _may(int(board.flags[place]))
                held = _holding(board, place, may, suit=suit, split=hand.pair, original=original)
                suited[pair, suit] = tuple(_row(hand.arithmetic, policy.plays(held)))
    hand.play_by(board.act.copy(), board.drop.copy(), suited)


class MixedSolver(Solver):
    """The exact value of a policy: a solver whose decisions are chances."""

    def __init__(  # noqa: PLR0913 as Solver, with a policy
        self,
        game: Game,
        packs: int,
        policy: Mixed,
        *,
        shoe: Shoe | None = None,
        exact: bool = False,
        offered: bool = True,
        locks: bool = False,
    ) -> None:
        """`offered`: surrender is offered before the first decision; `locks`: a pair kept bars further splits."""
        super().__init__(game, packs, shoe=shoe, exact=exact)
        self.arithmetic = MIXED_FRACTIONS if exact else MIXED_FLOATS
        self.policy, self.offered, self.locks = policy, offered, locks
        self._never_split = False

    def board(self, first: int) -> Board:
        if first not in self._boards:
            board = Board(self.table, self.arithmetic, first, less(self.values, first))
            board.deal(board.picks)
            _fill(self.policy, board)
            board.use[:] = EVERY_ACTION
            board.sweep(self.money, follow=True, spoilt=self.spoilt)
            self._boards[first] = board
        return self._boards[first]

    def split_box(self, first: int, pair: int) -> SplitBox:
        if (first, pair) not in self._splits:
            values = less(less(less(self.values, first), pair), pair)
            table = table_of(self.game, self.values, pair)
            suits = self.suits_without(first, "")
            asked: Any = (self.policy, self.locks)
            self._splits[first, pair] = MixedBox(table, self.arithmetic, first, pair, values, suits, asked)
        return self._splits[first, pair]

    def _hands_worth_forming(self, box: SplitBox) -> tuple[int, ...]:
        again: Again = box.again
        return (box.most,) if again[0] else (2,)

    def _beaten(self, first: int, pair: Pair, ranks: str, values: dict[str, Number]) -> bool:  # noqa: ARG002 as Solver
        return self._never_split

    def start(
        self,
        first: int,
        pair: Pair,
        *,
        ranks: str = "",
        suits: tuple[str, str] = ("", ""),
        suit: str = "",
        quick: bool = False,  # noqa: ARG002 a split that is never made is left out
    ) -> Start:
        chances: Chances = {"paid": self.arithmetic.number(1)}
        if not is_natural(*pair):
            same = suits[0] if suits[0] == suits[1] and pair in self.table.bonuses else ""
            chances = self._chances(first, pair, ranks, same)
        self._never_split = not chances.get("split")
        found = super().start(first, pair, ranks=ranks, suits=suits, suit=suit, quick=True)
        fields = {name: getattr(found, name) for name in Start.__dataclass_fields__}
        return MixedStart(**fields, chances=chances)

    def _chances(self, first: int, pair: Pair, ranks: str, same: str) -> Chances:
        """The chance of each action on the two cards dealt, an offer of surrender included."""
        board, hand = self.board(first), self.table.hands.two(*pair)
        may = set(_may(int(board.flags[hand])))
        if self._may_split(pair, ranks):
            may.add("split")
        surrender = bool(self.game.surrender & {ranks[2:] or VALUES[first]})
        if surrender and not self.offered:
            may.add("surrender")
        more = {"suit": same, "first_aces": board.aces(hand)}
        plays = dict(self.policy.plays(_holding(board, hand, frozenset(may), **more)))
        if surrender and self.offered:
            held = _holding(board, hand, frozenset({"surrender", "keep"}), **more)
            gives = self.arithmetic.number(self.policy.surrenders(held))
            plays = {action: chance * (1 - gives) for action, chance in plays.items()}
            plays["surrender"] = gives
        return {action: self.arithmetic.number(chance) for action, chance in plays.items()}

    def insurance_chances(self, first: int) -> Iterator[tuple[Number, Number, Number]]:
        """For each two cards that may be insured: how often they occur, how often they are insured, what it adds."""
        if first != ACE or self.spoilt:
            return
        cards = less(self.values, first)
        whole = self.arithmetic.number(sum(cards)) * (sum(cards) - 1)
        for pair, ways in two_cards(cards):
            if not is_natural(*pair):
                board, hand = self.board(first), self.table.hands.two(*pair)
                held = _holding(board, hand, frozenset({"insure", "keep"}))
                yield ways / whole, self.arithmetic.number(self.policy.insures(held)), self.insurance(first, pair)

    def insurance_against(self, first: int) -> Number:
        parts = (ways * chance * adds for ways, chance, adds in self.insurance_chances(first))
        return sum(parts, self.arithmetic.number(0))


# --- where the regret comes from ------------------------------------------------------------------------


def regret_of(best: Solver, playing: MixedSolver) -> Valued:
    """The value of a policy against the best play of the same game and shoe, and the situations in which it loses."""
    return valued(best, playing, lambda first, rank: _against(best, playing, first, rank))


def _against(best: Solver, playing: MixedSolver, first: int, rank: str) -> Iterator[Mistake]:
    """The losses against one upcard, with probabilities given the upcard."""
    board, followed = best.board(first), playing.board(first)
    count = len(board.table.hands.hard)
    hit, double = np.zeros((count, 3)), np.zeros((count, 3))
    dealer = "10" if VALUES[first] == "K" else VALUES[first]
    for found, start in zip(best.starts(first, rank), playing.starts(first, rank), strict=True):
        assert isinstance(start, MixedStart)
        if start.chance and "paid" not in start.values:
            two = board.table.hands.two(*start.pair)
            hit[two, board.aces(two)] += float(start.chance) * float(start.chances.get("hit", 0))
            double[two, board.aces(two)] += float(start.chance) * float(start.chances.get("double", 0))
            yield from _starting(best, found, start, rank, dealer)
    gains, taken = float(best.insurance_against(first)), float(playing.insurance_against(first))
    if gains != taken:
        names = ("insure", "keep") if taken < 0 else ("keep", "insure")
        yield Mistake("insurance", dealer, *names, 1.0, gains - taken)
    reached = _grown(followed, hit)
    yield from _longer(board, followed, reached, dealer)
    yield from forfeits(best, followed, double + reached * followed.act[:, :, kernels.DOUBLE].astype(float), dealer)


def _starting(best: Solver, found: Start, start: MixedStart, rank: str, dealer: str) -> Iterator[Mistake]:
    for action, share in start.chances.items():
        if share:
            chance = float(start.chance * share)
            ideal = with_action(best, found, action, rank)
            if lost := float(ideal.value - ideal.values[action]):
                yield Mistake(start_name(start), dealer, action, ideal.best, chance, chance * lost)
            if action == "split":
                lost = float(ideal.values["split"] - start.values["split"])
                yield Mistake(f"hands of split {start_name(start)}", dealer, "", "", chance, chance * lost)


def _grown(board: Board, hit: Array) -> Array:
    """The probabilities of longer hands, from two-card hands that hit."""
    hands = board.table.hands
    chance = np.zeros_like(hit)
    rows, aces = np.nonzero(hit)
    for drawn in range(10):
        left = np.maximum(board.values[drawn] - hands.counts[rows, drawn], 0) / (float(board.cards) - hands.size[rows])
        grown = hands.more[rows, drawn]
        held = grown >= 0
        np.add.at(chance, (grown[held], aces[held]), (hit[rows, aces] * left)[held])
    picks = board.picks[hands.size[board.picks] > 2]
    shoe, act = board.shoe.astype(float), board.act.astype(float)
    kernels_mixed.reach(board.table.columns, board.flags, shoe, float(board.cards), picks, act, chance)
    return chance


def _longer(board: Board, followed: Board, reached: Array, dealer: str) -> Iterator[Mistake]:
    hands = board.table.hands
    rows, aces = np.nonzero((reached > 0) & ((board.flags & kernels.PAID) == 0)[:, None])
    for row, column in zip(rows.tolist(), aces.tolist(), strict=True):
        quality, ideal = board.quality[row, column], int(board.act[row, column])
        total, soft = int(hands.best[row]), hands.best[row] != hands.hard[row]
        for plays, share in enumerate(followed.act[row, column].tolist()):
            if share and plays != ideal:
                chance = float(reached[row, column] * share)
                lost = float(quality[ideal] - quality[plays])
                name = f"{'soft' if soft else 'hard'} {total}"
                yield Mistake(name, dealer, NAMES[plays], NAMES[ideal], chance, chance * lost)

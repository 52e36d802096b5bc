"""The coach of practice tables: what each decision is worth, exactly, from the cards everybody has seen.

Nothing here looks at a card that is not dealt: a question is made of hands as an eye sees them and of cards that have
been dealt and proved. The sums are done by a process of their own, so that no table ever waits for them.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from msgspec import Struct

from pontoon.cards import Card, total
from pontoon.engine import (
    Command,
    Double,
    Forfeit,
    Hit,
    Keep,
    Split,
    Stand,
    Surrender,
)
from pontoon.money import dollars
from pontoon.rulebook import Rulebook, canonical, pinned
from pontoon.server.problems import BUSY, Problem, ProblemError, problem
from pontoon.server.worker_process import begin
from pontoon.strategy import ChartStrategy
from pontoon.strategy.situation import Action, Situation, rank_class, ranks_key

if TYPE_CHECKING:
    from pontoon.analysis import Solver
    from pontoon.analysis.chart import Chart

Kind = Literal["decision", "doubled", "surrender", "insurance"]
Cards = tuple[Card, ...]
T = TypeVar("T")

TWO = 2
COMMANDS: dict[str, Callable[[int], Command]] = {
    "stand": Stand,
    "hit": Hit,
    "double": Double,
    "split": Split,
    "surrender": Surrender,
    "keep": Keep,
    "forfeit": Forfeit,
}
NAP = 0.01
PLAY_ON = "play on"
INSURE, DECLINE = "insure", "decline"


# --- questions and answers: plain values, for they go to another process -------------------------------


class Game(Struct, frozen=True):
    """Rules, packs and first wager: what a solver is made for."""

    book: str
    """The canonical text of the rulebook: the other process has no other way to it."""
    packs: int
    stake: str
    """In dollars: the Super Bonus depends on it."""


class Question(Struct, frozen=True):
    """One hand to decide on, and every other card that was seen."""

    game: Game
    kind: Kind
    hand: Cards
    dealer: Card
    layout: Cards
    """Other cards of this round."""
    earlier: Cards
    """Cards of earlier rounds from this shoe; empty where they are not known for sure."""
    split: bool = False
    original: bool = True
    fixed_aces: int = 0
    may: tuple[str, ...] = ()
    """Empty where it is not known yet what will be allowed."""


class Worth(Struct, frozen=True):
    """A decision and its value, a unit of the first wager."""

    action: str
    value: float


class Square(Struct, frozen=True):
    """What the best chart a person can carry says of this hand."""

    block: str
    row: str
    column: str
    code: str
    action: str


class Solved(Struct, frozen=True):
    """The answer, best decision first; no values where nothing is to be decided."""

    values: tuple[Worth, ...] = ()
    square: Square | None = None
    basis: Literal["shoe", "round"] = "round"
    """Whether the cards of earlier rounds were counted."""


class Figures(Struct, frozen=True):
    """What a round is worth from a fresh shoe under best play, a unit of the first wager."""

    house_edge: float
    deviation: float


def game_of(rules: Rulebook, packs: int, stake: int) -> Game:
    """The game of a table at a stake in cents."""
    return Game(canonical(rules), packs, dollars(stake))


def rules_of(game: Game) -> Rulebook:
    """The rulebook of a game."""
    return pinned(game.book)


# --- in the other process ------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _solver(game: Game) -> Solver:
    from pontoon.analysis import Solver  # noqa: PLC0415 numba is only for this process

    return Solver(rules_of(game), game.packs, stake=game.stake)


@lru_cache(maxsize=32)
def _chart(game: Game) -> Chart:
    from pontoon.analysis.chart import chart_of  # noqa: PLC0415

    return chart_of(_solver(game), rules_of(game))


@lru_cache(maxsize=32)
def _strategy(game: Game) -> ChartStrategy:
    return _chart(game).strategy()


@lru_cache(maxsize=256)
def figures(game: Game) -> Figures:
    """The exact edge of a game."""
    from pontoon.analysis import edge_of  # noqa: PLC0415

    edge = edge_of(_solver(game))
    return Figures(edge.house_edge, edge.sd)


def solve_all(questions: tuple[Question, ...]) -> tuple[Solved, ...]:
    """The answers to several questions."""
    return tuple(solve(one) for one in questions)


@lru_cache(maxsize=4096)
def solve(question: Question) -> Solved:
    """What each decision is worth, with as many of the cards seen as a shoe can spare.

    >>> from pontoon.rulebook import load
    >>> game = game_of(load("star"), packs=8, stake=1000)
    >>> solved = solve(Question(game, "decision", ("8s", "8h"), "7d", (), (), may=("hit", "stand", "split")))
    >>> solved.values[0].action, solved.square.code, solved.square.action
    ('split', 'P', 'split')
    """
    from pontoon.analysis import ShoeError  # noqa: PLC0415
    from pontoon.analysis.decision_values import HandError  # noqa: PLC0415

    for basis, out in (("shoe", (*question.earlier, *question.layout)), ("round", question.layout), ("round", ())):
        if basis == "shoe" and not question.earlier:
            continue
        try:
            values = _values(question, out)
        except HandError:
            return Solved()
        except ShoeError:  # too few cards are left for the sums of a whole round
            continue
        return Solved(values, _square(question), cast("Literal['shoe', 'round']", basis))
    return Solved()


def _values(question: Question, out: Cards) -> tuple[Worth, ...]:
    solver, hand, dealer = _solver(question.game), question.hand, question.dealer
    if question.kind == "insurance":
        return _insurance(solver.with_shoe(solver.shoe.without(out)) if out else solver, hand, dealer)
    found = solver.action_values(hand, dealer, out=out, after_split=question.split, doubled=question.kind == "doubled")
    values = {one.action: one.value for one in found}
    if question.kind == "surrender":
        others = [value for action, value in values.items() if action != "surrender"]
        values = {"surrender": values["surrender"], PLAY_ON: max(others)} if "surrender" in values else {}
    elif question.may:
        values = {action: value for action, value in values.items() if action in question.may}
    return tuple(Worth(action, values[action]) for action in sorted(values, key=lambda one: -values[one]))


def _insurance(solver: Solver, hand: Cards, dealer: Card) -> tuple[Worth, ...]:
    """What the most insurance adds to a unit of the wager."""
    from pontoon.analysis.hands import value_of  # noqa: PLC0415

    low, high = sorted(value_of(card) for card in hand)
    adds = float(solver.insurance(value_of(dealer), (low, high)))
    rows = (Worth(INSURE, adds), Worth(DECLINE, 0.0))
    return rows if adds > 0 else rows[::-1]


def _square(question: Question) -> Square | None:
    if question.kind == "insurance":
        return None
    chart, column = _chart(question.game), rank_class(question.dealer)
    counted = total(question.hand, question.fixed_aces)
    block, row = "soft" if counted.soft else "hard", str(counted.points)
    ranks = ranks_key(question.hand)
    if question.kind == "doubled":
        block = "forfeit"
    elif len(question.hand) == TWO and ranks in chart.pairs:
        block, row = "pairs", ranks
    square = chart.blocks()[block].get(row, {}).get(column)
    if square is None:
        return None
    return Square(block, row, column, square.code, _by_chart(question))


def _by_chart(question: Question) -> str:
    may = question.may or tuple(COMMANDS)
    if question.kind == "surrender":
        may = ("surrender", "keep")
    split = rank_class(question.hand[0]) if question.split else ""
    situation = Situation(
        question.hand, question.dealer, split, question.original, question.kind == "doubled", question.fixed_aces,
        cast("frozenset[Action]", frozenset(may)),
    )  # fmt: skip
    action: str = _strategy(question.game).choose(situation)
    return PLAY_ON if question.kind == "surrender" and action == "keep" else action


# --- the process ---------------------------------------------------------------------------------------


class Worker:
    """One process for all sums; what was asked before is answered at once."""

    MOST_KEPT = 512
    MOST_WAITING = 16

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._answers: OrderedDict[Hashable, Future[Any]] = OrderedDict()

    async def ask(self, work: Callable[[Any], T], about: Hashable, patience: float = 0.3) -> T | None:
        """The answer; None while it is being prepared, which takes some seconds the first time."""
        key = (work.__name__, about)
        found = self._answers.get(key)
        if found is None or (found.done() and (found.cancelled() or found.exception() is not None)):
            found = self._submit(work, about)
            self._answers[key] = found
            if len(self._answers) > self.MOST_KEPT:
                self._answers.popitem(last=False)
        self._answers.move_to_end(key)
        for _ in range(int(patience / NAP)):
            if found.done():
                break
            await asyncio.sleep(NAP)
        return cast("T | None", self._result(found)) if found.done() else None

    def _result(self, found: Future[Any]) -> object:
        try:
            return found.result()
        except BrokenProcessPool:  # it was killed; the next one begins anew
            self._pool = None
            return None
        except ImportError:
            raise ProblemError(Problem(BUSY, "no_coach", {"missing": "numpy and numba"})) from None

    def _submit(self, work: Callable[[Any], T], about: Hashable) -> Future[T]:
        if sum(not one.done() for one in self._answers.values()) >= self.MOST_WAITING:
            raise ProblemError(problem("too_many"))
        try:
            return self._started().submit(work, about)
        except BrokenProcessPool:
            self._pool = None
            return self._started().submit(work, about)

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # A fresh interpreter: forking would copy the server's threads, locks and connections.
            self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), begin)
        return self._pool

    def close(self) -> None:
        """End the process."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
        self._pool = None
        self._answers.clear()

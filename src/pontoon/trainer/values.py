"""What each decision on a hand is worth, exactly, from the cards that have been seen.

A question is made of plain values, because it may be answered in another process. The chart is a separate question:
values take milliseconds, a chart takes seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from pontoon import cache
from pontoon.cards import Card, total
from pontoon.engine import Command, Double, Forfeit, Hit, Keep, Split, Stand, Surrender
from pontoon.money import dollars
from pontoon.rulebook import Rulebook, canonical, digest, pinned
from pontoon.strategy import ChartStrategy
from pontoon.strategy.situation import Action, Situation, rank_class, ranks_key

if TYPE_CHECKING:
    from pontoon.analysis import Solver
    from pontoon.analysis.charts.chart import Chart

Kind = Literal["decision", "doubled", "surrender", "insurance"]
Cards = tuple[Card, ...]

ROOT = Path(__file__).parents[1]
SOURCES = ("cards", "rulebook", "engine", "strategy", "analysis")
"""The sources that charts and figures depend on."""
PAIR = 2
CHART_STAKE = "25.00"
"""One chart for all stakes: only the Super Bonus depends on them, and a person carries one chart."""
COMMANDS: dict[str, Callable[[int], Command]] = {
    "stand": Stand,
    "hit": Hit,
    "double": Double,
    "split": Split,
    "surrender": Surrender,
    "keep": Keep,
    "forfeit": Forfeit,
}
PLAY_ON = "play on"
INSURE, DECLINE = "insure", "decline"


# --- questions and answers -----------------------------------------------------------------------------


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
    """Cards of earlier rounds from this shoe; empty if they are not known for sure."""
    split: bool = False
    original: bool = True
    fixed_aces: int = 0
    may: tuple[str, ...] = ()
    """Empty if it is not known yet what will be allowed."""


class Worth(Struct, frozen=True):
    """A decision and its value per unit of the first wager."""

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
    """The answer, best decision first; no values if nothing is to be decided."""

    values: tuple[Worth, ...] = ()
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


# --- the sums ------------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def solver_of(game: Game) -> Solver:
    """The solver of a game, with everything it has found so far."""
    from pontoon.analysis import Solver  # noqa: PLC0415 numba is loaded only when something is asked

    return Solver(rules_of(game), game.packs, stake=game.stake)


@lru_cache(maxsize=32)
def chart_of_game(game: Game) -> Chart:
    """The chart of a game; takes seconds the first time, then it is in the user's cache."""
    from pontoon.analysis.charts.chart import Chart, chart_of  # noqa: PLC0415

    return cache.kept(_file(game, "chart"), Chart, lambda: chart_of(solver_of(game), rules_of(game)))


@lru_cache(maxsize=32)
def _strategy(game: Game) -> ChartStrategy:
    return chart_of_game(game).strategy()


@lru_cache(maxsize=256)
def figures(game: Game) -> Figures:
    """The exact edge of a game."""
    from pontoon.analysis import edge_of  # noqa: PLC0415

    def calculated() -> Figures:
        edge = edge_of(solver_of(game))
        return Figures(edge.house_edge, edge.sd)

    return cache.kept(_file(game, "figures"), Figures, calculated)


def _file(game: Game, what: str) -> Path:
    """Where a result is kept: it depends on the game and on the program."""
    rules = rules_of(game)
    name = f"{rules.about.name}-{digest(rules)}-{game.packs}-{game.stake}-{what}.json"
    return cache.folder("coach", *(ROOT / source for source in SOURCES)) / name


def solve_all(questions: tuple[Question, ...]) -> tuple[Solved, ...]:
    """The answers to several questions."""
    return tuple(solve(question) for question in questions)


@lru_cache(maxsize=4096)
def solve(question: Question) -> Solved:
    """What each decision is worth, with as many of the cards seen as a shoe can spare.

    >>> from pontoon.rulebook import load
    >>> game = game_of(load("star"), packs=8, stake=1000)
    >>> solve(Question(game, "decision", ("8s", "8h"), "7d", (), (), may=("hit", "stand", "split"))).values[0].action
    'split'
    """
    from pontoon.analysis import ShoeError  # noqa: PLC0415
    from pontoon.analysis.answers import HandError  # noqa: PLC0415

    for basis, out in (("shoe", (*question.earlier, *question.layout)), ("round", question.layout), ("round", ())):
        if basis == "shoe" and not question.earlier:
            continue
        try:
            values = _values(question, out)
        except HandError:
            return Solved()
        except ShoeError:  # too few cards are left for the sums of a whole round
            continue
        return Solved(values, cast("Literal['shoe', 'round']", basis))
    return Solved()


def _values(question: Question, out: Cards) -> tuple[Worth, ...]:
    solver, hand, dealer = solver_of(question.game), question.hand, question.dealer
    if question.kind == "insurance":
        return _insurance(solver.with_shoe(solver.shoe.without(out)) if out else solver, hand, dealer)
    found = solver.action_values(hand, dealer, out=out, after_split=question.split, doubled=question.kind == "doubled")
    values = {result.action: result.value for result in found}
    if question.kind == "surrender":
        others = [value for action, value in values.items() if action != "surrender"]
        values = {"surrender": values["surrender"], PLAY_ON: max(others)} if "surrender" in values else {}
    elif question.may:
        values = {action: value for action, value in values.items() if action in question.may}
    return tuple(Worth(action, values[action]) for action in sorted(values, key=lambda value: -values[value]))


def _insurance(solver: Solver, hand: Cards, dealer: Card) -> tuple[Worth, ...]:
    """What the most insurance adds to a unit of the wager."""
    from pontoon.analysis.hands import value_of  # noqa: PLC0415

    low, high = sorted(value_of(card) for card in hand)
    adds = float(solver.insurance(value_of(dealer), (low, high)))
    rows = (Worth(INSURE, adds), Worth(DECLINE, 0.0))
    return rows if adds > 0 else rows[::-1]


@lru_cache(maxsize=4096)
def square(question: Question) -> Square | None:
    """What the chart says of this hand; None where it says nothing.

    >>> from pontoon.rulebook import load
    >>> asked = Question(game_of(load("star"), 8, 1000), "decision", ("8s", "8h"), "7d", (), (), may=("hit", "split"))
    >>> square(asked).code
    'P'
    """
    if question.kind == "insurance":
        return None
    game = replace(question.game, stake=CHART_STAKE)
    chart, column = chart_of_game(game), rank_class(question.dealer)
    counted = total(question.hand, question.fixed_aces)
    block, row = "soft" if counted.soft else "hard", str(counted.points)
    ranks = ranks_key(question.hand)
    if question.kind == "doubled":
        block = "forfeit"
    elif len(question.hand) == PAIR and ranks in chart.pairs:
        block, row = "pairs", ranks
    found = chart.blocks()[block].get(row, {}).get(column)
    return Square(block, row, column, found.code, _by_chart(question)) if found is not None else None


def _by_chart(question: Question) -> str:
    may = question.may or tuple(COMMANDS)
    if question.kind == "surrender":
        may = ("surrender", "keep")
    split = rank_class(question.hand[0]) if question.split else ""
    situation = Situation(
        question.hand, question.dealer, split, question.original, question.kind == "doubled", question.fixed_aces,
        cast("frozenset[Action]", frozenset(may)),
    )  # fmt: skip
    action: str = _strategy(replace(question.game, stake=CHART_STAKE)).choose(situation)
    return PLAY_ON if question.kind == "surrender" and action == "keep" else action

"""`pontoon habits`: the cost of departing from best play, and the swings on several boxes."""

from __future__ import annotations

import json
import math
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from pontoon.cli.common.analysis import WIDE, about, add_common, decks_of, progress, ready, rules_of
from pontoon.cli.common.numbers import positive, share
from pontoon.cli.common.parser import Commands, Parser
from pontoon.cli.common.player import add_rounds, add_seed, amount, answer, counting
from pontoon.cli.common.simulation import game_of, stake_of
from pontoon.cli.strategy import CHART, OPTIMAL, strategy_text
from pontoon.rulebook import Rulebook, RulebookError, load
from pontoon.strategy import Strategy, read_strategy
from pontoon.view.settlement import columns, headline

if TYPE_CHECKING:
    from pontoon.analysis import Solver
    from pontoon.simulation import Compiled

ROUNDS = 2_000_000
BOXES = (1, 2, 3)
RATE = 0.02
PACE = 60.0
CLOSE = 0.1
"""A call is close if the next best decision costs at most this much, in first wagers."""
BLOCKS = ("hard", "soft", "pairs", "forfeit")
FORFEIT_RULE = "double.forfeit_highest"
METHOD = (
    "habits are valued exactly from a fresh shoe; errors in proportion to their rate, from the loss in each square of "
    "the best chart and its frequency; boxes are simulated"
)
CO_BETTOR = (
    "a co-bettor without control who follows every double and split has exactly the box's result: its edge, its "
    "swings, and the controller's habits; one who adds nothing stays on the first hand of a split and wins "
    "or loses one wager on a doubled hand"
)


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "habits", help="the cost of departing from best play", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_common(command)
    option = command.add_argument
    option(
        "--error-rate",
        type=share,
        default=RATE,
        metavar="E",
        help=f"share of wrong decisions, as in 0.05 or 5%% ({RATE:g})",
    )
    option(
        "--rounds-per-hour",
        type=positive("a pace", "60"),
        default=PACE,
        metavar="N",
        help=f"rounds per hour ({PACE:g})",
    )
    add_seed(command)
    add_rounds(command, ROUNDS)
    command.set_defaults(run=_run)


_DESCRIPTION = """The cost of habits compared with best play, in house edge and in dollars an hour: playing by the
chart, never forfeiting a double, always insuring, ordinary blackjack strategy, a given share of wrong decisions.
All of that is exact or nearly so and needs no simulation. Then the simulated swings of one player on several boxes,
which share the dealer's hand."""

_EXAMPLES = """Examples:
  pontoon habits star
  pontoon habits star --error-rate 5%
  pontoon habits canberra --packs 4 --stake 25 --json"""


class _Habit(NamedTuple):
    """A way to play and the value of a round with it, in first wagers."""

    name: str
    words: str
    ev: float


class _Boxes(NamedTuple):
    """Results of one player on several boxes."""

    boxes: int
    ev: float
    """Value per box, with its standard error."""
    error: float
    sd: float
    """Standard deviation of a round, all boxes together."""
    correlation: float
    """Correlation of two boxes."""


class _Found(NamedTuple):
    rules: Rulebook
    decks: int
    habits: list[_Habit]
    decisions: float
    """Average number of decisions per round."""
    boxes: list[_Boxes]


def _run(args: Namespace) -> int:
    return answer(args, "habits", _found, _data, _lines)


def _found(args: Namespace) -> _Found:
    rules = rules_of(args)
    decks, stake = decks_of(args, rules), stake_of(args)
    solver_class = ready()
    solver = solver_class(rules, decks, stake=args.stake)
    text = strategy_text(OPTIMAL, args, rules)
    chart = json.loads(strategy_text(CHART, args, rules))
    with progress("habits") as show:
        habits = _habits(args, rules, solver, text, show)
    habits.insert(1, _Habit(CHART, "by the best chart", float(chart["ev_chart"])))
    habits += _errors(chart, args.error_rate, habits[0].ev)
    decisions = sum(square["chance"] for square in _squares(chart))
    game = game_of(rules, read_strategy(text), stake)
    boxes = [_boxes(args, rules, game, number) for number in BOXES if number <= rules.boxes.count]
    return _Found(rules, decks, habits, decisions, boxes)


def _habits(args: Namespace, rules: Rulebook, solver: Solver, text: str, show: Callable[[float], None]) -> list[_Habit]:
    """Habits that the analysis values exactly."""
    from pontoon.analysis.policies.co_bettor import riding_value
    from pontoon.analysis.solver import Solver
    from pontoon.strategy.habits import Without, ordinary_blackjack

    best = float(solver.value())
    usual = read_strategy(text)
    decks = solver.packs

    def value(strategy: Strategy) -> float:
        return float(Solver(rules, decks, stake=args.stake, strategy=strategy).value())

    found = [_Habit("optimal", "best play", best)]
    if rules.double.forfeit_highest:
        found.append(_Habit("no_forfeit", "never forfeits a double", value(Without(usual, "forfeit"))))
        show(0.3)
        changed = _load(args, {FORFEIT_RULE: 0})
        if changed:
            without = float(Solver(changed, decks, stake=args.stake).value())
            found.append(_Habit("no_forfeit_known", "the same, but doubles accordingly", without))
    show(0.5)
    surrenders = value(Without(usual, "surrender")) if rules.surrender.first_cards else best
    if surrenders < best:
        found.append(_Habit("no_surrender", "never surrenders", surrenders))
    show(0.7)
    found.append(_Habit("insures", "always insures", best + _insured(solver)))
    found.append(_Habit("riding", "rides another's box, adds nothing", riding_value(solver)))
    words = "ordinary blackjack strategy"
    found.append(_Habit("ordinary_blackjack", words, value(ordinary_blackjack(rules.about.name, decks))))
    return found


def _load(args: Namespace, more: dict[str, object]) -> Rulebook | None:
    with suppress(RulebookError):
        return load(args.rulebook, {**dict(args.settings), **more})
    return None


def _insured(solver: Solver) -> float:
    """What maximum insurance against every ace adds to a round, except with a pontoon, which is paid immediately."""
    total = 0.0
    for rank, first, count in solver.upcards():
        if rank == "A":
            for start in solver.starts(first, rank):
                if "paid" not in start.values:
                    share = count / solver.shoe.cards * float(start.chance)
                    total += share * float(solver.insurance(first, start.pair))
    return total


def _squares(chart: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The squares of a chart with a choice to make."""
    for block in BLOCKS:
        for row in chart[block].values():
            for square in row.values():
                if square["chance"] and len(square["ev"]) > 1:
                    yield square


def _errors(chart: Mapping[str, Any], rate: float, best: float) -> list[_Habit]:
    """The cost of wrong decisions: each square's loss times its frequency."""
    next_best = any_other = close = 0.0
    for square in _squares(chart):
        first, *others = sorted(square["ev"].values(), reverse=True)
        next_best += square["chance"] * (first - others[0])
        any_other += square["chance"] * (first - sum(others) / len(others))
        if first - others[0] <= CLOSE:
            close += square["chance"] * (first - others[0])
    share = f"{rate * 100:g}%"
    return [
        _Habit("errors_close", f"{share} of close calls wrong", best - rate * close),
        _Habit("errors_next_best", f"{share} of all decisions the next best", best - rate * next_best),
        _Habit("errors_any", f"{share} of all decisions any other", best - rate * any_other),
    ]


def _boxes(args: Namespace, rules: Rulebook, game: Compiled, boxes: int) -> _Boxes:
    from pontoon.simulation import Settings, make_plan, run

    settings = Settings(packs=decks_of(args, rules), rounds=args.rounds, seed=args.seed, boxes=boxes)
    plan = make_plan(game, rules, settings)
    with counting(f"{boxes} boxes", args.rounds) as show:
        result = run(plan, on_progress=show)
    together = result.standard_error * math.sqrt(args.rounds) * boxes
    shared = (together**2 / result.sd**2 / boxes - 1) / (boxes - 1) if boxes > 1 and result.sd else 1.0
    return _Boxes(boxes, result.ev, result.standard_error, together, shared)


# --- output --------------------------------------------------------------------------------------------


def _data(found: _Found, args: Namespace) -> dict[str, object]:
    best = found.habits[0].ev
    return {
        **about(found.rules, found.decks, args),
        "seed": args.seed,
        "error_rate": args.error_rate,
        "rounds_per_hour": args.rounds_per_hour,
        "habits": {
            habit.name: {
                "ev": habit.ev,
                "house_edge": -habit.ev,
                "cost": best - habit.ev,
                "cost_per_hour": _hourly(habit, best, args),
            }
            for habit in found.habits
        },
        "decisions_per_round": found.decisions,
        "boxes": [
            {
                "boxes": box.boxes,
                "ev": box.ev,
                "standard_error": box.error,
                "sd": box.sd,
                "correlation": box.correlation,
            }
            for box in found.boxes
        ],
        "rounds": args.rounds,
        "co_bettor": CO_BETTOR,
        "method": METHOD,
    }


def _hourly(one: _Habit, best: float, args: Namespace) -> float:
    """The cost of a habit in dollars an hour."""
    return (best - one.ev) * float(args.stake) * float(args.rounds_per_hour)


def _lines(found: _Found, args: Namespace) -> list[str]:
    best = found.habits[0].ev
    rows = [("", "house edge", "costs", "an hour")]
    for habit in found.habits:
        costs = (f"{best - habit.ev:.4%}", f"${_hourly(habit, best, args):,.2f}") if habit.ev != best else ("", "")
        rows.append((habit.words, f"{-habit.ev:.4%}", *costs))
    swings = [("boxes", "house edge of each", "", "standard deviation", "as one box of that stake", "correlation")]
    for box in found.boxes:
        as_one = found.boxes[0].sd * box.boxes
        shared = f"{box.correlation:.3f}" if box.boxes > 1 else ""
        edge = f"{-box.ev:.3%}", f"± {box.error:.3%}"
        swings.append((str(box.boxes), *edge, f"{box.sd:.3f}", f"{as_one:.3f}", shared))
    return [
        headline(found.rules, found.decks),
        f"${amount(args.stake)} a round, {args.rounds_per_hour:g} rounds an hour",
        "",
        *columns(rows, right={1, 2, 3}),
        f"A round has {found.decisions:.2f} decisions; a call is close if the next best costs at most {CLOSE:.0%}.",
        "",
        "one player on several boxes, in first wagers; ± is one standard error",
        *columns(swings, right={1, 2, 3, 4, 5}),
        *wrap(f"{CO_BETTOR[0].upper()}{CO_BETTOR[1:]}.", WIDE),
    ]

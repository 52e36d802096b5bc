"""`pontoon risk`: how a session with a bankroll may end."""

from __future__ import annotations

import math
from argparse import ArgumentTypeError, Namespace
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from pontoon.cli.chart import NO_DRAWING
from pontoon.cli.common.analysis import WIDE, AnalysisError, about, add_common, decks_of, rules_of, write_file
from pontoon.cli.common.numbers import cents_of, positive, whole
from pontoon.cli.common.output import format_of
from pontoon.cli.common.parser import Commands, Parser
from pontoon.cli.common.player import add_rounds, add_seed, add_strategy, answer, counting, play_of
from pontoon.cli.common.simulation import game_of, stake_of
from pontoon.money import dollars
from pontoon.rulebook import Rulebook
from pontoon.view.settlement import columns, headline

if TYPE_CHECKING:
    from pontoon.simulation.bankroll import Bar, Outlook, Session, Steps

BANKROLL = "500"
MOST_MONEY = 10**11
"""Largest bankroll: a billion dollars, in cents."""
HOURS, ROUNDS_PER_HOUR = 4.0, 60.0
ROUNDS = 20_000_000
SESSIONS = 50_000
"""Sessions sampled if an exact calculation would take too long."""
MOST_SESSIONS = 1_000_000
MOST_PLAYED, MOST_DRAWN = 1_000_000, 10**10
"""Maximum rounds in a session, and in all sampled sessions together."""
BAR = 44
"""Characters in the longest bar."""
PARTS = " ▏▎▍▌▋▊▉█"
WIDTHS = (1, 2, 5, 10)
LINES = 16


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "risk", help="how a session with a bankroll may end", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_common(command)
    option = command.add_argument
    option("--bankroll", type=_bankroll, default=_bankroll(BANKROLL), help=f"the bankroll in dollars ({BANKROLL})")
    option(
        "--hours",
        type=positive("a time", "4 or 0.5"),
        default=HOURS,
        help=f"length of the session in hours ({HOURS:g})",
    )
    option(
        "--rounds-per-hour",
        type=positive("a pace", "60"),
        default=ROUNDS_PER_HOUR,
        metavar="N",
        help=f"rounds per hour ({ROUNDS_PER_HOUR:g})",
    )
    add_strategy(command)
    add_seed(command)
    add_rounds(command, ROUNDS)
    option(
        "--sessions",
        type=whole("a number of sessions", f"a whole number from 1 to {MOST_SESSIONS:,}", 1, MOST_SESSIONS),
        default=0,
        metavar="N",
        help="sample this many sessions instead of computing exactly",
    )
    option("--out", metavar="FILE.png", help="draw a picture")
    command.set_defaults(run=_run)


_DESCRIPTION = """The results of a session with one stake on one box in every round: percentiles, mean and standard
deviation, the probabilities of being ahead and of ruin, the expected low point. Ruin means less than one stake left,
which ends the session. Doubles and splits are always made, if necessary with extra money, so a ruined player may end
below zero. The probabilities of one round come from a simulation from a fresh shoe, adjusted to the exact mean where
that is known; those of the session are then computed exactly, round by round."""

_EXAMPLES = """Examples:
  pontoon risk star --bankroll 500 --stake 10 --hours 4
  pontoon risk star --bankroll 2000 --stake 25 --hours 8 --rounds-per-hour 80 --out session.png
  pontoon risk canberra --strategy chart --json
  pontoon risk adelaide --sessions 100000 --seed 7"""


class _Found(NamedTuple):
    """The answer and the data behind it."""

    rules: Rulebook
    session: Session
    steps: Steps
    outlook: Outlook
    exact: bool
    """Whether the mean of a round is exact."""


def _bankroll(text: str) -> int:
    amount = cents_of(text)
    if amount is not None and amount <= MOST_MONEY:
        return amount
    raise ArgumentTypeError(f"{text!r} is not a bankroll; write dollars above 0, as in 500 or 10k")


def _run(args: Namespace) -> int:
    return answer(args, "risk", _drawn, _data, _lines)


def _drawn(args: Namespace) -> _Found:
    """Compute the answer, and write the picture if requested."""
    if args.out:
        format_of(args.out, None, ("png",), "png")
    found = _found(args)
    if args.out:
        write_file(args.out, _picture(found, args))
    return found


def _found(args: Namespace) -> _Found:
    rules = rules_of(args)
    stake = stake_of(args)
    decks = decks_of(args, rules)
    played = round(args.hours * args.rounds_per_hour)
    if not 1 <= played <= MOST_PLAYED:
        raise AnalysisError(f"a session of {played} rounds is not possible; choose 1 to {MOST_PLAYED:,} rounds")
    if args.bankroll < stake:
        raise AnalysisError(f"--bankroll {dollars(args.bankroll)} does not cover one stake of {args.stake}")
    if args.sessions * played > MOST_DRAWN:
        raise AnalysisError(f"{args.sessions:,} sessions of {played:,} rounds are too many to sample; choose fewer")
    play = play_of(args, rules)
    game = game_of(rules, play.strategy, stake)
    from pontoon.simulation import Settings, make_plan, run
    from pontoon.simulation.bankroll import MOST_WORK, Session, outlook, steps_of, work_of

    with counting("rounds", args.rounds) as show:
        settings = Settings(packs=decks, rounds=args.rounds, seed=args.seed)
        result = run(make_plan(game, rules, settings), on_progress=show)
    session = Session(args.bankroll, stake, played)
    steps = steps_of(result.distribution, None if play.ev is None else play.ev * stake)
    sessions = args.sessions
    if not sessions and work_of(steps, session) > MOST_WORK:
        sessions = min(SESSIONS, MOST_DRAWN // played)
    found = outlook(steps, session, sessions=sessions, seed=args.seed)
    return _Found(rules, session, steps, found, play.ev is not None)


def _picture(found: _Found, args: Namespace) -> bytes:
    try:
        from pontoon.view.reports.risk import picture

        return picture(found.outlook, found.session, args.hours, _title(found, args), _subtitle(found, args))
    except ImportError:
        raise AnalysisError(NO_DRAWING) from None


# --- output --------------------------------------------------------------------------------------------


def _title(found: _Found, args: Namespace) -> str:
    return f"{_hours(args)} of Pontoon with ${_money(found.session.bankroll)}, ${_money(found.session.stake)} a round"


def _hours(args: Namespace) -> str:
    return "1 hour" if args.hours == 1 else f"{args.hours:g} hours"


def _subtitle(found: _Found, args: Namespace) -> str:
    decks = decks_of(args, found.rules)
    return f"{headline(found.rules, decks)}; {found.session.rounds:,} rounds, strategy {args.strategy}"


def _money(amount: float) -> str:
    """Dollars, with cents only if there are any.

    >>> _money(50000), _money(750)
    ('500', '7.50')
    """
    whole = round(amount)
    return f"{whole // 100:,}" if whole % 100 == 0 else f"{whole / 100:,.2f}"


def _signed(amount: float) -> str:
    """A win or loss, rounded to the dollar if it is large.

    >>> _signed(-1012.4), _signed(17775.0), _signed(0)
    ('-$10.12', '+$178', '$0')
    """
    if not round(amount):
        return "$0"
    sign = "-" if amount < 0 else "+"
    size = abs(amount) / 100
    return f"{sign}${size:,.0f}" if size >= 100 or size == int(size) else f"{sign}${size:,.2f}"


def _method(found: _Found) -> str:
    counted = "the probabilities of one round come from a simulation from a fresh shoe"
    if found.exact:
        counted += ", adjusted to the exact mean"
    if found.outlook.sessions:
        return f"{counted}; {found.outlook.sessions:,} sessions were sampled from them"
    return f"{counted}; the session is computed from them exactly"


RULE = "ruin: less than one stake left, which ends the session; doubles and splits are always made, covered or not"


def _data(found: _Found, args: Namespace) -> dict[str, object]:
    outlook, session = found.outlook, found.session
    pace = session.rounds / args.hours
    return {
        **about(found.rules, decks_of(args, found.rules), args),
        "seed": args.seed,
        "strategy": args.strategy,
        "bankroll": dollars(session.bankroll),
        "hours": args.hours,
        "rounds_per_hour": args.rounds_per_hour,
        "rounds": session.rounds,
        "round": {"ev": found.steps.mean / session.stake, "sd": found.steps.sd / session.stake},
        "mean": outlook.mean / 100,
        "sd": outlook.sd / 100,
        "percentiles": {str(percent): value / 100 for percent, value in outlook.percentiles.items()},
        "ahead": outlook.ahead,
        "even": outlook.even,
        "ruin": outlook.ruin,
        "ruin_error": outlook.ruin_error,
        "low_point": outlook.low_point / 100,
        "histogram": [
            {"from": bar.low / 100, "to": bar.high / 100, "chance": bar.chance} for bar in _histogram(outlook)
        ],
        "path": [
            {
                "hours": moment.rounds / pace,
                "ruin": moment.ruin,
                "percentiles": {str(percent): value / 100 for percent, value in moment.percentiles.items()},
            }
            for moment in outlook.moments
        ],
        "sessions": outlook.sessions,
        "simulated_rounds": args.rounds,
        "rule": RULE,
        "method": _method(found),
    }


def _histogram(outlook: Outlook) -> list[Bar]:
    from pontoon.simulation.bankroll import bars

    low, high = outlook.percentiles[1], outlook.percentiles[99]
    width = _width((high - low) / LINES)
    return bars(outlook.ends, width, low=low, high=max(high, low) + 1)


def _width(least: float) -> int:
    """A round number of cents, at least this large.

    >>> _width(4100), _width(1.5), _width(70000)
    (5000, 2, 100000)
    """
    power = int(10 ** math.floor(math.log10(max(least, 1.0))))
    return next(step * power for step in WIDTHS if step * power >= least)


def _lines(found: _Found, args: Namespace) -> list[str]:
    outlook, session = found.outlook, found.session
    decks = decks_of(args, found.rules)
    error = f" ± {outlook.ruin_error:.2%}" if outlook.sessions else ""
    low = session.bankroll + outlook.low_point
    facts = [
        ("mean result", _signed(outlook.mean), f"{found.steps.mean / session.stake:+.3%} of a stake each round"),
        ("standard deviation", f"${outlook.sd / 100:,.0f}", f"{found.steps.sd / session.stake:.3f} stakes each round"),
        ("ahead at the end", f"{outlook.ahead:.1%}", f"even {outlook.even:.1%}"),
        ("ruined", _chance(outlook.ruin) + error, f"less than ${_money(session.stake)} left before the end"),
        ("low point", _signed(outlook.low_point), f"on average; ${low / 100:,.0f} of the bankroll left"),
    ]
    about_it = f"${_money(session.bankroll)}, ${_money(session.stake)} a round"
    percents = tuple(f"{percent}%" for percent in outlook.percentiles)
    values = tuple(_signed(value) for value in outlook.percentiles.values())
    return [
        headline(found.rules, decks),
        f"{about_it}, {_hours(args)} of {args.rounds_per_hour:g} rounds, strategy {args.strategy}",
        "",
        *columns(facts, right={1}),
        "",
        "share of sessions that end with this result or less",
        *columns([percents, values], right=set(range(len(percents)))),
        "",
        *_bars(outlook),
        "",
        *(line for words in (RULE, _method(found)) for line in wrap(f"{words[0].upper()}{words[1:]}.", WIDE)),
    ]


def _chance(chance: float) -> str:
    """A probability with its significant digits.

    >>> _chance(0.3), _chance(0.00538), _chance(0.00000012), _chance(0.0)
    ('30.0%', '0.54%', '0.000012%', '0.0%')
    """
    digits = 1 if chance >= 0.1 or chance < 1e-12 else 1 - math.floor(math.log10(chance * 100))
    return f"{chance:.{max(1, digits)}%}" if chance >= 1e-12 else "0.0%"


def _bars(outlook: Outlook) -> list[str]:
    """A small histogram; the outermost bars include everything beyond."""
    found = _histogram(outlook)
    most = max(bar.chance for bar in found)
    rows = []
    for place, bar in enumerate(found):
        whole, part = divmod(round(bar.chance / most * BAR * 8), 8)
        name = f"{_signed(bar.low)} to {_signed(bar.high)}"
        if place == 0:
            name = f"below {_signed(bar.high)}"
        elif place == len(found) - 1:
            name = f"{_signed(bar.low)} or more"
        rows.append((name, f"{bar.chance:.1%}", "█" * whole + (PARTS[part] if part else "")))
    return columns(rows, right={0, 1})

"""`pontoon simulate`: billions of rounds on the cores of this machine, its GPU or a cluster."""

from __future__ import annotations

import sys
from argparse import Namespace
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pontoon.cli.common.analysis import MISSING, AnalysisError, about, add_common, note, rules_of
from pontoon.cli.common.numbers import error_size, penetration, rounds
from pontoon.cli.common.parser import BAD_USAGE, Commands, Parser, fail
from pontoon.cli.common.simulation import (
    Bar,
    amount,
    machine_of,
    plan_of,
    seed,
    settings_of,
    stake_of,
    strategy_of,
    threads,
)
from pontoon.cli.common.tables import show_data, wants_data
from pontoon.cli.strategy import CHART, OPTIMAL, exact_value
from pontoon.quoting import quoted
from pontoon.rulebook import Rulebook
from pontoon.view.settlement import columns, headline
from pontoon.view.words import ENDS

if TYPE_CHECKING:
    from pontoon.simulation import Plan, Result
    from pontoon.simulation.device import Machine

INTERRUPTED = 130
LOST = {
    "bust": "more than 21",
    "lower_total": "less than the dealer",
    "dealer_pontoon": "lost to the dealer's pontoon",
}
HANDS = {
    **{name: words for name, words in ENDS.items() if name not in LOST},
    **LOST,
    "split": "round with a split",
}
"""How a hand ends, doubled or not; the ways to lose are listed separately."""


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "simulate", help="play rounds as fast as the machine can", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_common(command)
    option = command.add_argument
    option("--rounds", type=rounds, default=0, metavar="N", help="number of rounds, as in 1e9 or 10M (10M)")
    option(
        "--until-error", type=error_size, metavar="E", help="play until the standard error is this small, as in 1e-5"
    )
    option("--boxes", type=int, default=1, help="boxes played side by side, all by the same strategy (1)")
    option("--strategy", default=OPTIMAL, metavar="NAME", help="optimal (default), chart, or a file")
    option("--seed", type=seed, default=1, metavar="N", help="the same seed gives the same rounds (1)")
    shoe = command.add_mutually_exclusive_group()
    shoe.add_argument("--fresh-shoe", action="store_true", help="a full shoe for every round (default)")
    shoe.add_argument(
        "--penetration",
        type=penetration,
        default=0.0,
        metavar="P",
        help="depth of the cutting card as a fraction of the shoe, as in 0.75 or 75%%",
    )
    option(
        "--device", choices=("auto", "cpu", "gpu"), default="auto", help="where to play (auto: a GPU if there is one)"
    )
    option("--threads", type=threads, default=0, metavar="N", help="threads on the CPU (every core)")
    option("--cluster", metavar="ADDRESS", help="a Dask scheduler, as in tcp://host:8786; local: one on this machine")
    option("--checkpoint", metavar="FILE", help="save the progress to a file every few seconds")
    option("--resume", action="store_true", help="continue from the checkpoint")
    command.set_defaults(run=_run)


_DESCRIPTION = """Plays rounds by a strategy and prints the house edge with its standard error, the frequency of each
payout, and the value against each upcard. The counts depend only on rulebook, strategy, shoe, boxes, rounds and seed,
not on the machine or the number of threads. Ctrl-C prints the results so far."""

_EXAMPLES = """Examples:
  pontoon simulate star
  pontoon simulate star --packs 6 --rounds 1e9 --penetration 0.75 --boxes 3
  pontoon simulate canberra --strategy mine.json --until-error 1e-5 --json
  pontoon simulate federal --rounds 1e12 --device gpu --checkpoint run.json
  pontoon simulate federal --rounds 1e12 --device gpu --checkpoint run.json --resume
  pontoon simulate star --rounds 1e15 --cluster tcp://host:8786 --checkpoint run.json"""


class Asked(NamedTuple):
    """The run asked for, and where it is played."""

    args: Namespace
    rules: Rulebook
    plan: Plan
    machine: Machine
    exact: float | None
    """The exact value of a round, if it is comparable with the simulated one."""


def _run(args: Namespace) -> int:
    if args.resume and not args.checkpoint:
        return fail("--resume continues from a checkpoint: name it with --checkpoint FILE")
    if args.checkpoint and not args.resume and Path(args.checkpoint).exists():
        return fail(f"{quoted(args.checkpoint)} exists: continue from it with --resume, or remove it")
    if args.threads and (args.device == "gpu" or args.cluster not in (None, "local")):
        return fail("--threads is for the cores of this machine; leave out --threads, or --device gpu and --cluster")
    try:
        from pontoon.simulation import SimulationError
        from pontoon.strategy import StrategyError
    except ImportError:
        return fail(MISSING)
    try:
        rules = rules_of(args)
        _check(args, rules)
        with closing(machine_of(args)) as machine:
            return _play(Asked(args, rules, plan_of(args, rules), machine, _exact(args, rules)))
    except (AnalysisError, SimulationError, StrategyError) as error:
        return fail(str(error))


def _check(args: Namespace, rules: Rulebook) -> None:
    """Refuse what cannot be played before anything slow begins."""
    from pontoon.simulation.plan import check

    stake_of(args)
    check(rules, settings_of(args, rules))
    if args.strategy not in (OPTIMAL, CHART):
        strategy_of(args, rules)


def _exact(args: Namespace, rules: Rulebook) -> float | None:
    """The analysis gives the value of optimal play for one box from a fresh shoe; the JSON output has no key for it."""
    if wants_data(args) or args.strategy != OPTIMAL or args.penetration or args.boxes != 1:
        return None
    return exact_value(args, rules)


# --- playing -------------------------------------------------------------------------------------------


def _play(asked: Asked) -> int:
    """Play to the end, to Ctrl-C or to an error, and print the results so far."""
    from pontoon.simulation import Checkpoint, SimulationError, no_progress, run, warm_up

    args, plan, machine, status = asked.args, asked.plan, asked.machine, 0
    checkpoint = Checkpoint(args.checkpoint, plan, report=fail) if args.checkpoint else None
    start = checkpoint.load() if checkpoint and args.resume else no_progress(plan)
    with note("starting"):
        warm_up(machine, start.plan)
    bar = Bar(start, args.until_error)
    try:
        run(plan, machine, start=start, until_error=args.until_error, checkpoint=checkpoint, on_progress=bar.show)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except SimulationError as error:
        status = fail(str(error))
    bar.clear()
    if checkpoint and checkpoint.failed:
        status = BAD_USAGE
    if bar.latest.rounds:
        result = bar.latest.result(machine)
        if wants_data(args):
            status = show_data(args, "simulate", _data(asked, result)) or status
        else:
            print("\n".join(_lines(asked, result)))
        if args.until_error and result.standard_error > args.until_error and not status:
            words = f"stopped after {result.rounds:,} rounds with a standard error of {result.standard_error:.2g}"
            print(f"pontoon: {words}, not {args.until_error:g}: allow more with --rounds", file=sys.stderr)
    return status


# --- printing ------------------------------------------------------------------------------------------


def _data(asked: Asked, found: Result) -> dict[str, object]:
    args, rules = asked.args, asked.rules
    return {
        **about(rules, asked.plan.packs, args),
        "boxes": args.boxes,
        "strategy": args.strategy,
        "penetration": args.penetration,
        "rounds": found.rounds,
        "ev": found.ev,
        "standard_error": found.standard_error,
        "sd": found.sd,
        "rounds_per_second": round(found.rounds_per_second),
        "device": found.device,
        "threads": found.threads,
        "seed": args.seed,
        "frequencies": found.frequencies,
        "ev_by_upcard": found.ev_by_upcard,
    }


def _lines(asked: Asked, found: Result) -> list[str]:
    args, rules = asked.args, asked.rules
    shoe = f"cutting card at {args.penetration:.0%}" if args.penetration else "a fresh shoe for every round"
    rounds_played = f"{found.rounds:,} round{'s' * (found.rounds != 1)}"
    boxes = "1 box" if args.boxes == 1 else f"{args.boxes} boxes"
    rows = [
        ("house edge", f"{-found.ev:.4%}", f"± {found.standard_error:.4%} (standard error), of the first wager"),
        ("standard deviation", f"{found.sd:.4f}", "first wagers, per box and round"),
    ]
    if asked.exact is not None and found.standard_error:
        distance = (asked.exact - found.ev) / found.standard_error
        words = f"by the analysis; the simulated edge is {distance:+.2f} standard errors from it"
        rows.append(("exact edge", f"{-asked.exact:.4%}", words))
    threads = f"{found.threads} thread{'s' * (found.threads > 1)}"
    place = "one launch at a time" if found.device == "gpu" else threads
    upcards = {rank: f"{value:+.2%}" for rank, value in found.ev_by_upcard.items()}
    if "K" in upcards:
        upcards["J Q K"] = upcards.pop("K")
    frequencies = [("how a hand ends", "per box", "")]
    frequencies += [
        (words, f"{chance:.4%}", _one_in(chance))
        for name, words in HANDS.items()
        if (chance := found.frequencies.get(name, 0.0))
    ]
    return [
        headline(rules, asked.plan.packs),
        f"{rounds_played} of {boxes}, ${args.stake} each, {shoe}, strategy {args.strategy}, seed {args.seed}",
        "",
        *columns(rows, right={1}),
        "",
        "value of a box by the dealer's upcard",
        *columns([tuple(upcards), tuple(upcards.values())], right=set(range(len(upcards)))),
        "",
        *columns(frequencies, right={1, 2}),
        "",
        f"{amount(found.rounds_per_second)} rounds a second on {found.device}, {place}",
    ]


def _one_in(chance: float) -> str:
    rare = chance < 0.01
    return f"1 in {1 / chance:,.0f}" if rare else f"1 in {1 / chance:.1f}"

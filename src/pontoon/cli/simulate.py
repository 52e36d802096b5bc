"""`pontoon simulate`: rounds by the thousand million, on the cores of this machine, its GPU or a cluster."""

from __future__ import annotations

import json
import time
from argparse import Namespace
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pontoon.cli.analysing import MISSING, AnalysisError, about, add_common, decks_of, rules_of
from pontoon.cli.parser import Commands, Parser, fail
from pontoon.cli.simulating import (
    Bar,
    amount,
    error_size,
    machine_of,
    penetration,
    plan_of,
    rounds,
    rounds_of,
    seed,
    stake_of,
    strategy_of,
    threads,
    warm_up,
)
from pontoon.cli.strategy import CHART, OPTIMAL, exact_value
from pontoon.rulebook import Rulebook
from pontoon.shown import shown
from pontoon.view.settlement import columns, headline
from pontoon.view.words import ENDS

if TYPE_CHECKING:
    from pontoon.simulation import Plan
    from pontoon.simulation.campaign import Known
    from pontoon.simulation.device import Machine

SAVE_EVERY = 5.0
"""Seconds between checkpoints."""
INTERRUPTED = 130
LOST = {
    "bust": "more than 21",
    "lower_total": "less than the dealer",
    "dealer_pontoon": "lost to the dealer's pontoon",
}
HANDS = {
    **{name: words for name, words in ENDS.items() if name not in LOST},
    **LOST,
    "split": "a round with a split",
}
"""How a hand ends, doubled or not; the ways to lose are told apart."""


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "simulate", help="play rounds at the speed of the machine", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_common(command)
    option = command.add_argument
    option("--rounds", type=rounds, default=0, metavar="N", help="how many, as in 1e9 or 10M (10M)")
    option("--until-error", type=error_size, metavar="E", help="play until the standard error is so small, as in 1e-5")
    option("--boxes", type=int, default=1, help="boxes played side by side, all by the same strategy (1)")
    option("--strategy", default=OPTIMAL, metavar="NAME", help="optimal (default), chart, or a file")
    option("--seed", type=seed, default=1, metavar="N", help="the same seed gives the same rounds (1)")
    shoe = command.add_mutually_exclusive_group()
    shoe.add_argument("--fresh-shoe", action="store_true", help="a full shoe for every round (default)")
    shoe.add_argument(
        "--penetration", type=penetration, default=0.0, metavar="P", help="shuffle when so much is dealt, as in 0.75"
    )
    option("--device", choices=("auto", "cpu", "gpu"), default="auto", help="where to play (auto: a GPU if any)")
    option("--threads", type=threads, default=0, metavar="N", help="threads on the CPU (every core)")
    option("--cluster", metavar="ADDRESS", help="a Dask scheduler, as in tcp://host:8786; local: try it here")
    option("--checkpoint", metavar="FILE", help="write down every few seconds what is known")
    option("--resume", action="store_true", help="go on from the checkpoint")
    command.set_defaults(run=_run)


_DESCRIPTION = """Plays rounds by a strategy and says what they come to: the edge with its error, how often each payout
comes, the value against each first card of the dealer. The counts depend on rulebook, strategy, shoe, boxes, rounds and
seed alone, not on where or by how many threads they are played. Ctrl-C prints what is known so far."""

_EXAMPLES = """Examples:
  pontoon simulate star
  pontoon simulate star --decks 6 --rounds 1e9 --penetration 0.75 --boxes 3
  pontoon simulate canberra --strategy mine.json --until-error 1e-5 --json
  pontoon simulate federal --rounds 1e12 --device gpu --checkpoint run.json
  pontoon simulate federal --rounds 1e12 --device gpu --checkpoint run.json --resume
  pontoon simulate star --rounds 1e15 --cluster tcp://host:8786 --checkpoint run.json"""


class Asked(NamedTuple):
    """What is to be played."""

    args: Namespace
    rules: Rulebook
    plan: Plan
    machine: Machine
    exact: float | None
    """The exact value of a round, where it means the same as the simulated one."""


def _run(args: Namespace) -> int:
    if args.resume and not args.checkpoint:
        return fail("--resume goes on from a checkpoint: name it with --checkpoint FILE")
    if args.checkpoint and not args.resume and Path(args.checkpoint).exists():
        return fail(f"{shown(args.checkpoint)} exists: go on from it with --resume, or remove it")
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
    """Say what cannot be played before anything slow begins."""
    from pontoon.simulation.local import check

    stake_of(args)
    check(rules, decks_of(args, rules), rounds_of(args), args.seed, args.boxes, args.penetration)
    if args.strategy not in (OPTIMAL, CHART):
        strategy_of(args, rules)


def _exact(args: Namespace, rules: Rulebook) -> float | None:
    """Best play of one box from a fresh shoe is what the analysis knows too; JSON has no place for it."""
    if args.json or args.strategy != OPTIMAL or args.penetration or args.boxes != 1:
        return None
    return exact_value(args, rules)


# --- playing -------------------------------------------------------------------------------------------


def _play(asked: Asked) -> int:
    """Play to the end, to Ctrl-C or to whatever goes wrong, and print what is known then."""
    from pontoon.simulation import SimulationError
    from pontoon.simulation.campaign import nothing, play_on

    args, plan, status = asked.args, asked.plan, 0
    book = _Book(asked)
    known = book.read() if args.resume else nothing(plan)
    book.write(known)
    warm_up(asked.machine, plan)
    bar = Bar(plan, known, args.until_error)
    pieces = play_on(plan, asked.machine, known, args.until_error)
    try:
        with closing(pieces):  # type: ignore[type-var] # a generator
            for known in pieces:
                book.note(known)
                bar.show(known)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except SimulationError as error:
        status = fail(str(error))
    bar.clear()
    if status == 0 or known.rounds:
        status = book.finish() or status
    if known.rounds:
        print(_json(asked, known) if args.json else "\n".join(_lines(asked, known)))
    return status


class _Book:
    """The checkpoint of a run, if it has one."""

    def __init__(self, asked: Asked) -> None:
        from pontoon.simulation.checkpoint import identity

        self.file: str | None = asked.args.checkpoint
        self.plan, self.about = asked.plan, identity(asked.plan, asked.rules)
        self._latest: Known | None = None
        self._written = time.monotonic()

    def read(self) -> Known:
        from pontoon.simulation.checkpoint import load

        assert self.file is not None
        return load(self.file, self.about, self.plan)

    def write(self, known: Known) -> None:
        from pontoon.simulation.checkpoint import save

        if self.file is not None:
            save(self.file, self.about, known)
            self._latest, self._written = None, time.monotonic()

    def note(self, known: Known) -> None:
        """Remember what could be continued, and write it now and then; a full disk is no reason to stop playing."""
        if not known.extra:
            self._latest = known
            if time.monotonic() - self._written > SAVE_EVERY:
                self._try(known)

    def finish(self) -> int:
        """Write what is left to write; the exit status."""
        return 0 if self._latest is None else self._try(self._latest)

    def _try(self, known: Known) -> int:
        from pontoon.simulation.checkpoint import CheckpointError

        self._written = time.monotonic()
        try:
            self.write(known)
        except CheckpointError as error:
            return fail(str(error))
        return 0


# --- printing ------------------------------------------------------------------------------------------


def _json(asked: Asked, known: Known) -> str:
    from pontoon.simulation.campaign import figures

    args, rules = asked.args, asked.rules
    found = figures(asked.plan, known)
    data = {
        **about(rules, asked.plan.decks, args),
        "boxes": args.boxes,
        "strategy": args.strategy,
        "penetration": args.penetration,
        "rounds": found.rounds,
        "ev": found.ev,
        "standard_error": found.standard_error,
        "sd": found.sd,
        "rounds_per_second": round(found.rounds_per_second),
        "device": asked.machine.name,
        "threads": asked.machine.threads,
        "seed": args.seed,
        "frequencies": found.frequencies,
        "ev_by_upcard": found.ev_by_upcard,
    }
    return json.dumps(data, indent=2)


def _lines(asked: Asked, known: Known) -> list[str]:
    from pontoon.simulation.campaign import figures

    args, rules = asked.args, asked.rules
    found = figures(asked.plan, known)
    shoe = f"cutting card at {args.penetration:.0%}" if args.penetration else "a fresh shoe for every round"
    boxes = "1 box" if args.boxes == 1 else f"{args.boxes} boxes"
    rows = [
        ("house edge", f"{-found.ev:.4%}", f"± {found.standard_error:.4%} of the first wager"),
        ("deviation", f"{found.sd:.4f}", "first wagers, of one box and round"),
    ]
    if asked.exact is not None and found.standard_error:
        distance = (found.ev - asked.exact) / found.standard_error
        words = f"by the analysis; the simulation is {distance:+.2f} standard errors from it"
        rows.append(("exact edge", f"{-asked.exact:.4%}", words))
    machine = asked.machine
    place = (
        f"{machine.threads} thread{'s' * (machine.threads > 1)}" if machine.name != "gpu" else "one launch at a time"
    )
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
        headline(rules, asked.plan.decks),
        f"{found.rounds:,} rounds of {boxes}, ${args.stake} each, {shoe}, strategy {args.strategy}, seed {args.seed}",
        "",
        *columns(rows, right={1}),
        "",
        "a box's value by the dealer's first card",
        *columns([tuple(upcards), tuple(upcards.values())], right=set(range(len(upcards)))),
        "",
        *columns(frequencies, right={1, 2}),
        "",
        f"{amount(found.rounds_per_second)} rounds a second on {machine.name}, {place}",
    ]


def _one_in(chance: float) -> str:
    return f"1 in {1 / chance:,.0f}" if chance < 0.01 else f"1 in {1 / chance:.1f}"  # noqa: PLR2004 it tells something

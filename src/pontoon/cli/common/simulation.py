"""Shared by the simulating commands: argument types, the strategy, the plan, and a progress bar."""

from __future__ import annotations

import shutil
import sys
import time
from argparse import ArgumentTypeError, Namespace
from typing import TYPE_CHECKING

from pontoon.cli.common.analysis import MISSING, AnalysisError, decks_of, note, say_when_compiling
from pontoon.cli.common.numbers import MOST_ROUNDS, UNITS
from pontoon.cli.strategy import CHART, OPTIMAL, strategy_text
from pontoon.money import cents, dollars
from pontoon.quoting import quoted
from pontoon.rulebook import Rulebook

if TYPE_CHECKING:
    from pontoon.simulation import Compiled, Plan, Progress, Settings
    from pontoon.simulation.device import Machine
    from pontoon.strategy import Strategy

ROUNDS = 10_000_000
MOST_SEED = (1 << 64) - 1
SAY_EVERY, DRAW_EVERY = 10.0, 0.2
"""Seconds between two lines in a file, and between two updates of the bar on a terminal."""


def seed(text: str) -> int:
    """Parse a seed, for `type=`."""
    if text.isascii() and text.isdigit() and len(text) <= len(str(MOST_SEED)) and int(text) <= MOST_SEED:
        return int(text)
    raise ArgumentTypeError(f"{quoted(text)} is not a seed; write a whole number from 0 to 2**64 - 1")


def threads(text: str) -> int:
    """Parse a number of threads, for `type=`."""
    if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= 1024:  # the message gives the limit
        return int(text)
    raise ArgumentTypeError(f"{quoted(text)} is not a number of threads; write 1 to 1024")


def rounds_of(args: Namespace) -> int:
    """The number of rounds asked for; with an error to reach, as many as the generator has."""
    number: int = args.rounds or (MOST_ROUNDS if args.until_error else ROUNDS)
    return number


def machine_of(args: Namespace) -> Machine:
    """The machine to play on."""
    from pontoon.simulation import machine_for

    if args.cluster is None:
        return machine_for(args.device, args.threads)
    with note("connecting to the cluster"):
        return machine_for(args.device, args.threads, args.cluster)


def strategy_of(args: Namespace, rules: Rulebook) -> Strategy:
    """The strategy by its name. Those of the analysis are passed on as files: the simulation never imports it."""
    from pontoon.strategy import read_strategy

    if args.strategy in (OPTIMAL, CHART):
        return read_strategy(strategy_text(args.strategy, args, rules), args.strategy)
    return strategy_in_file(args, rules)


def strategy_in_file(args: Namespace, rules: Rulebook) -> Strategy:
    """The strategy in a file, with a warning if it was made for another game."""
    from pontoon.strategy import find, made_for

    strategy = find(args.strategy)
    if other := made_for(strategy, rules, decks_of(args, rules)):
        print(f"pontoon: {args.strategy} was made for {other}; playing it anyway", file=sys.stderr)
    return strategy


def plan_of(args: Namespace, rules: Rulebook) -> Plan:
    """The compiled game and its settings. Compiling takes a few seconds the first time."""
    from pontoon.simulation import make_plan

    return make_plan(game_of(rules, strategy_of(args, rules), stake_of(args)), rules, settings_of(args, rules))


def settings_of(args: Namespace, rules: Rulebook) -> Settings:
    """The settings of a run."""
    from pontoon.simulation import Settings

    return Settings(
        packs=decks_of(args, rules),
        rounds=rounds_of(args),
        seed=args.seed,
        boxes=args.boxes,
        penetration=args.penetration,
    )


def game_of(rules: Rulebook, strategy: Strategy, stake: int) -> Compiled:
    """The compiled game, with a note on the terminal while it is compiled."""
    try:
        from pontoon.simulation.table_cache import cached_game
    except ImportError:
        raise AnalysisError(MISSING) from None
    say_when_compiling()
    try:
        with note("compiling the rules"):
            return cached_game(rules, strategy, stake)
    except OverflowError:
        raise AnalysisError(f"--stake {dollars(stake)}: more than the simulation can count") from None


def stake_of(args: Namespace) -> int:
    """The stake in cents; surrender must be able to halve it."""
    amount = int(cents(args.stake))
    if amount % 2:
        raise AnalysisError(f"--stake {args.stake}: half of it must be whole cents")
    return amount


class Bar:
    """A progress bar on the terminal; in a file, a line every ten seconds."""

    def __init__(self, start: Progress, until_error: float | None) -> None:
        """Begin at the start of the run; `until_error` is the error to reach, if there is one."""
        self.until_error = until_error
        self.start = self.latest = start
        self.begun = self.drawn = time.monotonic()
        self.terminal = sys.stderr.isatty()
        self.width = 0

    def show(self, progress: Progress) -> None:
        """Note the latest progress, and draw it unless the last drawing is recent."""
        self.latest = progress
        now = time.monotonic()
        if now - self.drawn < (DRAW_EVERY if self.terminal else SAY_EVERY):
            return
        self.drawn = now
        line = self._line(progress, now - self.begun)
        if self.terminal:
            line = line[: shutil.get_terminal_size().columns - 1]
            print(f"\r{line:<{self.width}}", end="", file=sys.stderr, flush=True)
            self.width = len(line)
        else:
            print(f"pontoon: {line}", file=sys.stderr, flush=True)

    def _line(self, progress: Progress, seconds: float) -> str:
        rounds, error, total = progress.rounds, progress.result().standard_error, progress.plan.rounds
        if self.until_error:
            total = max(rounds, min(total, int(rounds * (error / self.until_error) ** 2)))
        part = rounds / total
        speed = (rounds - self.start.rounds) / seconds
        left = f", {duration((total - rounds) / speed)} left" if speed else ""
        bar = "#" * int(12 * part)
        done = f"{amount(rounds)} of {amount(total)}"
        return f"[{bar:<12}] {part:4.0%}  {done}, {amount(speed)}/s, error {error:.2g}{left}"

    def clear(self) -> None:
        """Remove the bar from the terminal."""
        if self.width:
            print(f"\r{'':{self.width}}\r", end="", file=sys.stderr, flush=True)


def amount(number: float) -> str:
    """A large number, abbreviated.

    >>> amount(950), amount(12_345_678), amount(1e15)
    ('950', '12.3M', '1000T')
    """
    unit = next((unit for unit in reversed(UNITS) if number >= UNITS[unit]), "")
    part = number / UNITS[unit]
    return f"{part:.0f}{unit}" if part >= 100 or not unit else f"{part:.1f}{unit}"  # three significant digits


def duration(seconds: float) -> str:
    """A duration in a suitable unit.

    >>> duration(12.3), duration(500), duration(20_000), duration(1e6)
    ('12 s', '8 min', '5.6 h', '11.6 days')
    """
    for unit, length, digits in (("days", 86_400, 1), ("h", 3600, 1), ("min", 60, 0)):
        if seconds >= (2 if unit == "min" else 1) * length:
            return f"{seconds / length:.{digits}f} {unit}"
    return f"{seconds:.0f} s"

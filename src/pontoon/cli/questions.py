"""What the players' questions share: whose play, how many rounds, which seed."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from pontoon.cli.analysing import MISSING, AnalysisError, decks_of, progress
from pontoon.cli.parser import Parser
from pontoon.cli.strategy import CHART, OPTIMAL, exact_value, strategy_text
from pontoon.money import cents
from pontoon.rulebook import Rulebook, digest
from pontoon.strategy import Strategy, StrategyError, find, read_strategy

if TYPE_CHECKING:
    from pontoon.simulation import Compiled, Result

SEEDS = 1 << 64
MOST_ROUNDS = 10**12
WIDE = 100
"""Signs in a line of words."""


class Play(NamedTuple):
    """A way to play, and what it is worth where that is known exactly."""

    strategy: Strategy
    ev: float | None
    """The exact mean of a round in first wagers; None: to be measured."""


def add_seed(command: Parser) -> None:
    """Add --seed."""
    command.add_argument("--seed", type=_seed, default=1, help="the same seed, the same cards (1)")


def add_rounds(command: Parser, default: int) -> None:
    """Add --rounds, the rounds to be simulated."""
    command.add_argument(
        "--rounds", type=rounds, default=default, metavar="N", help=f"rounds to simulate, as in 1e7 ({default:.0e})"
    )


def add_strategy(command: Parser) -> None:
    """Add --strategy."""
    command.add_argument(
        "--strategy",
        default=OPTIMAL,
        metavar="WHICH",
        help="optimal (best play, the default), chart (the best chart), or a file with a strategy or a chart",
    )


def rounds(text: str) -> int:
    """A number of rounds, for `type=`; 1e7 is ten million.

    >>> rounds("2.5e3"), rounds("17")
    (2500, 17)
    """
    with suppress(ValueError, OverflowError):
        number = int(text) if text.isdecimal() else int(float(text))
        if 1 <= number <= MOST_ROUNDS and float(text) == number:
            return number
    raise ArgumentTypeError(f"{text!r} is not a number of rounds; write a whole number from 1 to 1e12, as in 1e7")


def _seed(text: str) -> int:
    if text.isascii() and text.isdecimal() and int(text) < SEEDS:
        return int(text)
    raise ArgumentTypeError(f"{text!r} is not a seed; write a whole number from 0 to 2**64 - 1")


def positive(what: str, example: str) -> Callable[[str], float]:
    """A `type=` for a number above 0."""

    def read(text: str) -> float:
        with suppress(ValueError):
            if 0 < (number := float(text)) < float("inf"):
                return number
        raise ArgumentTypeError(f"{text!r} is not {what}; write a number above 0, as in {example}")

    return read


def stake_of(args: Namespace) -> int:
    """The stake in cents; a surrender must be able to halve it."""
    amount = int(cents(args.stake))
    if amount % 2:
        raise AnalysisError(f"--stake {args.stake}: half of it must be whole cents")
    return amount


def play_of(args: Namespace, rules: Rulebook) -> Play:
    """The strategy that was asked for: made for these very rules, or read from its file."""
    if args.strategy == OPTIMAL:
        return Play(read_strategy(strategy_text(OPTIMAL, args, rules)), exact_value(args, rules))
    if args.strategy == CHART:
        text = strategy_text(CHART, args, rules)
        return Play(read_strategy(text), float(json.loads(text)["ev_chart"]))
    try:
        return Play(find(args.strategy, rules, decks_of(args, rules)), None)
    except StrategyError as error:
        raise AnalysisError(str(error)) from None


def compiled(rules: Rulebook, strategy: Strategy, stake: int) -> Compiled:
    """The game as the simulation plays it, with a note if that must be compiled for the machine first."""
    try:
        from pontoon.simulation import compile_game, jit
    except ImportError:
        raise AnalysisError(MISSING) from None
    if not any(jit.cache_folder().rglob("*.nbi")):
        print("pontoon: compiling the simulation for this machine, once (half a minute) ...", file=sys.stderr)
    try:
        return compile_game(rules, strategy, stake)
    except StrategyError as error:
        raise AnalysisError(str(error)) from None


@contextmanager
def counting(title: str, whole: int) -> Iterator[Callable[[int, Result], None]]:
    """Progress as the simulation reports it."""
    with progress(title) as show:
        yield lambda played, _: show(played / whole)


def amount(dollars: str) -> str:
    """Dollars without cents where there are none.

    >>> amount("10.00"), amount("7.50")
    ('10', '7.50')
    """
    return dollars.removesuffix(".00")


def about(rules: Rulebook, decks: int, args: Namespace) -> dict[str, object]:
    """What every answer in JSON begins with."""
    return {
        "rulebook": rules.about.name,
        "digest": digest(rules),
        "overrides": {one.key: one.value for one in rules.overrides},
        "decks": decks,
        "stake": args.stake,
        "seed": args.seed,
    }

"""Simulation on this machine: rounds of a rulebook with a strategy, counted and turned into figures."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from pontoon.cards import Card
from pontoon.money import cents
from pontoon.rulebook import Rulebook
from pontoon.simulation.compile import Compiled, compile_game
from pontoon.simulation.kernel import LANES, MOST_BOXES, STREAM_ROUNDS, Shoes, Sums, play_group, play_table_group
from pontoon.simulation.shoes import game_of, new_shoes, new_sums
from pontoon.strategy import Strategy, rank_class

BATCH = 128
"""Streams a thread plays before it looks up: a million rounds, some hundredths of a second."""
MOST_PENETRATION = 0.9
SEEDS = 1 << 64
MOST_NETS = 1 << 19
"""Results that are counted one by one; every thread has its own counts for each first card of the dealer."""

Progress = Callable[[int, "Result"], None]
"""Called now and then with the rounds played so far and what they come to."""


class SimulationError(ValueError):
    """Something that cannot be simulated; the message is one line for a person."""


class Result(Struct, frozen=True):
    """What the rounds came to. Values are per unit staked on a box; counts are exact."""

    rounds: int
    ev: float
    """The mean net of a box."""
    standard_error: float
    """Of `ev`; the boxes of one round share the dealer's hand, so rounds are what is counted."""
    sd: float
    """Standard deviation of the net of one box."""
    frequencies: dict[str, float]
    """How often a hand ended so, for each box and round: payout rows, ways to lose, splits, Super Bonuses."""
    ev_by_upcard: dict[str, float]
    """The mean net of a box by the dealer's first card."""
    upcards: dict[str, float]
    """How often the dealer had that first card."""
    distribution: dict[int, int]
    """How many boxes came to each net, in cents."""
    rounds_per_second: float
    seed: int
    boxes: int
    threads: int


class Plan(NamedTuple):
    """What is to be played, and how."""

    compiled: Compiled
    decks: int
    boxes: int
    seed: int
    cut: int
    """0: every round has a fresh shoe."""
    burn: bool
    rounds: int

    def rounds_of(self, first: int, count: int) -> int:
        """Rounds in some streams: all are full but the last."""
        return max(0, min(self.rounds, (first + count) * STREAM_ROUNDS) - first * STREAM_ROUNDS)

    @property
    def streams(self) -> int:
        """How many streams there are."""
        return -(-self.rounds // STREAM_ROUNDS)


def simulate(  # noqa: PLR0913 every one of them is a choice of the caller
    rules: Rulebook,
    decks: int,
    rounds: int,
    strategy: Strategy,
    *,
    seed: int = 1,
    stake: str = "10",
    boxes: int = 1,
    fresh_shoe: bool = True,
    penetration: float = 0.75,
    threads: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Play rounds and say what they come to; the same arguments always give the same counts.

    With `fresh_shoe` every round has a full shoe, as from a continuous shuffler. Otherwise the cutting card lies
    `penetration` of the way into the shoe; the round in which it comes is finished, then the shoe is shuffled, and the
    first card burned where the rulebook burns it. `threads` 0 takes every core.
    """
    depth = 0.0 if fresh_shoe else penetration
    cents_staked = stake_of(stake)
    check(rules, decks, rounds, seed, boxes, depth)
    compiled = compile_game(rules, strategy, cents_staked)
    plan = make_plan(compiled, rules, decks, rounds=rounds, seed=seed, boxes=boxes, penetration=depth)
    return run(plan, threads, progress)


def stake_of(text: str) -> int:
    """A stake in dollars as cents that can be halved."""
    stake = int(cents(text))
    if stake <= 0 or stake % 2:
        raise SimulationError(f"a stake is an even number of cents above 0, not {text}")
    return stake


def check(rules: Rulebook, decks: int, rounds: int, seed: int, boxes: int, penetration: float) -> None:
    """Say in one line what of this cannot be simulated."""
    if decks not in rules.decks.allowed:
        allowed = ", ".join(map(str, rules.decks.allowed))
        raise SimulationError(f"{rules.about.name} is dealt from {allowed} packs, not {decks}")
    if rounds < 1:
        raise SimulationError(f"rounds must be 1 or more, not {rounds}")
    if not 0 <= seed < SEEDS:
        raise SimulationError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed}")
    if not 1 <= boxes <= min(rules.boxes.count, MOST_BOXES):
        raise SimulationError(f"{rules.about.name} has boxes 1 to {rules.boxes.count}, not {boxes}")
    if not 0 <= penetration <= MOST_PENETRATION:
        raise SimulationError(f"penetration is between 0 and {MOST_PENETRATION}, not {penetration}")


def make_plan(  # noqa: PLR0913 as above
    compiled: Compiled,
    rules: Rulebook,
    decks: int,
    *,
    rounds: int,
    seed: int = 1,
    boxes: int = 1,
    penetration: float = 0.0,
) -> Plan:
    """Say what is to be played; `penetration` 0 is a fresh shoe for every round."""
    check(rules, decks, rounds, seed, boxes, penetration)
    if compiled.numbers.nets > MOST_NETS:
        raise SimulationError(f"a stake of {compiled.stake} cents has too many different results; take a rounder one")
    cut = int(penetration * len(compiled.classes.shoe(decks)))
    return Plan(compiled, decks, boxes, seed, cut, rules.shoe.burn_first and cut > 0, rounds)


def run(plan: Plan, threads: int = 0, progress: Progress | None = None) -> Result:
    """Play a plan on this machine."""
    threads = threads or os.cpu_count() or 1
    begun = time.perf_counter()
    total = new_sums(plan.compiled)
    played = 0
    for first, count, sums in _batches(plan, threads):
        add(total, sums)
        played += plan.rounds_of(first, count)
        if progress is not None and played < plan.rounds:
            progress(played, result(plan, total, played, time.perf_counter() - begun, threads))
    return result(plan, total, plan.rounds, time.perf_counter() - begun, threads)


def add(total: Sums, sums: Sums) -> None:
    """Add what one batch counted."""
    for into, part in zip(total, sums, strict=True):
        np.add(into, part, out=into)


def _batches(plan: Plan, threads: int) -> Iterator[tuple[int, int, Sums]]:
    """Play all batches, so many at a time, in whatever order they end."""
    batches = ((first, min(BATCH, plan.streams - first)) for first in range(0, plan.streams, BATCH))
    with ThreadPoolExecutor(threads) as pool:
        running: dict[Future[Sums], tuple[int, int]] = {}
        for first, count in batches:
            running[pool.submit(play_batch, plan, first, count)] = (first, count)
            if len(running) >= 2 * threads:
                yield from _ended(running)
        while running:
            yield from _ended(running)


def _ended(running: dict[Future[Sums], tuple[int, int]]) -> Iterator[tuple[int, int, Sums]]:
    done, _ = wait(running, return_when=FIRST_COMPLETED)
    for future in done:
        yield (*running.pop(future), future.result())


def play_batch(plan: Plan, first: int, count: int) -> Sums:
    """Play some streams and count them: what a thread, or a machine of a cluster, is given to do."""
    game, sums, shoes = game_of(plan.compiled), new_sums(plan.compiled), plan_shoes(plan)
    rounds = min(plan.rounds, (first + count) * STREAM_ROUNDS)
    with np.errstate(over="ignore"):  # words of the generator wrap around, which numpy would warn of when interpreted
        for stream in range(first, first + count, LANES):
            if plan.boxes == 1:
                play_group(game, shoes, np.uint64(plan.seed), stream, rounds, sums)
            else:
                play_table_group(game, shoes, plan.boxes, np.uint64(plan.seed), stream, rounds, sums)
    sums.visits[: plan.compiled.numbers.first_end] = 0
    return sums


def plan_shoes(plan: Plan) -> Shoes:
    """Shoes for the streams played side by side."""
    cards = np.array(plan.compiled.classes.shoe(plan.decks), np.uint8)
    fresh = plan.compiled.numbers.burn if plan.burn else 0
    return new_shoes(cards, cut=plan.cut, fresh=fresh)


def result(plan: Plan, sums: Sums, rounds: int, seconds: float, threads: int) -> Result:
    """Turn counts into figures; sums are exact until the last division."""
    compiled, boxes = plan.compiled, plan.boxes
    nets = _nets(compiled, sums)
    counts = _labels(compiled, sums)
    ups = [_moments(row) for row in nets]
    number, total, squares = (sum(column) for column in zip(*ups, strict=True))
    stake, played = compiled.stake, rounds * boxes
    assert number == played, (number, played)
    variance = Fraction(squares, played) - Fraction(total, played) ** 2
    if boxes == 1:
        round_variance = variance
    else:
        unit = compiled.numbers.unit
        _, units, unit_squares = (int(value) for value in sums.totals)
        round_variance = (Fraction(unit_squares, rounds) - Fraction(units, rounds) ** 2) * unit * unit
    names = [rank_class(Card(name + "s")) for name in compiled.classes.upcards]
    by_upcard: dict[str, list[int]] = {}
    for name, (count, net, _) in zip(names, ups, strict=True):
        merged = by_upcard.setdefault(name, [0, 0])
        merged[0] += count
        merged[1] += net
    return Result(
        rounds=rounds,
        ev=float(Fraction(total, played * stake)),
        standard_error=math.sqrt(round_variance / rounds) / (stake * boxes),
        sd=math.sqrt(variance) / stake,
        frequencies={name: count / played for name, count in counts.items() if count},
        ev_by_upcard={name: net / (count * stake) for name, (count, net) in by_upcard.items() if count},
        upcards={name: count / played for name, (count, _) in by_upcard.items()},
        distribution=_distribution(nets),
        rounds_per_second=rounds / seconds if seconds else 0.0,
        seed=plan.seed,
        boxes=boxes,
        threads=threads,
    )


Nets = list[dict[int, int]]
"""For each first card of the dealer how many boxes came to each net."""


def _nets(compiled: Compiled, sums: Sums) -> Nets:
    numbers = compiled.numbers
    nets: Nets = [{} for _ in range(numbers.upcards)]
    ends = sums.visits[numbers.first_end : numbers.first_split]
    for net, up, count in zip(compiled.end_net, compiled.end_up, ends, strict=True):
        nets[up][int(net)] = nets[up].get(int(net), 0) + int(count)
    table = sums.nets.reshape(numbers.upcards, numbers.nets)
    for up, place in zip(*np.nonzero(table), strict=True):
        net = numbers.least + int(place) * numbers.unit
        nets[up][net] = nets[up].get(net, 0) + int(table[up, place])
    return nets


def _labels(compiled: Compiled, sums: Sums) -> dict[str, int]:
    numbers = compiled.numbers
    counts = {name: int(count) for name, count in zip(compiled.labels, sums.labels, strict=True)}
    ends = sums.visits[numbers.first_end : numbers.first_split]
    for label, bonus, count in zip(compiled.end_label, compiled.end_bonus, ends, strict=True):
        counts[compiled.labels[label]] += int(count)
        counts[compiled.labels[numbers.label_bonus]] += int(count) * int(bonus)
    return counts


def _moments(nets: dict[int, int]) -> tuple[int, int, int]:
    return (
        sum(nets.values()),
        sum(net * count for net, count in nets.items()),
        sum(net * net * count for net, count in nets.items()),
    )


def _distribution(nets: Nets) -> dict[int, int]:
    merged: dict[int, int] = {}
    for row in nets:
        for net, count in row.items():
            merged[net] = merged.get(net, 0) + count
    return {net: merged[net] for net in sorted(merged) if merged[net]}

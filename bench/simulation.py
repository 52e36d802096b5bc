"""Rounds per second of the simulation, compared with a plain loop for a simplified game in the same run.

    python bench/simulation.py [--rulebook star] [--decks 6] [--strategy FILE] [--rounds 4e6] [--peer "command"]
    python bench/simulation.py --gpu

Ours plays the full rules: splits to the limit, doubles with fixed aces, forfeit, surrender, bonuses by suit, Super
Bonus, no-effect stop. The plain loop is a first attempt in numba: hit, stand and double by a table, one split, no
suits, no bonuses, a shoe that is shuffled as it is dealt. `--peer` times an external command by wall clock, and
`--peer-rounds` is the number of rounds it plays. Every figure is the median of five, ours and the plain loop
alternating.
One core is measured by processor time, because machines are shared; two threads are compared with one by wall clock.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
from msgspec.structs import replace

from pontoon.rulebook import load
from pontoon.simulation import Settings, compile_game, make_plan, play_batch, run
from pontoon.simulation.device import GPU_BATCH, Cpu
from pontoon.simulation.kernel import STREAM_ROUNDS
from pontoon.strategy import Strategy, read_strategy
from pontoon.strategy.composition import CompositionStrategy

REPETITIONS = 5
COMPARED = 512
"""Streams whose counts on the GPU are compared with those on the CPU: 4.2 million rounds."""

# --- the plain loop ------------------------------------------------------------------------------------

HIT, STAND, DOUBLE = 0, 1, 2
Native = Any
"""A constant in a compiled function."""


@numba.njit(nogil=True)
def next_random(state: Native) -> Native:
    """Splitmix64, which our kernel uses too."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = state[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


@numba.njit(nogil=True)
def take(shoe: Native, place: Native, state: Native) -> Native:
    """The next card of a shoe that is shuffled as it is dealt."""
    other = place + np.int64((next_random(state) >> np.uint64(32)) * np.uint64(len(shoe) - place) >> np.uint64(32))
    card = shoe[other]
    shoe[other] = shoe[place]
    shoe[place] = card
    return card


@numba.njit(nogil=True)
def plain_hand(shoe: Native, place: Native, state: Native, chart: Native, pair: Native, up: Native) -> Native:
    """Play one hand; return its total, its stake and the position in the shoe."""
    two = True  # a double is allowed on two cards only
    total = pair[0] + pair[1]
    aces = np.int64(pair[0] == 1) + np.int64(pair[1] == 1)
    stake = 1
    while True:
        soft = 1 if aces > 0 and total <= 11 else 0
        points = total + 10 * soft
        if points >= 21:
            return points, stake, place
        action = chart[soft, points, up]
        if action == STAND:
            return points, stake, place
        card = take(shoe, place, state)
        place += 1
        total += card
        aces += np.int64(card == 1)
        if action == DOUBLE and two:
            soft = 1 if aces > 0 and total <= 11 else 0
            return total + 10 * soft, 2, place
        two = False


@numba.njit(nogil=True)
def plain_rounds(rounds: Native, shoe: Native, cut: Native, chart: Native, splits: Native, seed: Native) -> Native:  # noqa: C901, PLR0912
    """Play rounds of the simplified game and return their net in half units."""
    state = np.empty(1, np.uint64)
    state[0] = seed
    points, stakes = np.zeros(2, np.int64), np.zeros(2, np.int64)
    net = 0
    place = 0
    for _ in range(rounds):
        if place >= cut:
            place = 0
        first = take(shoe, place, state)
        up = take(shoe, place + 1, state)
        second = take(shoe, place + 2, state)
        place += 3
        if first + second == 11 and (first == 1 or second == 1):
            net += 3
            continue
        hands = 1
        if first == second and splits[first, up]:
            hands = 2
            for hand in range(2):
                card = take(shoe, place, state)
                points[hand], stakes[hand], place = plain_hand(shoe, place + 1, state, chart, (first, card), up)
        else:
            points[0], stakes[0], place = plain_hand(shoe, place, state, chart, (first, second), up)
        open_hands = 0
        for hand in range(hands):
            if points[hand] > 21:
                net -= 2 * stakes[hand]
            elif points[hand] == 21:
                net += 2 * stakes[hand]
            else:
                open_hands += 1
        if open_hands == 0:
            continue
        total, aces, cards = up, np.int64(up == 1), 1
        while True:
            card = take(shoe, place, state)
            place += 1
            cards += 1
            total += card
            aces += np.int64(card == 1)
            soft = 1 if aces > 0 and total <= 11 else 0
            if total + 10 * soft >= 17 + soft:
                break
        dealer = total + 10 * soft
        pontoon = cards == 2 and dealer == 21
        for hand in range(hands):
            if points[hand] < 21:
                if pontoon or (dealer <= 21 and points[hand] < dealer):
                    net -= 2 * stakes[hand]
                elif dealer > 21 or points[hand] > dealer:
                    net += 2 * stakes[hand]
    return net


def plain_tables(decks: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Shoe, chart and splits of the simplified game: close to the dealer's own play, doubles on 10 and 11."""
    shoe = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10] * 4 * decks, np.int64)
    chart = np.full((2, 22, 11), STAND, np.int64)
    chart[0, :17, 7:] = chart[0, :17, 1] = HIT
    chart[0, :13, :] = HIT
    chart[1, :18, :] = HIT
    chart[0, 10:12, 2:8] = DOUBLE
    splits = np.zeros((11, 11), np.bool_)
    splits[1, :] = splits[8, :] = True
    splits[2:4, 2:8] = True
    return shoe, chart, splits


# --- measuring -----------------------------------------------------------------------------------------


def rate(play: Callable[[], Any], rounds: int, clock: Callable[[], float] = time.perf_counter) -> float:
    """Rounds per second by this clock."""
    begun = clock()
    play()
    return rounds / (clock() - begun)


def chosen(options: argparse.Namespace) -> Strategy:
    """The strategy in a file, or the optimal one."""
    if options.strategy:
        return read_strategy(Path(options.strategy).read_bytes(), options.strategy)
    from pontoon.analysis import Solver  # noqa: PLC0415 only without a file
    from pontoon.analysis.policies.export import strategy_of  # noqa: PLC0415

    rules = load(options.rulebook)
    return CompositionStrategy(strategy_of(Solver(rules, options.decks), rules))


def gpu(options: argparse.Namespace) -> dict[str, Any]:
    """Measure a GPU by wall clock, with as many rounds in a piece as a run has."""
    from pontoon.simulation.cuda import cuda, play_batch_on_device  # noqa: PLC0415 only if there is one

    rules = load(options.rulebook)
    compiled = compile_game(rules, chosen(options), 1000)
    plan = make_plan(compiled, rules, Settings(packs=options.decks, rounds=10**15))
    streams = GPU_BATCH
    play_batch_on_device(plan, 0, streams)
    found = [rate(lambda: play_batch_on_device(plan, 0, streams), streams * STREAM_ROUNDS) for _ in range(REPETITIONS)]
    few = play_batch_on_device(plan, 0, COMPARED)
    same = all(map(np.array_equal, few, play_batch(plan, 0, COMPARED)))
    return {
        "device": str(cuda.get_current_device().name),
        "rulebook": options.rulebook,
        "decks": options.decks,
        "rounds_per_second": statistics.median(found),
        "best": max(found),
        "same_as_cpu": same,
    }


def peer_rate(command: str, rounds: int) -> float:
    return rate(lambda: subprocess.run(shlex.split(command), check=True, capture_output=True), rounds)


def measure(options: argparse.Namespace) -> dict[str, Any]:
    rules = load(options.rulebook)
    rounds = int(float(options.rounds))
    begun = time.perf_counter()
    compiled = compile_game(rules, chosen(options), 1000)
    compiling = time.perf_counter() - begun
    settings = Settings(packs=options.decks, rounds=rounds)
    plan = make_plan(compiled, rules, settings)
    cut = make_plan(compiled, rules, replace(settings, penetration=0.75))
    boxes = make_plan(compiled, rules, replace(settings, rounds=max(1, rounds // 8), boxes=7))
    shoe, chart, splits = plain_tables(options.decks)
    seed, end = np.uint64(1), int(0.75 * len(shoe))
    runs: dict[str, tuple[Callable[[], Any], int]] = {
        "one core": (lambda: run(plan, Cpu(1)), rounds),
        "one core, cutting card at 75 %": (lambda: run(cut, Cpu(1)), rounds),
        "one thread, wall clock": (lambda: run(plan, Cpu(1)), rounds),
        "two threads, wall clock": (lambda: run(plan, Cpu(2)), rounds),
        "one core, seven boxes": (lambda: run(boxes, Cpu(1)), max(1, rounds // 8)),
        "plain loop, simplified game, one core": (lambda: plain_rounds(rounds, shoe, end, chart, splits, seed), rounds),
    }
    for play, _ in runs.values():
        play()
    rates: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(REPETITIONS):
        for name, (play, played) in runs.items():
            clock = time.perf_counter if "wall" in name else time.process_time
            rates[name].append(rate(play, played, clock))
    if options.peer:
        rates[options.peer] = [peer_rate(options.peer, int(float(options.peer_rounds))) for _ in range(REPETITIONS)]
    medians = {name: statistics.median(found) for name, found in rates.items()}
    plain = medians["plain loop, simplified game, one core"]
    return {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}",
        "rulebook": options.rulebook,
        "decks": options.decks,
        "rounds": rounds,
        "states": compiled.numbers.first_end,
        "table_bytes": compiled.tables.steps.nbytes,
        "compiling_seconds": compiling,
        "rounds_per_second": medians,
        "best": {name: max(found) for name, found in rates.items()},
        "full_rules_over_plain_loop": medians["one core"] / plain,
        "two_threads_over_one": medians["two threads, wall clock"] / medians["one thread, wall clock"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rulebook", default="star")
    parser.add_argument("--decks", type=int, default=6)
    parser.add_argument("--strategy", help="a strategy file (default: optimal play)")
    parser.add_argument("--gpu", action="store_true", help="measure only the GPU")
    parser.add_argument("--rounds", default="4e6", help="rounds in each run")
    parser.add_argument("--peer", help="an external command to time")
    parser.add_argument("--peer-rounds", default="1e6", help="number of rounds that command plays")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.gpu:
        print(json.dumps(gpu(options), indent=1))
        return
    found = measure(options)
    if "--json" in sys.argv:
        print(json.dumps(found, indent=1))
        return
    print(f"{found['machine']}: {found['rulebook']}, {found['decks']} packs, median of {REPETITIONS}")
    print(f"{found['states']} states, {found['table_bytes']:,} bytes, compiled in {found['compiling_seconds']:.1f} s")
    for name, median in found["rounds_per_second"].items():
        print(f"{median / 1e6:8.2f} M rounds/s  (best {found['best'][name] / 1e6:.2f})  {name}")
    print(f"full rules / plain loop: {found['full_rules_over_plain_loop']:.2f}")
    print(f"two threads / one:       {found['two_threads_over_one']:.2f}")


if __name__ == "__main__":
    main()

"""Speed of the exact analysis, compared with a baseline in the same run.

    python bench/analysis.py [--repeat 5] [--json] [--peer "command"]

The baseline is the dealer's exact distribution for every hand and upcard in NumPy alone, a cost that every analyser has
in one form or another. Times are CPU seconds of one core, the median of the repetitions, because machines are shared.
`--peer` also runs an external analyser and measures its CPU time.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from pontoon.analysis import Solver, edge_of
from pontoon.analysis.dealer import RESULTS, tree
from pontoon.analysis.hands import hands
from pontoon.cards import PACK, Card
from pontoon.rulebook import NAMES, load

PACKS = 8
HANDS = 60
SEED = 4


def cpu_seconds(job: Callable[[], object], repeat: int) -> float:
    """The median CPU time of a job on this core."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        job()
        times.append(time.process_time() - start)
    return statistics.median(times)


def baseline() -> None:
    """The dealer's results for all hands and upcards of eight packs, in NumPy with falling products."""
    table = hands((4 * PACKS,) * 9 + (12 * PACKS,))
    for first in range(10):
        shoe = np.array([4 * PACKS] * 9 + [12 * PACKS]) - np.eye(10, dtype=np.int64)[first]
        left = (shoe - table.counts).T.astype(float)
        cards = float(shoe.sum()) - table.size
        results = np.zeros((RESULTS, len(table.hard)))
        branches = tree(first, 17, 18)
        weight: dict[int, Any] = {0: np.ones(len(table.hard))}
        for value, above, depth, end, orders in branches.tolist():
            weight[depth] = weight[depth - 1] * (left[value] - above) / (cards - depth + 1)
            if end >= 0:
                results[end] += weight[depth] * orders


def solve(name: str, decks: int) -> None:
    Solver(load(name), decks).value()


def everything() -> None:
    for name in NAMES:
        for decks in load(name).decks.allowed:
            solve(name, decks)


def coach(name: str, seed: int) -> list[float]:
    """CPU seconds of single queries: random two-card hands, every fourth a pair, after random cards were dealt."""
    draw = random.Random(seed)
    rules = load(name)
    times = []
    for number in range(HANDS):
        shoe = [card for card in PACK for _ in range(PACKS)]
        draw.shuffle(shoe)
        out, dealer = tuple(shoe[: draw.randrange(150)]), shoe[200]
        rank = draw.choice("A23456789K")
        hand = (Card(rank + "c"), Card(rank + "d")) if number % 4 == 0 else _two(shoe)
        solver = Solver(rules, PACKS)
        start = time.process_time()
        solver.action_values(hand, dealer, out=out)
        times.append(time.process_time() - start)
    return times


def _two(shoe: list[Card]) -> tuple[Card, Card]:
    """Two cards that are not a pontoon."""
    place = 201
    while {shoe[place][0], shoe[place + 1][0]} & {"A"}:
        place += 2
    return shoe[place], shoe[place + 1]


def first_call() -> float:
    """Wall seconds of one answer on a machine with an empty cache."""
    code = "from pontoon.analysis import Solver; from pontoon.rulebook import load; Solver(load('star'), 8).value()"
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        subprocess.run([sys.executable, "-c", code], env=os.environ | {"PONTOON_CACHE": folder}, check=True)
        return time.monotonic() - start


def peer_seconds(command: str) -> float:
    """CPU seconds of an external program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(shlex.split(command), stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(repeat: int, peer: str) -> dict[str, Any]:
    for name in NAMES:
        solve(name, PACKS)  # compile, build tables
    reference = cpu_seconds(baseline, repeat)
    solutions = {name: cpu_seconds(lambda name=name: solve(name, PACKS), repeat) for name in NAMES}  # type: ignore[misc]
    questions = sorted(time for name in NAMES for time in coach(name, SEED))
    found: dict[str, Any] = {
        "baseline_seconds": reference,
        "solution_seconds": solutions,
        "solution_in_baselines": {name: seconds / reference for name, seconds in solutions.items()},
        "edge_seconds": cpu_seconds(lambda: edge_of(Solver(load("canberra"), PACKS)), 1),
        "question_seconds_median": statistics.median(questions),
        "question_seconds_worst": questions[-1],
        "everything_seconds": cpu_seconds(everything, 1),
        "first_call_wall_seconds": first_call(),
    }
    if peer:
        found["peer_seconds"] = statistics.median(peer_seconds(peer) for _ in range(repeat))
        found["solution_in_peers"] = {name: one / found["peer_seconds"] for name, one in solutions.items()}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--peer", default="", help="an external analyser, as a command")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    found = measure(args.repeat, args.peer)
    if args.json:
        print(json.dumps(found, indent=2))
        return
    print(f"baseline, dealer's results in NumPy alone: {found['baseline_seconds'] * 1000:.0f} ms")
    for name, seconds in found["solution_seconds"].items():
        ratio = found["solution_in_baselines"][name]
        print(
            f"complete solution, {name}, {PACKS} packs: {seconds * 1000:.0f} ms = {ratio:.2f} baselines (limit 500 ms)"
        )
    print(f"one coach query: {found['question_seconds_median'] * 1000:.1f} ms median, ", end="")
    print(f"{found['question_seconds_worst'] * 1000:.1f} ms worst of {HANDS * len(NAMES)} (limit 20 ms)")
    print(f"every rulebook with every number of packs: {found['everything_seconds']:.1f} s (limit 30 s)")
    print(
        f"first answer on a fresh machine, with compilation: {found['first_call_wall_seconds']:.1f} s wall (limit 15 s)"
    )
    print(f"edge with frequencies and standard deviation: {found['edge_seconds']:.2f} s")
    if args.peer:
        print(f"peer: {found['peer_seconds']:.3f} s")


if __name__ == "__main__":
    main()

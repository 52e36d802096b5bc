"""Rounds per second of play by a count, compared with flat play of the same shoes in the same run.

    python bench/counted.py [--rulebook star] [--packs 6] [--rounds 4e7] [--device cpu|gpu]

Both deal whole shoes to 75 %, one box. Flat play is `pontoon simulate --penetration 75%` by one strategy; counted play
is `pontoon bet --simulate` with Hi-Lo and a strategy for each of six true counts. The bar: half the speed of flat play.
Every figure is the median of five, flat and counted alternating, after one run to compile. On a GPU the sums of 4,096
streams are also compared with those of the CPU.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

from pontoon.analysis import Solver
from pontoon.analysis.counting.tags import count_named
from pontoon.analysis.counting.true_count import shoe_at
from pontoon.analysis.policies.export import strategy_of
from pontoon.cli.common.numbers import rounds as number_of_rounds
from pontoon.rulebook import load
from pontoon.simulation import Settings, compile_game, make_plan, run
from pontoon.simulation.counted_play import Run, book_of, play_by_count, play_on_cores
from pontoon.simulation.device import choose
from pontoon.simulation.tables import Compiled
from pontoon.strategy import CompositionStrategy

REPETITIONS, PENETRATION, COMPARED = 5, 0.75, 4096
COUNTS = (-8.0, -6.0, -4.0, -2.0, 0.0, 3.0)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rulebook", default="star")
    parser.add_argument("--packs", type=int, default=6)
    parser.add_argument("--rounds", type=number_of_rounds, default=40_000_000)
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu")
    args = parser.parse_args()
    games = strategies(args.rulebook, args.packs)
    rules, tags = load(args.rulebook), count_named("hi-lo").tags
    settings = Settings(packs=args.packs, rounds=args.rounds, seed=1, penetration=PENETRATION)
    plan = make_plan(games[2][1], rules, settings)
    machine = choose(args.device)

    def flat() -> int:
        return run(plan, machine).rounds

    def counted() -> int:
        asked = {"penetration": PENETRATION, "rounds": args.rounds, "device": args.device}
        parts = play_by_count(games, rules, args.packs, tags=tags, **asked)
        return sum(part.rounds for part in parts)

    if args.device == "gpu":
        compare(games, args.packs, burns=rules.shoe.burn_first)
    speeds: dict[str, list[float]] = {"flat": [], "counted": []}
    for play in (flat, counted):
        play()
    for _ in range(REPETITIONS):
        speeds["flat"].append(speed(flat))
        speeds["counted"].append(speed(counted))
    medians = {name: statistics.median(found) for name, found in speeds.items()}
    for name, median in medians.items():
        print(f"{name:<8} {median / 1e6:12,.1f} million rounds a second on {args.device}")
    print(f"counted play has {medians['counted'] / medians['flat']:.2f} of the speed of flat play")


def strategies(rulebook: str, packs: int) -> list[tuple[float, Compiled]]:
    """The best play at several true counts of Hi-Lo, compiled."""
    rules, count = load(rulebook), count_named("hi-lo")
    best = Solver(rules, packs)
    found = []
    for true_count in COUNTS:
        solver = best.with_shoe(shoe_at(best.shoe, count, true_count))
        found.append((true_count, compile_game(rules, CompositionStrategy(strategy_of(solver, rules)), 1000)))
    return found


def compare(games: list[tuple[float, Compiled]], packs: int, *, burns: bool) -> None:
    """The same streams on the GPU and on the CPU."""
    from pontoon.simulation.cuda_counted import play_on_device  # noqa: PLC0415 only with a GPU

    compiled = [game for _, game in games]
    cards = np.array(compiled[0].classes.shoe(packs), np.uint8)
    cut = int(PENETRATION * len(cards))
    book = book_of(games, count_named("hi-lo").tags, packs, burns=burns)._replace(shoes=4)
    asked = Run(COMPARED, 1, lambda _: None)
    there, here = play_on_device(compiled, book, cards, cut, asked), play_on_cores(compiled, book, cards, cut, asked, 0)
    same = "equal" if np.array_equal(there, here) else "DIFFERENT"
    print(f"sums on GPU and CPU over {int(here[::3].sum()):,} rounds: {same}")


def speed(play: Callable[[], int]) -> float:
    """Rounds per second by wall clock."""
    begun = time.perf_counter()
    rounds = play()
    return rounds / (time.perf_counter() - begun)


if __name__ == "__main__":
    main()

"""Simulation: the same counts however they are played, and figures that fit what is known."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest

from pontoon.rulebook import load
from pontoon.simulation import Compiled, Plan, SimulationError, compile_game, make_plan, play_batch, run, simulate
from pontoon.simulation.kernel import STREAM_ROUNDS, draw, first_counter
from pontoon.simulation.shoes import new_shoes
from tests.simulation.strategies import Mimic, Wild

RULES = load("canberra")


@cache
def compiled() -> Compiled:
    return compile_game(RULES, Wild(1, calm=4), 1000)


def plan(rounds: int = 3 * STREAM_ROUNDS + 100, boxes: int = 1, penetration: float = 0.0, seed: int = 3) -> Plan:
    return make_plan(compiled(), RULES, 6, rounds=rounds, seed=seed, boxes=boxes, penetration=penetration)


def same(first: object, second: object) -> bool:
    assert isinstance(first, tuple)
    assert isinstance(second, tuple)
    return all(np.array_equal(one, other) for one, other in zip(first, second, strict=True))


@pytest.mark.parametrize("boxes", [1, 3])
@pytest.mark.parametrize("penetration", [0.0, 0.75])
def test_counts_do_not_depend_on_threads_or_batches(boxes: int, penetration: float):
    asked = plan(200 * STREAM_ROUNDS + 1 if boxes == 1 else 5 * STREAM_ROUNDS, boxes, penetration)
    one, three = run(asked, threads=1), run(asked, threads=3)
    assert one.distribution == three.distribution
    assert one.frequencies == three.frequencies
    assert sum(one.distribution.values()) == asked.rounds * boxes


def test_streams_side_by_side_are_the_streams_one_by_one():
    asked = plan(7 * STREAM_ROUNDS)
    together = play_batch(asked, 0, 7)
    alone = [play_batch(asked, stream, 1) for stream in range(7)]
    assert same(together, tuple(np.sum(parts, axis=0) for parts in zip(*alone, strict=True)))


def test_another_seed_gives_other_rounds():
    assert run(plan(seed=3), 1).distribution != run(plan(seed=4), 1).distribution


SCRIPT = """
import sys, warnings
warnings.simplefilter("ignore")  # words of the generator wrap around in threads of the simulator
import numpy as np
from tests.simulation.test_simulation import plan
if sys.argv[1] == "cuda":
    from pontoon.simulation.cuda import play_batch_on_device as play_batch
else:
    from pontoon.simulation import play_batch
for boxes, penetration in ((1, 0.0), (1, 0.75), (2, 0.5)):
    np.savez(f"{sys.argv[2]}-{boxes}-{penetration}", *play_batch(plan(600, boxes, penetration), 0, 1))
"""


@pytest.mark.parametrize(("way", "setting"), [("plain", "NUMBA_DISABLE_JIT"), ("cuda", "NUMBA_ENABLE_CUDASIM")])
def test_interpreted_and_on_a_simulated_device(way: str, setting: str, tmp_path: object):
    subprocess.run(
        [sys.executable, "-c", SCRIPT, way, f"{tmp_path}/sums"],
        check=True,
        env={**os.environ, setting: "1", "PYTHONPATH": os.pathsep.join(("src", "."))},
    )
    for boxes, penetration in ((1, 0.0), (1, 0.75), (2, 0.5)):
        sums = np.load(f"{tmp_path}/sums-{boxes}-{penetration}.npz")
        expected = play_batch(plan(600, boxes, penetration), 0, 1)
        assert all(np.array_equal(sums[f"arr_{place}"], part) for place, part in enumerate(expected)), (
            boxes,
            penetration,
        )


def test_a_shoe_is_dealt_whole():
    cards = np.arange(48, dtype=np.uint8)
    shoe = new_shoes(cards, 1)
    shoe.counters[0] = first_counter(np.uint64(1), np.uint64(0))
    orders = []
    for _ in range(200):
        shoe.places[0] = 0
        orders.append(tuple(int(draw(shoe, np.uint64(0))) for _ in range(48)))
    assert all(sorted(order) == list(range(48)) for order in orders)
    assert len(set(orders)) == 200


def test_every_card_comes_first_equally_often():
    cards = np.arange(12, dtype=np.uint8)
    shoe = new_shoes(cards, 1)
    shoe.counters[0] = first_counter(np.uint64(9), np.uint64(0))
    counts = np.zeros((3, 12))
    for _ in range(24_000):
        shoe.places[0] = 0
        for place in range(3):
            counts[place, int(draw(shoe, np.uint64(0)))] += 1
    chi_squared = ((counts - 2000) ** 2 / 2000).sum(axis=1)
    assert chi_squared.max() < 35  # 11 degrees of freedom: beyond this once in four thousand


def test_figures():
    seen: list[int] = []
    found = simulate(
        load("star"), 6, 3_000_000, Mimic(), seed=11, threads=2, progress=lambda rounds, _: seen.append(rounds)
    )
    assert abs(found.ev + 0.0221) < 4 * found.standard_error
    assert 1.1 < found.sd < 1.25
    assert abs(found.upcards["K"] - 0.25) < 0.002
    assert abs(found.frequencies["pontoon"] - 2 * 24 / 288 * 72 / 287) < 0.001
    assert abs(sum(found.ev_by_upcard[up] * share for up, share in found.upcards.items()) - found.ev) < 1e-9
    assert seen == sorted(seen)
    assert seen
    assert found.rounds_per_second > 0


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"decks": 5}, "star is dealt from 6, 8 packs, not 5"),
        ({"rounds": 0}, "rounds must be 1 or more"),
        ({"seed": -1}, "a seed is a whole number"),
        ({"boxes": 8}, "star has boxes 1 to 7"),
        ({"penetration": 0.95, "fresh_shoe": False}, "penetration is between"),
        ({"stake": "0.05"}, "a stake is an even number of cents"),
    ],
)
def test_what_cannot_be_simulated(wrong: dict[str, object], words: str):
    asked = {"decks": 6, "rounds": 100, **wrong}
    with pytest.raises(SimulationError, match=words):
        simulate(load("star"), strategy=Mimic(), **asked)  # type: ignore[arg-type]


def test_import_of_the_package_is_light():
    code = "import sys, pontoon, pontoon.strategy; sys.exit('numpy' in sys.modules or 'numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

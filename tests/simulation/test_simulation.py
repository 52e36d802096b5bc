"""Simulation: the counts do not depend on how they are computed, and the figures match known values."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

from pontoon.rulebook import load
from pontoon.simulation import (
    Compiled,
    Plan,
    Progress,
    Settings,
    SimulationError,
    make_plan,
    play_batch,
    run,
    simulate,
)
from pontoon.simulation.batch import plan_shoes
from pontoon.simulation.device import Cpu
from pontoon.simulation.fresh_rounds import BLOCK, KNOWN, draw_block, new_block, play_rounds
from pontoon.simulation.kernel import (
    BY_ROUND,
    BY_STREAM,
    FRESH,
    GAMMA,
    ROUND_STEP,
    STREAM_ROUNDS,
    begin_round,
    begin_stream,
    draw,
    first_counter,
    index_below,
    key_of,
    play_table_stream,
)
from pontoon.simulation.kernel_memory import game_of, new_shoes, new_sums
from tests.simulation.games import wild_game
from tests.simulation.strategies import Mimic

RULES = load("canberra")


def compiled() -> Compiled:
    return wild_game("canberra", 1, 4)


def plan(rounds: int = 3 * STREAM_ROUNDS + 100, boxes: int = 1, penetration: float = 0.0, seed: int = 3) -> Plan:
    settings = Settings(packs=6, rounds=rounds, seed=seed, boxes=boxes, penetration=penetration)
    return make_plan(compiled(), RULES, settings)


def same(first: object, second: object) -> bool:
    assert isinstance(first, tuple)
    assert isinstance(second, tuple)
    return all(np.array_equal(one, other) for one, other in zip(first, second, strict=True))


@pytest.mark.parametrize("boxes", [1, 3])
@pytest.mark.parametrize("penetration", [0.0, 0.75])
def test_counts_do_not_depend_on_threads_or_batches(boxes: int, penetration: float):
    asked = plan(200 * STREAM_ROUNDS + 1 if boxes == 1 else 5 * STREAM_ROUNDS, boxes, penetration)
    one, three = run(asked, Cpu(1)), run(asked, Cpu(3))
    assert one.distribution == three.distribution
    assert one.frequencies == three.frequencies
    assert sum(one.distribution.values()) == asked.rounds * boxes


@pytest.mark.parametrize("rulebook", ["star", "canberra"])
def test_a_block_of_rounds_counts_what_its_rounds_count_one_by_one(rulebook: str):
    game = wild_game(rulebook, 1, 4)
    asked = make_plan(game, load(rulebook), Settings(packs=6, rounds=40 * BLOCK + 3))
    key, rounds = np.uint64(key_of(np.uint64(asked.seed))), np.uint64(asked.rounds)
    counted, singly = new_sums(game), new_sums(game)
    play_rounds(game_of(game), plan_shoes(asked), new_block(game), key, (np.uint64(0), rounds), counted)
    shoes, block = plan_shoes(asked), new_block(game)
    for number in range(asked.rounds):
        numbers = np.uint64(number), np.uint64(number + 1)  # a block that is not full is played card by card
        play_rounds(game_of(game), shoes._replace(cards=shoes.order.astype(np.uint32)), block, key, numbers, singly)
    assert same(counted, singly)
    assert counted.visits.sum() == asked.rounds


def test_the_cards_of_a_block_are_the_first_different_ones_of_each_round():
    asked, start = plan(), np.uint64(12345)
    for size in (np.uint64(192), np.uint64(12)):  # with twelve cards nearly every round draws some index again
        block = new_block(asked.compiled)
        draw_block(block, start, size)
        for number in range(BLOCK):
            found: dict[int, None] = {}
            counter = (int(start) + number * int(ROUND_STEP)) % 2**64
            while len(found) < KNOWN:
                counter = (counter + int(GAMMA)) % 2**64
                found[int(index_below(np.uint64(counter), size))] = None
            assert block.indices[number::BLOCK].tolist() == list(found)


def test_streams_side_by_side_are_the_streams_one_by_one():
    asked = plan(7 * STREAM_ROUNDS)
    together = play_batch(asked, 0, 7)
    alone = [play_batch(asked, stream, 1) for stream in range(7)]
    assert same(together, tuple(np.sum(parts, axis=0) for parts in zip(*alone, strict=True)))


def test_another_seed_gives_other_rounds():
    assert run(plan(seed=3), Cpu(1)).distribution != run(plan(seed=4), Cpu(1)).distribution


@pytest.mark.parametrize(("boxes", "penetration"), [(7, 0.0), (7, 0.9), (2, 0.5)])
def test_several_boxes_count_as_in_the_plain_kernel(boxes: int, penetration: float):
    asked = plan(2 * STREAM_ROUNDS + 100, boxes, penetration)
    shoes, sums = plan_shoes(asked), new_sums(asked.compiled)
    for stream in range(3):
        begin_stream(shoes, np.uint64(0), np.uint64(asked.seed), stream, asked.rounds)
        play_table_stream(game_of(asked.compiled), shoes, np.uint64(0), boxes, sums)
    assert same(play_batch(asked, 0, 3), sums)


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


def test_a_fresh_shoe_deals_every_card_once_and_each_equally_often():
    cards = np.arange(48, dtype=np.uint8)
    shoe = new_shoes(cards, 1, dealing=FRESH)
    counts = np.zeros((3, 48))
    for number in range(2000):
        begin_round(shoe, np.uint64(0), np.uint64(7), np.uint64(number), np.uint64(number + 1))
        dealt = [int(draw(shoe, np.uint64(0))) for _ in range(96 if number < 50 else 3)]
        assert len(dealt) == 3 or sorted(dealt[:48]) == sorted(dealt[48:]) == list(range(48))
        for place, card in enumerate(dealt[:3]):
            counts[place, card] += 1
    chi_squared = ((counts - 2000 / 48) ** 2 / (2000 / 48)).sum(axis=1)
    assert chi_squared.max() < 85  # 47 degrees of freedom: beyond this once in two thousand


def test_figures():
    seen: list[int] = []

    def note(progress: Progress) -> None:
        seen.append(progress.rounds)

    found = simulate(load("star"), Mimic(), packs=6, rounds=3_000_000, seed=11, threads=2, on_progress=note)
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
        ({"packs": 5}, "star is dealt from 6, 8 packs, not 5"),
        ({"rounds": 0}, "rounds must be 1 or more"),
        ({"seed": -1}, "a seed is a whole number"),
        ({"boxes": 8}, "star has boxes 1 to 7"),
        ({"penetration": 0.95}, "penetration is between"),
        ({"stake": "0.05"}, "a stake is an even number of cents"),
        ({"stake": "ten"}, "stake 'ten': money is a decimal string"),
        ({"until_error": 0.0}, "until_error is a fraction of the first wager"),
        ({"device": "abacus"}, "device is auto, cpu, gpu, not 'abacus'"),
        ({"threads": -1}, "threads is a whole number"),
        ({"threads": 2, "device": "gpu"}, "threads are for the cores of this machine"),
        ({"threads": 2, "cluster": "tcp://x:1"}, "threads are for the cores of this machine"),
    ],
)
def test_what_cannot_be_simulated(wrong: dict[str, object], words: str):
    asked = {"packs": 6, "rounds": 100, **wrong}
    with pytest.raises(SimulationError, match=words):
        simulate(load("star"), strategy=Mimic(), **asked)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"rulebook": "star"}, "rulebook must be a Rulebook .*, not str"),
        ({"strategy": "optimal"}, "a strategy is a Strategy or a function from Situation to Action, not str"),
        ({"strategy": Mimic}, r"a strategy is an object, not a class: Mimic"),
        ({"rounds": 1e6}, "rounds must be an int, not float"),
        ({"packs": "6"}, "packs must be an int, not str"),
        ({"boxes": True}, "boxes must be an int, not bool"),
        ({"penetration": "0.5"}, "penetration must be a float, not str"),
        ({"stake": 10}, "stake must be dollars as a string, .*, not int"),
        ({"until_error": "1e-5"}, "until_error must be a float, not str"),
    ],
)
def test_wrong_types_are_refused(wrong: dict[str, object], words: str):
    asked = {"rulebook": load("star"), "strategy": Mimic(), "rounds": 100, **wrong}
    with pytest.raises(TypeError, match=words):
        simulate(**asked)  # type: ignore[arg-type]


def test_a_function_is_a_strategy():
    mimic = Mimic()
    by_function = simulate(load("star"), mimic.choose, rounds=10_000, threads=1)
    assert by_function.distribution == simulate(load("star"), mimic, rounds=10_000, threads=1).distribution
    assert (by_function.rounds, by_function.device, by_function.threads) == (10_000, "cpu", 1)


@pytest.mark.parametrize(
    ("kernel", "boxes", "penetration", "seed", "counted", "distribution"),
    [
        (BY_STREAM, 1, 0.0, 3, "433b3f124a280f84", "99fee127f48090e6"),
        (BY_STREAM, 1, 0.75, 3, "68298a093e44faa0", "ff629098e53a4c5d"),
        (BY_STREAM, 3, 0.5, 2**63 + 5, "c53dc8af6b418f95", "e58b585a61a78993"),
        (BY_ROUND, 1, 0.0, 3, "906a6418e886aaca", "74febd8d03fba34a"),
        (BY_ROUND, 1, 0.0, 2**63 + 5, "27a39945804a6108", "14f310bf88105532"),
    ],
)
def test_a_seed_keeps_its_rounds(
    kernel: int, boxes: int, penetration: float, seed: int, counted: str, distribution: str
):
    """Hashes of the counts, by stream those of 0.1.0. A change that alters them must raise `KERNEL_VERSION`."""
    settings = Settings(packs=6, rounds=2 * STREAM_ROUNDS + 100, seed=seed, boxes=boxes, penetration=penetration)
    asked = make_plan(wild_game("canberra", 1, 3), RULES, settings)._replace(kernel=kernel)
    sums = play_batch(asked, 0, 3)
    content = b"".join(np.ascontiguousarray(part, np.int64).tobytes() for part in sums)
    assert hashlib.sha256(content).hexdigest()[:16] == counted
    found = sorted(run(asked, Cpu(2)).distribution.items())
    assert hashlib.sha256(repr(found).encode()).hexdigest()[:16] == distribution


def test_import_of_the_package_is_light():
    code = "import sys, pontoon, pontoon.strategy; sys.exit('numpy' in sys.modules or 'numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

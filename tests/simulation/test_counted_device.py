"""Play by a count on a device (numba's simulator of one) gives the sums of the CPU."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pontoon.analysis.counting.tags import count_named
from pontoon.simulation.counted_play import COUNTS, KINDS, Book, Run, book_of, joined, play_on_cores
from pontoon.simulation.tables import WIDTH, Compiled
from tests.simulation.games import wild_game

PACKS, CUTS = 4, (100, 190)
"""Cards dealt before the last round of a shoe of 192: with 190 it runs out in the middle of a round."""
RUN = Run(8, 7, lambda _: None)


def games() -> list[Compiled]:
    """Different strategies, so that a wrong table shows."""
    return [wild_game("canberra", 1, 4), wild_game("canberra", 2, 4)]


def shoe(compiled: list[Compiled]) -> NDArray[np.uint8]:
    return np.array(compiled[0].classes.shoe(PACKS), np.uint8)


def book(compiled: list[Compiled]) -> Book:
    at = [(-4.0, compiled[0]), (-3.0, compiled[1])]
    return book_of(at, count_named("hi-lo").tags, PACKS, burns=True)._replace(shoes=1)


SCRIPT = """
import sys, warnings
warnings.simplefilter("ignore")  # words of the generator wrap around in threads of the simulator
import numpy as np
from pontoon.simulation.cuda_counted import play_on_device
from tests.simulation.test_counted_device import CUTS, RUN, book, games, shoe
compiled = games()
np.save(sys.argv[1], [play_on_device(compiled, book(compiled), shoe(compiled), cut, RUN) for cut in CUTS])
"""


def test_a_simulated_device_plays_by_a_count_as_the_cpu_does(tmp_path: Path):
    compiled = games()
    expected = [play_on_cores(compiled, book(compiled), shoe(compiled), cut, RUN, 1) for cut in CUTS]
    assert expected[0].reshape(len(COUNTS), KINDS)[:, 0].sum() > 100
    subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "sums.npy")],
        check=True,
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": os.pathsep.join(("src", "."))},
    )
    found = np.load(tmp_path / "sums.npy")
    assert np.array_equal(found, expected)


def test_the_joined_automaton_ends_every_round_as_that_of_the_strategy_does():
    compiled = games()
    walk = joined(compiled)
    first_end, first_split, splits = walk.bounds.tolist()
    assert first_end < sum(game.numbers.first_end for game in compiled)
    draws = np.random.default_rng(1)
    for strategy, game in enumerate(compiled):
        for _ in range(2000):
            own, state = 0, int(walk.starts[strategy])
            while own < game.numbers.first_end:
                card = int(draws.integers(game.numbers.classes))
                own, state = int(game.tables.steps[own * WIDTH + card]), int(walk.steps[state * WIDTH + card])
            if own < game.numbers.first_split:
                assert walk.nets[state - first_end] == game.end_net[own - game.numbers.first_end]
            else:
                assert walk.splits[strategy * splits + state - first_split] == own

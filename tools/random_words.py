"""The simulation's random words on standard output, for programs that test generators.

    .venv/bin/python tools/random_words.py | dieharder -a -g 200

Streams follow each other in the order a simulation plays them, each with about as many words as its rounds draw cards.
"""

from __future__ import annotations

import contextlib
import sys

import numpy as np
from numba import njit

from pontoon.simulation.kernel import GAMMA, first_counter, mix

WORDS = 48_000
"""About as many as the 8,192 rounds of a stream draw."""
STREAMS = 64


@njit
def fill(words: np.ndarray, seed: np.uint64, first: int) -> None:
    """Fill one row of `words` for each stream, starting with stream `first`."""
    for stream in range(words.shape[0]):
        counter = first_counter(seed, np.uint64(first + stream))
        for place in range(words.shape[1]):
            counter += GAMMA
            words[stream, place] = mix(counter)


def main() -> None:
    """Write words until the reader closes the pipe."""
    seed = np.uint64(sys.argv[1] if len(sys.argv) > 1 else 1)
    words = np.empty((STREAMS, WORDS), np.uint64)
    first = 0
    with contextlib.suppress(BrokenPipeError):
        while True:
            fill(words, seed, first)
            sys.stdout.buffer.write(words.tobytes())
            first += STREAMS


if __name__ == "__main__":
    main()

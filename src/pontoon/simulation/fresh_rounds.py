"""Rounds of one box, each from a fresh shoe, on a core: many at once, step by step.

The cards of a round do not depend on how it is played, so the indices of the first cards of a whole block of rounds are
drawn together; loops without branches over many rounds run in the processor's vector unit. A walk then takes the same
number of steps in every round: an end leads to itself. Nothing in it depends on how long a round is, so the processor
plays several rounds at once and has no branch to guess. Rounds that split, or need more cards, are played again from
their beginning, one by one, by kernel.py.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pontoon.simulation.jit import inlined, jit, product_above_64_bits
from pontoon.simulation.kernel import (
    GAMMA,
    MIX_1,
    MIX_2,
    ONE,
    ROUND_STEP,
    ROW,
    S27,
    S30,
    ZERO,
    Counts,
    Game,
    Shoes,
    Sums,
    Words,
    begin_round,
    play_round,
)
from pontoon.simulation.tables import WIDTH, Compiled, aligned

BLOCK = 128
"""Rounds of a block."""
KNOWN = 8
"""Cards of a round that are drawn at once: 99 of 100 rounds need no more."""
FIRST = 1
"""In `Block.repeated`, the second index of a round: the first that can repeat another."""
MOST_ROUNDS = 1 << 23
"""Rounds that can be played without removing the marks from the cards."""

Small = NDArray[np.uint16]

vector_upper_half = inlined(product_above_64_bits)
"""There is no vector instruction for the product in 128 bits."""


class Block(NamedTuple):
    """Memory for a block of rounds, and the table they walk through."""

    steps: Small
    """The kernel's `steps` with a row for each end, which leads to itself."""
    opening: Small
    """First card * WIDTH + second card -> state."""
    indices: Small
    """Indices of the cards: the first of each round of the block, the second of each, and so on."""
    repeated: NDArray[np.uint8]
    """For each round, which indices were drawn before in the same round: bit k for number k + 1, counted from 0."""
    queue: Words
    """Rounds of the block that need more work."""


def new_block(compiled: Compiled) -> Block:
    """Memory for the rounds of a compiled game."""
    numbers, steps = compiled.numbers, compiled.tables.steps
    ends = np.arange(numbers.first_end, numbers.first_split + len(compiled.tables.split_end))
    rows = steps.reshape(-1, WIDTH)
    return Block(
        aligned(np.concatenate([rows, np.repeat(ends[:, None], WIDTH, 1).astype(np.uint16)]).ravel()),
        rows[rows[0]].ravel(),
        np.zeros(KNOWN * BLOCK, np.uint16),
        np.zeros(BLOCK, np.uint8),
        np.zeros(BLOCK + 1, np.uint64),
    )


@jit
def play_rounds(
    game: Game, shoes: Shoes, block: Block, key: np.uint64, numbers: tuple[np.uint64, np.uint64], sums: Sums
) -> None:
    """Play the rounds from the first number to before the second, at most `MOST_ROUNDS`."""
    first, end = numbers
    number = first
    while number < end:
        rounds = min(np.uint64(BLOCK), end - number)
        if rounds == np.uint64(BLOCK):
            draw_block(block, key + number * ROUND_STEP, shoes.size)
            queued = walk_block(block, shoes.order, sums.visits, game.numbers.first_end, game.numbers.first_split)
        else:
            queued = queue_all(block, rounds)
        for place in range(queued):
            alone = number + block.queue[np.uint64(place)]
            begin_round(shoes, ZERO, key, alone, alone - first + ONE)
            play_round(game, shoes, ZERO, sums)
        number += rounds


@jit
def draw_block(block: Block, start: np.uint64, size: np.uint64) -> None:
    """Draw the first cards of every round of a block, without repetition."""
    draw_indices(block, start, size)
    find_repeated(block)
    for place in range(queue_repeated(block)):
        number = block.queue[np.uint64(place)]
        if not replace_repeated(block, number, start, size):
            draw_distinct(block, number, start, size)


@jit
def queue_all(block: Block, rounds: np.uint64) -> np.uint64:
    """Queue all rounds of a block that is not full."""
    for number in range(rounds):
        block.queue[np.uint64(number)] = np.uint64(number)
    return rounds


@inlined
def index_below(counter: np.uint64, size: np.uint64) -> np.uint64:
    """The same as `kernel.index_below`, for a loop in the vector unit."""
    mixed = (counter ^ (counter >> S30)) * MIX_1
    return vector_upper_half((mixed ^ (mixed >> S27)) * MIX_2, size)  # type: ignore[no-any-return]


@jit
def draw_indices(block: Block, start: np.uint64, size: np.uint64) -> None:
    """Draw the first indices of every round of a block."""
    indices = block.indices
    for card in range(KNOWN):
        counter = start + np.uint64(card + 1) * GAMMA
        here = np.uint64(card * BLOCK)
        for number in range(BLOCK):
            indices[here + np.uint64(number)] = index_below(counter + np.uint64(number) * ROUND_STEP, size)


@jit
def find_repeated(block: Block) -> None:
    """Find the rounds in which indices were drawn twice; written out, because only then it is vectorised."""
    indices, repeated = block.indices, block.repeated
    for number in range(BLOCK):
        a, b, c, d = indices[number], indices[BLOCK + number], indices[2 * BLOCK + number], indices[3 * BLOCK + number]
        e, f = indices[4 * BLOCK + number], indices[5 * BLOCK + number]
        g, h = indices[6 * BLOCK + number], indices[7 * BLOCK + number]
        found = FIRST if b == a else 0
        found |= FIRST << 1 if (c == a) | (c == b) else 0
        found |= FIRST << 2 if (d == a) | (d == b) | (d == c) else 0
        found |= FIRST << 3 if (e == a) | (e == b) | (e == c) | (e == d) else 0
        found |= FIRST << 4 if (f == a) | (f == b) | (f == c) | (f == d) | (f == e) else 0
        found |= FIRST << 5 if (g == a) | (g == b) | (g == c) | (g == d) | (g == e) | (g == f) else 0
        found |= FIRST << 6 if (h == a) | (h == b) | (h == c) | (h == d) | (h == e) | (h == f) | (h == g) else 0
        repeated[number] = found


@jit
def queue_repeated(block: Block) -> np.uint64:
    """Queue the rounds in which indices were drawn twice; return their number."""
    queued = ZERO
    for number in range(BLOCK):
        block.queue[queued] = np.uint64(number)
        queued += np.uint64(block.repeated[np.uint64(number)] != 0)
    return queued


@inlined
def replace_repeated(block: Block, number: np.uint64, start: np.uint64, size: np.uint64) -> bool:
    """Remove the repeated index of a round and draw another; False if that leaves a repeated one, which is rare."""
    indices, repeated = block.indices, np.uint64(block.repeated[number])
    if repeated & (repeated - ONE):
        return False
    index = np.uint16(index_below(start + number * ROUND_STEP + np.uint64(KNOWN + 1) * GAMMA, size))
    found = indices[number] == index
    for card in range(1, KNOWN - 1):
        later = np.uint64(repeated < np.uint64(FIRST << card))  # the repeated index is this one or before it
        kept = indices[(np.uint64(card) + later) * np.uint64(BLOCK) + number]
        indices[np.uint64(card * BLOCK) + number] = kept
        found |= kept == index
    indices[np.uint64((KNOWN - 1) * BLOCK) + number] = index
    return not found


@jit
def draw_distinct(block: Block, number: np.uint64, start: np.uint64, size: np.uint64) -> None:
    """Draw the indices of a round one by one, without those that are repeated."""
    indices = block.indices
    counter, known = start + number * ROUND_STEP, 0
    while known < KNOWN:
        counter += GAMMA
        index = np.uint16(index_below(counter, size))
        indices[np.uint64(known * BLOCK) + number] = index
        known += is_new(indices, number, index, known)


@inlined
def is_new(indices: Small, number: np.uint64, index: np.uint16, known: int) -> int:
    """1 if an index is not among the first `known` of a round, otherwise 0."""
    found = False
    for card in range(KNOWN):
        found |= (indices[np.uint64(card * BLOCK) + number] == index) & (card < known)
    return 0 if found else 1


@jit
def walk_block(block: Block, order: NDArray[np.uint8], visits: Counts, end: int, split: int) -> np.uint64:
    """Take the known steps of every round, count the ends and queue the rounds that are not finished.

    `end` and `split` are the first states that are ends and splits.
    """
    steps, opening, indices, queue = block.steps, block.opening, block.indices, block.queue
    first_end, first_split, queued = np.uint64(end), np.uint64(split), ZERO
    for place in range(BLOCK):
        number = np.uint64(place)
        first = np.uint64(order[indices[number]])
        state = np.uint64(opening[(first << ROW) | np.uint64(order[indices[np.uint64(BLOCK) + number]])])
        for card in range(2, KNOWN):
            index = indices[np.uint64(card * BLOCK) + number]
            state = np.uint64(steps[(state << ROW) | np.uint64(order[index])])
        over = (state >= first_end) & (state < first_split)
        visits[state] += np.int64(over)
        queue[queued] = number
        queued += np.uint64(not over)
    return queued

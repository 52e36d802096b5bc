"""Counted play on a CUDA device or in numba's simulator of one: the loop of counted_play.py, one stream per thread.

The source of counted_play.py is loaded a second time with its functions compiled for the device. The tables of the
strategies are stacked, one row for each, and read only by rounds that split. The thread's shoe is in shared memory, and
the sums by true count are added up there for each block.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from pontoon.simulation import counted_play, jit
from pontoon.simulation.counted_play import Book, Run, Walk
from pontoon.simulation.cuda import (
    SIMULATED,
    WARP,
    WORD,
    Device,
    allow_shared,
    atomic_count,
    cuda,
    read_kernel,
    shared_memory,
)
from pontoon.simulation.kernel import NOTES, SHUFFLED, ZERO, Game, Shoes, Sums
from pontoon.simulation.tables import Compiled, Numbers, Tables

THREADS = 512
LAUNCH = 1 << 18
"""Streams of one launch: at least 200 shoes each."""


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def strategy_game(games: Device, number: Device) -> Device:
    """The tables of one strategy: a row of each stack."""
    tables, numbers = games
    return Game(
        Tables(
            tables[0][number],
            tables[1][number],
            tables[2][number],
            tables[3][number],
            tables[4][number],
            tables[5][number],
            tables[6][number],
            tables[7][number],
            tables[8][number],
            tables[9][number],
            tables[10][number],
            tables[11][number],
            tables[12][number],
            tables[13][number],
            tables[14][number],
            tables[15][number],
            tables[16][number],
            tables[17][number],
            tables[18][number],
            tables[19][number],
            tables[20][number],
            tables[21][number],
            tables[22][number],
            tables[23][number],
        ),
        Numbers(
            numbers[number, 0],
            numbers[number, 1],
            numbers[number, 2],
            numbers[number, 3],
            numbers[number, 4],
            numbers[number, 5],
            numbers[number, 6],
            numbers[number, 7],
            numbers[number, 8],
            numbers[number, 9],
            numbers[number, 10],
            numbers[number, 11],
            numbers[number, 12],
            numbers[number, 13],
        ),
    )


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def count_nothing(_: Device, __: Device, ___: Device) -> None:
    """Ends, labels and totals are not counted here."""


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def count_no_net(_: Device, __: Device, ___: Device, ____: Device) -> None:
    """Nets by upcard are not counted here."""


@cache
def device_loop() -> Any:  # noqa: ANN401 a kernel of numba
    """The kernel to launch."""
    rounds: Any = read_kernel()
    rounds.count = rounds.count_end = rounds.count_label = count_nothing
    rounds.count_net = count_no_net
    spec = importlib.util.spec_from_file_location("pontoon.simulation.counted_on_device", counted_play.__file__)
    assert spec is not None
    assert spec.loader is not None
    loop: Any = importlib.util.module_from_spec(spec)
    with jit.for_device():
        spec.loader.exec_module(loop)
    for name in ("begin_stream", "draw", "finish_split"):
        setattr(loop, name, getattr(rounds, name))
    loop.strategy_game, loop.count = strategy_game, atomic_count
    play_counted = loop.play_counted

    @cuda.jit  # type: ignore[untyped-decorator]
    def play(games: Device, shoe: Device, book: Device, seed: int, first: int, streams: int) -> None:
        order, size, cut, stride = shoe
        tags, start, which, openings, burns, total, walk, number = book
        thread, threads = cuda.threadIdx.x, cuda.blockDim.x
        places_of_sums = total.shape[0]
        sums = cuda.shared.array(0, types.int64)[:places_of_sums]
        for place in range(thread, places_of_sums, threads):
            sums[place] = 0
        cuda.syncthreads()
        begin = 8 * places_of_sums + thread * stride
        cards = cuda.shared.array(0, types.uint8)[begin : begin + stride]
        places = cuda.local.array(1, types.uint64)
        counters = cuda.local.array(1, types.uint64)
        states = cuda.local.array(1, types.uint64)
        left = cuda.local.array(1, types.int64)
        notes = cuda.local.array(NOTES, types.int64)
        own = Shoes(order, cards, size, cut, ZERO, SHUFFLED, places, counters, states, left, counters, notes)
        if cuda.grid(1) < streams:
            counted = Book(tags, start, which, openings, burns, sums, walk, number)
            unused = Sums(sums, sums, sums, sums)
            play_counted(games, own, counted, unused, seed, first + cuda.grid(1))
        cuda.syncthreads()
        for place in range(thread, places_of_sums, threads):
            if sums[place]:
                cuda.atomic.add(total, place, sums[place])

    return play


def stacked(parts: Sequence[NDArray[Any]]) -> Device:
    """Arrays of different lengths as the rows of one on the device."""
    wide = max(len(part) for part in parts)
    rows = np.zeros((len(parts), max(wide, 1)), np.result_type(*parts))
    for row, part in zip(rows, parts, strict=True):
        row[: len(part)] = part
    return cuda.to_device(rows)


def play_on_device(
    strategies: Sequence[Compiled], book: Book, cards: NDArray[np.uint8], cut: int, run: Run
) -> NDArray[np.int64]:
    """Play the streams of a run: the same sums as on the CPU."""
    play = device_loop()
    games = (
        tuple(stacked(tables) for tables in zip(*(game.tables for game in strategies), strict=True)),
        cuda.to_device(np.array([tuple(game.numbers) for game in strategies], np.int64)),
    )
    stride = (len(cards) // WORD | 1) * WORD
    fixed = 8 * len(book.sums)
    threads = min(THREADS, (shared_memory() - fixed) // stride // WARP * WARP)
    shoe = (cuda.to_device(cards), np.uint64(len(cards)), np.uint64(cut), stride)
    total = cuda.to_device(np.zeros(len(book.sums), np.int64))
    walk = Walk(*(cuda.to_device(part) for part in book.walk))
    tags, which, openings = (cuda.to_device(part) for part in (book.tags, book.which, book.openings))
    place = (tags, book.start, which, openings, book.burns, total, walk, book.shoes)
    for first in range(0, run.streams, LAUNCH):
        streams = min(LAUNCH, run.streams - first)
        arguments = (games, shoe, place, np.uint64(run.seed), first, streams)
        allow_shared(play, arguments, fixed + threads * stride)
        used = min(threads, streams) if SIMULATED else threads
        play[-(-streams // used), used, 0, fixed + threads * stride](*arguments)
        run.progress(min(1.0, (first + streams) / run.streams))
    found: NDArray[np.int64] = total.copy_to_host()
    return found

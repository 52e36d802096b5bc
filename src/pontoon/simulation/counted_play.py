"""Whole shoes played by a count: a strategy for each range of true counts, chosen when a round begins.

Each strategy is compiled to its own automaton. Here only the net of a round matters, so most of their states are equal;
all automata become one (`Walk`), with an initial state for each strategy, which the true count chooses. On a core
several streams are played side by side (`play_side_by_side`), on a device one per thread (`play_counted`).

The count is that of the cards seen before the round, so the cards of the round itself, which a player would also see,
do not change the decision: the gain of the indices is a little understated.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pontoon.cards import PACK
from pontoon.rulebook import Rulebook
from pontoon.simulation.device import on_gpu
from pontoon.simulation.jit import count, inlined, jit
from pontoon.simulation.kernel import (
    DROPPED,
    GAMMA,
    KEPT,
    LANES,
    MOST_BOXES,
    NET,
    NOTES,
    ONE,
    ROW,
    ZERO,
    Counts,
    Game,
    Shoes,
    Sums,
    begin_stream,
    draw,
    finish_split,
    mix,
)
from pontoon.simulation.kernel_memory import game_of, new_shoes
from pontoon.simulation.tables import WIDTH, Compiled, aligned

FARTHEST = 40
"""True counts are recorded from minus this to plus this; those beyond are recorded at the limit."""
SHOES, STREAMS = 200, 4
"""Shoes in a stream of random numbers; streams in a batch, which one thread plays."""
CARDS_A_ROUND = 5.5
COUNTS = np.arange(-FARTHEST, FARTHEST + 1)
ROUNDS, WON, SQUARED, KINDS = range(4)
PACK_CARDS = len(PACK)


class AtCount(Struct, frozen=True):
    """The rounds at one true count, in units of the bet."""

    true_count: int
    rounds: int
    share: float
    ev: float
    error: float
    """Standard error of `ev`."""
    sd: float


class Run(NamedTuple):
    """How much to play, and where progress is reported."""

    streams: int
    seed: int
    progress: Callable[[float], None]


class Walk(NamedTuple):
    """The automata of all strategies as one, equal states merged."""

    steps: NDArray[np.uint16]
    """As in `Tables`: from `bounds[0]` on states are ends, from `bounds[1]` on splits."""
    starts: Counts
    """The initial state of each strategy."""
    bounds: Counts
    """The first state that is an end, the first that is a split, and the number of splits."""
    nets: Counts
    """End -> net in cents."""
    splits: Counts
    """Strategy * number of splits + split -> the state in which the strategy's own automaton splits."""


class Book(NamedTuple):
    """What the loop reads about the count, and where it adds."""

    tags: Counts
    start: int
    """Running count of a fresh shoe."""
    which: Counts
    """True count, from the lowest -> number of the strategy."""
    burns: bool
    """Whether the first card of a shoe is burned, unseen."""
    sums: Counts
    """By true count and kind, flattened."""
    walk: Walk
    shoes: int = SHOES
    """Shoes in a stream."""


class Own(NamedTuple):
    """For each lane: running count, cards dealt when the round began, and the place of its true count in the sums."""

    running: Counts
    begun: Counts
    near: Counts


@inlined
def strategy_game(games: tuple[Game, ...], number: int) -> Game:
    """The tables of one strategy; cuda_counted.py replaces this, since a device has them stacked."""
    return games[number]


@inlined
def near_count(running: Any, unseen: Any) -> Any:  # noqa: ANN401 numba's integers
    """The place of the true count in the sums."""
    true = (2 * PACK_CARDS * running + unseen) // (2 * unseen)
    return min(max(true, -FARTHEST), FARTHEST) + FARTHEST


@inlined
def add_up(sums: Counts, near: Any, rounds: Any, net: Any, squares: Any) -> None:  # noqa: ANN401 numba's integers
    """Add rounds at one true count to the sums."""
    if rounds:
        count(sums, near * KINDS + ROUNDS, rounds)
        count(sums, near * KINDS + WON, net)
        count(sums, near * KINDS + SQUARED, squares)


@jit
def play_counted(games: tuple[Game, ...], shoes: Shoes, book: Book, sums: Sums, seed: np.uint64, stream: int) -> None:
    """Play the shoes of one stream, round by round."""
    begin_stream(shoes, ZERO, seed, stream, 1)
    size, steps = np.int64(shoes.size), book.walk.steps
    first_end, first_split, splits = np.uint64(book.walk.bounds[0]), book.walk.bounds[1], book.walk.bounds[2]
    burned = 1 if book.burns else 0
    held: Any = np.int64(0)
    rounds, net, squares = np.int64(0), np.int64(0), np.int64(0)
    for _ in range(book.shoes):
        running = book.start
        if burned:
            draw(shoes, ZERO)
        while True:
            before = np.int64(shoes.places[ZERO])
            near = near_count(running, size - before + burned)
            number = book.which[near]
            state = np.uint64(book.walk.starts[number])
            while state < first_end:
                state = np.uint64(steps[(state << ROW) + np.uint64(draw(shoes, ZERO))])
            end = np.int64(state)
            if end < first_split:
                won = book.walk.nets[end - np.int64(first_end)]
            else:
                own = np.uint64(book.walk.splits[number * splits + end - first_split])
                finish_split(strategy_game(games, number), shoes, ZERO, own, sums)
                won = np.int64(shoes.notes[NET])
            if near != held:  # added up while the true count stays: on a GPU an addition is expensive
                add_up(book.sums, held, rounds, net, squares)
                held, rounds, net, squares = near, np.int64(0), np.int64(0), np.int64(0)
            rounds += 1
            net += won
            squares += won * won
            after = np.int64(shoes.places[ZERO])
            if after < before or after >= np.int64(shoes.cut):  # the shoe ran out and was refilled, or it is over
                shoes.places[ZERO] = ZERO
                break
            for dealt in range(before, after):
                running += book.tags[shoes.cards[dealt]]
    add_up(book.sums, held, rounds, net, squares)


@jit
def play_side_by_side(  # noqa: C901, PLR0913, PLR0915, PLR0917 one loop; the tables, the shoes, the count
    games: tuple[Game, ...], shoes: Shoes, book: Book, own: Own, sums: Sums, seed: np.uint64, first: int
) -> None:
    """Play a stream in every lane, from stream `first` on, a card for each per step: the sums of `play_counted`."""
    steps, tags, size = book.walk.steps, book.tags, np.int64(shoes.size)
    cards, places, counters, states, left = shoes.cards, shoes.places, shoes.counters, shoes.states, shoes.left
    running, begun, near, last = own.running, own.begun, own.near, shoes.size
    first_end, first_split, splits = np.uint64(book.walk.bounds[0]), np.uint64(book.walk.bounds[1]), book.walk.bounds[2]
    burned = 1 if book.burns else 0
    fresh = np.int64(near_count(book.start, size))
    playing = LANES
    for number in range(LANES):
        lane = np.uint64(number)
        begin_stream(shoes, lane, seed, first + number, 1)
        left[lane] = book.shoes
        if burned:
            draw(shoes, lane)
        running[lane], near[lane] = book.start, fresh
        begun[lane] = np.int64(places[lane])
        states[lane] = np.uint64(book.walk.starts[book.which[fresh]])
    while playing:
        for number in range(LANES):
            lane = np.uint64(number)
            if left[lane] == 0:
                continue
            place = places[lane]
            if place >= last:
                place = ZERO
            counter = counters[lane] + GAMMA
            counters[lane] = counter
            here = lane * last + place
            there = here + (((mix(counter) >> DROPPED) * (last - place)) >> KEPT)
            card = cards[there]
            cards[there] = cards[here]
            cards[here] = card
            places[lane] = place + ONE
            state = np.uint64(steps[(states[lane] << ROW) | np.uint64(card)])
            states[lane] = state
            running[lane] += tags[card]
            if state < first_end:
                continue
            at = near[lane]
            if state < first_split:
                won = book.walk.nets[state - first_end]
            else:
                strategy = book.which[at]
                behind = places[lane]
                split = np.uint64(book.walk.splits[np.uint64(strategy * splits) + state - first_split])
                finish_split(strategy_game(games, strategy), shoes, lane, split, sums)
                won = shoes.notes[np.int64(lane) * MOST_BOXES * NOTES + NET]
                for dealt in range(behind, places[lane]):
                    running[lane] += tags[cards[lane * last + np.uint64(dealt)]]
            add_up(book.sums, at, 1, won, won * won)
            after = np.int64(places[lane])
            if after < begun[lane] or after >= np.int64(shoes.cut):
                left[lane] -= 1
                playing -= 1 if left[lane] == 0 else 0
                places[lane], running[lane] = ZERO, book.start
                if burned:
                    draw(shoes, lane)
                after = np.int64(places[lane])
            begun[lane] = after
            at = np.int64(near_count(running[lane], size - after + burned))
            near[lane] = at
            states[lane] = np.uint64(book.walk.starts[book.which[at]])


def play_by_count(  # noqa: PLR0913 the strategies, and keyword choices of the caller
    strategies: Sequence[tuple[float, Compiled]],
    rules: Rulebook,
    packs: int,
    *,
    tags: Mapping[str, int],
    penetration: float,
    rounds: int,
    seed: int = 1,
    threads: int = 0,
    device: str = "cpu",
    progress: Callable[[float], None] = lambda _: None,
) -> tuple[AtCount, ...]:
    """Play about `rounds` rounds in whole shoes; return the results by true count.

    `strategies` are true counts with the game compiled for each; a round is played by the nearest. The running count
    starts at minus the sum of the tags of a pack for every pack. Cores and GPU (`device`) give the same sums.
    """
    games = [game for _, game in strategies]
    cards = np.array(games[0].classes.shoe(packs), np.uint8)
    cut = int(penetration * len(cards))
    batches = max(2, round(rounds * CARDS_A_ROUND / (cut * SHOES * STREAMS)))
    book = book_of(strategies, tags, packs, burns=rules.shoe.burn_first)
    run = Run(batches * STREAMS, seed, progress)
    if on_gpu(device, threads):
        from pontoon.simulation.cuda_counted import play_on_device  # noqa: PLC0415 only if there is a GPU

        total = play_on_device(games, book, cards, cut, run)
    else:
        total = play_on_cores(games, book, cards, cut, run, threads)
    return _results(COUNTS, total.reshape(len(COUNTS), KINDS), games[0].stake)


def book_of(strategies: Sequence[tuple[float, Compiled]], tags: Mapping[str, int], packs: int, *, burns: bool) -> Book:
    """What the loop reads about a count, and room for its sums."""
    nearest = [min(range(len(strategies)), key=lambda n: abs(strategies[n][0] - at)) for at in COUNTS.tolist()]
    return Book(
        np.array([tags[card[0]] for card in strategies[0][1].classes.cards], np.int64),
        -packs * 4 * sum(tags.values()),
        np.array(nearest, np.int64),
        burns,
        np.zeros(len(COUNTS) * KINDS, np.int64),
        joined([game for _, game in strategies]),
    )


def joined(games: Sequence[Compiled]) -> Walk:
    """The automata of several strategies as one.

    States with equal rows are equal. To find them, all states are taken for equal at first, and those whose cards lead
    to different ones are told apart until there are none left.
    """
    nets = sorted({int(net) for game in games for net in game.end_net})
    keys = [_split_keys(game) for game in games]
    splits = {key: number for number, key in enumerate(dict.fromkeys(key for row in keys for key in row))}
    rows, starts, size = [], [], 0
    for game, own in zip(games, keys, strict=True):
        end, ends = game.numbers.first_end, np.array([nets.index(int(net)) for net in game.end_net], np.int64)
        others = np.array([len(nets) + splits[key] for key in own], np.int64)
        target = np.concatenate([np.arange(size, size + end), -1 - ends, -1 - others])
        rows.append(target[game.tables.steps.reshape(-1, WIDTH)[:end]])
        starts.append(size)
        size += end
    every = np.concatenate(rows)
    state, count_before = np.zeros(size, np.int64), 0
    while True:
        led = np.where(every < 0, every, state[every])
        known: dict[bytes, int] = {}
        state = np.array([known.setdefault(row.tobytes(), len(known)) for row in led], np.int64)
        if len(known) == count_before:
            break
        count_before = len(known)
    steps = np.zeros((len(known), WIDTH), np.int64)
    steps[state] = np.where(led < 0, len(known) - 1 - led, led)
    most = len(known) + len(nets) + len(splits)
    assert most <= np.iinfo(np.uint16).max, f"{most} states"
    found = np.zeros((len(games), len(splits)), np.int64)
    for strategy, (game, own) in enumerate(zip(games, keys, strict=True)):
        found[strategy, [splits[key] for key in own]] = game.numbers.first_split + np.arange(len(own))
    bounds = np.array([len(known), len(known) + len(nets), len(splits)], np.int64)
    walk = aligned(steps.ravel().astype(np.uint16))
    return Walk(walk, state[starts], bounds, np.array(nets, np.int64), found.ravel())


def _split_keys(game: Compiled) -> list[tuple[int, ...]]:
    """The splits of a game, regardless of how its ends are numbered."""
    tables = game.tables
    parts = (tables.end_first, tables.end_second, tables.end_up, tables.end_insured, tables.end_bars)
    return [tuple(int(part[end]) for part in parts) for end in tables.split_end]


def play_on_cores(
    compiled: Sequence[Compiled], book: Book, cards: NDArray[np.uint8], cut: int, run: Run, threads: int
) -> NDArray[np.int64]:
    """Play the streams of a run on the cores of this machine; return the sums."""
    games = tuple(game_of(game) for game in compiled)

    def batch(number: int) -> NDArray[np.int64]:
        counted = book._replace(sums=np.zeros_like(book.sums))
        shoes, scratch = new_shoes(cards, cut=cut), unread_sums(compiled)
        own = Own(*(np.zeros(LANES, np.int64) for _ in Own._fields))
        with np.errstate(over="ignore"):
            for stream in range(number * STREAMS, (number + 1) * STREAMS, LANES):
                play_side_by_side(games, shoes, counted, own, scratch, np.uint64(run.seed), stream)
        return counted.sums

    batches = run.streams // STREAMS
    total = np.zeros_like(book.sums)
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for done, sums in enumerate(pool.map(batch, range(batches)), 1):
            total += sums
            run.progress(done / batches)
    return total


def unread_sums(games: Sequence[Compiled]) -> Sums:
    """Counts that the kernel keeps but no one reads, large enough for every strategy."""
    return Sums(
        np.zeros(max(game.numbers.first_split + len(game.tables.split_end) for game in games), np.int64),
        np.zeros(max(game.numbers.upcards * game.numbers.nets for game in games), np.int64),
        np.zeros(max(game.numbers.labels for game in games), np.int64),
        np.zeros(3, np.int64),
    )


def _results(counts: NDArray[np.int64], total: NDArray[np.int64], stake: int) -> tuple[AtCount, ...]:
    every = int(total[:, ROUNDS].sum())
    found = []
    for at, (rounds, won, squared) in zip(counts.tolist(), total.tolist(), strict=True):
        if rounds:
            ev = won / rounds / stake
            sd = math.sqrt(max(squared / rounds / stake**2 - ev * ev, 0.0))
            found.append(AtCount(at, rounds, rounds / every, ev, sd / math.sqrt(rounds), sd))
    return tuple(found)

"""Whole shoes played by a count: a strategy for each range of true counts, chosen when a round begins.

Each strategy is compiled to its own automaton. Here only the net of a round matters, so most of their states are equal;
all automata become one (`Walk`), with an initial state for each strategy, which the true count chooses. On a device one
stream is played per thread (`play_counted`), on a core several side by side (`play_side_by_side`): the shoe is shuffled
and its true counts are found before it is played, so that no branch but that for a split depends on the cards.

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
    AHEAD,
    DROPPED,
    GAMMA,
    KEPT,
    LANES,
    MOST_BOXES,
    NET,
    NOTES,
    ONE,
    ROW,
    TWO,
    ZERO,
    Counts,
    Game,
    Shoes,
    Sums,
    Words,
    begin_stream,
    draw,
    finish_split,
    mix,
)
from pontoon.simulation.kernel_memory import game_of, new_shoes
from pontoon.simulation.tables import WIDTH, Compiled, aligned

FARTHEST = 40
"""True counts are recorded from minus this to plus this; those beyond are recorded at the limit."""
SHOES, STREAMS, TASK = 200, 4, 32
"""Shoes in a stream of random numbers; a run has a multiple of so many streams; streams that a thread takes at once."""
CARDS_A_ROUND = 5.5
COUNTS = np.arange(-FARTHEST, FARTHEST + 1)
ROUNDS, WON, SQUARED, KINDS = range(4)
PACK_CARDS = len(PACK)
SCALE = 32
"""Bits of the inverses by which true counts are found."""
LOWER, STATE = np.uint64(16), np.uint64(0xFFFF)
"""A lane's state is below this bit; above it is the row of `Ahead.rounds` in which its round is counted."""


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
    openings: NDArray[np.uint32]
    """True count, from the lowest -> its row of `Ahead.rounds` from bit `LOWER` on; below, the initial state."""
    burns: bool
    """Whether the first card of a shoe is burned, unseen."""
    sums: Counts
    """By true count and kind, flattened."""
    walk: Walk
    shoes: int = SHOES
    """Shoes in a stream."""


class Ahead(NamedTuple):
    """What is worked out for the cards of each lane's shoe before they are dealt, and where rounds are counted."""

    swaps: Words
    """Cards dealt -> how far behind is the card to be dealt next; of one shoe at a time, like the next."""
    running: Counts
    """Cards dealt -> running count."""
    inverse: Counts
    """Cards dealt -> 2**`SCALE` / (2 * cards unseen), rounded up: a multiplication is faster than a division."""
    openings: NDArray[np.uint32]
    """Lane * (cut + 1) + cards dealt -> how a round begins there: an entry of `Book.openings`."""
    begun: Words
    """Lane -> the generator's counter when its shoe was begun."""
    rounds: Counts
    """True count * number of nets + net -> rounds; the first `LANES` entries are for states that are no end."""


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
            state = np.uint64(book.openings[near]) & STATE
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


@inlined
def shuffle_ahead(shoes: Shoes, lane: np.uint64, book: Book, ahead: Ahead) -> None:
    """Shuffle a lane's shoe up to the cutting card, since those cards will all be dealt, and find the true counts.

    The order is the one in which `draw` would deal them.
    """
    cards, tags, running, size, cut = shoes.cards, book.tags, ahead.running, shoes.size, shoes.cut
    counter, first, total = shoes.counters[lane], lane * size, book.start
    for number in range(np.int64(cut)):
        place = np.uint64(number)
        word = mix(counter + (place + ONE) * GAMMA) >> DROPPED
        ahead.swaps[place] = (word * (size - place)) >> KEPT
    for number in range(np.int64(cut)):
        place = np.uint64(number)
        here = first + place
        there = here + ahead.swaps[place]
        card = cards[there]
        cards[there] = cards[here]
        cards[here] = card
        total += tags[np.uint64(card)]
        running[place + ONE] = total
    running[ZERO] = book.start
    burned = ONE if book.burns else ZERO
    unseen_tag = running[burned] - book.start
    for number in range(np.int64(cut + ONE)):
        place = np.uint64(number)
        twice = np.int64(TWO * (size - place + burned))
        shifted = 2 * PACK_CARDS * (running[place] - unseen_tag) + twice // 2 + twice * FARTHEST
        near = (min(max(shifted, 0), twice * 2 * FARTHEST) * ahead.inverse[place]) >> SCALE
        ahead.openings[lane * (cut + ONE) + place] = book.openings[np.uint64(near)]


@inlined
def begin_shoe(shoes: Shoes, lane: np.uint64, book: Book, ahead: Ahead) -> None:
    """Shuffle a lane's shoe and begin its first round."""
    ahead.begun[lane] = shoes.counters[lane]
    shuffle_ahead(shoes, lane, book, ahead)
    shoes.marks[lane], shoes.left[lane] = shoes.cut, 1
    shoes.places[lane] = ONE if book.burns else ZERO
    begin_round(shoes, lane, ahead)


@inlined
def begin_round(shoes: Shoes, lane: np.uint64, ahead: Ahead) -> None:
    """Begin a round by the strategy for the true count."""
    shoes.states[lane] = np.uint64(ahead.openings[lane * (shoes.cut + ONE) + shoes.places[lane]])


@inlined
def end_split(games: tuple[Game, ...], shoes: Shoes, lane: np.uint64, book: Book, ahead: Ahead, sums: Sums) -> None:
    """Play the hands of a lane's split, add up its round, and begin the next unless the shoe is over."""
    state, before = shoes.states[lane], shoes.places[lane]
    near = (np.int64(state >> LOWER) - LANES) // len(book.walk.nets)
    number = book.which[near]
    split = book.walk.splits[number * book.walk.bounds[2] + np.int64(state & STATE) - book.walk.bounds[1]]
    finish_split(strategy_game(games, number), shoes, lane, np.uint64(split), sums)
    won = shoes.notes[np.int64(lane) * MOST_BOXES * NOTES + NET]
    add_up(book.sums, near, 1, won, won * won)
    if before <= shoes.places[lane] < shoes.cut:
        begin_round(shoes, lane, ahead)
    else:  # the cutting card came, or the shoe ran out and was refilled
        shoes.left[lane] = 0


@inlined
def finish_shoe(games: tuple[Game, ...], shoes: Shoes, lane: np.uint64, book: Book, ahead: Ahead, sums: Sums) -> None:
    """Play a lane to the end of its shoe, round by round."""
    steps, places, first, cut = book.walk.steps, shoes.places, lane * shoes.size, shoes.cut
    first_end, first_split = np.uint64(book.walk.bounds[0]), np.uint64(book.walk.bounds[1])
    while shoes.left[lane]:
        place, row, state = places[lane], shoes.states[lane] >> LOWER, shoes.states[lane] & STATE
        while state < first_end and place < cut:
            state = np.uint64(steps[(state << ROW) | np.uint64(shoes.cards[first + place])])
            place += ONE
        places[lane], shoes.counters[lane] = place, ahead.begun[lane] + place * GAMMA
        while state < first_end:
            state = np.uint64(steps[(state << ROW) | np.uint64(draw(shoes, lane))])
        if state >= first_split:
            shoes.states[lane] = (row << LOWER) | state
            end_split(games, shoes, lane, book, ahead, sums)
            continue
        ahead.rounds[row + state - first_end] += 1
        if places[lane] == place < cut:
            begin_round(shoes, lane, ahead)
        else:
            shoes.left[lane] = 0


@inlined
def deal_side_by_side(games: tuple[Game, ...], shoes: Shoes, book: Book, ahead: Ahead, sums: Sums) -> None:
    """Deal a card to every lane per step, without a branch at the end of a round, until one is at its cutting card."""
    steps, openings, rounds = book.walk.steps, ahead.openings, ahead.rounds
    cards, places, states, size, last = shoes.cards, shoes.places, shoes.states, shoes.size, shoes.cut - ONE
    first_end, first_split = np.uint64(book.walk.bounds[0]), np.uint64(book.walk.bounds[1])
    while True:
        farthest = ZERO
        for number in range(LANES):
            farthest = max(farthest, places[number] if shoes.left[number] else last)
        if farthest >= last:
            break
        splits = False
        for _ in range(np.int64(last - farthest)):
            for number in range(LANES):
                lane = np.uint64(number)
                place, held = places[lane], states[lane]
                card = np.uint64(cards[lane * size + place])
                state = np.uint64(steps[((held & STATE) << ROW) | card])
                place += ONE
                opening = np.uint64(openings[lane * (last + TWO) + place])
                row = held >> LOWER
                over = state >= first_end
                if state >= first_split:
                    places[lane], states[lane] = place, (row << LOWER) | state
                    shoes.counters[lane] = ahead.begun[lane] + place * GAMMA
                    end_split(games, shoes, lane, book, ahead, sums)
                    splits = True
                    continue
                rounds[row + state - first_end if over else lane] += 1
                places[lane] = place
                states[lane] = opening if over else (row << LOWER) | state
            if splits:
                break


@jit
def play_side_by_side(  # noqa: PLR0913, PLR0917 the tables, the shoes, the count
    games: tuple[Game, ...], shoes: Shoes, book: Book, ahead: Ahead, sums: Sums, seed: np.uint64, first: int
) -> None:
    """Play a stream in every lane, from stream `first` on: the sums of `play_counted`."""
    for number in range(LANES):
        begin_stream(shoes, np.uint64(number), seed, first + number, 1)
    for _ in range(book.shoes):
        for number in range(LANES):
            begin_shoe(shoes, np.uint64(number), book, ahead)
        deal_side_by_side(games, shoes, book, ahead, sums)
        for number in range(LANES):
            finish_shoe(games, shoes, np.uint64(number), book, ahead, sums)


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
    walk = joined([game for _, game in strategies])
    nearest = [min(range(len(strategies)), key=lambda n: abs(strategies[n][0] - at)) for at in COUNTS.tolist()]
    return Book(
        np.array([tags[card[0]] for card in strategies[0][1].classes.cards], np.int64),
        -packs * 4 * sum(tags.values()),
        np.array(nearest, np.int64),
        ((LANES + len(walk.nets) * np.arange(len(COUNTS))) << int(LOWER) | walk.starts[nearest]).astype(np.uint32),
        burns,
        np.zeros(len(COUNTS) * KINDS, np.int64),
        walk,
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
    most = len(known) + len(nets) + len(splits)
    assert most <= np.iinfo(np.uint16).max, f"{most} states"
    steps = np.zeros((len(known), WIDTH), np.int64)
    steps[state] = np.where(led < 0, len(known) - 1 - led, led)
    renumbered = np.arange(most)
    renumbered[: len(known)] = by_visits(steps, state[starts], games[0].numbers.classes)
    state = renumbered[state]
    steps[renumbered[: len(known)]] = renumbered[steps]
    found = np.zeros((len(games), len(splits)), np.int64)
    for strategy, (game, own) in enumerate(zip(games, keys, strict=True)):
        found[strategy, [splits[key] for key in own]] = game.numbers.first_split + np.arange(len(own))
    bounds = np.array([len(known), len(known) + len(nets), len(splits)], np.int64)
    walk = aligned(steps.ravel().astype(np.uint16))
    return Walk(walk, state[starts], bounds, np.array(nets, np.int64), found.ravel())


def by_visits(steps: NDArray[np.int64], starts: NDArray[np.int64], classes: int) -> NDArray[np.int64]:
    """New numbers for states, those visited most first: the rows that are read most lie together in the cache."""
    size = len(steps)
    now = np.bincount(starts, minlength=size).astype(float)
    visits = now.copy()
    for _ in range(12):
        now = np.bincount(steps[:, :classes].ravel(), np.repeat(now / classes, classes), size)[:size]
        visits += now
    numbers = np.empty(size, np.int64)
    numbers[np.argsort(-visits, kind="stable")] = np.arange(size)
    return numbers


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

    def task(first: int) -> NDArray[np.int64]:
        counted = book._replace(sums=np.zeros_like(book.sums))
        shoes, scratch = new_shoes(cards, cut=cut, dealing=AHEAD), unread_sums(compiled)
        ahead = ahead_of(book, len(cards), cut)
        with np.errstate(over="ignore"):
            for stream in range(first, min(first + TASK, run.streams), LANES):
                play_side_by_side(games, shoes, counted, ahead, scratch, np.uint64(run.seed), stream)
        return counted.sums + summed(ahead.rounds, book.walk.nets)

    total = np.zeros_like(book.sums)
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        tasks = range(0, run.streams, TASK)
        for done, sums in enumerate(pool.map(task, tasks), 1):
            total += sums
            run.progress(done / len(tasks))
    return total


def ahead_of(book: Book, size: int, cut: int) -> Ahead:
    """Room for what is worked out ahead, with every count at zero."""
    unseen = size - np.arange(cut + 1) + int(book.burns)
    return Ahead(
        np.zeros(cut, np.uint64),
        np.zeros(cut + 1, np.int64),
        -(-(1 << SCALE) // (2 * unseen)),
        np.zeros(LANES * (cut + 1), np.uint32),
        np.zeros(LANES, np.uint64),
        np.zeros(LANES + len(COUNTS) * len(book.walk.nets), np.int64),
    )


def summed(rounds: NDArray[np.int64], nets: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sums of rounds counted by true count and net (`Ahead.rounds`)."""
    counted = rounds[LANES:].reshape(len(COUNTS), len(nets))
    return np.stack([counted.sum(axis=1), counted @ nets, counted @ nets**2], axis=1).ravel()


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

"""One box from a fresh shoe on a CUDA device: the rounds of fresh_rounds.py, with the same counts.

Two kernels share the work. The first plays one card per step in every thread and needs no shoe: the indices dealt in
the round are 9-bit fields of one register. Step table, card classes and counts are in shared memory, so that 2,048
threads fit on a multiprocessor. Rounds that split, and the few with more cards than there are fields, are queued by
number; the second kernel plays them from their beginning, by the code of kernel.py, with the dealt cards as a bitmap
and its counts in shared memory.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types

from pontoon.simulation import kernel
from pontoon.simulation.batch import add
from pontoon.simulation.cuda import SIMULATED, Device, allow_shared, cuda, device_game, read_kernel, shared_memory
from pontoon.simulation.kernel import FRESH, GAMMA, NOTES, ONE, ROUND_STEP, ZERO, Shoes, Sums
from pontoon.simulation.kernel_memory import new_sums
from pontoon.simulation.plan import Plan

LAUNCH = (1 << 32) - (1 << 22)
"""Rounds of one launch: their numbers within it have 32 bits, and each thread counts one step beyond its last."""
THREADS, BLOCKS = 1024, 2
"""Threads of a block of the first kernel, and blocks of it on a multiprocessor."""
REGISTERS = 32
QUEUE_SHARE = 8
"""The queue has room for one round in this many; a game that splits more often is played by the second kernel alone."""
QUEUE_THREADS, QUEUE_REGISTERS = 256, 64
PARTS = 8
"""Blocks of the second kernel for each part of the queue."""
WINDOW = 1024
"""Nets that the second kernel counts in shared memory, of all upcards together; higher ones are rare."""
MIN_ROOM = 64
MOST_CARDS = 511
"""A field holds an index below this."""

FIELD, TWICE = np.uint64(9), np.uint64(1)
EMPTY = np.uint64(0xFFFFFFFFFFFFFFFE)
"""Seven fields above bit 0, each holding a number that is no index."""
FULL = np.uint64(0xFF80000000000000)
"""A register below this has a card in all of its fields."""
LOWEST = np.uint64(sum(1 << 9 * place + 1 for place in range(7)))
"""The lowest bit of every field; shifted by eight, the highest."""
HIGHEST = np.uint64(sum(1 << 9 * place + 9 for place in range(7)))
WORD_BITS, WORD_MASK = np.uint64(5), np.uint64(31)


class DeviceSums(NamedTuple):
    """What the second kernel counts, in shared memory."""

    visits: Device
    """Visits of the states of the automaton, from the first end state on."""
    nets: Device
    """`window` for each upcard."""
    labels: Device
    """The labels, then the places of `Tables.label`: there are more of those, so threads rarely wait for each other."""
    all_nets: Device
    """In global memory, for nets beyond the window."""
    window: int
    places: int


class Queue(NamedTuple):
    """Rounds left to the second kernel, a segment for each block of the first."""

    numbers: Device
    """Numbers of rounds within the launch."""
    lengths: Device
    """Rounds in each segment; more than it has room for if the segment was too short."""


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def count_end(numbers: Device, sums: Device, state: Device) -> None:
    """Count the end of a round."""
    cuda.atomic.add(sums.visits, np.int64(state) - numbers.first_end, 1)


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def count_label(_: Device, sums: Device, place: Device) -> None:
    """Count a hand by its place in `Tables.label`."""
    cuda.atomic.add(sums.labels, sums.places + place, 1)


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def count_net(numbers: Device, sums: Device, up: Device, net: Device) -> None:
    """Count a net in shared memory, or in global memory if it is rare."""
    place = (net - numbers.least) // numbers.unit
    if place < sums.window:
        cuda.atomic.add(sums.nets, up * sums.window + place, 1)
    else:
        cuda.atomic.add(sums.all_nets, up * numbers.nets + place, 1)


def draw_with(index_below: Device) -> Device:
    """The function that deals a card; the dealt cards are a bitmap, word by word for all threads of the block."""

    @cuda.jit(device=True)  # type: ignore[untyped-decorator]
    def draw(shoes: Device, lane: Device) -> Device:
        counter, size = shoes.counters[lane], shoes.size
        thread, threads = cuda.threadIdx.x, cuda.blockDim.x
        if shoes.places[lane] >= size:
            for place in range(thread, shoes.cards.shape[0], threads):
                shoes.cards[place] = 0
            shoes.places[lane] = ZERO
        while True:
            counter += GAMMA
            index = index_below(counter, size)
            place = np.int64(index >> WORD_BITS) * threads + thread
            word = np.uint32(shoes.cards[place])
            bit = np.uint32(np.uint32(1) << np.uint32(index & WORD_MASK))
            if word & bit == 0:
                break
        shoes.cards[place] = word | bit
        shoes.counters[lane] = counter
        shoes.places[lane] += ONE
        return np.int64(shoes.order[np.int64(index)])

    return draw


@cache
def kernels() -> tuple[Any, Any]:
    """The two kernels to launch."""
    module: Any = read_kernel()
    module.draw = draw_with(module.index_below)
    module.count_end, module.count_label, module.count_net = count_end, count_label, count_net
    return play_most_with(module.index_below), play_queued_with(module.play_round)


def play_most_with(index_below: Device) -> Device:  # noqa: C901 one kernel
    """The kernel that plays all rounds and queues those it cannot finish."""

    @cuda.jit(**({} if SIMULATED else {"max_registers": REGISTERS}))  # type: ignore[untyped-decorator]
    def play_most(  # noqa: C901, PLR0913, PLR0917 a launch passes scalars and arrays one by one
        table: Device, order: Device, bounds: Device, first: int, rounds: int, visits: Device, queue: Device
    ) -> None:
        key, first_end, first_split, width, room = bounds
        entries, size, ends = table.shape[0], order.shape[0], first_split - first_end
        counts = cuda.shared.array(0, types.int32)[: ends + 1]
        steps = cuda.shared.array(0, types.uint16)[2 * ends + 2 : 2 * ends + 2 + entries]
        begin = 4 * ends + 4 + 2 * entries
        classes = cuda.shared.array(0, types.uint8)[begin : begin + size]
        thread, threads = cuda.threadIdx.x, cuda.blockDim.x
        for place in range(thread, ends + 1, threads):
            counts[place] = 0
        for place in range(thread, entries, threads):
            steps[place] = table[place]
        for place in range(thread, size, threads):
            classes[place] = order[place]
        cuda.syncthreads()
        stride, cards = np.uint32(cuda.gridsize(1)), np.uint64(size)
        number = np.uint32(cuda.grid(1))
        start = key + (first + np.uint64(number)) * ROUND_STEP
        leap = np.uint64(stride) * ROUND_STEP
        counter, fields, state = start, EMPTY, np.uint32(0)
        segment = cuda.blockIdx.x * room
        while number < rounds:
            counter += GAMMA
            index = index_below(counter, cards)
            differing = fields ^ (index * LOWEST)
            if (differing - LOWEST) & ~differing & HIGHEST == ZERO:
                full = fields < FULL
                fields = (fields << FIELD) | (index << TWICE)
                state = np.uint32(steps[np.int32(state * width) + np.int32(classes[np.int32(index)])])
                if state >= first_end or full:
                    if first_end <= state < first_split:
                        cuda.atomic.add(counts, np.int32(state - first_end), 1)
                    else:
                        place = cuda.atomic.add(counts, ends, 1)
                        if place < room:
                            queue.numbers[segment + place] = number
                    number += stride
                    start += leap
                    counter, fields, state = start, EMPTY, np.uint32(0)
        cuda.syncthreads()
        for place in range(thread, ends, threads):
            if counts[place]:
                cuda.atomic.add(visits, np.int64(first_end) + place, np.int64(counts[place]))
        if thread == 0:
            queue.lengths[cuda.blockIdx.x] = counts[ends]

    return play_most


def play_queued_with(play_round: Device) -> Device:  # noqa: C901 one kernel
    """The kernel that plays rounds from their beginning: those in a queue, or all."""

    @cuda.jit(**({} if SIMULATED else {"max_registers": QUEUE_REGISTERS}))  # type: ignore[untyped-decorator]
    def play_queued(  # noqa: C901, PLR0913, PLR0917 as above
        game: Device, order: Device, bounds: Device, first: int, rounds: int, queue: Device, sums: Device
    ) -> None:
        key, segments, room, window = bounds
        numbers, size = game.numbers, order.shape[0]
        ends, nets = sums.visits.shape[0] - numbers.first_end, numbers.upcards * window
        labels = numbers.labels + game.tables.label.shape[0]
        counters = ends + nets + labels
        thread, threads = cuda.threadIdx.x, cuda.blockDim.x
        words = (size + 31) // 32 * threads
        memory = cuda.shared.array(0, types.int32)[:counters]
        dealt = cuda.shared.array(0, types.uint32)[counters : counters + words]
        begin = 4 * (counters + words)
        classes = cuda.shared.array(0, types.uint8)[begin : begin + size]
        for place in range(thread, counters, threads):
            memory[place] = 0
        for place in range(thread, size, threads):
            classes[place] = order[place]
        cuda.syncthreads()
        counted = DeviceSums(
            memory[:ends],
            memory[ends : ends + nets],
            memory[ends + nets :],
            sums.nets,
            window,
            numbers.labels,
        )
        places = cuda.local.array(1, types.uint64)
        counter = cuda.local.array(1, types.uint64)
        states = cuda.local.array(1, types.uint64)
        left = cuda.local.array(1, types.int64)
        notes = cuda.local.array(NOTES, types.int32)
        shoes = Shoes(classes, dealt, np.uint64(size), ZERO, ZERO, FRESH, places, counter, states, left, counter, notes)
        block, blocks = cuda.blockIdx.x, cuda.gridDim.x
        segment = block % segments
        part, parts = (block // segments, blocks // segments) if room else (block, blocks)
        queued = np.int64(queue.lengths[segment]) if room else rounds
        for place in range(part * threads + thread, queued, parts * threads):
            number = np.uint64(queue.numbers[segment * room + place]) if room else np.uint64(place)
            for word in range(thread, words, threads):
                dealt[word] = 0
            counter[0] = key + (first + number) * ROUND_STEP
            states[0] = ZERO
            places[0] = ZERO
            play_round(game, shoes, ZERO, counted)
        cuda.syncthreads()
        for place in range(thread, ends, threads):
            if memory[place]:
                cuda.atomic.add(sums.visits, numbers.first_end + place, np.int64(memory[place]))
        for place in range(thread, nets, threads):
            if memory[ends + place]:
                up, net = place // window, place % window
                cuda.atomic.add(sums.nets, up * numbers.nets + net, np.int64(memory[ends + place]))
        for place in range(thread, labels, threads):
            found = memory[ends + nets + place]
            if found:
                label = game.tables.label[place - numbers.labels] if place >= numbers.labels else place
                cuda.atomic.add(sums.labels, label, np.int64(found))

    return play_queued


class Layout(NamedTuple):
    """How both kernels are launched."""

    table: Device
    """The steps without unused columns, padded to an even number of entries."""
    shared: int
    """Bytes of shared memory of a block of the first kernel; 0 if the table does not fit."""
    window: int
    queued_shared: int


def layout(plan: Plan) -> Layout:
    """Divide the shared memory of a block."""
    numbers, tables = plan.compiled.numbers, plan.compiled.tables
    rows = tables.steps[: numbers.first_end << int(kernel.ROW)].reshape(numbers.first_end, -1)
    entries = rows[:, : numbers.classes].ravel()
    table = np.append(entries, np.zeros(len(entries) % 2, np.uint16))
    cards = len(plan.compiled.classes.shoe(plan.packs))
    shared = 4 * (numbers.first_split - numbers.first_end + 1) + 2 * len(table) + cards
    window = min(numbers.nets, WINDOW // numbers.upcards)
    ends = numbers.first_split + len(tables.split_end) - numbers.first_end
    counters = ends + numbers.upcards * window + numbers.labels + len(tables.label)
    queued = 4 * (counters + -(-cards // 32) * QUEUE_THREADS) + cards
    return Layout(table, shared if shared <= shared_memory() and cards < MOST_CARDS else 0, window, queued)


def play_rounds_on_device(plan: Plan, first: int, end: int) -> Sums:
    """Play the rounds from `first` to before `end`: the same sums as `play_rounds`, but for the totals."""
    total = new_sums(plan.compiled)
    for begin in range(first, end, LAUNCH):
        rounds = min(end - begin, LAUNCH)
        sums = None if id(plan.compiled) in _CROWDED else launch(plan, begin, rounds, alone=False)
        if sums is None:  # the queue was too short, and will be again
            _CROWDED.add(id(plan.compiled))
            sums = launch(plan, begin, rounds, alone=True)
        assert sums is not None
        add(total, sums)
    return total


_CROWDED: set[int] = set()
"""Games played by the second kernel alone."""


def launch(plan: Plan, first: int, rounds: int, *, alone: bool) -> Sums | None:
    """Play one launch, by the second kernel `alone` or by both; None if the queue was too short."""
    play_most, play_queued = kernels()
    place, game = layout(plan), device_game(plan)
    sums = Sums(*map(cuda.to_device, new_sums(plan.compiled)))
    order = cuda.to_device(np.array(plan.compiled.classes.shoe(plan.packs), np.uint8))
    key, begin = np.uint64(kernel.key_of(np.uint64(plan.seed))), np.uint64(first)
    alone = alone or not place.shared
    processors = 1 if SIMULATED else int(cuda.get_current_device().MULTIPROCESSOR_COUNT)
    segments = processors * BLOCKS
    room = 0 if alone else max(MIN_ROOM, rounds // segments // QUEUE_SHARE)
    queue = Queue(_numbers(segments * room), cuda.to_device(np.zeros(segments, np.int32)))
    if not alone:
        numbers = plan.compiled.numbers
        bounds = (
            key,
            np.uint32(numbers.first_end),
            np.uint32(numbers.first_split),
            np.uint32(numbers.classes),
            np.int64(room),
        )
        most = (_table(plan, place), order, bounds, begin, np.uint32(rounds), sums.visits, queue)
        allow_shared(play_most, most, place.shared)
        play_most[segments, 4 if SIMULATED else THREADS, 0, place.shared](*most)
    limits = (key, np.int64(segments), np.int64(room), np.int64(place.window))
    queued = (game, order, limits, begin, np.int64(rounds), queue, sums)
    allow_shared(play_queued, queued, place.queued_shared)
    play_queued[segments * PARTS, 4 if SIMULATED else QUEUE_THREADS, 0, place.queued_shared](*queued)
    found = Sums(*(part.copy_to_host() for part in sums))  # type: ignore[attr-defined]
    return None if not alone and queue.lengths.copy_to_host().max() > room else found


_TABLES: dict[int, tuple[Plan, Device]] = {}
_QUEUES: list[Device] = []


def _table(plan: Plan, place: Layout) -> Device:
    """The step table on the device, copied once."""
    if id(plan.compiled) not in _TABLES:
        _TABLES[id(plan.compiled)] = (plan, cuda.to_device(place.table))
    return _TABLES[id(plan.compiled)][1]


def _numbers(size: int) -> Device:
    """Memory for the numbers in a queue, allocated once."""
    if not _QUEUES or _QUEUES[0].size < size:
        _QUEUES[:] = [cuda.device_array(max(1, size), np.uint32)]
    return _QUEUES[0]

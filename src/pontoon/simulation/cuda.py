"""The same kernel on a CUDA device or in numba's simulator of one (NUMBA_ENABLE_CUDASIM=1): one stream per thread.

The source of kernel.py is loaded a second time with its functions compiled for the device; there is no second kernel.
One box is played one card per step (`play_in_step`), with the thread's shoe and the block's counts in shared memory and
the rest of a stream in registers. Several boxes use global memory.
"""

from __future__ import annotations

import importlib.util
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple, cast

import numpy as np
from numba import config, types
from numba import cuda as numba_cuda

from pontoon.simulation import jit, kernel
from pontoon.simulation.batch import with_totals
from pontoon.simulation.kernel import BY_ROUND, SHUFFLED, Game, Shoes, Sums
from pontoon.simulation.kernel_memory import game_of, new_shoes, new_sums
from pontoon.simulation.plan import Plan, SimulationError

cuda = cast("Any", numba_cuda)
Device = Any
"""A value on the device, whose type only numba knows."""
THREADS = 128
"""Threads in a block when several boxes are played."""
FEWEST = 128
"""With fewer threads than this, a block is not worth its shared memory."""
WARP, WORD, CARDS = 32, 4, 48
ALL_THREADS = 0xFFFFFFFF
SIMULATED = bool(cast("Any", config).ENABLE_CUDASIM)
NOTES = kernel.NOTES


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def atomic_count(sums: Device, place: Device, amount: Device) -> None:
    """Add to one of the sums shared by all threads."""
    cuda.atomic.add(sums, place, amount)


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def warp_votes(flag: Device) -> Device:
    """Number of threads in the warp whose flag is set."""
    return cuda.popc(cuda.ballot_sync(ALL_THREADS, flag))


def is_there() -> bool:
    """Whether a device (or its simulator) can be used."""
    try:
        return bool(cuda.is_available())
    except Exception:  # noqa: BLE001 any driver failure means there is no device
        return False


@cache
def device_kernel() -> tuple[Any, Any]:
    """The kernels to launch: for one box, and for several."""
    module = read_kernel()
    begin_stream, play_table_stream, play_in_step = module.begin_stream, module.play_table_stream, module.play_in_step

    @cuda.jit  # type: ignore[untyped-decorator]
    def play_tables(  # noqa: PLR0913, PLR0917 a launch passes scalars and arrays one by one
        game: Device,
        shoes: Device,
        boxes: int,
        seed: int,
        first: int,
        streams: int,
        rounds: int,
        sums: Device,
    ) -> None:
        lane = cuda.grid(1)
        if lane < streams:
            begin_stream(shoes, np.uint64(lane), seed, first + lane, rounds)
            play_table_stream(game, shoes, np.uint64(lane), boxes, sums)

    @cuda.jit  # type: ignore[untyped-decorator]
    def play_boxes(  # noqa: PLR0913, PLR0917 as above
        game: Device, table: Device, shoe: Device, seed: int, first: int, streams: int, rounds: int, sums: Device
    ) -> None:
        order, size, cut, fresh, stride = shoe
        first_end = game.numbers.first_end
        ends, entries = sums.visits.shape[0] - first_end, table.shape[0]
        counts = cuda.shared.array(0, types.int32)[:ends]
        steps = cuda.shared.array(0, types.uint16)[2 * ends : 2 * ends + entries]
        thread, threads = cuda.threadIdx.x, cuda.blockDim.x
        for place in range(thread, ends, threads):
            counts[place] = 0
        for place in range(thread, entries, threads):
            steps[place] = table[place]
        cuda.syncthreads()
        begin = 4 * ends + 2 * entries + thread * stride
        cards = cuda.shared.array(0, types.uint8)[begin : begin + stride]
        places = cuda.local.array(1, types.uint64)
        counters = cuda.local.array(1, types.uint64)
        states = cuda.local.array(1, types.uint64)
        left = cuda.local.array(1, types.int64)
        notes = cuda.local.array(NOTES, types.int32)
        own = Shoes(order, cards, size, cut, fresh, SHUFFLED, places, counters, states, left, counters, notes)
        stream = first + cuda.grid(1)
        begin_stream(own, np.uint64(0), seed, stream, rounds if cuda.grid(1) < streams else 0)
        play_in_step(game, own, np.uint64(0), steps, counts, sums)
        cuda.syncthreads()
        for place in range(thread, ends, threads):
            if counts[place]:
                cuda.atomic.add(sums.visits, first_end + place, np.int64(counts[place]))

    return play_boxes, play_tables


def read_kernel() -> ModuleType:
    """Load the kernel's source a second time, compiled for the device."""
    spec = importlib.util.spec_from_file_location("pontoon.simulation.kernel_on_device", kernel.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with jit.for_device():
        spec.loader.exec_module(module)
    module.count = atomic_count  # type: ignore[attr-defined]
    module.upper_half = cuda.jit(device=True)(jit.product_above_64_bits)  # type: ignore[attr-defined]
    if not SIMULATED:  # the simulator runs threads one by one and has no warp votes
        module.votes = warp_votes  # type: ignore[attr-defined]
    return module


class Layout(NamedTuple):
    """How a block's shared memory is divided."""

    table: Device
    """The steps without unused columns, padded to an even number of entries."""
    stride: int
    """Bytes from one thread's shoe to the next: an odd number of words, so that threads use different banks."""
    threads: int
    shared: int


def layout(plan: Plan, most: int = 0) -> Layout:
    """Place the table and the counts in shared memory, and as many shoes as fit into the rest."""
    numbers, tables = plan.compiled.numbers, plan.compiled.tables
    rows = tables.steps[: numbers.first_end << int(kernel.ROW)].reshape(numbers.first_end, -1)
    entries = rows[:, : numbers.classes].ravel()
    table = np.append(entries, np.zeros(len(entries) % 2, np.uint16))
    stride = (plan.packs * CARDS // WORD | 1) * WORD
    fixed = 2 * len(table) + WORD * (numbers.first_split + len(tables.split_end) - numbers.first_end)
    threads = min((most or shared_memory()) - fixed, 1024 * stride) // stride // WARP * WARP
    return Layout(table, stride, threads, fixed + threads * stride)


def shared_memory() -> int:
    """Bytes of shared memory a block of this device may have."""
    if SIMULATED:
        return 1 << 20
    return int(cuda.get_current_device().MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)


def play_batch_on_device(plan: Plan, first: int, count: int) -> Sums:
    """Play streams on the device: the same sums as `play_batch`."""
    if plan.kernel == BY_ROUND:
        from pontoon.simulation.cuda_rounds import play_rounds_on_device  # noqa: PLC0415 it imports this module

        end = min(plan.rounds, (first + count) * kernel.STREAM_ROUNDS)
        return with_totals(plan, play_rounds_on_device(plan, first * kernel.STREAM_ROUNDS, end))
    place = layout(plan)
    if plan.boxes > 1 or place.threads < FEWEST:
        return _play_tables(plan, first, count)
    play, _ = device_kernel()
    sums = Sums(*map(cuda.to_device, new_sums(plan.compiled)))
    order = np.array(plan.compiled.classes.shoe(plan.packs), np.uint8)
    fresh = plan.compiled.numbers.burn if plan.burn else 0
    shoe = (cuda.to_device(order), np.uint64(len(order)), np.uint64(plan.cut), np.uint64(fresh), place.stride)
    rounds = min(plan.rounds, (first + count) * kernel.STREAM_ROUNDS)
    table = cuda.to_device(place.table)
    arguments = (device_game(plan), table, shoe, np.uint64(plan.seed), first, count, rounds, sums)
    allow_shared(play, arguments, place.shared)
    threads = min(place.threads, count) if SIMULATED else place.threads
    play[-(-count // threads), threads, 0, place.shared](*arguments)
    return with_totals(plan, Sums(*(cast("Any", part).copy_to_host() for part in sums)))


_GAMES: dict[int, tuple[Plan, Game]] = {}


def device_game(plan: Plan) -> Game:
    """The tables of a plan on the device, copied once."""
    key = id(plan.compiled)
    if key not in _GAMES:
        game = game_of(plan.compiled)
        tables = type(game.tables)(*(cuda.to_device(narrow(table)) for table in game.tables))
        _GAMES[key] = (plan, type(game)(tables, game.numbers))
    return _GAMES[key][1]


def narrow(table: Device) -> Device:
    """A table in 16 bits if its numbers fit: the device's L1 cache is small.

    Not in the simulator, where numpy would compute in 16 bits what the device computes in 64.
    """
    fits = not SIMULATED and table.dtype == np.int32 and len(table) and abs(table).max() < 1 << 15
    return table.astype(np.int16) if fits else table


def allow_shared(play: Device, arguments: tuple[Any, ...], size: int) -> None:
    """Tell the driver that a block may use more than the default 48 kB of shared memory."""
    if SIMULATED or size <= _ALLOWED.get(id(play), 0):
        return
    from cuda.bindings import driver  # noqa: PLC0415 comes with numba-cuda

    compiled = play.compile(tuple(play.typeof_pyval(argument) for argument in arguments))
    function = compiled._codelibrary.get_cufunc()  # noqa: SLF001 numba has no public way
    attribute = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    (error,) = driver.cuKernelSetAttribute(attribute, size, function.handle, 0)
    if error != driver.CUresult.CUDA_SUCCESS:
        raise SimulationError(f"this GPU does not give a block {size} bytes of shared memory ({error.name})")
    _ALLOWED[id(play)] = size


_ALLOWED: dict[int, int] = {}
"""By kernel, the bytes a block may use: a smaller number would take them away from an earlier game."""


def _play_tables(plan: Plan, first: int, count: int) -> Sums:
    """Play several boxes, with each stream's shoe in global memory."""
    _, play = device_kernel()
    sums = Sums(*map(cuda.to_device, new_sums(plan.compiled)))
    cards = np.array(plan.compiled.classes.shoe(plan.packs), np.uint8)
    fresh = plan.compiled.numbers.burn if plan.burn else 0
    shoes = new_shoes(cards, count, cut=plan.cut, fresh=fresh)
    parts: list[Any] = [cuda.to_device(part) if isinstance(part, np.ndarray) else part for part in shoes]
    rounds = min(plan.rounds, (first + count) * kernel.STREAM_ROUNDS)
    blocks = -(-count // THREADS)
    play[blocks, THREADS](
        device_game(plan), Shoes(*parts), plan.boxes, np.uint64(plan.seed), first, count, rounds, sums
    )
    return Sums(*(cast("Any", part).copy_to_host() for part in sums))

"""The same kernel on a CUDA device, or in numba's simulator of one (NUMBA_ENABLE_CUDASIM=1): a stream for each thread.

The source of kernel.py is read a second time with its functions made for the device; there is no second kernel.
"""

from __future__ import annotations

import importlib.util
from functools import cache
from types import ModuleType
from typing import Any, cast

import numpy as np
from numba import cuda as numba_cuda

from pontoon.simulation import jit, kernel
from pontoon.simulation.kernel import Shoes, Sums
from pontoon.simulation.local import Plan
from pontoon.simulation.shoes import game_of, new_shoes, new_sums

cuda = cast("Any", numba_cuda)
THREADS = 128
"""Threads in a block of the device."""


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def atomic_count(sums: Any, place: Any, amount: Any) -> None:  # noqa: ANN401 numba's types
    """Add to one of the sums that all threads share."""
    cuda.atomic.add(sums, place, amount)


@cache
def device_kernel() -> tuple[ModuleType, Any]:
    """The functions of the kernel made for the device, and the entry every thread begins with."""
    spec = importlib.util.spec_from_file_location("pontoon.simulation.kernel_on_device", kernel.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with jit.for_device():
        spec.loader.exec_module(module)
    module.count = atomic_count  # type: ignore[attr-defined]
    begin_stream, play_stream = module.begin_stream, module.play_stream

    @cuda.jit  # type: ignore[untyped-decorator]
    def play(  # noqa: PLR0913, PLR0917 what a thread is given
        game: Any,  # noqa: ANN401 numba's types
        shoes: Any,  # noqa: ANN401
        boxes: int,
        seed: int,
        first: int,
        streams: int,
        rounds: int,
        sums: Any,  # noqa: ANN401
    ) -> None:
        lane = cuda.grid(1)
        if lane < streams:
            begin_stream(shoes, np.uint64(lane), seed, first + lane, rounds)
            play_stream(game, shoes, np.uint64(lane), boxes, sums)

    return module, play


def play_batch_on_device(plan: Plan, first: int, count: int) -> Sums:
    """Play some streams and count them: the same sums as `play_batch`."""
    _, play = device_kernel()
    sums = new_sums(plan.compiled)
    cards = np.array(plan.compiled.classes.shoe(plan.decks), np.uint8)
    fresh = plan.compiled.numbers.burn if plan.burn else 0
    shoes = new_shoes(cards, count, cut=plan.cut, fresh=fresh)
    game = game_of(plan.compiled)
    on_device = type(game)(type(game.tables)(*map(cuda.to_device, game.tables)), game.numbers)
    counted = Sums(*map(cuda.to_device, sums))
    rounds = min(plan.rounds, (first + count) * kernel.STREAM_ROUNDS)
    blocks = -(-count // THREADS)
    play[blocks, THREADS](on_device, _on_device(shoes), plan.boxes, np.uint64(plan.seed), first, count, rounds, counted)
    return Sums(*(cast("Any", part).copy_to_host() for part in counted))


def _on_device(shoes: Shoes) -> Shoes:
    parts: list[Any] = [cuda.to_device(part) if isinstance(part, np.ndarray) else part for part in shoes]
    return Shoes(*parts)

"""numba, with a cache that cannot go stale.

numba caches a compiled function by its own source file and does not notice when a function it calls changes in another
file. The cache therefore lies in a folder named by a hash of this package's sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.extending import intrinsic

from pontoon import cache

Function = TypeVar("Function", bound=Callable[..., Any])

FOLDER = cache.folder("simulation", Path(__file__).parent)
HALF, LOWER = np.uint64(32), np.uint64(0xFFFFFFFF)
_device: list[bool] = []
"""Not empty while the kernel's source is loaded a second time, for a CUDA device."""


@contextmanager
def for_device() -> Iterator[None]:
    """In this context, `jit` compiles the kernel's functions for a CUDA device."""
    _device.append(True)
    try:
        yield
    finally:
        _device.pop()


def jit(function: Function) -> Function:
    """Compile a function of the kernel on its first call; it runs without the GIL.

    Nothing in the kernel allocates an array, so reference counting is off (`_nrt`): with it, threads would wait for
    each other at every call.
    """
    if _device:
        from numba import cuda  # noqa: PLC0415 only if there is a device, or its simulator

        return cast("Function", cuda.jit(device=True)(function))  # type: ignore[no-untyped-call]
    return _compiled(function)


def inlined(function: Function) -> Function:
    """The same for a small function that is worth inlining wherever it is called: tuples of arrays are slow to pass."""
    return jit(function) if _device else _compiled(function, forceinline=True)


def _compiled(function: Function, **options: bool) -> Function:
    with cache.numba_keeps_in(FOLDER):
        return cast("Function", cast("Any", numba.njit)(cache=True, nogil=True, _nrt=False, **options)(function))


def add_to(sums: Any, place: Any, amount: Any) -> None:  # noqa: ANN401 numba's types
    """Add to one of the sums; cuda.py replaces this by an atomic addition, since many threads add at once there."""
    sums[place] += amount


count = jit(add_to)


def product_above_64_bits(word: Any, factor: Any) -> Any:  # noqa: ANN401 numba's types
    """The product of a word and a factor below 2**32, divided by 2**64."""
    return ((word >> HALF) * factor + (((word & LOWER) * factor) >> HALF)) >> HALF


@intrinsic
def one_multiplication(_: Any, word: Any, factor: Any) -> Any:  # noqa: ANN401 numba's types
    """The same in the one instruction that a processor has for it."""

    def generate(_: Any, builder: Any, __: Any, values: Any) -> Any:  # noqa: ANN401
        wide, narrow = ir.IntType(128), ir.IntType(64)
        product = builder.mul(*(builder.zext(value, wide) for value in values))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), narrow)

    return types.uint64(word, factor), generate


upper_half: Any = jit(product_above_64_bits) if cast("Any", numba).config.DISABLE_JIT else one_multiplication

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

from pontoon import cache

Function = TypeVar("Function", bound=Callable[..., Any])

FOLDER = cache.folder("simulation", Path(__file__).parent)
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
        from numba import cuda  # noqa: PLC0415 only where there is a device, or its simulator

        return cast("Function", cuda.jit(device=True)(function))  # type: ignore[no-untyped-call]
    with cache.numba_keeps_in(FOLDER):
        return cast("Function", cast("Any", numba.njit)(cache=True, nogil=True, _nrt=False)(function))


def add_to(sums: Any, place: Any, amount: Any) -> None:  # noqa: ANN401 numba's types
    """Add to one of the sums; cuda.py replaces this by an atomic addition, since many threads add at once there."""
    sums[place] += amount


count = jit(add_to)

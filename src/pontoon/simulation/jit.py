"""numba, with a cache that cannot go stale.

numba remembers compiled functions by the file they stand in, and does not notice that a function they call has changed
in another file. So the cache lies in a folder named by a hash of this package's sources.
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
"""Not empty while the kernel's source is read a second time, for a CUDA device."""


@contextmanager
def for_device() -> Iterator[None]:
    """Within this, functions of the kernel are made for a CUDA device."""
    _device.append(True)
    try:
        yield
    finally:
        _device.pop()


def jit(function: Function) -> Function:
    """Compile a function of the kernel when it is first called; it holds no lock while it runs.

    Nothing in the kernel makes an array, so nobody has to count who uses one (`_nrt`): several threads that did would
    wait for each other at every call.
    """
    if _device:
        from numba import cuda  # noqa: PLC0415 only where there is a device, or its simulator

        return cast("Function", cuda.jit(device=True)(function))  # type: ignore[no-untyped-call]
    with cache.numba_keeps_in(FOLDER):
        return cast("Function", cast("Any", numba.njit)(cache=True, nogil=True, _nrt=False)(function))


def add_to(sums: Any, place: Any, amount: Any) -> None:  # noqa: ANN401 numba's types
    """Add to one of the sums; on a device many threads do at once, so there cuda.py puts something else here."""
    sums[place] += amount


count = jit(add_to)

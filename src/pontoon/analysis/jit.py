"""Compiling the kernels, and the same kernels uncompiled for exact fractions.

numba's cache does not notice a change in a function that a cached function calls. So the cache lies in a folder named
by the sources of this package: whoever edits a kernel starts a new folder.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba

from pontoon import cache

Function = TypeVar("Function", bound=Callable[..., Any])

FOLDER = cache.folder("analysis", Path(__file__).parent)


def compiled(function: Function) -> Function:
    """Compile a kernel at its first call, and keep it for the next program."""
    with cache.numba_keeps_in(FOLDER):
        return cast("Function", numba.njit(cache=True, error_model="numpy", fastmath={"contract", "reassoc"})(function))


def plain(names: dict[str, Any]) -> dict[str, Any]:
    """The kernels of a module as ordinary Python, which also works on fractions; they call each other, not numba."""
    copy = dict(names)
    for name, one in names.items():
        if hasattr(one, "py_func"):
            copy[name] = FunctionType(one.py_func.__code__, copy, name, one.py_func.__defaults__)
    return copy

"""Compile the kernels, and provide the same kernels uncompiled for exact fractions.

numba's cache does not notice a change in a function that a cached function calls. The cache therefore lies in a folder
named by a hash of the kernels' sources: editing a kernel starts a new folder, editing anything else does not.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba

from pontoon import cache

Function = TypeVar("Function", bound=Callable[..., Any])

KERNELS = ("jit.py", "kernels.py", "kernels_mixed.py", "kernels_products.py")
FOLDER = cache.folder("analysis", *(Path(__file__).with_name(name) for name in KERNELS))


def compiled(function: Function) -> Function:
    """Compile a kernel on its first call, and cache it for later processes."""
    with cache.numba_keeps_in(FOLDER):
        return cast("Function", numba.njit(cache=True, error_model="numpy", fastmath={"contract", "reassoc"})(function))


def plain(names: dict[str, Any]) -> dict[str, Any]:
    """The kernels of a module as ordinary Python, which also works on fractions; they call each other, not numba."""
    copy = dict(names)
    for name, kernel in names.items():
        if hasattr(kernel, "py_func"):
            copy[name] = FunctionType(kernel.py_func.__code__, copy, name, kernel.py_func.__defaults__)
    return copy

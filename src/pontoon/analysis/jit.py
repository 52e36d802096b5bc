"""Compiling the kernels, and the same kernels uncompiled for exact fractions.

numba's cache does not notice a change in a function that a cached function calls. So the cache lies in a folder named
by the sources of this package: whoever edits a kernel starts a new folder.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def cache_folder() -> Path:
    """Where compiled kernels of exactly these sources are kept."""
    here = Path(__file__).parent
    sources = b"\0".join(path.read_bytes() for path in sorted(here.glob("*.py")))
    name = f"analysis-{hashlib.sha256(sources).hexdigest()[:16]}"
    home = os.environ.get("PONTOON_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(home) / "pontoon" / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        folder = Path(tempfile.gettempdir()) / "pontoon" / name
    return folder


_FOLDER = cache_folder()
if "numba" not in sys.modules:
    os.environ.setdefault("NUMBA_CACHE_DIR", str(_FOLDER))

import numba  # noqa: E402 the folder must be known before numba is

numba.config.CACHE_DIR = str(_FOLDER)  # type: ignore[attr-defined]


def compiled(function: Function) -> Function:
    """Compile a kernel at its first call, and keep it for the next program."""
    return cast("Function", numba.njit(cache=True, error_model="numpy", fastmath={"contract", "reassoc"})(function))


def is_compiled() -> bool:
    """Whether an earlier program left the compiled kernels behind."""
    return any(_FOLDER.rglob("*.nbc"))


def plain(names: dict[str, Any]) -> dict[str, Any]:
    """The kernels of a module as ordinary Python, which also works on fractions; they call each other, not numba."""
    copy = dict(names)
    for name, one in names.items():
        if hasattr(one, "py_func"):
            copy[name] = FunctionType(one.py_func.__code__, copy, name, one.py_func.__defaults__)
    return copy

"""The user's cache for files that can be recomputed, with a folder for each kind and version of its sources.

A folder's name contains a hash of the sources that produce its contents, so editing them starts a new folder and
nothing becomes stale. PONTOON_CACHE or XDG_CACHE_HOME move the cache; if it is not writable, a folder for temporary
files is used.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")
PRIVATE = 0o700
OTHERS_WRITE = 0o022


def folder(kind: str, *sources: Path) -> Path:
    """The cache folder for one kind of file, produced by the Python sources in these files and folders."""
    name = f"{kind}-{hashed(sources)}"
    for home in _homes():
        place = home / name
        with contextlib.suppress(OSError):
            home.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
            place.mkdir(mode=PRIVATE, exist_ok=True)
            if _is_ours(home) and _is_ours(place) and os.access(place, os.W_OK):
                return place
    return Path(tempfile.mkdtemp(prefix="pontoon-"))


def hashed(sources: Iterable[Path]) -> str:
    """A hash of these Python files and of those in these folders."""
    found = hashlib.sha256()
    for source in sources:
        for file in sorted(source.rglob("*.py")) if source.is_dir() else [source]:
            found.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()[:16]


def _homes() -> Iterator[Path]:
    named = os.environ.get("PONTOON_CACHE") or os.environ.get("XDG_CACHE_HOME")
    with contextlib.suppress(RuntimeError):  # the home folder is unknown
        yield (Path(named) if named else Path.home() / ".cache") / "pontoon"
    user = os.getuid() if hasattr(os, "getuid") else "user"
    yield Path(tempfile.gettempdir()) / f"pontoon-cache-{user}"


def _is_ours(place: Path) -> bool:
    """Whether only we can write there: cached files, including compiled code, are trusted."""
    about = place.stat()
    return not hasattr(os, "getuid") or (about.st_uid == os.getuid() and not about.st_mode & OTHERS_WRITE)


def kept(file: Path, kind: type[T], make: Callable[[], T]) -> T:
    """A value from a file of the cache; if that is missing or damaged, made now and kept if possible."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        value = make()
        put(file, msgspec.json.encode(value))
        return value


def put(file: Path, content: bytes) -> None:
    """Write a file atomically; a full or read-only disk is ignored."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        number, beside = tempfile.mkstemp(prefix=".", dir=file.parent)
        try:
            with os.fdopen(number, "wb") as stream:
                stream.write(content)
            Path(beside).replace(file)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(beside).unlink()
            raise


@contextlib.contextmanager
def numba_keeps_in(place: Path) -> Iterator[None]:
    """A context in which numba caches compiled functions in this folder."""
    from numba.core import config  # noqa: PLC0415 the caller has imported it

    before = config.CACHE_DIR  # type: ignore[attr-defined]
    config.CACHE_DIR = str(place)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        config.CACHE_DIR = before  # type: ignore[attr-defined]

"""What can be made again, kept in the user's cache: a folder for each thing and each version of what makes it.

A folder is named by a hash of the sources behind what it holds, so whoever edits them starts a new one and nothing can
go stale. PONTOON_CACHE or XDG_CACHE_HOME move the cache; where it cannot be written, a folder for temporary files
serves.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

PRIVATE = 0o700
OTHERS_WRITE = 0o022


def folder(kind: str, *sources: Path) -> Path:
    """Where things of this kind are kept, made by the Python sources in these files and folders."""
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
    """A name for the text of these Python files, and of those in these folders."""
    found = hashlib.sha256()
    for source in sources:
        for file in sorted(source.glob("*.py")) if source.is_dir() else [source]:
            found.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()[:16]


def _homes() -> Iterator[Path]:
    named = os.environ.get("PONTOON_CACHE") or os.environ.get("XDG_CACHE_HOME")
    with contextlib.suppress(RuntimeError):  # nobody's home is known
        yield (Path(named) if named else Path.home() / ".cache") / "pontoon"
    user = os.getuid() if hasattr(os, "getuid") else "user"
    yield Path(tempfile.gettempdir()) / f"pontoon-cache-{user}"


def _is_ours(place: Path) -> bool:
    """Nobody else can have put something there: what is kept is trusted, compiled code among it."""
    about = place.stat()
    return not hasattr(os, "getuid") or (about.st_uid == os.getuid() and not about.st_mode & OTHERS_WRITE)


def put(file: Path, content: bytes) -> None:
    """Write a file whole or not at all; a disk that is full or may not be written is no reason to stop."""
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
    """Within this, what numba is given to compile will be kept in this folder."""
    from numba.core import config  # noqa: PLC0415 whoever calls this has imported it

    before = config.CACHE_DIR  # type: ignore[attr-defined]
    config.CACHE_DIR = str(place)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        config.CACHE_DIR = before  # type: ignore[attr-defined]

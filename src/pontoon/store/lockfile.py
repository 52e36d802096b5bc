"""A lock file held by one process at a time, so that a store file has a single writer."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pontoon.store.model import InUseError

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, 1 << 30, os.SEEK_SET)  # beyond the text, so that others can still read it
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class LockFile:
    """Held from its creation until `release` or the end of the process; the file itself is not removed."""

    def __init__(self, path: Path, what: str) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(self._descriptor)
        except OSError:
            holder = os.read(self._descriptor, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(self._descriptor)
            raise InUseError(f"{what} is in use by another server (process {holder})") from None
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, f"{os.getpid()}\n".encode())

    def release(self) -> None:
        """Release the lock."""
        os.close(self._descriptor)

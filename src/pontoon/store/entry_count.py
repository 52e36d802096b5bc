"""How many entries a store has acknowledged, in a small file beside it.

The file is written after each commit, without a sync: it survives the end of the process, and after a power cut it is
never ahead of the store. A store with fewer entries than its file says has lost some: an older copy, a lost or damaged
write-ahead log, or a truncated log.
"""

from __future__ import annotations

import os
from pathlib import Path

_WIDTH = 20
SUFFIX = ".entries"


class EntryCount:
    """The file of one store, held open."""

    def __init__(self, store: Path) -> None:
        self.path = store.with_name(store.name + SUFFIX)
        self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)

    def read(self) -> int:
        """The number that was written last; 0 for a new or an unreadable file."""
        text = os.pread(self._descriptor, _WIDTH, 0).strip()
        return int(text) if text.isdigit() else 0

    def write(self, count: int) -> None:
        """Replace the number."""
        os.pwrite(self._descriptor, b"%0*d\n" % (_WIDTH, count), 0)

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)

"""Compare the store with the roots beside it before listening: an older, shorter or different log is refused."""

from __future__ import annotations

import os
import time
from pathlib import Path

from pontoon.store.model import Store

_RECENT = 1000
"""Roots whose streams are compared with the store at the start; the verification covers all of them."""

Line = tuple[int, int, str]
"""Number, time and hash of a root."""


def read_roots(path: Path) -> list[Line]:
    """The roots of a file; a last line that was not written completely is left out."""
    if not path.is_file():
        return []
    found: list[Line] = []
    for line in path.read_text("ascii", "replace").splitlines():
        parts = line.split()
        if len(parts) == 3 and parts[0].isdigit() and parts[1].isdigit() and len(parts[2]) == 64:
            found.append((int(parts[0]), int(parts[1]), parts[2]))
    return sorted(found)


def append_roots(path: Path, lines: list[Line]) -> None:
    """Add roots to the file, synced to disk."""
    if not lines:
        return
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(descriptor, "".join(f"{number} {at} {name}\n" for number, at, name in lines).encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def rolled_back(store: Store, path: Path) -> str:
    """Why the store is not the one whose roots are in the file, or holds less; empty if it fits."""
    known = read_roots(path)
    if not known:
        return ""
    number, at, name = known[-1]
    when = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(at // 1000))
    if not store.heads():
        return f"the store is empty, but {path} has root {number} of {when}: the database is missing"
    found = store.root_hash(number)
    if not found:
        last = store.root_lines(0)[-1:]
        here = f"ends at root {last[0][0]}" if last else "has no root"
        return f"{path} has root {number} of {when}, but the store {here}: it is older, or was cut"
    if found != name:
        return f"root {number} of {when} in {path} is not the one in the store: another log was written since"
    short = store.behind_roots(number - _RECENT)
    return f"{short[0]} is shorter than a root has sealed it: the log was cut" if short else ""


def complete_roots(store: Store, path: Path) -> None:
    """Add the roots that were made and not written to the file, as after a kill."""
    known = read_roots(path)
    append_roots(path, store.root_lines(known[-1][0] if known else 0))


def set_aside(path: Path) -> Path | None:
    """Rename the roots file of an abandoned log, so that a new file is started."""
    if not path.is_file():
        return None
    aside = path.with_name(f"{path.name}.{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}")
    path.rename(aside)
    return aside

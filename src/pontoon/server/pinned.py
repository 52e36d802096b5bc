"""Whether every table and tournament of a store can be opened: the rulebook of its first entry is known and whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pontoon.rulebook import RulebookError
from pontoon.server.room import STREAM as TABLES
from pontoon.server.room import Room
from pontoon.server.tournaments.hosted import Hosted
from pontoon.server.tournaments.log import STREAM as TOURNAMENTS
from pontoon.store.model import Entry, Fault, Store

_KINDS: dict[str, Callable[[str], Callable[[Entry], object]]] = {
    TABLES: lambda name: Room(name).follow,
    TOURNAMENTS: lambda name: Hosted(name).follow,
}


def book_faults(store: Store) -> Iterator[Fault]:
    """Every table and tournament whose rulebook is unknown, or is not the one whose digest was recorded."""
    for prefix, begin in _KINDS.items():
        for head in store.heads(prefix):
            for first in store.read(head.stream, 0, 1):
                words = _wrong(begin(head.stream.removeprefix(prefix)), first)
                if words:
                    yield Fault(head.stream, first.version, words)


def _wrong(follow: Callable[[Entry], object], first: Entry) -> str:
    try:
        follow(first)
    except RulebookError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001 whatever it is, it is not what we write
        return f"cannot be read: {type(error).__name__}: {error}"
    return ""

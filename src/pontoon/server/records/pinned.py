"""Check that every table and tournament in a store can be opened with the rulebook of its first entry."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pontoon.rulebook import RulebookError
from pontoon.server.rooms.room import STREAM as TABLES
from pontoon.server.rooms.room import Room
from pontoon.server.rooms.snapshots import about_of as about_table
from pontoon.server.tournaments.hosted import Hosted
from pontoon.server.tournaments.log import STREAM as TOURNAMENTS
from pontoon.server.tournaments.snapshots import about_of as about_tournament
from pontoon.store.model import Entry, Fault, Snapshot, Store

_KINDS: dict[str, Callable[[str], Callable[[Entry], object]]] = {
    TABLES: lambda name: Room(name).apply,
    TOURNAMENTS: lambda name: Hosted(name).apply,
}


_ABOUT: dict[str, Callable[[Snapshot], object]] = {TABLES: about_table, TOURNAMENTS: about_tournament}


def book_faults(store: Store, *, only_new: bool = False) -> Iterator[Fault]:
    """A fault for every table and tournament whose rulebook is unknown or does not match its recorded digest.

    `only_new` leaves out those with a snapshot of this version, which has opened them before.
    """
    for prefix, begin in _KINDS.items():
        last = store.last_snapshots(prefix) if only_new else {}
        opened = {stream for stream, snapshot in last.items() if _ABOUT[prefix](snapshot) is not None}
        for head in store.heads(prefix):
            for first in store.read(head.stream, 0, 1) if head.stream not in opened else ():
                words = _wrong(begin(head.stream.removeprefix(prefix)), first)
                if words:
                    yield Fault(head.stream, first.version, words)


def _wrong(apply: Callable[[Entry], object], first: Entry) -> str:
    try:
        apply(first)
    except RulebookError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001 any error means the entry was not written by us
        return f"cannot be read: {type(error).__name__}: {error}"
    return ""

"""The records of shoes that are over, made again from the log of their table."""

from __future__ import annotations

from collections import OrderedDict

from pontoon.server.rooms.decide import SHOE
from pontoon.server.rooms.log import SeedKept, read_body
from pontoon.store.model import Entry, Store, entries_after
from pontoon.table.events import TableEvent
from pontoon.table.fairness import ShoeRecord
from pontoon.table.shoe_keeper import ShoeKeeper

_SEED = b'"type":"SeedKept"'
MOST_RECORDS = 64
MOST_SHOES = 100_000


class PastShoes:
    """The shoes of the tables of a store; some records are cached. For one thread at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._records: OrderedDict[tuple[str, int], tuple[int, ShoeRecord]] = OrderedDict()
        """By the entry that began a shoe: the entry that ended it, and its record."""

    def begun(self, stream: str) -> list[int]:
        """The versions of the entries that began a shoe that can be proved, in order."""
        marked = [entry.version for entry in self._store.marked(SHOE, stream=stream, limit=MOST_SHOES)][::-1]
        last = marked[0] - 1 if marked else self._store.head(stream).version
        return [*self._unmarked(stream, last), *marked]

    def _unmarked(self, stream: str, last: int) -> list[int]:
        """Those that version 0.1.0 wrote, without a mark: all entries up to a version are read."""
        if marked_first := self._store.read(stream, last, 1):
            state = marked_first[0]
            if b', shoe 1"' in state.body:  # the first shoe is marked, so there is none before
                return []
        found: list[int] = []
        for entry in entries_after(self._store, stream, 0):
            if entry.version > last:
                break
            if _SEED in entry.body:
                found.append(entry.version)
        return found

    def record(self, stream: str, first: int, end: int) -> ShoeRecord | None:
        """The record of the shoe that began with an entry, as far as the entries before `end` tell."""
        ended, cached = self._records.get((stream, first), (end, None))
        if ended < end:
            return cached
        keeper = ShoeKeeper()
        for entry in _between(self._store, stream, first - 1, end - 1):
            self._apply(keeper, entry)
            if keeper.records:
                self._records[stream, first] = (entry.version, keeper.records[0])
                if len(self._records) > MOST_RECORDS:
                    self._records.popitem(last=False)
                return keeper.records[0]
        return keeper.record

    def _apply(self, keeper: ShoeKeeper, entry: Entry) -> None:
        packs = 0
        for event in read_body(entry.body).events:
            if isinstance(event, SeedKept):
                packs = packs or self._packs(entry)
                keeper.begin(event.shoe, packs, bytes.fromhex(event.seed))
            elif isinstance(event, TableEvent):
                keeper.apply(event)

    @staticmethod
    def _packs(entry: Entry) -> int:
        """How many packs a shoe has: its order is in the entry that begins it."""
        order = next(getattr(event, "order", ()) for event in read_body(entry.body).events if hasattr(event, "order"))
        return len(order) // 48


def _between(store: Store, stream: str, after: int, last: int) -> list[Entry]:
    found: list[Entry] = []
    while after < last:
        page = store.read(stream, after, min(1000, last - after))
        if not page:
            break
        found += page
        after = page[-1].version
    return found

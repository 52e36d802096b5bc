"""States of rooms in the past: from the snapshot before an entry and the log after it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from pontoon.rulebook import Rulebook
from pontoon.server.rooms import commands as r
from pontoon.server.rooms.commands import Asked
from pontoon.server.rooms.room import folded
from pontoon.server.rooms.snapshots import state_of
from pontoon.server.rooms.state import RoomState
from pontoon.server.wire import KEPT, kept
from pontoon.store.model import Entry, Store
from pontoon.table import commands as c
from pontoon.table.state import Finished

PAGE = 256
APART = 256
"""Entries between two cached states, if the store has no snapshots."""
MOST_STATES = 64
MOST_BOOKS = 64


class PastRooms:
    """States of rooms in the past; some are cached. For one thread at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._states: OrderedDict[tuple[str, int], RoomState] = OrderedDict()
        self._books: OrderedDict[str, Rulebook] = OrderedDict()

    def before(self, stream: str, version: int) -> RoomState | None:
        """The room as it stood before an entry; None before the first."""
        state = self._near(stream, version - 1)
        for entry in self.entries(stream, state.version if state is not None else 0, version - 1):
            cached = not entry.version % APART
            state, _ = folded(state, entry, passing=not cached and entry.version < version - 1)
            if cached:
                self._cache(stream, state)
        return state

    def _near(self, stream: str, version: int) -> RoomState | None:
        """The last state not after a version that is cached or stored."""
        at = version // APART * APART
        cached = self._states.get((stream, at))
        if cached is not None or version < 1:
            return cached
        found = self._store.snapshot_before(stream, version)
        state = state_of(found, self._rules(stream)) if found is not None else None
        if state is not None:
            return state
        while at and (stream, at) not in self._states:
            at -= APART
        return self._states.get((stream, at))

    def _rules(self, stream: str) -> Rulebook:
        rules = self._books.get(stream)
        if rules is None:
            state, _ = folded(None, self._store.read(stream, 0, 1)[0])
            rules = self._books[stream] = state.table.rules
            if len(self._books) > MOST_BOOKS:
                self._books.popitem(last=False)
        return rules

    def _cache(self, stream: str, state: RoomState) -> None:
        self._states[stream, state.version] = state
        if len(self._states) > MOST_STATES:
            self._states.popitem(last=False)

    def entries(self, stream: str, after: int, last: int) -> Iterator[Entry]:
        """The entries of a stream after a version, up to another."""
        while after < last:
            page = self._store.read(stream, after, min(PAGE, last - after))
            if not page:
                return
            yield from page
            after = page[-1].version

    def finished(self, stream: str, number: int, at: int = 2**62) -> Finished | None:
        """A round that is over, and whether it was made void before an entry; None if there is none of that number."""
        found = self._store.marked(f"round:{number}", stream=stream, limit=1)
        if not found:
            return None
        state = self.before(stream, found[0].version + 1)
        assert state is not None
        done = next(
            (finished_round for finished_round in state.table.finished if finished_round.number == number), None
        )
        void = any(entry.version < at for entry in self._store.marked(f"voided:{number}", stream=stream))
        return replace(done, void=True) if done is not None and void else done


def earlier_round(state: RoomState, asked: Asked) -> int:
    """The number of a round that a command concerns and that is no longer in memory; 0 for none."""
    if isinstance(asked, r.Approve):
        ruling = next((proposal.command for proposal in state.proposals if proposal.number == asked.number), None)
        command: object = kept(msgspec.json.decode(ruling, type=KEPT)) if ruling is not None else None
    else:
        command = asked
    if not isinstance(command, c.VoidEarlier) or any(
        finished_round.number == command.number for finished_round in state.table.finished
    ):
        return 0
    return command.number


def with_round(state: RoomState, done: Finished | None) -> RoomState:
    """The room with this round added to those its table remembers."""
    if done is None:
        return state
    return replace(state, table=replace(state.table, finished=(done, *state.table.finished)))

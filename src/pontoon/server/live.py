"""A room in a process: who watches it, what they were sent last, and whether this process may write it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Protocol

from msgspec import Struct

from pontoon.server.capacity import Actor
from pontoon.server.commands import Asked
from pontoon.server.decide import Decided
from pontoon.server.frames import encoded, notice_frame, snapshot, step
from pontoon.server.log import PlayResumed, RulingApproved, RulingRejected
from pontoon.server.problems import Problem
from pontoon.server.room import Happened, Plan, Room
from pontoon.server.state import clock
from pontoon.store.model import Entry
from pontoon.table.events import TableEvent
from pontoon.view.eye import Eye, eye_class

GOES_ON = (PlayResumed, RulingApproved, RulingRejected)
"""After these whoever is waited for has the whole time again."""
MEMORY = 64
"""How many of the last steps a room can send again; whoever missed more gets a snapshot."""


Make = Callable[[Eye], str]
"""A step as an eye sees it."""


class Watcher(Protocol):
    """Somebody who is sent what happens."""

    @property
    def eye(self) -> Eye:
        """Who looks."""

    def send(self, content: str) -> None:
        """Send this, or cut the watcher off; never wait."""

    def show(self, make: Make) -> None:
        """Send what this makes for the eye, now or when its turn comes, in order with the rest."""


class Question(Struct, frozen=True):
    """A command on its way to the owner of a room."""

    actor: Actor
    asked: Asked
    key: str
    seen: int | None
    answer: asyncio.Future[int | Problem]


class Sent(Struct, frozen=True):
    """A step as it can be made again for any eye."""

    first: int
    version: int
    make: Make


class Live:
    """One room of this process."""

    def __init__(self, room: Room, now: float) -> None:
        self.room = room
        self.epoch = 0
        self.owned = False
        self.inbox: asyncio.Queue[Question | None] = asyncio.Queue()
        self.watchers: set[Watcher] = set()
        self.began = now
        """When this moment began, on the process's own clock."""
        self.stuck = -1
        """The version at which the program's next command was refused; it waits for the table to move on."""
        self.task: asyncio.Task[None] | None = None
        self._sent: deque[Sent] = deque(maxlen=MEMORY)
        self._plan: tuple[int, Plan | None] = (-1, None)

    @property
    def plan(self) -> Plan | None:
        """What the program does next; worked out once a version, for a shuffle is made by planning it."""
        version = self.room.version
        if self._plan[0] != version:
            self._plan = (version, self.room.plan() if self.owned else None)
        return None if self.stuck == version else self._plan[1]

    def replan(self) -> None:
        """What was planned was not written: plan anew, from the log alone."""
        self.room.unplan()
        self._plan = (-1, None)

    def left(self, now: float) -> int:
        """Milliseconds left of the clock that runs."""
        whole = clock(self.room.state)
        return max(1, whole - int(1000 * (now - self.began))) if whole else 0

    def follow(self, entries: Sequence[Entry], now: float, decided: Sequence[Decided] = ()) -> list[Happened]:
        """Apply new entries, as this process decided them or as they were written, and publish them to the watchers."""
        since, betting = (self.room.state.since, self._betting) if self.room.version else (-1, False)
        happened: list[Happened] = []
        for entry, known in zip_longest(entries, decided):
            happened += self.room.follow(entry, known)
        began = (self._betting and not betting) or any(isinstance(one.event, GOES_ON) for one in happened)
        if began or self.room.state.since != since:
            self.began = now
        self._tell(entries[0].version, tuple(happened))
        return happened

    @property
    def _betting(self) -> bool:
        """A wager lies on the layout."""
        state = self.room.state.table.round
        return state is not None and bool(state.boxes)

    def _tell(self, first: int, happened: tuple[Happened, ...]) -> None:
        """One encoding for all eyes that see the same."""
        state = self.room.state
        events = tuple(one.event for one in happened if isinstance(one.event, TableEvent))
        made: dict[tuple[str, ...], str] = {}
        tables = [happened[0].before, *(one.after for one in happened)] if happened and state.table.face_down else []

        def make(eye: Eye) -> str:
            # A step may end with the cards picked up: what lay face down on the way counts as well.
            kind = (eye_class(state.table, eye, events), *(eye_class(table, eye) for table in tables))
            if kind not in made:
                made[kind] = encoded(step(state, first, happened, eye))
            return made[kind]

        self._sent.append(Sent(first, state.version, make))
        for watcher in tuple(self.watchers):
            watcher.show(make)

    def tell(self, no: Problem) -> None:
        """A problem of the table's own, for everybody who watches."""
        for watcher in tuple(self.watchers):
            watcher.send(encoded(notice_frame(self.room.id, no, watcher.eye.language)))

    def catch_up(self, watcher: Watcher, after: int | None, now: float) -> None:
        """Send what happened after a version, or a snapshot where that is too long ago or was never seen."""
        missed = [one for one in self._sent if after is not None and one.first > after]
        joined = after is not None and (after == self.room.version or bool(missed and missed[0].first == after + 1))
        if not joined:
            watcher.send(encoded(snapshot(self.room.state, watcher.eye, self.left(now))))
            return
        for one in missed:
            watcher.show(one.make)

"""A room in this process: its watchers, what they were last sent, and whether this process owns it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from itertools import zip_longest
from math import inf
from typing import Protocol

from msgspec import Struct

from pontoon.server.problems import Problem
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import Asked
from pontoon.server.rooms.decide import Decided
from pontoon.server.rooms.frames import encoded, notice_frame, snapshot, step
from pontoon.server.rooms.log import PlayPaused, PlayResumed, RulingApproved, RulingRejected
from pontoon.server.rooms.room import Happened, Plan, Room
from pontoon.server.rooms.state import RoomState, clock
from pontoon.store.model import Entry
from pontoon.table import Table
from pontoon.table.events import TableEvent
from pontoon.view.viewer import Viewer, viewer_class

GOES_ON = (PlayResumed, RulingApproved, RulingRejected)
"""Events after which the players whose turn it is get the full time again."""
MEMORY = 64
"""How many recent steps a room can resend; a client that missed more gets a snapshot."""


Make = Callable[[Viewer], str]
"""A step as a viewer sees it."""


class Watcher(Protocol):
    """A receiver of steps."""

    @property
    def viewer(self) -> Viewer:
        """Who looks."""

    def send(self, content: str) -> None:
        """Send this, or cut the watcher off; never wait."""

    def show(self, make: Make) -> None:
        """Send the frame made for this viewer, in order with the others."""


class Question(Struct, frozen=True):
    """A command queued for the owner of a room."""

    actor: Actor
    asked: Asked
    key: str
    seen: int | None
    answer: asyncio.Future[int | Problem]
    trace: str = ""
    """The span of its sender."""


class Sent(Struct, frozen=True):
    """A step from which the frame of any viewer can be made."""

    first: int
    version: int
    make: Make
    at: float
    """When, by the process's own clock."""


class Live:
    """One room of this process."""

    def __init__(self, room: Room, now: float) -> None:
        self.room = room
        self.epoch = 0
        self.owned = False
        self.inbox: asyncio.Queue[Question | None] = asyncio.Queue()
        self.watchers: set[Watcher] = set()
        self.began = now
        """When the current wait began, by the process's own clock."""
        self.stuck = -1
        """The version at which the program's next command was refused; it waits for the table to move on."""
        self.task: asyncio.Task[None] | None = None
        self.hash = ""
        """The hash of the last entry."""
        self.snapshot = 0
        """The version of the last snapshot that this process knows of."""
        self.epoch_owned = False
        """Whether this process has owned the room since it was read."""
        self.moved_at = now
        """When the table moved on last."""
        self.woken = False
        """Wakes the owner to check what is due, without acting early."""
        self.watched_at = -inf
        """When someone watched last."""
        self.held_since = now
        """When the game was paused, as far as this process knows."""
        self.delay = 0.0
        """Seconds by which the spectators' view is delayed, from the house policy."""
        self._past: deque[tuple[float, RoomState]] = deque()
        """The states that spectators may still have to see, and when each began."""
        self._late: dict[Watcher, list[asyncio.TimerHandle]] = {}
        """What spectators are still to be sent."""
        self._sent: deque[Sent] = deque(maxlen=MEMORY)
        self._plan: tuple[int, Plan | None] = (-1, None)

    @property
    def plan(self) -> Plan | None:
        """What the program does next; planned once per version, because planning a shuffle performs it."""
        version = self.room.version
        if self._plan[0] != version:
            self._plan = (version, self.room.plan() if self.owned else None)
        return None if self.stuck == version else self._plan[1]

    def replan(self) -> None:
        """Discard a plan that was not written, and plan again from the log."""
        self.room.unplan()
        self._plan = (-1, None)

    def join(self, watcher: Watcher) -> None:
        """Add a watcher; bots that paused because no one was watching continue."""
        self.watchers.add(watcher)
        self.wake()

    def leave(self, watcher: Watcher, now: float) -> None:
        """Remove a watcher."""
        self.watchers.discard(watcher)
        self._cancel(watcher)
        self.watched_at = now

    def look(self, now: float) -> None:
        """Someone looked at the table once, over REST."""
        self.watched_at = now
        self.wake()

    def wake(self) -> None:
        """Make the owner check what is due."""
        if self.owned and self.inbox.empty():
            self.woken = True
            self.inbox.put_nowait(None)

    def seen_within(self, now: float, seconds: float) -> bool:
        """Whether someone watches, or has watched in the last seconds."""
        return bool(self.watchers) or now - self.watched_at < seconds

    def rests(self, now: float, after: float) -> bool:
        """Whether only bots play here and nobody has watched for `after` seconds; -inf ignores who watches."""
        state = self.room.state
        watched = after > -inf and self.seen_within(now, after)
        if not state.settings.bots_alone or watched:
            return False
        bots = {bot.player for bot in state.bots}
        boxes = state.table.round.boxes if state.table.round is not None else ()
        return all(wager.player in bots for box in boxes for wager in box.bettors)

    def left(self, now: float) -> int:
        """Milliseconds left of the clock that runs."""
        whole = clock(self.room.state)
        return max(1, whole - int(1000 * (now - self.began))) if whole else 0

    def apply(self, entries: Sequence[Entry], now: float, decided: Sequence[Decided] = ()) -> list[Happened]:
        """Apply new entries, as this process decided them or as they were written, and publish them to the watchers."""
        since, betting = (self.room.state.since, self._betting) if self.room.version else (-1, False)
        happened: list[Happened] = []
        if self.delay and not self._past and self.room.version:
            self._past.append((-inf, self.room.state))
        self.hash, self.moved_at = entries[-1].hash, now
        for entry, known in zip_longest(entries, decided):
            happened += self.room.apply(entry, known)
        if any(isinstance(one.event, PlayPaused) for one in happened):
            self.held_since = now
        began = (self._betting and not betting) or any(isinstance(one.event, GOES_ON) for one in happened)
        if began or self.room.state.since != since:
            self.began = now
        self._remember(now)
        self._tell(entries[0].version, tuple(happened), now)
        return happened

    @property
    def _betting(self) -> bool:
        """Whether there is a wager on the layout."""
        state = self.room.state.table.round
        return state is not None and bool(state.boxes)

    def _tell(self, first: int, happened: tuple[Happened, ...], now: float) -> None:
        """The encoded step, shared by all viewers who see the same."""
        state = self.room.state
        events = tuple(one.event for one in happened if isinstance(one.event, TableEvent))
        made: dict[tuple[str, ...], str] = {}
        tables = [happened[0].before, *(one.after for one in happened)] if happened and state.table.face_down else []

        def make(viewer: Viewer) -> str:
            # A step may end with the cards collected: cards that were face down during it count too.
            kind = (viewer_class(state.table, viewer, events), *(viewer_class(table, viewer) for table in tables))
            if kind not in made:
                made[kind] = encoded(step(state, first, happened, viewer))
            return made[kind]

        self._sent.append(Sent(first, state.version, make, now))
        for watcher in tuple(self.watchers):
            self._show(watcher, make, now)

    def tell(self, no: Problem) -> None:
        """Send a problem of the table itself to all watchers."""
        for watcher in tuple(self.watchers):
            watcher.send(encoded(notice_frame(self.room.id, no, watcher.viewer.language)))

    def catch_up(self, watcher: Watcher, after: int | None, now: float) -> None:
        """Send the steps after a version, or a snapshot if that is too long ago or unknown."""
        self._cancel(watcher)
        lag = self._lag(watcher.viewer)
        if lag:
            self._catch_up_late(watcher, now, lag)
            return
        missed = [one for one in self._sent if after is not None and one.first > after]
        joined = after is not None and (after == self.room.version or bool(missed and missed[0].first == after + 1))
        if not joined:
            watcher.send(encoded(snapshot(self.room.state, watcher.viewer, self.left(now))))
            return
        for one in missed:
            watcher.show(one.make)

    # --- spectators who see the table later ---

    def seen_by(self, viewer: Viewer, now: float) -> RoomState:
        """The state that a viewer may see: for a spectator the one of some seconds ago, by the house policy."""
        lag = self._lag(viewer)
        known = [state for at, state in self._past if at <= now - lag] if lag else []
        return known[-1] if known else self.room.state

    def _lag(self, viewer: Viewer) -> float:
        """Seconds by which this viewer is behind."""
        state = self.room.state
        late = self.delay and not viewer.official and not state.settings.practice
        return self.delay if late and not plays_at(state.table, viewer.player) else 0.0

    def _remember(self, now: float) -> None:
        """Keep the states that spectators have not seen yet, and the one that they see."""
        if not self.delay:
            self._past.clear()
            return
        self._past.append((now, self.room.state))
        while len(self._past) > 1 and self._past[1][0] <= now - self.delay:
            self._past.popleft()

    def _show(self, watcher: Watcher, make: Make, now: float) -> None:
        """Send a step, at once or later; a spectator who begins to play gets the current state first."""
        lag = self._lag(watcher.viewer)
        if lag:
            timer = asyncio.get_running_loop().call_later(lag, watcher.show, make)
            pending = [known for known in self._late.get(watcher, ()) if known.when() > timer.when() - lag]
            self._late[watcher] = [*pending, timer]
        elif watcher in self._late:
            self._cancel(watcher)
            watcher.send(encoded(snapshot(self.room.state, watcher.viewer, self.left(now))))
        else:
            watcher.show(make)

    def _catch_up_late(self, watcher: Watcher, now: float, lag: float) -> None:
        """Send a spectator the state of some seconds ago, and what followed in its time."""
        state = self.seen_by(watcher.viewer, now)
        watcher.send(encoded(snapshot(state, watcher.viewer, 0)))
        loop = asyncio.get_running_loop()
        timers = [
            loop.call_later(max(0.0, sent.at + lag - now), watcher.show, sent.make)
            for sent in self._sent
            if sent.first > state.version
        ]
        if timers:
            self._late[watcher] = timers

    def _cancel(self, watcher: Watcher) -> None:
        for timer in self._late.pop(watcher, ()):
            timer.cancel()


def plays_at(table: Table, name: str) -> bool:
    """Whether someone has a seat or a wager at a table."""
    boxes = table.round.boxes if table.round is not None else ()
    return any(seat.player == name for seat in table.seats) or any(
        bettor.player == name for box in boxes for bettor in box.bettors
    )

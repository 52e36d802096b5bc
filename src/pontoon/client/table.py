"""One table over a WebSocket for programs without asyncio; the connection runs in a separate thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from typing import Any, Self, TypeVar

from pontoon.client.connection import Connection
from pontoon.client.frames import Frame, Problem, Room
from pontoon.client.http import Client, ClientError
from pontoon.engine import Command
from pontoon.view.table_parts import TableView

T = TypeVar("T")


class LiveTable:
    """A table to watch and play at; `room`, `view` and `version` are those of the last frame read."""

    def __init__(self, client: Client, table: str) -> None:
        self.me = client.name
        self.id = table
        self.room: Room | None = None
        self.view: TableView | None = None
        self.version = 0
        self._done = 0
        """The version after our last command."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=f"table {table}", daemon=True)
        self._connection = Connection(client, table)

    def __enter__(self) -> Self:
        """Connect."""
        self._thread.start()
        self._run(self._connection.start())
        return self

    def __exit__(self, *_: object) -> None:
        """Disconnect; the seat at the table is kept."""
        self._run(self._connection.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __iter__(self) -> Iterator[Frame]:
        """Iterate over all frames, without end."""
        while True:
            yield self.next()

    def next(self, timeout: float | None = None) -> Frame:
        """The next frame; raises TimeoutError if none arrives within `timeout` seconds."""
        frame = self._run(self._connection.next(), timeout)
        if frame.type in ("snapshot", "step"):
            self.room, self.view, self.version = frame.room, frame.view, frame.version
        return frame

    def do(self, command: object, *, seen: bool = False) -> int | Problem:
        """Give a command; returns the resulting version, or the problem.

        With `seen`, it is refused as stale if the table has changed since the last frame read.
        """
        answer = self._run(self._connection.do(command, self.version if seen else None))
        if isinstance(answer, int):
            self._done = max(self._done, answer)
        return answer

    def must(self, command: object) -> int:
        """Give a command that should not be refused; raises ClientError if it is."""
        answer = self.do(command)
        if isinstance(answer, Problem):
            raise ClientError(answer.words, answer)
        return answer

    @property
    def asked(self) -> str:
        """What the table is waiting for from this player: wagers, cut, decision, offer, join; empty for nothing.

        Also empty until the frames have caught up with our commands.
        """
        room = self.room
        if room is None or room.paused or self.me in room.passed or self.version < self._done:
            return ""
        return room.waits if room.waits == "wagers" or self.me in room.players else ""

    @property
    def allowed(self) -> list[Command]:
        """The commands this player may give in the round now."""
        state = self.view.round if self.view is not None else None
        choices = state.choices if state is not None else ()
        return [command for choice in choices if choice.player == self.me for command in choice.allowed]

    def _run(self, work: Coroutine[Any, Any, T], timeout: float | None = None) -> T:
        waiting = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return waiting.result(timeout)
        except TimeoutError:
            if waiting.cancel():
                raise
            return waiting.result()  # it arrived at the last moment

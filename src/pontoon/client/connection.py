"""One table over a WebSocket, for asyncio.

A broken connection is re-established. A command without a reply is sent again with its key, so it takes effect only
once.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from typing import Any

from pontoon.client.frames import Frame, Problem, command_data, read_envelope, read_frame
from pontoon.client.http import TIMEOUT, Client, ClientError

SHORTEST_WAIT, LONGEST_WAIT = 0.2, 5.0
"""Seconds before reconnecting; doubled after each attempt."""
SIGNED_OUT = 4001
LOST = json.dumps({"type": "notice", "words": "Connection lost; reconnecting"})


class Connection:
    """Receives the frames of one table and sends commands."""

    def __init__(self, client: Client, table: str) -> None:
        self.table = table
        self.lost = 0
        """Number of times the connection was lost."""
        self._client = client
        self._frames: asyncio.Queue[str | ClientError] = asyncio.Queue()
        self._open: dict[str, tuple[str, asyncio.Future[int | Problem]]] = {}
        """Commands without a reply yet, by key."""
        self._seen = 0
        self._link: Any = None
        self._task: asyncio.Task[None] | None = None
        self._name = secrets.token_hex(4)
        self._keys = 0

    async def start(self) -> None:
        """Start watching; the first frame is a snapshot."""
        self._task = asyncio.create_task(self._connecting())

    async def close(self) -> None:
        """Stop watching."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def receive(self) -> str:
        """The next frame as text; raises ClientError if there will be no more."""
        frame = await self._frames.get()
        if isinstance(frame, ClientError):
            raise frame
        return frame

    async def next(self) -> Frame:
        """The next frame."""
        return read_frame(await self.receive())

    def waiting(self) -> bool:
        """Whether a frame is waiting."""
        return not self._frames.empty()

    async def do(self, command: object, version: int | None = None) -> int | Problem:
        """Give a command; returns the resulting version, or the problem.

        `version` is the version the sender saw, required for decisions that depend on the cards.
        """
        self._keys += 1
        key = f"{self._name}-{self._keys}"
        message = {"type": "do", "table": self.table, "key": key, "command": command_data(command)}
        text = json.dumps(message if version is None else {**message, "version": version})
        answer: asyncio.Future[int | Problem] = asyncio.get_running_loop().create_future()
        self._open[key] = (text, answer)
        if self._link is not None:
            with contextlib.suppress(Exception):  # if the link breaks now, it is sent again after reconnecting
                await self._link.send(text)
        return await answer

    async def _connecting(self) -> None:
        """Connect, and reconnect whenever the connection is lost."""
        from websockets.asyncio.client import connect  # noqa: PLC0415 not everyone who imports this connects
        from websockets.exceptions import ConnectionClosed, WebSocketException  # noqa: PLC0415 the same

        wait = SHORTEST_WAIT
        while True:
            try:
                async with connect(self._client.socket_url, open_timeout=TIMEOUT, close_timeout=1) as link:
                    wait = SHORTEST_WAIT
                    await self._session(link)
            except (OSError, TimeoutError, WebSocketException) as error:
                if isinstance(error, ConnectionClosed) and error.rcvd is not None and error.rcvd.code == SIGNED_OUT:
                    self._frames.put_nowait(ClientError("your session has expired; sign in again"))
                    return
            self._link = None
            self.lost += 1
            self._frames.put_nowait(LOST)
            await asyncio.sleep(wait)
            wait = min(wait * 2, LONGEST_WAIT)

    async def _session(self, link: Any) -> None:  # noqa: ANN401 websockets is imported late
        if self._client.token:
            await link.send(json.dumps({"type": "hello", "token": self._client.token}))
        await link.send(json.dumps({"type": "watch", "table": self.table, "after": self._seen or None}))
        self._link = link
        for message, _ in tuple(self._open.values()):
            await link.send(message)
        async for content in link:
            self._take(content)

    def _take(self, content: str) -> None:
        frame = read_envelope(content)
        if frame.type == "done" and frame.key in self._open:
            self._answer(frame.key, frame.version)
        elif frame.type == "problem" and frame.key in self._open:
            self._answer(frame.key, Problem(frame.status, frame.code, frame.words, frame.clauses, frame.facts))
        else:
            if frame.type in ("snapshot", "step"):
                self._seen = frame.version
            self._frames.put_nowait(content)

    def _answer(self, key: str, answer: int | Problem) -> None:
        _, waiting = self._open.pop(key)
        if not waiting.done():
            waiting.set_result(answer)

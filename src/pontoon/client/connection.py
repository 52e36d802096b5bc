"""One table over a WebSocket, for asyncio.

A connection that breaks is made again; a command that was not answered is sent again with its key, which has no second
effect.
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
"""Seconds before the connection is made again; each attempt waits twice as long."""
SIGNED_OUT = 4001
LOST = json.dumps({"type": "notice", "words": "The connection is lost; it is being made again"})


class Connection:
    """Frames of one table come in, commands go out."""

    def __init__(self, client: Client, table: str) -> None:
        self.table = table
        self.lost = 0
        """How often the connection was lost."""
        self._client = client
        self._frames: asyncio.Queue[str | ClientError] = asyncio.Queue()
        self._open: dict[str, tuple[str, asyncio.Future[int | Problem]]] = {}
        """Commands not answered yet, by key."""
        self._seen = 0
        self._link: Any = None
        self._task: asyncio.Task[None] | None = None
        self._name = secrets.token_hex(4)
        self._keys = 0

    async def start(self) -> None:
        """Begin to watch; the first frame of the table is a snapshot."""
        self._task = asyncio.create_task(self._connecting())

    async def close(self) -> None:
        """Stop watching."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def receive(self) -> str:
        """The next frame as it was sent; ClientError where there will be no more."""
        frame = await self._frames.get()
        if isinstance(frame, ClientError):
            raise frame
        return frame

    async def next(self) -> Frame:
        """The next frame."""
        return read_frame(await self.receive())

    def waiting(self) -> bool:
        """Whether a frame has come already."""
        return not self._frames.empty()

    async def do(self, command: object, version: int | None = None) -> int | Problem:
        """Give a command; returns the version it led to, or why it was not done.

        `version` is the version its sender saw: where a decision must have seen the cards it is about.
        """
        self._keys += 1
        key = f"{self._name}-{self._keys}"
        message = {"type": "do", "table": self.table, "key": key, "command": command_data(command)}
        text = json.dumps(message if version is None else {**message, "version": version})
        answer: asyncio.Future[int | Problem] = asyncio.get_running_loop().create_future()
        self._open[key] = (text, answer)
        if self._link is not None:
            with contextlib.suppress(Exception):  # a link that breaks now sends it again when it is back
                await self._link.send(text)
        return await answer

    async def _connecting(self) -> None:
        """Connect, and again whenever the connection is gone."""
        from websockets.asyncio.client import connect  # noqa: PLC0415 not everybody who imports this connects
        from websockets.exceptions import ConnectionClosed, WebSocketException  # noqa: PLC0415 the same

        wait = SHORTEST_WAIT
        while True:
            try:
                async with connect(self._client.socket_url, open_timeout=TIMEOUT, close_timeout=1) as link:
                    wait = SHORTEST_WAIT
                    await self._session(link)
            except (OSError, TimeoutError, WebSocketException) as error:
                if isinstance(error, ConnectionClosed) and error.rcvd is not None and error.rcvd.code == SIGNED_OUT:
                    self._frames.put_nowait(ClientError("the server does not know you any more"))
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

"""A table on a server, as the terminal plays at it: `pontoon.client`, and what the coach says."""

from __future__ import annotations

import asyncio

import msgspec

from pontoon.client import Client, ClientError, Connection, Problem
from pontoon.money import dollars
from pontoon.rulebook import Override
from pontoon.server.commands import Asked
from pontoon.server.frames import Frame, NoticeFrame, ProblemFrame
from pontoon.terminal.table import Advice, Rules, Worth

FRAMES: msgspec.json.Decoder[Frame] = msgspec.json.Decoder(Frame)
PREPARING = 202
NO_REASON = 502


class Remote:
    """A table on a server."""

    local = False

    def __init__(self, client: Client, table: str) -> None:
        self.me = client.name
        self._client, self._table = client, table
        self._connection = Connection(client, table)

    async def start(self) -> None:
        await self._connection.start()

    async def close(self) -> None:
        await self._connection.close()

    async def next(self) -> Frame:
        frame = FRAMES.decode(await self._connection.receive())
        return (
            NoticeFrame(frame.words, self._table, frame.clauses, frame.code, frame.facts)
            if isinstance(frame, ProblemFrame)
            else frame
        )

    def waiting(self) -> bool:
        return self._connection.waiting()

    async def do(self, command: Asked, seen: int | None = None) -> int | Problem:
        return await self._connection.do(command, seen)

    async def rules(self) -> Rules | None:
        try:
            told = await asyncio.to_thread(self._client.ask, f"/api/tables/{self._table}/rules")
            book, overrides = told["rulebook"], msgspec.convert(told["overrides"], tuple[Override, ...])
            return Rules(str(book["name"]), str(book["title"]), str(book["place"]), overrides)
        except (ClientError, TypeError, KeyError, msgspec.ValidationError):  # a server of version 0.1.0
            return None

    async def transcript(self, number: int) -> str | Problem:
        try:
            return await asyncio.to_thread(self._client.transcript, self._table, number)
        except ClientError as error:
            if error.problem is None:
                return Problem(NO_REASON, "not_here", str(error))
            return Problem(error.problem.status, "no_such_round", "the server has no such round yet")

    async def advice(self) -> Advice:
        """As the server's coach says it; while the sums are done there it is asked again."""
        while True:
            try:
                status, told = await asyncio.to_thread(self._client.request, f"/api/tables/{self._table}/coach")
            except ClientError as error:
                return Advice(words=str(error))
            if status != PREPARING:
                break
            await asyncio.sleep(1)
        if not isinstance(told, dict) or not told.get("actions"):
            words = told.get("words") if isinstance(told, dict) else ""
            return Advice(words=words or "Nothing is to be decided now.")
        rows = tuple(Worth(one["action"], one["value"], one["cents"], one["chart"]) for one in told["actions"])
        square = told.get("square")
        chart = "Chart, {block} {row} against {column}: {action}.".format_map(square) if square else ""
        hand = f"{' '.join(told['cards'])} against {told['dealer']}, {dollars(told['stake'])}"
        return Advice(rows, hand, chart)

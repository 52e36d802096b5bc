"""A table on a server, as the terminal plays at it: `pontoon.client`, and what the coach says."""

from __future__ import annotations

import asyncio

import msgspec

from pontoon.client import Client, ClientError, Connection, Problem
from pontoon.rulebook import Override
from pontoon.server.coach.round_review import Mistake
from pontoon.server.rooms.commands import Asked
from pontoon.server.rooms.frames import Frame, NoticeFrame, ProblemFrame
from pontoon.terminal.table import Advice, Rules, Worth
from pontoon.view.catalogue.formats import money

FRAMES: msgspec.json.Decoder[Frame] = msgspec.json.Decoder(Frame)
PREPARING = 202
NO_REASON = 502
MOST_ROUNDS = 100


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
            answer = await asyncio.to_thread(self._client.ask, f"/api/tables/{self._table}/rules")
            book, overrides = answer["rulebook"], msgspec.convert(answer["overrides"], tuple[Override, ...])
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

    async def mistakes(self) -> list[Mistake] | None:
        """What the server's review says of the last rounds at this table."""
        try:
            listed = await asyncio.to_thread(self._client.ask, f"/api/rounds?table={self._table}&limit={MOST_ROUNDS}")
            mine = [row for row in listed["rounds"] if any(line["player"] == self.me for line in row["players"])]
            return [mistake for row in mine for mistake in await self._review(row["number"])]
        except (ClientError, TypeError, KeyError, msgspec.ValidationError):  # no coach, or a server of version 0.1.0
            return None

    async def _review(self, number: int) -> tuple[Mistake, ...]:
        while True:
            path = f"/api/rounds/{self._table}/{number}/review"
            status, answer = await asyncio.to_thread(self._client.request, path)
            if status != PREPARING:
                return msgspec.convert(answer["mistakes"], tuple[Mistake, ...])
            await asyncio.sleep(1)

    async def advice(self) -> Advice:
        """The advice of the server's coach; asks again while it is still computing."""
        while True:
            try:
                status, answer = await asyncio.to_thread(self._client.request, f"/api/tables/{self._table}/coach")
            except ClientError as error:
                return Advice(words=str(error))
            if status != PREPARING:
                break
            await asyncio.sleep(1)
        if not isinstance(answer, dict) or not answer.get("actions"):
            words = answer.get("words") if isinstance(answer, dict) else ""
            return Advice(words=words or "There is nothing to decide now.")
        rows = tuple(
            Worth(action["action"], action["value"], action["cents"], action["chart"]) for action in answer["actions"]
        )
        square = answer.get("square")
        chart = "Chart, {block} {row} against {column}: {action}.".format_map(square) if square else ""
        hand = f"{' '.join(answer['cards'])} against {answer['dealer']}, {money(answer['stake'])}"
        return Advice(rows, hand, chart)

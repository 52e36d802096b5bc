"""A table on a server: REST to get there, one WebSocket to play.

A connection that breaks is made again; what was not answered is sent again with its key, which has no second effect.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import urllib.error
import urllib.request
from typing import Any

import msgspec
from msgspec import Struct

from pontoon.money import dollars
from pontoon.server.commands import Asked
from pontoon.server.frames import Frame, NoticeFrame, ProblemFrame, ReplyFrame, SnapshotFrame, StepFrame
from pontoon.server.problems import Problem
from pontoon.terminal.table import Advice, TableError, Worth

FRAMES: msgspec.json.Decoder[Frame] = msgspec.json.Decoder(Frame)
PATIENCE = 10.0
LEAST_WAIT, MOST_WAIT = 0.2, 5.0
PREPARING = 202
NO_REASON = 502
SIGNED_OUT = 4001


class Row(Struct, frozen=True):
    """A table in the lobby."""

    id: str
    name: str
    rulebook: str
    seated: int
    boxes: int
    practice: bool
    mode: str


class Site:
    """The server's REST side, as far as a player needs it."""

    def __init__(self, url: str) -> None:
        address = url if "://" in url else f"http://{url}"
        self.url = address.split("#")[0].rstrip("/")
        self.token = ""
        if not self.url.startswith(("http://", "https://")):
            raise TableError(f"--server {url}: an address begins with http:// or https://")

    @property
    def socket(self) -> str:
        return f"ws{self.url.removeprefix('http')}/play"

    def ask(self, path: str, body: object = None) -> tuple[int, Any]:
        """Status and answer; TableError where nobody answers sensibly."""
        request = urllib.request.Request(  # noqa: S310 only http and https come this far
            f"{self.url}{path}",
            None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.token}"} if self.token else {}),
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
                status, content = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                status, content = error.code, error.read()
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise TableError(f"{self.url} does not answer: {getattr(reason, 'strerror', None) or reason}") from None
        return status, _read(content)

    def must(self, path: str, body: object = None) -> Any:  # noqa: ANN401 what a server says can be anything
        """The answer; TableError where it is a no."""
        status, answer = self.ask(path, body)
        if status >= 400:  # noqa: PLR2004 there HTTP's errors begin
            words = answer.get("words") or answer.get("detail") if isinstance(answer, dict) else ""
            raise TableError(f"{self.url}: {words or f'answers {status}'}")
        return answer

    def sign_in(self, name: str) -> str:
        """Come as a guest; the name one has there."""
        who = self.must("/api/guests", {"name": name})
        try:
            self.token = str(who["token"])
            return str(who["name"])
        except (TypeError, KeyError):
            raise TableError(f"{self.url} is no Pontoon server") from None

    def tables(self) -> list[Row]:
        """The lobby: tables dealt by the program."""
        found = msgspec.convert(self.must("/api/tables")["tables"], list[Row])
        return [one for one in found if one.mode == "automatic"]

    def make(self, settings: dict[str, object]) -> str:
        """A new table; its id."""
        return str(self.must("/api/tables", settings)["id"])


def _read(content: bytes) -> Any:  # noqa: ANN401 what a server says can be anything
    try:
        return json.loads(content)
    except ValueError:
        return content.decode("utf-8", "replace")


class Remote:
    """A table on a server."""

    local = False

    def __init__(self, site: Site, name: str, table: str) -> None:
        self.me = name
        self._site, self._table = site, table
        self._frames: asyncio.Queue[Frame | TableError] = asyncio.Queue()
        self._open: dict[str, tuple[str, asyncio.Future[int | Problem]]] = {}
        """What was asked and not answered yet, by key."""
        self._seen = 0
        self._link: Any = None
        self._task: asyncio.Task[None] | None = None
        self._name = secrets.token_hex(4)
        self._keys = 0
        self.lost = 0
        """How often the connection was lost."""

    async def start(self) -> None:
        self._task = asyncio.create_task(self._connecting())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _connecting(self) -> None:
        """Connect, and again whenever the connection is gone."""
        from websockets.asyncio.client import connect  # noqa: PLC0415 only a remote table needs it
        from websockets.exceptions import ConnectionClosed, WebSocketException  # noqa: PLC0415

        wait = LEAST_WAIT
        while True:
            try:
                async with connect(self._site.socket, open_timeout=PATIENCE, close_timeout=1) as link:
                    wait = LEAST_WAIT
                    await self._session(link)
            except (OSError, TimeoutError, WebSocketException) as error:
                if isinstance(error, ConnectionClosed) and error.rcvd is not None and error.rcvd.code == SIGNED_OUT:
                    self._frames.put_nowait(TableError("the server does not know you any more"))
                    return
            self._link = None
            self.lost += 1
            self._frames.put_nowait(NoticeFrame("The connection is lost; it is being made again"))
            await asyncio.sleep(wait)
            wait = min(wait * 2, MOST_WAIT)

    async def _session(self, link: Any) -> None:  # noqa: ANN401 websockets is imported late
        await link.send(json.dumps({"type": "hello", "token": self._site.token}))
        await link.send(json.dumps({"type": "watch", "table": self._table, "after": self._seen or None}))
        self._link = link
        for message, _ in tuple(self._open.values()):
            await link.send(message)
        async for content in link:
            self._take(FRAMES.decode(content))

    def _take(self, frame: Frame) -> None:
        match frame:
            case ReplyFrame(key=key, version=version) if key in self._open:
                self._answer(key, version)
            case ProblemFrame(key=key) if key in self._open:
                self._answer(key, Problem(frame.status, frame.code, frame.words, frame.clauses))
            case ProblemFrame(words=words, clauses=clauses):
                self._frames.put_nowait(NoticeFrame(words, self._table, clauses))
            case SnapshotFrame(version=version) | StepFrame(version=version):
                self._seen = version
                self._frames.put_nowait(frame)
            case _:
                self._frames.put_nowait(frame)

    def _answer(self, key: str, answer: int | Problem) -> None:
        _, waiting = self._open.pop(key)
        if not waiting.done():
            waiting.set_result(answer)

    async def next(self) -> Frame:
        frame = await self._frames.get()
        if isinstance(frame, TableError):
            raise frame
        return frame

    def waiting(self) -> bool:
        return not self._frames.empty()

    async def do(self, command: Asked, seen: int | None = None) -> int | Problem:
        self._keys += 1
        key = f"{self._name}-{self._keys}"
        told = {"type": "do", "table": self._table, "key": key, "command": msgspec.to_builtins(command)}
        message = json.dumps(told if seen is None else {**told, "version": seen})
        answer: asyncio.Future[int | Problem] = asyncio.get_running_loop().create_future()
        self._open[key] = (message, answer)
        if self._link is not None:
            with contextlib.suppress(Exception):  # a link that breaks now sends it again when it is back
                await self._link.send(message)
        return await answer

    async def transcript(self, number: int) -> str | Problem:
        path = f"/api/rounds/{self._table}/{number}/transcript"
        try:
            status, text = await asyncio.to_thread(self._site.ask, path)
        except TableError as error:
            return Problem(NO_REASON, "not_here", str(error))
        return text if isinstance(text, str) else Problem(status, "no_such_round", "the server has no such round yet")

    async def advice(self) -> Advice:
        """As the server's coach says it; while the sums are done there it is asked again."""
        while True:
            try:
                status, told = await asyncio.to_thread(self._site.ask, f"/api/tables/{self._table}/coach")
            except TableError as error:
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

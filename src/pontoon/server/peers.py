"""Between the processes of one house: a command for a table of another process goes there over a plain connection.

Each process listens on an address of its own that stands, with a secret, in the leases it holds: whoever can read
those can write the store anyway. A line is a question, a line is its answer; and what a process wrote at a table it
tells the others, so that they need not read it from the store.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from pontoon.server.capacity import Actor
from pontoon.server.house import House
from pontoon.server.live import Question
from pontoon.server.logs import event
from pontoon.server.problems import Problem, problem
from pontoon.server.wire import read_command
from pontoon.store.model import Entry

LONGEST_LINE = 128 * 1024
"""The largest body of a request, and what is said around it."""
PATIENCE = 10.0
"""Seconds an owner has to answer; then the sender may ask again with the same key."""


MOST_WAITING = 1024 * 1024
"""Bytes that may wait for a process to read them; then it is told nothing and reads the store."""


class Asked(Struct, frozen=True, tag="asked"):
    """A question on the wire."""

    secret: str
    id: int
    room: Annotated[str, Meta(max_length=64)]
    actor: Actor
    key: str
    seen: int | None
    command: dict[str, Any]


class Told(Struct, frozen=True, tag="told"):
    """What was written at a table; there is no answer."""

    secret: str
    entries: tuple[Entry, ...]


class Telling(Struct, frozen=True, tag="told"):
    """The same, its entries encoded once for all who are told."""

    secret: str
    entries: msgspec.Raw


class Answered(Struct, frozen=True):
    """Its answer."""

    id: int
    version: int = 0
    problem: Problem | None = None


_lines: msgspec.json.Decoder[Asked | Told] = msgspec.json.Decoder(Asked | Told)


class Connection:
    """One connection to another process; many questions may be open at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._open: dict[int, asyncio.Future[int | Problem]] = {}
        self._last = 0
        self.task = asyncio.create_task(self._reading())

    @property
    def alive(self) -> bool:
        """Whether it can still be asked."""
        return not self.task.done()

    async def ask(self, secret: str, room: str, question: Question) -> int | Problem:
        """Send a question and wait for its answer."""
        self._last += 1
        answer: asyncio.Future[int | Problem] = asyncio.get_running_loop().create_future()
        self._open[self._last] = answer
        command = msgspec.to_builtins(question.asked)
        asked = Asked(secret, self._last, room, question.actor, question.key, question.seen, command)
        self._writer.write(msgspec.json.encode(asked) + b"\n")
        try:
            async with asyncio.timeout(PATIENCE):
                await self._writer.drain()
                return await answer
        except (TimeoutError, OSError):
            return problem("not_here")

    def tell(self, secret: str, entries: msgspec.Raw) -> None:
        """Send what was written."""
        line = msgspec.json.encode(Telling(secret, entries)) + b"\n"
        if len(line) <= LONGEST_LINE and self._writer.transport.get_write_buffer_size() <= MOST_WAITING:
            self._writer.write(line)

    async def _reading(self) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, ValueError):
            while line := await self._reader.readline():
                answered = msgspec.json.decode(line, type=Answered)
                waiting = self._open.pop(answered.id, None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(answered.problem or answered.version)
        for waiting in self._open.values():
            if not waiting.done():
                waiting.set_result(problem("not_here"))
        self._writer.close()


class PeerNetwork:
    """This process's ear, and its connections to the others."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self._host = host
        self._secret = secrets.token_hex(16)
        self._house: House | None = None
        self._server: asyncio.Server | None = None
        self._connections: dict[str, Connection] = {}
        self._connecting: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """One connection to a place, however many ask at once."""
        self._callers: set[asyncio.StreamWriter] = set()
        self._reaching: dict[str, asyncio.Task[None]] = {}

    async def listen(self) -> str:
        """Begin to listen; the address for the leases."""
        self._server = await asyncio.start_server(self._heard, self._host, 0, limit=LONGEST_LINE)
        port = self._server.sockets[0].getsockname()[1]
        return f"{self._host}:{port}/{self._secret}"

    def serve(self, house: House) -> None:
        """Answer for this house."""
        self._house = house
        house.peers = self

    async def close(self) -> None:
        """Stop listening and let go of everybody."""
        if self._server is not None:
            self._server.close()
        for task in self._reaching.values():
            task.cancel()
        for connection in self._connections.values():
            connection.task.cancel()
        await asyncio.gather(*(one.task for one in self._connections.values()), return_exceptions=True)
        for writer in tuple(self._callers):
            writer.close()

    async def ask(self, address: str, room: str, question: Question) -> int | Problem:
        """Ask the process that owns a table."""
        place, _, secret = address.partition("/")
        try:
            connection = await self._connected(place)
        except OSError:
            return problem("not_here")
        return await connection.ask(secret, room, question)

    def tell(self, addresses: Iterable[str], entries: Sequence[Entry]) -> None:
        """Tell these processes what was written; one that is not connected yet hears of it from the store."""
        encoded = msgspec.Raw(msgspec.json.encode(entries))
        for address in addresses:
            place, _, secret = address.partition("/")
            connection = self._connections.get(place)
            if connection is not None and connection.alive:
                connection.tell(secret, encoded)

    def reach(self, addresses: Iterable[str]) -> None:
        """Connect to these processes, in the background."""
        for place in {address.partition("/")[0] for address in addresses} - self._reaching.keys():
            connection = self._connections.get(place)
            if connection is None or not connection.alive:
                self._reaching[place] = asyncio.create_task(self._reach(place))

    async def _reach(self, place: str) -> None:
        try:
            with contextlib.suppress(OSError, TimeoutError):
                await self._connected(place)
        finally:
            del self._reaching[place]

    async def _connected(self, place: str) -> Connection:
        async with self._connecting[place]:
            found = self._connections.get(place)
            if found is None or not found.alive:
                host, _, port = place.rpartition(":")
                async with asyncio.timeout(PATIENCE):
                    found = Connection(*await asyncio.open_connection(host, int(port), limit=LONGEST_LINE))
                self._connections[place] = found
            return found

    async def _heard(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._callers.add(writer)
        answering: set[asyncio.Task[None]] = set()
        try:
            while line := await reader.readline():
                said = _lines.decode(line)
                if not hmac.compare_digest(said.secret, self._secret):
                    event("stranger")
                    return
                if isinstance(said, Told):
                    self._told(said)
                    continue
                task = asyncio.create_task(self._answer(said, writer))
                answering.add(task)
                task.add_done_callback(answering.discard)
        except (OSError, ValueError, asyncio.IncompleteReadError, msgspec.MsgspecError):
            pass
        finally:
            self._callers.discard(writer)
            writer.close()

    def _told(self, said: Told) -> None:
        if self._house is not None and said.entries:
            self._house.told(said.entries)

    async def _answer(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        assert self._house is not None
        answer = await self._house.owned_command(
            asked.actor, asked.room, read_command(asked.command), asked.key, asked.seen
        )
        answered = (
            Answered(asked.id, problem=answer) if isinstance(answer, Problem) else Answered(asked.id, version=answer)
        )
        with contextlib.suppress(OSError):
            writer.write(msgspec.json.encode(answered) + b"\n")
            await writer.drain()

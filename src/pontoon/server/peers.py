"""Between the processes of one house: a command for a table of another process goes there over a connection.

Each process listens on its own address, which is stored with a secret in the leases it holds: anyone who can read those
can write to the store anyway. On one machine that is a loopback address and the connection is plain. With `--advertise`
other hosts reach it, over TLS, and the leases hold the fingerprint of its certificate too. Each line is a request or an
answer. A process also sends the entries it wrote at a table to the others, so that they need not read them from the
store, and the names of the tables of bots that someone watches there.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
import socket
import ssl
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from pontoon.server.house import House
from pontoon.server.operation.logs import event
from pontoon.server.operation.traces import TRACES
from pontoon.server.peer_tls import Identity, caller_context, check_peer
from pontoon.server.problems import Problem, problem
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.live import Question
from pontoon.server.wire import read_command
from pontoon.store.model import Entry

LOOPBACK = "127.0.0.1"
LONGEST_LINE = 128 * 1024
"""Maximum size of a message."""
LONGEST_ANSWER = 16 * 1024 * 1024
"""Maximum size of an answer: a page of metrics grows with every kind of request that a process has seen."""
SHORT_PATIENCE = 2.0
"""Seconds for an answer that the caller can do without."""
PATIENCE = 10.0
"""Seconds an owner has to answer; then the sender may ask again with the same key."""
MOST_WAITING = 1024 * 1024
"""Bytes that may wait for a process to read them; beyond that it is sent nothing and reads the store."""
MOST_NAMES = 1000
"""Names of tables in one message."""
HANDSHAKE = 5.0
"""Seconds in which a caller must have agreed on TLS."""
FAREWELL = 0.5
"""Seconds for a connection to close in order."""
SILENCE = 4
"""Seconds without an acknowledgement after which a connection to another host counts as lost."""


class Place(Struct, frozen=True):
    """Where a process listens, as written in its leases: `host:port/secret`, and over TLS `/fingerprint`."""

    host: str
    port: int
    secret: str
    fingerprint: str = ""

    @classmethod
    def read(cls, address: str) -> Place:
        """The place with this address."""
        where, secret, *rest = address.split("/")
        host, _, port = where.rpartition(":")
        return cls(host, int(port), secret, *rest)

    @property
    def address(self) -> str:
        """As text."""
        return "/".join((f"{self.host}:{self.port}", self.secret, *filter(None, (self.fingerprint,))))


class Hello(Struct, frozen=True, tag="hello"):
    """The first line of a connection over TLS, so that a stranger cannot hold one open."""

    secret: str


class Asked(Struct, frozen=True, omit_defaults=True, tag="asked"):
    """A request on the wire."""

    secret: str
    id: int
    room: Annotated[str, Meta(max_length=64)]
    actor: Actor
    key: str
    seen: int | None
    command: dict[str, Any]
    trace: str = ""
    """The span of the sender, if commands are traced."""


class Told(Struct, frozen=True, omit_defaults=True, tag="told"):
    """Entries written at a table; needs no answer."""

    secret: str
    entries: tuple[Entry, ...]
    trace: str = ""
    watched: tuple[str, ...] = ()
    """Instead of entries: tables that someone watches; a field here, because a process of 0.2.0 closes the connection
    after a line of a kind it does not know."""


class Telling(Struct, frozen=True, omit_defaults=True, tag="told"):
    """The same, with the entries encoded once for all recipients."""

    secret: str
    entries: msgspec.Raw
    trace: str = ""


class Measure(Struct, frozen=True, tag="measure"):
    """A request for the metrics of a process."""

    secret: str
    id: int


class Answered(Struct, frozen=True):
    """The answer to a request."""

    id: int
    version: int = 0
    problem: Problem | None = None
    page: str = ""
    """The metrics, if these were asked for."""


_lines: msgspec.json.Decoder[Hello | Asked | Told | Measure] = msgspec.json.Decoder(Hello | Asked | Told | Measure)


class Connection:
    """A connection to another process, with several requests in flight."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, secret: str) -> None:
        """`secret` is that of the process at the other end."""
        self._reader, self._writer, self._secret = reader, writer, secret
        self._open: dict[int, asyncio.Future[Answered]] = {}
        self._last = 0
        self.task = asyncio.create_task(self._reading())

    @property
    def alive(self) -> bool:
        """Whether it still accepts requests; the transport may notice the end before the reading task does."""
        return not self.task.done() and not self._writer.is_closing()

    async def ask(self, room: str, question: Question) -> int | Problem:
        """Send a request and wait for its answer."""
        command = msgspec.to_builtins(question.asked)
        number = self._last + 1
        answered = await self._answered(
            Asked(self._secret, number, room, question.actor, question.key, question.seen, command, TRACES.here),
            PATIENCE,
        )
        return answered.problem or answered.version

    async def measure(self) -> str:
        """The metrics of the process; empty if it does not answer soon."""
        return (await self._answered(Measure(self._secret, self._last + 1), SHORT_PATIENCE)).page

    async def _answered(self, asked: Asked | Measure, patience: float) -> Answered:
        """Send a request and wait for its answer."""
        self._last = asked.id
        answer: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        self._open[asked.id] = answer
        try:
            self._write(msgspec.json.encode(asked) + b"\n")
            async with asyncio.timeout(patience):
                await self._writer.drain()
                return await answer
        except (TimeoutError, OSError):
            return Answered(asked.id, problem=problem("not_here"))

    def tell(self, entries: msgspec.Raw) -> None:
        """Send written entries."""
        self._send(Telling(self._secret, entries, TRACES.here))

    def watch(self, rooms: tuple[str, ...]) -> None:
        """Send the names of tables that someone watches."""
        self._send(Told(self._secret, (), watched=rooms))

    def _send(self, said: Told | Telling) -> None:
        """Send a message that needs no answer, unless too much waits to be read."""
        line = msgspec.json.encode(said) + b"\n"
        if len(line) <= LONGEST_LINE and self._writer.transport.get_write_buffer_size() <= MOST_WAITING:
            with contextlib.suppress(ConnectionError):  # it reads the store when it is back
                self._write(line)

    def _write(self, line: bytes) -> None:
        """Queue a line; ConnectionError if the connection is closed, which uvloop reports as RuntimeError."""
        try:
            self._writer.write(line)
        except RuntimeError as error:
            raise ConnectionError(str(error)) from error

    async def _reading(self) -> None:
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, ValueError):
                while line := await self._reader.readline():
                    answered = msgspec.json.decode(line, type=Answered)
                    waiting = self._open.pop(answered.id, None)
                    if waiting is not None and not waiting.done():
                        waiting.set_result(answered)
        finally:
            for number, waiting in self._open.items():
                if not waiting.done():
                    waiting.set_result(Answered(number, problem=problem("not_here")))
            await _closed(self._writer)


async def _closed(writer: asyncio.StreamWriter) -> None:
    """Close a connection, with the farewell of TLS if the other side is quick about it."""
    writer.close()
    try:
        async with asyncio.timeout(FAREWELL):
            await writer.wait_closed()
    except (OSError, TimeoutError):
        writer.transport.abort()


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens at this address of this machine; port 0 takes a free one."""
    family, _, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    return socket.create_server(where[:2], family=family)


async def _opened(place: Place, context: ssl.SSLContext) -> Connection:
    """A connection to a process; OSError if it is not there or not the one meant."""
    tls = context if place.fingerprint else None
    reader, writer = await asyncio.open_connection(place.host, place.port, limit=LONGEST_ANSWER, ssl=tls)
    if tls is not None:
        try:
            check_peer(writer.get_extra_info("ssl_object"), place.fingerprint)
        except OSError:
            event("stranger")
            await _closed(writer)
            raise
        _notice_silence(writer)
        writer.write(msgspec.json.encode(Hello(place.secret)) + b"\n")
    return Connection(reader, writer, place.secret)


def _notice_silence(writer: asyncio.StreamWriter) -> None:
    """Have the system close the connection soon after the other host, or the route to it, is lost."""
    connected: socket.socket = writer.get_extra_info("socket")
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_USER_TIMEOUT", SILENCE * 1000),
        ("TCP_KEEPIDLE", SILENCE // 2),
        ("TCP_KEEPINTVL", 1),
        ("TCP_KEEPCNT", SILENCE // 2),
    ):
        if hasattr(socket, name):  # Linux has all of them
            connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class PeerNetwork:
    """This process's listener and its connections to the others."""

    def __init__(self, host: str = "", port: int = 0) -> None:
        """Bind to `host`, an address that other hosts can reach; without one the processes are on one machine."""
        self._identity = Identity() if host else None
        self._listener = bound(host or LOOPBACK, port)
        self._place = Place(
            host or LOOPBACK,
            self._listener.getsockname()[1],
            secrets.token_hex(16),
            self._identity.fingerprint if self._identity is not None else "",
        )
        self._context = caller_context()
        self._house: House | None = None
        self._server: asyncio.Server | None = None
        self._connections: dict[str, Connection] = {}
        self._connecting: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """The connection to an address, shared by all callers."""
        self._callers: set[asyncio.StreamWriter] = set()
        self._reaching: dict[str, asyncio.Task[None]] = {}

    async def listen(self) -> str:
        """Begin to listen; the address for the leases."""
        context = self._identity.context if self._identity is not None else None
        patience = HANDSHAKE if context is not None else None
        self._server = await asyncio.start_server(
            self._heard, sock=self._listener, limit=LONGEST_LINE, ssl=context, ssl_handshake_timeout=patience
        )
        return self._place.address

    def serve(self, house: House) -> None:
        """Answer for this house."""
        self._house = house
        house.peers = self

    async def close(self) -> None:
        """Stop listening and close all connections."""
        (self._server or self._listener).close()
        for task in self._reaching.values():
            task.cancel()
        for connection in self._connections.values():
            connection.task.cancel()
        await asyncio.gather(*(connection.task for connection in self._connections.values()), return_exceptions=True)
        await asyncio.gather(*map(_closed, self._callers))

    async def ask(self, address: str, room: str, question: Question) -> int | Problem:
        """Ask the process that owns a table."""
        try:
            connection = await self._connected(address)
        except OSError:
            return problem("not_here")
        return await connection.ask(room, question)

    def tell(self, addresses: Iterable[str], entries: Sequence[Entry]) -> None:
        """Send these processes what was written; one that is not connected yet reads it from the store."""
        encoded = msgspec.Raw(msgspec.json.encode(entries))
        for address in addresses:
            connection = self._connections.get(address)
            if connection is not None and connection.alive:
                connection.tell(encoded)

    def watch(self, addresses: Iterable[str], rooms: Sequence[str]) -> None:
        """Tell these processes which tables someone watches here."""
        for address in addresses:
            connection = self._connections.get(address)
            if connection is not None and connection.alive:
                for place in range(0, len(rooms), MOST_NAMES):
                    connection.watch(tuple(rooms[place : place + MOST_NAMES]))

    async def measure(self, addresses: Iterable[str]) -> list[str]:
        """The metrics of these processes; one that does not answer is left out."""

        async def one(address: str) -> str:
            try:
                return await (await self._connected(address)).measure()
            except (OSError, TimeoutError):
                return ""

        return [page for page in await asyncio.gather(*map(one, addresses)) if page]

    def reach(self, addresses: Iterable[str]) -> None:
        """Connect to these processes, in the background, and forget those that have ended."""
        for gone in [address for address, connection in self._connections.items() if not connection.alive]:
            del self._connections[gone]
        for address in set(addresses) - self._reaching.keys():
            if address not in self._connections:
                self._reaching[address] = asyncio.create_task(self._reach(address))

    async def _reach(self, address: str) -> None:
        try:
            with contextlib.suppress(OSError, TimeoutError):
                await self._connected(address)
        finally:
            del self._reaching[address]

    async def _connected(self, address: str) -> Connection:
        async with self._connecting[address]:
            found = self._connections.get(address)
            if found is None or not found.alive:
                async with asyncio.timeout(PATIENCE):
                    found = await _opened(Place.read(address), self._context)
                self._connections[address] = found
            return found

    async def _heard(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._callers.add(writer)
        answering: set[asyncio.Task[None]] = set()
        try:
            if self._identity is not None:
                _notice_silence(writer)
                async with asyncio.timeout(PATIENCE):
                    if not self._knows(await reader.readline()):
                        return
            while line := await reader.readline():
                said = self._knows(line)
                if said is None:
                    return
                if isinstance(said, Told):
                    self._told(said)
                elif isinstance(said, Measure):
                    await self._measured(said, writer)
                elif isinstance(said, Asked):
                    task = asyncio.create_task(self._answer(said, writer))
                    answering.add(task)
                    task.add_done_callback(answering.discard)
        except (OSError, ValueError, TimeoutError, asyncio.IncompleteReadError, msgspec.MsgspecError):
            pass
        finally:
            self._callers.discard(writer)
            await _closed(writer)

    def _knows(self, line: bytes) -> Hello | Asked | Told | Measure | None:
        """A message from another process of this house, decoded; None if its secret is wrong."""
        said = _lines.decode(line)
        if hmac.compare_digest(said.secret, self._place.secret):
            return said
        event("stranger")
        return None

    def _told(self, said: Told) -> None:
        if self._house is None:
            return
        if said.entries:
            with TRACES.span("apply", said.trace):
                self._house.told(said.entries)
        self._house.watched(said.watched)

    async def _measured(self, asked: Measure, writer: asyncio.StreamWriter) -> None:
        assert self._house is not None
        writer.write(msgspec.json.encode(Answered(asked.id, page=self._house.measured())) + b"\n")
        await writer.drain()

    async def _answer(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        assert self._house is not None
        with TRACES.span("answer", asked.trace):
            answer = await self._house.owned_command(
                asked.actor, asked.room, read_command(asked.command), asked.key, asked.seen
            )
        answered = (
            Answered(asked.id, problem=answer) if isinstance(answer, Problem) else Answered(asked.id, version=answer)
        )
        with contextlib.suppress(OSError):
            writer.write(msgspec.json.encode(answered) + b"\n")
            await writer.drain()

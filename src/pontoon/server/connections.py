"""Bounds on one connection, below the application: uvicorn's two protocols, each with limits on size, time and memory.

A connection that sends without reading, sends its request too slowly or never, or sends headers without end is closed,
and its memory is freed immediately. Nobody has signed in at this point, so every limit is for everyone.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from asyncio import TimerHandle
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

from pontoon.server.operation.logs import event
from pontoon.server.operation.metrics import CONNECTIONS_REFUSED, CUT_OFF

MOST_CONNECTIONS = 4096
"""Open connections of a process, sockets included."""
LARGEST_HEAD = 32 * 1024
"""Bytes of a request before its body."""
HEAD_SECONDS = 10.0
"""From the opening of a connection, or the first byte of a later request, to the end of its headers."""
BODY_SECONDS = 20.0
READ_SECONDS = 8.0
"""How long a client may leave its receive buffer full: it is dropped well within ten seconds."""
HOLD_SECONDS = 0.2
"""Before a socket too many is refused; until then it is a connection like any other."""
MOST_FRAGMENTS = 64
PINGS, PING_BURST = 5.0, 50.0
"""Pings a second a socket may send, and how many at once; a browser sends none."""

_RESET = struct.pack("ii", 1, 0)
"""Close without waiting for the other side to take what was sent; otherwise it stays in the kernel for minutes."""
_STATUS = {
    408: b"408 Request Timeout",
    429: b"429 Too Many Requests",
    431: b"431 Request Header Fields Too Large",
    503: b"503 Service Unavailable",
}


class _MustRead:
    """A protocol whose client must read: otherwise its transport is aborted and everything queued is dropped."""

    transport: Any
    loop: asyncio.AbstractEventLoop
    _reading: TimerHandle | None = None

    def full(self) -> None:
        """Begin to count: the transport's buffer is full."""
        if self._reading is None:
            self._reading = self.loop.call_later(READ_SECONDS, self.cut_off, "not_reading")

    def drained(self) -> None:
        """The client reads again."""
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def cut_off(self, why: str) -> None:
        """Close immediately; what is queued is dropped, in the kernel, too."""
        CUT_OFF.inc()
        event("connection_cut_off", why=why)
        link = self.transport.get_extra_info("socket")
        if link is not None:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self.transport.abort()


class BoundedHttp(_MustRead, HttpToolsProtocol):
    """HTTP with bounds on the head of a request, its time, and the number of connections."""

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 as uvicorn calls it
        super().__init__(*args, **options)
        self._head = 0
        """Bytes received of a head that is not complete; -1 after its end."""
        self._deadline: TimerHandle | None = None
        self._held: TimerHandle | None = None
        """The refusal of a socket: a program that waits for it is slowed down, and costs us less."""
        self._refused = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect(HEAD_SECONDS)
        if len(self.connections) > MOST_CONNECTIONS:
            self._refuse(503)

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect(0)
        self.drained()
        if self._held is not None:
            self._held.cancel()
        super().connection_lost(exc)

    def _expect(self, seconds: float) -> None:
        """Close the connection after this many seconds; 0 cancels that."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(seconds, self._refuse, 408) if seconds else None

    def _refuse(self, status: int) -> None:
        """Answer without the application, and close."""
        if self._refused or self.transport.is_closing():
            return
        self._refused = status
        CONNECTIONS_REFUSED.labels(str(status)).inc()
        headers = b"content-length: 0\r\nconnection: close\r\nretry-after: 1\r\n\r\n"
        self.transport.write(b"HTTP/1.1 " + _STATUS[status] + b"\r\n" + headers)
        self.transport.close()

    def data_received(self, data: bytes) -> None:
        if self._refused or self._held is not None:
            return
        if self._head >= 0:
            self._head += len(data)
        super().data_received(data)
        if self._head > LARGEST_HEAD:
            self._refuse(431)

    def send_400_response(self, msg: str) -> None:
        """Also called when a parser callback gave up and has already answered."""
        if not self._refused:
            super().send_400_response(msg)

    def on_message_begin(self) -> None:
        self._head = max(self._head, 0)
        self._expect(HEAD_SECONDS)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        if sum(len(name) + len(value) for name, value in self.headers) + len(self.url) > LARGEST_HEAD:
            self._refuse(431)
            raise ValueError("the head of a request is too large")
        self._head = -1
        self._expect(BODY_SECONDS)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._expect(0)
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Turn an address away that opens too many sockets, before the handshake and the application cost anything."""
        self._expect(0)
        self.drained()
        hub = getattr(getattr(self.config.app, "state", None), "hub", None)
        if hub is not None and hub.turns_away(self._address()):
            self._held = self.loop.call_later(HOLD_SECONDS, self._refuse, 429)
            return
        super().handle_websocket_upgrade()

    def _address(self) -> str:
        """Where the request comes from; behind a proxy that uvicorn trusts, what the proxy says."""
        peer = self.client[0] if self.client else ""
        trusted: Any = getattr(self.config.loaded_app, "trusted_hosts", ())
        said = b", ".join(value for name, value in self.headers if name == b"x-forwarded-for")
        if not said or peer not in trusted:
            return peer
        host: str = trusted.get_trusted_client_address(said.decode("latin1"))[0]
        return host or peer

    def pause_writing(self) -> None:
        self.full()
        super().pause_writing()

    def resume_writing(self) -> None:
        self.drained()
        super().resume_writing()


class BoundedSocket(_MustRead, WebSocketsSansIOProtocol):
    """A WebSocket with bounds on pings, fragments and what waits to be read."""

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 as uvicorn calls it
        super().__init__(*args, **options)
        self._pings = PING_BURST
        self._pinged_at = 0.0

    def connection_lost(self, exc: Exception | None) -> None:
        self.drained()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Read no further message while the answers to earlier ones are not taken."""
        super().pause_writing()
        self.full()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.drained()
        if not self.read_paused:
            self.transport.resume_reading()

    async def receive(self) -> Any:  # noqa: ANN401 ASGI
        message = await super().receive()
        if not self.writable.is_set():
            self.transport.pause_reading()
        return message

    async def send(self, message: Any) -> None:  # noqa: ANN401 ASGI
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True  # answered with a status instead: uvicorn would log an error

    def handle_ping(self) -> None:
        now = self.loop.time()
        self._pings = min(PING_BURST, self._pings + (now - self._pinged_at) * PINGS) - 1
        self._pinged_at = now
        if self._pings < 0:
            if not self.transport.is_closing():
                self.cut_off("too_many_pings")
            return
        super().handle_ping()

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= MOST_FRAGMENTS:
            self._fail(CloseCode.MESSAGE_TOO_BIG, f"a message has at most {MOST_FRAGMENTS} fragments")
            return
        super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Text that is not UTF-8 closes the socket with 1007; uvicorn would also write a traceback to the log."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self._fail(CloseCode.INVALID_DATA, "not UTF-8")
                return
        super().send_receive_event_to_app()

    def _fail(self, code: int, reason: str) -> None:
        if not self.close_sent and not self.transport.is_closing():
            self.conn.fail(code, reason)
            self.handle_parser_exception()

"""Spectators who only read, in a separate process, so that their cost is not counted with the server or the players.

They implement only what they need of the WebSocket protocol: the handshake, one outgoing message, frames counted by
their headers, and a pong for each ping. One JSON object comes from standard input; one goes to standard output at the
end.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
import time
from functools import partial
from typing import Any

PING, CLOSE = 9, 8


def masked(code: int, content: bytes) -> bytes:
    """A client frame; its mask is all zeros, which the protocol allows."""
    assert len(content) < 126
    return bytes((0x80 | code, 0x80 | len(content), 0, 0, 0, 0)) + content


class Watcher(asyncio.Protocol):
    """One spectator's socket."""

    def __init__(self, port: int, table: str, *, stalls: bool) -> None:
        self.port, self.table, self.stalls = port, table, stalls
        self.waiting = bytearray()
        self.skip = 0
        self.frames = 0
        self.open = False
        self.cut_off = False
        self.transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the WebSocket handshake."""
        self.transport = transport
        lines = (
            "GET /play HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            "Sec-WebSocket-Version: 13",
            "",
            "",
        )
        self.transport.write("\r\n".join(lines).encode())

    def data_received(self, data: bytes) -> None:
        """Count frames and skip their contents."""
        self.waiting += data
        if not self.open:
            head, mark, rest = bytes(self.waiting).partition(b"\r\n\r\n")
            if not mark:
                return
            assert b" 101 " in head, head
            self.open = True
            self.waiting = bytearray(rest)
            if self.table:
                self.transport.write(masked(1, json.dumps({"type": "watch", "table": self.table}).encode()))
        while self._one():
            pass

    def _one(self) -> bool:
        """Consume one frame from the buffer; False if it is incomplete."""
        if self.skip:
            cut = min(self.skip, len(self.waiting))
            del self.waiting[:cut]
            self.skip -= cut
            if self.skip:
                return False
        if len(self.waiting) < 2:
            return False
        code, size = self.waiting[0] & 15, self.waiting[1] & 127
        head = 2 if size < 126 else 4 if size == 126 else 10
        if len(self.waiting) < head:
            return False
        if size >= 126:
            size = int.from_bytes(self.waiting[2:head])
        if code in (PING, CLOSE):
            if len(self.waiting) < head + size:
                return False
            if code == PING:
                self.transport.write(masked(10, bytes(self.waiting[head : head + size])))
            else:
                self.cut_off = True
        else:
            self.frames += 1
            if self.stalls:
                self.transport.pause_reading()
        del self.waiting[:head]
        self.skip = size
        return True

    def connection_lost(self, _: Exception | None) -> None:
        """Record that the connection closed."""
        self.cut_off = self.cut_off or not self.transport.is_closing()


async def watch(asked: dict[str, Any]) -> dict[str, int]:
    """Run all spectators until the time is up."""
    loop = asyncio.get_running_loop()
    watchers: list[Watcher] = []
    for place in range(asked["spectators"]):
        table = asked["tables"][place % len(asked["tables"])] if asked["tables"] else ""
        stalls = bool(asked["stalled"]) and place % asked["stalled"] == 0
        _, one = await loop.create_connection(
            partial(Watcher, asked["port"], table, stalls=stalls), "127.0.0.1", asked["port"]
        )
        watchers.append(one)
    await asyncio.sleep(max(0.0, asked["until"] - time.monotonic()))
    found = {
        "frames": sum(watcher.frames for watcher in watchers),
        "cut_off": sum(watcher.cut_off for watcher in watchers if not watcher.stalls),
    }
    for watcher in watchers:
        watcher.transport.abort()
    return found


if __name__ == "__main__":
    print(json.dumps(asyncio.run(watch(json.load(sys.stdin)))))

"""A trivial durable echo server: the minimum cost of writing a message to disk before answering.

One WebSocket per client; a message is stored (a line in a synced file, or a committed row in PostgreSQL) together with
all others that are waiting, then sent back. No accounts, no rules, no views, and nobody else is notified.
"""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import psycopg
import uvicorn
from fastapi import FastAPI, WebSocket, WebSocketDisconnect

Waiting = asyncio.Queue[tuple[str, asyncio.Future[None]]]


def to_file(path: Path) -> Callable[[list[str]], None]:
    """Store messages as lines in a file."""
    file = path.open("ab", buffering=0)

    def keep(messages: list[str]) -> None:
        file.write("".join(f"{message}\n" for message in messages).encode())
        os.fdatasync(file.fileno())

    return keep


def to_postgresql(url: str) -> Callable[[list[str]], None]:
    """Store messages as rows in a table."""
    connection = psycopg.connect(url)
    connection.execute("CREATE TABLE IF NOT EXISTS echo (number bigserial PRIMARY KEY, message text)")
    connection.commit()

    def keep(messages: list[str]) -> None:
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO echo (message) VALUES (%s)", [(message,) for message in messages])
        connection.commit()

    return keep


def application(keep: Callable[[list[str]], None]) -> FastAPI:
    """The echo server as an ASGI application."""
    waiting: Waiting = asyncio.Queue()
    app = FastAPI()

    async def write() -> None:
        while True:
            batch = [await waiting.get()]
            while not waiting.empty():
                batch.append(waiting.get_nowait())
            await asyncio.to_thread(keep, [message for message, _ in batch])
            for _, kept in batch:
                kept.set_result(None)

    @app.websocket("/play")
    async def echo(socket: WebSocket) -> None:
        if not hasattr(app.state, "writer"):
            app.state.writer = asyncio.create_task(write())
        await socket.accept()
        try:
            while True:
                message = await socket.receive_text()
                kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                waiting.put_nowait((message, kept))
                await kept
                await socket.send_text(message)
        except WebSocketDisconnect:
            pass

    @app.get("/ready")
    async def ready() -> dict[str, bool]:
        return {"ready": True}

    return app


def main() -> None:
    """Serve the echo on a port."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("where", help="a file, or postgresql://…")
    args = parser.parse_args()
    keep = to_postgresql(args.where) if args.where.startswith("postgresql:") else to_file(Path(args.where))
    uvicorn.run(
        application(keep),
        port=args.port,
        log_level="error",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
    )


if __name__ == "__main__":
    main()

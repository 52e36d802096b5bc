"""How a command reaches the process that owns its table: a connection of our own, PostgreSQL's NOTIFY, or NATS.

    python bench/carriers.py --seconds 5

Each carrier brings a request of 400 bytes to another process, which answers at once: one at a time (the delay it adds
to a command), and 64 at a time (what it carries). NATS is left out where nats-server and nats-py are missing.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import shutil
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import psycopg

from pontoon.server.peer_tls import Identity, caller_context
from tests.postgresql import postgresql_server

REQUEST = b"x" * 400
TOGETHER = 64
Ask = Callable[[int], Awaitable[None]]


async def measure(ask: Ask, seconds: float) -> tuple[float, float, float]:
    """Median and 99th percentile in milliseconds, one at a time; requests a second, many at a time."""
    times = []
    until = time.perf_counter() + seconds
    number = 0
    while time.perf_counter() < until:
        began = time.perf_counter()
        await ask(number := number + 1)
        times.append((time.perf_counter() - began) * 1000)
    done = 0
    until = time.perf_counter() + seconds

    async def keep_asking(place: int) -> None:
        nonlocal done
        mine = (place + 1) * 10**9
        while time.perf_counter() < until:
            await ask(mine := mine + 1)
            done += 1

    began = time.perf_counter()
    await asyncio.gather(*map(keep_asking, range(TOGETHER)))
    cuts = statistics.quantiles(times, n=100)
    return cuts[49], cuts[98], done / (time.perf_counter() - began)


# --- a connection of our own --------------------------------------------------------------------------------------


def serve_lines(pipe: Pipe, tls: bool) -> None:  # noqa: FBT001 the arguments of a process have no names
    """Answer every line with itself."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            writer.write(line)
            await writer.drain()

    async def work() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=Identity().context if tls else None)
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(work())


async def by_lines(port: int, seconds: float, *, tls: bool) -> tuple[float, float, float]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=caller_context() if tls else None)
    waiting: dict[bytes, asyncio.Future[None]] = {}

    async def read() -> None:
        while line := await reader.readline():
            waiting.pop(line.partition(b" ")[0]).set_result(None)

    async def ask(number: int) -> None:
        name = b"%d" % number
        waiting[name] = asyncio.get_running_loop().create_future()
        done = waiting[name]
        writer.write(name + b" " + REQUEST + b"\n")
        await done

    reading = asyncio.create_task(read())
    found = await measure(ask, seconds)
    reading.cancel()
    return found


# --- PostgreSQL ---------------------------------------------------------------------------------------------------


def serve_notices(pipe: Pipe, url: str) -> None:
    """Answer every notification with another."""

    async def work() -> None:
        listener = await psycopg.AsyncConnection.connect(url, autocommit=True)
        speaker = await psycopg.AsyncConnection.connect(url, autocommit=True)
        await speaker.execute("SET synchronous_commit = off")
        await listener.execute("LISTEN asked")
        pipe.send(0)
        async for notice in listener.notifies():
            await speaker.execute("SELECT pg_notify('answered', %s)", (notice.payload,), prepare=True)

    asyncio.run(work())


async def by_notices(url: str, seconds: float) -> tuple[float, float, float]:
    listener = await psycopg.AsyncConnection.connect(url, autocommit=True)
    speakers = [await psycopg.AsyncConnection.connect(url, autocommit=True) for _ in range(8)]
    for speaker in speakers:
        await speaker.execute("SET synchronous_commit = off")
    await listener.execute("LISTEN answered")
    waiting: dict[str, asyncio.Future[None]] = {}

    async def read() -> None:
        async for notice in listener.notifies():
            waiting.pop(notice.payload.partition(" ")[0]).set_result(None)

    async def ask(number: int) -> None:
        done = waiting[str(number)] = asyncio.get_running_loop().create_future()
        payload = f"{number} {REQUEST.decode()}"
        await speakers[number % len(speakers)].execute("SELECT pg_notify('asked', %s)", (payload,), prepare=True)
        await done

    reading = asyncio.create_task(read())
    found = await measure(ask, seconds)
    reading.cancel()
    return found


# --- NATS ---------------------------------------------------------------------------------------------------------


def serve_nats(pipe: Pipe, url: str) -> None:
    """Answer every message."""
    import nats  # noqa: PLC0415 not everywhere

    async def work() -> None:
        connection = await nats.connect(url)

        async def answer(message: Any) -> None:  # noqa: ANN401 nats may be missing
            await message.respond(message.data)

        await connection.subscribe("asked", cb=answer)
        await connection.flush()
        pipe.send(0)
        await asyncio.Event().wait()

    asyncio.run(work())


async def by_nats(url: str, seconds: float) -> tuple[float, float, float]:
    import nats  # noqa: PLC0415 not everywhere

    connection = await nats.connect(url)

    async def ask(_: int) -> None:
        await connection.request("asked", REQUEST, timeout=30)

    found = await measure(ask, seconds)
    await connection.close()
    return found


def with_server(
    serve: Callable[..., None], given: tuple[object, ...], measured: Callable[[int], Awaitable[tuple[float, ...]]]
) -> tuple[float, ...]:
    """Run the answering process and measure it from this one."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(there, *given), daemon=True)
    process.start()
    port = here.recv()

    async def work() -> tuple[float, ...]:
        return await measured(port)

    try:
        return asyncio.run(work())
    finally:
        process.kill()
        process.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0)
    seconds = parser.parse_args().seconds
    found = {
        "connection, plain": with_server(serve_lines, (False,), lambda port: by_lines(port, seconds, tls=False)),
        "connection, TLS 1.3": with_server(serve_lines, (True,), lambda port: by_lines(port, seconds, tls=True)),
    }
    with postgresql_server() as server:
        url = server.new_database()
        found["LISTEN/NOTIFY"] = with_server(serve_notices, (url,), lambda _: by_notices(url, seconds))
    program = shutil.which("nats-server")
    if program:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        broker = subprocess.Popen([program, "-a", "127.0.0.1", "-p", str(port)], stderr=subprocess.DEVNULL)
        try:
            time.sleep(1)
            url = f"nats://127.0.0.1:{port}"
            found["NATS"] = with_server(serve_nats, (url,), lambda _: by_nats(url, seconds))
        finally:
            broker.terminate()
            broker.wait()
    print("carrier               median ms   p99 ms   requests/s")
    for name, (median, high, rate) in found.items():
        print(f"{name:20} {median:10.2f} {high:8.2f} {rate:12,.0f}")


if __name__ == "__main__":
    main()

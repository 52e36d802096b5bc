"""Running the server: check everything first, then listen; one process, or several on one database."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Literal

import uvicorn
from fastapi import FastAPI
from msgspec import Struct
from msgspec.structs import replace

from pontoon.rulebook import Rulebook
from pontoon.server.app import AppOptions, make_app
from pontoon.server.capacity import Actor
from pontoon.server.commands import SeatBot
from pontoon.server.house import House, Options
from pontoon.server.logs import event, log_to_stderr
from pontoon.server.office import Office, OfficeError
from pontoon.server.peers import PeerNetwork
from pontoon.server.pinned import book_faults
from pontoon.server.problems import Problem
from pontoon.server.settings import Clocks, Settings
from pontoon.server.tidy import Tidy
from pontoon.store import StoreError, open_store
from pontoon.store.audited import AuditedStore
from pontoon.store.model import Fault
from pontoon.store.verify import faults

DRAIN = 8
"""Seconds that answers under way have after SIGTERM; with the rest the server is gone within ten."""
LARGEST_MESSAGE = 16 * 1024
HEARTBEAT = 20.0
BACKLOG = 2048
HAND_OVER = 0.0005
"""Seconds after which a busy thread lets another one run: whoever waits for a commit waits for the writer's turns."""
ROOTS = "roots.txt"
"""Beside the store in the data folder; a copy elsewhere is out of reach of anyone who tampers with the store."""
DEMO = "demo"


class Config(Struct, frozen=True):
    """Everything `pontoon serve` can be told."""

    host: str = "127.0.0.1"
    port: int = 8048
    data: Path = Path("pontoon-data")
    database: str = ""
    """A PostgreSQL address; without one a SQLite file in the data folder."""
    workers: int = 1
    origins: tuple[str, ...] = ()
    demo: bool = False
    lease_seconds: float = 3.0
    seal_seconds: float = 60.0
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    limited: bool = True
    """Sign-ins, guests and new tables are limited by address; not where a proxy does that, nor in a measurement."""
    rulebooks: Mapping[str, Rulebook] = {}
    """Rulebooks of the server's own, by name."""


class ServeError(Exception):
    """The server does not start; the message is one line for a person."""


def store_of(config: Config) -> AuditedStore:
    """The store of this server; its folder is made where it is missing."""
    try:
        if config.database:
            return open_store(config.database)
        config.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        return open_store(str(config.data / "pontoon.db"))
    except StoreError as error:
        raise ServeError(str(error)) from None
    except OSError as error:
        raise ServeError(f"{config.data}: {error.strerror}") from None


def checked(store: AuditedStore, say: Callable[[str], None]) -> None:
    """Chains, trial balance and the rulebook of every table, before anybody is let in."""
    began = time.monotonic()
    found: Fault | None = next(iter(faults(store)), None)
    if found is not None:
        where = f"{found.stream} entry {found.version}: " if found.stream else ""
        raise ServeError(f"the log is not what was written: {where}{found.words} (see `pontoon verify log`)")
    unknown: Fault | None = next(iter(book_faults(store)), None)
    if unknown is not None:
        raise ServeError(f"{unknown.words} (`pontoon verify log` names all such tables)")
    entries = sum(head.version for head in store.heads())
    say(f"checked {entries} entries in {time.monotonic() - began:.1f} s: chains whole, trial balance zero")


def administrator(store: AuditedStore, name: str) -> str:
    """Make an administrator, and say the password once; one who is there already keeps the old one."""
    office = Office(store)
    if office.people.find(name) is not None:
        return f"{name} is here already; the password stays"
    try:
        return f"administrator {name}, password {office.add(name, 'administrator')}"
    except OfficeError as error:
        raise ServeError(f"--admin: {error}") from None


def listening(config: Config) -> socket.socket:
    """The socket to listen on."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((config.host, config.port))
    except OSError as error:
        listener.close()
        raise ServeError(f"{config.host} port {config.port}: {error.strerror}") from None
    listener.listen(BACKLOG)
    listener.set_inheritable(True)
    return listener


def address_of(listener: socket.socket) -> str:
    """The address for a browser."""
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


def serve(
    config: Config, listener: socket.socket, store: AuditedStore, pages: Callable[[FastAPI], None] | None = None
) -> None:
    """Serve in this process until a signal ends it; `pages` adds what browsers see."""
    log_to_stderr(config.log_level)
    sys.setswitchinterval(HAND_OVER)
    leased = bool(config.database)
    network = PeerNetwork() if leased else None
    house = House(
        store,
        Options(
            leased=leased,
            lease_seconds=config.lease_seconds,
            seal_seconds=config.seal_seconds,
            roots=None if leased else config.data / ROOTS,
            rulebooks=config.rulebooks,
        ),
    )

    async def before() -> None:
        if network is not None:
            house.options = replace(house.options, address=await network.listen())
            network.serve(house)

    async def after() -> None:
        if network is not None:
            await network.close()
        store.close()

    options = AppOptions(config.origins, config.data / "backups", before, after, limited=config.limited)
    tidy = Tidy()
    app = make_app(house, options, tidy)
    if pages is not None:
        pages(app)
    settings = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=LARGEST_MESSAGE,
        ws_ping_interval=HEARTBEAT,
        ws_ping_timeout=HEARTBEAT,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=DRAIN,
    )
    with asyncio.Runner(loop_factory=settings.get_loop_factory()) as runner:
        tidy.begin()
        runner.run(_serving(_Server(settings), listener, house, tidy, demo=config.demo))


class _Server(uvicorn.Server):
    """A server that a signal stops; uvicorn would raise the signal once more at the end, and die of it."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 as uvicorn calls it
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


async def _serving(server: uvicorn.Server, listener: socket.socket, house: House, tidy: Tidy, *, demo: bool) -> None:
    beside = [asyncio.create_task(tidy.run())]
    if demo:
        beside.append(asyncio.create_task(_demo(server, house)))
    event("listening", address=address_of(listener), process=os.getpid())
    await server.serve(sockets=[listener])
    for task in beside:
        task.cancel()
    event("stopped", process=os.getpid())


async def _demo(server: uvicorn.Server, house: House) -> None:
    """A table where bots play on and anybody may sit down."""
    while not server.started:  # noqa: ASYNC110 uvicorn tells nobody
        await asyncio.sleep(0.05)
    actor = Actor(DEMO, "administrator")
    settings = Settings(
        "canberra", name="Demonstration", bots_alone=True, practice=True, clocks=Clocks(card=700, wagers=6000)
    )
    if any(live.room.state.made_by == DEMO for live in house.lives.values()):
        return
    room = await house.make_table(actor, settings, DEMO)
    if isinstance(room, Problem):
        event("no_demonstration", code=room.code)
        return
    for box in (2, 4, 6):
        await house.command(actor, room, SeatBot(box), f"bot {box}", None)


# --- several processes -------------------------------------------------------------------------------------------


def supervise(config: Config, listener: socket.socket, arguments: list[str]) -> int:
    """Start the processes, start one again that dies, end them all on a signal."""
    stopping = False
    children: list[subprocess.Popen[bytes]] = []

    def stop(*_: object) -> None:
        nonlocal stopping
        stopping = True
        for child in children:
            with suppress(ProcessLookupError):
                child.terminate()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    command = [sys.executable, "-m", "pontoon", "serve", *arguments, "--listener", str(listener.fileno())]

    def start(place: int) -> subprocess.Popen[bytes]:
        alone = ["--demo"] if config.demo and place == 0 else []  # one of them makes the table
        return subprocess.Popen([*command, *alone], pass_fds=(listener.fileno(),))  # noqa: S603 ourselves

    children += [start(place) for place in range(config.workers)]
    while not stopping:
        time.sleep(0.2)
        for place, child in enumerate(children):
            if child.poll() is not None and not stopping:
                print(f"pontoon: process {child.pid} ended ({child.returncode}); starting another", file=sys.stderr)  # noqa: T201
                time.sleep(0.5)
                children[place] = start(place)
    return max(abs(child.wait()) for child in children)

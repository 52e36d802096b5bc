"""Running the server: check everything first, then listen; one process, or several on one database."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from types import FrameType
from typing import Literal, TypeVar

import uvicorn
from fastapi import FastAPI
from msgspec import Struct
from msgspec.structs import replace

from pontoon.quoting import counted
from pontoon.rulebook import Rulebook
from pontoon.server.app import AppOptions, make_app
from pontoon.server.coach import worker as coach
from pontoon.server.connections import BoundedHttp, BoundedSocket
from pontoon.server.house import House, Options
from pontoon.server.operation.garbage_collection import GarbageCollection
from pontoon.server.operation.logs import event, log_to_stderr
from pontoon.server.operation.operator_access import secret_of
from pontoon.server.operation.policy import Policy, PolicyError, read_policy
from pontoon.server.operation.rollback import complete_roots, rolled_back, set_aside
from pontoon.server.operation.traces import TRACES
from pontoon.server.peers import PeerNetwork, bound
from pontoon.server.people.offline_accounts import AccountError, OfflineAccounts
from pontoon.server.people.quotas import UNLIMITED, QuotaLimits
from pontoon.server.people.snapshots import snapshot_fault
from pontoon.server.problems import Problem
from pontoon.server.records.pinned import book_faults
from pontoon.server.records.verification import Verification
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import RemoveBot, SeatBot
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.server.rooms.state import RoomState
from pontoon.store import MemoryStore, StoreError, open_store
from pontoon.store.auditable import AuditableStore
from pontoon.store.model import Fault, InUseError, NoLogError, RollbackError
from pontoon.store.verify import faults
from pontoon.table.commands import Close

DRAIN = 8
"""Seconds for pending answers after SIGTERM; the server then stops within ten."""
LARGEST_MESSAGE = 16 * 1024
HEARTBEAT = 20.0
BACKLOG = 2048
SEND_BUFFER = 128 * 1024
"""What a client that does not read can make the kernel hold (which doubles it); it would be several megabytes."""
HAND_OVER = 0.0005
"""Seconds after which a busy thread yields to another: requests that wait for a commit depend on the writer thread."""
ROOTS = "roots.txt"
"""Beside the store in the data folder; a copy elsewhere is out of reach of anyone who tampers with the store."""
DEMO = "demo"
LOOK_AGAIN = 0.02
"""Seconds between two attempts to take over from another server."""

T = TypeVar("T")


class Config(Struct, frozen=True):
    """The options of `pontoon serve`."""

    host: str = "127.0.0.1"
    port: int = 8048
    data: Path = Path("pontoon-data")
    database: str = ""
    """A PostgreSQL address; without one a SQLite file in the data folder."""
    workers: int = 1
    advertise: tuple[str, int] | None = None
    """Address and port at which the processes of other hosts reach this one; the port of the first of the workers."""
    origins: tuple[str, ...] = ()
    demo: bool = False
    lease_seconds: float = 3.0
    seal_seconds: float = 60.0
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    limited: bool = True
    """Sign-ins, guests and new tables are limited by address; not where a proxy does that, nor in a measurement."""
    rulebooks: Mapping[str, Rulebook] = {}
    """The server's own rulebooks, by name."""
    warm: bool = False
    """Prepare the coach at the start, so that its first answer is quick."""
    verify: Literal["first", "beside", "not"] = "beside"
    """Verify the log before the server listens, while it runs, or (in all but one of several processes) not at all."""
    accept_rollback: bool = False
    """Serve a store that holds less than it has acknowledged."""
    traces: str = ""
    """Where OpenTelemetry spans are sent; empty for nowhere."""


class ServeError(Exception):
    """The server cannot start; the message is one line for the user."""


class OccupiedError(ServeError):
    """Another server has the port or the store; it may be about to stop."""


def taken_over(take: Callable[[], T], patience: float) -> T:
    """Take a port or a store; for some seconds wait for the server that has it to stop."""
    until = time.monotonic() + patience
    while True:
        try:
            return take()
        except OccupiedError:
            if time.monotonic() >= until:
                raise
            time.sleep(LOOK_AGAIN)


def store_of(config: Config) -> AuditableStore:
    """The store of this server; its folder is created if missing."""
    try:
        if config.database:
            return open_store(config.database)
        config.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        return open_store(str(config.data / "pontoon.db"), accept_rollback=config.accept_rollback)
    except RollbackError as error:
        raise ServeError(f"{error}; {_WAY_ON}") from None
    except InUseError as error:
        raise OccupiedError(str(error)) from None
    except StoreError as error:
        raise ServeError(str(error)) from None
    except OSError as error:
        raise ServeError(f"{config.data}: {error.strerror}") from None


def preview(config: Config) -> None:
    """Check the store of the server that this one takes over from, before that one stops: it has to fit, too."""
    with closing(_as_it_is(config)) as store:
        wrong = rolled_back(store, config.data / ROOTS)
        if wrong and not config.accept_rollback:
            raise ServeError(f"{wrong}; {_WAY_ON}")
        opened(store, only_new=False)  # an older version wrote no snapshots


def _as_it_is(config: Config) -> AuditableStore:
    """The store for reading; an empty one where there is none yet."""
    file = config.data / "pontoon.db"
    if not config.database and not file.is_file():
        return MemoryStore()
    try:
        return open_store(config.database or file, read_only=True)
    except NoLogError:
        return MemoryStore()
    except StoreError as error:
        raise ServeError(str(error)) from None


_WAY_ON = "restore the newest files, or give --accept-rollback to go on with what is there"


def compared(store: AuditableStore, config: Config, say: Callable[[str], None]) -> None:
    """The store must be the one whose roots are in the data folder, and hold at least as much."""
    path = config.data / ROOTS
    wrong = rolled_back(store, path)
    if wrong and not config.accept_rollback:
        raise ServeError(f"{wrong}; {_WAY_ON}")
    if wrong:
        say(f"{wrong}; accepted, the old roots are in {set_aside(path)}")
    config.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    complete_roots(store, path)


def opened(store: AuditableStore, *, only_new: bool = True) -> None:
    """The rulebook of every table must be known; `only_new` leaves out those that this version has opened before."""
    unknown: Fault | None = next(iter(book_faults(store, only_new=only_new)), None)
    if unknown is not None:
        raise ServeError(f"{unknown.words} (`pontoon verify log` names all such tables)")


def checked(store: AuditableStore, say: Callable[[str], None]) -> None:
    """Verify chains and trial balance before the server listens."""
    began = time.monotonic()
    found: Fault | None = next(iter(faults(store)), None) or snapshot_fault(store)
    if found is not None:
        where = f"{found.stream} entry {found.version}: " if found.stream else ""
        raise ServeError(f"the log is not what was written: {where}{found.words} (see `pontoon verify log`)")
    entries = sum(head.version for head in store.heads())
    seconds = time.monotonic() - began
    say(f"checked {counted(entries, 'entry/entries')} in {seconds:.1f} s: chains whole, trial balance zero")


def administrator(store: AuditableStore, name: str) -> str:
    """Create an administrator and print the password once; an existing one keeps the old password."""
    accounts = OfflineAccounts(store)
    if accounts.people.find(name) is not None:
        return f"{name} is here already; the password stays"
    try:
        return f"administrator {name}, password {accounts.add(name, 'administrator')}"
    except AccountError as error:
        raise ServeError(f"--admin: {error}") from None


def policy_in(file: Path, known: tuple[str, ...]) -> Policy:
    """The policy of a file; ServeError if it cannot be read."""
    try:
        return read_policy(file.read_text("utf-8"), known)
    except PolicyError as error:
        raise ServeError(f"--policy {file}: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ServeError(f"--policy {file}: {getattr(error, 'strerror', None) or 'not a text file'}") from None


def policy_from(store: AuditableStore, file: Path, known: tuple[str, ...]) -> str:
    """Put the policy of a file in force, unless that file was put in force before; what was done, in one line."""
    policy = policy_in(file, known)
    changed = OfflineAccounts(store).set_policy(policy, file=True)
    return f"house policy from {file}: {', '.join(changed) or 'nothing new'}"


def advertised(config: Config, store: AuditableStore) -> None:
    """Other hosts must be able to reach the processes, and nobody may read the secrets in their leases."""
    if config.advertise is None:
        return
    from pontoon.store.postgresql import PostgresStore  # noqa: PLC0415 psycopg is only needed here

    host, port = config.advertise
    try:
        for place in range(config.workers):
            bound(host, port + place if port else 0).close()
    except OSError as error:
        kind = OccupiedError if error.errno == errno.EADDRINUSE else ServeError
        raise kind(f"--advertise {host}:{port}: {os.strerror(error.errno or 0)}") from None
    if isinstance(store, PostgresStore) and store.exposed:
        raise ServeError(
            "--advertise: the connection to the database is not encrypted; add ?sslmode=verify-full to its address, "
            "or ?sslmode=disable where the network itself is"
        )


def listening(config: Config) -> socket.socket:
    """The socket to listen on."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    try:
        listener.bind((config.host, config.port))
    except OSError as error:
        listener.close()
        kind = OccupiedError if error.errno == errno.EADDRINUSE else ServeError
        raise kind(f"{config.host} port {config.port}: {error.strerror}") from None
    listener.listen(BACKLOG)
    listener.set_inheritable(True)
    return listener


def address_of(listener: socket.socket) -> str:
    """The address for a browser."""
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


def serve(
    config: Config, listener: socket.socket, store: AuditableStore, pages: Callable[[FastAPI], None] | None = None
) -> bool:
    """Serve in this process until a signal ends it; `pages` adds what browsers see.

    True if the process has to start again, because the store failed in the middle of a commit.
    """
    log_to_stderr(config.log_level)
    sys.setswitchinterval(HAND_OVER)
    if config.traces:
        TRACES.start(config.traces)
    leased = bool(config.database)
    network = PeerNetwork(*config.advertise or ()) if leased else None
    house = House(
        store,
        Options(
            leased=leased,
            lease_seconds=config.lease_seconds,
            seal_seconds=config.seal_seconds,
            roots=config.data / ROOTS,
            rulebooks=config.rulebooks,
            quotas=QuotaLimits() if config.limited else UNLIMITED,
            operator=secret_of(config.data),
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
        await asyncio.to_thread(TRACES.stop)

    if config.verify == "beside":
        house.verification = Verification(store)
        house.verification.begin()
    elif config.verify == "first":
        house.verification = Verification(store)
        house.verification.done()
    folder = None if leased else config.data
    options = AppOptions(config.origins, config.data / "backups", folder, before, after, limited=config.limited)
    collection = GarbageCollection()
    app = make_app(house, options, collection)
    if pages is not None:
        pages(app)
    settings = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        http=BoundedHttp,
        ws=BoundedSocket,
        ws_max_size=LARGEST_MESSAGE,
        ws_ping_interval=HEARTBEAT,
        ws_ping_timeout=HEARTBEAT,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=DRAIN,
    )
    with asyncio.Runner(loop_factory=settings.get_loop_factory()) as runner:
        collection.begin()
        serving = _serving(_Server(settings), listener, house, collection, demo=config.demo, warm=config.warm)
        runner.run(serving)
    return house.fatal.is_set()


class _Server(uvicorn.Server):
    """A server that a signal stops; uvicorn would raise the signal again at the end and be killed by it."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 as uvicorn calls it
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


async def _serving(
    server: uvicorn.Server,
    listener: socket.socket,
    house: House,
    collection: GarbageCollection,
    *,
    demo: bool,
    warm: bool,
) -> None:
    beside = [asyncio.create_task(collection.run()), asyncio.create_task(_end_if_fatal(server, house))]
    if warm:
        coach.warm_values()
        beside.append(asyncio.create_task(coach.warm_charts()))
    if demo:
        beside.append(asyncio.create_task(_demo(server, house)))
    event("listening", address=address_of(listener), process=os.getpid())
    await server.serve(sockets=[listener])
    for task in beside:
        task.cancel()
    coach.close()
    event("stopped", process=os.getpid())


async def _end_if_fatal(server: uvicorn.Server, house: House) -> None:
    """Stop when the store must be opened anew; what was acknowledged is in it."""
    await house.fatal.wait()
    server.should_exit = True


async def _demo(server: uvicorn.Server, house: House) -> None:
    """A table where bots keep playing and anyone may join."""
    while not server.started:  # noqa: ASYNC110 uvicorn has no event for it
        await asyncio.sleep(0.05)
    actor = Actor(f"server {DEMO}", "administrator")  # a name that no account can have
    settings = Settings(
        "canberra", name="Demonstration", bots_alone=True, practice=True, clocks=Clocks(card=700, wagers=6000)
    )
    room = await house.make_table(actor, settings, f"{DEMO} with practice chips")  # the same table after every start
    if isinstance(room, Problem):
        event("no_demonstration", code=room.code)
        return
    for box in (2, 4, 6):
        await house.command(actor, room, SeatBot(box), f"bot {box}", None)
    await _close_old_demos(house, actor)


async def _close_old_demos(house: House, actor: Actor) -> None:
    """Close the demonstration tables of version 0.1.0: they were played for wallets."""
    away = [room for room, said in house.idle.away.items() if said.made_by in (DEMO, actor.name)]
    for room in (*house.lives, *away):
        live = await house.live(room)
        if live is None or not _is_old_demo(live.room.state):
            continue
        for bot in live.room.state.bots:
            await house.command(actor, room, RemoveBot(bot.player), "", None)
        await house.command(actor, room, Close(), "", None)


def _is_old_demo(state: RoomState) -> bool:
    """Some were made in the name of `demo`, which a guest could have."""
    settings = state.settings
    demo = settings.bots_alone and settings.name == "Demonstration" and state.table.phase != "closed"
    return demo and not settings.own_chips and state.made_by in (DEMO, f"server {DEMO}")


# --- several processes -------------------------------------------------------------------------------------------


def supervise(config: Config, listener: socket.socket, arguments: list[str]) -> int:
    """Start the processes, restart one that dies, and stop all on a signal."""
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
        alone = [*(["--demo"] if config.demo else []), "--verify-beside"] if place == 0 else []  # one of them does
        if config.advertise is not None:
            host, port = config.advertise
            alone += ["--advertise", f"{host}:{port + place if port else 0}"]
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

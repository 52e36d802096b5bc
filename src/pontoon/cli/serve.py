"""`pontoon serve`: serve tables over the network."""

from __future__ import annotations

import argparse
import os
import socket
import sys
import time
from argparse import Namespace
from contextlib import ExitStack, closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pontoon.cli.common.parser import BAD_USAGE, Commands, Parser, fail

if TYPE_CHECKING:
    from pontoon.rulebook import Rulebook
    from pontoon.server.run import Config

DEFAULT_DATA = Path("pontoon-data")
MOST_WORKERS = 64
PATIENCE = 600.0
"""Seconds that `--take-over` waits for the other server to stop."""
_DESCRIPTION = """Serve tables that people join over the network. Everything is stored in one file in the data
folder, or in PostgreSQL if several processes share the load. The log is verified while the server runs; /ready says
how far. Stop it with Ctrl-C or SIGTERM; the next start continues from there."""

_EXAMPLES = """Examples:
  pontoon serve
  pontoon serve --demo --open
  pontoon serve --host 0.0.0.0 --port 80 --data /var/lib/pontoon --admin Ruth
  pontoon serve --rulebooks /etc/pontoon/rulebooks --policy /etc/pontoon/policy.toml
  pontoon serve --database postgresql://pontoon@localhost/pontoon --workers 3
  pontoon serve --database 'postgresql://pontoon@db/pontoon?sslmode=verify-full' --advertise 10.0.0.1:7048
  curl -s localhost:8048/api/tables

--admin creates an administrator and prints the password once. Logs are JSON lines on standard error.
Exit status: 0 stopped; 1 it could not start; 2 bad usage."""


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "serve", help="serve tables over the network", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add = command.add_argument
    add("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    add("--port", type=_port, default=8048, help="the port; 0 takes a free one (8048)")
    add("--data", metavar="DIR", type=Path, default=DEFAULT_DATA, help=f"the data folder ({DEFAULT_DATA})")
    add("--database", metavar="URL", default="", help="postgresql://… instead of a file")
    add(
        "--workers",
        metavar="N",
        type=_workers,
        default=1,
        help="number of processes; more than one needs --database (1)",
    )
    add(
        "--advertise",
        metavar="HOST[:PORT]",
        type=_place,
        help="where the servers of other hosts on the same database reach this one, over TLS",
    )
    add("--rulebooks", metavar="DIR", type=Path, help="also offer every *.toml rulebook in this folder")
    add("--policy", metavar="FILE", type=Path, help="apply the house policy in this file, if it is new")
    add("--demo", action="store_true", help="open a table played by bots")
    add("--admin", metavar="NAME", default="", help="create an administrator with this name and print the password")
    add("--origin", metavar="URL", action="append", default=[], help="also allow pages from this origin to connect")
    add("--unlimited", action="store_true", help="no limit on sign-ins, guests and new tables from one address")
    add("--open", action="store_true", help="open the browser")
    add("--log-level", choices=("debug", "info", "warning", "error"), default="info", help="log level (info)")
    add("--lease-seconds", metavar="S", type=float, default=3.0, help="seconds until another process takes over (3)")
    add("--verify-first", action="store_true", help="verify the whole log before listening, not while tables are open")
    add("--accept-rollback", action="store_true", help="serve a store that holds less than it has acknowledged")
    add("--traces", metavar="URL", default="", help="send OpenTelemetry traces of commands to this collector (OTLP)")
    add("--take-over", action="store_true", help="wait until the server on this port and file stops, then continue")
    add("--verify-beside", action="store_true", help=argparse.SUPPRESS)  # one of several worker processes
    add("--listener", type=int, help=argparse.SUPPRESS)  # a worker process receives its socket
    command.set_defaults(run=_serve)


def _port(text: str) -> int:
    if not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port")
    return int(text)


def _place(text: str) -> tuple[str, int]:
    """A host and a port, as in `10.0.0.1:7048`, `[fd00::1]:7048` or `10.0.0.1`.

    >>> _place("10.0.0.1:7048"), _place("[fd00::1]:7048"), _place("fd00::1")
    (('10.0.0.1', 7048), ('fd00::1', 7048), ('fd00::1', 0))
    """
    host, colon, port = text.rpartition(":")
    if not colon or (":" in host and not host.endswith("]")):
        host, port = text, "0"
    host = host.strip("[]")
    if not host:
        raise argparse.ArgumentTypeError(f"{text!r} is not an address such as 10.0.0.1:7048")
    return host, _port(port)


def _workers(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= MOST_WORKERS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MOST_WORKERS}")
    return int(text)


def _serve(args: Namespace) -> int:
    from pontoon.server.coach import worker as coach

    wrong = _wrong(args)
    if wrong:
        return fail(wrong)
    if args.workers == 1 or args.listener is not None:
        coach.warm_values()  # in its own process, while this one loads the rest
    try:
        return _serve_by(args)
    finally:
        coach.close()


def _wrong(args: Namespace) -> str:
    """What is wrong with the options; empty if nothing is."""
    if args.workers > 1 and not args.database:
        return "--workers: several processes share a PostgreSQL database; give --database postgresql://…"
    if args.advertise is not None and not args.database:
        return "--advertise: several hosts share a PostgreSQL database; give --database postgresql://…"
    if args.database and not args.database.startswith(("postgresql:", "postgres:")):
        return f"--database {args.database}: only postgresql://… is supported; without it a file is used"
    if args.traces and find_spec("opentelemetry.sdk") is None:
        return "--traces: needs the extra `telemetry`: pip install 'pontoon21[server,telemetry]'"
    return "" if args.lease_seconds > 0 else f"--lease-seconds {args.lease_seconds}: must be above zero"


def _serve_by(args: Namespace) -> int:
    try:
        from pontoon.server import run
    except ImportError as error:
        return fail(f"the server needs the extra `server` ({error.name} is missing): pip install 'pontoon21[server]'")
    own = _rulebooks(args.rulebooks)
    if isinstance(own, int):
        return own
    config = run.Config(
        host=args.host,
        port=args.port,
        data=args.data,
        database=args.database,
        workers=args.workers,
        advertise=args.advertise,
        origins=tuple(args.origin),
        demo=args.demo,
        lease_seconds=args.lease_seconds,
        log_level=args.log_level,
        limited=not args.unlimited,
        rulebooks=own,
        warm=True,
        verify="first" if args.verify_first else "beside" if _verifies(args) else "not",
        accept_rollback=args.accept_rollback,
        traces=args.traces,
    )
    try:
        return _child(args, config) if args.listener is not None else _parent(args, config)
    except run.ServeError as error:
        print(f"pontoon: {error}", file=sys.stderr)
        return 1


def _verifies(args: Namespace) -> bool:
    """Whether this process verifies the log while the game runs: the only one, or the first of several."""
    return args.verify_beside or (args.workers == 1 and (args.listener is None or not args.database))


def _rulebooks(folder: Path | None) -> dict[str, Rulebook] | int:
    """The rulebooks of --rulebooks, or the exit status if one of them has faults."""
    from pontoon.cli.rules_file import report
    from pontoon.server.rulebooks import FolderError, read_folder

    try:
        return read_folder(folder) if folder is not None else {}
    except FolderError as error:
        if not error.faults:
            return fail(f"--rulebooks: {error}")
        print("\n".join(report(error.file, error.faults)), file=sys.stderr)
        return BAD_USAGE


def _child(args: Namespace, config: Config) -> int:
    """One of several processes, or a restarted one: everything has already been checked."""
    from pontoon import web
    from pontoon.server import run

    listener = socket.socket(fileno=args.listener)
    if run.serve(config, listener, run.store_of(config), web.add_to):
        _start_again(args, listener)
    return 0


def _parent(args: Namespace, config: Config) -> int:
    from pontoon import web
    from pontoon.rulebook import NAMES
    from pontoon.server import run
    from pontoon.server.operation.operator_access import grant_access

    def say(words: str) -> None:
        print(words, file=sys.stderr)

    status = 0
    with ExitStack() as failing:
        if args.take_over:
            _prepare(args, config)
            say("ready to take over: stop the server that runs now")
        patience = PATIENCE if args.take_over else 0.0
        listener = failing.enter_context(run.taken_over(lambda: run.listening(config), patience))
        store = failing.enter_context(closing(run.taken_over(lambda: run.store_of(config), patience)))
        run.taken_over(lambda: run.advertised(config, store), patience)
        run.compared(store, config, say)
        if args.verify_first:
            run.checked(store, say)
        run.opened(store)
        if args.admin:
            print(run.administrator(store, args.admin), flush=True)
        if args.policy is not None:
            say(run.policy_from(store, args.policy, (*NAMES, *config.rulebooks)))
        failing.pop_all()
    print(f"Pontoon is served at {run.address_of(listener)}  (Ctrl-C stops it)", flush=True)
    if args.open:
        import webbrowser

        webbrowser.open(run.address_of(listener))
    access = grant_access(config.data, run.address_of(listener))
    if config.workers == 1:
        if run.serve(config, listener, store, web.add_to):
            _start_again(args, listener)
    else:
        store.close()
        status = run.supervise(config, listener, _again(args))
    access.unlink(missing_ok=True)
    return status


def _prepare(args: Namespace, config: Config) -> None:
    """Load and check, before the server that runs now stops, whatever can be; raises ServeError."""
    from pontoon.rulebook import NAMES, load
    from pontoon.server import run

    for name in NAMES:
        load(name)  # the first table asks for its rulebook
    run.preview(config)
    if args.policy is not None:
        run.policy_in(args.policy, (*NAMES, *config.rulebooks))


def _start_again(args: Namespace, listener: socket.socket) -> None:
    """Replace this process by a new one on the same socket, which reads what is on disk; clients wait in the queue."""
    time.sleep(1)
    listener.set_inheritable(True)
    words = ["-m", "pontoon", "serve", *_again(args), "--listener", str(listener.fileno())]
    os.execv(sys.executable, [sys.executable, *words])  # noqa: S606 ourselves


def _again(args: Namespace) -> list[str]:
    """The command line for a worker process, without the options that apply once."""
    words = ["--database", args.database, "--data", str(args.data), "--lease-seconds", str(args.lease_seconds)]
    words += ["--log-level", args.log_level, *(["--traces", args.traces] if args.traces else [])]
    for origin in args.origin:
        words += ["--origin", origin]
    if args.rulebooks is not None:
        words += ["--rulebooks", str(args.rulebooks)]
    return words + (["--unlimited"] if args.unlimited else [])

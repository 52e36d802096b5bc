"""`pontoon serve`: tables over the network."""

from __future__ import annotations

import argparse
import socket
import sys
from argparse import Namespace
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from pontoon.cli.parser import BAD_USAGE, Commands, Parser, fail

if TYPE_CHECKING:
    from pontoon.rulebook import Rulebook
    from pontoon.server.run import Config

DEFAULT_DATA = Path("pontoon-data")
MOST_WORKERS = 64
_DESCRIPTION = """Serve tables that people join over the network. Everything is kept in one file in the data folder, or
in PostgreSQL when several processes share the load. The log is verified before the server listens; it is stopped by
Ctrl-C or SIGTERM and goes on where it was."""

_EXAMPLES = """Examples:
  pontoon serve
  pontoon serve --demo --open
  pontoon serve --host 0.0.0.0 --port 80 --data /var/lib/pontoon --admin Ruth
  pontoon serve --rulebooks /etc/pontoon/rulebooks
  pontoon serve --database postgresql://pontoon@localhost/pontoon --workers 3
  curl -s localhost:8048/api/tables

--admin makes an administrator and prints the password once. Logs are JSON lines on standard error.
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
    add("--workers", metavar="N", type=_workers, default=1, help="processes; more than one needs --database (1)")
    add("--rulebooks", metavar="DIR", type=Path, help="offer every *.toml of this folder beside the five rulebooks")
    add("--demo", action="store_true", help="with a table that bots play")
    add("--admin", metavar="NAME", default="", help="make an administrator of this name, and print the password")
    add("--origin", metavar="URL", action="append", default=[], help="a page of this origin may connect too")
    add("--unlimited", action="store_true", help="no limit on sign-ins, guests and new tables from one address")
    add("--open", action="store_true", help="open the browser")
    add("--log-level", choices=("debug", "info", "warning", "error"), default="info", help="what is logged (info)")
    add("--lease-seconds", metavar="S", type=float, default=3.0, help="how soon another process takes over (3)")
    add("--listener", type=int, help=argparse.SUPPRESS)  # a process of --workers is given its socket
    command.set_defaults(run=_serve)


def _port(text: str) -> int:
    if not text.isdigit() or int(text) > 65535:  # noqa: PLR2004 ports end there
        raise argparse.ArgumentTypeError(f"{text!r} is not a port")
    return int(text)


def _workers(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= MOST_WORKERS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MOST_WORKERS}")
    return int(text)


def _serve(args: Namespace) -> int:
    try:
        from pontoon.server import run
    except ImportError as error:
        return fail(f"the server needs the extra `server` ({error.name} is missing): pip install 'pontoon21[server]'")
    if args.workers > 1 and not args.database:
        return fail("--workers: several processes share a PostgreSQL database; give --database postgresql://…")
    if args.database and not args.database.startswith(("postgresql:", "postgres:")):
        return fail(f"--database {args.database}: only postgresql://… is known; without it a file is used")
    if not args.lease_seconds > 0:
        return fail(f"--lease-seconds {args.lease_seconds}: must be above nothing")
    own = _rulebooks(args.rulebooks)
    if isinstance(own, int):
        return own
    config = run.Config(
        host=args.host,
        port=args.port,
        data=args.data,
        database=args.database,
        workers=args.workers,
        origins=tuple(args.origin),
        demo=args.demo,
        lease_seconds=args.lease_seconds,
        log_level=args.log_level,
        limited=not args.unlimited,
        rulebooks=own,
    )
    try:
        return _child(args, config) if args.listener is not None else _parent(args, config)
    except run.ServeError as error:
        print(f"pontoon: {error}", file=sys.stderr)
        return 1


def _rulebooks(folder: Path | None) -> dict[str, Rulebook] | int:
    """The rulebooks of the server's own, or the exit status where one of them is not in order."""
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
    """One of several processes: the parent has checked everything."""
    from pontoon import web
    from pontoon.server import run

    listener = socket.socket(fileno=args.listener)
    run.serve(config, listener, run.store_of(config), web.add_to)
    return 0


def _parent(args: Namespace, config: Config) -> int:
    from pontoon import web
    from pontoon.server import run

    with ExitStack() as failing:
        listener = failing.enter_context(run.listening(config))
        store = failing.enter_context(closing(run.store_of(config)))
        run.checked(store, lambda words: print(words, file=sys.stderr))
        if args.admin:
            print(run.administrator(store, args.admin), flush=True)
        failing.pop_all()
    print(f"Pontoon is served at {run.address_of(listener)}  (Ctrl-C stops it)", flush=True)
    if args.open:
        import webbrowser

        webbrowser.open(run.address_of(listener))
    if config.workers == 1:
        run.serve(config, listener, store, web.add_to)
        return 0
    store.close()
    return run.supervise(config, listener, _again(args))


def _again(args: Namespace) -> list[str]:
    """The same command line for each process, without what is done once."""
    words = ["--database", args.database, "--data", str(args.data), "--lease-seconds", str(args.lease_seconds)]
    words += ["--log-level", args.log_level]
    for origin in args.origin:
        words += ["--origin", origin]
    if args.rulebooks is not None:
        words += ["--rulebooks", str(args.rulebooks)]
    return words + (["--unlimited"] if args.unlimited else [])

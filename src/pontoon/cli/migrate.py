"""`pontoon migrate`: move a server's data between SQLite and PostgreSQL."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from pathlib import Path

from pontoon.cli.common.parser import Commands, Parser, fail
from pontoon.cli.common.tables import print_json
from pontoon.quoting import counted

_DESCRIPTION = """Copy a server's log, ledger, accounts and roots from one store to another, in either direction, and
compare every row at the end. Stop the server first. If the move is interrupted, run the same command again: it resumes
where it stopped. The source stays as it is."""

_EXAMPLES = """Examples:
  pontoon migrate --from pontoon-data --to postgresql://pontoon@localhost/pontoon
  pontoon migrate --from postgresql://pontoon@localhost/pontoon --to /var/lib/pontoon
  pontoon migrate --from monday.db --to new/pontoon.db --json

A place is a data folder, a database file or postgresql://… Keep roots.txt of the data folder: it belongs to the log.
Exit status: 0 moved and compared; 2 not."""

_QUIET = 2.0
"""Seconds before progress is shown."""


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "migrate", help="move a server's data to another database", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    command.add_argument("--from", dest="source", metavar="SOURCE", required=True, help="where the data is")
    command.add_argument("--to", dest="target", metavar="TARGET", required=True, help="an empty place for it")
    command.add_argument("--json", action="store_true", help="the result as one JSON object")
    command.set_defaults(run=_migrate)


def _migrate(args: Namespace) -> int:
    from pontoon.store import StoreError
    from pontoon.store.move import move

    began = time.monotonic()
    source, target = _place(args.source), _place(args.target)
    if source == target:
        return fail("--from and --to are the same place")
    shown = False

    def progress(doing: str, rows: int) -> None:
        nonlocal shown
        if sys.stderr.isatty() and time.monotonic() - began > _QUIET:
            print(f"\r{doing}: {rows} rows\033[K", end="", file=sys.stderr, flush=True)
            shown = True

    try:
        entries = move(source, target, progress)
    except StoreError as error:
        return fail(str(error))
    finally:
        if shown:
            print("\r\033[K", end="", file=sys.stderr)
    seconds = time.monotonic() - began
    if args.json:
        print_json("migrate", {"entries": entries, "seconds": round(seconds, 1)}, indent=None)
    else:
        print(f"{counted(entries, 'entry/entries')} moved, every row compared, in {seconds:.1f} s")
    return 0


def _place(name: str) -> str:
    """A folder stands for its pontoon.db, and so does a new name without a suffix."""
    if name.startswith(("postgresql:", "postgres:", "sqlite:")):
        return name
    path = Path(name)
    return str(path / "pontoon.db" if path.is_dir() or not path.suffix else path)

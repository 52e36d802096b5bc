"""`pontoon backup`: back up a server's data while it runs."""

from __future__ import annotations

import time
from argparse import Namespace
from pathlib import Path

from pontoon.cli.common.parser import Commands, Parser, fail
from pontoon.cli.common.tables import print_json
from pontoon.cli.serve import DEFAULT_DATA
from pontoon.quoting import counted

_DESCRIPTION = """Copy a snapshot of the server's log, ledger and accounts into a new SQLite file, and verify the copy.
The server may keep running. The copy can be served, verified and backed up like any other: put it into a data folder
as pontoon.db."""

_EXAMPLES = """Examples:
  pontoon backup monday.db
  pontoon backup --data /var/lib/pontoon /mnt/safe/monday.db
  pontoon backup --database postgresql://pontoon@localhost/pontoon monday.db

Exit status: 0 copied and verified; 2 not."""


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "backup", help="copy a server's data while it runs", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    command.add_argument("file", metavar="FILE", type=Path, help="the new file")
    add_place(command)
    command.add_argument("--json", action="store_true", help="the result as one JSON object")
    command.set_defaults(run=_backup)


def add_place(command: Parser) -> None:
    """Add the options for the location of a server's data."""
    command.add_argument("--data", metavar="DIR", type=Path, default=DEFAULT_DATA, help="a server's data folder")
    command.add_argument("--database", metavar="URL", default="", help="postgresql://… instead of a folder")


def place_of(args: Namespace) -> str:
    """Open the store given by the options."""
    return args.database or str(args.data / "pontoon.db")


def _backup(args: Namespace) -> int:
    from pontoon.store import StoreError, open_store
    from pontoon.store.backup import backup

    began = time.monotonic()
    try:
        store = open_store(place_of(args), read_only=True)
        try:
            backup(store, args.file)
            entries = sum(head.version for head in store.heads())
        finally:
            store.close()
    except StoreError as error:
        return fail(str(error))
    size = args.file.stat().st_size
    if args.json:
        print_json("backup", {"file": str(args.file), "bytes": size, "entries": entries}, indent=None)
    else:
        seconds = time.monotonic() - began
        amount = f"{counted(entries, 'entry/entries')}, {counted(size, 'byte/bytes')}"
        print(f"{args.file}: {amount}, verified, in {seconds:.1f} s")
    return 0

"""`pontoon account`: a server's accounts and roles."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from pontoon.cli.backup import add_place, place_of
from pontoon.cli.parser import Commands, Parser, fail

if TYPE_CHECKING:
    from pontoon.server.office import Office

_DESCRIPTION = """Create accounts and assign roles on the server's machine. With a data folder the server must not be
running (use its API then); with PostgreSQL it may."""

_EXAMPLES = """Examples:
  pontoon account add Ruth --role administrator
  pontoon account add Iris --role inspector --data /var/lib/pontoon
  pontoon account role Ann game_supervisor
  pontoon account revoke Ann
  pontoon account list --json

A new account's password is generated and printed once.
Exit status: 0 done; 2 refused or unreadable."""


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "account", help="accounts and roles of a server", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    things = command.add_subparsers(title="what", metavar="WHAT", dest="what", required=True)
    add = things.add_parser("add", help="create an account", description=_DESCRIPTION, epilog=_EXAMPLES)
    add.add_argument("name", metavar="NAME")
    add.add_argument("--role", default="player", help="player, dealer, inspector, … (player)")
    role = things.add_parser("role", help="assign a role", description=_DESCRIPTION, epilog=_EXAMPLES)
    role.add_argument("name", metavar="NAME")
    role.add_argument("role", metavar="ROLE")
    revoke = things.add_parser(
        "revoke", help="end all sessions of an account", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    revoke.add_argument("name", metavar="NAME")
    listed = things.add_parser("list", help="everybody", description=_DESCRIPTION, epilog=_EXAMPLES)
    listed.add_argument("--json", action="store_true", help="as JSON")
    for one in (add, role, revoke, listed):
        add_place(one)
        one.set_defaults(run=_account)


def _account(args: Namespace) -> int:
    try:
        from pontoon.server import office
    except ImportError as error:
        return fail(f"the server needs the extra `server` ({error.name} is missing): pip install 'pontoon21[server]'")
    from pontoon.store import StoreError, open_store

    try:
        store = open_store(place_of(args), read_only=args.what == "list")
    except StoreError as error:
        return fail(str(error))
    try:
        return _done(args, office.Office(store))
    except (StoreError, office.OfficeError) as error:
        return fail(str(error))
    finally:
        store.close()


def _done(args: Namespace, office: Office) -> int:
    match args.what:
        case "add":
            print(f"{args.name}: {args.role}, password {office.add(args.name, args.role)}")
        case "role":
            office.give_role(args.name, args.role)
            print(f"{args.name}: {args.role}")
        case "revoke":
            office.revoke(args.name)
            print(f"{args.name}: all sessions ended")
        case _:
            _list(args, office.listed())
    return 0


def _list(args: Namespace, rows: list[dict[str, object]]) -> None:
    if args.json:
        json.dump(rows, sys.stdout, indent=2)
        print()
        return
    for row in rows:
        kind = "guest" if row["guest"] else row["role"]
        print(f"{row['name']:<32}  {kind}")

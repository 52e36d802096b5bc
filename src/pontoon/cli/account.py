"""`pontoon account`: a server's accounts and roles."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pontoon.cli.backup import place_of
from pontoon.cli.common.admin_client import add_server, running_server
from pontoon.cli.common.parser import Commands, Parser, add_formats, fail
from pontoon.cli.common.tables import show_data, wants_data

if TYPE_CHECKING:
    from pontoon.client.http import Client
    from pontoon.server.people.offline_accounts import OfflineAccounts

_DESCRIPTION = """Create accounts and assign roles, on the server's machine or from elsewhere with --server and --as.
The server may run or not. While it runs, a new account gets a one-time link with which its owner sets the password;
otherwise a password is generated and printed once."""

_EXAMPLES = """Examples:
  pontoon account add Ruth --role administrator
  pontoon account add Iris --role inspector --data /var/lib/pontoon
  pontoon account role Ann game_supervisor
  pontoon account link Ann
  pontoon account suspend Ann --reason "left the house"
  pontoon account restore Ann
  pontoon account revoke Ann
  pontoon account list --json

Exit status: 0 done; 2 refused or unreadable."""

RUNNING_ONLY = ("link", "suspend", "restore")


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "account", help="accounts and roles of a server", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    things = command.add_subparsers(title="what", metavar="WHAT", dest="what", required=True)
    for what, words in (
        ("add", "create an account"),
        ("role", "assign a role"),
        ("link", "make a one-time link to set a password (while the server runs)"),
        ("suspend", "suspend a person (while the server runs)"),
        ("restore", "let a suspended person sign in again (while the server runs)"),
        ("revoke", "end all sessions of an account"),
        ("list", "everybody"),
    ):
        parser = things.add_parser(what, help=words, description=_DESCRIPTION, epilog=_EXAMPLES)
        if what != "list":
            parser.add_argument("name", metavar="NAME")
        if what == "add":
            parser.add_argument("--role", default="player", help="player, dealer, inspector, … (player)")
        if what == "role":
            parser.add_argument("role", metavar="ROLE")
        if what == "suspend":
            parser.add_argument("--reason", default="", help="for the record")
        if what == "list":
            add_formats(parser, "as JSON")
        add_server(parser)
        parser.set_defaults(run=_account)


def _account(args: Namespace) -> int:
    try:
        from pontoon.client.http import ClientError
        from pontoon.server.people import offline_accounts
    except ImportError as error:
        return fail(f"the server needs the extra `server` ({error.name} is missing): pip install 'pontoon21[server]'")
    from pontoon.store import StoreError, open_store

    try:
        client = running_server(args)
        if client is not None:
            return _done_there(args, client)
    except ClientError as error:
        return fail(str(error))
    if args.what in RUNNING_ONLY:
        return fail(f"no server runs on {args.data}; start it, or give --server and --as")
    try:
        if args.what == "add" and not args.database:
            args.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        store = open_store(place_of(args), read_only=args.what == "list")
    except StoreError as error:
        return fail(str(error))
    except OSError as error:
        return fail(f"{args.data}: {error.strerror}")
    try:
        return _done(args, offline_accounts.OfflineAccounts(store))
    except (StoreError, offline_accounts.AccountError) as error:
        return fail(str(error))
    finally:
        store.close()


# --- while the server runs -----------------------------------------------------------------------------


def _done_there(args: Namespace, client: Client) -> int:
    path = f"/api/admin/accounts/{quote(args.name)}" if args.what != "list" else ""
    match args.what:
        case "add":
            made = client.ask("/api/admin/accounts", {"name": args.name, "role": args.role})
            print(f"{made['name']}: {made['role']}; sets a password within 7 days at {_link(client, made)}")
        case "role":
            client.ask(f"{path}/role", {"role": args.role}, "PUT")
            print(f"{args.name}: {args.role}")
        case "link":
            made = client.ask(f"{path}/link", {})
            print(f"{made['name']}: sets a new password within 30 minutes at {_link(client, made)}")
        case "suspend":
            client.ask(f"{path}/suspension", {"reason": args.reason}, "PUT")
            print(f"{args.name}: suspended, all sessions ended")
        case "restore":
            client.ask(f"{path}/suspension", None, "DELETE")
            print(f"{args.name}: may sign in again")
        case "revoke":
            client.ask(f"{path}/sessions", None, "DELETE")
            print(f"{args.name}: all sessions ended")
        case _:
            _list(args, _everyone(client))
    return 0


def _link(client: Client, made: dict[str, Any]) -> str:
    return f"{client.url}/floor#link={made['link']}"


def _everyone(client: Client) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    cursor: str | None = ""
    while cursor is not None:
        answer = client.ask(f"/api/admin/accounts?limit=100{f'&cursor={quote(cursor)}' if cursor else ''}")
        rows += ({key: row[key] for key in ("name", "role", "guest")} for row in answer["accounts"])
        cursor = answer["next"]
    return rows


# --- on the store itself -------------------------------------------------------------------------------


def _done(args: Namespace, accounts: OfflineAccounts) -> int:
    match args.what:
        case "add":
            print(f"{args.name}: {args.role}, password {accounts.add(args.name, args.role)}")
        case "role":
            accounts.give_role(args.name, args.role)
            print(f"{args.name}: {args.role}")
        case "revoke":
            accounts.revoke(args.name)
            print(f"{args.name}: all sessions ended")
        case _:
            _list(args, accounts.listed())
    return 0


def _list(args: Namespace, rows: list[dict[str, object]]) -> None:
    if wants_data(args):
        show_data(args, "account-list", rows)
        return
    for row in rows:
        kind = "guest" if row["guest"] else row["role"]
        print(f"{row['name']:<32}  {kind}")

"""`pontoon admin`: what the administration page does, from the command line."""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pontoon.cli.backup import place_of
from pontoon.cli.common.admin_client import add_server, running_server
from pontoon.cli.common.parser import Commands, Parser, add_formats, fail
from pontoon.cli.common.tables import show_data, wants_data
from pontoon.money import MoneyError, cents

if TYPE_CHECKING:
    from pontoon.client.http import Client

_DESCRIPTION = """Administer a server while it runs: the one that runs on the data folder (no password is needed on its
machine), or any other with --server and --as. Without a running server, `policy` reads and writes the data folder."""

_EXAMPLES = """Examples:
  pontoon admin status
  pontoon admin policy > policy.toml
  pontoon admin policy --file policy.toml
  pontoon admin tables
  pontoon admin make-table --rulebook canberra --name "Main room" --minimum 5 --maximum 500
  pontoon admin limits k3x9pq --minimum 10 --maximum 1000
  pontoon admin close k3x9pq
  pontoon admin wallets
  pontoon admin wallet Ann
  pontoon admin chips Ann 250
  pontoon admin verify --json
  pontoon admin audit --name Ann --server https://club.example --as Ruth

Accounts and roles: pontoon account. Exit status: 0 done; 1 a check found faults; 2 refused or unreadable."""

Row = dict[str, Any]


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "admin", help="administer a running server", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    things = command.add_subparsers(title="what", metavar="WHAT", dest="what", required=True)

    def add(name: str, words: str, act: Callable[[Client, Namespace], int], form: str = "json") -> Parser:
        """Add one of the commands; `form` is `table` for those that print rows."""
        parser: Parser = things.add_parser(name, help=words, description=_DESCRIPTION, epilog=_EXAMPLES)
        if form == "table":
            add_formats(parser, "the answer as JSON")
        elif form == "json":
            parser.add_argument("--json", action="store_true", help="the answer as JSON")
        add_server(parser)
        parser.set_defaults(run=_run, act=act)
        return parser

    add("status", "the server at a glance", _status)
    policy = add("policy", "print the house policy, or apply a file", _policy)
    policy.add_argument("--file", metavar="FILE", type=Path, help="apply the policy in this file")
    add("tables", "all tables", _tables, "table")
    make = add("make-table", "make a public table", _make_table)
    make.add_argument("--rulebook", required=True, help="star, canberra, … or one of the server's own")
    make.add_argument("--name", default="", help="the name in the lobby")
    make.add_argument("--floor", action="store_true", help="dealt by a person")
    limits = add("limits", "change the limits of a table", _limits, "")
    for parser in (limits, make):
        parser.add_argument("--minimum", metavar="AMOUNT", type=_amount, default=500, help="in dollars (5)")
        parser.add_argument("--maximum", metavar="AMOUNT", type=_amount, default=50_000, help="in dollars (500)")
    for name, words, act in (
        ("close", "close a table, or give the notice that its document asks for", _close),
        ("stop", "pause a table until an official resumes it; its stakes go back", _stop),
        ("archive", "take a table out of the lobby", _archive),
        ("unarchive", "show a table in the lobby again", _unarchive),
    ):
        add(name, words, act, "json" if name == "close" else "").add_argument("table", metavar="TABLE")
    limits.add_argument("table", metavar="TABLE")
    add("wallets", "everyone's chips", _wallets, "table")
    add("wallet", "one person's chips, with the last postings", _wallet, "table").add_argument("name", metavar="NAME")
    chips = add("chips", "give a person chips", _chips)
    chips.add_argument("name", metavar="NAME")
    chips.add_argument("amount", metavar="AMOUNT", type=_amount, help="in dollars")
    add("rulebooks", "the rulebooks and how many tables use them", _rulebooks, "table")
    add("backup", "copy the store into the server's folder for backups", _backup)
    add("backups", "the backups in that folder", _backups, "table")
    add("verify", "verify the whole log", _verify)
    add("balance", "the trial balance", _balance)
    audit = add("audit", "what happened to accounts, newest first", _audit, "table")
    audit.add_argument("--name", default="", help="of this person only")
    audit.add_argument("--limit", type=int, default=30, help="how many events (30)")


def _amount(text: str) -> int:
    try:
        return cents(text.removeprefix("$").replace(",", ""))
    except MoneyError as error:
        raise ValueError(str(error)) from None


def _run(args: Namespace) -> int:
    try:
        from pontoon.client.http import ClientError
        from pontoon.server.operation.policy import PolicyError
    except ImportError as error:
        return fail(f"this needs the extra `server` ({error.name} is missing): pip install 'pontoon21[server]'")
    try:
        client = running_server(args)
        if client is None:
            return _policy_offline(args) if args.what == "policy" else fail(_nobody(args))
        status: int = args.act(client, args)
    except (ClientError, PolicyError) as error:
        return fail(str(error))
    return status


def _nobody(args: Namespace) -> str:
    return f"no server runs on {args.data}; start one with `pontoon serve --data {args.data}`, or give --server"


# --- printing ------------------------------------------------------------------------------------------


def _show(args: Namespace, answer: object, lines: Iterable[str]) -> int:
    """Print the answer as data, if that is asked for, or these lines."""
    if hasattr(args, "json") and wants_data(args):
        return show_data(args, f"admin-{args.what}", answer)
    for line in lines:
        print(line)
    return 0


def _dollars(amount: int) -> str:
    from pontoon.view.catalogue.formats import money

    return money(amount)


def _when(at: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at / 1000)) if at else "never"


def _limits_of(row: Row) -> str:
    return f"{_dollars(row['minimum'])} to {_dollars(row['maximum']) if row['maximum'] else 'no maximum'}"


# --- what there is to do -------------------------------------------------------------------------------


def _status(client: Client, args: Namespace) -> int:
    reply = client.ask("/api/admin/overview")
    log = reply["fault"] or (
        "verified" if reply["whole"] else f"{reply['verified']} of {reply['entries']} entries verified"
    )
    free = f"{reply['free_bytes'] / 1e9:.1f} GB free" if reply["free_bytes"] >= 0 else "free space unknown"
    since = _when(reply["started"])
    lines = (
        f"Pontoon {reply['version']} at {client.url}, up since {since}, processes: {reply['processes']}",
        f"people {reply['people']}, guests {reply['guests']}, suspended {reply['suspended']}",
        f"tables {reply['tables']}, connections {reply['sockets']}, {reply['commands']} commands a second",
        f"log {reply['entries']} entries, {log}; commit {reply['commit_milliseconds']} ms; {free}",
        f"failed sign-ins in the last hour: {reply['failed_sign_ins']}",
    )
    return _show(args, reply, lines)


def _policy(client: Client, args: Namespace) -> int:
    if args.file is None:
        reply = client.ask("/api/policy")
        return _show(args, reply, [reply["text"].rstrip()])
    before = client.ask("/api/policy")["policy"]
    reply = client.ask("/api/admin/policy", {"text": _text(args.file)}, "PUT")
    return _show(args, reply, [_changed(before, reply["policy"])])


def _text(file: Path) -> str:
    from pontoon.server.operation.policy import PolicyError

    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError((f"{file}: {getattr(error, 'strerror', None) or 'not a text file'}",)) from None


def _changed(before: Row, after: Row) -> str:
    keys = [key for key in after if before.get(key) != after[key]]
    return f"in force; changed: {', '.join(keys)}" if keys else "in force; nothing changed"


def _policy_offline(args: Namespace) -> int:
    from pontoon.server.operation.policy import policy_text, read_policy
    from pontoon.server.people.offline_accounts import AccountError, OfflineAccounts
    from pontoon.store import StoreError, open_store

    wanted = read_policy(_text(args.file)) if args.file is not None else None
    try:
        store = open_store(place_of(args), read_only=wanted is None)
    except StoreError as error:
        return fail(str(error))
    try:
        accounts = OfflineAccounts(store)
        if wanted is None:
            print(policy_text(accounts.people.policy).rstrip())
        else:
            changed = accounts.set_policy(wanted)
            print(f"in force; changed: {', '.join(changed)}" if changed else "in force; nothing changed")
    except (StoreError, AccountError) as error:
        return fail(str(error))
    finally:
        store.close()
    return 0


def _tables(client: Client, args: Namespace) -> int:
    rows = _all(client, "/api/admin/tables", "tables")

    def line(row: Row) -> str:
        marks = [word for word in ("private", "practice", "tournament", "paused", "archived") if row[word]]
        about = ", ".join([row["phase"], *marks, f"{row['seated']} seated"])
        return f"{row['id']:<26}{row['rulebook']:<14}{_limits_of(row):<24}{about}  {row['name']}".rstrip()

    return _show(args, rows, map(line, rows) if rows else ["no tables"])


def _all(client: Client, path: str, key: str) -> list[Row]:
    """All pages of a list."""
    rows: list[Row] = []
    cursor: str | None = ""
    while cursor is not None:
        reply = client.ask(f"{path}?limit=100{f'&cursor={quote(cursor)}' if cursor else ''}")
        rows += reply[key]
        cursor = reply["next"]
    return rows


def _make_table(client: Client, args: Namespace) -> int:
    settings = {
        "rulebook": args.rulebook,
        "name": args.name,
        "minimum": args.minimum,
        "maximum": args.maximum,
        "mode": "floor" if args.floor else "automatic",
    }
    reply = client.ask("/api/tables", settings)
    return _show(args, reply, [f"{client.url}{reply['link']}"])


def _limits(client: Client, args: Namespace) -> int:
    path = f"/api/tables/{quote(args.table)}"
    now = client.ask(path)["view"]["limits"]
    limits = {"minimum": args.minimum, "maximum": args.maximum, "smallest_chip": now["smallest_chip"]}
    for command in (
        {"type": "AnnounceLimits", "limits": limits},
        {"type": "SetLimits", "limits": limits, "told": True},
    ):
        reply = client.ask(f"{path}/commands", {"key": f"limits {time.time_ns()}", "command": command})
    return _show(args, reply, [f"{args.table}: {_limits_of(vars(args))}"])


def _close(client: Client, args: Namespace) -> int:
    reply = client.ask(f"/api/admin/tables/{quote(args.table)}/closing", None, "PUT")
    words = {"closed": "closed", "noticed": "notice given; give the command again when it has run out"}
    return _show(args, reply, [f"{args.table}: {words[reply['state']]}"])


def _stop(client: Client, args: Namespace) -> int:
    reply = client.ask(f"/api/admin/tables/{quote(args.table)}/stop", {"reason": ""}, "PUT")
    return _show(args, reply, [f"{args.table}: stopped; only officials can resume it"])


def _archive(client: Client, args: Namespace) -> int:
    reply = client.ask(f"/api/admin/tables/{quote(args.table)}/archive", None, "PUT")
    return _show(args, reply, [f"{args.table}: no longer in the lobby"])


def _unarchive(client: Client, args: Namespace) -> int:
    reply = client.ask(f"/api/admin/tables/{quote(args.table)}/archive", None, "DELETE")
    return _show(args, reply, [f"{args.table}: in the lobby again"])


def _wallets(client: Client, args: Namespace) -> int:
    rows = _all(client, "/api/admin/wallets", "wallets")
    lines = (f"{row['name']:<34}{_dollars(row['wallet']):>14}  on tables {_dollars(row['on_tables'])}" for row in rows)
    return _show(args, rows, lines if rows else ["nobody"])


def _wallet(client: Client, args: Namespace) -> int:
    reply = client.ask(f"/api/admin/wallets/{quote(args.name)}")
    row = reply["wallet"]
    chips = [_dollars(row[kind]) for kind in ("wallet", "on_tables", "owed")]
    head = f"{row['name']}: {chips[0]}, on tables {chips[1]}, owed {chips[2]}"
    lines = (
        f"{_when(line['at'])}  {_dollars(line['amount']):>12}  {_dollars(line['balance']):>12}  {line['stream']}"
        for line in reply["postings"]
    )
    return _show(args, reply, (head, *lines))


def _chips(client: Client, args: Namespace) -> int:
    reply = client.ask(f"/api/admin/wallets/{quote(args.name)}/chips", {"amount": args.amount})
    return _show(args, reply, [f"{reply['name']}: {_dollars(reply['wallet'])}"])


def _rulebooks(client: Client, args: Namespace) -> int:
    rows = client.ask("/api/admin/rulebooks")["rulebooks"]

    def line(row: Row) -> str:
        tables = f"{row['tables']:>4} {'table' if row['tables'] == 1 else 'tables'}"
        return f"{row['name']:<16}{tables}  {'' if row['offered'] else 'not offered'}".rstrip()

    return _show(args, rows, map(line, rows))


def _backup(client: Client, args: Namespace) -> int:
    reply = client.ask("/api/admin/backup", {})
    return _show(args, reply, [f"{reply['file']}: {reply['size'] / 1e6:.1f} MB, verified"])


def _backups(client: Client, args: Namespace) -> int:
    rows = client.ask("/api/admin/backups")["backups"]
    lines = [f"{_when(row['at'])}  {row['size'] / 1e6:>9.1f} MB  {row['file']}" for row in rows]
    return _show(args, rows, lines or ["no backups"])


def _verify(client: Client, args: Namespace) -> int:
    reply = client.ask("/api/admin/verify")
    lines = [f"{fault['stream']} {fault['version']}: {fault['words']}" for fault in reply["faults"]]
    _show(args, reply, lines or [f"as written ({reply['milliseconds']} ms)"])
    return 0 if reply["whole"] else 1


def _balance(client: Client, args: Namespace) -> int:
    reply = client.ask("/api/admin/balance")
    lines = (f"{kind:<14}{_dollars(amount):>16}" for kind, amount in reply["kinds"].items())
    _show(args, reply, (*lines, f"{'total':<14}{_dollars(reply['total']):>16}"))
    return 0 if reply["zero"] else 1


def _audit(client: Client, args: Namespace) -> int:
    rows = client.ask(f"/api/admin/audit?limit={args.limit}&name={quote(args.name)}")["events"]
    lines = (f"{_when(row['at'])}  {row['by']:<20}{row['what']:<18}{row['name']}  {row['detail']}" for row in rows)
    return _show(args, rows, (line.rstrip() for line in lines))

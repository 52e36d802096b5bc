"""`pontoon verify`: check the proofs of a shoe, or a server's log."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from pathlib import Path

import msgspec

from pontoon.cli.backup import add_place, place_of
from pontoon.cli.common.parser import Commands, Parser, fail
from pontoon.cli.common.tables import print_json
from pontoon.quoting import counted, quoted
from pontoon.store.auditable import AuditableStore
from pontoon.store.model import Fault
from pontoon.table.fairness import ShoeFileError, read, verify

FAIR, FAULT = 0, 1


_MARKS = {True: "✓", False: "✗", None: "·"}


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser("verify", help="check a shoe against what was published", description=_DESCRIPTION)
    things = command.add_subparsers(title="what", metavar="WHAT", dest="what", required=True)
    shoe = things.add_parser(
        "shoe", help="check cards, order, cut and burn of a shoe", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    shoe.add_argument("file", metavar="FILE", help="a shoe file (.shoe.json); - is standard input")
    shoe.add_argument("--json", action="store_true", help="the checks as one JSON object")
    shoe.set_defaults(run=_verify_shoe)
    log = things.add_parser(
        "log", help="check a server's log and ledger", description=_LOG_DESCRIPTION, epilog=_LOG_EXAMPLES
    )
    add_place(log)
    log.add_argument("--file", metavar="FILE", type=Path, help="a database file, such as a backup")
    log.add_argument("--roots", metavar="FILE", type=Path, help="roots stored elsewhere (a copy of roots.txt)")
    log.add_argument("--replay", action="store_true", help="also decide every command again under the rules")
    log.add_argument("--json", action="store_true", help="the faults as one JSON object")
    log.set_defaults(run=_verify_log)


_DESCRIPTION = """Check a shoe against what the house published before the first wager: the seeds, the shuffle repeated
from them, and each dealt card's proof and position after cut and burn. A shoe still in play is checked as far as
possible."""

_EXAMPLES = """Examples:
  pontoon verify shoe table-1.shoe.json
  pontoon verify shoe --json table-1.shoe.json

The same without this program: python3 verify_shoe.py table-1.shoe.json

Exit status: 0 no check failed; 1 a check failed; 2 the file cannot be read."""

_LOG_DESCRIPTION = """Check a server's log: versions without a gap, the hash chain of every table, postings that sum to
zero, balances that follow from them, the roots over all tables, and the rulebook stored with each table. The first
bad entry of each table is named. With --replay every command is decided again under the table's own rules and must
give the recorded events."""

_LOG_EXAMPLES = """Examples:
  pontoon verify log
  pontoon verify log --data /var/lib/pontoon --replay
  pontoon verify log --file monday.db --roots roots.txt
  pontoon verify log --database postgresql://pontoon@localhost/pontoon --json

A server may be running. Exit status: 0 no faults; 1 faults were found; 2 the log cannot be read."""


def _verify_shoe(args: Namespace) -> int:
    try:
        content = sys.stdin.buffer.read() if args.file == "-" else Path(args.file).read_bytes()
        record = read(content)
    except OSError as error:
        return fail(f"{args.file}: {error.strerror}")
    except ShoeFileError as error:
        return fail(f"{args.file}: {error}")
    checks = verify(record)
    failed = [check.name for check in checks if check.ok is False]
    open_yet = [check.name for check in checks if check.ok is None]
    if args.json:
        data = {"shoe": record.shoe, "ok": not failed, "complete": not open_yet, "checks": msgspec.to_builtins(checks)}
        print_json("verify-shoe", data)
    else:
        name = record.shoe if record.shoe.isprintable() else quoted(record.shoe)
        print(f"{name}: {record.packs} packs, {len(record.dealt)} cards dealt")
        for check in checks:
            print(f"  {_MARKS[check.ok]} {check.name}: {check.words}")
        print(_summary(failed, open_yet))
    return FAULT if failed else FAIR


def _summary(failed: list[str], open_yet: list[str]) -> str:
    if failed:
        return f"NOT as published: {', '.join(failed)}"
    if open_yet:
        return f"as published so far; cannot be checked yet: {', '.join(open_yet)}"
    return "as published"


def _verify_log(args: Namespace) -> int:
    from pontoon.store import StoreError, open_store
    from pontoon.store.verify import trial_balance

    began = time.monotonic()
    try:
        store = open_store(args.file or place_of(args), read_only=True)
        try:
            found = _log_faults(args, store)
            heads, balance = store.heads(), trial_balance(store)
        finally:
            store.close()
    except (StoreError, RootsError) as error:
        return fail(str(error))
    entries = sum(head.version for head in heads)
    if args.json:
        data = {"ok": not found, "streams": len(heads), "entries": entries, "trial_balance": sum(balance.values())}
        print_json("verify-log", data | {"accounts": balance, "faults": msgspec.to_builtins(found)})
        return FAULT if found else FAIR
    for fault in found:
        where = f"{fault.stream} entry {fault.version}" if fault.stream else "outside the streams"
        print(f"  {_MARKS[False]} {where}: {fault.words}")
    seconds = time.monotonic() - began
    checked = f"{counted(len(heads), 'stream/streams')}, {counted(entries, 'entry/entries')}"
    print(f"{checked}, trial balance {sum(balance.values())}, in {seconds:.1f} s")
    print(f"NOT as written: {counted(len(found), 'fault/faults')}" if found else "as written")
    return FAULT if found else FAIR


class RootsError(Exception):
    """The roots file cannot be used."""


def _log_faults(args: Namespace, store: AuditableStore) -> list[Fault]:
    from pontoon.store.verify import faults

    found = list(faults(store))
    if args.roots is not None:
        found += _root_faults(args.roots, store)
    if found:
        return found
    if args.replay:
        from pontoon.server.records.replay import replay_faults

        return list(replay_faults(store))
    from pontoon.server.records.pinned import book_faults

    found += book_faults(store)
    return found


def _root_faults(path: Path, store: AuditableStore) -> list[Fault]:
    """Compare roots stored elsewhere with the log."""
    try:
        lines = path.read_text(encoding="ascii").splitlines()
        kept = {int(number): digest for number, _, digest in (line.split() for line in lines if line.strip())}
    except (OSError, ValueError):
        raise RootsError(f"{path}: this is not a roots file (number, time and hash on each line)") from None
    known = {root.number: root.hash for root in store.roots(0, max(kept, default=0))}
    wrong = sorted(number for number, digest in kept.items() if known.get(number) != digest)
    return [Fault("", number, f"root {number} differs from the stored one") for number in wrong]

"""`pontoon tournament run`: a whole tournament with bots, from entries to the last prize, into one folder."""

from __future__ import annotations

import hashlib
import shlex
import sys
import time
from argparse import Namespace
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from pontoon.cli.common.parser import Commands, Parser, add_formats, fail
from pontoon.cli.common.tables import show_data, wants_data
from pontoon.cli.tournament_folder import DATABASE, TRANSCRIPTS, RunError, RunFolder, find_beside
from pontoon.money import dollars
from pontoon.quoting import counted, quoted

if TYPE_CHECKING:
    from pontoon.cli.tournament_report import PageData
    from pontoon.tournament.running import Plan
    from pontoon.tournament.state import Tournament

PAGE, PICTURE = "report.html", "chips.png"
NO_DRAWING = "pontoon: chips.png was not written: it needs matplotlib (pip install 'pontoon21[report]')"
SHOW_EVERY = 0.2
TOP = 10
"""Lines of standings on the terminal."""


def add_run(commands: Commands[Parser]) -> None:
    """Add the command to `pontoon tournament`."""
    command = commands.add_parser(
        "run", help="play a whole tournament with bots", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    command.add_argument("file", metavar="FILE", help="the conditions (TOML)")
    command.add_argument("--bots", metavar="FILE", default=None, help="how the bots play (TOML; default: all the same)")
    command.add_argument("--seed", default="1", help="any text; the same seed gives the same tournament (1)")
    command.add_argument("--out", metavar="FOLDER", required=True, help="output folder")
    command.add_argument("--resume", action="store_true", help="continue the run in the folder")
    add_formats(command, "one JSON object at the end")
    command.set_defaults(run=_run)


_DESCRIPTION = f"""Plays a tournament under rule 20 of canberra with bots: entries, ballots, sessions table by
table, extra rounds for ties, prizes. The folder holds the log with the ledger ({DATABASE}), standings and payout
sheet as CSV and JSON, the transcript of every round, and a report ({PAGE}, {PICTURE}). An interrupted run continues
with --resume and has the same result."""

_EXAMPLES = f"""Examples:
  pontoon tournament run spring.toml --bots bots.toml --seed 7 --out spring
  pontoon tournament run spring.toml --bots bots.toml --seed 7 --out spring --resume
  pontoon verify log --file spring/{DATABASE}
  pontoon settle spring/{TRANSCRIPTS}/session-1/table-001/round-001.prt

Exit status: 0 the tournament is over; 2 it cannot be run; 130 stopped with Ctrl-C."""


def _run(args: Namespace) -> int:
    from pontoon.store import StoreError
    from pontoon.strategy import StrategyError
    from pontoon.tournament.bots import BotsError
    from pontoon.tournament.conditions.load import ConditionsError

    try:
        plan, identity = _plan(args)
        with RunFolder(Path(args.out), plan, identity, resume=args.resume) as folder:
            _play(folder)
            files = _report(args, folder)
            _say(args, folder, files)
    except (RunError, StoreError, StrategyError, BotsError, ConditionsError) as error:
        return fail(str(error))
    except BrokenPipeError:
        raise
    except OSError as error:
        return fail(f"{quoted(str(error.filename or args.out))}: {error.strerror}")
    return 0


def _plan(args: Namespace) -> tuple[Plan, dict[str, str]]:
    """The plan of a run; a continued run must have the same one."""
    import msgspec

    from pontoon.tournament.bots import Field, read_bots
    from pontoon.tournament.conditions.load import digest, read
    from pontoon.tournament.running import Plan

    if not args.seed or not args.seed.isprintable():
        raise RunError("--seed: use printable characters only")
    conditions = read(_text(args.file), args.file, find_beside(args.file))
    field = read_bots(_text(args.bots).encode(), args.bots) if args.bots else Field()
    beside = Path(args.bots).parent if args.bots else Path()
    plan = Plan(conditions, field, args.seed, beside)
    bots = hashlib.sha256(msgspec.json.encode(field, enc_hook=str))
    for name in sorted({bot.plays for bot in field.bots} - {"chart"}):
        bots.update((beside / name).read_bytes())
    return plan, {"conditions": digest(conditions), "bots": bots.hexdigest(), "seed": args.seed}


def _text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise RunError(f"{quoted(file)}: {error.strerror}") from None
    except ValueError:  # not UTF-8, or not a valid file name
        raise RunError(f"{quoted(file)}: this is not a text file") from None


# --- playing -------------------------------------------------------------------------------------------


def _play(folder: RunFolder) -> None:
    from pontoon.tournament.running import run

    bar = _Bar()
    try:
        for step in run(folder.plan, folder.state):
            folder.write(step)
            bar.show(folder)
    finally:
        bar.clear()


class _Bar:
    """Progress on a terminal; nothing if the output is not a terminal."""

    def __init__(self) -> None:
        self.terminal = sys.stderr.isatty()
        self.begun = self.drawn = time.monotonic()
        self.width = 0

    def show(self, folder: RunFolder) -> None:
        now = time.monotonic()
        if not self.terminal or now - self.drawn < SHOW_EVERY:
            return
        self.drawn = now
        line = _where(folder.state) + f", {folder.rounds:,} rounds, {folder.rounds / (now - self.begun):,.0f} a second"
        line = line[: get_terminal_size().columns - 1]
        print(f"\r{line:<{self.width}}", end="", file=sys.stderr, flush=True)
        self.width = len(line)

    def clear(self) -> None:
        if self.width:
            print(f"\r{'':{self.width}}\r", end="", file=sys.stderr, flush=True)


def _where(state: Tournament) -> str:
    from pontoon.tournament.state import entrants

    if not state.session:
        return f"{entrants(state)} entries"
    session, of = state.session, len(state.conditions.sessions)
    ended = sum(table.ended for table in state.tables)
    tables = len(state.tables)
    done = "#" * (12 * ended // max(tables, 1))
    return f"{state.conditions.sessions[session - 1].name} ({session} of {of}) [{done:<12}] table {ended} of {tables}"


# --- results -------------------------------------------------------------------------------------------


def _report(args: Namespace, folder: RunFolder) -> list[str]:
    """Write the missing files from the log; a second call changes nothing."""
    from pontoon.cli import tournament_report as report

    files: dict[str, bytes] = {}
    state = folder.state
    files["standings.csv"] = report.as_csv(report.standing_rows(state))
    files["standings.json"] = report.as_json(report.standing_rows(state))
    files["payouts.csv"] = report.as_csv(report.payout_rows(state))
    files["payouts.json"] = report.as_json(report.payout_rows(state))
    for name, content in files.items():
        if not (folder.path / name).exists():
            folder.replace(name, content)
    wanted = [name for name in (PICTURE, PAGE) if not (folder.path / name).exists()]
    if wanted:
        data = _page_data(args, folder)
        if PICTURE in wanted:
            _draw(folder, data)
        if PAGE in wanted:
            folder.replace(PAGE, report.page(data).encode())
    return sorted(name for name in (*files, PAGE, PICTURE, TRANSCRIPTS) if (folder.path / name).exists())


def _page_data(args: Namespace, folder: RunFolder) -> PageData:
    from pontoon.cli.tournament_report import LEADERS, PageData, course_of
    from pontoon.tournament.events import ChipsCounted

    events = list(folder.events())
    best = folder.state.standings[:LEADERS]
    rounds = sum(isinstance(event, ChipsCounted) for event in events)
    words = ["pontoon", "tournament", "run", args.file, *(["--bots", args.bots] if args.bots else [])]
    return PageData(
        folder.state,
        course_of(folder.plan.conditions, events, best),
        rounds,
        shlex.join([*words, "--seed", args.seed]),
        args.seed,
        folder.store.head(folder.stream).hash,
    )


def _draw(folder: RunFolder, data: PageData) -> None:
    from pontoon.cli.tournament_report import LEGEND, picture
    from pontoon.tournament.state import entrants

    title = f"{folder.plan.conditions.name}: chip counts of {entrants(folder.state)} players"
    try:
        folder.replace(PICTURE, picture(data.course, title, LEGEND))
    except ImportError:
        print(NO_DRAWING, file=sys.stderr)


def _say(args: Namespace, folder: RunFolder, files: list[str]) -> None:
    state = folder.state
    paid = sum(payment.amount for payment in state.payments if payment.number in state.paid)
    from pontoon.tournament.state import entrants

    if wants_data(args):
        from pontoon.cli.tournament_report import payout_rows, standing_rows

        data = {
            "tournament": state.conditions.name,
            "conditions": folder.identity["conditions"],
            "seed": args.seed,
            "phase": state.phase,
            "entries": entrants(state),
            "sessions": len(state.results),
            "paid": dollars(paid),
            "commission": dollars(state.commission),
            "ballot_seed": state.seed,
            "log": folder.store.head(folder.stream).hash,
            "folder": args.out,
            "files": files,
            "standings": standing_rows(state),
            "payouts": payout_rows(state),
        }
        show_data(args, "tournament-run", data, unicode=True)
        return
    entries, sessions = counted(entrants(state), "entry/entries"), counted(len(state.results), "session/sessions")
    print(f"{state.conditions.name}: {entries}, {sessions}")
    if state.phase == "cancelled":
        print("cancelled: it could not be played; all entry fees and commissions were refunded (20.21)")
    if not folder.writes:
        print("it was already over; nothing was changed")
    for payment in sorted(state.payments, key=lambda payment: bool(payment.session))[:TOP]:
        of = f"  {state.conditions.sessions[payment.session - 1].name}" if payment.session else ""
        print(f"  {payment.place:>3}  {payment.player:<24}{dollars(payment.amount):>14}{of}")
    if len(state.payments) > TOP:
        print(f"       and {len(state.payments) - TOP} more")
    print(f"prizes {dollars(paid)}, commission {dollars(state.commission)}, pool {dollars(folder.pool())}")
    print(f"ballot seed {state.seed}")
    print(f"in {args.out}: {', '.join([DATABASE, *files])}")

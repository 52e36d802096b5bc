"""`pontoon play`: play in the terminal, at a local table or on a server."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from argparse import Namespace
from collections.abc import Iterable
from contextlib import ExitStack
from importlib.util import find_spec
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from pontoon.cli.common.parser import Commands, Parser, add_settings, fail, rulebook_name
from pontoon.engine import CallNoMoreBets, Limits, PlaceSideWager, PlaceWager, Refusal, Round, play
from pontoon.money import MoneyError, cents
from pontoon.rulebook import Rulebook, RulebookError, is_path, load
from pontoon.rulebook.library import read_file
from pontoon.view.events import refused

if TYPE_CHECKING:
    from pontoon.server.rooms.settings import Settings
    from pontoon.terminal.console import Console
    from pontoon.terminal.line import Playing
    from pontoon.terminal.model import Model
    from pontoon.terminal.table import Pace, Table

MOST_BOXES = 7
PLAYER = "Player"
PATIENT = 600_000
"""Milliseconds; a local table waits for the player (see terminal/embedded.py)."""
_DESCRIPTION = """Play Pontoon with play chips: bet, decide, and see each wager settled with its clauses. The screen
shows the table, the log and a coach; in a pipe, with --line, or without the extra `tui` you play line by line.
The table is local, with bots if you like, or on a server. Only what the rulebook allows is offered; ? explains the
rest."""

_EXAMPLES = """Examples:
  pontoon play
  pontoon play star --stake 25 --bots 2
  pontoon play canberra --boxes 2 --side pairs_play
  pontoon play adelaide --line --seed 7 --rounds 3 --transcripts rounds
  pontoon play star --line --rounds 1 --transcript round.prt && pontoon settle round.prt
  pontoon play star --line --seed 7 --rounds 5 --mistakes
  pontoon play --server http://localhost:8048 --name Ann
  printf '10\\ns\\nq\\n' | pontoon play federal

On the screen: Enter bets and deals, ? shows all keys. In lines: 10, or 10 +5 with a side wager, Enter for the same
again, q to leave; then h hit, s stand, d double [amount], p split, u surrender, f forfeit, k keep, i insure [amount],
n no, ? help.
--transcript FILE: the first round goes to FILE, the second to FILE with -2 before its ending, and so on. Ctrl-C saves
the unfinished round (to FILE, DIR or pontoon-unfinished.prt; `pontoon settle` says what is still to be decided) and
exits with status 130. Ctrl-D exits at once.
NO_COLOR switches colours off. Exit status: 0 normal; 1 no table; 2 bad usage; 130 Ctrl-C."""


class UsageError(Exception):
    """Options that cannot be combined; the message is one line for the user."""


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser("play", help="play in the terminal", description=_DESCRIPTION, epilog=_EXAMPLES)
    add = command.add_argument
    add("rulebook", metavar="RULEBOOK", nargs="?", type=rulebook_name, help="if omitted, a menu asks")
    add("--packs", "--decks", dest="decks", metavar="N", type=int, help="packs of 48 cards in the shoe")
    add("--boxes", metavar="N", type=int, default=1, help="boxes you play, 1 to 7 (1)")
    add("--bots", metavar="N", type=int, default=0, help="number of bots at the table (0)")
    add("--stake", metavar="BET", default="10", help="what Enter bets the first time (10)")
    add("--wallet", metavar="CHIPS", type=_amount, default="1000", help="play chips at the start (1000)")
    add("--minimum", metavar="STAKE", type=_amount, default="5", help="the table's minimum (5)")
    add("--maximum", metavar="STAKE", type=_amount, default="500", help="the table's maximum, 0 for none (500)")
    add("--side", metavar="BET", help="which side bet +5 is, as in pairs_play (the first the rulebook offers)")
    add("--seed", metavar="N", type=int, help="repeat the same shoes")
    add("--rounds", metavar="N", type=int, default=0, help="stop after this many rounds")
    add("--pace", choices=("instant", "fast", "normal", "slow"), help="dealing speed (normal; instant in line mode)")
    add("--transcript", metavar="FILE", type=Path, help="write the round to FILE, later ones to FILE with a number")
    add("--transcripts", metavar="DIR", type=Path, help="write each round to DIR/round-0001.prt and so on")
    add(
        "--mistakes",
        action=argparse.BooleanOptionalAction,
        help="list your mistakes at the end, with their cost (in a terminal they are listed)",
    )
    add("--line", action="store_true", help="line by line: for pipes, screen readers and scripts")
    add("--script", metavar="FILE", type=Path, help="read input lines from a file")
    add("--unicode", action="store_true", help="in line mode, show cards as 7\u2660 rather than 7s")
    add("--ascii", action="store_true", help="on the screen, show cards as 7s rather than 7\u2660")
    add("--server", metavar="URL", help="play at a table on this server")
    add("--table", metavar="ID", help="which table there; if omitted, a menu asks")
    add("--name", metavar="NAME", default=PLAYER, help=f"your name ({PLAYER})")
    add_settings(command)
    command.set_defaults(run=_play)


def _amount(text: str) -> int:
    try:
        return cents(text)
    except MoneyError:
        raise argparse.ArgumentTypeError(f"{text!r} is not an amount, as in 10 or 7.50") from None


def _play(args: Namespace) -> int:
    try:
        import pontoon.terminal.embedded  # noqa: F401 all a game needs, before anything is shown
        from pontoon.terminal.console import Console
        from pontoon.terminal.table import TableError
    except ImportError as error:
        return _missing("server", error.name)
    if args.server and find_spec("websockets") is None:
        return _missing("server", "websockets")
    _forgive_encoding()
    with ExitStack() as files:
        try:
            _check(args)
            console = Console(_typed(args, files), symbols=_symbols(args))
            if args.rulebook:  # report all errors before anything is displayed
                _settings(args, load(args.rulebook, dict(args.settings)))
            return asyncio.run(_session(args, console)) if _in_lines(args) else _on_screen(args, console)
        except (UsageError, RulebookError) as error:
            return fail(str(error))
        except TableError as error:
            print(f"pontoon: {error}", file=sys.stderr)
            return 1


def _missing(extra: str, module: str | None) -> int:
    return fail(f"this game needs the extra `{extra}` ({module} is missing): pip install 'pontoon21[{extra}]'")


def _in_lines(args: Namespace) -> bool:
    """Whether there is no terminal to draw on, or no library to draw with."""
    plain = args.line or args.script is not None or os.environ.get("TERM") == "dumb"
    streams = (sys.stdin, sys.stdout)
    if plain or any(stream is None or not stream.isatty() for stream in streams):
        return True
    if find_spec("textual") is None:
        needs = "pip install 'pontoon21[tui]'"
        print(f"pontoon: playing line by line; the full screen needs the extra `tui`: {needs}", file=sys.stderr)
        return True
    return False


# --- in lines ------------------------------------------------------------------------------------------


async def _session(args: Namespace, console: Console) -> int:
    from pontoon.terminal.line import LineGame

    seat = await _seat(args, console)
    if seat is None:
        return 0
    table, model, playing = seat
    game = LineGame(table, model, console, playing)
    try:
        await game.run()
        if model.rounds and _lists_mistakes(args):
            for line in await _mistakes(table):
                console.say(line)
    except asyncio.CancelledError:  # Ctrl-C
        await game.interrupted()
        raise
    finally:
        await table.close()
    return 0


async def _seat(args: Namespace, console: Console) -> tuple[Table, Model, Playing] | None:
    """The chosen table; None if the player quits."""
    from pontoon.terminal.line import choose_rulebook

    try:
        if args.server:
            return await _far(args, console)
        name = args.rulebook or await choose_rulebook(console)
    except EOFError:
        console.say()
        name = ""
    return _near(args, load(name, dict(args.settings))) if name else None


def _near(args: Namespace, rules: Rulebook) -> tuple[Table, Model, Playing]:
    """A local table."""
    from pontoon.terminal.embedded import Embedded, Start
    from pontoon.terminal.model import Model

    settings = _settings(args, rules)
    table = Embedded(Start(settings, args.name, args.wallet, args.boxes, args.bots, args.seed, rules))
    return table, Model(args.name, range(1, args.boxes + 1)), _playing(args)


async def _far(args: Namespace, console: Console) -> tuple[Table, Model, Playing] | None:
    """A table on a server: the given one, a new one with the given rulebook, or one from the lobby."""
    from pontoon.client import Client
    from pontoon.terminal.line import choose
    from pontoon.terminal.model import Model
    from pontoon.terminal.remote import Remote

    client = Client(args.server)
    table = args.table or ""
    name = client.sign_in(args.name)
    if not table and not args.rulebook:
        lobby = [table for table in client.tables() if table.mode == "automatic"]
        rows = [
            (listed.id, f"{listed.name or listed.rulebook}, {listed.seated} of {listed.boxes} seats taken")
            for listed in lobby
        ]
        if not rows:
            raise UsageError("there is no table on this server yet; give a RULEBOOK to create one")
        console.say("Which table?")
        table = await choose(console, rows, "table")
        if not table:
            return None
    if not table:
        named, overrides = _named(args.rulebook), dict(args.settings)
        table = client.make_table(**named, overrides=overrides, practice=True)
        console.say(f"Your table is {table}.")
    return Remote(client, table), Model(name, local=False), _playing(args)


def _named(rulebook: str) -> dict[str, object]:
    """The rulebook for a new table on a server: its name, or the text of a local file."""
    return {"book": read_file(Path(rulebook))} if is_path(rulebook) else {"rulebook": rulebook}


# --- on the screen -------------------------------------------------------------------------------------


def _on_screen(args: Namespace, console: Console) -> int:
    from pontoon.terminal.app import TableApp
    from pontoon.terminal.draw import Style

    seat = asyncio.run(_seat(args, console))
    if seat is None:
        return 0
    table, model, playing = seat
    utf = (sys.stdout.encoding or "").lower().startswith("utf")
    app = TableApp(table, model, playing, Style(unicode=utf and not args.ascii), args.pace or "normal")
    status = app.run()
    for line in app.said:
        print(line)
    if app.failed:
        print(f"pontoon: {app.failed}", file=sys.stderr)
    elif model.view is not None:
        from pontoon.view.catalogue.formats import money, net

        rounds = f"{model.rounds} round{'' if model.rounds == 1 else 's'}"
        print(f"Session: {rounds}, {net(model.net)}, wallet {money(model.wallet + model.staked)}. Goodbye.")
        if model.rounds and _lists_mistakes(args):
            print("\n".join(asyncio.run(_mistakes(table))))
    return 1 if status is None else status


async def _mistakes(table: Table) -> list[str]:
    from pontoon.terminal.mistakes import mistake_lines

    if sys.stderr.isatty():
        print("Looking over your rounds…", file=sys.stderr)
    return mistake_lines(await table.mistakes())


def _lists_mistakes(args: Namespace) -> bool:
    """Unless requested, only people get the list: a script may not want to wait seconds for the first calculation."""
    chosen: bool | None = args.mistakes
    return chosen if chosen is not None else args.script is None and sys.stdin is not None and sys.stdin.isatty()


# --- arguments -----------------------------------------------------------------------------------------


def _forgive_encoding() -> None:
    """Replace characters that cannot be read or displayed, so that they do not end the game."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _typed(args: Namespace, files: ExitStack) -> Iterable[str] | None:
    """The source of input lines; None is standard input."""
    script: Path | None = args.script
    if script is not None:
        try:
            return files.enter_context(script.open(encoding="utf-8", errors="replace"))
        except OSError as error:
            raise UsageError(f"{script}: {error.strerror}") from None
    return () if sys.stdin is None else None  # started without standard input


def _symbols(args: Namespace) -> bool:
    if args.unicode and not (sys.stdout.encoding or "").lower().startswith("utf"):
        raise UsageError("--unicode needs a terminal with UTF-8")
    return bool(args.unicode)


def _check(args: Namespace) -> None:
    """Check the options that do not depend on the rulebook."""
    if not 1 <= args.boxes <= MOST_BOXES:
        raise UsageError(f"--boxes {args.boxes}: choose 1 to {MOST_BOXES} boxes")
    if not 0 <= args.bots <= MOST_BOXES - args.boxes:
        raise UsageError(f"--bots {args.bots}: only {MOST_BOXES - args.boxes} boxes are left for bots")
    if args.maximum and args.minimum > args.maximum:
        raise UsageError("--minimum is above --maximum")
    if args.rounds < 0:
        raise UsageError(f"--rounds {args.rounds} is below zero")
    if args.table and not args.server:
        raise UsageError("--table names a table on a server; give --server URL")
    if args.seed is not None and args.server:
        raise UsageError("--seed is for a local table; a server uses its own seeds")
    _folder(args.transcripts)
    if args.transcript is not None and not args.transcript.parent.is_dir():
        raise UsageError(f"{args.transcript}: there is no such folder")


def _settings(args: Namespace, rules: Rulebook) -> Settings:
    """The settings of a local table, checked before the first card; the engine checks the bet."""
    from pontoon.server.rooms.settings import Clocks, Settings
    from pontoon.terminal.table import PACES

    decks = rules.decks.default if args.decks is None else args.decks
    if decks not in rules.decks.allowed:
        allowed = ", ".join(map(str, rules.decks.allowed))
        raise UsageError(f"--packs {decks}: {rules.about.name} is played with {allowed} packs")
    if not args.server:
        _try_bet(args, rules)
    pace: Pace = args.pace or ("instant" if _in_lines(args) else "normal")
    return Settings(
        rulebook=rules.about.name,
        overrides=dict(args.settings),
        packs=decks,
        minimum=args.minimum,
        maximum=args.maximum,
        smallest_chip=0,
        practice=True,
        clocks=Clocks(PACES[pace], PATIENT, PATIENT, PATIENT),
    )


def _playing(args: Namespace) -> Playing:
    from pontoon.terminal.keep import Keep
    from pontoon.terminal.line import Playing

    keep = Keep(args.transcript, args.transcripts)
    return Playing(args.stake, args.side or "", args.rounds, keep)


def _try_bet(args: Namespace, rules: Rulebook) -> None:
    """Have the engine check the default bet, so that it is not refused in every round."""
    from pontoon.terminal.bets import BetError, changes, read_bets

    limits = Limits(args.minimum, args.maximum)
    side = args.side or next((bet.name for bet in rules.side if bet.offered), "perfect_pairs")
    try:
        bets = read_bets(args.stake, range(1, args.boxes + 1), side)
    except BetError as error:
        raise UsageError(f"--stake: {error}") from None
    others = [PlaceWager(args.boxes + bot, f"bot {bot}", max(args.minimum, 1000)) for bot in range(1, args.bots + 1)]
    state = Round(rules, limits)
    for command in (*changes(PLAYER, {}, bets), *others, CallNoMoreBets()):
        played = play(state, command)
        if isinstance(played, Refusal):
            raise UsageError(refused(played))
        state = played.state
    no = play(Round(rules), PlaceSideWager(1, PLAYER, args.side, _side_stake(rules, args.side))) if args.side else None
    if isinstance(no, Refusal):
        raise UsageError(refused(no))


def _side_stake(rules: Rulebook, name: str) -> int:
    """A valid amount for the side bet, if there is one."""
    bet = rules.side_bet(name)
    return (bet.minimum or bet.multiple or 100) if bet else 100


def _folder(folder: Path | None) -> None:
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{folder}: {error.strerror}") from None

"""`pontoon play`: a game in the terminal."""

from __future__ import annotations

import argparse
import secrets
import sys
from argparse import Namespace
from collections.abc import Iterable
from contextlib import ExitStack
from io import TextIOWrapper
from pathlib import Path
from random import Random

from pontoon.cli.parser import Commands, Parser, add_settings, fail, rulebook_name
from pontoon.engine import Limits, PlaceSideWager, Refusal, Round, play
from pontoon.money import MoneyError, cents
from pontoon.rulebook import Rulebook, RulebookError, load
from pontoon.terminal import Console, Game, PracticeShoe, Settings, choose_rulebook
from pontoon.terminal.bets import PLAYER, BetError, read_bets
from pontoon.terminal.round import open_round
from pontoon.view.events import refused

MOST_BOXES = 7
_DESCRIPTION = """Play Pontoon against an automatic dealer with play chips: bet, decide, and see each wager settled
with its clauses. Only what the rulebook allows is offered; ? at any prompt explains the rest."""

_EXAMPLES = """Examples:
  pontoon play
  pontoon play star --stake 25
  pontoon play canberra --boxes 2 --side pairs_play
  pontoon play adelaide --seed 7 --rounds 3 --transcripts rounds
  printf '10\\ns\\nq\\n' | pontoon play federal

At the bet prompt: 10, or 10 +5 with a side wager, Enter for the same again, q to leave.
In a round: h hit, s stand, d double [amount], p split, u surrender, f forfeit, k keep,
i insure [amount], n no, ? help. Ctrl-D leaves at once."""


class UsageError(Exception):
    """Options that do not go together; the message is one line for a person."""


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "play", help="play against an automatic dealer", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add = command.add_argument
    add("rulebook", metavar="RULEBOOK", nargs="?", type=rulebook_name, help="left out, a menu asks")
    add("--decks", metavar="N", type=int, help="packs of 48 cards in the shoe")
    add("--boxes", metavar="N", type=int, default=1, help="boxes you play, 1 to 7 (1)")
    add("--stake", metavar="BET", default="10", help="what Enter bets the first time (10)")
    add("--wallet", metavar="CHIPS", type=_amount, default="1000", help="play chips to begin with (1000)")
    add("--minimum", metavar="STAKE", type=_amount, default="5", help="the table's minimum (5)")
    add("--maximum", metavar="STAKE", type=_amount, default="500", help="the table's maximum, 0 for none (500)")
    add("--side", choices=("perfect_pairs", "pairs_play"), help="which side wager +5 is, where offered")
    add("--seed", metavar="N", type=int, help="repeat the same shoe")
    add("--rounds", metavar="N", type=int, default=0, help="leave after so many rounds")
    add("--transcripts", metavar="DIR", type=Path, help="write each round to DIR/round-0001.prt and so on")
    add("--script", metavar="FILE", type=Path, help="take what you type from a file")
    add("--unicode", action="store_true", help="show cards as 7\u2660 rather than 7s")
    add_settings(command)
    command.set_defaults(run=_play)


def _amount(text: str) -> int:
    try:
        return cents(text)
    except MoneyError:
        raise argparse.ArgumentTypeError(f"{text!r} is not an amount, as in 10 or 7.50") from None


def _play(args: Namespace) -> int:
    _forgive_encoding()
    with ExitStack() as files:
        try:
            console = Console(_typed(args, files), symbols=_symbols(args))
            name = args.rulebook or _menu(console)
            if not name:
                return 0
            settings = _settings(args, load(name, dict(args.settings)))
        except (UsageError, RulebookError) as error:
            return fail(str(error))
        # A practice game: the shuffle that a player can verify comes with the table layer.
        chance = secrets.SystemRandom() if args.seed is None else Random(args.seed)  # noqa: S311 the seed is asked for
        Game(settings, PracticeShoe(settings.decks, settings.boxes, chance), console).run()
    return 0


def _menu(console: Console) -> str:
    try:
        return choose_rulebook(console)
    except (EOFError, KeyboardInterrupt):
        console.say()
        return ""


def _forgive_encoding() -> None:
    """A character that cannot be read or shown is no reason to end a game."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _typed(args: Namespace, files: ExitStack) -> Iterable[str] | None:
    """Where the person's lines come from; None is the keyboard."""
    script: Path | None = args.script
    if script is not None:
        try:
            return files.enter_context(script.open(encoding="utf-8", errors="replace"))
        except OSError as error:
            raise UsageError(f"{script}: {error.strerror}") from None
    if sys.stdin is None:  # started without any input at all
        return ()
    return None if sys.stdin.isatty() else sys.stdin


def _symbols(args: Namespace) -> bool:
    if args.unicode and not (sys.stdout.encoding or "").lower().startswith("utf"):
        raise UsageError("--unicode needs a terminal with UTF-8")
    return bool(args.unicode)


def _settings(args: Namespace, rules: Rulebook) -> Settings:
    """Everything checked before the first card, the bet by the engine itself."""
    decks = rules.decks.default if args.decks is None else args.decks
    if decks not in rules.decks.allowed:
        allowed = ", ".join(map(str, rules.decks.allowed))
        raise UsageError(f"--decks {decks}: {rules.about.name} is played with {allowed} packs")
    if not 1 <= args.boxes <= MOST_BOXES:
        raise UsageError(f"--boxes {args.boxes}: a person plays 1 to {MOST_BOXES} boxes")
    if args.maximum and args.minimum > args.maximum:
        raise UsageError("--minimum is above --maximum")
    if args.rounds < 0:
        raise UsageError(f"--rounds {args.rounds} is below nothing")
    settings = Settings(
        rules=rules,
        decks=decks,
        boxes=args.boxes,
        stake=args.stake,
        chips=args.wallet,
        limits=Limits(args.minimum, args.maximum),
        side=args.side or "perfect_pairs",
        rounds=args.rounds,
        transcripts=_folder(args.transcripts),
    )
    _try_bet(settings)
    if args.side:
        _refuse_side(settings)
    return settings


def _try_bet(settings: Settings) -> None:
    """Let the engine look at the first bet, so that it does not refuse what the options ask for at every round."""
    try:
        bets = read_bets(settings.stake, settings.boxes, settings.side)
    except BetError as error:
        raise UsageError(f"--stake: {error}") from None
    no = open_round(settings.rules, settings.limits, bets)
    if isinstance(no, Refusal):
        raise UsageError(refused(no))


def _refuse_side(settings: Settings) -> None:
    no = play(Round(settings.rules), PlaceSideWager(1, PLAYER, settings.side, 100))
    if isinstance(no, Refusal):
        raise UsageError(refused(no))


def _folder(folder: Path | None) -> Path | None:
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{folder}: {error.strerror}") from None
    return folder

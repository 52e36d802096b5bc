"""`pontoon deal`: an automatic table with bots that writes a transcript of every round."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from argparse import Namespace
from pathlib import Path
from random import Random

from pontoon.cards import Card
from pontoon.cli.common.parser import Commands, Parser, add_packs, add_rulebook, add_settings, fail
from pontoon.cli.common.tables import print_json
from pontoon.engine import Command, Event, Limits, PlaceWager, Refusal, Round, play
from pontoon.engine.state import find_box
from pontoon.ledger import balances, wallet
from pontoon.money import Cents, MoneyError, cents, dollars
from pontoon.quoting import counted
from pontoon.rulebook import RulebookError, digest, load
from pontoon.table import fairness
from pontoon.table.automatic import AutomaticTable
from pontoon.table.bots import BOTS, trouble
from pontoon.table.events import InRound
from pontoon.table.state import Table
from pontoon.transcript import write
from pontoon.view.command_words import command_words
from pontoon.view.settlement import headline

MOST_ROUNDS = 1_000_000
MOST_BOXES = 7
PATIENCE = 2.0
"""Seconds before progress is shown."""
TRANSCRIPT = "round-{:04d}.prt"
ANSWERS = "answers.json"
"""The answer key of --errors, beside the transcripts."""
TROUBLE = 0.08
"""The probability of an irregularity between decisions, with --errors."""


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "deal", help="deal rounds with bots and write their transcripts", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_rulebook(command)
    command.add_argument("--rounds", type=int, default=10, help="number of rounds (default 10)")
    command.add_argument("--boxes", type=int, default=3, help="number of boxes, 1 to 7 (default 3)")
    add_packs(command, None)
    command.add_argument("--device", default="manual", help="manual, batch, continuous or shuffling_shoe")
    command.add_argument("--bots", default="chart,random,absent", help="kinds of bots, in order: chart, random, absent")
    command.add_argument("--stake", default="10", help="each bot's stake (default 10)")
    command.add_argument("--seed", default="0", help="any text; the same seed deals the same rounds (default 0)")
    command.add_argument(
        "--out", metavar="DIR", default=None, help="folder for round-0001.prt and so on, and the shoes"
    )
    command.add_argument(
        "--errors", action="store_true", help="add irregularities that the document covers; with --out an answer key"
    )
    command.add_argument("--json", action="store_true", help="one JSON object at the end")
    add_settings(command)
    command.set_defaults(run=_run)


_DESCRIPTION = """An automatic table deals rounds to bots under a rulebook: opening, shuffle, cut, rounds, collecting.
Every round is written as a transcript that `pontoon settle` settles to the same result, for demonstrations and
tests."""

_EXAMPLES = """Examples:
  pontoon deal canberra --rounds 20 --boxes 7 --seed tuesday --out rounds
  pontoon deal adelaide --rounds 100 --errors --bots random --out rounds
  pontoon deal star --device continuous --rounds 1000 --json"""


def _run(args: Namespace) -> int:
    try:
        rules = load(args.rulebook, dict(args.settings))
    except RulebookError as error:
        return fail(str(error))
    try:
        stake = cents(args.stake)
    except MoneyError as error:
        return fail(f"--stake {error}")
    packs = rules.decks.default if args.decks is None else args.decks
    wrong = _wrong(args, stake) or _wrong_table(rules.decks.allowed, packs, rules.shoe.devices, args.device)
    if wrong:
        return fail(wrong)
    try:
        if args.out:
            Path(args.out).mkdir(parents=True, exist_ok=True)
            if any(Path(args.out).glob("round-*.prt")):
                return fail(f"{args.out}: this folder already contains rounds; choose another")
    except OSError as error:
        return fail(f"{args.out}: {error.strerror}")
    table = Table(rules, packs=packs, limits=Limits(minimum=min(stake, 500)), device=args.device, boxes_each=0)
    return _Session(args, stake, table).run()


def _wrong(args: Namespace, stake: Cents) -> str:
    kinds = args.bots.split(",")
    rows = (
        (not 1 <= args.rounds <= MOST_ROUNDS, f"--rounds {args.rounds}: choose a number from 1 to {MOST_ROUNDS}"),
        (not 1 <= args.boxes <= MOST_BOXES, f"--boxes {args.boxes}: choose a number from 1 to {MOST_BOXES}"),
        (not stake or stake % 2 == 1, f"--stake {args.stake}: choose an even number of cents above zero"),
        (not args.seed.isprintable(), "--seed: use printable characters only"),
        (not set(kinds) <= set(BOTS), f"--bots {args.bots}: choose from {', '.join(BOTS)}, separated by commas"),
    )
    return next((words for bad, words in rows if bad), "")


def _wrong_table(allowed: tuple[int, ...], packs: int, devices: tuple[str, ...], device: str) -> str:
    if packs not in allowed:
        return f"--packs {packs}: this document allows {', '.join(map(str, allowed))}"
    if device not in devices:
        return f"--device {device}: this document allows {', '.join(devices)}"
    return ""


class _Session:
    """One table from its opening to the last round, with totals."""

    def __init__(self, args: Namespace, stake: int, table: Table) -> None:
        self.args = args
        self.stake = stake
        self.chance = Random(args.seed)  # noqa: S311 bots may be predictable; the shuffle is not made of this
        kinds = args.bots.split(",")
        self.bots = {box: BOTS[kinds[(box - 1) % len(kinds)]] for box in range(1, args.boxes + 1)}
        self.table = AutomaticTable(table, self._key)
        self.nets: dict[str, int] = {f"Player{box}": 0 for box in self.bots}
        self.troubles = 0
        self.answers: list[dict[str, object]] = []

    def _key(self, number: int) -> bytes:
        """The key of a shuffle, from the command line's seed: repeatable, so for play chips only."""
        return hashlib.sha256(f"pontoon deal {self.args.seed} {number}".encode()).digest()

    def run(self) -> int:
        rules = self.table.table.rules
        self.table.open((f"Player{box}", box) for box in self.bots)
        try:
            self._rounds()
        finally:  # also after Ctrl-C, so that the rounds written can be checked against their shoes
            self._write_shoes()
        summary = {
            "rulebook": rules.about.name,
            "digest": digest(rules),
            "overrides": {override.key: override.value for override in rules.overrides},
            "rounds": self.args.rounds,
            "shoes": self.table.table.shoe_number,
            "irregularities": self.troubles,
            "players": {player: dollars(net) for player, net in self.nets.items()},
            "house": dollars(-sum(self.nets.values())),
            "out": self.args.out,
        }
        self._say(summary)
        return 0

    def _rounds(self) -> None:
        began = shown = time.monotonic()
        for number in range(1, self.args.rounds + 1):
            self._round(number)
            if time.monotonic() - max(began + PATIENCE - 1, shown) > 1 and sys.stderr.isatty():
                shown = time.monotonic()
                print(f"\r{number} of {self.args.rounds} rounds", end="", file=sys.stderr, flush=True)
        if shown != began:
            print("\r" + " " * 40 + "\r", end="", file=sys.stderr)

    def _write_shoes(self) -> None:
        """Write the shoe files for `pontoon verify shoe`: finished ones revealed, the current one so far."""
        if not self.args.out:
            return
        shoes = [*self.table.records, *([self.table.record] if self.table.record else [])]
        for number, record in enumerate(shoes, 1):
            Path(self.args.out, f"shoe-{number:04d}.shoe.json").write_bytes(fairness.write(record))

    def _round(self, number: int) -> None:
        before = len(self.table.events)
        wagers: list[Command] = [PlaceWager(box, f"Player{box}", self.stake) for box in self.bots]
        limits = self.table.table.limits
        state = self.table.play_round(wagers, self._answer)
        assert state is not None
        inner = [event.event for event in self.table.events[before:] if isinstance(event, InRound)]
        totals = balances(inner)
        for player in self.nets:
            self.nets[player] += totals[wallet(player)]
        if self.args.out:
            self._write(number, inner, limits)

    def _write(self, number: int, events: list[Event], limits: Limits) -> None:
        rules, packs = self.table.table.rules, self.table.table.packs
        title = f"{rules.about.name}, round {number}, seed {self.args.seed}"
        text = write(rules, events, decks=packs, limits=limits, title=title)
        Path(self.args.out, TRANSCRIPT.format(number)).write_text(text, encoding="utf-8")

    def _answer(self, state: Round) -> Command | None:
        shoe = self.table.table.shoe
        if self.args.errors and state.phase == "decision" and shoe.stack and self.chance.random() < TROUBLE:
            command = trouble(state, Card(shoe.stack[0]), self.chance)
            if command is not None:
                self.troubles += 1
                self._note(state, command)
                return command
        box = find_box(state, state.turn[0])
        bot = self.bots[box.number] if box else BOTS["random"]
        return bot(state, self.chance)

    def _note(self, state: Round, command: Command) -> None:
        """One entry of the answer key: the file, the moment in it, the error, and the clauses that answer it."""
        played = play(state, command)
        assert not isinstance(played, Refusal)
        number, (box, hand) = self.table.table.number, state.turn
        self.answers.append(
            {
                "round": number,
                "file": TRANSCRIPT.format(number),
                "cards_out": state.cards_used,
                "turn": {"box": box, "hand": hand},
                "error": type(command).__name__,
                "words": command_words(command),
                "clauses": getattr(played.events[0], "clauses", ()),
            }
        )

    def _say(self, summary: dict[str, object]) -> None:
        if self.args.errors and self.args.out:
            Path(self.args.out, ANSWERS).write_text(json.dumps(self.answers, indent=1) + "\n", encoding="utf-8")
        if self.args.json:
            print_json("deal", summary)
            return
        print(headline(self.table.table.rules, self.table.table.packs))
        rounds, shoes = counted(self.args.rounds, "round/rounds"), counted(self.table.table.shoe_number, "shoe/shoes")
        print(f"{rounds} of {summary['rulebook']} from {shoes}")
        if self.args.errors:
            where = f", listed in {ANSWERS}" if self.args.out else ""
            print(f"{self.troubles} irregularities added{where}")
        for player, net in self.nets.items():
            print(f"  {player:<9}{dollars(net):>12}")
        print(f"  {'house':<9}{summary['house']:>12}")
        if self.args.out:
            provable = self.table.record is not None or self.table.records
            print(f"transcripts{' and shoes' if provable else ''} in {self.args.out}")

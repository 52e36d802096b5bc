"""A session: round after round with play chips, until the person leaves."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pontoon.engine import Limits, Refusal, Round, SideKind
from pontoon.money import dollars
from pontoon.rulebook import NAMES, Rulebook, load
from pontoon.terminal.actions import HELP, QUIT
from pontoon.terminal.bets import BetError, Bets, bets_words, read_bets
from pontoon.terminal.console import Console
from pontoon.terminal.round import RoundAtTerminal, open_round
from pontoon.terminal.shoe import Shoe, ShoeEmptyError
from pontoon.transcript import write
from pontoon.view.events import cited, narrated, refused
from pontoon.view.words import KINDS, money_words

SMALLEST_STAKE = 2
"""Cents; a stake must be even, so that it can be halved."""


class Settings(Struct, frozen=True):
    """How this session is played."""

    rules: Rulebook
    decks: int
    boxes: int = 1
    stake: str = "10"
    """What Enter bets the first time, written as a bet is typed."""
    chips: int = 100_000
    limits: Limits = Limits()
    side: SideKind = "perfect_pairs"
    rounds: int = 0
    """How many rounds to play; 0 is as long as the person likes."""
    transcripts: Path | None = None


def choose_rulebook(console: Console) -> str:
    """Ask which rulebook to play; empty when the person leaves instead."""
    console.say("Which rulebook?")
    for number, name in enumerate(NAMES, 1):
        about = load(name).about
        console.say(f"  {number}  {name.ljust(11)}  {about.title}; {about.place}")
    names = {str(number): name for number, name in enumerate(NAMES, 1)} | {name: name for name in NAMES}
    while True:
        text = console.ask("Number or name, q leaves:").lower()
        if text in QUIT:
            return ""
        if text in names:
            return names[text]
        console.say(f"There is no rulebook {text!r}; type a number from 1 to {len(NAMES)} or a name.")


class Game:
    """A person with a wallet at a table; everything random is in the shoe."""

    def __init__(self, settings: Settings, shoe: Shoe, console: Console) -> None:
        self.settings = settings
        self.chips = settings.chips
        self.rounds = 0
        self._shoe = shoe
        self._console = console
        self._last = read_bets(settings.stake, settings.boxes, settings.side)
        self._playing = False

    def run(self) -> None:
        """Play until the person, the wallet or the number of rounds says stop."""
        try:
            self._welcome()
            while self._goes_on() and self._round():
                pass
        except (EOFError, KeyboardInterrupt):
            self._console.say()
            if self._playing:
                self._console.say("This round was not finished and does not count: its wagers go back.")
        self._goodbye()

    def _welcome(self) -> None:
        settings, say = self.settings, self._console.say
        about = settings.rules.about
        say(f"Pontoon by the rulebook {about.name}: {about.title}; {about.place}")
        say("Play chips only: they cannot be bought, and nothing can be won or lost but the game.")
        say(f"{settings.decks} packs of 48 cards, {_limits_words(settings.limits)}. Type ? at any prompt for help.")
        for one in settings.rules.overrides:
            say(f"Changed rule: {one.key} is {one.value}, was {one.was}")

    def _goes_on(self) -> bool:
        if self.settings.rounds and self.rounds >= self.settings.rounds:
            return False
        if self.chips < SMALLEST_STAKE:
            self._console.say("The wallet is empty.")
            return False
        return True

    def _goodbye(self) -> None:
        won = money_words(self.chips - self.settings.chips)
        rounds = f"{self.rounds} round{'' if self.rounds == 1 else 's'}"
        self._console.say(f"Session: {rounds}, {won}, wallet {dollars(self.chips)}. Goodbye.")

    def _round(self) -> bool:
        """One round from the bet to the settlement; False when the person leaves instead of betting."""
        self._console.say()
        started = self._bet()
        if started is None:
            return False
        self._playing = True
        try:
            started.play(self._shoe)
        except ShoeEmptyError:
            self._console.say("The shoe is empty: the round is void and its wagers go back.")
        else:
            self._settle(started)
        self._playing = False
        if self._shoe.cut_reached():
            self._shoe.shuffle()
            self._console.say("The cutting card is out: the shoe is shuffled.")
        return True

    def _settle(self, ended: RoundAtTerminal) -> None:
        net = ended.in_wallet - self.chips
        self.chips = ended.in_wallet
        self.rounds += 1
        self._console.say(f"Round {self.rounds}: {money_words(net)}, wallet {dollars(self.chips)}")
        if self.settings.transcripts is not None:
            self._write(ended, self.settings.transcripts)

    def _write(self, ended: RoundAtTerminal, folder: Path) -> None:
        """A transcript holds one round, so each has a file; those of earlier sessions stay."""
        settings = self.settings
        numbers = [int(file.stem[6:]) for file in folder.glob("round-*.prt") if file.stem[6:].isdecimal()]
        name = f"round-{max(numbers, default=0) + 1:04d}.prt"
        text = write(settings.rules, ended.events, decks=settings.decks, limits=settings.limits)
        try:
            (folder / name).write_text(text, "utf-8")
        except OSError as error:
            self._console.say(f"{name} could not be written: {error.strerror}")

    def _bet(self) -> RoundAtTerminal | None:
        """Ask until a bet stands; None when the person leaves."""
        while True:
            last = bets_words(self._last, self.settings.boxes)
            text = self._console.ask(f"Wallet {dollars(self.chips)}. Bet (Enter for {last}, q leaves):")
            if text.lower() in QUIT:
                return None
            if text.lower() in HELP:
                self._help()
                continue
            started = self._place(text)
            if started is not None:
                return started

    def _place(self, text: str) -> RoundAtTerminal | None:
        settings = self.settings
        try:
            bets = read_bets(text, settings.boxes, settings.side) if text else self._last
        except BetError as error:
            self._console.say(f"{error}.")
            return None
        no = self._side_needs_packs(bets)
        if no:
            self._console.say(no)
            return None
        opened = open_round(settings.rules, settings.limits, bets)
        if isinstance(opened, Refusal):
            self._console.say(refused(opened))
            return None
        started = RoundAtTerminal(opened, self.chips, self._console)
        if started.in_wallet < 0:
            total = dollars(self.chips - started.in_wallet)
            self._console.say(f"Not enough chips: this bet is {total}, the wallet has {dollars(self.chips)}")
            return None
        for line in narrated(Round(settings.rules, settings.limits), opened.events):
            self._console.say(line)
        self._last = bets
        return started

    def _side_needs_packs(self, bets: Bets) -> str:
        """Perfect Pairs may ask for more packs than the game without it; the engine does not know the shoe."""
        rules, decks = self.settings.rules, self.settings.decks
        side = {kind for bet in bets for kind, _ in bet.side}
        if "perfect_pairs" not in side or not rules.side.perfect_pairs or decks in rules.decks.with_perfect_pairs:
            return ""
        packs = ", ".join(map(str, rules.decks.with_perfect_pairs))
        words = f"Not allowed: Perfect Pairs is played with {packs} packs, not with {decks}"
        return cited(words, rules.clauses("decks.with_perfect_pairs"))

    def _help(self) -> None:
        settings, say = self.settings, self._console.say
        say("  Type a stake, as in 10 or 7.50. Enter alone bets the same as last time.")
        if settings.boxes > 1:
            say(f"  It goes on each of your boxes 1 to {settings.boxes}; 1:10 2:20 names the boxes.")
        if getattr(settings.rules.side, settings.side):
            say(f"  10 +5 adds {KINDS[settings.side]} of 5.00 on the first two cards of the box.")
        say("  q leaves the table.")


def _limits_words(limits: Limits) -> str:
    most = f" to {dollars(limits.maximum)}" if limits.maximum else " and up"
    return f"wagers {dollars(limits.minimum)}{most}"

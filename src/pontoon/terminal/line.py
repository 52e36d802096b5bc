"""The game in lines: one event per line with its clauses, and a prompt when the player must answer.

For pipes, scripts, screen readers, and players who prefer plain text.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pontoon.client import Problem
from pontoon.engine import Insure, PlaceWager, SideKind, Surrender
from pontoon.engine.commands import TakeBack
from pontoon.money import dollars
from pontoon.rulebook import NAMES, load
from pontoon.server.rooms.commands import Asked, Pass
from pontoon.table.commands import Sit
from pontoon.terminal.actions import ACTIONS, HELP, QUIT, Action, TypedError, label, offered, read_action, rows_with
from pontoon.terminal.bets import MOST_BOXES, BetError, Bets, bets_words, changes, placed, read_bets, side_bet, total
from pontoon.terminal.console import Console
from pontoon.terminal.keep import Keep
from pontoon.terminal.model import Model, Said, limits_words, side_words
from pontoon.terminal.table import Table
from pontoon.view.catalogue.formats import money
from pontoon.view.catalogue.formats import net as net_words
from pontoon.view.events import cited
from pontoon.view.words import kind_words

QUIET = frozenset(
    {
        "RoundBegan", "NoMoreBetsCalled", "TurnCame", "CardCalled", "OfferClosed", "DealersTurnCame", "RoundEnded",
        "Announced", "CardsCollected", "Passed", "RoundKept", "PaceSet", "SurrenderDeclined", "PlayerSat",
    }
)  # fmt: skip
"""Events already covered by neighbouring lines."""
SMALLEST_STAKE = 2
"""Cents; a stake must be even, so that it can be halved."""


class Playing(Struct, frozen=True):
    """The options of a session."""

    stake: str = "10"
    """The bet for Enter the first time, as typed."""
    side: SideKind = ""
    """Which side bet `+5` is; empty for the first the table offers."""
    rounds: int = 0
    """How many rounds to play; 0 for no limit."""
    keep: Keep = Keep()


async def choose_rulebook(console: Console) -> str:
    """Ask which rulebook to play; empty when the person leaves instead."""
    console.say("Which rulebook?")
    rows = [(name, f"{load(name).about.title}; {load(name).about.place}") for name in NAMES]
    return await choose(console, rows, "rulebook")


async def choose(console: Console, rows: Sequence[tuple[str, str]], what: str) -> str:
    """Ask for one of several by number or name; empty when the person leaves instead."""
    for number, (name, about) in enumerate(rows, 1):
        console.say(f"  {number}  {name.ljust(11)}  {about}")
    names = {str(number): name for number, (name, _) in enumerate(rows, 1)} | {name: name for name, _ in rows}
    while True:
        text = (await console.ask("Number or name, q leaves:")).lower()
        if text in QUIT:
            return ""
        if text in names:
            return names[text]
        console.say(f"There is no {what} {text!r}; type a number from 1 to {len(rows)} or a name.")


def told(said: Said) -> str:
    """The line of an event; empty if other lines already say it.

    The first card of a hand is reported together with the second. Cards are too frequent to show a clause each time.
    """
    if said.kind in QUIET or not said.words:
        return ""
    if said.kind == "CardDealt":
        return said.words if not said.facts["box"] or " = " in said.words else ""
    if said.kind == "WagerPlaced" and not said.facts.get("warning"):
        return ""
    return said.text


class LineGame:
    """A person at a table, in lines."""

    def __init__(self, table: Table, model: Model, console: Console, playing: Playing) -> None:
        self.table, self.model, self.playing = table, model, playing
        self._console = console
        self._last: Bets = {}
        self._declined: set[int] = set()
        """Boxes that declined the open offer."""
        self._kept: Said | None = None
        self._before = 0
        """The wallet before the round in progress."""

    # --- a session ---

    async def run(self) -> None:
        """Play until the person, the wallet or the number of rounds says stop."""
        await self.table.start()
        await self._take()
        self._before = self.model.wallet
        await self._welcome()
        try:
            await self._sit()
            while await self._turn():
                pass
        except EOFError:
            self._console.say()
            if self.model.in_round:
                self._console.say("This round was not finished and does not count.")
        self._goodbye()

    async def interrupted(self) -> None:
        """On Ctrl-C, write the round so far to a file."""
        self._console.say()
        for line in await save_round(self.table, self.model, self.playing.keep):
            self._console.say(line)
        self._goodbye()

    async def _sit(self) -> None:
        if not self.model.seat and self.model.free:
            await self._do(Sit("", self.model.free[0]))

    async def _turn(self) -> bool:
        """Ask one question and handle the answer; False when the session is over."""
        await self._follow()
        if self.model.betting:
            if not self._goes_on():
                return False
            return await self._bet()
        if self.model.asked == "cut":
            await self._do(Pass())  # in lines the dealer cuts: a prompt at every shuffle would be in the way
        elif self.model.asked == "offer" and self._offer_state() in ("insurance", "surrender"):
            await self._offer()
        else:
            await self._ask(self._turn_box())
        return True

    async def _welcome(self) -> None:
        view, say = self.model.view, self._console.say
        assert view is not None
        rules = await self.table.rules()
        about = f": {rules.title}; {rules.place}" if rules is not None else ""
        say(f"Pontoon by the rulebook {view.rulebook}{about}")
        say("Play chips only: they cannot be bought, and nothing can be won or lost but the game.")
        say(f"{view.packs} packs of 48 cards, wagers {limits_words(view)}. Type ? at any prompt for help.")
        if view.cloth.side:
            say(f"Side bets: {side_words(view)}.")
        for notice in view.notices:
            say(notice)
        for override in rules.overrides if rules is not None else ():
            say(f"Changed rule: {override.key} is {override.value}, was {override.was}")

    def _goes_on(self) -> bool:
        if self.playing.rounds and self.model.rounds >= self.playing.rounds:
            return False
        if self.model.wallet < SMALLEST_STAKE and not self._lie():
            self._console.say("The wallet is empty.")
            return False
        return True

    def _goodbye(self) -> None:
        model = self.model
        rounds = f"{model.rounds} round{'' if model.rounds == 1 else 's'}"
        self._console.say(f"Session: {rounds}, {net_words(model.net)}, wallet {money(self._before)}. Goodbye.")

    # --- following the table ---

    async def _follow(self) -> None:
        """Print incoming events until the player must answer."""
        while self.table.waiting() or (not self.model.asked and self.model.stuck is None):
            await self._take()
        if self._kept is not None:
            await self._round_over(self._kept)

    async def _take(self) -> None:
        for said in self.model.take(await self.table.next()):
            if said.kind == "RoundKept" and any(player == self.model.me for player, _, _ in said.facts["players"]):
                self._kept = said
            line = told(said)
            if line:
                self._console.say(line)
        while self.model.view is None:
            self.model.take(await self.table.next())

    async def _round_over(self, kept: Said) -> None:
        self._kept, self._before = None, self.model.wallet
        net = next(net for player, _, net in kept.facts["players"] if player == self.model.me)
        number = kept.facts["number"]
        self._console.say(f"Round {self.model.rounds}: {net_words(net)}, wallet {money(self.model.wallet)}")
        if self.playing.keep.places(1):
            text = await self.table.transcript(number)
            said = [text.words] if isinstance(text, Problem) else self.playing.keep.write(text, self.model.rounds)
            for line in said:
                self._console.say(line)

    async def _do(self, command: Asked) -> Problem | None:
        """Give a command and print its events; a refusal is printed and changes nothing."""
        answer = await self.table.do(command, self.model.version)
        if isinstance(answer, Problem):
            return answer
        while self.model.version < answer:
            await self._take()
        return None

    # --- the bet ---

    def _lie(self) -> Bets:
        return placed(self.model.view, self.model.me) if self.model.view is not None else {}

    async def _bet(self) -> bool:
        """Ask for a bet once; False when the person leaves."""
        model = self.model
        if not self._last:
            self._last = read_bets(
                self.playing.stake, model.boxes, side_bet(self.playing.side, model.view), self._known()
            )
        if model.stuck is None:
            self._console.say()
        last = bets_words(self._last, model.boxes)
        text = await self._console.ask(f"Wallet {money(model.wallet)}. Bet (Enter for {last}, q leaves):")
        if text.lower() in QUIT:
            return False
        if text.lower() in HELP:
            self._bet_help()
            return True
        try:
            bets = (
                read_bets(text, model.boxes, side_bet(self.playing.side, model.view), self._known())
                if text
                else self._last
            )
        except BetError as error:
            self._console.say(f"{error}.")
            return True
        await self._place(bets)
        return True

    def _known(self) -> Sequence[int]:
        return self.model.boxes if self.model.local else range(1, MOST_BOXES + 1)

    async def _place(self, bets: Bets) -> None:
        """The whole bet or nothing."""
        model = self.model
        model.stuck = None
        done: list[int] = []
        chips = f"this bet is {money(total(bets))}, the wallet has {money(model.wallet)}"
        for command in changes(model.me, self._lie(), bets):
            no = await self._do(command)
            if no is not None:
                for box in done:
                    await self._do(TakeBack(box, model.me))
                self._say_no(no, chips)
                return
            done += [command.box] if isinstance(command, PlaceWager) else []
        self._last = bets
        if model.asked == "wagers":
            await self._do(Pass())

    def _say_no(self, no: Problem, chips: str) -> None:
        words = f"Not enough chips: {chips}" if no.code == "not_enough_chips" else f"Not allowed: {no.words}"
        self._console.say(cited(words, no.clauses))

    def _bet_help(self) -> None:
        model, say = self.model, self._console.say
        assert model.view is not None
        say("  Type a stake, as in 10 or 7.50. Enter alone bets the same as last time.")
        if len(model.boxes) > 1:
            say(f"  It goes on each of your boxes 1 to {len(model.boxes)}; 1:10 2:20 names the boxes.")
        side = side_bet(self.playing.side, model.view)
        if side in model.view.side_wagers:
            say(f"  10 +5 adds {kind_words(None, side)} of 5.00 on the first two cards of the box.")
        say("  q leaves the table.")

    # --- in the round ---

    def _offer_state(self) -> str:
        return self.model.view.round.offer if self.model.view is not None and self.model.view.round is not None else ""

    def _turn_box(self) -> int:
        now = self.model.in_turn()
        return now[0].number if now is not None else 0

    async def _offer(self) -> None:
        """Ask the next box that may take the offer; when all have answered the dealer continues."""
        for row in rows_with(self.model, Insure, Surrender):
            if row.box not in self._declined:
                await self._ask(row.box)
                return
        self._declined.clear()
        await self._do(Pass())

    async def _ask(self, box: int) -> None:
        """Ask once; a refusal is printed and changes nothing."""
        text = await self._console.ask(self._prompt(box))
        if text.lower() in HELP:
            self._help(box)
            return
        if text.lower() in QUIT:
            self._console.say("The round is on: play it out, then q leaves the table. Ctrl-D leaves at once.")
            return
        try:
            action, amount = read_action(text)
        except TypedError as error:
            self._console.say(f"{error}.")
            return
        await self._act(action, box, amount)

    async def _act(self, action: Action, box: int, amount: int) -> None:
        if action.kind is Pass and self._offer_state() in ("insurance", "surrender"):
            self._declined.add(box)  # the dealer continues when every box has answered
            return
        now = offered(self.model, action, box, amount)
        if now.command is None:
            self._console.say(cited(f"Not allowed: {now.words}", now.clauses))
            return
        no = await self._do(now.command)
        if no is not None:
            chips = f"the wallet has {money(self.model.wallet)}"
            if action.takes_amount and self.model.wallet:
                chips += f"; a smaller amount may be possible, as in {action.letter} {dollars(self.model.wallet)}"
            self._say_no(no, chips)
            return
        if self._offer_state() not in ("insurance", "surrender"):
            self._declined.clear()

    def _prompt(self, box: int) -> str:
        """What may be done, as in "> [h]it [s]tand ?"; with several hands on the table the one in question first."""
        state = self.model.view.round if self.model.view is not None else None
        assert state is not None
        several = len(state.boxes) > 1 or len(state.boxes[0].hands) > 1
        place = (self.model.place() or f"box {box}") if several and self.model.asked != "offer" else f"box {box}"
        if several and self._offer_state() == "forfeit":
            place = self.model.place()
        labels = []
        for action in ACTIONS:
            now = offered(self.model, action, box)
            keeps = action.kind is Pass and self._offer_state() == "forfeit"  # better called keep, though understood
            if now.allowed and now.command is not None and now.box in (0, box) and not keeps:
                labels.append(label(self.model, action, now.command))
        return " ".join([f"{place if several else ''}>", *labels, "?"])

    def _help(self, box: int) -> None:
        """Each action: what it does if it may be done now, otherwise why not."""
        state = self.model.view.round if self.model.view is not None else None
        assert state is not None
        if state.dealer is not None:
            self._console.say(f"  Dealer: {' '.join(state.dealer.cards)}")
        now = self.model.in_turn()
        seat = next((place for place in state.boxes if place.number == box), None)
        hand = now[1] if now is not None and now[0].number == box else seat.hands[0] if seat and seat.hands else None
        if hand is not None:
            self._console.say(f"  Box {box}: {' '.join(hand.cards)} = {hand.words}")
        for action in ACTIONS:
            is_now = offered(self.model, action, box)
            words = action.meaning if is_now.allowed else cited(f"not now: {is_now.words}", is_now.clauses)
            if is_now.allowed or (not action.only_answers and is_now.refused):
                self._console.say(f"  {action.letter} {action.word.ljust(9)}  {words}")
        self._console.say("  Letters and words both work; where the rules allow less, an amount may follow d and i.")


async def save_round(table: Table, model: Model, keep: Keep) -> list[str]:
    """Write the round in progress, if any, to a file; returns a message about it."""
    if not model.in_round or model.view is None:
        return []
    text = await table.transcript(model.view.number)
    if isinstance(text, Problem):
        return [f"The round could not be saved: {text.words}"]
    return keep.write(text, model.rounds + 1, finished=False)

"""One round at the terminal: the dealer acts by himself, the person is asked what the engine allows."""

from __future__ import annotations

from pontoon.engine import (
    CallNoMoreBets,
    CloseOffer,
    Command,
    DealCard,
    Double,
    Event,
    Insure,
    Limits,
    Options,
    PlaceSideWager,
    PlaceWager,
    Played,
    Refusal,
    Round,
    Surrender,
    options,
    play,
    refusal,
)
from pontoon.ledger import balances, wallet
from pontoon.money import dollars
from pontoon.rulebook import Rulebook
from pontoon.terminal.actions import ACTIONS, HELP, QUIT, Action, TypedError, command_for, concerns, cost, read_action
from pontoon.terminal.bets import PLAYER, Bets
from pontoon.terminal.console import Console
from pontoon.terminal.shoe import Shoe
from pontoon.view.events import cited, hand_line, narrated, refused
from pontoon.view.words import place_words, why


def open_round(rules: Rulebook, limits: Limits, bets: Bets) -> Played | Refusal:
    """Put the bets down and call no more bets."""
    commands: list[Command] = []
    for bet in bets:
        commands.append(PlaceWager(bet.box, bet.player, bet.stake))
        commands += [PlaceSideWager(bet.box, bet.player, kind, amount) for kind, amount in bet.side]
    state = Round(rules, limits)
    events: list[Event] = []
    for command in (*commands, CallNoMoreBets()):
        played = play(state, command)
        if isinstance(played, Refusal):
            return played
        state = played.state
        events += played.events
    return Played(tuple(events), state)


class RoundAtTerminal:
    """A round that moves on: its state, its events so far, and the chips the person came with."""

    def __init__(self, opened: Played, chips: int, console: Console) -> None:
        self.state = opened.state
        self.events: list[Event] = list(opened.events)
        self._chips = chips
        self._console = console
        self._declined: set[int] = set()
        """Boxes that said no to the offer now open."""

    @property
    def in_wallet(self) -> int:
        """Chips not on the layout."""
        return self._chips + balances(self.events)[wallet(PLAYER)]

    def _do(self, command: Command) -> None:
        played = play(self.state, command)
        assert not isinstance(played, Refusal)
        for line in narrated(self.state, played.events):
            self._console.say(line)
        self.state = played.state
        self.events.extend(played.events)

    def play(self, shoe: Shoe) -> None:
        """Deal and ask until everything is settled."""
        while self.state.phase != "ended":
            now = options(self.state)
            if now.card_to is not None:
                self._do(DealCard(shoe.deal()))
            elif now.waits_for in ("insurance", "surrender"):
                self._offer(now, Insure if now.waits_for == "insurance" else Surrender)
            else:
                self._ask(now, now.box)

    def _offer(self, now: Options, kind: type[Command]) -> None:
        """Ask the next box that may take the offer; when all have answered the dealer goes on."""
        for box in self.state.boxes:
            may = any(isinstance(one, kind) and concerns(one, box.number) for one in now.allowed)
            if may and box.number not in self._declined:
                self._ask(now, box.number)
                return
        self._declined.clear()
        self._do(CloseOffer())

    def _ask(self, now: Options, box: int) -> None:
        """Ask once; what cannot be done is said and changes nothing."""
        text = self._console.ask(self._prompt(now, box))
        if text.lower() in HELP:
            self._help(now, box)
            return
        if text.lower() in QUIT:
            self._console.say("The round is on: play it out, then q leaves the table. Ctrl-D leaves at once.")
            return
        try:
            action, amount = read_action(text)
        except TypedError as error:
            self._console.say(f"{error}.")
            return
        self._act(now, action, box, amount)

    def _act(self, now: Options, action: Action, box: int, amount: int) -> None:
        if action.kind is CloseOffer and now.waits_for in ("insurance", "surrender"):
            self._declined.add(box)  # the dealer closes the offer when every box has answered
            return
        command = command_for(now, action, box, amount)
        no = refusal(self.state, command)
        if no is not None:
            self._console.say(refused(no))
        elif cost(self.state, command) > self.in_wallet:
            self._console.say(f"Not enough chips: {self._too_dear(action, command)}")
        else:
            self._do(command)

    def _too_dear(self, action: Action, command: Command) -> str:
        words = f"this needs {dollars(cost(self.state, command))}, the wallet has {dollars(self.in_wallet)}"
        if self._may_be_less(command) and self.in_wallet:
            return f"{words}; a smaller amount is possible, as in {action.letter} {dollars(self.in_wallet)}"
        return words

    def _may_be_less(self, command: Command) -> bool:
        return isinstance(command, Insure) or (isinstance(command, Double) and self.state.rules.double.for_less)

    def _prompt(self, now: Options, box: int) -> str:
        """What may be done, as in "> [h]it [s]tand ?"; with several hands on the table the one in question first."""
        hand = now.hand if now.waits_for in ("decision", "forfeit") else 0
        several = len(self.state.boxes) > 1 or len(self.state.boxes[0].hands) > 1
        place = place_words(self.state, box, hand) if several else ""
        labels = [self._label(now, action, box) for action in ACTIONS]
        return " ".join([f"{place}>", *(label for label in labels if label), "?"])

    def _label(self, now: Options, action: Action, box: int) -> str:
        """The action if it is allowed and there are chips for it, with the most that may be put on it."""
        command = command_for(now, action, box)
        if refusal(self.state, command) is not None or not self._to_be_shown(now, action):
            return ""
        price = cost(self.state, command)
        if price > self.in_wallet and not (self._may_be_less(command) and self.in_wallet):
            return ""
        up_to = f" up to {dollars(min(price, self.in_wallet))}"
        return action.label + (up_to if isinstance(command, Insure) or price > self.in_wallet else "")

    @staticmethod
    def _to_be_shown(now: Options, action: Action) -> bool:
        """The answer no to a forfeit is better called keep, though no is understood."""
        return action.kind is not CloseOffer or now.waits_for != "forfeit"

    def _help(self, now: Options, box: int) -> None:
        """Each action: what it does if it may be done now, otherwise why not."""
        number = now.hand if now.waits_for in ("decision", "forfeit") else 1
        self._console.say(f"  Dealer: {' '.join(self.state.dealer)}")
        self._console.say(f"  {hand_line(self.state, box, number)}")
        for action in ACTIONS:
            words = self._explained(now, action, box)
            if words:
                self._console.say(f"  {action.letter} {action.word.ljust(9)}  {words}")
        example = "an amount may follow d and i, as in d 7.50" if self.state.rules.double.for_less else ""
        self._console.say(f"  Letters and words both work; {example or 'an amount may follow i, as in i 2.50'}.")

    def _explained(self, now: Options, action: Action, box: int) -> str:
        command = command_for(now, action, box)
        no = refusal(self.state, command)
        if no is not None and action.only_answers:
            return ""
        if no is not None:
            return cited(f"not now: {why(no)}", no.clauses)
        if cost(self.state, command) > self.in_wallet:
            return f"not enough chips: {self._too_dear(action, command)}"
        return action.meaning

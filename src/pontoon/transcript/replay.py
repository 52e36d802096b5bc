"""Playing a transcript through the engine: the dealer's acts follow from the rulebook, no line says them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from msgspec import Struct

from pontoon.cards import Card
from pontoon.engine import (
    Absent,
    CallNoMoreBets,
    CloseOffer,
    Command,
    DealCard,
    DeclineSurrender,
    Double,
    Event,
    Forfeit,
    Hit,
    Insure,
    Keep,
    PlaceSideWager,
    PlaceWager,
    Refusal,
    Ride,
    Round,
    Split,
    Stand,
    Surrender,
    play,
)
from pontoon.engine.state import box_in_turn, hand_in_turn
from pontoon.rulebook import Rulebook, RulebookError, load
from pontoon.transcript.model import Line, Transcript, TranscriptError
from pontoon.view.words import why

_COMMANDS: dict[str, Callable[[Line], Command]] = {
    "hit": lambda line: Hit(line.box, line.player),
    "stand": lambda line: Stand(line.box, line.player),
    "double": lambda line: Double(line.box, line.amount, line.player),
    "split": lambda line: Split(line.box, line.player),
    "ride": lambda line: Ride(line.box, line.player, line.amount),
    "surrender": lambda line: Surrender(line.box, line.player),
    "play": lambda line: DeclineSurrender(line.box, line.player),
    "forfeit": lambda line: Forfeit(line.box, line.player),
    "keep": lambda line: Keep(line.box, line.player),
    "insure": lambda line: Insure(line.box, line.player, line.amount, line.for_box, line.for_player),
    "absent": lambda line: Absent(line.box, line.player),
}
_ANSWERS = {"insurance": ("insure",), "surrender": ("surrender", "play"), "forfeit": ("forfeit", "keep")}
"""Which lines answer which offer; any other line closes it."""


class Replay(Struct, frozen=True):
    """A round played from a transcript: its rules, its events and where it ended."""

    transcript: Transcript
    rules: Rulebook
    events: tuple[Event, ...]
    state: Round


class RefusedLine(Struct, frozen=True):
    """A line the rules do not allow, and how far the round had come."""

    line: Line
    refusal: Refusal
    state: Round
    events: tuple[Event, ...]


def rules_of(transcript: Transcript) -> Rulebook:
    """The rulebook of a transcript with the operator's choices."""
    try:
        rules = load(transcript.rulebook, transcript.overrides)
    except RulebookError as error:
        raise TranscriptError("options", str(error)) from None
    decks = transcript.decks or rules.decks.default
    allowed = rules.decks.allowed
    if any(kind == "perfect_pairs" for bet in transcript.bets for kind, _ in bet.side) and rules.side.perfect_pairs:
        allowed = rules.decks.with_perfect_pairs
    if decks not in allowed:
        names = ", ".join(str(one) for one in allowed)
        raise TranscriptError("options.decks", f"{decks} packs are not allowed in {transcript.rulebook}; {names} are")
    for card, count in Counter(transcript.cards).items():
        if count > decks:
            raise TranscriptError("cards", f"{card} occurs {count} times, but {decks} packs hold only {decks}")
    return rules


def replay(transcript: Transcript, rules: Rulebook | None = None) -> Replay | RefusedLine:
    """Play the whole round; a line that is refused ends it, a missing one is an error."""
    table = _Table(transcript, rules or rules_of(transcript))
    table.place_bets()
    refused = table.run()
    if refused is not None:
        return refused
    return Replay(transcript, table.rules, tuple(table.events), table.state)


class _Table:
    """The dealer's side of a transcript: cards and lines in order, one state that moves on."""

    def __init__(self, transcript: Transcript, rules: Rulebook) -> None:
        self.transcript = transcript
        self.rules = rules
        self.state = Round(rules, transcript.limits)
        self.events: list[Event] = []
        self.cards: Iterator[Card] = iter(transcript.cards)
        self.lines = list(reversed(transcript.lines))

    def place_bets(self) -> None:
        for number, bet in enumerate(self.transcript.bets, 1):
            if bet.stake:
                self._must(PlaceWager(bet.box, bet.player, bet.stake), f"bet {number}")
            for kind, amount in bet.side:
                self._must(PlaceSideWager(bet.box, bet.player, kind, amount), f"bet {number}")
        self._must(CallNoMoreBets(), "bets")

    def _must(self, command: Command, place: str) -> None:
        refused = self._do(command)
        if refused is not None:
            raise TranscriptError(place, f"{why(refused)} [{', '.join(refused.clauses)}]")

    def _do(self, command: Command) -> Refusal | None:
        played = play(self.state, command)
        if isinstance(played, Refusal):
            return played
        self.state = played.state
        self.events.extend(played.events)
        return None

    def run(self) -> RefusedLine | None:
        while True:
            if self.state.phase == "ended" and not self.lines:
                return None
            refused = self._step()
            if refused is not None:
                return refused

    def _step(self) -> RefusedLine | None:
        """One move: a card where one is due, an answer or the end of an offer, otherwise the next line."""
        match self.state.phase:
            case "initial_deal" | "dealer":
                self._deal()
            case "card":
                if self._joins():
                    return self._take_line()
                self._deal()
            case "insurance" | "surrender" | "forfeit" as offer:
                if self._answers(_ANSWERS[offer]):
                    return self._take_line()
                self._do(CloseOffer())
            case _:
                return self._take_line()
        return None

    def _deal(self) -> None:
        card = next(self.cards, None)
        if card is None:
            used = self.state.cards_used
            raise TranscriptError("cards", f"too few: the round needs more than the {used} given")
        self._do(DealCard(card))

    def _answers(self, verbs: tuple[str, ...]) -> bool:
        if not self.lines or self.lines[-1].verb not in verbs:
            return False
        return self.state.phase != "forfeit" or self.lines[-1].box == self.state.turn[0]

    def _joins(self) -> bool:
        """Whether the next line is a co-bettor's answer to the double or split just made."""
        if not self.state.joining or not self.lines:
            return False
        line = self.lines[-1]
        verbs = ("double",) if self.state.joining == "double" else ("split", "ride")
        box = box_in_turn(self.state)
        return line.verb in verbs and line.box == box.number and line.player not in ("", box.controller)

    def _take_line(self) -> RefusedLine | None:
        if not self.lines:
            box, number = self.state.turn
            hand = hand_in_turn(self.state)
            cards = " ".join(hand.cards)
            reason = f"box {box} hand {number} ({cards}, {hand.total}) still needs a decision when the lines run out"
            raise TranscriptError("actions", reason)
        line = self.lines.pop()
        refused = self._do(_COMMANDS[line.verb](line))
        return None if refused is None else RefusedLine(line, refused, self.state, tuple(self.events))

"""Playing a transcript through the engine: the dealer's acts follow from the rulebook, no line says them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from msgspec import Struct

from pontoon.cards import JOKER
from pontoon.engine import (
    Absent,
    BurnCard,
    CallNoMoreBets,
    CloseOffer,
    Command,
    DealCard,
    DeclineSurrender,
    Double,
    Event,
    ExposeCard,
    Forfeit,
    Hit,
    Insure,
    Keep,
    NoticeNoFirstCard,
    NoticeSkip,
    OfferLate,
    PlaceSideWager,
    PlaceWager,
    Refusal,
    RefuseCard,
    Ride,
    Round,
    SkipDealer,
    SkipHand,
    Split,
    Stand,
    Surrender,
    VoidBox,
    VoidRound,
    Withdraw,
    play,
)
from pontoon.engine.commands import BurnReason
from pontoon.engine.dealing import CARD_DUE
from pontoon.engine.state import box_in_turn, hand_in_turn
from pontoon.rulebook import NAMES, Rulebook, RulebookError, load, override, pinned, recorded
from pontoon.shown import shown
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
    "refuse": lambda line: RefuseCard(line.box, line.player),
    "withdraw": lambda line: Withdraw(line.box, line.player),
    "omitted": lambda line: OfferLate("insurance" if line.what == "insurance" else "surrender"),
    "noticed": lambda line: NoticeSkip(line.for_box),
    "goes": lambda _: CloseOffer(),
    "void": lambda line: VoidRound() if line.what else VoidBox(line.for_box),
}
_ANSWERS = {
    "insurance": ("insure",),
    "surrender": ("surrender", "play"),
    "forfeit": ("forfeit", "keep"),
    "withdraw": ("withdraw",),
}
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


class Paused(Struct, frozen=True):
    """A round played as far as its lines and cards go."""

    state: Round
    events: tuple[Event, ...]
    before_last: Round
    """As it stood when the last line was read."""
    unread: tuple[Line, ...]
    """Lines whose moment did not come, because the cards ran out or a line was refused."""
    refused: RefusedLine | None


def rules_of(transcript: Transcript) -> Rulebook:
    """The rulebook of a transcript with the operator's choices."""
    try:
        book = _book_of(transcript)
    except RulebookError as error:
        raise TranscriptError("rulebook", str(error)) from None
    try:
        rules = override(book, transcript.overrides) if transcript.overrides else book
    except RulebookError as error:
        raise TranscriptError("options", str(error)) from None
    _refuse_unknown_bets(transcript, rules)
    decks = transcript.decks or rules.decks.default
    allowed = packs_allowed(transcript, rules)
    if decks not in allowed:
        names = ", ".join(map(str, sorted(allowed)))
        raise TranscriptError("options.decks", f"{decks} packs are not allowed in {transcript.rulebook}; {names} are")
    if JOKER in transcript.cards and not rules.shoe.joker:
        raise TranscriptError("cards", f"** is the promotional joker, and {transcript.rulebook} has none")
    for card, count in Counter(transcript.cards).items():
        if card != JOKER and count > decks:
            raise TranscriptError("cards", f"{card} occurs {count} times, but {decks} packs hold only {decks}")
    return rules


def _book_of(transcript: Transcript) -> Rulebook:
    """The rulebook a transcript carries, names by its digest, or names alone."""
    if transcript.book:
        return pinned(transcript.book, transcript.digest)
    if transcript.digest:
        return recorded(transcript.rulebook, transcript.overrides, transcript.digest)
    return load(transcript.rulebook, folder=transcript.folder)


def _refuse_unknown_bets(transcript: Transcript, rules: Rulebook) -> None:
    """A key of a bet that names no side bet of this rulebook, nor of another, is a slip of the pen."""
    known = {bet.name for name in NAMES for bet in load(name).side} | {bet.name for bet in rules.side}
    for number, bet in enumerate(transcript.bets, 1):
        for kind, _ in bet.side:
            if kind not in known:
                names = ", ".join(("box", "player", "stake", *sorted(known)))
                raise TranscriptError(f"bet {number}", f"unknown key {shown(kind)}; known are {names}")
    for one in transcript.limits.side:
        if one.bet not in known:
            raise TranscriptError(f"options.{shown(one.bet)[1:-1]}", "no side bet has this name")


def packs_allowed(transcript: Transcript, rules: Rulebook) -> set[int]:
    """The numbers of packs this round may be dealt from: a side bet may ask for fewer."""
    kinds = {kind for bet in transcript.bets for kind, _ in bet.side}
    wagered = [set(bet.decks) for bet in rules.side if bet.offered and bet.name in kinds]
    return set(rules.decks.allowed).intersection(*wagered)


def replay(transcript: Transcript, rules: Rulebook | None = None) -> Replay | RefusedLine:
    """Play the whole round; a line that is refused ends it, a missing one is an error."""
    table = _Table(transcript, rules or rules_of(transcript))
    table.place_bets()
    refused = table.run()
    if refused is not None:
        return refused
    return Replay(transcript, table.rules, tuple(table.events), table.state)


def play_on(transcript: Transcript, rules: Rulebook) -> Paused:
    """Play as far as lines and cards go, and leave the round open where somebody must act."""
    table = _Table(transcript, rules, pauses=True)
    table.place_bets()
    refused = table.run()
    unread = tuple(reversed(table.lines))
    return Paused(table.state, tuple(table.events), table.before_last, unread, refused)


class _Table:
    """The dealer's side of a transcript: cards and lines in order, one state that moves on."""

    def __init__(self, transcript: Transcript, rules: Rulebook, *, pauses: bool = False) -> None:
        self.transcript = transcript
        self.rules = rules
        self.state = Round(rules, transcript.limits)
        self.events: list[Event] = []
        self.cards = list(reversed(transcript.cards))
        self.lines = list(reversed(transcript.lines))
        self.pauses = pauses
        self.before_last = self.state
        self.told = False
        """The line about the dealer's missing first card has been read."""

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
        dealer_skipped = next((line for line in self.lines if _about_dealer(line)), None)
        if dealer_skipped is not None:
            refused = self._do(SkipDealer())
            if refused is not None:
                return self._refused(dealer_skipped, refused)
        while (self.state.phase != "ended" or self.lines) and not (self.pauses and self._waits()):
            refused_line = self._step()
            if refused_line is not None:
                return refused_line
        return None

    def _waits(self) -> bool:
        """Whether nothing that is written down says how the round goes on."""
        if self.state.phase in CARD_DUE:
            return not self.cards and not (self.lines and self._is_now(self.lines[-1]))
        return not self.lines

    def _step(self) -> RefusedLine | None:
        """One move: a ruling, a card where one is due, an answer or the end of an offer, else the next line."""
        line = self.lines[-1] if self.lines else None
        if line is not None and self._is_now(line):
            return self._take_line()
        match self.state.phase:
            case "initial_deal" | "dealer" | "first_card" | "card":
                self._deal()
            case "insurance" | "surrender" | "forfeit" | "withdraw":
                self._do(CloseOffer())
            case _:
                return self._decide(line)
        return None

    def _is_now(self, line: Line) -> bool:
        """Whether the next line belongs to this moment, before any card or the end of an offer."""
        phase = self.state.phase
        match line.verb:
            case "void" | "goes":
                return phase not in CARD_DUE
            case "burn":
                return self._is_next(line)
            case "noticed":
                return phase in ("dealer", "decision")
            case "skipped":
                return phase == ("first_card" if _about_dealer(line) else "dealer")
            case "omitted":
                return phase == "dealer"
            case _:
                pass
        if phase == "card":
            return self._joins(line)
        if phase == "forfeit" and line.box != self.state.turn[0]:
            return False
        return line.verb in _ANSWERS.get(phase, ())

    def _is_next(self, line: Line) -> bool:
        """Whether the card a burn line names is the next one, by its face and, where given, its number."""
        place = line.amount in (0, self.state.cards_used + 1)
        return place and bool(self.cards) and self.cards[-1] == line.what

    def _decide(self, line: Line | None) -> RefusedLine | None:
        """A decision is due: the next line, or the end of a hand that a later line says was passed over."""
        box = self.state.turn[0]
        if line is None or line.box not in (0, box):  # box 0 is an official line, which belongs to any turn
            passed = next((one for one in reversed(self.lines) if one.verb == "skipped" and one.for_box == box), None)
            if passed is not None:
                refused = self._do(SkipHand(box))
                return None if refused is None else self._refused(passed, refused)
        return self._take_line()

    def _deal(self) -> None:
        if not self.cards:
            used = self.state.cards_used
            raise TranscriptError("cards", f"too few: the round needs more than the {used} given")
        refused = self._do(DealCard(self.cards.pop()))
        assert refused is None, refused

    def _joins(self, line: Line) -> bool:
        """Whether the line is a co-bettor's answer to the double or split just made."""
        verbs = {"double": ("double",), "split": ("split", "ride"), "": ()}[self.state.joining]
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
        self.before_last = self.state
        if (line.verb == "burn" and not self._is_next(line)) or (line.verb == "exposed" and not self.cards):
            coming = f"the next card is {self.cards[-1]}" if self.cards else "there is no next card"
            raise TranscriptError(f"action {line.text!r}", coming)
        if _about_dealer(line) and self.state.phase in ("first_card", "ended") and not self.told:
            self.told = True
            return None  # the dealer noticed it without being told
        self.told = self.told or _about_dealer(line)
        refused = self._do(self._command(line))
        if refused is None and line.verb == "burn":
            self.cards.pop()
        return None if refused is None else self._refused(line, refused)

    def _command(self, line: Line) -> Command:
        match line.verb:
            case "burn":
                reason: BurnReason = "dealer_excess" if self.state.phase == "ended" else "face_up"
                return BurnCard(self.cards[-1], reason)
            case "exposed":
                return ExposeCard(self.cards[-1])
            case "skipped" if _about_dealer(line):
                return NoticeNoFirstCard()
            case "skipped" if self.state.turn[0] != line.for_box:
                return NoticeSkip(line.for_box)
            case "skipped":
                return SkipHand(line.for_box)
            case _:
                return _COMMANDS[line.verb](line)

    def _refused(self, line: Line, refusal: Refusal) -> RefusedLine:
        return RefusedLine(line, refusal, self.state, tuple(self.events))


def _about_dealer(line: Line) -> bool:
    return line.verb == "skipped" and line.what == "dealer"

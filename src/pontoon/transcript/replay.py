"""Playing a transcript through the engine: the dealer's acts follow from the rulebook, no line says them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from pontoon.cards import JOKER
from pontoon.engine import (
    Absent,
    BurnCard,
    CallNoMoreBets,
    CloseOffer,
    Command,
    DealCard,
    DeclineInsurance,
    DeclineSurrender,
    Double,
    Event,
    ExposeCard,
    Forfeit,
    Hit,
    Insure,
    Keep,
    MissCard,
    NoticeNoFirstCard,
    NoticeSkip,
    OfferLate,
    PlaceSideWager,
    PlaceWager,
    PutRight,
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
    VoidHand,
    VoidRound,
    VoidWager,
    Withdraw,
    play,
    refusal,
)
from pontoon.engine.commands import BurnReason
from pontoon.engine.dealing import CARD_DUE
from pontoon.engine.events import CardBurned
from pontoon.engine.flow import cite
from pontoon.engine.short_hands import first_card_is_put_right, refuse_in_view
from pontoon.engine.state import box_in_turn, hand_in_turn
from pontoon.quoting import quoted
from pontoon.rulebook import NAMES, Rulebook, RulebookError, load, override, pinned, recorded
from pontoon.transcript import misses
from pontoon.transcript.model import Line, Transcript, TranscriptError
from pontoon.view.words import why


def _void(line: Line) -> Command:
    if line.what:
        return VoidRound(line.by_house)
    if line.for_player:
        return VoidWager(line.for_box, line.for_player, line.by_house)
    return VoidHand(line.for_box, line.hand, line.by_house) if line.hand else VoidBox(line.for_box, line.by_house)


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
    "no": lambda line: DeclineInsurance(line.box, line.player),
    "absent": lambda line: Absent(line.box, line.player, deal=not line.what),
    "refuse": lambda line: RefuseCard(line.box, line.player),
    "withdraw": lambda line: Withdraw(line.box, line.player),
    "omitted": lambda line: OfferLate(
        "insurance" if line.what == "insurance" else "surrender", line.for_box, line.for_player, line.by_house
    ),
    "put": lambda line: PutRight(line.for_box, line.hand or 1, line.by_house),
    "noticed": lambda line: NoticeSkip(line.for_box),
    "goes": lambda _: CloseOffer(),
    "void": _void,
}
_ANSWERS = {
    "insurance": ("insure", "no"),
    "surrender": ("surrender", "play"),
    "forfeit": ("forfeit", "keep"),
    "withdraw": ("withdraw",),
}
"""Which lines answer which offer; any other line closes it."""
_SHORT_DOUBLE = ("hit", "double", "withdraw", "absent", "stand")
"""Lines that decide about a double whose card was missed."""
BURNS: dict[str, BurnReason] = {
    "burn": "face_up",
    "burned": "in_error",
    "burn_early": "dealer_early",
    "burn_left_over": "left_over",
}
"""Why each kind of line burns a card."""
IN_VIEW = ("hit", "stand", "double", "split")
"""Decisions that a passed-over hand may not make when its next card is already known."""


class Replay(Struct, frozen=True):
    """A round played from a transcript: its rules, its events and where it ended."""

    transcript: Transcript
    rules: Rulebook
    events: tuple[Event, ...]
    state: Round


class RefusedLine(Struct, frozen=True):
    """A line the rules do not allow, and the state of the round at that point."""

    line: Line
    refusal: Refusal
    state: Round
    events: tuple[Event, ...]


class Paused(Struct, frozen=True):
    """A round played as far as its lines and cards go."""

    state: Round
    events: tuple[Event, ...]
    before_last: Round
    """The state when the last line was read."""
    unread: tuple[Line, ...]
    """Lines that were not reached because the cards ran out or a line was refused."""
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
    _refuse_unknown_limits(transcript, rules)
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
    """A key of a bet that names no side bet of this rulebook, nor of another, is probably a typing error."""
    known = {bet.name for name in NAMES for bet in load(name).side} | {bet.name for bet in rules.side}
    for number, bet in enumerate(transcript.bets, 1):
        for kind, _ in bet.side:
            if kind not in known:
                names = ", ".join(("box", "player", "stake", *sorted(known)))
                raise TranscriptError(f"bet {number}", f"unknown key {quoted(kind)}; known are {names}")


def _refuse_unknown_limits(transcript: Transcript, rules: Rulebook) -> None:
    """A limit for a side bet that this rulebook does not have is probably a typing error."""
    names = [bet.name for bet in rules.side]
    for limit in transcript.limits.side:
        if limit.bet not in names:
            has = f"its side bets are {', '.join(names)}" if names else "it has no side bets"
            raise TranscriptError("options", f"{limit.bet} is no side bet of {transcript.rulebook}; {has}")


def packs_allowed(transcript: Transcript, rules: Rulebook) -> set[int]:
    """The numbers of packs this round may be dealt from: a side bet may ask for fewer."""
    kinds = {kind for bet in transcript.bets for kind, _ in bet.side}
    wagered = [set(bet.decks) for bet in rules.side if bet.offered and bet.name in kinds]
    return set(rules.decks.allowed).intersection(*wagered)


def replay(transcript: Transcript, rules: Rulebook | None = None) -> Replay | RefusedLine:
    """Play the whole round; a refused line ends it, a missing one is an error."""
    table = _Table(transcript, rules or rules_of(transcript))
    table.place_bets()
    refused = table.run()
    if refused is not None:
        return refused
    return Replay(transcript, table.rules, tuple(table.events), table.state)


def play_on(transcript: Transcript, rules: Rulebook) -> Paused:
    """Play as far as lines and cards go, and stop where a player must act."""
    table = _Table(transcript, rules, pauses=True)
    table.place_bets()
    refused = table.run()
    unread = tuple(reversed(table.lines))
    return Paused(table.state, tuple(table.events), table.before_last, unread, refused)


class _Table:
    """Plays a transcript: cards and lines in order, with the current state."""

    def __init__(self, transcript: Transcript, rules: Rulebook, *, pauses: bool = False) -> None:
        self.transcript = transcript
        self.rules = rules
        self.state = Round(rules, transcript.limits)
        self.events: list[Event] = []
        self.cards = list(reversed(transcript.cards))
        put_right = rules.irregular.missing_card == "reconstruct"
        self.lines = list(reversed(misses.in_order(transcript.lines) if put_right else transcript.lines))
        self.seen = (0, 0)
        """A box that was passed over, and how many cards of the shoe had been seen when that was noticed."""
        self.right: list[Line] = []
        """Lines about a missed card that is corrected in the initial deal."""
        self.gone_on = False
        """The dealer's second card came before what the next lines say was noticed."""
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
            clauses = f" [{', '.join(refused.clauses)}]" if refused.clauses else ""
            raise TranscriptError(place, f"{why(refused)}{clauses}")

    def _do(self, command: Command) -> Refusal | None:
        played = play(self.state, command)
        if isinstance(played, Refusal):
            return played
        self.state = played.state
        self.events.extend(played.events)
        if any(isinstance(event, CardBurned) and event.reason == "exposed" for event in played.events):
            self.cards.pop()  # seen, and taken by no hand
        return None

    def run(self) -> RefusedLine | None:
        dealer_skipped = next((line for line in self.lines if _about_dealer(line)), None)
        if dealer_skipped is not None and self._first_is_put_right(dealer_skipped):
            self.right.append(dealer_skipped)
        elif dealer_skipped is not None:
            refused = self._do(SkipDealer(dealer_skipped.by_house))
            if refused is not None:
                return self._refused(dealer_skipped, refused)
        while (self.state.phase != "ended" or self.lines) and not (self.pauses and self._waits()):
            refused_line = self._step()
            if refused_line is not None:
                return refused_line
        return None

    def _first_is_put_right(self, line: Line) -> bool:
        """Whether the dealer's missing first card was noticed before the initial deal was complete."""
        lines = self.lines[::-1]
        went_on = any(earlier.verb in ("void", "skipped") for earlier in lines[: lines.index(line)])
        if went_on or not first_card_is_put_right(self.rules):
            return False
        return misses.before_any_decision(self.state, self.cards[::-1], lines, line)

    def _waits(self) -> bool:
        """Whether no remaining line tells how the round continues."""
        if self.state.phase in CARD_DUE:
            return not self.cards and not (self.lines and self._is_now(self.lines[-1]))
        return not self.lines

    def _step(self) -> RefusedLine | None:
        """One move: a ruling, a card if one is due, an answer or the end of an offer, otherwise the next line."""
        line = self.lines[-1] if self.lines else None
        if line is not None and self._is_now(line):
            return self._take_line()
        missed = self._missed()
        if missed is not None:
            refused = self._do(MissCard(*(misses.due(self.state) or (0, 0)), missed.by_house))
            return None if refused is None else self._refused(missed, refused)
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
        if line.at >= 0:
            return self.state.cards_used == line.at and (line.verb != "missed" or self.state.phase in CARD_DUE)
        if line.box == 0:
            return self._is_officials_moment(line)
        phase = self.state.phase
        if phase == "card":
            return self._joins(line)
        if (phase == "forfeit" or self.state.answering) and line.box != self.state.turn[0]:
            return False
        if self.state.answering and line.player in ("", box_in_turn(self.state).controller):
            return False
        return line.verb in _ANSWERS.get(phase, ())

    def _is_officials_moment(self, line: Line) -> bool:
        phase = self.state.phase
        before_dealer = phase == "dealer" and not self.gone_on
        match line.verb:
            case "void":
                return phase not in CARD_DUE or not self.cards
            case "goes":
                return phase not in (*CARD_DUE, "decision") or before_dealer
            case "burn" | "burned" | "burn_early" | "burn_left_over":
                return self._is_next(line)
            case "noticed":
                return before_dealer or phase == "decision"
            case "skipped":
                first = phase == "first_card" or line in self.right
                return first if _about_dealer(line) else before_dealer
            case "missed":
                in_turn = phase == "card" and self.state.turn[0] == line.for_box
                return line in self.right or self._puts_right() or before_dealer or in_turn
            case "omitted":
                return before_dealer
            case _:
                return line.verb == "put"

    def _puts_right(self) -> bool:
        return self.rules.irregular.missing_card == "reconstruct"

    def _missed(self) -> Line | None:
        """The line that says, further on, that the card now due was not dealt."""
        place = misses.due(self.state)
        if place is None or self._puts_right():
            return None
        lines = self.lines[::-1]
        line = misses.miss_line(lines, place)
        if line is None or line in self.right:
            return None
        initial = self.state.phase == "initial_deal"
        if initial and misses.before_any_decision(self.state, self.cards[::-1], lines, line):
            self.right.append(line)
            return None
        return line

    def _is_next(self, line: Line) -> bool:
        """Whether the card a burn line names is the next one, by its face and, if given, its number."""
        place = line.amount in (0, self.state.cards_used + 1)
        return place and bool(self.cards) and self.cards[-1] == line.what

    def _decide(self, line: Line | None) -> RefusedLine | None:
        """A decision is due: the next line, or the end of a hand that a later line says was passed over."""
        box = self.state.turn[0]
        if self.state.phase == "ended":
            return self._take_line()
        goes_on = line is not None and line.verb == "goes"
        if line is None or goes_on or line.box not in (0, box):  # another official line (box 0) belongs to any turn
            passed = next((later for later in reversed(self.lines) if self._passes(later)), None)
            if passed is not None:
                refused = self._do(SkipHand(box, passed.by_house))
                return None if refused is None else self._refused(passed, refused)
        said = line is not None and ((line.box == box and line.verb in _SHORT_DOUBLE) or line.verb == "missed")
        if hand_in_turn(self.state).doubled and not said:
            self._do(Double(box))  # the double made before its card was missed is carried out
            return None
        return self._take_line()

    def _passes(self, line: Line) -> bool:
        """Whether a line further on says that the current hand was passed over."""
        box, hand = self.state.turn
        if line.for_box != box or line.at >= 0 or hand_in_turn(self.state).skipped:
            return False
        return line.verb == "skipped" or (line.verb == "missed" and line.hand in (0, hand) and not self._puts_right())

    def _deal(self) -> None:
        if not self.cards:
            used = self.state.cards_used
            raise TranscriptError("cards", f"too few: the round needs more than the {used} given")
        refused = self._do(DealCard(self.cards.pop()))
        assert refused is None, refused

    def _joins(self, line: Line) -> bool:
        """Whether the line answers the double or split just made, or refuses the card a split hand would get."""
        if line.verb == "refuse":
            return refusal(self.state, RefuseCard(line.box, line.player)) is None
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
        self._refuse_place(line)
        if line.verb == "goes" and self.state.phase == "dealer":
            self.gone_on = True
            return None
        if _about_dealer(line) and self.state.phase in ("first_card", "ended") and not self.told:
            self.told = True
            return None  # the dealer noticed it without a line
        self.told = self.told or _about_dealer(line)
        self._let_owner_decline(line)
        command = self._command(line)
        passed_over = isinstance(command, MissCard) and line.at < 0 and not command.noticed
        in_time = passed_over and misses.noticed_in_time(self.state, self.lines)
        refused = self._refuse_in_view(line) or (self._do(command) if command is not None else None)
        if refused is None and line.verb in BURNS:
            self.cards.pop()
        while refused is None and in_time:  # every hand of a split box that was passed over
            in_time = self._do(NoticeSkip(line.for_box)) is None
        return None if refused is None else self._refused(line, refused)

    def _refuse_place(self, line: Line) -> None:
        """A line that names a card or a moment must be at the place where that card or moment comes."""
        if (line.verb in BURNS and not self._is_next(line)) or (line.verb == "exposed" and not self.cards):
            coming = f"the next card is {self.cards[-1]}" if self.cards else "there is no next card"
            raise TranscriptError(f"action {line.text!r}", coming)
        if line.at not in (-1, self.state.cards_used):
            raise TranscriptError(f"action {line.text!r}", f"{self.state.cards_used} cards had left the shoe here")

    def _refuse_in_view(self, line: Line) -> Refusal | None:
        """Whether a hand passed over would decide knowing a card that came out since (A83).

        A hand that must draw gets the card. For others the card goes to the rack, unless the document makes it the
        next card.
        """
        box, seen = self.seen
        if line.box != box or line.verb not in IN_VIEW or self.state.cards_used >= seen or not self.cards:
            return None
        forced = refusal(self.state, Stand(line.box))
        if forced is None:
            return refuse_in_view(self.state, self.cards[-1])
        if forced.code != "forced_draw" or line.verb == "hit":
            return None
        return replace(forced, clauses=cite(self.rules.clauses("irregular.misplaced"), forced.clauses))

    def _let_owner_decline(self, line: Line) -> None:
        """Silence declines: before another player insures a wager, its owner has declined, unless a line follows."""
        if line.verb != "insure" or line.for_player == line.player:
            return
        own = (line.for_box, line.for_player)
        if not any(later.verb == "no" and (later.box, later.player) == own for later in self.lines):
            command = DeclineInsurance(*own)
            if self.rules.insurance.others_after == "declined" and refusal(self.state, command) is None:
                self._do(command)

    def _command(self, line: Line) -> Command | None:
        match line.verb:
            case "burn" if self.state.phase == "ended":
                return BurnCard(self.cards[-1], "dealer_excess", line.by_house)
            case verb if verb in BURNS:
                return BurnCard(self.cards[-1], BURNS[line.verb], line.by_house)
            case "exposed":
                return ExposeCard(self.cards[-1], line.by_house)
            case "missed" | "skipped" if line in self.right:
                return PutRight(line.for_box, line.hand or 1, line.by_house)
            case "missed":
                if self._puts_right():
                    seen = misses.cards_seen(self.transcript.lines, line)
                    self.seen = line.for_box, self.state.cards_used + seen
                return misses.command_for(self.state, line, self.lines)
            case "skipped" if _about_dealer(line):
                return NoticeNoFirstCard()
            case "skipped":
                return misses.passed_over(self.state, line)
            case _:
                return _COMMANDS[line.verb](line)

    def _refused(self, line: Line, refusal: Refusal) -> RefusedLine:
        return RefusedLine(line, refusal, self.state, tuple(self.events))


def _about_dealer(line: Line) -> bool:
    return line.verb == "skipped" and line.what == "dealer"

"""A round up to an error: which remedies the document allows, with cards and money before and after each.

Advice only: every remedy is tried on a copy of the transcript, and nothing is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from pontoon.cards import LIMIT
from pontoon.engine import (
    Event,
    Hand,
    Insure,
    Reversed,
    Round,
    Settled,
    Stand,
    Surrender,
    Withdraw,
    evolve,
    options,
    refusal,
)
from pontoon.engine.dealing import CARD_DUE
from pontoon.engine.flow import cite
from pontoon.engine.state import find_box
from pontoon.money import dollars
from pontoon.rulebook import RemedyRow, Rulebook
from pontoon.rulebook.explain import Sentence
from pontoon.rulebook.remedies import TOGETHER, Moment
from pontoon.transcript.lines import read_line
from pontoon.transcript.misses import DRAWING
from pontoon.transcript.model import Line, Transcript, TranscriptError
from pontoon.transcript.remedies import Remedy, approval, cited, rows_of, says, silent
from pontoon.transcript.replay import Paused, RefusedLine, play_on, rules_of
from pontoon.transcript.result import nets
from pontoon.view.words import why

Amounts = dict[str, int]
Later = tuple[tuple[int, tuple[str, ...]], ...]

OFFERS = ("insurance", "surrender", "forfeit", "withdraw")
NOT_RECORDED = ("document_silent", "put_right", "is_the_next_card")
"""So the line of an error is refused if the document has a remedy other than recording it, or none."""
TELLS: dict[str, tuple[str, ...]] = {
    "burn": ("face_up", "burned", "dealer_excess"),
    "exposed": ("exposed",),
    "omitted insurance": ("missed_insurance",),
    "omitted surrender": ("missed_surrender",),
    "skipped dealer": ("missing_first", "misplaced"),
    "skipped": ("missing_card", "misplaced"),
}
"""The errors that the last line may report; without a name given it is the first."""
LINES = {
    "exposed": "dealer exposed",
    "missed_insurance": "dealer omitted insurance",
    "missed_surrender": "dealer omitted surrender",
    "missing_first": "dealer skipped dealer",
}
"""The line that says the same as the name of the error."""

ABOUT_A_CARD = ("face_up", "hidden", "exposed", "burned", "dealer_excess")
ABOUT_A_HAND = ("exposed", "missing_card", "misplaced", "superfluous", "absent")
OFFERED_LATE = ("missed_insurance", "missed_surrender")
NO_ENDING = ("missing_first",)
"""Without a remedy such a round cannot end."""


class Position(Struct, frozen=True):
    """Cards and money at one moment, in cents by player."""

    state: Round
    chips: Amounts
    """Undecided on the layout."""
    net: Amounts
    """Decided so far."""
    end: Round | None
    """The end if everyone stands from here and draws only where that is forced; None if there are not enough cards."""
    if_stood: Amounts | None
    """Each player's win or loss at that end."""


class Outcome(Struct, frozen=True):
    """A remedy and the table after it, or why it cannot be done now."""

    remedy: Remedy
    after: Position | None
    mirror: tuple[Reversed, ...] = ()
    """Amounts it pays back."""
    refused: str = ""
    strike: tuple[str, ...] = ()
    """The last lines of the transcript, if they do not stand under this remedy."""
    enter: tuple[str, ...] = ()
    """What is written in their place now."""


class Ruling(Struct, frozen=True):
    """An error, the document's rule for it, and the remedies."""

    transcript: Transcript
    rules: Rulebook
    kind: str
    box: int
    card: str
    says: Sentence
    silent: bool
    before: Position
    outcomes: tuple[Outcome, ...]
    wants_box: bool
    """Another remedy is open, once the box is named."""


class _Facts(Struct, frozen=True):
    """Where the error happened."""

    history: tuple[Line, ...]
    """The lines after which a remedy is written."""
    state: Round
    """The table when the error was found."""
    box: int
    card: str
    moment: Moment
    told: Round | None = None
    """The table after the line that reports it, if the document records such errors."""
    seen: tuple[str, ...] = ()
    """Cards that came out after a hand with a choice was passed over: it must not decide knowing them (A83)."""


def rule(transcript: Transcript, kind: str = "", box: int = 0) -> Ruling:
    """The remedies for the error reported by the last line, or by `kind` and `box`."""
    trial = Trial(transcript)
    kind, line = _error(trial, kind)
    history = transcript.lines[:-1] if line else transcript.lines
    if box and box not in trial.seats and kind != "superfluous":
        raise TranscriptError(f"box {box}", "nobody has a bet there")
    facts = _FACTS.get(kind, _plain)(trial, kind, history, line, box)
    sentence = says(trial.rules, kind)
    before = trial.position(facts.state, None if kind in NO_ENDING else trial.run(facts.history, stands=True))
    open_rows = [row for row in rows_of(trial.rules, kind) if not row.moments or facts.moment in row.moments]
    rows = [row for row in open_rows if facts.box or not _wants_box(row)]
    tried = [trial.outcome(facts.history, remedy) for row in rows for remedy in _remedies(trial, kind, row, facts)]
    outcomes = [_as_entered(transcript, facts, outcome) for outcome in tried]
    card = facts.card if kind in ABOUT_A_CARD else ""
    number = facts.box if box or kind in ABOUT_A_HAND else 0
    return Ruling(
        transcript=transcript,
        rules=trial.rules,
        kind=kind,
        box=number,
        card=card,
        says=sentence,
        silent=silent(trial.rules, kind),
        before=before,
        outcomes=tuple(outcomes),
        wants_box=len(rows) < len(open_rows),
    )


def _as_entered(transcript: Transcript, facts: _Facts, outcome: Outcome) -> Outcome:
    """The outcome, with the lines to remove from the transcript and to add to it."""
    old = [line.text for line in transcript.lines]
    new = [*(line.text for line in facts.history), *outcome.remedy.lines]
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    return replace(outcome, strike=tuple(old[same:]), enter=tuple(new[same:]))


def _error(trial: Trial, kind: str) -> tuple[str, Line | None]:
    """The kind of error, and the line that reports it, if any."""
    lines = trial.transcript.lines
    last = lines[-1] if lines and not lines[-1].box else None
    known = TELLS.get(f"{last.verb} {last.what}", TELLS.get(last.verb, ())) if last else ()
    if kind:
        return kind, last if kind in known else None
    if last is None or not known:
        reason = "the last line does not say what went wrong, as 'dealer exposed' would; name it with --error"
        raise TranscriptError("actions", reason)
    if last.verb == "burn" and trial.play(lines).before_last.phase == "ended":
        return "dealer_excess", last
    return known[0], last


class Trial:
    """Plays the lines of a transcript and others after them, as far as they go."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.rules = rules_of(transcript)
        self.seats: dict[int, tuple[str, ...]] = {}
        for bet in transcript.bets:
            self.seats[bet.box] = (*self.seats.get(bet.box, ()), bet.player)

    def line(self, text: str) -> Line:
        return read_line(text, self.seats)

    def play(self, lines: Iterable[Line]) -> Paused:
        return play_on(replace(self.transcript, lines=tuple(lines)), self.rules)

    def must(self, lines: Iterable[Line], *, recorded: bool = True, unread: int = 0) -> Paused:
        """Play lines that are history: one that is not allowed, or that the cards do not reach, is an error."""
        paused = self.play(lines)
        if paused.refused and (recorded or paused.refused.refusal.code not in NOT_RECORDED):
            raise TranscriptError(f"action {paused.refused.line.text!r}", _reason(paused.refused))
        if not paused.refused and len(paused.unread) > unread:
            raise TranscriptError("cards", f"too few: they end before {paused.unread[0].text!r}")
        return paused

    def run(self, history: tuple[Line, ...], remedy: Remedy | None = None, *, stands: bool) -> Paused:
        """Continue with a remedy; stop at the next decision, or let everyone stand."""
        lines = [*history, *(self.line(text) for text in (remedy.lines if remedy else ()))]
        later = list(remedy.later) if remedy else []
        while True:
            paused = self.play(lines)
            state = paused.state
            if paused.refused or state.phase == "ended":
                return paused
            if later and state.phase == "decision" and state.turn[0] == later[0][0]:
                lines += [self.line(text) for text in later.pop(0)[1]]
            elif stands and state.phase == "decision":
                box = state.turn[0]
                lines.append(self.line(f"b{box} hit" if refusal(state, Stand(box)) else f"b{box} stand"))
            elif stands and state.phase in OFFERS:
                lines.append(self.line("dealer goes on"))
            else:
                return paused

    def position(self, state: Round, end: Paused | None) -> Position:
        players = self.transcript.players
        last = end.state if end is not None and end.state.phase == "ended" else None
        due = nets(players, last.settlements) if last is not None else None
        return Position(state, chips_on_layout(players, state), nets(players, state.settlements), last, due)

    def outcome(self, history: tuple[Line, ...], remedy: Remedy) -> Outcome:
        """Try a remedy after these lines."""
        after = self.run(history, remedy, stands=False)
        if after.refused:
            return Outcome(remedy, None, refused=_reason(after.refused))
        end = self.run(history, remedy, stands=True)
        mirror = tuple(settlement for settlement in after.state.settlements if isinstance(settlement, Reversed))
        return Outcome(remedy, self.position(after.state, end), mirror)

    def next_card(self, state: Round) -> str:
        """The card that the shoe gives next, if it is known."""
        return next(iter(self.transcript.cards[state.cards_used :]), "")


def _reason(refused: RefusedLine) -> str:
    clauses = ", ".join(refused.refusal.clauses)
    return f"{why(refused.refusal)} [{clauses}]" if clauses else why(refused.refusal)


def chips_on_layout(players: Iterable[str], state: Round) -> Amounts:
    """Each player's undecided chips on the layout."""
    chips = dict.fromkeys(players, 0)
    for box in state.boxes:
        hands = [hand.wagers for hand in box.hands] or [box.bettors]  # before its first card a box has wagers only
        for wager in (wager for wagers in hands for wager in wagers if not wager.result):
            chips[wager.player] += wager.stake + wager.double
    for side in (side for side in state.side if not side.settled):
        chips[side.player] += side.stake
    for made in (made for made in state.insurance if not made.settled):
        chips[made.player] += made.amount
    return chips


# --- where the error happened ---------------------------------------------------------------------------


def _plain(trial: Trial, _: str, history: tuple[Line, ...], __: Line | None, box: int) -> _Facts:
    """The error is noticed at the end of the lines."""
    state = trial.must(history).state
    in_turn = state.turn[0] if state.phase == "decision" else 0
    return _facts(trial, history, state, box or in_turn)


def _facts(trial: Trial, history: tuple[Line, ...], state: Round, box: int, told: Round | None = None) -> _Facts:
    moment: Moment = "initial_deal" if state.phase == "initial_deal" else "in_turn"
    return _Facts(history, state, box, trial.next_card(state), moment, told)


def _burn(trial: Trial, kind: str, history: tuple[Line, ...], line: Line | None, box: int) -> _Facts:
    """A card from the shoe: the one named in the line, or the next."""
    paused = trial.must((*history, line), recorded=False) if line else trial.must(history)
    state = paused.before_last if line else paused.state
    facts = _facts(trial, history, state, box)
    if kind != "dealer_excess":
        return facts
    if state.phase != "ended":
        raise TranscriptError("actions", "the dealer's hand is not complete yet, so no card is too many for it")
    return replace(facts, state=_before_settlement(trial, trial.must(history)))


def _before_settlement(trial: Trial, paused: Paused) -> Round:
    """The table when the dealer's hand was complete and nothing was paid on it yet."""
    state = Round(trial.rules, trial.transcript.limits)
    for event in paused.events:
        if _is_final(event):
            break
        state = evolve(state, event)
    return state


def _is_final(event: Event) -> bool:
    return isinstance(event, Settled) and event.moment == "final"


def _recorded(trial: Trial, kind: str, history: tuple[Line, ...], line: Line | None, box: int) -> _Facts:
    """An error with its own line, which must be possible at this point."""
    told = trial.must((*history, line or trial.line(LINES[kind])), recorded=False, unread=1)
    if told.unread and (kind in OFFERED_LATE or told.state.phase != "initial_deal"):
        raise TranscriptError("cards", f"too few: they end before {told.unread[0].text!r} can be said")
    if told.unread:
        return _facts(trial, history, told.state, box)
    state = told.before_last
    return _facts(trial, history, state, state.turn[0], None if told.refused else told.state)


def _finished(trial: Trial, _: str, history: tuple[Line, ...], __: Line | None, box: int) -> _Facts:
    state = trial.must(history).state
    if state.phase != "ended":
        raise TranscriptError("actions", "the round is not complete yet, so no later one can have begun")
    return _facts(trial, history, state, box)


def _out_of_place(trial: Trial, _: str, history: tuple[Line, ...], line: Line | None, box: int) -> _Facts:
    """Cards or hands out of order: what was done after a hand was passed over is undone."""
    paused = trial.play(history)
    struck: tuple[Line, ...] = ()
    if paused.refused:
        kept = len(history) - len(paused.unread) - 1
        history, struck = history[:kept], history[kept:]
    state = trial.must(history).state
    facts = _facts(trial, history, state, box or (line.for_box if line else 0))
    removed = trial.rules.irregular.left_over == "burned"
    in_turn = state.phase == "decision" and state.turn[0] == facts.box
    if not (removed and in_turn) or refusal(state, Stand(facts.box)):
        return facts
    drawn = sum(line.verb in DRAWING for line in struck)
    return replace(facts, seen=trial.transcript.cards[state.cards_used :][:drawn])


def _no_first_card(trial: Trial, kind: str, history: tuple[Line, ...], line: Line | None, box: int) -> _Facts:
    if trial.rules.irregular.missing_first != "next_card":
        return _out_of_place(trial, kind, history, line, box)
    return _recorded(trial, kind, history, line, box)


def _short_hand(trial: Trial, kind: str, history: tuple[Line, ...], line: Line | None, box: int) -> _Facts:
    """A hand passed over: by the moment it is found (adelaide 105, 106)."""
    if trial.rules.irregular.missing_card != "withdraw_or_draw":
        return _out_of_place(trial, kind, history, line, box)
    lines = (*history, line) if line else history
    if box and not line and trial.play(history).refused:
        lines = (*history, trial.line(f"dealer skipped b{box}"))
    paused = trial.must(lines, unread=1 if line else 0)
    facts = _facts(trial, lines, paused.state, box or (line.for_box if line else 0))
    if facts.moment == "initial_deal":
        return facts
    moment = _moment(paused.state, facts.box)
    if moment in ("dealer_breaks", "dealer_pontoon"):
        return replace(facts, state=_before_settlement(trial, paused), moment=moment)
    return replace(facts, moment=moment)


def _moment(state: Round, number: int) -> Moment:
    box = find_box(state, number)
    hands: tuple[Hand, ...] = box.hands if box else ()
    if any(hand.skipped for hand in hands):
        if len(state.dealer) == 1:
            return "passed"
        if state.phase != "ended":
            return "dealer_stands"
        if state.dealer_pontoon or state.dealer_total > LIMIT:
            return "dealer_pontoon" if state.dealer_pontoon else "dealer_breaks"
    elif state.phase != "ended" and any(hand.live and not hand.stood for hand in hands):
        return "in_turn"
    raise TranscriptError(f"box {number}" if number else "box", "no hand there is short of cards; name it with --box")


_FACTS: dict[str, Callable[[Trial, str, tuple[Line, ...], Line | None, int], _Facts]] = {
    "face_up": _burn,
    "burned": _burn,
    "dealer_excess": _burn,
    "exposed": _recorded,
    "missed_insurance": _recorded,
    "missed_surrender": _recorded,
    "found_late": _finished,
    "misplaced": _out_of_place,
    "superfluous": _out_of_place,
    "missing_first": _no_first_card,
    "missing_card": _short_hand,
}


# --- what may be done -----------------------------------------------------------------------------------


def _wants_box(row: RemedyRow) -> bool:
    """Whether a remedy concerns one box and needs its number."""
    return "{box}" in row.words


def _remedies(trial: Trial, kind: str, row: RemedyRow, facts: _Facts) -> list[Remedy]:
    """The row as it is on this table; a card that two or more hands may refuse can also be refused by all."""
    remedy = Remedy(
        row.name.format(box=facts.box),
        row.words.format(box=facts.box, card=facts.card or "the card"),
        cited(trial.rules, kind, row),
        approval(trial.rules, kind, row, facts.moment),
        tuple(text for line in row.lines for text in _written(line, facts)),
        tuple((facts.box, tuple(text.format(box=facts.box).split(TOGETHER))) for text in row.later),
    )
    if row.asks == "reconstruct" and facts.seen:
        remedy = _unseen(trial, remedy, facts)
    if "b{box} refuse" in row.lines and (others := _others_to_act(facts)):
        words = f"Every hand still to act refuses {facts.card}; it is the dealer's second card."
        later = tuple((number, (f"b{number} refuse",)) for number in others)
        return [remedy, replace(remedy, name="all refuse", words=words, later=later)]
    return [remedy]


def _unseen(trial: Trial, remedy: Remedy, facts: _Facts) -> Remedy:
    """The remedy without the cards that the passed-over hand must not know when it decides."""
    return replace(
        remedy,
        words=f"{remedy.words} {' '.join(facts.seen)} came out since: to the rack before box {facts.box} decides.",
        clauses=cite(remedy.clauses, trial.rules.clauses("irregular.left_over")),
        lines=(*remedy.lines, *(f"dealer burn {card} left over" for card in facts.seen)),
    )


def _written(line: str, facts: _Facts) -> list[str]:
    """The lines of a row at this table; none if the card or the box is unknown."""
    if line in _ANSWERS:
        return [] if facts.told is None else _ANSWERS[line](facts.told)
    if ("{card}" in line and not facts.card) or ("{box}" in line and find_box(facts.state, facts.box) is None):
        return []
    if line == "dealer noticed b{box}" and _noticed(facts):
        return []
    text = line.format(box=facts.box, card=facts.card)
    return [f"{text} at {facts.state.cards_used}" if _before_a_card(text, facts.state) else text]


def _before_a_card(text: str, state: Round) -> bool:
    """Whether a void is declared while a card is due, so that the line must say when."""
    return text.split()[1] == "void" and state.phase in CARD_DUE


def _noticed(facts: _Facts) -> bool:
    """Whether a line of the transcript already reports that the hand was passed over."""
    return any(hand.noticed for box in facts.state.boxes if box.number == facts.box for hand in box.hands)


def _insurers(state: Round) -> list[str]:
    """Every player insures their own wager for the maximum."""
    return [
        f"b{command.box}/{command.player} insure {dollars(command.amount)}"
        for command in options(state).allowed
        if isinstance(command, Insure) and (command.box, command.player) == (command.for_box, command.for_player)
    ]


def _surrenderers(state: Round) -> list[str]:
    """Every hand that still may surrenders."""
    return [
        f"b{command.box}/{command.player} surrender"
        for command in options(state).allowed
        if isinstance(command, Surrender)
    ]


def _withdrawers(state: Round) -> list[str]:
    """Everyone withdraws their wager."""
    return [
        f"b{command.box}/{command.player} withdraw"
        for command in options(state).allowed
        if isinstance(command, Withdraw)
    ]


_ANSWERS: dict[str, Callable[[Round], list[str]]] = {
    "{insurers}": _insurers,
    "{surrenderers}": _surrenderers,
    "{withdrawers}": _withdrawers,
}
"""Placeholder in a row for the answers of everyone who receives an offer."""


def _others_to_act(facts: _Facts) -> list[int]:
    """The boxes of the hands after the one in turn."""
    return [
        box.number
        for box in facts.state.boxes
        for number, hand in enumerate(box.hands, 1)
        if hand.live and not hand.stood and (box.number, number) > facts.state.turn
    ]

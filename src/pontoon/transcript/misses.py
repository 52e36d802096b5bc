"""Lines about a card that was not dealt: `dealer missed b1` stands if it is noticed, the card was due before it.

Where a document puts such an error right, what the box decides afterwards belongs to the place where its card was due.
Where it does not (adelaide 105, 106), the card is left out, and the hand is finished when that is noticed.
"""

from __future__ import annotations

from collections.abc import Sequence

from pontoon.cards import Card
from pontoon.engine import Command, DealCard, MissCard, NoticeSkip, PutRight, Refusal, Round, SkipDealer, SkipHand, play
from pontoon.engine.dealing import next_place
from pontoon.engine.state import find_box, hand_in_turn
from pontoon.transcript.model import Line

DECISIONS = ("hit", "stand", "double", "split", "absent", "refuse")
DRAWING = ("hit", "double", "split")
WITHOUT_CARD = ("hit", "stand", "withdraw")
"""What a hand may say that is asked because it has too few cards."""


def in_order(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines as they would have been without a missed card, for a document that puts it right."""
    ordered = tuple(lines)
    for line in lines:
        if line.verb == "missed" and line.at < 0:
            ordered = _moved(ordered, ordered.index(line), line.for_box)
    return ordered


def _moved(lines: tuple[Line, ...], place: int, box: int) -> tuple[Line, ...]:
    """Move a line about a box, and the box's own lines after it, to where the box was in turn."""
    decided = [number for number, line in enumerate(lines[:place]) if line.box == box and line.verb in DECISIONS]
    later = [number for number, line in enumerate(lines[:place]) if line.box > box and line.verb in DECISIONS]
    to = decided[-1] + 1 if decided else later[0] if later else place
    own = [line for line in lines[place:] if box in (line.box, line.for_box) or line.verb == "burn_left_over"]
    rest = [line for line in lines[place:] if line not in own]
    return (*lines[:to], *own, *lines[to:place], *rest)


def cards_seen(lines: Sequence[Line], missed: Line) -> int:
    """How many cards later boxes drew before it was noticed, without the one that the box had already called for."""
    before = lines[: lines.index(missed)]
    drawn = sum(line.box > missed.for_box and line.verb in DRAWING for line in before)
    called = any(line.box == missed.for_box and line.verb in DECISIONS for line in before)
    return max(drawn - called, 0)


def miss_line(lines: Sequence[Line], place: tuple[int, int]) -> Line | None:
    """The line that says, further on, that the card due here was missed; the lines still to come are in order."""
    for line in lines:
        if line.verb == "missed" and line.at < 0 and line.for_box == place[0] and line.hand in (0, place[1]):
            return line
        if line.box == place[0] and line.verb in DECISIONS:
            return None
    return None


def before_any_decision(state: Round, cards: Sequence[Card], lines: Sequence[Line], missed: Line) -> bool:
    """Whether it is noticed before the initial deal is complete: nobody has decided, no pontoon is paid (47(d))."""
    if any(line.verb in DECISIONS for line in lines[: lines.index(missed)]):
        return False
    house = missed.by_house
    command: Command = MissCard(missed.for_box, 1, house) if missed.for_box else SkipDealer(house)
    for card in (None, *cards):
        played = play(state, command if card is None else DealCard(card))
        if isinstance(played, Refusal) or played.state.phase != "initial_deal":
            return isinstance(played, Refusal) or not any(paid.kind == "main" for paid in played.state.settlements)
        state = played.state
    return True


def command_for(state: Round, line: Line, lines: Sequence[Line]) -> Command | None:
    """The command that a line about a missed card stands for if it is noticed; None if that changes nothing."""
    box, number = line.for_box, line.hand or (state.turn[1] if state.turn[0] == line.for_box else 1)
    house = line.by_house
    if state.rules.irregular.missing_card == "reconstruct":
        return PutRight(box, number, house)
    if line.at >= 0 or (state.phase == "card" and state.turn == (box, number)):
        return MissCard(box, number, house, line.at < 0 and noticed_in_turn(state, lines))
    if state.phase == "decision" and state.turn == (box, number) and not hand_in_turn(state).skipped:
        again = any(later.box == box for later in lines)
        one_card = hand_in_turn(state).missed and len(hand_in_turn(state).cards) == 1
        return None if one_card and again else SkipHand(box, house)
    return noticed_late(state, box) if len(state.dealer) > 1 else NoticeSkip(box)


def passed_over(state: Round, line: Line) -> Command | None:
    """The command for a line about a box that was passed over: in its turn, or where that is noticed."""
    if len(state.dealer) > 1:
        return noticed_late(state, line.for_box)
    return SkipHand(line.for_box, line.by_house) if state.turn[0] == line.for_box else NoticeSkip(line.for_box)


def noticed_late(state: Round, number: int) -> Command | None:
    """After the dealer's second card a hand passed over is finished anyway (adelaide 106); for any other, a refusal."""
    box = find_box(state, number)
    return None if box is not None and any(hand.short for hand in box.hands) else NoticeSkip(number)


def noticed_in_turn(state: Round, lines: Sequence[Line]) -> bool:
    """Whether the hand in turn says at once what it does without its card; the last line is next."""
    following = next((line for line in reversed(lines) if line.box or line.verb == "goes"), None)
    return following is not None and _answers(state, following)


def noticed_in_time(state: Round, lines: Sequence[Line]) -> bool:
    """Whether the hand in turn says so later, before the dealer goes on."""
    following = next((line for line in reversed(lines) if line.box == state.turn[0] or line.verb == "goes"), None)
    return following is not None and _answers(state, following)


def _answers(state: Round, line: Line) -> bool:
    """Whether a line says what a hand without its card does; of a split box only the last hand is certain."""
    number, hand = state.turn
    box = find_box(state, number)
    return box is not None and line.box == number and hand == len(box.hands) and line.verb in WITHOUT_CARD


def due(state: Round) -> tuple[int, int] | None:
    """The hand whose next card could be missed: any but the first of the initial deal."""
    place = next_place(state)
    box = find_box(state, place[0]) if place else None
    return place if box is not None and box.hands[0].cards else None

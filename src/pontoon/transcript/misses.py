"""Lines about a card that was not dealt: `dealer missed b1` stands where it is noticed, the card was due before it.

Where a document puts such an error right, what the box decides afterwards belongs to the place where its card was due.
Where it does not (adelaide 105, 106), the card is left out, and the hand is finished when that is noticed.
"""

from __future__ import annotations

from collections.abc import Sequence

from pontoon.cards import Card
from pontoon.engine import Command, DealCard, MissCard, NoticeSkip, PutRight, Refusal, Round, SkipHand, play
from pontoon.engine.dealing import next_place
from pontoon.engine.state import find_box, hand_in_turn
from pontoon.transcript.model import Line

DECISIONS = ("hit", "stand", "double", "split", "absent", "refuse")


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
    own = [line for line in lines[place:] if box in (line.box, line.for_box)]
    rest = [line for line in lines[place:] if box not in (line.box, line.for_box)]
    return (*lines[:to], *own, *lines[to:place], *rest)


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
    command: Command = MissCard(missed.for_box, 1, missed.by_house)
    for card in (None, *cards):
        played = play(state, command if card is None else DealCard(card))
        if isinstance(played, Refusal) or played.state.phase != "initial_deal":
            return isinstance(played, Refusal) or not played.state.settlements
        state = played.state
    return True


def command_for(state: Round, line: Line, lines: Sequence[Line]) -> Command | None:
    """What a line about a missed card asks of the round where it is noticed; None where that changes nothing."""
    box, number = line.for_box, line.hand or (state.turn[1] if state.turn[0] == line.for_box else 1)
    house = line.by_house
    if state.rules.irregular.missing_card == "reconstruct":
        return PutRight(box, number, house)
    if line.at >= 0 or (state.phase == "card" and state.turn == (box, number)):
        return MissCard(box, number, house)
    if state.phase == "decision" and state.turn == (box, number) and not hand_in_turn(state).skipped:
        comes_back = any(one.box == box for one in lines)
        one_card = hand_in_turn(state).missed and len(hand_in_turn(state).cards) == 1
        return None if one_card and comes_back else SkipHand(box, house)
    return None if len(state.dealer) > 1 else NoticeSkip(box)


def due(state: Round) -> tuple[int, int] | None:
    """The hand whose next card could be missed: any but the first of the initial deal."""
    place = next_place(state)
    box = find_box(state, place[0]) if place else None
    return place if box is not None and box.hands[0].cards else None

"""Procedure: a whole round in which the program plays the boxes and the pupil names each step of the dealer."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from msgspec import Struct

from pontoon.engine import (
    CallNoMoreBets,
    CloseOffer,
    Command,
    DealCard,
    Double,
    Hit,
    Insure,
    Round,
    Settled,
    Split,
    Stand,
)
from pontoon.engine.dealing import next_place
from pontoon.engine.events import clauses_of
from pontoon.engine.state import find_box
from pontoon.rulebook import Clauses, Rulebook
from pontoon.school.model import Question, among, hands_of
from pontoon.school.rounds import Moment, Played, played_round

OFFERS = {"insurance": "Offer insurance", "surrender": "Offer surrender", "forfeit": "Ask who forfeits"}
CLOSE, CALL, TO_DEALER = "Close the offer", "Call no more bets", "Card to the dealer"
ACTIONS: dict[type[Command], str] = {
    Hit: "asks for a card", Stand: "stands", Double: "doubles", Split: "splits", Insure: "insures"
}  # fmt: skip


class Step(Struct, frozen=True):
    """Something the dealer does, the table before it, and what happened last."""

    act: str
    state: Round
    clauses: Clauses
    said: str


def procedure(rules: Rulebook, level: int, chance: Random) -> tuple[Question, ...]:
    """Every step of a round, from the call to the settlement."""
    return tuple(_question(step, chance) for step in steps(played_round(rules, level, chance)))


def steps(played: Played) -> Iterator[Step]:
    """What the dealer does in this round, in order; a player's own action is stated before the next step."""
    said, offer = "The wagers lie on the boxes", ""
    for moment in played.moments:
        phase = moment.state.phase
        act = _act(moment, again=phase == offer)
        offer = phase if phase in OFFERS else ""
        if act:
            yield Step(act, moment.state, _cited(moment), said)
        said = _said(moment)
        for settled in moment.events:
            if isinstance(settled, Settled) and settled.moment != "final" and settled.net and settled.kind == "main":
                verb = "Pay" if settled.net > 0 else "Take"
                yield Step(f"{verb} box {settled.box} now", _after(played, moment), settled.clauses, said)
                break
    final = [
        payment
        for payment in played.end.settlements
        if isinstance(payment, Settled) and payment.moment == "final" and payment.net
    ]
    if len({payment.box for payment in final}) > 1:
        yield Step(f"Settle box {final[0].box} first", played.end, final[0].clauses, said)


def _act(moment: Moment, *, again: bool) -> str:
    """What the dealer does at this moment; nothing while further players answer an offer."""
    state, command = moment.state, moment.command
    if isinstance(command, CallNoMoreBets):
        return CALL
    if isinstance(command, DealCard):
        box, hand = next_place(state) or (0, 0)
        return f"Card to {_place(state, box, hand)}" if box else TO_DEALER
    if state.phase in OFFERS:
        closing = isinstance(command, CloseOffer)
        return (CLOSE if closing else "") if again else OFFERS[state.phase]
    return CLOSE if isinstance(command, CloseOffer) else f"Ask {_place(state, *state.turn)}"


def _place(state: Round, box: int, hand: int) -> str:
    found = find_box(state, box)
    several = found is not None and len(found.hands) > 1
    return f"box {box}, hand {hand}" if several else f"box {box}"


def _said(moment: Moment) -> str:
    command = moment.command
    if isinstance(command, DealCard):
        box, hand = next_place(moment.state) or (0, 0)
        return f"{command.card} lies on {_place(moment.state, box, hand)}" if box else f"You have drawn {command.card}"
    action = ACTIONS.get(type(command), "")
    box = int(getattr(command, "box", 0))
    seat = find_box(moment.state, box)
    name = str(getattr(command, "player", "")) or (seat.controller if seat is not None else "")
    return f"{name}, box {box}, {action}" if action else ""


def _cited(moment: Moment) -> Clauses:
    return next((found for event in moment.events if (found := clauses_of(event))), ())


def _after(played: Played, moment: Moment) -> Round:
    place = played.moments.index(moment) + 1
    return played.moments[place].state if place < len(played.moments) else played.end


def _question(step: Step, chance: Random) -> Question:
    boxes = [box.number for box in step.state.boxes]
    others = [CALL, TO_DEALER, CLOSE, *OFFERS.values(), *(f"Card to box {box}" for box in boxes)]
    others += [f"Ask box {box}" for box in boxes]
    if step.act.startswith(("Settle", "Pay", "Take")):
        others += [f"{step.act.split()[0]} box {box} {step.act.split()[-1]}" for box in boxes]
    unlike = [other for other in others if not step.act.startswith(other)]
    return Question(
        "You are the dealer. What do you do now?",
        hands_of(step.state, named=True),
        among((step.act,), unlike, chance),
        (step.act,),
        f"Now: {step.act[0].lower()}{step.act[1:]}",
        step.clauses,
        5,
        step.said,
    )

"""The commands of the floor: undoing a card, chips and counts, payments that differ, the call for a supervisor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pontoon.server.floor.money import is_walk_up
from pontoon.server.problems import Problem, problem
from pontoon.server.rooms import commands as r
from pontoon.server.rooms.log import CardUndone, ChipsMoved, PaymentNoted, SupervisorCalled
from pontoon.table.state import Table, seat_of

if TYPE_CHECKING:
    from pontoon.server.rooms.actors import Actor
    from pontoon.server.rooms.decide import Step

COUNTS = ("opening", "count", "closing")
OF_A_PLAYER = ("buy_in", "cash_out")


def _undo_card(step: Step, _: Actor, __: r.UndoCard) -> Problem | None:
    state = step.state
    if not state.floor.undo or state.floor.undo_at != state.version:
        return problem("nothing_to_undo")
    last = state.floor.undo[-1]
    box, hand = _place(last.table, state.table, last.card)
    returns = tuple((posting.account, -posting.amount) for posting in last.postings)
    step.put(CardUndone(last.card, box, hand, returns))
    return None


def _place(before: Table, after: Table, card: str) -> tuple[int, int]:
    """Where a card went; box 0 is the dealer."""
    if before.round is None or after.round is None:
        return 0, 0
    hands = {(box.number, number): hand.cards for box in before.round.boxes for number, hand in enumerate(box.hands, 1)}
    for box in after.round.boxes:
        for number, hand in enumerate(box.hands, 1):
            if hand.cards[-1:] == (card,) and hand.cards != hands.get((box.number, number)):
                return box.number, number
    return 0, 0


def _move_chips(step: Step, _: Actor, command: r.MoveChips) -> Problem | None:
    state = step.state
    tray, counted = state.floor.tray, sum(worth * count for worth, count in command.chips)
    if tray is None and command.kind != "opening" and command.kind not in OF_A_PLAYER:
        return problem("no_float")
    if command.kind in OF_A_PLAYER:
        return _of_a_player(step, command)
    if command.kind not in COUNTS:
        if not command.amount:
            return problem("malformed", detail="how much? amount is missing")
        step.put(ChipsMoved(command.kind, command.amount, command.amount, "", command.slip, command.chips))
        return None
    amount = counted if command.chips else command.amount
    due = command.amount if tray is None else tray
    if command.kind == "opening" and amount != due:
        return problem("float_differs", counted=amount, due=due)
    kind = "count" if command.kind == "opening" and tray is not None else command.kind
    step.put(ChipsMoved(kind, amount, due, "", command.slip, command.chips))
    return None


def _of_a_player(step: Step, command: r.MoveChips) -> Problem | None:
    table = step.state.table
    known = is_walk_up(command.player) or seat_of(table, command.player) is not None
    if not command.amount or not known:
        return problem("malformed", detail="a buy-in and a cash-out need an amount and a player at this table")
    step.put(ChipsMoved(command.kind, command.amount, command.amount, command.player, command.slip, command.chips))
    return None


def _note_payment(step: Step, _: Actor, command: r.NotePayment) -> Problem | None:
    now = step.state.table.round
    settled = [
        settlement
        for settlement in (now.settlements if now is not None else ())
        if (settlement.box, settlement.hand or 1, settlement.player) == (command.box, command.hand, command.player)
    ]
    due = sum(settlement.net for settlement in settled)
    if not settled or due == command.paid:
        return problem("paid_as_due" if settled else "nothing_settled", box=command.box, player=command.player)
    step.put(PaymentNoted(step.state.table.number, command.box, command.hand, command.player, due, command.paid))
    return None


def _call_supervisor(step: Step, actor: Actor, command: r.CallSupervisor) -> Problem | None:
    if step.state.held:
        return problem("paused", reason=step.state.held)
    step.put(SupervisorCalled(actor.name, command.reason))
    return None


FLOOR: dict[type[r.RoomCommand], Any] = {
    r.UndoCard: _undo_card,
    r.MoveChips: _move_chips,
    r.NotePayment: _note_payment,
    r.CallSupervisor: _call_supervisor,
}
"""What each command of the floor leads to."""

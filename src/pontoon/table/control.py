"""Control: who decides for a box with several bettors, and how control is declined, lost or taken over."""

from __future__ import annotations

from pontoon.engine import Split, Wager, refusal
from pontoon.engine.refusals import Refusal, refuse
from pontoon.engine.state import box_in_turn
from pontoon.table.commands import DeclineControl, TakeControl
from pontoon.table.events import ControlDeclined, ControlTaken
from pontoon.table.flow import Flow, play_in_round
from pontoon.table.people import held_back
from pontoon.table.state import Table, box_of, person, seat_of, seated_at


def controller_of(table: Table, number: int) -> str:
    """The player who decides for a box; empty if nobody may or all declined."""
    box = box_of(table, number)
    assert box is not None
    seated = seated_at(table, number)
    willing = [wager for wager in box.bettors if (number, wager.player) not in (*table.declined, *table.taken)]
    if any(wager.player == seated for wager in willing):
        return seated
    free = [wager for wager in willing if not _bound_elsewhere(table, wager.player, number)]
    if not free and table.rules.people.full_table_alone == "returned":
        return ""
    declined = any(box_number == number for box_number, _ in table.declined)
    return _first_in_line(table, free or willing, in_order=declined)


def _bound_elsewhere(table: Table, player: str, number: int) -> bool:
    """Whether this player is seated at another box of a full table, and so decides only there."""
    seat = seat_of(table, player)
    return table.full and table.rules.people.full_table != "free" and seat is not None and seat.box != number


def _first_in_line(table: Table, wagers: list[Wager], *, in_order: bool) -> str:
    """The first bettor in line; `in_order` after a player declined, if that changes the order."""
    rules = table.rules.people
    if not wagers:
        return ""
    if in_order and rules.control_declined == "in_order":
        return wagers[0].player
    if rules.control == "highest_nearest":
        return max(wagers, key=lambda wager: wager.stake).player  # of equal stakes the nearest, which comes first
    if rules.control == "seated_nearest":
        return next((wager.player for wager in wagers if seat_of(table, wager.player)), wagers[0].player)
    return wagers[0].player


def refuse_decline_control(table: Table, command: DeclineControl) -> Refusal | None:
    """Whether this bettor is asked to control the box and the document lets a bettor decline."""
    rules = table.rules
    if rules.people.control_declined == "nearest":
        return refuse("document_silent", rules.clauses("people.control_declined"), matter="declining_control")
    box = box_of(table, command.box)
    if table.phase != "ready" or box is None or controller_of(table, command.box) != command.player:
        return refuse("not_asked_to_control", rules.clauses("people.control"), player=command.player)
    return None


def decline_control(flow: Flow, command: DeclineControl) -> None:
    """Pass the offer of control to the next bettor."""
    clauses = flow.state.rules.clauses("people.control_declined")
    flow.put(ControlDeclined(clauses, command.box, command.player))


def refuse_take_control(table: Table, command: TakeControl) -> Refusal | None:
    """Whether this standing player is held to the minimum and has declined to wager often enough at a full table."""
    rules = table.rules
    clauses, wanted = rules.clauses("people.held_idle_rounds"), rules.people.held_idle_rounds
    if not wanted:
        return refuse("document_silent", clauses, matter="taking_control")
    if seat_of(table, command.player) is not None:
        return refuse("player_is_seated", clauses, player=command.player)
    if not 1 <= command.box <= rules.boxes.count:
        return refuse("no_such_box", rules.clauses("boxes.count"), box=command.box, count=rules.boxes.count)
    idle = table.shoe_round - max(person(table, command.player).rounds, default=0)
    others = len(table.seats) >= rules.boxes.count - 1  # every seat but one at the box in question
    if not held_back(table, command.player) or not others or idle < wanted:
        return refuse("seat_not_idle", clauses, player=command.player, idle=idle, wanted=wanted)
    return None


def take_control(flow: Flow, command: TakeControl) -> None:
    """End the player's control of the box until the next shoe."""
    clauses = flow.state.rules.clauses("people.held_idle_rounds")
    flow.put(ControlTaken(clauses, command.box, command.player, command.by))


def cover_for_restricted(flow: Flow, unable: tuple[str, ...]) -> None:
    """Cover a split for restricted co-bettors who did not answer (adelaide 81(a)), except those without the chips."""
    table = flow.state
    state = table.round
    assert state is not None
    if state.joining != "split" or not table.rules.people.restricted_silent:
        return
    box = box_in_turn(state)
    for wager in box.bettors:
        command = Split(box.number, wager.player)
        covers = _must_cover(table, wager.player) and wager.player not in (box.controller, *unable)
        if covers and flow.state.round is not None and refusal(flow.state.round, command) is None:
            play_in_round(flow, command)


def _must_cover(table: Table, player: str) -> bool:
    """Whether a player or one of the player's partners is restricted."""
    return any(person(table, partner).restricted for partner in (player, *person(table, player).partners))

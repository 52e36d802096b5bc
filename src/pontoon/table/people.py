"""People: seats, limits, who is held back, who calls the decisions."""

from __future__ import annotations

from pontoon.engine import PlaceWager, Wager
from pontoon.engine.flow import cite
from pontoon.engine.refusals import Refusal, refuse
from pontoon.rulebook import Clauses
from pontoon.table.commands import (
    AllowPersonalLimit,
    DeclarePartners,
    DeclineControl,
    Exclude,
    Leave,
    Restrict,
    SetLimits,
    Sit,
    TakeSeat,
)
from pontoon.table.events import (
    ControlDeclined,
    LimitsSet,
    PartnersDeclared,
    PersonalLimitAllowed,
    PlayerExcluded,
    PlayerLeft,
    PlayerRestricted,
    PlayerSat,
)
from pontoon.table.flow import Flow
from pontoon.table.state import Table, box_of, in_shuffling_shoe, person, seat_of, seated_at


def refuse_sit(table: Table, command: Sit) -> Refusal | None:
    """Whether this seat is free for this player."""
    rules = table.rules
    if table.phase == "closed":
        return refuse("table_is_closed", rules.table.seated)
    if not 1 <= command.box <= rules.boxes.count:
        return refuse("no_such_box", rules.clauses("boxes.count"), box=command.box, count=rules.boxes.count)
    if seated_at(table, command.box) or seat_of(table, command.player):
        return refuse("seat_taken", rules.table.seated, box=command.box, player=command.player)
    if person(table, command.player).excluded:
        return refuse("player_excluded", rules.table.excluded, player=command.player)
    return None


def sit(flow: Flow, command: Sit) -> None:
    """Take the seat."""
    flow.put(PlayerSat(flow.state.rules.table.seated, command.player, command.box))


def refuse_leave(table: Table, command: Leave) -> Refusal | None:
    """Whether the player sits here."""
    if seat_of(table, command.player) is None:
        return refuse("not_seated", table.rules.table.seated, player=command.player)
    return None


def leave(flow: Flow, command: Leave) -> None:
    """Give the seat up; wagers in play stay."""
    flow.put(PlayerLeft(flow.state.rules.table.seated, command.player))


def refuse_limits(table: Table, command: SetLimits) -> Refusal | None:
    """Limits change between rounds and after a word to the players."""
    clauses = table.rules.table.limits_shown
    if table.phase in ("round", "collect") or (table.round is not None and table.round.boxes):
        return refuse("round_in_progress", clauses)
    if table.seats and not command.told:
        return refuse("players_not_told", clauses)
    low, high = command.limits.minimum, command.limits.maximum
    if min(low, high, command.limits.smallest_chip, command.box_maximum) < 0 or (high and high < low) or high % 2:
        return refuse("limits_wrong", clauses, minimum=low, maximum=high)
    return None


def set_limits(flow: Flow, command: SetLimits) -> None:
    """Change the sign."""
    flow.put(LimitsSet(flow.state.rules.table.limits_shown, command.limits, command.box_maximum))


def refuse_personal(table: Table, command: AllowPersonalLimit) -> Refusal | None:
    """Whether the document knows personal limit markers."""
    clauses = table.rules.clauses("people.personal_limit")
    if not table.rules.people.personal_limit:
        return refuse("document_silent", clauses, matter="personal_limits")
    if command.maximum <= table.limits.maximum:
        return refuse("no_higher_limit", clauses, maximum=command.maximum)
    return None


def allow_personal(flow: Flow, command: AllowPersonalLimit) -> None:
    """Put the marker by the box."""
    clauses = flow.state.rules.clauses("people.personal_limit")
    flow.put(PersonalLimitAllowed(clauses, command.player, command.box, command.maximum))


def refuse_restrict(table: Table, command: Restrict) -> Refusal | None:
    """Whether a player may be held back, after whoever must be consulted."""
    rules = table.rules
    clauses = rules.clauses("people.restricted_boxes")
    if not rules.people.restricted_boxes:
        return refuse("document_silent", clauses, matter="restricting_a_player")
    if rules.irregular.approval == "inspector" and not command.consulted:
        return refuse("consult_first", cite(clauses, rules.table.restricted), player=command.player)
    return None


def restrict(flow: Flow, command: Restrict) -> None:
    """Hold the player to few boxes at the minimum."""
    clauses = cite(flow.state.rules.clauses("people.restricted_boxes"), flow.state.rules.table.restricted)
    flow.put(PlayerRestricted(clauses, command.player, command.by, command.reason))


def refuse_take_seat(table: Table, command: TakeSeat) -> Refusal | None:
    """Whether the seat was idle long enough at a full table."""
    wanted, clauses = _idle_rounds(table, command.player)
    seat = seat_of(table, command.player)
    if not wanted:
        return refuse("document_silent", clauses, matter="idle_seats")
    if seat is None or not table.full or seat.idle < wanted:
        idle = seat.idle if seat else 0
        return refuse("seat_not_idle", clauses, player=command.player, idle=idle, wanted=wanted)
    return None


def _idle_rounds(table: Table, player: str) -> tuple[int, Clauses]:
    """How many rounds a seat may be idle: fewer for somebody held back, where the document says so."""
    held = table.rules.people.held_idle_rounds
    if held and held_back(table, player):
        return held, table.rules.clauses("people.held_idle_rounds")
    return table.rules.people.idle_rounds, table.rules.clauses("people.idle_rounds")


def take_seat(flow: Flow, command: TakeSeat) -> None:
    """The seat is free again."""
    flow.put(PlayerLeft(_idle_rounds(flow.state, command.player)[1], command.player))


def refuse_partners(table: Table, command: DeclarePartners) -> Refusal | None:
    """Whether the document treats players who act together as one."""
    clauses = table.rules.clauses("people.partners")
    if table.rules.people.partners == "silent":
        return refuse("document_silent", clauses, matter="partners")
    return None if len(set(command.players)) > 1 else refuse("partners_needed", clauses)


def declare_partners(flow: Flow, command: DeclarePartners) -> None:
    """From now on they count as one."""
    flow.put(PartnersDeclared(flow.state.rules.clauses("people.partners"), command.players, command.by))


def refuse_exclude(table: Table, command: Exclude) -> Refusal | None:
    """Whether the document lets a player be excluded or refused, for a reason."""
    clauses = table.rules.clauses("people.exclusion")
    if table.rules.people.exclusion == "none":
        return refuse("document_silent", clauses, matter="excluding_a_player")
    if not command.reason:
        return refuse("reason_needed", clauses)
    return None


def exclude(flow: Flow, command: Exclude) -> None:
    """The player is out."""
    clauses = flow.state.rules.clauses("people.exclusion")
    flow.put(PlayerExcluded(clauses, command.player, command.by, command.reason))


# --- wagers --------------------------------------------------------------------------------------------


def held_back(table: Table, player: str) -> str:
    """The key of the rule that holds a player to the minimum; empty when the player is free."""
    rules = table.rules
    if person(table, player).restricted:
        return "people.restricted_boxes"
    if not table.hold_late or rules.people.late == "free" or in_shuffling_shoe(table):
        return ""
    there = set(person(table, player).rounds)
    missed = [number for number in range(1, table.shoe_round + 1) if number not in there]
    if rules.people.late == "first_round":
        return "people.late" if missed else ""
    late = missed[:2] == [1, 2] or any(number > 2 for number in missed)  # the first two rounds are free
    return "people.late" if late else ""


def maximum_for(table: Table, player: str, box: int) -> int:
    """The most a player may stake on a box: the sign's maximum, or a personal limit."""
    personal = [most for number, most in person(table, player).personal if number == box]
    return max([table.limits.maximum, *personal]) if table.limits.maximum else 0


def refuse_wager(table: Table, command: PlaceWager) -> Refusal | None:
    """What the table has to say to a wager before the engine does."""
    rules, limits = table.rules, table.limits
    one = person(table, command.player)
    if one.excluded:
        return refuse("player_excluded", rules.table.excluded, player=command.player)
    held = held_back(table, command.player)
    if held and command.stake > limits.minimum:
        return refuse("held_to_minimum", rules.clauses(held), player=command.player, minimum=limits.minimum)
    most = _most_boxes(table, command.player, held=bool(held))
    if most and len(_boxes_of(table, command.player)) >= most:
        clauses = rules.clauses(held) if held else rules.table.several_boxes
        return refuse("too_many_boxes", clauses, player=command.player, most=most)
    if command.stake < limits.minimum and (table.mode == "automatic" or one.warned):
        return refuse("below_minimum", rules.clauses("wagers.below_minimum"), minimum=limits.minimum)
    maximum = maximum_for(table, command.player, command.box)
    if maximum and command.stake > maximum and table.mode == "automatic":
        return refuse("above_maximum", rules.clauses("wagers.above_maximum"), maximum=maximum)
    return _refuse_box_total(table, command)


def _refuse_box_total(table: Table, command: PlaceWager) -> Refusal | None:
    """What all wagers on a box may come to: by the sign, or beside somebody's personal limit marker."""
    rules, box = table.rules, box_of(table, command.box)
    partners = person(table, command.player).partners
    if box is not None and any(wager.player in partners for wager in box.bettors):
        return refuse("partner_on_box", rules.clauses("people.partners"), player=command.player, box=command.box)
    total = command.stake + sum(wager.stake for wager in box.bettors) if box else command.stake
    if table.box_maximum and total > table.box_maximum:
        return refuse("box_maximum", rules.table.limits_shown, box=command.box, maximum=table.box_maximum)
    owners = {one.player for one in table.people for number, _ in one.personal if number == command.box}
    beside = owners and command.player not in owners and table.limits.maximum
    if beside and total > table.limits.maximum:
        clauses = rules.clauses("people.personal_limit")
        return refuse("box_maximum", clauses, box=command.box, maximum=table.limits.maximum)
    return None


def _most_boxes(table: Table, player: str, *, held: bool) -> int:
    if person(table, player).restricted:
        return table.rules.people.restricted_boxes
    most = [boxes for boxes in (table.rules.people.late_boxes if held else 0, table.boxes_each) if boxes]
    return min(most, default=0)


def _boxes_of(table: Table, player: str) -> list[int]:
    if table.round is None:
        return []
    return [box.number for box in table.round.boxes if any(wager.player == player for wager in box.bettors)]


# --- control -------------------------------------------------------------------------------------------


def controller_of(table: Table, number: int) -> str:
    """Who calls the decisions for a box; empty when everybody declined."""
    box = box_of(table, number)
    assert box is not None
    seated = seated_at(table, number)
    willing = [wager for wager in box.bettors if (number, wager.player) not in table.declined]
    if any(wager.player == seated for wager in willing):
        return seated
    free = [wager for wager in willing if not _bound_elsewhere(table, wager.player, number)]
    return _first_in_line(table, free or willing)


def _bound_elsewhere(table: Table, player: str, number: int) -> bool:
    """At a full table somebody seated at another box calls only that one."""
    seat = seat_of(table, player)
    return table.full and table.rules.people.full_table != "free" and seat is not None and seat.box != number


def _first_in_line(table: Table, wagers: list[Wager]) -> str:
    if not wagers:
        return ""
    if table.rules.people.control == "highest_nearest":
        return max(wagers, key=lambda wager: wager.stake).player  # of equal stakes the nearest, which comes first
    return wagers[0].player


def refuse_decline_control(table: Table, command: DeclineControl) -> Refusal | None:
    """Whether this bettor is asked to control the box and the document lets one decline."""
    rules = table.rules
    if rules.people.control_declined != "void":
        return refuse("document_silent", rules.clauses("people.control_declined"), matter="declining_control")
    box = box_of(table, command.box)
    if table.phase != "ready" or box is None or controller_of(table, command.box) != command.player:
        return refuse("not_asked_to_control", rules.clauses("people.control"), player=command.player)
    return None


def decline_control(flow: Flow, command: DeclineControl) -> None:
    """The offer of control goes to the next wager."""
    clauses = flow.state.rules.clauses("people.control_declined")
    flow.put(ControlDeclined(clauses, command.box, command.player))

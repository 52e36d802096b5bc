"""People: seats, who is held to the minimum, restrictions, partners, exclusion."""

from __future__ import annotations

from pontoon.engine.flow import cite
from pontoon.engine.refusals import Refusal, refuse
from pontoon.rulebook import Clauses
from pontoon.table.commands import (
    AllowBoxes,
    DeclarePartners,
    Exclude,
    HoldLate,
    Leave,
    Restrict,
    Sit,
    TakeSeat,
)
from pontoon.table.events import (
    Announced,
    BoxesAllowed,
    LateEntryHeld,
    PartnersDeclared,
    PlayerExcluded,
    PlayerLeft,
    PlayerRestricted,
    PlayerSat,
    Reported,
)
from pontoon.table.flow import Flow
from pontoon.table.state import Table, in_shuffling_shoe, person, seat_of, seated_at


def refuse_sit(table: Table, command: Sit) -> Refusal | None:
    """Whether this seat is free and this player may take it."""
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


def refuse_restrict(table: Table, command: Restrict) -> Refusal | None:
    """Whether the document allows a player to be restricted, after consulting those it names."""
    rules = table.rules
    clauses = rules.clauses("people.restricted_boxes")
    if not rules.people.restricted_boxes:
        return refuse("document_silent", clauses, matter="restricting_a_player")
    if rules.irregular.approval == "inspector" and not command.consulted:
        return refuse("consult_first", cite(clauses, rules.table.restricted), player=command.player)
    return None if rules.sources["table.restricted_reported"].silent else _refuse_unreported(table, command)


def _refuse_unreported(table: Table, command: Restrict) -> Refusal | None:
    """Refuse one by the dealer, or one without a reason unless the player was restricted before (canberra 4.9)."""
    clauses = cite(table.rules.table.restricted_reported, table.rules.table.restricted)
    if command.by == "dealer":
        return refuse("not_a_supervisor", clauses, by=command.by)
    if not command.reason and not person(table, command.player).restricted:
        return refuse("reason_needed", clauses)
    return None


def restrict(flow: Flow, command: Restrict) -> None:
    """Restrict the player to few boxes at the minimum; announce and report it if the document says so."""
    rules = flow.state.rules
    clauses = cite(rules.clauses("people.restricted_boxes"), rules.table.restricted)
    flow.put(PlayerRestricted(clauses, command.player, command.by, command.reason))
    if not rules.sources["table.restricted_told"].silent:
        words = "You have the right to consult an authorised officer"
        flow.put(Announced(rules.table.restricted_told, words, command.player))
    if not rules.sources["table.restricted_reported"].silent:
        reported = rules.table.restricted_reported
        flow.put(Reported(reported, "commission", "restriction", command.player, command.by, command.reason))


def refuse_hold_late(table: Table, command: HoldLate) -> Refusal | None:
    """Allowed if the document lets late players be held to the minimum and something changes."""
    clauses = table.rules.clauses("people.late")
    if table.rules.people.late == "free" or (command.hold and in_shuffling_shoe(table)):
        return refuse("document_silent", clauses, matter="late_entry")
    return None


def hold_late(flow: Flow, command: HoldLate) -> None:
    """Hold late and returning players to the minimum, or stop doing so."""
    clauses = flow.state.rules.clauses("people.late")
    flow.put(LateEntryHeld(clauses, command.hold, command.by, command.player))


def refuse_boxes(table: Table, command: AllowBoxes) -> Refusal | None:
    """Refuse an impossible number of boxes."""
    count = table.rules.boxes.count
    if not 0 <= command.boxes <= count:
        return refuse("no_such_box", table.rules.clauses("boxes.count"), box=command.boxes, count=count)
    return None


def allow_boxes(flow: Flow, command: AllowBoxes) -> None:
    """Set how many boxes one person may play, from the next wager on."""
    clauses = flow.state.rules.table.several_boxes
    flow.put(BoxesAllowed(clauses, command.boxes, command.by, command.player))


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
    """How many rounds a seat may be idle, and the clauses; possibly fewer for a player held to the minimum."""
    held = table.rules.people.held_idle_rounds
    if held and held_back(table, player):
        return held, table.rules.clauses("people.held_idle_rounds")
    return table.rules.people.idle_rounds, table.rules.clauses("people.idle_rounds")


def take_seat(flow: Flow, command: TakeSeat) -> None:
    """Free the seat."""
    flow.put(PlayerLeft(_idle_rounds(flow.state, command.player)[1], command.player))


def refuse_partners(table: Table, command: DeclarePartners) -> Refusal | None:
    """Allowed if the document treats players who act together as one."""
    clauses = table.rules.clauses("people.partners")
    if table.rules.people.partners == "silent":
        return refuse("document_silent", clauses, matter="partners")
    return None if len(set(command.players)) > 1 else refuse("partners_needed", clauses)


def declare_partners(flow: Flow, command: DeclarePartners) -> None:
    """Record players who act together; from now on they count as one."""
    flow.put(PartnersDeclared(flow.state.rules.clauses("people.partners"), command.players, command.by))


def refuse_exclude(table: Table, command: Exclude) -> Refusal | None:
    """Whether the document allows a player to be excluded or refused, for a reason."""
    clauses = table.rules.clauses("people.exclusion")
    if table.rules.people.exclusion == "none":
        return refuse("document_silent", clauses, matter="excluding_a_player")
    if not command.reason:
        return refuse("reason_needed", clauses)
    return None


def exclude(flow: Flow, command: Exclude) -> None:
    """Exclude the player from further wagers."""
    clauses = flow.state.rules.clauses("people.exclusion")
    flow.put(PlayerExcluded(clauses, command.player, command.by, command.reason))


# --- who is held back ----------------------------------------------------------------------------------


def held_back(table: Table, player: str) -> str:
    """The key of the rule that holds a player to the minimum; empty if no rule does."""
    rules = table.rules
    if person(table, player).restricted:
        return "people.restricted_boxes"
    own = person(table, player).late
    held = own == "held" or (table.hold_late and own != "free")
    if not held or rules.people.late == "free" or in_shuffling_shoe(table):
        return ""
    there = set(person(table, player).rounds)
    missed = [number for number in range(1, table.shoe_round + 1) if number not in there]
    if rules.people.late == "first_round":
        return "people.late" if missed else ""
    late = missed[:2] == [1, 2] or any(number > 2 for number in missed)  # the first two rounds are free
    return "people.late" if late else ""


def most_boxes(table: Table, player: str, *, held: bool) -> int:
    """How many boxes a player may have; 0 is no limit."""
    one = person(table, player)
    if one.restricted:
        return table.rules.people.restricted_boxes
    most = [boxes for boxes in (table.rules.people.late_boxes if held else 0, one.boxes or table.boxes_each) if boxes]
    return min(most, default=0)


def one_player(table: Table, player: str) -> tuple[str, ...]:
    """The player and all partners who count as the same player."""
    if table.rules.people.partners != "one_player":
        return (player,)
    return (player, *person(table, player).partners)


def boxes_of(table: Table, player: str) -> list[int]:
    """The boxes a player has a wager on, partners who count as the same player included."""
    if table.round is None:
        return []
    players = one_player(table, player)
    return [box.number for box in table.round.boxes if any(wager.player in players for wager in box.bettors)]

"""The cut: who is offered it, how deep it goes, where the cutting card goes, and the card burned after it."""

from __future__ import annotations

from pontoon.engine.flow import cite
from pontoon.engine.refusals import Refusal, refuse
from pontoon.table.commands import BurnFirst, Cut, DeclineCut, PlaceCuttingCard, ShowBurn
from pontoon.table.events import BurnShown, CardsBurned, CardsCut, CutDeclined, CuttingCardPlaced
from pontoon.table.flow import Flow
from pontoon.table.state import NOT_INSERTED, PACK_SIZE, Table, belongs, possible, seat_of

WHOLE = 100


def cutters(table: Table) -> tuple[str, ...]:
    """Seated players in the order the cut is offered: first the one the document names, then clockwise."""
    boxes = [seat.box for seat in table.seats]
    if not boxes:
        return ()
    start = _first_cutter(table, boxes)
    clockwise = [box for box in boxes if box >= start] + [box for box in boxes if box < start]
    names = {seat.box: seat.player for seat in table.seats}
    return tuple(names[box] for box in clockwise)


def _first_cutter(table: Table, boxes: list[int]) -> int:
    """The box where the offer begins; farthest left is the lowest box, farthest right the highest."""
    rules, came = table.rules.cut, table.shoe.came
    if table.failed and table.phase == "shuffled":  # a device failed in mid-round
        return boxes[-1]
    if table.due == "changed" and rules.new_cards != "as_before":
        return _named(table, boxes, rules.new_cards)
    if came == "dealer":
        return boxes[-1]
    if came.isdigit():
        seat = seat_of(table, table.shoe.came_to) if rules.box == "player" else None
        if seat is not None:
            return seat.box
        return next((box for box in boxes if box >= int(came)), boxes[0])
    return _named(table, boxes, rules.first)


def _named(table: Table, boxes: list[int], who: str) -> int:
    if who == "first_player":
        return next((seat.box for seat in table.seats if seat.player == table.first_player), boxes[0])
    return boxes[0]


def seen_before_shoe(table: Table) -> bool:
    """A card was seen before the whole stack went into the shoe, and a shuffle was ordered."""
    return table.phase in ("shuffled", "cut") and bool(table.due) and table.shoe.left == table.size


def refuse_cut(table: Table, command: Cut) -> Refusal | None:
    """Whether this person may cut, at this depth."""
    rules = table.rules
    if table.phase != "shuffled":
        return refuse("no_cut_offered", rules.table.cut_offered, phase=table.phase)
    if seen_before_shoe(table):
        return refuse("shuffle_first", rules.table.exposed_before_shoe or rules.table.shuffled, why=table.due)
    wanted = table.offered[0] if table.offered else rules.cut.nobody
    if command.by != wanted:
        clauses = rules.table.cut_offered if table.offered else rules.clauses("cut.nobody")
        return refuse("not_the_cutter", clauses, by=command.by, wanted=wanted)
    margin = rules.cut.margin * PACK_SIZE
    if table.shoe.left < 2 * margin:  # a short stack after a failure, or of discards, has no pack to spare
        margin = min(1, table.shoe.left // 2)
    low, high = margin, table.shoe.left - margin
    if not low <= command.depth <= high:
        return refuse("cut_depth", rules.clauses("cut.margin"), depth=command.depth, low=low, high=high)
    return None


def cut(flow: Flow, command: Cut) -> None:
    """Cut the stack: the front part goes to the back."""
    rules = flow.state.rules
    clauses = cite(rules.table.cut_made, () if flow.state.offered else rules.clauses("cut.nobody"))
    flow.put(CardsCut(clauses, command.by, command.depth))


def refuse_decline(table: Table, command: DeclineCut) -> Refusal | None:
    """Only the person asked to cut may decline."""
    if table.phase != "shuffled" or not table.offered or table.offered[0] != command.player:
        return refuse("not_the_cutter", table.rules.table.cut_passed, by=command.player, wanted="")
    return None


def decline_cut(flow: Flow, command: DeclineCut) -> None:
    """Pass the offer clockwise to the next player."""
    flow.put(CutDeclined(flow.state.rules.table.cut_passed, command.player))


def refuse_cutting_card(table: Table, command: PlaceCuttingCard) -> Refusal | None:
    """Whether the cutting card may go there."""
    rules = table.rules
    if table.phase != "cut":
        return refuse("not_cut_yet", rules.table.cutting_card, phase=table.phase)
    if seen_before_shoe(table):
        return refuse("shuffle_first", rules.table.exposed_before_shoe or rules.table.shuffled, why=table.due)
    if table.mode == "floor" and command.behind == NOT_INSERTED:
        return None
    low, high = cutting_card_range(table)
    if not low <= command.behind <= high:
        clauses = cite(rules.clauses("cut.card_least"), rules.clauses("cut.card_most_percent"))
        return refuse("cutting_card_depth", clauses, behind=command.behind, low=low, high=high)
    return None


def cutting_card_range(table: Table) -> tuple[int, int]:
    """How many cards may lie behind the cutting card."""
    rules, left = table.rules.cut, table.shoe.left
    if table.failed and rules.failure_most:
        high = min(rules.failure_most * PACK_SIZE, left)
        return min(rules.failure_least * PACK_SIZE, high), high
    high = left * rules.card_most_percent // WHOLE
    return min(rules.card_least * PACK_SIZE, high), high


def place_cutting_card(flow: Flow, command: PlaceCuttingCard) -> None:
    """The stack is in the shoe; on the floor the cutting card may have been forgotten."""
    rules = flow.state.rules
    forgotten = command.behind == NOT_INSERTED
    clauses = rules.clauses("cut.missing") if forgotten else rules.table.cutting_card
    flow.put(CuttingCardPlaced(clauses, command.behind))


def refuse_burn_first(table: Table, command: BurnFirst) -> Refusal | None:
    """Whether the first card of the shoe may be burned."""
    rules = table.rules
    clauses = rules.clauses("shoe.burn_first")
    if not rules.shoe.burn_first:
        return refuse("no_burn_here", clauses or rules.table.burned)
    untouched = table.phase == "ready" and table.shoe_round == 0 and table.shoe.left == table.size
    if not untouched:
        return refuse("not_a_fresh_shoe", clauses)
    if table.mode == "automatic" and command.card:
        return refuse("order_unknown", clauses)
    if command.card and not (belongs(table, command.card) and possible(table, command.card)):
        return refuse("wrong_cards", clauses, count=1, size=table.size)
    return None


def burn_first(flow: Flow, command: BurnFirst) -> None:
    """Burn the first card, face down."""
    known = command.card or (flow.state.shoe.stack[0] if flow.state.shoe.stack else "")
    clauses = cite(flow.state.rules.clauses("shoe.burn_first"), flow.state.rules.table.burned)
    flow.put(CardsBurned(clauses, (known,) if known else (), 1))


def refuse_show_burn(table: Table, _: ShowBurn) -> Refusal | None:
    """Whether there is a burned card to see."""
    burned = table.shoe.burned or table.shoe.hidden_discards
    if not burned or not table.rules.shoe.burn_first:
        return refuse("nothing_burned", table.rules.table.burn_shown or table.rules.table.burned)
    return None


def show_burn(flow: Flow, command: ShowBurn) -> None:
    """A player sees the burned card."""
    flow.put(BurnShown(flow.state.rules.table.burn_shown, command.player))

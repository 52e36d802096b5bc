"""Care of cards and devices: changing cards, damaged cards, shuffles ordered, discards returned, jams and failures."""

from __future__ import annotations

from collections import Counter

from pontoon.cards import Card
from pontoon.engine.flow import cite
from pontoon.engine.refusals import Refusal, refuse
from pontoon.table.commands import (
    ChangeCards,
    ClearJam,
    FailDevice,
    OrderShuffle,
    ReplaceCard,
    ReturnDiscards,
)
from pontoon.table.cutting import cutters
from pontoon.table.events import (
    Announced,
    CardReplaced,
    CardsChanged,
    CutOffered,
    DeviceFailed,
    DeviceJammed,
    DiscardsReturned,
    ShuffleFellDue,
)
from pontoon.table.flow import Flow
from pontoon.table.opening import burn_after_loading
from pontoon.table.state import Table

SUPERVISORS = ("game_supervisor", "casino_supervisor", "inspector", "pit_boss", "operator")


def _between_rounds(table: Table) -> bool:
    return table.phase == "ready" and (table.round is None or not table.round.boxes)


def refuse_change(table: Table, command: ChangeCards) -> Refusal | None:
    """Cards are changed after a round, for a reason."""
    clauses = table.rules.table.cards_changed
    if not _between_rounds(table):
        return refuse("round_in_progress", clauses)
    return None if command.reason else refuse("reason_needed", clauses)


def change_cards(flow: Flow, command: ChangeCards) -> None:
    """New cards, to be checked, shuffled and cut."""
    flow.put(CardsChanged(flow.state.rules.table.cards_changed, command.reason))


def refuse_replace(table: Table, command: ReplaceCard) -> Refusal | None:
    """A damaged card is replaced after the round."""
    clauses = table.rules.clauses("irregular.damaged")
    if table.rules.irregular.damaged == "silent":
        return refuse("document_silent", clauses, matter="damaged_cards")
    if not _between_rounds(table):
        return refuse("round_in_progress", clauses)
    known = (*table.shoe.stack, *table.shoe.discards)
    if table.mode == "automatic" and command.card not in known:
        return refuse("wrong_cards", clauses, count=1, size=table.size)
    return None


def replace_card(flow: Flow, command: ReplaceCard) -> None:
    """A fresh card of the same kind takes its place."""
    flow.put(CardReplaced(flow.state.rules.clauses("irregular.damaged"), command.card))


def refuse_order_shuffle(table: Table, command: OrderShuffle) -> Refusal | None:
    """A supervisor may order a shuffle; a vacant table only where the document speaks of one."""
    rules = table.rules
    clauses = rules.table.reshuffle_ordered or rules.table.shuffled
    if command.by not in SUPERVISORS:
        return refuse("not_a_supervisor", clauses, by=command.by)
    whole = table.phase in ("shuffled", "cut") and table.shoe.left == table.size
    loose = command.reason == "exposed" and whole  # seen before the stack went into the shoe
    if table.phase not in ("ready", "round", "collect") and not loose:
        return refuse("no_shuffle_due", clauses, phase=table.phase)
    if table.due:
        return refuse("shuffle_first", clauses, why=table.due)
    if command.reason == "vacant" and (rules.shoe.vacant == "none" or table.seats):
        return refuse("table_not_vacant", rules.clauses("shoe.vacant"))
    return None


def order_shuffle(flow: Flow, command: OrderShuffle) -> None:
    """The cards are shuffled when the round, if there is one, is over."""
    rules = flow.state.rules
    clauses = {
        "vacant": rules.clauses("shoe.vacant"),
        "exposed": rules.table.exposed_before_shoe,
    }.get(command.reason, rules.table.reshuffle_ordered)
    flow.put(ShuffleFellDue(clauses, "ordered"))
    if command.reason == "vacant" and rules.shoe.vacant == "prepared":
        flow.put(Announced(clauses, "These cards are shuffled; a player may ask for another shuffle"))


def refuse_return(table: Table, command: ReturnDiscards) -> Refusal | None:
    """Discards go back into a continuous device when about enough have gathered."""
    rules = table.rules
    clauses = rules.clauses("shoe.return_discards_at") or rules.table.discards_returned
    if table.by_hand:
        return refuse("no_such_device", clauses, device=table.device)
    gathered = len(table.shoe.discards) + table.shoe.hidden_discards
    if not _between_rounds(table) or not gathered or gathered < rules.shoe.return_discards_at:
        return refuse("too_few_discards", clauses, gathered=gathered, wanted=rules.shoe.return_discards_at)
    return _wrong_order(table, command.order, (*table.shoe.stack, *table.shoe.discards))


def _wrong_order(table: Table, order: tuple[Card, ...], cards: tuple[Card, ...]) -> Refusal | None:
    clauses = table.rules.table.checked or table.rules.table.shuffled
    if table.mode == "floor":
        return refuse("order_unknown", clauses) if order else None
    if Counter(order) != Counter(cards):
        return refuse("wrong_cards", clauses, count=len(order), size=len(cards))
    return None


def return_discards(flow: Flow, command: ReturnDiscards) -> None:
    """The device mixes them in."""
    rules = flow.state.rules
    clauses = cite(rules.table.discards_returned, rules.clauses("shoe.return_discards_at"))
    flow.put(DiscardsReturned(clauses, command.order))


def refuse_jam(table: Table, command: ClearJam) -> Refusal | None:
    """Only a device can jam."""
    if table.by_hand or table.phase not in ("ready", "round"):
        return refuse("no_such_device", table.rules.table.jam or table.rules.table.shuffled, device=table.device)
    return _refuse_exposed(table) or _wrong_order(table, command.order, table.shoe.stack)


def clear_jam(flow: Flow, command: ClearJam) -> None:
    """Riffled once and loaded again; the first cards are burned where the document says so."""
    flow.put(DeviceJammed(flow.state.rules.table.jam or flow.state.rules.table.shuffled, command.order))
    burn_after_loading(flow)


def refuse_failure(table: Table, command: FailDevice) -> Refusal | None:
    """Only a device can fail, and only once."""
    clauses = table.rules.table.device_failed or table.rules.table.shuffled
    if table.by_hand or table.phase not in ("ready", "round"):
        return refuse("no_such_device", clauses, device=table.device)
    if table.phase == "round":
        return _refuse_exposed(table) or _wrong_order(table, command.order, table.shoe.stack)
    return refuse("order_unknown", clauses) if command.order else None


def _refuse_exposed(table: Table) -> Refusal | None:
    """A card everybody has seen is dealt before the rest is mixed."""
    if table.round is None or not table.round.exposed:
        return None
    return refuse("exposed_card_is_next", table.rules.clauses("irregular.exposed"), card=table.round.exposed)


def fail_device(flow: Flow, command: FailDevice) -> None:
    """In mid-round the rest is shuffled, cut and dealt by hand; between rounds the table prepares an ordinary shoe."""
    in_round = flow.state.phase == "round"
    rules = flow.state.rules
    flow.put(DeviceFailed(rules.table.device_failed or rules.table.shuffled, command.order))
    if in_round:
        flow.put(CutOffered(rules.table.cut_offered, cutters(flow.state)))
    else:
        new_cards_after_failure(flow)


def new_cards_after_failure(flow: Flow) -> None:
    """New cards take the place of a failed device's, unless the document lets its cards go on by hand."""
    rules = flow.state.rules
    if flow.state.failed and not rules.cut.failure_most:
        flow.put(CardsChanged(cite(rules.table.device_failed, rules.table.cards_changed), "the device failed"))

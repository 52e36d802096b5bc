"""Cards and devices between and during rounds: new and damaged cards, ordered shuffles, jams, failures, dealers."""

from __future__ import annotations

from collections import Counter

from pontoon.cards import Card
from pontoon.engine.flow import cite
from pontoon.engine.refusals import Refusal, refuse
from pontoon.table.commands import (
    AskShuffle,
    ChangeCards,
    ChangeDealer,
    ClearJam,
    FailDevice,
    OrderShuffle,
    ReplaceCard,
    ReturnDiscards,
)
from pontoon.table.cutting import cutters
from pontoon.table.events import (
    Announced,
    AuthorityNotified,
    CardReplaced,
    CardsChanged,
    CutOffered,
    DealerChanged,
    DeviceFailed,
    DeviceJammed,
    DiscardsReturned,
    ShuffleFellDue,
)
from pontoon.table.flow import Flow
from pontoon.table.opening import burn_after_loading
from pontoon.table.state import Table, for_device, seat_of

SUPERVISORS = ("game_supervisor", "casino_supervisor", "inspector", "pit_boss", "operator")
ORDERED_BY = {
    ("suspicion", "vacant"): ("casino_supervisor",),
    ("suspicion", "suspect"): ("game_supervisor", "casino_supervisor"),
    ("suspicion", "discretion"): (),
}
"""Who may order a shuffle for which reason, by `shoe.ordered`; any supervisor if nothing is said."""
INSPECTORATE = "Government Inspectorate"


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
    missing = [role for role in table.rules.shoe.replacements_checked_by if role not in command.checked]
    if missing:
        return refuse("not_checked", table.rules.clauses("shoe.replacements_checked_by"), by=missing[0])
    return None


def replace_card(flow: Flow, command: ReplaceCard) -> None:
    """A fresh card of the same kind takes its place."""
    rules = flow.state.rules
    checked = rules.clauses("shoe.replacements_checked_by") if command.checked else ()
    flow.put(CardReplaced(cite(rules.clauses("irregular.damaged"), checked), command.card, command.checked))


# --- shuffles ------------------------------------------------------------------------------------------


def refuse_order_shuffle(table: Table, command: OrderShuffle) -> Refusal | None:
    """Whether this person may order a shuffle for this reason, now."""
    rules = table.rules
    clauses = rules.table.reshuffle_ordered or rules.table.shuffled
    whole = table.phase in ("shuffled", "cut") and table.shoe.left == table.size
    seen = command.reason == "exposed" and whole  # seen before the stack went into the shoe: nobody's order is needed
    empty = command.reason == "vacant" and rules.shoe.vacant == "prepared"  # the dealer's own duty (adelaide 35(d))
    if command.by not in SUPERVISORS and not seen and not empty:
        return refuse("not_a_supervisor", clauses, by=command.by)
    if table.phase not in ("ready", "round", "collect") and not seen:
        return refuse("no_shuffle_due", clauses, phase=table.phase)
    if table.due:
        return refuse("shuffle_first", clauses, why=table.due)
    return None if seen else _refuse_reason(table, command)


def _refuse_reason(table: Table, command: OrderShuffle) -> Refusal | None:
    """Check the reason: a vacant table, a rank that the document names for it, and a stated doubt."""
    rules = table.rules
    if command.reason == "vacant" and (rules.shoe.vacant == "none" or (table.seats and table.vacant != "left")):
        return refuse("table_not_vacant", rules.clauses("shoe.vacant"))
    clauses = cite(rules.clauses("shoe.ordered"), rules.clauses("shoe.vacant") if command.reason == "vacant" else ())
    own = command.reason == "vacant" and rules.shoe.vacant == "prepared"
    if not own and command.by not in ORDERED_BY.get((rules.shoe.ordered, command.reason), SUPERVISORS):
        return refuse("not_theirs_to_order", clauses, by=command.by, reason=command.reason)
    stated = rules.shoe.ordered != "any" and command.reason in ("suspect", "discretion")
    return refuse("reason_needed", clauses) if stated and not command.why else None


def order_shuffle(flow: Flow, command: OrderShuffle) -> None:
    """Order a shuffle, to be made after the round in progress, if any."""
    rules = flow.state.rules
    clauses = {
        "vacant": rules.clauses("shoe.vacant"),
        "exposed": rules.table.exposed_before_shoe,
    }.get(command.reason, rules.table.reshuffle_ordered)
    flow.put(ShuffleFellDue(clauses, "ordered"))
    if command.reason == "vacant" and rules.shoe.vacant == "prepared":
        flow.put(Announced(clauses, "These cards are shuffled; a player may ask for another shuffle"))
    if rules.shoe.ordered == "shift_manager" and command.reason in ("suspect", "discretion"):
        flow.put(AuthorityNotified(rules.clauses("shoe.ordered"), INSPECTORATE, "a shuffle was ordered", command.why))


def refuse_ask_shuffle(table: Table, command: AskShuffle) -> Refusal | None:
    """A player may have cards shuffled again that were shuffled while nobody was there, before the first round."""
    clauses = table.rules.clauses("shoe.vacant")
    if table.rules.shoe.vacant != "prepared":
        return refuse("document_silent", clauses, matter="asking_for_a_shuffle")
    if table.due:
        return refuse("shuffle_first", clauses, why=table.due)
    if table.vacant != "shuffled" or table.phase not in ("shuffled", "cut", "ready"):
        return refuse("not_prepared", clauses)
    return None if seat_of(table, command.player) else refuse("not_seated", clauses, player=command.player)


def ask_shuffle(flow: Flow, _: AskShuffle) -> None:
    """The cards are shuffled once more."""
    flow.put(ShuffleFellDue(flow.state.rules.clauses("shoe.vacant"), "ordered"))


def refuse_change_dealer(table: Table, command: ChangeDealer) -> Refusal | None:
    """A dealer finishes the round, unless something beyond the house's control prevents it (adelaide 46)."""
    clauses, silent = table.rules.table.dealer_changed, table.rules.sources["table.dealer_changed"].silent
    if not command.dealer or (table.phase in ("round", "collect") and not silent and not command.reason):
        return refuse("dealer_finishes", clauses)
    return None


def change_dealer(flow: Flow, command: ChangeDealer) -> None:
    """Another dealer deals from now on."""
    flow.put(DealerChanged(flow.state.rules.table.dealer_changed, command.dealer, command.reason))


# --- devices -------------------------------------------------------------------------------------------


def refuse_return(table: Table, command: ReturnDiscards) -> Refusal | None:
    """Discards go back into a continuous device after the round, or when enough have gathered."""
    rules = table.rules
    clauses = rules.clauses("shoe.return_discards_at") or rules.table.discards_returned
    if table.by_hand:
        return refuse("no_such_device", clauses, device=table.device)
    known, hidden = for_device(table)
    gathered = len(known) + hidden
    wanted = 1 if rules.shoe.round_returns else rules.shoe.return_discards_at
    if not _between_rounds(table) or not gathered or gathered < wanted:
        return refuse("too_few_discards", clauses, gathered=gathered, wanted=wanted)
    return _wrong_order(table, command.order, (*table.shoe.stack, *known))


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
    returned = rules.clauses("shoe.round_returns") if rules.shoe.round_returns else ()
    clauses = cite(rules.table.discards_returned, rules.clauses("shoe.return_discards_at"), returned)
    flow.put(DiscardsReturned(clauses, command.order))


def refuse_jam(table: Table, command: ClearJam) -> Refusal | None:
    """Only a device can jam."""
    if table.by_hand or table.phase not in ("ready", "round"):
        return refuse("no_such_device", table.rules.table.jam or table.rules.table.shuffled, device=table.device)
    return _refuse_exposed(table) or _wrong_order(table, command.order, table.shoe.stack)


def clear_jam(flow: Flow, command: ClearJam) -> None:
    """Riffle once and reload; burn the first cards if the document says so."""
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
    """An exposed card is dealt before the rest is shuffled."""
    if table.round is None or not table.round.exposed:
        return None
    return refuse("exposed_card_is_next", table.rules.clauses("irregular.exposed"), card=table.round.exposed)


def fail_device(flow: Flow, command: FailDevice) -> None:
    """In mid-round, shuffle the rest, cut, and deal by hand; between rounds, prepare an ordinary shoe."""
    in_round = flow.state.phase == "round"
    rules = flow.state.rules
    flow.put(DeviceFailed(rules.table.device_failed or rules.table.shuffled, command.order))
    if in_round:
        flow.put(CutOffered(rules.table.cut_offered, cutters(flow.state)))
    else:
        new_cards_after_failure(flow)


def new_cards_after_failure(flow: Flow) -> None:
    """New cards take the place of a failed device's, unless the document lets its cards continue by hand."""
    rules = flow.state.rules
    if flow.state.failed and not rules.cut.failure_most:
        flow.put(CardsChanged(cite(rules.table.device_failed, rules.table.cards_changed), "the device failed"))

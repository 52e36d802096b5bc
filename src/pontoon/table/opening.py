"""Opening the table: the cards are checked, shown, and shuffled for the first time."""

from __future__ import annotations

from collections import Counter

from pontoon.cards import JOKER, PACK, Card
from pontoon.engine.flow import cite
from pontoon.engine.refusals import Refusal, refuse
from pontoon.table.commands import BreakSeal, CheckCards, Open, ShowCards, Shuffle
from pontoon.table.cutting import cutters, seen_before_shoe
from pontoon.table.events import (
    CardsBurned,
    CardsChecked,
    CardsShown,
    CardsShuffled,
    CutOffered,
    DeviceLoaded,
    SealBroken,
    TableOpened,
)
from pontoon.table.flow import Flow
from pontoon.table.state import Table

MINUTE = 60_000
"""Milliseconds."""


def refuse_open(table: Table, _: Open) -> Refusal | None:
    """Whether this table may open with these packs and this device."""
    rules = table.rules
    if table.phase != "closed":
        return refuse("table_is_open", rules.table.opened)
    if table.hours_over:
        return refuse("hours_over", rules.table.hours)
    if table.packs not in rules.decks.allowed:
        return refuse("packs_not_allowed", rules.clauses("decks.allowed"), packs=table.packs)
    if table.device not in rules.shoe.devices:
        return refuse("device_not_allowed", rules.clauses("shoe.devices"), device=table.device)
    if table.joker and not rules.shoe.joker:
        return refuse("no_joker", rules.clauses("shoe.joker"))
    if table.cutting_cards > max(rules.shoe.cutting_cards, 1):
        return refuse("too_many_cutting_cards", rules.clauses("shoe.cutting_cards"), most=rules.shoe.cutting_cards)
    if table.face_down and not rules.shoe.face_down:
        return refuse("no_face_down_cards", rules.clauses("shoe.face_down") or rules.cites.deal_first)
    if table.sealed and not rules.shoe.sealed:
        return refuse("no_sealed_cards", rules.clauses("shoe.sealed"))
    return None


def open_table(flow: Flow, command: Open) -> None:
    """The cards are at the table."""
    rules = flow.state.rules
    hidden = rules.clauses("shoe.face_down") if flow.state.face_down else ()
    flow.put(TableOpened(cite(rules.table.opened, rules.table.equipment, rules.table.layout, hidden), command.at))


def refuse_check(table: Table, command: CheckCards) -> Refusal | None:
    """Whether there are cards to check: before play, a second set before its use, and if asked for at the end."""
    rules = table.rules
    at_end = table.phase == "closed" and rules.shoe.check_at_end and table.number > 0
    second_set = table.phase != "closed" and table.new_cards and table.sets_begun > 0
    if table.phase != "preparing" and not at_end and not second_set:
        return refuse("not_preparing", rules.table.checked, phase=table.phase)
    if table.seal_broken and not at_end:
        return refuse("seal_broken", rules.table.seal)
    if command.by in table.checked and not at_end:
        return refuse("checked_already", rules.table.checked, by=command.by)
    return None


def check_cards(flow: Flow, command: CheckCards) -> None:
    """Record that a person sorted and inspected the cards."""
    flow.put(CardsChecked(flow.state.rules.table.checked, command.by))


def refuse_show(table: Table, command: ShowCards) -> Refusal | None:
    """Whether the cards are spread for the first player, or the waiting time has passed."""
    rules = table.rules
    if rules.shoe.spread == "none":
        return refuse("document_silent", rules.clauses("shoe.spread"), matter="showing_the_cards")
    if table.phase != "preparing" or _missing_check(table):
        return refuse("not_preparing", rules.table.shown, phase=table.phase)
    minutes = waited(table.opened_at, command.at, command.minutes)
    enough = rules.shoe.spread_minutes and minutes >= rules.shoe.spread_minutes
    if not command.player and not enough:
        clauses = cite(rules.table.shown, rules.clauses("shoe.spread_minutes"))
        return refuse("nobody_saw_the_cards", clauses, minutes=rules.shoe.spread_minutes)
    return None


def waited(since: int, now: int, minutes: int) -> int:
    """How many whole minutes have passed: by the clock where someone keeps time, otherwise as stated.

    >>> waited(0, 0, 15), waited(60_000, 120_000, 15)
    (15, 1)
    """
    return (now - since) // MINUTE if since and now else minutes


def show_cards(flow: Flow, command: ShowCards) -> None:
    """Record that the first player has seen the cards, or that nobody came in time."""
    flow.put(CardsShown(flow.state.rules.table.shown, command.player))


def refuse_seal(table: Table, _: BreakSeal) -> Refusal | None:
    """Whether sealed cards are waiting to be opened."""
    if not table.sealed or table.phase != "preparing" or "seal" in table.checked:
        return refuse("not_preparing", table.rules.table.seal or table.rules.table.checked, phase=table.phase)
    return None


def break_seal(flow: Flow, command: BreakSeal) -> None:
    """With an intact seal the cards are ready to shuffle; with a broken one they are not used and must be replaced."""
    flow.put(SealBroken(flow.state.rules.table.seal, command.whole))


def checkers(table: Table) -> tuple[str, ...]:
    """Who still has to check the cards; replacements may have checkers of their own (canberra 2.4)."""
    if "seal" in table.checked:
        return ()
    shoe = table.rules.shoe
    wanted = (shoe.replacements_checked_by if table.due == "changed" else ()) or shoe.checked_by
    return tuple(role for role in wanted if role not in table.checked)


def _missing_check(table: Table) -> str:
    return next(iter(checkers(table)), "")


def to_be_shown(table: Table) -> bool:
    """Whether the cards have still to be spread for the players before they are shuffled."""
    shoe = table.rules.shoe
    spread = table.device == "manual" or shoe.spread_for == "every_device"
    return shoe.spread != "none" and spread and not table.shown


def full_set(table: Table) -> Counter[Card]:
    """The cards the table must have."""
    cards = Counter(dict.fromkeys(PACK, table.packs))
    return cards + Counter([JOKER]) if table.joker else cards


def refuse_shuffle(table: Table, command: Shuffle) -> Refusal | None:
    """Whether a shuffle is due, the cards are ready for it, and the order is of just these cards."""
    rules = table.rules
    waiting = table.phase == "round" and table.due == "first"
    between = table.phase == "ready" and (table.round is None or not table.round.boxes)
    again = seen_before_shoe(table)
    if not table.due or not (table.phase == "preparing" or waiting or between or again):
        return refuse("no_shuffle_due", rules.table.shuffled, phase=table.phase)
    if table.new_cards and not again:
        refused = _refuse_new_cards(table)
        if refused is not None:
            return refused
    if table.mode == "floor":
        return refuse("order_unknown", rules.table.shuffled) if command.order else None
    if Counter(command.order) != full_set(table):
        return refuse("wrong_cards", rules.table.checked, count=len(command.order), size=table.size)
    return None


def _refuse_new_cards(table: Table) -> Refusal | None:
    """New cards must have been checked, and shown if the document says so."""
    rules = table.rules
    if table.seal_broken:
        return refuse("seal_broken", rules.table.seal)
    role = _missing_check(table)
    if role:
        replaced = table.due == "changed" and rules.shoe.replacements_checked_by
        clauses = rules.clauses("shoe.replacements_checked_by") if replaced else rules.table.checked
        if table.sets_begun:
            clauses = cite(clauses, rules.clauses("shoe.each_set"))
        return refuse("not_checked", clauses, by=role)
    if to_be_shown(table):
        clauses = cite(rules.table.shown, rules.clauses("shoe.spread_again") if table.due == "changed" else ())
        return refuse("nobody_saw_the_cards", clauses, minutes=rules.shoe.spread_minutes)
    return None


def shuffle(flow: Flow, command: Shuffle) -> None:
    """Mix the cards; then offer the cut, or load the device."""
    table, rules = flow.state, flow.state.rules
    new = table.new_cards and not seen_before_shoe(table)
    washed = new and rules.shoe.wash and "seal" not in table.checked
    clauses = cite(rules.table.shuffled, rules.table.washed if washed else ())
    offered, by_hand = cutters(table), table.by_hand
    if by_hand:
        flow.put(CardsShuffled(clauses, command.order, table.size, washed))
        flow.put(CutOffered(rules.table.cut_offered, offered))
        return
    flow.put(DeviceLoaded(cite(clauses, rules.table.loaded), command.order, table.size))
    burn_after_loading(flow)


def burn_after_loading(flow: Flow) -> None:
    """Burn the first cards of a freshly loaded device, if the document says so."""
    rules = flow.state.rules
    count = min(rules.shoe.burn_after_loading, flow.state.shoe.left)
    if count:
        cards = tuple(str(card) for card in flow.state.shoe.stack[:count])
        flow.put(CardsBurned(rules.clauses("shoe.burn_after_loading"), cards, count))

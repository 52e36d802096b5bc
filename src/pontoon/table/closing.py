"""Closing the table: notice, the hours of gaming; and voiding a round after the next one began."""

from __future__ import annotations

from collections import Counter

from pontoon.engine.refusals import Refusal, refuse
from pontoon.rulebook import Rulebook
from pontoon.table.commands import Close, GiveNotice, SetHours, VoidEarlier
from pontoon.table.events import (
    AmountOwed,
    Announced,
    ClosingNoticed,
    EarlierRoundVoided,
    HoursSet,
    Ruled,
    TableClosed,
)
from pontoon.table.flow import Flow
from pontoon.table.opening import waited
from pontoon.table.state import Finished, Table, seat_of


def refuse_notice(table: Table, command: GiveNotice) -> Refusal | None:
    """Whether the document provides for this kind of notice."""
    rules = table.rules.closing
    clauses = table.rules.table.closing
    if table.phase == "closed":
        return refuse("table_is_closed", clauses)
    if table.closing:
        return refuse("notice_given", clauses)
    known = {
        "minutes": rules.minutes,
        "rounds": last_rounds(table.rules),
        "notice": not rules.minutes and not rules.rounds,
    }
    if not known[command.kind]:
        return refuse("no_such_notice", clauses, kind=command.kind)
    return None


def last_rounds(rules: Rulebook) -> int:
    """How many last rounds are declared: to close, or as those in which the cutting card is laid aside."""
    return rules.closing.rounds or rules.cut.last_rounds


def give_notice(flow: Flow, command: GiveNotice) -> None:
    """Give the players notice with a sign."""
    rules = flow.state.rules
    count = last_rounds(rules) if command.kind == "rounds" else 0
    words = {
        "minutes": f"This table closes in {rules.closing.minutes} minutes",
        "rounds": f"The last {count} rounds",
        "notice": "This table is about to close",
    }[command.kind]
    flow.put(Announced(rules.table.closing, words))
    flow.put(ClosingNoticed(rules.table.closing, command.kind, count, command.at))


def refuse_close(table: Table, command: Close) -> Refusal | None:
    """Whether notice was given, its time has passed, and nothing is in play."""
    rules = table.rules
    clauses = rules.table.closed or rules.table.closing
    if table.phase == "closed":
        return refuse("table_is_closed", clauses)
    chips = table.round is not None and (table.round.boxes or table.round.side)
    if table.phase in ("round", "collect") or chips:
        return refuse("round_in_progress", clauses)
    if table.hours_over:  # the hours end gaming; notice is for a table that closes before
        return None
    if rules.closing.notice and not table.closing and table.seats:
        return refuse("notice_first", clauses)
    minutes = waited(table.noticed_at, command.at, command.minutes)
    if table.closing == "minutes" and minutes < rules.closing.minutes:
        return refuse("notice_runs", clauses, left=rules.closing.minutes - minutes)
    if table.closing == "rounds" and table.rounds_left:
        return refuse("notice_runs", clauses, left=table.rounds_left)
    return None


def close(flow: Flow, _: Close) -> None:
    """Gaming at this table has ended."""
    flow.put(TableClosed(flow.state.rules.table.closed or flow.state.rules.table.closing))


def refuse_hours(table: Table, command: SetHours) -> Refusal | None:
    """Whether the hours of gaming change with this."""
    if command.open != table.hours_over:
        return refuse("hours_unchanged", table.rules.table.hours, open=command.open)
    return None


def set_hours(flow: Flow, command: SetHours) -> None:
    """Begin or end the hours of gaming; a round in progress is played to its end."""
    clauses = flow.state.rules.table.hours
    flow.put(HoursSet(clauses, command.open))
    flow.put(Announced(clauses, "Gaming is open" if command.open else "Gaming has closed for today"))


def refuse_void_earlier(table: Table, command: VoidEarlier) -> Refusal | None:
    """Whether an earlier round may be void now, ruled on by the right official, and not twice."""
    rules = table.rules
    clauses = rules.clauses("irregular.found_late")
    if rules.irregular.found_late == "silent":
        return refuse("document_silent", clauses, matter="earlier_error")
    earlier = _finished(table, command.number)
    in_play = table.round is None or table.round.cards_used > 0  # a round begins with its first card
    begun = table.number if in_play else table.number - 1
    if earlier is None or begun <= command.number:
        return refuse("next_round_not_begun", clauses, number=command.number)
    if earlier.void:
        return refuse("already_void", clauses, number=command.number)
    if not command.reason:
        return refuse("reason_needed", clauses)
    return None


def _finished(table: Table, number: int) -> Finished | None:
    return next((finished_round for finished_round in table.finished if finished_round.number == number), None)


def void_earlier(flow: Flow, command: VoidEarlier) -> None:
    """Undo all wagers and payments; what a departed player must return is recorded as owed (A62)."""
    clauses = flow.state.rules.clauses("irregular.found_late")
    earlier = _finished(flow.state, command.number)
    assert earlier is not None
    returns: Counter[str] = Counter()
    for settlement in earlier.settlements:
        returns[settlement.player] -= settlement.net
    flow.put(Ruled(clauses, "VoidEarlier", command.by, command.approver, command.reason))
    flow.put(EarlierRoundVoided(clauses, command.number, tuple(sorted(returns.items()))))
    for player, amount in sorted(returns.items()):
        if amount < 0 and seat_of(flow.state, player) is None:
            flow.put(AmountOwed(clauses, player, -amount))

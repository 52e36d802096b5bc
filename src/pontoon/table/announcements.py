"""Announcements and disputes: packs and shuffle on request, wagers called out, disputes decided."""

from __future__ import annotations

from pontoon.engine.refusals import Refusal, refuse
from pontoon.table.commands import AskCards, CallOut, DecideDispute, Play
from pontoon.table.events import Announced, DisputeDecided
from pontoon.table.flow import Flow
from pontoon.table.rounds import play_round, refuse_play
from pontoon.table.state import Table


def refuse_ask(table: Table, _: AskCards) -> Refusal | None:
    """Whether the document has the dealer say how many packs there are."""
    source = table.rules.sources["table.decks_told"]
    if not source.silent:
        return None
    return refuse("document_silent", source.clauses, matter="telling_packs")


def ask_cards(flow: Flow, _: AskCards) -> None:
    """Announce how many packs there are and how they are shuffled."""
    table = flow.state
    flow.put(Announced(table.rules.table.decks_told, f"{table.packs} packs, shuffled for a {table.device} shoe"))


def refuse_call_out(table: Table, command: CallOut) -> Refusal | None:
    """A called-out wager counts only if the document says so, and only with chips and in time."""
    clauses = table.rules.clauses("people.oral")
    match table.rules.people.oral:
        case "silent":
            return refuse("document_silent", clauses, matter="called_bets")
        case "refused":
            return refuse("no_oral_wagers", clauses)
        case _ if not command.chips:
            return refuse("chips_needed", clauses)
        case _:
            return refuse_play(table, Play(command.wager))


def call_out(flow: Flow, command: CallOut) -> None:
    """The dealer places the chips."""
    play_round(flow, Play(command.wager))


def refuse_dispute(table: Table, command: DecideDispute) -> Refusal | None:
    """Whether a matter and a decision are given; if the document is silent the decision is the house's own."""
    if command.matter and command.decision:
        return None
    return refuse("reason_needed", table.rules.table.dispute)


def decide_dispute(flow: Flow, command: DecideDispute) -> None:
    """Record the decision, move the amount it awards, and inform the player of what comes next."""
    rules = flow.state.rules
    clauses, silent = rules.table.dispute, rules.sources["table.dispute"].silent
    flow.put(
        DisputeDecided(
            clauses, command.player, command.matter, command.decision, command.by, command.amount, house=silent
        )
    )
    if not silent:
        flow.put(Announced(clauses, "You may ask for a review of this decision"))
    if command.unresolved and not rules.sources["table.dispute_unresolved"].silent:
        words = "You may consult a government inspector, who is present in the casino"
        flow.put(Announced(rules.table.dispute_unresolved, words, command.player))

"""What is only said: packs and shuffle told on request, wagers called out, disputes decided."""

from __future__ import annotations

from pontoon.engine.refusals import Refusal, refuse
from pontoon.table.commands import AskCards, CallOut, DecideDispute, Play
from pontoon.table.events import Announced, DisputeDecided
from pontoon.table.flow import Flow
from pontoon.table.rounds import play_round, refuse_play
from pontoon.table.state import Table


def refuse_ask(table: Table, _: AskCards) -> Refusal | None:
    """Whether the document has the dealer tell."""
    source = table.rules.sources["table.decks_told"]
    if not source.silent:
        return None
    return refuse("document_silent", source.clauses, matter="telling_packs")


def ask_cards(flow: Flow, _: AskCards) -> None:
    """The dealer tells how many packs there are and how they are shuffled."""
    table = flow.state
    flow.put(Announced(table.rules.table.decks_told, f"{table.packs} packs, shuffled for a {table.device} shoe"))


def refuse_call_out(table: Table, command: CallOut) -> Refusal | None:
    """A wager called out counts only where the document says so, with chips and in time."""
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
    """Whether the document says who decides, and a decision is given."""
    source = table.rules.sources["table.dispute"]
    if source.silent:
        return refuse("document_silent", source.clauses, matter="disputes")
    return None if command.matter and command.decision else refuse("reason_needed", source.clauses)


def decide_dispute(flow: Flow, command: DecideDispute) -> None:
    """Record the decision and tell the player of the review."""
    clauses = flow.state.rules.table.dispute
    flow.put(DisputeDecided(clauses, command.player, command.matter, command.decision, command.by))
    flow.put(Announced(clauses, "You may ask for a review of this decision"))

"""Putting a round right: cards taken back and dealt again as they should have been, or an extra hand removed.

The round goes back to the call with its cards on top of the shoe in their lawful order; cards and decisions then follow
as in any round. What moved since the call, doubles and payments alike, is undone first.
"""

from __future__ import annotations

from collections import Counter

from pontoon.engine import Reversed, Round
from pontoon.engine.flow import cite
from pontoon.engine.refusals import Refusal, refuse
from pontoon.table.commands import Reconstruct, RemoveExtraHand
from pontoon.table.events import ExtraHandRemoved, RoundReconstructed, Ruled
from pontoon.table.flow import Flow
from pontoon.table.state import Table, belongs

INITIAL_APPROVERS = ("inspector", "pit_boss", "casino_supervisor", "operator")
FULL_APPROVERS = ("casino_supervisor", "operator")
BONUSES = ("super_bonus", "envy_bonus")
TWO = 2


def initial_deal_complete(state: Round) -> bool:
    """Whether a decision or a payment has ended the initial deal (adelaide 47(d))."""
    hands = [hand for box in state.boxes for hand in box.hands]
    return (
        any(hand.stood or len(hand.cards) > TWO for hand in hands)
        or any(hand.split and len(hand.cards) == TWO for hand in hands)
        or any(one.kind == "main" for one in state.settlements)
    )


def refuse_reconstruct(table: Table, command: Reconstruct) -> Refusal | None:
    """Whether the document puts rounds right, the right person says so, and these are the cards of the round."""
    rules = table.rules
    clauses = rules.clauses("irregular.misplaced")
    if rules.irregular.misplaced == "silent":
        return refuse("document_silent", clauses, matter="misplaced_cards")
    if table.phase not in ("round", "collect") or table.round is None:
        return refuse("no_round", clauses)
    refused = _refuse_supervision(table, command)
    if refused is not None:
        return refused
    if Counter(command.cards) != Counter(table.on_layout):
        return refuse("wrong_cards", clauses, count=len(command.cards), size=len(table.on_layout))
    return None


def _refuse_supervision(table: Table, command: Reconstruct) -> Refusal | None:
    """In the initial deal an inspector supervises, later only the management (adelaide 112)."""
    rules, state = table.rules, table.round
    if rules.irregular.approval != "inspector":
        return None
    assert state is not None
    wanted = FULL_APPROVERS if initial_deal_complete(state) else INITIAL_APPROVERS
    if command.approver not in wanted or command.approver == command.by:
        return refuse("needs_second_person", rules.clauses("irregular.approval"), by=command.by)
    return None


def reconstruct(flow: Flow, command: Reconstruct) -> None:
    """Undo what moved since the call and begin again with the cards in their lawful order."""
    clauses = flow.state.rules.clauses("irregular.misplaced")
    flow.put(Ruled(clauses, "Reconstruct", command.by, command.approver, command.reason))
    flow.put(RoundReconstructed(clauses, command.way, command.cards, _moved_since_call(flow.state)))


def _moved_since_call(table: Table) -> tuple[tuple[str, int, int, int], ...]:
    """By player and box, what undoes every chip moved since the call: additional wagers, insurance and payments."""
    state = table.round
    assert state is not None
    added: Counter[tuple[str, int]] = Counter()
    for box in state.boxes:
        for wager in box.bettors:
            added[wager.player, box.number] -= wager.stake
        for hand in box.hands:
            for wager in hand.wagers:
                added[wager.player, box.number] += wager.stake + wager.double
    for one in state.insurance:
        added[one.player, one.owner_box] += one.amount
    released: Counter[tuple[str, int]] = Counter()
    paid: Counter[tuple[str, int]] = Counter()
    before = len(table.at_call.settlements) if table.at_call is not None else 0
    for settled in state.settlements[before:]:
        stake = 0 if settled.kind in BONUSES or isinstance(settled, Reversed) else settled.stake
        released[settled.player, settled.box] += stake
        paid[settled.player, settled.box] += stake + settled.net
    return tuple(
        (player, box, added[player, box] - paid[player, box], released[player, box] - added[player, box])
        for player, box in sorted({*added, *paid})
        if added[player, box] or paid[player, box] or released[player, box]
    )


def refuse_extra_hand(table: Table, command: RemoveExtraHand) -> Refusal | None:
    """Whether the document burns a hand too many, and these are its cards."""
    rules = table.rules
    clauses = rules.clauses("irregular.superfluous")
    if rules.irregular.superfluous == "silent":
        return refuse("document_silent", clauses, matter="extra_hand")
    if rules.irregular.superfluous == "reconstruct":
        return refuse("put_right", clauses, remedy="reconstruct")
    if rules.irregular.approval == "inspector" and command.approver not in INITIAL_APPROVERS:
        return refuse("needs_second_person", rules.clauses("irregular.approval"), by=command.by)
    if table.phase != "round" or table.round is None or table.round.phase == "initial_deal":
        return refuse("put_right", cite(clauses, rules.clauses("irregular.misplaced")), remedy="reconstruct")
    if table.round.exposed:
        return refuse("exposed_card_is_next", rules.clauses("irregular.exposed"), card=table.round.exposed)
    first = table.shoe.stack[: len(command.cards)] if table.mode == "automatic" else command.cards
    known = all(belongs(table, card) for card in command.cards)
    if not command.cards or command.cards != first or not known or len(command.cards) > table.shoe.left:
        return refuse("wrong_cards", clauses, count=len(command.cards), size=table.shoe.left)
    return None


def remove_extra_hand(flow: Flow, command: RemoveExtraHand) -> None:
    """The hand is void and its cards are burned."""
    clauses = flow.state.rules.clauses("irregular.superfluous")
    flow.put(Ruled(clauses, "RemoveExtraHand", command.by, command.approver, ""))
    flow.put(ExtraHandRemoved(clauses, command.cards))

"""Voids: a wager, a hand, a box or a whole round as if not played. What was paid is undone by its exact mirror."""

from __future__ import annotations

from typing import NamedTuple

from pontoon.engine.bonuses import pay_each_player
from pontoon.engine.commands import VoidBox, VoidHand, VoidRound, VoidWager
from pontoon.engine.dealer import needs_card, stop
from pontoon.engine.dealing import next_place
from pontoon.engine.doubling import close_when_answered
from pontoon.engine.events import (
    BoxVoided,
    ControlPassed,
    DealerStopped,
    HandVoided,
    Reversed,
    RoundEnded,
    RoundVoided,
    Settled,
    WagerVoided,
)
from pontoon.engine.flow import Flow, cite
from pontoon.engine.house import refuse_silence
from pontoon.engine.interim import begin_interim
from pontoon.engine.payments import burn_exposed, return_void
from pontoon.engine.refusals import Refusal, refuse
from pontoon.engine.settlement import settle_round
from pontoon.engine.side_bets import settle_side_bets
from pontoon.engine.state import Box, InsuranceWager, Round, SideWager, Wager, find_box, hand_in_turn
from pontoon.engine.turns import next_turn
from pontoon.rulebook import Clauses


class Scope(NamedTuple):
    """The scope of a void: a box, one of its hands, or one player's wagers on it."""

    box: int
    hand: int = 0
    """Hand number; 0 for all hands including insurance, side wagers and bonuses."""
    player: str = ""

    def has_wager(self, hand: int, wager: Wager) -> bool:
        """Whether it covers a wager on a hand of the box."""
        return self.hand in (0, hand) and self.player in ("", wager.player)

    def has_insurance(self, made: InsuranceWager) -> bool:
        """Whether it covers an insurance: on a wager of the scope, or made by its player from the box."""
        by_player = made.box == self.box and bool(self.player) and made.player == self.player
        on_wager = made.owner_box == self.box and self.player in ("", made.player, made.owner)
        return not self.hand and (by_player or on_wager)

    def has_side(self, side: SideWager) -> bool:
        """Whether it covers a side wager."""
        return not self.hand and side.box == self.box and self.player in ("", side.player)

    def has_settlement(self, one: Settled) -> bool:
        """Whether it covers a settlement."""
        return one.box == self.box and self.hand in (0, one.hand) and self.player in ("", one.player, one.owner)


# --- what may be void -----------------------------------------------------------------------------------


def refuse_void_box(state: Round, command: VoidBox) -> Refusal | None:
    """Whether the document allows a hand to be voided, and this box is not void already."""
    clauses = state.rules.clauses("irregular.void_hand")
    refused = refuse_silence(command, state.rules.irregular.void_hand, clauses, "voiding_a_hand")
    return refused or _refuse_scope(state, Scope(command.box), clauses)


def refuse_void_hand(state: Round, command: VoidHand) -> Refusal | None:
    """Allowed if the document allows a hand to be voided and this one exists and is not void yet."""
    clauses = state.rules.clauses("irregular.void_hand")
    refused = refuse_silence(command, state.rules.irregular.void_hand, clauses, "voiding_a_hand")
    if refused:
        return refused
    box = find_box(state, command.box)
    if box is not None and box.hands and not 1 <= command.hand <= len(box.hands):
        return refuse("no_such_hand", clauses, box=command.box, hand=command.hand, count=len(box.hands))
    return _refuse_scope(state, Scope(command.box, command.hand), clauses)


def refuse_void_wager(state: Round, command: VoidWager) -> Refusal | None:
    """Allowed if the document lets one player's wagers be void and some are not void yet."""
    clauses = state.rules.clauses("irregular.void_wager")
    refused = refuse_silence(command, state.rules.irregular.void_wager, clauses, "voiding_a_wager")
    if refused:
        return refused
    box = find_box(state, command.box)
    staked = box is not None and any(wager.player == command.player for wager in box.bettors)
    if not staked and not any(
        (side_bet.box, side_bet.player) == (command.box, command.player) for side_bet in state.side
    ):
        return refuse("no_wager_there", clauses, player=command.player, box=command.box)
    return _refuse_scope(state, Scope(command.box, player=command.player), clauses)


def _refuse_scope(state: Round, scope: Scope, clauses: Clauses) -> Refusal | None:
    box = find_box(state, scope.box)
    if box is None or state.phase == "wagers":
        return refuse("no_wager_there", clauses, player="anybody", box=scope.box)
    if _is_void(state, box, scope):
        what = {"hand": scope.hand} if scope.hand else {"player": scope.player} if scope.player else {}
        return refuse("already_void", clauses, box=scope.box, **what)
    return None


def _is_void(state: Round, box: Box, scope: Scope) -> bool:
    """Nothing in the scope is undecided, and nothing settled there still counts."""
    open_wager = any(
        not wager.result and scope.has_wager(number, wager)
        for number, hand in enumerate(box.hands, 1)
        for wager in hand.wagers
    )
    waiting = any(scope.has_insurance(insurance) and not insurance.settled for insurance in state.insurance) or any(
        scope.has_side(side_bet) and not side_bet.settled for side_bet in state.side
    )
    return (
        not open_wager
        and not waiting
        and not any(settlement.result != "void" for settlement in _standing(state, scope))
    )


def _standing(state: Round, scope: Scope) -> list[Settled]:
    """Settlements in the scope that no void has undone."""
    undone = {_name(settlement) for settlement in state.settlements if isinstance(settlement, Reversed)}
    insured = {
        (made.player, made.owner_box, 0, "insurance", made.owner)
        for made in state.insurance
        if made.third_party and scope.has_insurance(made)
    }
    return [
        settlement
        for settlement in state.settlements
        if isinstance(settlement, Settled)
        and (scope.has_settlement(settlement) or _name(settlement) in insured)
        and _name(settlement) not in undone
    ]


def refuse_void_round(state: Round, command: VoidRound) -> Refusal | None:
    """Allowed if the document allows a round to be voided and this one is not void yet."""
    clauses = state.rules.clauses("irregular.void_round")
    refused = refuse_silence(command, state.rules.irregular.void_round, clauses, "voiding_a_round")
    if refused:
        return refused
    if state.phase == "wagers":
        return refuse("too_early", clauses, phase=state.phase)
    if all(_is_void(state, box, Scope(box.number)) for box in state.boxes):
        return refuse("already_void", clauses)
    return None


# --- making it void -------------------------------------------------------------------------------------


def void_box(flow: Flow, command: VoidBox) -> None:
    """Return or undo everything on a box, then let the round continue without it."""
    clauses = flow.state.rules.clauses("irregular.void_hand")
    flow.put(BoxVoided(command.box, clauses, command.by_house))
    _void(flow, Scope(command.box), clauses)
    _go_on(flow)


def void_hand(flow: Flow, command: VoidHand) -> None:
    """Return or undo the wagers on one hand; with the last hand of a box also insurance, side wagers and bonuses."""
    clauses = flow.state.rules.clauses("irregular.void_hand")
    flow.put(HandVoided(command.box, command.hand, clauses, command.by_house))
    box = find_box(flow.state, command.box)
    assert box is not None
    others = [hand for number, hand in enumerate(box.hands, 1) if number != command.hand]
    last = all(wager.result == "void" for hand in others for wager in hand.wagers)
    _void(flow, Scope(command.box, 0 if last else command.hand), clauses)
    _go_on(flow)


def void_wager(flow: Flow, command: VoidWager) -> None:
    """Return or undo one player's wagers on a box; if that player called the decisions, the next in line does."""
    clauses = flow.state.rules.clauses("irregular.void_wager")
    flow.put(WagerVoided(command.box, command.player, clauses, command.by_house))
    _void(flow, Scope(command.box, player=command.player), clauses)
    box = find_box(flow.state, command.box)
    assert box is not None
    live = {wager.player for hand in box.hands for wager in hand.wagers if wager.live}
    heir = next((wager.player for wager in box.bettors if wager.player in live), "")
    if box.controller == command.player and heir:
        flow.put(ControlPassed(command.box, heir, cite(clauses, flow.state.rules.cites.controller)))
    _go_on(flow)


def void_round(flow: Flow, command: VoidRound) -> None:
    """Return or undo everything; nobody has won or lost."""
    clauses = flow.state.rules.clauses("irregular.void_round")
    flow.put(RoundVoided(clauses, command.by_house))
    for box in flow.state.boxes:
        if not _is_void(flow.state, box, Scope(box.number)):
            _return(flow, Scope(box.number), clauses)
    if flow.state.exposed:
        burn_exposed(flow)
    if flow.state.phase != "ended":
        flow.put(RoundEnded(clauses))


def _void(flow: Flow, scope: Scope, clauses: Clauses) -> None:
    _return(flow, scope, clauses)
    _undo_others_bonus(flow, clauses)


def _return(flow: Flow, scope: Scope, clauses: Clauses) -> None:
    """Undo the settlements in a scope, then return what is still undecided: wagers, insurance, side wagers."""
    for settlement in _standing(flow.state, scope):
        if settlement.result != "void":
            flow.put(_mirror(settlement, clauses))
    box = find_box(flow.state, scope.box)
    assert box is not None
    for number, hand in enumerate(box.hands, 1):
        for wager in hand.wagers:
            if not wager.result and scope.has_wager(number, wager):
                return_void(flow, (scope.box, number), wager, clauses)
    for made in flow.state.insurance:
        if scope.has_insurance(made) and not made.settled:
            owner, box_of = made.owner if made.third_party else "", made.owner_box
            flow.put(
                Settled(made.player, box_of, 0, "insurance", made.amount, "void", "", 0, "interim", clauses, owner)
            )
    for side in flow.state.side:
        if scope.has_side(side) and not side.settled:
            flow.put(Settled(side.player, scope.box, 0, side.kind, side.stake, "void", "", 0, "interim", clauses))


def _mirror(one: Settled, clauses: Clauses) -> Reversed:
    return Reversed(one.player, one.box, one.hand, one.kind, one.stake, -one.net, clauses, one.owner)


def _undo_others_bonus(flow: Flow, clauses: Clauses) -> None:
    """Undo the bonuses for others once no Super Bonus is left; one bonus a player moves to another box of theirs."""
    standing = [settlement for box in flow.state.boxes for settlement in _standing(flow.state, Scope(box.number))]
    if any(settlement.kind == "super_bonus" for settlement in standing):
        if flow.state.rules.super_bonus.other_unit == "per_player":
            kinds = ("super_bonus", "envy_bonus")
            pay_each_player(flow, {(paid.box, paid.player) for paid in standing if paid.kind in kinds})
        return
    for settlement in standing:
        if settlement.kind == "envy_bonus":
            flow.put(_mirror(settlement, clauses))


def _name(one: Settled | Reversed) -> tuple[object, ...]:
    """The identity of a settlement within a round."""
    return (one.player, one.box, one.hand, one.kind, one.owner)


# --- the round without it -------------------------------------------------------------------------------


def _go_on(flow: Flow) -> None:
    """Continue without what is void; if everything is void, the dealer's hand is not played."""
    state = flow.state
    if state.phase == "ended":
        return
    no_more_cards = state.rules.irregular.void_cards == "none"
    in_turn = state.phase in ("decision", "card", "forfeit") or bool(state.answering)
    if no_more_cards and _all_void(state):
        flow.put(DealerStopped(state.rules.clauses("irregular.void_cards")))
        settle_side_bets(flow, "initial_deal", "final")  # another player's, on a box whose own wagers are void
        settle_round(flow)
    elif in_turn and not hand_in_turn(state).live:
        next_turn(flow)
    elif state.phase == "forfeit":
        close_when_answered(flow)
    elif state.phase == "initial_deal" and next_place(state) is None:
        begin_interim(flow)
    elif no_more_cards and state.phase == "dealer" and not needs_card(state):
        stop(flow)


def _all_void(state: Round) -> bool:
    """Whether nothing is at stake: all wagers are void, and no insurance is left of a wager that was withdrawn."""
    wagers = [wager for box in state.boxes for hand in box.hands for wager in hand.wagers]
    return all(wager.result == "void" for wager in wagers) and all(made.settled for made in state.insurance)

"""Voids: a box or a whole round as if it had not been played. What was paid is undone by its exact mirror."""

from __future__ import annotations

from pontoon.engine.commands import VoidBox, VoidRound
from pontoon.engine.events import BoxVoided, Reversed, RoundEnded, RoundVoided, Settled
from pontoon.engine.flow import Flow
from pontoon.engine.payments import burn_exposed, return_void
from pontoon.engine.refusals import Refusal, refuse
from pontoon.engine.state import Box, Round, find_box
from pontoon.engine.turns import next_turn
from pontoon.rulebook import Clauses


def refuse_void_box(state: Round, command: VoidBox) -> Refusal | None:
    """Whether the document lets a hand be void, and this one is not void already."""
    clauses = state.rules.clauses("irregular.void_hand")
    if state.rules.irregular.void_hand == "silent":
        return refuse("document_silent", clauses, matter="voiding_a_hand")
    box = find_box(state, command.box)
    if box is None or state.phase == "wagers":
        return refuse("no_wager_there", clauses, player="anybody", box=command.box)
    if _is_void(state, box):
        return refuse("already_void", clauses, box=command.box)
    return None


def _is_void(state: Round, box: Box) -> bool:
    """Nothing on the box is undecided, and nothing settled there still counts."""
    open_wager = any(not wager.result for hand in box.hands for wager in hand.wagers)
    waiting = any(one.owner_box == box.number and not one.settled for one in state.insurance) or any(
        one.box == box.number and not one.settled for one in state.side
    )
    return not open_wager and not waiting and not any(one.result != "void" for one in _standing(state, box.number))


def _standing(state: Round, number: int) -> list[Settled]:
    """Settlements of a box that no void has undone."""
    undone = {_name(one) for one in state.settlements if isinstance(one, Reversed)}
    return [
        one for one in state.settlements if isinstance(one, Settled) and one.box == number and _name(one) not in undone
    ]


def void_box(flow: Flow, command: VoidBox) -> None:
    """Return or undo everything on a box, then let the round go on without it."""
    clauses = flow.state.rules.clauses("irregular.void_hand")
    flow.put(BoxVoided(command.box, clauses))
    _void(flow, command.box, clauses)
    _undo_others_bonus(flow, clauses)
    turn, phase = flow.state.turn, flow.state.phase
    if phase in ("decision", "card", "forfeit") and turn[0] == command.box:
        next_turn(flow)


def refuse_void_round(state: Round, _: VoidRound) -> Refusal | None:
    """Whether the document lets a round be void, and this one is not void already."""
    clauses = state.rules.clauses("irregular.void_round")
    if state.rules.irregular.void_round == "silent":
        return refuse("document_silent", clauses, matter="voiding_a_round")
    if state.phase == "wagers":
        return refuse("too_early", clauses, phase=state.phase)
    if all(_is_void(state, box) for box in state.boxes):
        return refuse("already_void", clauses)
    return None


def void_round(flow: Flow, _: VoidRound) -> None:
    """Return or undo everything; nobody has won or lost."""
    clauses = flow.state.rules.clauses("irregular.void_round")
    flow.put(RoundVoided(clauses))
    for box in flow.state.boxes:
        if not _is_void(flow.state, box):
            _void(flow, box.number, clauses)
    if flow.state.exposed:
        burn_exposed(flow)
    if flow.state.phase != "ended":
        flow.put(RoundEnded(clauses))


def _void(flow: Flow, number: int, clauses: Clauses) -> None:
    """Undo the settlements of a box, then return what is still undecided: wagers, insurance, side wagers."""
    for one in _standing(flow.state, number):
        if one.result != "void":
            flow.put(_mirror(one, clauses))
    box = find_box(flow.state, number)
    assert box is not None
    for place, hand in enumerate(box.hands, 1):
        for wager in hand.wagers:
            if not wager.result:
                return_void(flow, (number, place), wager, clauses)
    for made in flow.state.insurance:
        if made.owner_box == number and not made.settled:
            owner = made.owner if made.third_party else ""
            flow.put(
                Settled(made.player, number, 0, "insurance", made.amount, "void", "", 0, "interim", clauses, owner)
            )
    for side in flow.state.side:
        if side.box == number and not side.settled:
            flow.put(Settled(side.player, number, 0, side.kind, side.stake, "void", "", 0, "interim", clauses))


def _mirror(one: Settled, clauses: Clauses) -> Reversed:
    return Reversed(one.player, one.box, one.hand, one.kind, one.stake, -one.net, clauses, one.owner)


def _undo_others_bonus(flow: Flow, clauses: Clauses) -> None:
    """When no Super Bonus stands any more, nobody was to be paid for it."""
    standing = [one for box in flow.state.boxes for one in _standing(flow.state, box.number)]
    if any(one.kind == "super_bonus" for one in standing):
        return
    for one in standing:
        if one.kind == "envy_bonus":
            flow.put(_mirror(one, clauses))


def _name(one: Settled | Reversed) -> tuple[object, ...]:
    """What tells one settlement of a round from another."""
    return (one.player, one.box, one.hand, one.kind, one.owner)

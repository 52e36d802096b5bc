"""Insurance: on the dealer's pontoon, when the first card is an ace; in canberra also on a wager its owner left bare.

Who may insure somebody else's wager first is canberra 7.2: the same box front to back, then the nearest box front to
back, then who has least insurance on others. A later asker with preference takes the place of an earlier one.
"""

from __future__ import annotations

from pontoon.cards import Card, is_pontoon
from pontoon.engine.commands import Insure
from pontoon.engine.events import InsuranceMade, InsuranceReduced
from pontoon.engine.flow import Flow, cite
from pontoon.engine.refusals import Refusal, refuse
from pontoon.engine.state import InsuranceWager, Round, Wager, find_box

ACE = "A"
WHOLE = 100


def insurance_is_offered(state: Round) -> bool:
    """The dealer shows an ace and somebody holds a wager that is not a pontoon."""
    return state.dealer[0][0] == ACE and any(not is_pontoon(box.hands[0].cards) for box in state.boxes)


def cap(state: Round, stake: int) -> int:
    """The most that may insure a wager."""
    return stake * state.rules.insurance.most_percent // WHOLE


def target(command: Insure) -> tuple[int, str]:
    """Box and owner of the wager to be insured."""
    return (command.for_box or command.box, command.for_player or command.player)


def refuse_insurance(state: Round, command: Insure) -> Refusal | None:
    """Whether this insurance may be made."""
    rules = state.rules
    if state.phase != "insurance":
        return refuse("insurance_not_open", rules.cites.insurance_deadline)
    own = _original(state, command.box, command.player)
    if own is None:
        return refuse("no_wager_there", rules.cites.insurance_made, player=command.player, box=command.box)
    box, owner = target(command)
    wager = _original(state, box, owner)
    if wager is None:
        return refuse("no_wager_there", rules.cites.insurance_made, player=owner, box=box)
    if is_pontoon(_cards(state, box)):
        return refuse("pontoon_not_insured", rules.cites.insurance_pontoon, player=owner)
    if command.amount <= 0 or command.amount > cap(state, wager.stake):
        clauses = rules.clauses("insurance.most_percent")
        return refuse("insurance_amount", clauses, amount=command.amount, most=cap(state, wager.stake))
    chip = state.limits.smallest_chip
    if rules.insurance.payable and chip and rules.insurance.odds.pays(command.amount) % chip:
        return refuse("insurance_not_payable", rules.clauses("insurance.payable"), amount=command.amount, chip=chip)
    if (owner, box) == (command.player, command.box):
        return _refuse_own(state, command)
    return _refuse_third_party(state, command, wager)


def _refuse_own(state: Round, command: Insure) -> Refusal | None:
    for made in state.insurance:
        if (made.owner_box, made.owner) == (command.box, command.player):
            if made.third_party:
                clauses = state.rules.clauses("insurance.third_party")
                return refuse("insured_by_another", clauses, player=made.player)
            return refuse("already_insured", state.rules.cites.insurance_frozen, player=command.player)
    return None


def _refuse_third_party(state: Round, command: Insure, wager: Wager) -> Refusal | None:
    rules = state.rules
    clauses = rules.clauses("insurance.third_party")
    if not rules.insurance.third_party:
        return refuse("own_wager_only", clauses, player=command.player)
    box, owner = target(command)
    others = _on(state, box, owner)
    if any(not made.third_party for made in others):
        return refuse("owner_insured", clauses, player=owner)
    if any((made.player, made.box) == (command.player, command.box) for made in others):
        return refuse("already_insured", rules.cites.insurance_frozen, player=command.player)
    me = _preference(state, command.box, command.player, box, owner)
    before = sum(made.amount for made in others if _preference(state, made.box, made.player, box, owner) < me)
    left = cap(state, wager.stake) - before
    if command.amount > left:
        return refuse("insurance_taken", clauses, amount=command.amount, left=max(left, 0))
    return None


def insure(flow: Flow, command: Insure) -> None:
    """Make the insurance; others with less preference give way."""
    state = flow.state
    rules = state.rules
    box, owner = target(command)
    own = (owner, box) == (command.player, command.box)
    clauses = rules.cites.insurance_made if own else rules.clauses("insurance.third_party")
    clauses = cite(clauses, rules.clauses("insurance.most_percent"))
    flow.put(InsuranceMade(command.box, command.player, box, owner, command.amount, clauses))
    if not own:
        _give_way(flow, box, owner)


def _give_way(flow: Flow, box: int, owner: str) -> None:
    """Cut the insurance of whoever has least preference until the total is lawful again."""
    state = flow.state
    wager = _original(state, box, owner)
    assert wager is not None
    left = cap(state, wager.stake)
    clauses = state.rules.clauses("insurance.third_party")
    ranked = sorted(_on(state, box, owner), key=lambda made: _preference(state, made.box, made.player, box, owner))
    for made in ranked:
        kept = min(made.amount, left)
        left -= kept
        if kept < made.amount:
            returned = made.amount - kept
            flow.put(InsuranceReduced(made.box, made.player, box, owner, kept, returned, clauses))


def _preference(state: Round, box: int, player: str, target_box: int, owner: str) -> tuple[int, ...]:
    """Smaller goes first: distance in boxes, least insurance on others, clockwise, front to back."""
    distance = abs(box - target_box)
    seat = find_box(state, box)
    assert seat is not None
    place = next(index for index, wager in enumerate(seat.bettors) if wager.player == player)
    elsewhere = sum(
        made.amount
        for made in state.insurance
        if made.third_party and made.player == player and (made.owner_box, made.owner) != (target_box, owner)
    )
    return (distance, place) if distance == 0 else (distance, elsewhere, box, place)


def _on(state: Round, box: int, owner: str) -> list[InsuranceWager]:
    return [made for made in state.insurance if (made.owner_box, made.owner) == (box, owner)]


def _original(state: Round, number: int, player: str) -> Wager | None:
    box = find_box(state, number)
    return None if box is None else next((one for one in box.bettors if one.player == player), None)


def _cards(state: Round, number: int) -> tuple[Card, ...]:
    box = find_box(state, number)
    assert box is not None
    return box.hands[0].cards

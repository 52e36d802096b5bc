"""Insurance: on the dealer's pontoon, when the first card is an ace; in canberra also on another's uninsured wager.

Who may insure another player's wager first is canberra 7.2: the same box front to back, then the nearest box front to
back, then the bettor with the least insurance on others. A later bettor with preference takes the place of an earlier
one.
"""

from __future__ import annotations

from pontoon.cards import Card, is_pontoon
from pontoon.engine.commands import DeclineInsurance, Insure, check_types
from pontoon.engine.events import InsuranceDeclined, InsuranceMade, InsuranceReduced
from pontoon.engine.flow import Flow, cite
from pontoon.engine.refusals import Refusal, refuse
from pontoon.engine.state import InsuranceWager, Round, Wager, find_box
from pontoon.rulebook import Clauses

ACE = "A"
WHOLE = 100
EVERYBODY = (0, "")
LOST = {"lose", "forfeit"}


def insurance_is_offered(state: Round) -> bool:
    """Whether the dealer shows an ace and some wager is neither on a pontoon nor void."""
    return first_rank(state) == ACE and any(
        not is_pontoon(box.hands[0].cards) and any(wager.result != "void" for wager in box.hands[0].wagers)
        for box in state.boxes
    )


def first_rank(state: Round) -> str:
    """The rank of the dealer's first card, by which offers are made; a late first card calls for none (A61)."""
    return "" if state.dealer_skipped or not state.dealer else state.dealer[0][0]


def cap(state: Round, stake: int) -> int:
    """The most that may insure a wager."""
    return stake * state.rules.insurance.most_percent // WHOLE


def target(command: Insure) -> tuple[int, str]:
    """Box and owner of the wager to be insured."""
    return (command.for_box or command.box, command.for_player or command.player)


def refuse_insurance(state: Round, command: Insure) -> Refusal | None:
    """Whether this insurance may be made."""
    rules = state.rules
    box, owner = target(command)
    wager = _original(state, box, owner)
    own = owner == command.player and box == command.box
    if wager is None or not (own or _original(state, command.box, command.player) is not None):
        who = (command.player, command.box) if wager else (owner, box)
        return refuse("no_wager_there", rules.cites.insurance_made, player=who[0], box=who[1])
    refused = refuse_now(state, _cards(state, box), owner) or _refuse_moment(state, box, owner)
    if refused:
        return refused
    if command.amount <= 0 or command.amount > cap(state, wager.stake):
        clauses = rules.clauses("insurance.most_percent")
        return refuse("insurance_amount", clauses, amount=command.amount, most=cap(state, wager.stake))
    chip = state.limits.smallest_chip
    if rules.insurance.payable and chip and rules.insurance.odds.pays(command.amount) % chip:
        return refuse("insurance_not_payable", rules.clauses("insurance.payable"), amount=command.amount, chip=chip)
    if owner == command.player:
        return _refuse_own(state, box, owner)
    return _refuse_third_party(state, command, wager)


def refuse_now(state: Round, cards: tuple[Card, ...], owner: str) -> Refusal | None:
    """Whether the wager on these cards can be insured at this moment, by anybody."""
    if is_pontoon(cards):
        return refuse("pontoon_not_insured", state.rules.cites.insurance_pontoon, player=owner)
    return None if state.phase == "insurance" else refuse("insurance_not_open", _why_closed(state))


def _why_closed(state: Round) -> Clauses:
    """Why insurance is not open: the dealer's ace came late, the moment has passed, or there is no ace."""
    if state.dealer_skipped:
        return state.rules.clauses("irregular.missing_first")
    ace = not state.dealer or state.dealer[0][0] == ACE
    return state.rules.cites.insurance_deadline if ace else state.rules.cites.insurance_offered


def _refuse_moment(state: Round, box: int, owner: str) -> Refusal | None:
    """Whether the open offer includes this wager; a late offer includes hands that have lost since."""
    rules = state.rules
    if state.offer_to not in (EVERYBODY, (box, owner)):
        return refuse("offer_is_for_another", rules.clauses("irregular.missed_offer"), player=state.offer_to[1])
    results = {wager.result for wager in _wagers(state, box, owner)}
    if "" not in results and not (state.late_offer and results & LOST):
        return refuse("already_settled", rules.cites.insurance_deadline, box=box)
    return None


def refuse_declining(state: Round, command: DeclineInsurance) -> Refusal | None:
    """Whether the player has a wager to leave uninsured, while insurance is open."""
    rules = state.rules
    if _original(state, command.box, command.player) is None:
        return refuse("no_wager_there", rules.cites.insurance_made, player=command.player, box=command.box)
    if state.phase != "insurance":
        return refuse("insurance_not_open", rules.cites.insurance_offered)
    if is_pontoon(_cards(state, command.box)):
        return refuse("pontoon_not_insured", rules.cites.insurance_pontoon, player=command.player)
    return _refuse_moment(state, command.box, command.player) or _refuse_own(state, command.box, command.player)


def decline_insurance(flow: Flow, command: DeclineInsurance) -> None:
    """Record that the owner leaves the wager uninsured."""
    rules = flow.state.rules
    clauses = cite(rules.cites.insurance_offered, rules.clauses("insurance.others_after"))
    flow.put(InsuranceDeclined(command.box, command.player, clauses))


def has_declined(state: Round, offer: str, box: int, player: str) -> bool:
    """Whether this player said no to an offer when it was made."""
    return (offer, box, player) in state.declined


def _refuse_own(state: Round, box: int, player: str) -> Refusal | None:
    for made in _on(state, box, player):
        if made.third_party:
            return refuse("insured_by_another", state.rules.clauses("insurance.third_party"), player=made.player)
        return refuse("already_insured", state.rules.cites.insurance_frozen, player=player)
    if has_declined(state, "insurance", box, player):
        key = "irregular.missed_offer" if state.late_offer else "insurance.others_after"
        clauses = state.rules.clauses(key) or state.rules.cites.insurance_deadline
        return refuse("insurance_declined", clauses, player=player)
    return None


def _refuse_third_party(state: Round, command: Insure, wager: Wager) -> Refusal | None:
    rules = state.rules
    clauses = rules.clauses("insurance.third_party")
    if not rules.insurance.third_party:
        return refuse("own_wager_only", clauses, player=command.player)
    if all(mine.result == "void" for mine in _wagers(state, command.box, command.player)):
        return refuse("no_wager_there", clauses, player=command.player, box=command.box)
    box, owner = target(command)
    others = _on(state, box, owner)
    if any(not made.third_party for made in others):
        return refuse("owner_insured", clauses, player=owner)
    if rules.insurance.others_after == "declined" and not has_declined(state, "insurance", box, owner):
        return refuse("owner_has_not_declined", rules.clauses("insurance.others_after") or clauses, player=owner)
    if any(made.player == command.player for made in others):
        return refuse("already_insured", rules.cites.insurance_frozen, player=command.player)
    line = _in_preference(state, [*(made.player for made in others), command.player], box, owner)
    before = line[: line.index(command.player)]
    left = cap(state, wager.stake) - sum(made.amount for made in others if made.player in before)
    if command.amount > left:
        return refuse("insurance_taken", clauses, amount=command.amount, left=left)
    return None


def insure(flow: Flow, command: Insure) -> None:
    """Place the insurance; others with less preference are displaced."""
    if type(command.amount) is not int:
        check_types(command)
    rules = flow.state.rules
    box, owner = target(command)
    own = owner == command.player
    clauses = rules.cites.insurance_made if own else rules.clauses("insurance.third_party")
    clauses = cite(clauses, rules.clauses("insurance.most_percent"))
    flow.put(InsuranceMade(box if own else command.box, command.player, box, owner, command.amount, clauses))
    if not own:
        _give_way(flow, box, owner)


def _give_way(flow: Flow, box: int, owner: str) -> None:
    """Reduce the insurance of the lowest-ranking bettors until the total is within the limit again."""
    state = flow.state
    wager = _original(state, box, owner)
    assert wager is not None
    left = cap(state, wager.stake)
    clauses = state.rules.clauses("insurance.third_party")
    made = {insurance.player: insurance for insurance in _on(state, box, owner)}
    for player in _in_preference(state, list(made), box, owner):
        one = made[player]
        kept = one.amount if one.amount <= left else _payable(state, left)
        left -= kept
        if kept < one.amount:
            flow.put(InsuranceReduced(one.box, player, box, owner, kept, one.amount - kept, clauses))


def _payable(state: Round, amount: int) -> int:
    """The largest insurance up to this amount whose win the smallest chip can pay."""
    chip = state.limits.smallest_chip
    if not chip or not state.rules.insurance.payable:
        return amount
    odds = state.rules.insurance.odds
    chips = amount * odds.numerator // (chip * odds.denominator)
    return chips * chip * odds.denominator // odds.numerator


def _in_preference(state: Round, players: list[str], target_box: int, owner: str) -> list[str]:
    """Bettors in the order of canberra 7.2: by their wager nearest the box, front to back within a box.

    Between boxes equally near, the one whose front bettor has the least insurance on others goes first, then clockwise.
    """
    seats = {player: _nearest(state, player, target_box) for player in players}
    front = {box: min(place for other, place in seats.values() if other == box) for box, _ in seats.values()}

    def preference(player: str) -> tuple[int, int, int, int]:
        box, place = seats[player]
        leader = next(name for name, seat in seats.items() if seat == (box, front[box]))
        return (abs(box - target_box), _on_others(state, leader, target_box, owner), box, place)

    return sorted(players, key=preference)


def _nearest(state: Round, player: str, target_box: int) -> tuple[int, int]:
    """Box and place in it of this player's wager nearest the target."""
    mine = [
        (box.number, place) for box in state.boxes for place, wager in enumerate(box.bettors) if wager.player == player
    ]
    return min(mine, key=lambda seat: (abs(seat[0] - target_box), seat))


def _on_others(state: Round, player: str, target_box: int, owner: str) -> int:
    """A player's stake on other players' wagers, except this one."""
    return sum(
        made.amount
        for made in state.insurance
        if made.third_party
        and made.player == player
        and not made.settled
        and (made.owner_box, made.owner) != (target_box, owner)
    )


def _on(state: Round, box: int, owner: str) -> list[InsuranceWager]:
    """The insurance on a wager, without what has become void."""
    return [made for made in state.insurance if (made.owner_box, made.owner) == (box, owner) and not made.settled]


def _wagers(state: Round, number: int, player: str) -> list[Wager]:
    """The wagers of this player on the hands of a box."""
    box = find_box(state, number)
    assert box is not None
    return [wager for hand in box.hands for wager in hand.wagers if wager.player == player]


def _original(state: Round, number: int, player: str) -> Wager | None:
    box = find_box(state, number)
    if box is not None:
        for bettor in box.bettors:
            if bettor.player == player:
                return bettor
    return None


def _cards(state: Round, number: int) -> tuple[Card, ...]:
    """The first cards of a box; none before the deal."""
    box = find_box(state, number)
    assert box is not None
    return box.hands[0].cards if box.hands else ()

"""The final settlement: every wager still undecided against the dealer's hand.

Against a total there are four outcomes; a dealer's pontoon has its own way of collecting in each rulebook.
"""

from __future__ import annotations

from typing import Literal

from pontoon.cards import LIMIT
from pontoon.engine.bonuses import pay_bonuses
from pontoon.engine.events import RoundEnded, Settled
from pontoon.engine.flow import Flow, cite
from pontoon.engine.odds import payout, total_for
from pontoon.engine.payments import burn_exposed, collect, give_back, give_back_double, pay
from pontoon.engine.side_bets import settle_side_bets
from pontoon.engine.state import Box, Hand, InsuranceWager, Round, Wager
from pontoon.rulebook import Clauses

Undecided = list[tuple[int, Hand, Wager]]
"""Hand number, hand and wager of one bettor on one box, in the order of play."""


def settle_round(flow: Flow) -> None:
    """Settle remaining wagers, then insurance if it is paid last, then bonuses."""
    state = flow.state
    if state.exposed:
        burn_exposed(flow)
    boxes = state.boxes if state.rules.settle.order == "from_left" else state.boxes[::-1]
    for box in boxes:
        for bettor in box.bettors:
            _settle_bettor(flow, box, bettor.player)
    if state.insurance:
        settle_insurance(flow, "after_settlement")
    if state.side:
        settle_side_bets(flow, "final", "final")
    pay_bonuses(flow)
    flow.put(RoundEnded(state.rules.clauses("settle.order")))


def _settle_bettor(flow: Flow, box: Box, player: str) -> None:
    pontoon = flow.state.dealer_pontoon
    surrendered: Undecided = []
    live: Undecided = []
    for number, hand in enumerate(box.hands, 1):
        for wager in hand.wagers:
            if wager.player == player and not wager.result:
                (surrendered if wager.surrendered else live).append((number, hand, wager))
    if pontoon:
        live = _stand_off_short_hands(flow, box, live)
    for number, _, wager in surrendered:
        _settle_surrender(flow, (box.number, number), wager, pontoon=pontoon)
    if pontoon:
        _COLLECT[flow.state.rules.dealer.pontoon_collects](flow, box, player, live)
    else:
        for number, hand, wager in live:
            _settle_against_total(flow, (box.number, number), hand, wager)


def _stand_off_short_hands(flow: Flow, box: Box, live: Undecided) -> Undecided:
    """Stand off hands passed over against a dealer's pontoon (adelaide 106(c)); returns the other hands."""
    why = flow.state.rules.clauses("irregular.missing_card")
    for number, hand, wager in live:
        if _is_short(flow.state, hand):
            give_back(flow, (box.number, number), wager, "stand_off", why)
    return [held for held in live if not _is_short(flow.state, held[1])]


def _is_short(state: Round, hand: Hand) -> bool:
    """Passed over, and not noticed before the dealer's second card; version 0.1.0 made no difference."""
    return hand.skipped and not (hand.noticed and state.rules.irregular.short_others == "on_decision")


def _settle_surrender(flow: Flow, place: tuple[int, int], wager: Wager, *, pontoon: bool) -> None:
    rules, chip = flow.state.rules, flow.state.limits.smallest_chip
    if pontoon:
        collect(flow, place, wager, "final", rules.cites.surrender_void)
        return
    half = wager.stake // 2
    if chip:  # A43: an amount that chips cannot halve is rounded in the player's favour
        half -= half % chip
    clauses = rules.cites.surrender_collected
    flow.put(Settled(wager.player, *place, "main", wager.stake, "surrender", "", -half, "final", clauses))


def _settle_against_total(flow: Flow, place: tuple[int, int], hand: Hand, wager: Wager) -> None:
    rules = flow.state.rules
    points, dealer = total_for(rules, hand, wager), flow.state.dealer_total
    if dealer > LIMIT or points > dealer:
        why = "cites.won_dealer_bust" if dealer > LIMIT else "cites.won_higher"
        cited = rules.joined[(why, "cites.doubled_win") if wager.double else (why,)]
        pay(flow, place, hand, wager, "final", cited)
    elif points == dealer:
        give_back(flow, place, wager, "stand_off", rules.cites.stand_off)
    else:
        collect(flow, place, wager, "final", rules.cites.lost_lower)


def _collect_all(flow: Flow, box: Box, player: str, live: Undecided) -> None:  # noqa: ARG001 one shape for all modes
    """Every undecided wager loses, doubles and splits too."""
    why = flow.state.rules.cites.lost_to_pontoon
    for number, _, wager in live:
        collect(flow, (box.number, number), wager, "final", why)


def _collect_busts_plus_one(flow: Flow, box: Box, player: str, live: Undecided) -> None:
    """Collect one original amount from the first undecided hand; lost wagers stay lost."""
    if live:
        relief = _relief(flow.state, box, player, live)
        _collect_one(flow, box, live, relief, relief)


def _collect_original(flow: Flow, box: Box, player: str, live: Undecided) -> None:
    """The original wager where it now stands; its amount elsewhere if it had won; nothing if it was lost."""
    cites = flow.state.rules.cites
    original = next(
        (number, hand, wager)
        for number, hand in enumerate(box.hands, 1)
        for wager in hand.wagers
        if wager.player == player and wager.original
    )
    relief = _relief(flow.state, box, player, live)
    if original in live:
        _collect_one(flow, box, [original, *(held for held in live if held != original)], relief, relief)
    elif original[2].result == "win" and live:
        _collect_one(flow, box, live, cites.relief_won, relief)
    else:
        for number, _, wager in live:
            give_back(flow, (box.number, number), wager, "stand_off", relief)


def _collect_one(flow: Flow, box: Box, live: Undecided, taken: Clauses, relief: Clauses) -> None:
    """Collect the first main wager, return its double and all the others."""
    number, _, wager = live[0]
    why = cite(flow.state.rules.cites.lost_to_pontoon, taken)
    place = (box.number, number)
    flow.put(Settled(wager.player, *place, "main", wager.stake, "lose", "", -wager.stake, "final", why))
    give_back_double(flow, place, wager, "stand_off", "final", relief)
    for number, _, wager in live[1:]:
        give_back(flow, (box.number, number), wager, "stand_off", relief)


def _relief(state: Round, box: Box, player: str, live: Undecided) -> Clauses:
    """The clauses that spare additional wagers: for splits, for doubles, or both."""
    cites = state.rules.cites
    doubled = any(wager.double for _, _, wager in live)
    split = sum(wager.player == player for hand in box.hands for wager in hand.wagers) > 1
    return cite(cites.relief_split if split else (), cites.relief_double if doubled else ())


_COLLECT = {
    "all": _collect_all,
    "busts_plus_one": _collect_busts_plus_one,
    "original_tracked": _collect_original,
}
"""How a dealer's pontoon collects from one bettor on one box."""


def settle_insurance(flow: Flow, moment: Literal["second_card", "after_settlement"]) -> None:
    """Collect losing insurance at the dealer's second card; pay winning insurance when the rulebook says."""
    rules = flow.state.rules
    pontoon = flow.state.dealer_pontoon
    if moment != (rules.insurance.winners_paid if pontoon else "second_card"):
        return
    for insurance in flow.state.insurance:
        if not insurance.settled:
            _settle_insurance(flow, insurance, pontoon=pontoon)


def _settle_insurance(flow: Flow, one: InsuranceWager, *, pontoon: bool) -> None:
    rules, odds = flow.state.rules, flow.state.rules.insurance.odds
    allowed = rules.clauses("insurance.third_party") if one.third_party else ()
    net, rounded = payout(rules, flow.state.limits, one.amount, odds) if pontoon else (-one.amount, ())
    won = cite(rules.cites.insurance_won, rules.clauses("insurance.odds"), allowed, rounded)
    flow.put(
        Settled(
            player=one.player,
            box=one.owner_box,
            hand=0,
            kind="insurance",
            stake=one.amount,
            result="win" if pontoon else "lose",
            odds=str(odds) if pontoon else "",
            net=net,
            moment="final",
            clauses=won if pontoon else cite(rules.cites.insurance_lost, allowed),
            owner=one.owner if one.third_party else "",
        )
    )

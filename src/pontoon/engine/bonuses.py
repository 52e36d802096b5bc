"""The Super Bonus, and the bonus for the other players of the round. Paid last, on top of the odds."""

from __future__ import annotations

from collections.abc import Callable

from pontoon.engine.events import Settled
from pontoon.engine.flow import Flow, cite
from pontoon.engine.odds import SEVENS, suits_row
from pontoon.engine.state import Box, Hand, Round, Wager, find_box, wager_of

SEVEN = "7"


def pay_bonuses(flow: Flow) -> None:
    """Pay every Super Bonus of the round, then the small bonus to the others."""
    rules = flow.state.rules.super_bonus
    if not rules.offered or not flow.state.dealer or flow.state.dealer[0][0] != SEVEN:
        return
    winners = {
        (box.number, number, wager.player): wager.stake
        for box in flow.state.boxes
        for number, hand in enumerate(box.hands, 1)
        if _hand_qualifies(flow.state, box, hand)
        for wager in hand.wagers
        if _wager_qualifies(flow.state, hand, wager)
    }
    for place, stake in winners.items():
        _pay_super_bonus(flow, place, stake)
    if winners and rules.other_bonus:
        _OTHERS[rules.other_unit](flow, {(box, player) for box, _, player in winners})


def super_bonus_hand(state: Round, box: Box, hand: Hand) -> bool:
    """Whether a paid hand waits on the layout for the Super Bonus: suited sevens against a dealer's seven."""
    rules = state.rules.super_bonus
    if not rules.offered or not state.dealer or state.dealer[0][0] != SEVEN or not _hand_qualifies(state, box, hand):
        return False
    return any(_wager_qualifies(state, hand, wager) for wager in hand.wagers)


def _hand_qualifies(state: Round, box: Box, hand: Hand) -> bool:
    """Three suited sevens, on a hand that no split took out of the bonus."""
    if tuple(card[0] for card in hand.cards) != SEVENS or suits_row(hand.cards) == "mixed":
        return False
    if state.rules.super_bonus.split_excludes == "any_split":
        return not hand.split
    return not box.suited_sevens_split


def _wager_qualifies(state: Round, hand: Hand, wager: Wager) -> bool:
    """Whether a wager won undoubled; on a doubled hand only if the rulebook lets a non-doubler qualify."""
    rules = state.rules
    return (
        wager.result == "win"
        and not wager.double
        and (not hand.doubled or rules.double.non_doubler_super_bonus)
        and wager.stake >= rules.super_bonus.least_wager
    )


def _pay_super_bonus(flow: Flow, place: tuple[int, int, str], stake: int) -> None:
    rules = flow.state.rules
    box, hand, player = place
    seat = find_box(flow.state, box)
    doubled = seat is not None and seat.hands[hand - 1].doubled
    band = "upper" if stake >= rules.super_bonus.upper_from else "lower"
    prize: int = getattr(rules.super_bonus, band)
    kept = rules.clauses("double.non_doubler_super_bonus") if doubled else ()
    clauses = cite(rules.cites.super_bonus, rules.clauses(f"super_bonus.{band}"), kept)
    flow.put(Settled(player, box, hand, "super_bonus", stake, "win", "", prize, "final", clauses))


def _pay_other(flow: Flow, box: int, player: str, stake: int) -> None:
    rules = flow.state.rules
    clauses = cite(rules.cites.other_bonus, rules.clauses("super_bonus.other_unit"))
    flow.put(Settled(player, box, 0, "envy_bonus", stake, "win", "", rules.super_bonus.other_bonus, "final", clauses))


Winners = set[tuple[int, str]]
"""Box and player of each Super Bonus."""


def _void(box: Box, player: str) -> bool:
    """A void wager earns nothing."""
    return all(wager.result == "void" for hand in box.hands for wager in hand.wagers if wager.player == player)


def _earns(state: Round, box: Box, player: str) -> bool:
    """Whether a bettor who did not win the Super Bonus gets the small one; a doubler only if the operator pays it."""
    if _void(box, player):
        return False
    doubled = any(hand.doubled and wager_of(hand, player) is not None for hand in box.hands)
    return state.rules.super_bonus.other_excluded == "paid" or not (doubled or box.suited_sevens_split)


def _per_original_wager(flow: Flow, winners: Winners) -> None:
    """Once for each bettor on each box, whatever the result of the wager."""
    for box in flow.state.boxes:
        for wager in box.bettors:
            if (box.number, wager.player) not in winners and _earns(flow.state, box, wager.player):
                _pay_other(flow, box.number, wager.player, wager.stake)


def pay_each_player(flow: Flow, winners: Winners) -> None:
    """Pay once to each player who has won no bonus yet, for the first box the player bets on."""
    paid = {player for _, player in winners}
    for box in flow.state.boxes:
        for wager in box.bettors:
            if wager.player not in paid and _earns(flow.state, box, wager.player):
                paid.add(wager.player)
                _pay_other(flow, box.number, wager.player, wager.stake)


def _per_wager(flow: Flow, winners: Winners) -> None:
    """Pay for every stack of chips: main wagers on each hand, doubles, insurance."""
    for box in flow.state.boxes:
        for hand in box.hands:
            for wager in hand.wagers:
                if (box.number, wager.player) in winners or not _earns(flow.state, box, wager.player):
                    continue
                if wager.result != "void":
                    for stake in (wager.stake, wager.double) if wager.double else (wager.stake,):
                        _pay_other(flow, box.number, wager.player, stake)


_OTHERS: dict[str, Callable[[Flow, Winners], None]] = {
    "per_original_wager": _per_original_wager,
    "per_player": pay_each_player,
    "per_wager": _per_wager,
}

"""Doubling down: one more card for a further wager, co-bettors joining or not, and the right to forfeit it."""

from __future__ import annotations

from pontoon.cards import LIMIT, aces_in
from pontoon.cards.hand import SOFT_ACE
from pontoon.engine.commands import Double, Forfeit, Keep, check_types
from pontoon.engine.decisions import box_to_decide, call_card, note_declined_split
from pontoon.engine.events import Doubled, Kept, OfferClosed, OfferOpened, Settled, Stood
from pontoon.engine.flow import Flow, cite
from pontoon.engine.interim import settle_at_once
from pontoon.engine.payments import give_back_double
from pontoon.engine.refusals import Refusal, refuse
from pontoon.engine.short_hands import refuse_short_hand
from pontoon.engine.state import INITIAL_CARDS, Hand, Round, Wager, box_in_turn, find_box, hand_in_turn, wager_of
from pontoon.engine.turns import next_turn
from pontoon.engine.wagers import refuse_chips


def refuse_double(state: Round, command: Double) -> Refusal | None:
    """Whether the controller may double this hand, or a co-bettor join in."""
    if state.joining == "double" and state.turn[0] == command.box:
        return _refuse_join(state, command)
    box = box_to_decide(state, command.box)
    if type(box) is Refusal:
        return box
    hand = box.hands[state.turn[1] - 1]
    if hand.doubled:
        return _refuse_carrying_out(state, command)
    if command.player and command.player != box.controller:
        return refuse("co_bettor_may_not_double", state.rules.cites.double_alone, player=command.player)
    wager = wager_of(hand, box.controller)
    if wager is None or not wager.live:
        return refuse("already_surrendered", state.rules.cites.surrendered, player=box.controller)
    return _refuse_hand(state, hand) or _refuse_amount(state, command.amount, wager)


def _refuse_carrying_out(state: Round, command: Double) -> Refusal | None:
    """Whether a double made before its card was missed is carried out later (adelaide 106(d))."""
    box = box_in_turn(state)
    if command.player and command.player != box.controller:
        return refuse("co_bettor_may_not_double", state.rules.cites.double_alone, player=command.player)
    return None


def _refuse_hand(state: Round, hand: Hand) -> Refusal | None:
    short = refuse_short_hand(state, hand)
    if short is not None:
        return short
    rules, double = state.rules, state.rules.double
    if hand.went_on and any(
        settlement.kind == "double" and (settlement.box, settlement.hand) == state.turn
        for settlement in state.settlements
    ):
        return refuse("double_taken_back", rules.clauses("irregular.missing_card"))
    if double.two_cards_only and len(hand.cards) != INITIAL_CARDS:
        return refuse("double_two_cards_only", rules.clauses("double.two_cards_only"), count=len(hand.cards))
    if hand.soft and double.hard_only and not double.soft_as_hard:
        return refuse("double_hard_only", rules.clauses("double.hard_only"), total=hand.total, soft=True)
    total = hand.total - SOFT_ACE if hand.soft and double.soft_as_hard else hand.total
    if not double.lowest_total <= total <= double.highest_total:
        facts = {"total": total, "low": double.lowest_total, "high": double.highest_total}
        return refuse("double_total", rules.clauses("double.lowest_total"), **facts)
    return None


def _refuse_amount(state: Round, amount: int, wager: Wager) -> Refusal | None:
    rules = state.rules
    amount = amount or wager.stake
    if amount != wager.stake and (amount > wager.stake or not rules.double.for_less):
        clauses = cite(rules.cites.double_amount, rules.clauses("double.for_less"))
        code = "double_for_less" if amount < wager.stake else "double_too_much"
        return refuse(code, clauses, amount=amount, stake=wager.stake)
    chip = state.limits.smallest_chip
    least = max(rules.wagers.increment, chip)
    if amount < least:
        return refuse("double_too_small", rules.cites.double_amount, amount=amount, least=least)
    return refuse_chips(state, amount) if chip else None


def _refuse_join(state: Round, command: Double) -> Refusal | None:
    rules, box, hand = state.rules, box_in_turn(state), hand_in_turn(state)
    player = command.player or box.controller
    wager = wager_of(hand, player)
    if player == box.controller:
        return refuse("double_takes_one_card", rules.cites.double_card, player=player, box=box.number)
    if wager is None or not wager.live:
        return refuse("no_wager_there", rules.cites.double_joined, player=player, box=box.number)
    if wager.double:
        return refuse("already_doubled", rules.cites.wager_frozen, player=player)
    return _refuse_amount(state, command.amount, wager)


def double(flow: Flow, command: Double) -> None:
    """Add a double, the controller's or a co-bettor's; the next card closes it."""
    if type(command.amount) is not int:
        check_types(command)
    state = flow.state
    rules, hand, box = state.rules, hand_in_turn(state), box_in_turn(state)
    if hand.doubled and state.joining != "double":
        call_card(flow, hand, rules.clauses("irregular.missing_card"))
        return
    joined = state.joining == "double"
    player = command.player or box.controller
    wager = wager_of(hand, player)
    assert wager is not None
    if not joined:
        note_declined_split(flow)
    fixed = hand.fixed_aces if joined else fixed_aces(state, hand)
    clauses = cite(
        rules.cites.double_joined if joined else rules.cites.double_split if hand.split else rules.cites.doubled,
        rules.cites.double_amount,
        rules.clauses("double.fixed_aces") if fixed else (),
    )
    amount = command.amount or wager.stake
    flow.put(Doubled(box.number, state.turn[1], player, amount, fixed, clauses, joined))


def fixed_aces(state: Round, hand: Hand) -> int:
    """How many aces of the hand the double holds at 1."""
    match state.rules.double.fixed_aces:
        case "initial_deal":
            # Only a split hand's first card is of the initial deal, and split aces are never doubled.
            return 0 if hand.split else aces_in(hand.cards[:INITIAL_CARDS])
        case "first_two_of_hand":
            return aces_in(hand.cards[:INITIAL_CARDS])
        case "all_held":
            return aces_in(hand.cards)
        case _:
            return 0


def after_double_card(flow: Flow) -> None:
    """After the one card: settle a bust or a 21, otherwise let the players who doubled forfeit."""
    rules = flow.state.rules
    box, number = flow.state.turn
    hand = hand_in_turn(flow.state)
    offered = hand.total <= rules.double.forfeit_highest
    if not offered or hand.total < LIMIT:
        settle_at_once(flow, box, number, hand)
        hand = hand_in_turn(flow.state)
    if offered and any(may_forfeit(wager) for wager in hand.wagers):
        flow.put(OfferOpened("forfeit", rules.clauses("double.forfeit_highest")))
    else:
        _complete(flow)


def may_forfeit(wager: Wager) -> bool:
    """Whether the owner of a doubled wager has still to say if it is forfeited."""
    return wager.live and bool(wager.double) and not wager.kept


def _complete(flow: Flow) -> None:
    """The doubled hand waits for the dealer, unless nothing on it is undecided."""
    box, number = flow.state.turn
    hand = hand_in_turn(flow.state)
    if hand.total == LIMIT:  # forfeit was offered at 21 by the operator's choice, and declined
        settle_at_once(flow, box, number, hand)
    elif hand.live:
        flow.put(Stood(box, number, flow.state.rules.cites.double_card, "rule"))
    next_turn(flow)


def refuse_forfeit(state: Round, command: Forfeit | Keep) -> Refusal | None:
    """Whether this bettor has a double to give up or keep, now."""
    rules = state.rules
    box = find_box(state, command.box)
    if state.phase != "forfeit" or box is None or state.turn[0] != box.number:
        clauses = rules.joined["cites.forfeited", "double.forfeit_highest"]
        return refuse("forfeit_not_open", clauses, highest=rules.double.forfeit_highest)
    player = command.player or box.controller
    wager = wager_of(hand_in_turn(state), player)
    if wager is None or not wager.live:
        return refuse("no_wager_there", rules.cites.forfeited, player=player, box=box.number)
    if not wager.double:
        return refuse("nothing_to_forfeit", rules.cites.forfeit_doublers, player=player)
    if wager.kept:
        return refuse("already_kept", rules.cites.forfeited, player=player)
    return None


def forfeit(flow: Flow, command: Forfeit) -> None:
    """Collect the original wager immediately and hand the double back."""
    place = flow.state.turn
    player = command.player or box_in_turn(flow.state).controller
    wager = wager_of(hand_in_turn(flow.state), player)
    assert wager is not None
    clauses = flow.state.rules.cites.forfeited
    flow.put(Settled(player, *place, "main", wager.stake, "forfeit", "", -wager.stake, "interim", clauses))
    give_back_double(flow, place, wager, "void", "interim", clauses)
    close_when_answered(flow)


def keep(flow: Flow, command: Keep) -> None:
    """Let the doubled hand stand."""
    player = command.player or box_in_turn(flow.state).controller
    flow.put(Kept(*flow.state.turn, player, flow.state.rules.cites.forfeited))
    close_when_answered(flow)


def close_when_answered(flow: Flow) -> None:
    """Close the offer to forfeit once nobody is left to answer."""
    if not any(may_forfeit(wager) for wager in hand_in_turn(flow.state).wagers):
        close_forfeit(flow)


def close_forfeit(flow: Flow) -> None:
    """The dealer continues: doubles not forfeited are kept."""
    flow.put(OfferClosed("forfeit", flow.state.rules.cites.forfeited))
    _complete(flow)

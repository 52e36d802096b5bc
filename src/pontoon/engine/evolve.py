"""Apply an event to a round; needs no rules and no randomness. Whatever an event states has happened."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from pontoon.cards import total
from pontoon.decider import Steps
from pontoon.engine import events as e
from pontoon.engine.state import Box, Hand, InsuranceWager, Phase, Round, SideWager, Wager
from pontoon.rulebook.side_bets import KEPT_NAMES

OfHand = e.CardCalled | e.Stood | e.CardRefused | e.PlayerWasAbsent | e.HandSkipped | e.SkipNoticed
"""Events that only change fields of one hand."""


def _with_box(state: Round, new: Box) -> tuple[Box, ...]:
    return tuple([new if box.number == new.number else box for box in state.boxes])


def _box(state: Round, number: int) -> Box:
    for box in state.boxes:
        if box.number == number:
            return box
    raise AssertionError(number)  # pragma: no cover - an event names a box that has wagers


def _with_hand(state: Round, box: Box, number: int, hand: Hand) -> tuple[Box, ...]:
    """Put a changed hand in its place; everything else is shared with the previous state."""
    old = box.hands
    new = replace(box, hands=(hand,) if len(old) == 1 else (*old[: number - 1], hand, *old[number:]))
    return (new,) if len(state.boxes) == 1 else _with_box(state, new)


def _change_hand(state: Round, event: OfHand, **changes: object) -> Round:
    """Change fields of the hand an event names."""
    box = _box(state, event.box)
    hand = replace(box.hands[event.hand - 1], **changes)
    return replace(state, boxes=_with_hand(state, box, event.hand, hand))


def _change_wager(hand: Hand, player: str, **changes: object) -> Hand:
    """Change one player's wager on a hand."""
    if len(hand.wagers) == 1 and hand.wagers[0].player == player:
        return replace(hand, wagers=(replace(hand.wagers[0], **changes),))
    wagers = [replace(wager, **changes) if wager.player == player else wager for wager in hand.wagers]
    return replace(hand, wagers=tuple(wagers))


def _wager_placed(state: Round, event: e.WagerPlaced) -> Round:
    wager = Wager(event.player, event.stake)
    place = 0
    for box in state.boxes:
        if box.number == event.box:
            return replace(state, boxes=_with_box(state, replace(box, bettors=(*box.bettors, wager))))
        if box.number < event.box:
            place += 1
    new = Box(event.box, (wager,), controller=event.player)
    return replace(state, boxes=(*state.boxes[:place], new, *state.boxes[place:]))


def _side_wager_placed(state: Round, event: e.SideWagerPlaced) -> Round:
    return replace(state, side=(*state.side, SideWager(event.box, event.player, event.kind, event.stake)))


def _wager_taken_back(state: Round, event: e.WagerTakenBack) -> Round:
    side = tuple(side_bet for side_bet in state.side if (side_bet.box, side_bet.player) != (event.box, event.player))
    boxes = []
    for box in state.boxes:
        bettors = tuple(wager for wager in box.bettors if box.number != event.box or wager.player != event.player)
        if bettors:
            controller = box.controller if box.controller != event.player else bettors[0].player
            boxes.append(replace(box, bettors=bettors, controller=controller))
    return replace(state, boxes=tuple(boxes), side=side)


def _no_more_bets_called(state: Round, _: e.NoMoreBetsCalled) -> Round:
    boxes = tuple([replace(box, hands=(Hand((), box.bettors),)) for box in state.boxes])
    return replace(state, phase="initial_deal", boxes=boxes)


def _card_dealt(state: Round, event: e.CardDealt) -> Round:
    used = state.cards_used + 1
    if event.box == 0:
        return replace(
            state,
            dealer=(*state.dealer, event.card),
            dealer_total=event.total,
            dealer_soft=event.soft,
            exposed="",
            cards_used=used,
        )

    boxes = state.boxes
    box = boxes[0] if len(boxes) == 1 else _box(state, event.box)
    old = box.hands[event.hand - 1]
    new = replace(old, cards=(*old.cards, event.card), total=event.total, soft=event.soft)
    if len(boxes) == 1 and len(box.hands) == 1:  # most cards, without a further call
        boxes = (replace(box, hands=(new,)),)
    else:
        boxes = _with_hand(state, box, event.hand, new)
    if state.phase == "card":
        return replace(state, boxes=boxes, phase="decision", joining="", exposed="", cards_used=used)
    return replace(state, boxes=boxes, exposed="", cards_used=used)


def _offer_opened(state: Round, event: e.OfferOpened) -> Round:
    answering = event.decided or ""
    return replace(
        state, phase=event.offer, late_offer=event.late, offer_to=(event.box, event.player), answering=answering
    )


def _offer_closed(state: Round, _: e.OfferClosed) -> Round:
    """Carry out the decision of a short hand's controller once the others on it have answered."""
    return replace(state, phase="card" if state.answering == "draw" else state.phase, answering="")


def _declined(offer: str) -> Callable[[Round, e.InsuranceDeclined | e.SurrenderDeclined], Round]:
    def decline(state: Round, event: e.InsuranceDeclined | e.SurrenderDeclined) -> Round:
        return replace(state, declined=(*state.declined, (offer, event.box, event.player)))

    return decline


def _insurance_made(state: Round, event: e.InsuranceMade) -> Round:
    made = InsuranceWager(event.box, event.player, event.owner_box, event.owner, event.amount)
    return replace(state, insurance=(*state.insurance, made))


def _insurance_reduced(state: Round, event: e.InsuranceReduced) -> Round:
    who = (event.box, event.player, event.owner_box, event.owner)
    changed = (
        replace(insurance, amount=event.amount)
        if (insurance.box, insurance.player, insurance.owner_box, insurance.owner) == who
        else insurance
        for insurance in state.insurance
    )
    return replace(state, insurance=tuple(insurance for insurance in changed if insurance.amount))


def _surrendered(state: Round, event: e.Surrendered) -> Round:
    box = _box(state, event.box)
    hand = _change_wager(box.hands[0], event.player, surrendered=True)
    return replace(state, boxes=_with_hand(state, box, 1, hand))


def _control_passed(state: Round, event: e.ControlPassed) -> Round:
    box = replace(_box(state, event.box), controller=event.player)
    if state.phase == "wagers" and state.rules.people.in_front:
        bettors = sorted(box.bettors, key=lambda wager: wager.player != event.player)
        box = replace(box, bettors=tuple(bettors))
    return replace(state, boxes=_with_box(state, box))


def _turn_came(state: Round, event: e.TurnCame) -> Round:
    hand = _box(state, event.box).hands[event.hand - 1]
    waiting = len(hand.cards) == 1 and not hand.missed
    phase: Phase = "card" if waiting else "decision"
    return replace(state, turn=(event.box, event.hand), phase=phase, joining="", answering="")


def _card_called(state: Round, event: e.CardCalled) -> Round:
    hand = _box(state, event.box).hands[event.hand - 1]
    if not hand.skipped and not hand.missed:
        return replace(state, phase="card")
    return replace(_change_hand(state, event, went_on=True), phase="card")


def _stood(state: Round, event: e.Stood) -> Round:
    return _change_hand(state, event, stood=True)


def _card_refused(state: Round, event: e.CardRefused) -> Round:
    return _change_hand(state, event, refused=True)


def _player_was_absent(state: Round, event: e.PlayerWasAbsent) -> Round:
    return _change_hand(state, event, absent=True)


def _bettor_was_absent(state: Round, event: e.BettorWasAbsent) -> Round:
    box = _box(state, event.box)
    return replace(state, boxes=_with_box(state, replace(box, absent=(*box.absent, event.player))))


def _doubled(state: Round, event: e.Doubled) -> Round:
    box = _box(state, event.box)
    hand = _change_wager(box.hands[event.hand - 1], event.player, double=event.amount)
    if event.fixed_aces:
        points, soft = total(hand.cards, event.fixed_aces)
        hand = replace(hand, fixed_aces=event.fixed_aces, total=points, soft=soft)
    hand = replace(hand, doubled=True)
    return replace(state, boxes=_with_hand(state, box, event.hand, hand), phase="card", joining="double")


def _split_made(state: Round, event: e.SplitMade) -> Round:
    box = _box(state, event.box)
    hand = box.hands[event.hand - 1]
    first, second = (Hand((card,), (), *total((card,)), split=True) for card in hand.cards)
    added = tuple(
        replace(wager, original=False) for wager in hand.wagers if wager.player == event.player and wager.live
    )
    hands = (
        *box.hands[: event.hand - 1],
        replace(first, wagers=tuple([replace(wager, rides=False) for wager in hand.wagers])),
        replace(second, wagers=added),
        *box.hands[event.hand :],
    )
    sevens = {card[0] for card in hand.cards} == {"7"} and len({card[1] for card in hand.cards}) == 1
    pair = box.split_pair or hand.cards
    box = replace(box, hands=hands, suited_sevens_split=box.suited_sevens_split or sevens, split_pair=pair)
    return replace(state, boxes=_with_box(state, box), phase="card", joining="split")


def _split_covered(state: Round, event: e.SplitCovered) -> Round:
    box = _box(state, event.box)
    hand = box.hands[event.hand]
    hand = replace(hand, wagers=(*hand.wagers, Wager(event.player, event.amount, original=False)))
    return replace(state, boxes=_with_hand(state, box, event.hand + 1, hand))


def _wager_rode(state: Round, event: e.WagerRode) -> Round:
    box = _box(state, event.box)
    first, second = box.hands[event.hand - 1 : event.hand + 1]
    if event.on == 1:
        riding = _change_wager(first, event.player, rides=True)
        return replace(state, boxes=_with_hand(state, box, event.hand, riding))
    mine = tuple(wager for wager in first.wagers if wager.player == event.player)
    rest = tuple(wager for wager in first.wagers if wager.player != event.player)
    both = (replace(first, wagers=rest), replace(second, wagers=(*second.wagers, *mine)))
    hands = (*box.hands[: event.hand - 1], *both, *box.hands[event.hand + 1 :])
    return replace(state, boxes=_with_box(state, replace(box, hands=hands)))


def _split_barred(state: Round, event: e.SplitBarred) -> Round:
    return replace(state, boxes=_with_box(state, replace(_box(state, event.box), split_barred=True)))


def _kept(state: Round, event: e.Kept) -> Round:
    box = _box(state, event.box)
    hand = _change_wager(box.hands[event.hand - 1], event.player, kept=True)
    return replace(state, boxes=_with_hand(state, box, event.hand, hand))


def _dealers_turn_came(state: Round, _: e.DealersTurnCame) -> Round:
    return replace(state, phase="dealer", turn=(0, 0))


def _settled(state: Round, event: e.Settled) -> Round:
    settlements = (*state.settlements, event)
    if event.kind == "main":
        box = _box(state, event.box)
        hand = _change_wager(box.hands[event.hand - 1], event.player, result=event.result)
        return replace(state, boxes=_with_hand(state, box, event.hand, hand), settlements=settlements)
    if event.kind not in KEPT_NAMES:
        side = tuple(
            replace(side_bet, settled=True)
            if (side_bet.box, side_bet.player, side_bet.kind) == (event.box, event.player, event.kind)
            else side_bet
            for side_bet in state.side
        )
        return replace(state, side=side, settlements=settlements)
    if event.kind == "insurance":
        insurance = tuple(
            replace(insurance, settled=True)
            if (insurance.owner_box, insurance.player, insurance.owner)
            == (event.box, event.player, event.owner or event.player)
            else insurance
            for insurance in state.insurance
        )
        return replace(state, insurance=insurance, settlements=settlements)
    return replace(state, settlements=settlements)


def _reversed(state: Round, event: e.Reversed) -> Round:
    settlements = (*state.settlements, event)
    if event.kind != "main":
        return replace(state, settlements=settlements)
    box = _box(state, event.box)
    hand = _change_wager(box.hands[event.hand - 1], event.player, result="void")
    return replace(state, boxes=_with_hand(state, box, event.hand, hand), settlements=settlements)


def _card_burned(state: Round, _: e.CardBurned) -> Round:
    return replace(state, exposed="", cards_used=state.cards_used + 1)


def _joker_dealt(state: Round, _: e.JokerDealt) -> Round:
    return replace(state, exposed="", cards_used=state.cards_used + 1)


def _card_exposed(state: Round, event: e.CardExposed) -> Round:
    return replace(state, exposed=event.card)


def _hand_skipped(state: Round, event: e.HandSkipped) -> Round:
    return _change_hand(state, event, skipped=True)


def _skip_noticed(state: Round, event: e.SkipNoticed) -> Round:
    return _change_hand(state, event, noticed=True)


def _card_missed(state: Round, event: e.CardMissed) -> Round:
    """In the initial deal the hand is still to come; later it is passed over, and those present then decide anew."""
    in_turn = state.phase == "card"
    box = _box(state, event.box)
    hand = box.hands[event.hand - 1]
    skipped = hand.skipped or (in_turn and not event.noticed)
    hand = replace(hand, missed=True, skipped=skipped, absent=False)
    phase = "decision" if in_turn else state.phase
    return replace(state, boxes=_with_hand(state, box, event.hand, hand), phase=phase, joining="")


def _double_taken_back(state: Round, event: e.DoubleTakenBack) -> Round:
    box = _box(state, event.box)
    hand = box.hands[event.hand - 1]
    points, soft = total(hand.cards)
    wagers = tuple([replace(wager, double=0) for wager in hand.wagers])
    hand = replace(hand, wagers=wagers, doubled=False, fixed_aces=0, total=points, soft=soft)
    return replace(state, boxes=_with_hand(state, box, event.hand, hand))


def _dealer_skipped(state: Round, _: e.DealerSkipped) -> Round:
    return replace(state, dealer_skipped=True)


def _no_first_card_noticed(state: Round, _: e.NoFirstCardNoticed) -> Round:
    return replace(state, phase="first_card")


def _round_ended(state: Round, _: e.RoundEnded) -> Round:
    return replace(state, phase="ended", turn=(0, 0))


def _box_voided(state: Round, event: e.BoxVoided | e.HandVoided) -> Round:
    """With its hand void there is no double and no split on it to join."""
    return replace(state, joining="") if state.turn[0] == event.box else state


def _nothing(state: Round, _: e.Event) -> Round:
    return state


STEPS: Steps[e.Event, Round] = {
    e.WagerPlaced: _wager_placed,
    e.SideWagerPlaced: _side_wager_placed,
    e.WagerTakenBack: _wager_taken_back,
    e.NoMoreBetsCalled: _no_more_bets_called,
    e.CardDealt: _card_dealt,
    e.OfferOpened: _offer_opened,
    e.OfferClosed: _offer_closed,
    e.InsuranceMade: _insurance_made,
    e.InsuranceDeclined: _declined("insurance"),
    e.InsuranceReduced: _insurance_reduced,
    e.Surrendered: _surrendered,
    e.SurrenderDeclined: _declined("surrender"),
    e.ControlPassed: _control_passed,
    e.TurnCame: _turn_came,
    e.CardCalled: _card_called,
    e.Stood: _stood,
    e.PlayerWasAbsent: _player_was_absent,
    e.BettorWasAbsent: _bettor_was_absent,
    e.Doubled: _doubled,
    e.SplitMade: _split_made,
    e.SplitCovered: _split_covered,
    e.WagerRode: _wager_rode,
    e.SplitBarred: _split_barred,
    e.Kept: _kept,
    e.DealersTurnCame: _dealers_turn_came,
    e.DealerStopped: _nothing,
    e.Settled: _settled,
    e.Reversed: _reversed,
    e.CardBurned: _card_burned,
    e.JokerDealt: _joker_dealt,
    e.CardExposed: _card_exposed,
    e.CardRefused: _card_refused,
    e.HandSkipped: _hand_skipped,
    e.CardMissed: _card_missed,
    e.MissPutRight: _nothing,
    e.DoubleTakenBack: _double_taken_back,
    e.SkipNoticed: _skip_noticed,
    e.DealerSkipped: _dealer_skipped,
    e.NoFirstCardNoticed: _no_first_card_noticed,
    e.WagerWithdrawn: _nothing,
    e.BoxVoided: _box_voided,
    e.HandVoided: _box_voided,
    e.WagerVoided: _nothing,
    e.RoundVoided: _nothing,
    e.RoundEnded: _round_ended,
}

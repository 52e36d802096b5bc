"""From one state to the next: total, no rules, no chance. Whatever an event says, happened."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from pontoon.cards import total
from pontoon.decider import Steps
from pontoon.engine import events as e
from pontoon.engine.state import Box, Hand, InsuranceWager, Phase, Round, SideWager, Wager
from pontoon.rulebook.side_bets import KEPT_NAMES


def _with_box(state: Round, new: Box) -> tuple[Box, ...]:
    if len(state.boxes) == 1:
        return (new,)
    return tuple([new if box.number == new.number else box for box in state.boxes])


def _box(state: Round, number: int) -> Box:
    for box in state.boxes:
        if box.number == number:
            return box
    raise AssertionError(number)  # pragma: no cover - an event names a box that has wagers


def _with_hand(state: Round, number: int, hand: int, change: Callable[[Hand], Hand]) -> tuple[Box, ...]:
    """Change one hand of one box; everything else is shared with the state before."""
    box = _box(state, number)
    old = box.hands
    hands = (change(old[0]),) if len(old) == 1 else (*old[: hand - 1], change(old[hand - 1]), *old[hand:])
    return _with_box(state, replace(box, hands=hands))


def _change_wager(hand: Hand, player: str, **changes: object) -> Hand:
    wagers = tuple([replace(wager, **changes) if wager.player == player else wager for wager in hand.wagers])
    return replace(hand, wagers=wagers)


def _wager_placed(state: Round, event: e.WagerPlaced) -> Round:
    wager = Wager(event.player, event.stake)
    boxes = {box.number: box for box in state.boxes}
    old = boxes.get(event.box)
    boxes[event.box] = (
        replace(old, bettors=(*old.bettors, wager))
        if old is not None
        else Box(event.box, (wager,), controller=event.player)
    )
    return replace(state, boxes=tuple(boxes[number] for number in sorted(boxes)))


def _side_wager_placed(state: Round, event: e.SideWagerPlaced) -> Round:
    return replace(state, side=(*state.side, SideWager(event.box, event.player, event.kind, event.stake)))


def _wager_taken_back(state: Round, event: e.WagerTakenBack) -> Round:
    side = tuple(one for one in state.side if (one.box, one.player) != (event.box, event.player))
    boxes = []
    for box in state.boxes:
        bettors = tuple(wager for wager in box.bettors if box.number != event.box or wager.player != event.player)
        if bettors:
            controller = box.controller if box.controller != event.player else bettors[0].player
            boxes.append(replace(box, bettors=bettors, controller=controller))
    return replace(state, boxes=tuple(boxes), side=side)


def _no_more_bets_called(state: Round, _: e.NoMoreBetsCalled) -> Round:
    boxes = tuple(replace(box, hands=(Hand((), box.bettors),)) for box in state.boxes)
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

    box = _box(state, event.box)
    index = event.hand - 1
    old = box.hands[index]
    new = replace(old, cards=(*old.cards, event.card), total=event.total, soft=event.soft)
    hands = (new,) if len(box.hands) == 1 else (*box.hands[:index], new, *box.hands[index + 1 :])
    boxes = _with_box(state, replace(box, hands=hands))
    if state.phase == "card":
        return replace(state, boxes=boxes, phase="decision", joining="", exposed="", cards_used=used)
    return replace(state, boxes=boxes, exposed="", cards_used=used)


def _offer_opened(state: Round, event: e.OfferOpened) -> Round:
    answering = event.decided or ""
    return replace(
        state, phase=event.offer, late_offer=event.late, offer_to=(event.box, event.player), answering=answering
    )


def _offer_closed(state: Round, _: e.OfferClosed) -> Round:
    """When the others on a short hand have answered, what its controller decided is done."""
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
        replace(one, amount=event.amount) if (one.box, one.player, one.owner_box, one.owner) == who else one
        for one in state.insurance
    )
    return replace(state, insurance=tuple(one for one in changed if one.amount))


def _surrendered(state: Round, event: e.Surrendered) -> Round:
    return replace(
        state,
        boxes=_with_hand(state, event.box, 1, lambda hand: _change_wager(hand, event.player, surrendered=True)),
    )


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
    if not _box(state, event.box).hands[event.hand - 1].short:
        return replace(state, phase="card")
    boxes = _with_hand(state, event.box, event.hand, lambda hand: replace(hand, went_on=True))
    return replace(state, boxes=boxes, phase="card")


def _stood(state: Round, event: e.Stood) -> Round:
    return replace(state, boxes=_with_hand(state, event.box, event.hand, lambda hand: replace(hand, stood=True)))


def _player_was_absent(state: Round, event: e.PlayerWasAbsent) -> Round:
    return replace(state, boxes=_with_hand(state, event.box, event.hand, lambda hand: replace(hand, absent=True)))


def _bettor_was_absent(state: Round, event: e.BettorWasAbsent) -> Round:
    box = _box(state, event.box)
    return replace(state, boxes=_with_box(state, replace(box, absent=(*box.absent, event.player))))


def _doubled(state: Round, event: e.Doubled) -> Round:
    def add(hand: Hand) -> Hand:
        points = total(hand.cards, event.fixed_aces)
        changed = _change_wager(hand, event.player, double=event.amount)
        return replace(changed, doubled=True, fixed_aces=event.fixed_aces, total=points.points, soft=points.soft)

    return replace(state, boxes=_with_hand(state, event.box, event.hand, add), phase="card", joining="double")


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
    def add(hand: Hand) -> Hand:
        return replace(hand, wagers=(*hand.wagers, Wager(event.player, event.amount, original=False)))

    return replace(state, boxes=_with_hand(state, event.box, event.hand + 1, add))


def _wager_rode(state: Round, event: e.WagerRode) -> Round:
    if event.on == 1:
        return replace(
            state,
            boxes=_with_hand(state, event.box, event.hand, lambda hand: _change_wager(hand, event.player, rides=True)),
        )
    first = _box(state, event.box).hands[event.hand - 1]
    mine = tuple(wager for wager in first.wagers if wager.player == event.player)
    rest = tuple(wager for wager in first.wagers if wager.player != event.player)
    state = replace(state, boxes=_with_hand(state, event.box, event.hand, lambda hand: replace(hand, wagers=rest)))
    moved = _with_hand(state, event.box, event.hand + 1, lambda hand: replace(hand, wagers=(*hand.wagers, *mine)))
    return replace(state, boxes=moved)


def _split_barred(state: Round, event: e.SplitBarred) -> Round:
    return replace(state, boxes=_with_box(state, replace(_box(state, event.box), split_barred=True)))


def _kept(state: Round, event: e.Kept) -> Round:
    return replace(
        state,
        boxes=_with_hand(state, event.box, event.hand, lambda hand: _change_wager(hand, event.player, kept=True)),
    )


def _dealers_turn_came(state: Round, _: e.DealersTurnCame) -> Round:
    return replace(state, phase="dealer", turn=(0, 0))


def _settled(state: Round, event: e.Settled) -> Round:
    settlements = (*state.settlements, event)
    if event.kind == "main":
        boxes = _with_hand(
            state, event.box, event.hand, lambda hand: _change_wager(hand, event.player, result=event.result)
        )
        return replace(state, boxes=boxes, settlements=settlements)
    if event.kind not in KEPT_NAMES:
        side = tuple(
            replace(one, settled=True)
            if (one.box, one.player, one.kind) == (event.box, event.player, event.kind)
            else one
            for one in state.side
        )
        return replace(state, side=side, settlements=settlements)
    if event.kind == "insurance":
        insurance = tuple(
            replace(one, settled=True)
            if (one.owner_box, one.player, one.owner) == (event.box, event.player, event.owner or event.player)
            else one
            for one in state.insurance
        )
        return replace(state, insurance=insurance, settlements=settlements)
    return replace(state, settlements=settlements)


def _reversed(state: Round, event: e.Reversed) -> Round:
    settlements = (*state.settlements, event)
    if event.kind != "main":
        return replace(state, settlements=settlements)
    boxes = _with_hand(state, event.box, event.hand, lambda hand: _change_wager(hand, event.player, result="void"))
    return replace(state, boxes=boxes, settlements=settlements)


def _card_burned(state: Round, _: e.CardBurned) -> Round:
    return replace(state, exposed="", cards_used=state.cards_used + 1)


def _joker_dealt(state: Round, _: e.JokerDealt) -> Round:
    return replace(state, exposed="", cards_used=state.cards_used + 1)


def _card_exposed(state: Round, event: e.CardExposed) -> Round:
    return replace(state, exposed=event.card)


def _hand_skipped(state: Round, event: e.HandSkipped) -> Round:
    return replace(state, boxes=_with_hand(state, event.box, event.hand, lambda hand: replace(hand, skipped=True)))


def _skip_noticed(state: Round, event: e.SkipNoticed) -> Round:
    return replace(state, boxes=_with_hand(state, event.box, event.hand, lambda hand: replace(hand, noticed=True)))


def _card_missed(state: Round, event: e.CardMissed) -> Round:
    """In the initial deal the hand is still to come; later it is passed over, and who is there then decides anew."""
    passed = state.phase == "card"

    def miss(hand: Hand) -> Hand:
        return replace(hand, missed=True, skipped=hand.skipped or passed, absent=False)

    boxes = _with_hand(state, event.box, event.hand, miss)
    return replace(state, boxes=boxes, phase="decision" if passed else state.phase, joining="")


def _double_taken_back(state: Round, event: e.DoubleTakenBack) -> Round:
    def take(hand: Hand) -> Hand:
        points = total(hand.cards)
        wagers = tuple([replace(wager, double=0) for wager in hand.wagers])
        return replace(hand, wagers=wagers, doubled=False, fixed_aces=0, total=points.points, soft=points.soft)

    return replace(state, boxes=_with_hand(state, event.box, event.hand, take))


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
    e.CardRefused: _nothing,
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

"""The change each event makes to a table: no rules, no chance."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from pontoon.cards import JOKER, Card
from pontoon.decider import Steps
from pontoon.engine import Command, Event, Round, evolve
from pontoon.engine.events import CardBurned, JokerDealt, NoMoreBetsCalled, RoundEnded, Settled, SplitMade, WagerPlaced
from pontoon.engine.state import find_box
from pontoon.table import events as t
from pontoon.table.state import (
    NOT_INSERTED,
    Act,
    Finished,
    Person,
    Seat,
    Shoe,
    Table,
    collected_hands,
    for_device,
    minus,
    person,
)


def _with_person(table: Table, new: Person) -> Table:
    others = tuple(other for other in table.people if other.player != new.player)
    return replace(table, people=(*others, new))


def _opened(table: Table, event: t.TableOpened) -> Table:
    return replace(
        table,
        phase="preparing",
        due="start",
        new_cards=True,
        checked=(),
        shown=False,
        offered=(),
        shoe=Shoe(),
        vacant="",
        sets_begun=0,
        seal_broken=False,
        opened_at=event.at,
        noticed_at=0,
        opens_again=False,
    )


def _checked(table: Table, event: t.CardsChecked) -> Table:
    return replace(table, checked=(*table.checked, event.by))


def _shown(table: Table, event: t.CardsShown) -> Table:
    return replace(table, shown=True, first_player=table.first_player or event.player)


def _sealed(table: Table, event: t.SealBroken) -> Table:
    if not event.whole:
        return replace(table, seal_broken=True)
    return replace(table, checked=(*table.checked, "seal"), shown=True, seal_broken=False)


def _new_shoe(table: Table, order: tuple[Card, ...], count: int) -> Table:
    """A round that waited for the shuffle is the first of the new shoe; those who bet on it were there."""
    waiting = _in_play(table)
    people = tuple(
        replace(other, rounds=(1,) if waiting and table.shoe_round in other.rounds else ()) for other in table.people
    )
    return replace(
        table,
        shoe=Shoe(stack=order, left=count),
        shoe_number=table.shoe_number + 1,
        shoe_round=1 if waiting else 0,
        people=people,
        due="",
        new_cards=False,
        taken=(),
        vacant="shuffled" if table.vacant == "left" else "",
    )


def _shuffled(table: Table, event: t.CardsShuffled) -> Table:
    """A batch shuffler takes the other set, which has still to be checked and washed before its first use."""
    sets = table.rules.shoe.sets if table.device == "batch" else 1
    again = table.phase in ("shuffled", "cut")  # the same stack, because a card of it was seen
    turn = table.set_in_use if again else table.set_in_use % sets + 1 if table.shoe_number else 1
    begun = max(table.sets_begun, turn)
    shuffled = replace(_new_shoe(table, event.order, event.count), phase="shuffled", set_in_use=turn, sets_begun=begun)
    if begun < sets and table.rules.shoe.each_set:
        return replace(shuffled, new_cards=True, checked=())
    return shuffled


def _committed(table: Table, event: t.ShoeCommitted) -> Table:
    return replace(table, shoe=replace(table.shoe, root=event.root, seed_hash=event.seed_hash))


def _revealed(table: Table, _: t.ShoeRevealed) -> Table:
    return replace(table, shoe=replace(table.shoe, root="", seed_hash=""))


def _offered(table: Table, event: t.CutOffered) -> Table:
    return replace(table, offered=event.to)


def _cut_declined(table: Table, event: t.CutDeclined) -> Table:
    return replace(table, offered=tuple(name for name in table.offered if name != event.player))


def _cut(table: Table, event: t.CardsCut) -> Table:
    stack = table.shoe.stack
    shoe = replace(table.shoe, stack=(*stack[event.depth :], *stack[: event.depth]))
    return replace(table, shoe=shoe, offered=(), phase="cut")


def _waiting(table: Table) -> Table:
    """Back to where the shuffle was called for: a round whose first card was the cutting card, or the wagers."""
    return replace(table, phase="round" if _in_play(table) else "ready")


def _in_play(table: Table) -> bool:
    return table.round is not None and table.round.phase not in ("wagers", "ended")


def _cutting_card(table: Table, event: t.CuttingCardPlaced) -> Table:
    return _waiting(replace(table, shoe=replace(table.shoe, behind=event.behind)))


def _loaded(table: Table, event: t.DeviceLoaded) -> Table:
    return _waiting(_new_shoe(table, event.order, event.count))


def _burned(table: Table, event: t.CardsBurned) -> Table:
    known = tuple(Card(card) for card in event.cards)
    shoe = table.shoe
    shoe = replace(
        shoe,
        stack=shoe.stack[event.count :],
        left=shoe.left - event.count,
        discards=(*shoe.discards, *known),
        hidden_discards=shoe.hidden_discards + event.count - len(known),
        burned=event.cards[0] if event.cards else "",
        set_aside=shoe.set_aside if table.by_hand else (*shoe.set_aside, *known),
    )
    return replace(table, shoe=shoe)


def _sat(table: Table, event: t.PlayerSat) -> Table:
    seats = (*table.seats, Seat(event.box, event.player))
    first = table.first_player or event.player
    return replace(table, seats=tuple(sorted(seats, key=lambda seat: seat.box)), first_player=first)


def _left(table: Table, event: t.PlayerLeft) -> Table:
    return _without(table, event.player)


def _without(table: Table, player: str) -> Table:
    """A player who has left has no seat and is not offered the cut."""
    seats = tuple(seat for seat in table.seats if seat.player != player)
    return replace(
        table,
        seats=seats,
        offered=tuple(name for name in table.offered if name != player),
        vacant="left" if table.seats and not seats else table.vacant,
    )


def _limits(table: Table, event: t.LimitsSet) -> Table:
    waiting = None if table.round is None else replace(table.round, limits=event.limits)
    return replace(table, limits=event.limits, box_maximum=event.box_maximum, round=waiting, coming=None)


def _limits_announced(table: Table, event: t.LimitsAnnounced) -> Table:
    return replace(table, coming=(event.limits, event.box_maximum))


def _side_bets(table: Table, event: t.SideBetsOffered) -> Table:
    return replace(table, side_bets=event.bets)


def _late_held(table: Table, event: t.LateEntryHeld) -> Table:
    if event.player:
        return _with_person(table, replace(person(table, event.player), late="held" if event.hold else "free"))
    people = tuple(
        replace(other, late="") for other in table.people
    )  # a notice to everyone replaces notices to one player
    return replace(table, hold_late=event.hold, people=people)


def _boxes_allowed(table: Table, event: t.BoxesAllowed) -> Table:
    if event.player:
        return _with_person(table, replace(person(table, event.player), boxes=event.boxes))
    people = tuple(replace(other, boxes=0) for other in table.people)
    return replace(table, boxes_each=event.boxes, people=people)


def _control_taken(table: Table, event: t.ControlTaken) -> Table:
    return replace(table, taken=(*table.taken, (event.box, event.player)))


def _hours(table: Table, event: t.HoursSet) -> Table:
    return replace(table, hours_over=not event.open)


def _personal(table: Table, event: t.PersonalLimitAllowed) -> Table:
    old = person(table, event.player)
    return _with_person(table, replace(old, personal=(*old.personal, (event.box, event.maximum))))


def _restricted(table: Table, event: t.PlayerRestricted) -> Table:
    return _with_person(table, replace(person(table, event.player), restricted=True))


def _excluded(table: Table, event: t.PlayerExcluded) -> Table:
    return _without(_with_person(table, replace(person(table, event.player), excluded=True)), event.player)


def _partners(table: Table, event: t.PartnersDeclared) -> Table:
    for player in event.players:
        table = _with_person(table, replace(person(table, player), partners=event.players))
    return table


def _reconstructed(table: Table, event: t.RoundReconstructed) -> Table:
    """The cards of the round are on top of the shoe again, in the order they should have come."""
    shoe = table.shoe
    stack = (*event.cards, *shoe.stack[event.drawn :]) if table.mode == "automatic" else ()
    back = replace(
        shoe,
        stack=stack,
        left=shoe.left + len(event.cards) - event.drawn,
        discards=minus(shoe.discards, collected_hands(table)),
    )
    known = event.cards if table.rules.irregular.reconstruction != "from_call" else ()
    return replace(table, round=table.at_call, shoe=back, phase="round", acts=(), in_rack=(), ruled=known)


def _left_over(table: Table, event: t.LeftOverRemoved) -> Table:
    shoe, count = table.shoe, len(event.cards)
    shoe = replace(shoe, stack=shoe.stack[count:], left=shoe.left - count, discards=(*shoe.discards, *event.cards))
    return replace(table, shoe=shoe, ruled=table.ruled[count:])


def _extra_hand(table: Table, event: t.ExtraHandRemoved) -> Table:
    shoe, count = table.shoe, len(event.cards)
    shoe = replace(shoe, stack=shoe.stack[count:], left=shoe.left - count, discards=(*shoe.discards, *event.cards))
    return replace(table, shoe=shoe, ruled=table.ruled[count:])


def _round_began(table: Table, event: t.RoundBegan) -> Table:
    return replace(table, round=Round(table.rules, table.limits), number=event.number, declined=())


def _control_declined(table: Table, event: t.ControlDeclined) -> Table:
    return replace(table, declined=(*table.declined, (event.box, event.player)))


def _in_round(table: Table, event: t.InRound) -> Table:
    assert table.round is not None
    return with_round(table, event.event, evolve(table.round, event.event), event.command)


def with_round(table: Table, event: Event, after: Round, command: Command | None = None) -> Table:
    """The table after an event of its round, which has led to this state of the round."""
    if command is not None:
        assert table.round is not None
        table = replace(table, acts=(*table.acts, act(table.round, command)))
    match event:
        case SplitMade(box=box, hand=hand):  # the hands behind it move one place on
            moved = tuple((at, n + 1 if (at, n > hand) == (box, True) else n) for at, n in table.in_rack)
            return replace(table, round=after, in_rack=moved)
        case WagerPlaced(player=player) if table.phase == "preparing":  # the first player is the one who bets
            return replace(table, round=after, first_player=table.first_player or player)
        case NoMoreBetsCalled():
            return _called(replace(table, round=after))
        case RoundEnded():
            return replace(table, round=after, phase="collect")
        case Settled() if not after.cards_used:  # void at the call: so the round begins
            return replace(table, round=after, at_call=after)
        case CardBurned() | JokerDealt():  # to the rack; that it left the shoe is an event of its own
            card = event.card if isinstance(event, CardBurned) else JOKER
            return replace(table, round=after, shoe=replace(table.shoe, discards=(*table.shoe.discards, card)))
        case _:
            return replace(table, round=after)


def act(state: Round, command: Command) -> Act:
    """A decision with the moment it was made in: the hand it is about, or all hands where it is about no box."""
    number = getattr(command, "for_box", 0) or getattr(command, "box", 0)
    box = find_box(state, number)
    if box is None:
        hands = tuple(hand.cards for box in state.boxes for hand in box.hands)
    elif state.turn[0] == number:
        hands = (box.hands[state.turn[1] - 1].cards,)
    else:
        hands = tuple(hand.cards for hand in box.hands)
    return Act(command, state.phase, state.turn, state.joining, hands, state.dealer[:1])


def _called(table: Table) -> Table:
    """The wagers are frozen: remember who bet, and which seats were idle at a full table."""
    assert table.round is not None
    wagers = [wager for box in table.round.boxes for wager in box.bettors]
    bet = sorted({wager.player for wager in wagers})
    warned = {wager.player for wager in wagers if wager.stake < table.limits.minimum}
    number = table.shoe_round + 1
    for player in bet:
        old = person(table, player)
        below = player in warned
        table = _with_person(table, replace(old, rounds=(*old.rounds, number), warned=old.warned or below))
    seats = tuple(replace(seat, idle=0 if seat.player in bet else _idle(table, seat)) for seat in table.seats)
    vacant: Literal["", "left"] = "left" if table.vacant == "left" else ""
    return replace(
        table,
        seats=seats,
        shoe_round=number,
        phase="round",
        at_call=table.round,
        acts=(),
        in_rack=(),
        ruled=(),
        vacant=vacant,
    )


def _idle(table: Table, seat: Seat) -> int:
    """How many rounds a seat has been idle, after one more round without a wager."""
    if table.full:
        return seat.idle + 1
    return 0 if table.rules.people.idle_consecutive else seat.idle


def _card_left(table: Table, _: t.CardLeftShoe) -> Table:
    shoe = replace(table.shoe, stack=table.shoe.stack[1:], left=table.shoe.left - 1)
    return replace(table, shoe=shoe, ruled=table.ruled[1:])


def _cutting_card_came(table: Table, event: t.CuttingCardCame) -> Table:
    shoe = replace(table.shoe, behind=NOT_INSERTED, came=event.place, came_to=event.player)
    return replace(table, shoe=shoe)


def _due(table: Table, event: t.ShuffleFellDue) -> Table:
    return replace(table, due=event.why)


def _discards_shuffled(table: Table, event: t.DiscardsShuffled) -> Table:
    """The cards of hands settled in this round are in the shoe again: its hands can no longer be put together."""
    shoe = replace(table.shoe, stack=event.order, left=len(event.order), discards=(), hidden_discards=0, set_aside=())
    if table.mode == "floor":
        shoe = replace(shoe, stack=(), left=table.shoe.hidden_discards + len(table.shoe.discards))
    whole = None if table.in_rack else table.at_call
    if table.rules.cut.discards == "at_once":
        return replace(table, shoe=shoe, at_call=whole)
    shoe = replace(shoe, behind=NOT_INSERTED, came="", came_to="")
    due: t.Reshuffle = "" if table.due == "during" else table.due
    return replace(table, shoe=shoe, at_call=whole, due=due, phase="shuffled")


def _hand_collected(table: Table, event: t.HandCollected) -> Table:
    shoe = replace(table.shoe, discards=(*table.shoe.discards, *event.cards))
    return replace(table, shoe=shoe, in_rack=(*table.in_rack, (event.box, event.hand)))


def _dealer_changed(table: Table, event: t.DealerChanged) -> Table:
    return replace(table, dealer_name=event.dealer)


def _collected(table: Table, event: t.CardsCollected) -> Table:
    assert table.round is not None
    shoe = replace(table.shoe, discards=(*table.shoe.discards, *event.cards))
    void = all(wager.result == "void" for box in table.round.boxes for hand in box.hands for wager in hand.wagers)
    finished = (*table.finished, Finished(table.number, table.round.settlements, void))
    left = max(table.rounds_left - 1, 0) if table.closing == "rounds" else table.rounds_left
    return replace(
        table,
        shoe=shoe,
        round=None,
        phase="ready",
        finished=finished,
        rounds_left=left,
        acts=(),
        in_rack=(),
        ruled=(),
        at_call=None,
    )


def _discards_returned(table: Table, event: t.DiscardsReturned) -> Table:
    known, hidden = for_device(table)
    rest = minus(table.shoe.discards, known)
    shoe = replace(
        table.shoe,
        stack=event.order,
        left=table.shoe.left + len(known) + hidden,
        discards=rest,
        hidden_discards=table.shoe.hidden_discards - hidden,
        set_aside=rest,
    )
    return replace(table, shoe=shoe)


def _changed(table: Table, _: t.CardsChanged) -> Table:
    """New cards in place of a failed device's are dealt by hand."""
    table = replace(table, device="manual", failed=False) if table.failed else table
    gone = Shoe(root=table.shoe.root, seed_hash=table.shoe.seed_hash)  # what was committed is still to be revealed
    return replace(
        table,
        phase="preparing",
        due="changed",
        new_cards=True,
        checked=(),
        shown=not table.rules.shoe.spread_again,
        shoe=gone,
        sets_begun=0,
        seal_broken=False,
    )


def _jammed(table: Table, event: t.DeviceJammed) -> Table:
    return replace(table, shoe=replace(table.shoe, stack=event.order))


def _failed(table: Table, event: t.DeviceFailed) -> Table:
    in_round = table.phase == "round"
    if not in_round:
        return replace(table, failed=True, phase="preparing", due="failed")
    return replace(table, shoe=replace(table.shoe, stack=event.order), failed=True, phase="shuffled")


def _noticed(table: Table, event: t.ClosingNoticed) -> Table:
    return replace(table, closing=event.kind, rounds_left=event.rounds, noticed_at=event.at)


def _closed(table: Table, _: t.TableClosed) -> Table:
    return replace(
        table,
        phase="closed",
        closing="",
        rounds_left=0,
        seats=(),
        offered=(),
        first_player="",
        due="start",
        round=None,
        opens_again=table.hours_over,
    )


def _earlier_voided(table: Table, event: t.EarlierRoundVoided) -> Table:
    finished = tuple(
        replace(finished_round, void=True) if finished_round.number == event.number else finished_round
        for finished_round in table.finished
    )
    return replace(table, finished=finished)


def _owed(table: Table, event: t.AmountOwed) -> Table:
    return replace(table, owed=(*table.owed, (event.player, event.amount)))


def _nothing(table: Table, _: t.TableEvent) -> Table:
    return table


STEPS: Steps[t.TableEvent, Table] = {
    t.TableOpened: _opened,
    t.CardsChecked: _checked,
    t.CardsShown: _shown,
    t.SealBroken: _sealed,
    t.CardsShuffled: _shuffled,
    t.ShoeCommitted: _committed,
    t.ShoeRevealed: _revealed,
    t.CutOffered: _offered,
    t.CutDeclined: _cut_declined,
    t.CardsCut: _cut,
    t.CuttingCardPlaced: _cutting_card,
    t.DeviceLoaded: _loaded,
    t.CardsBurned: _burned,
    t.BurnShown: _nothing,
    t.PlayerSat: _sat,
    t.PlayerLeft: _left,
    t.LimitsSet: _limits,
    t.LimitsAnnounced: _limits_announced,
    t.SideBetsOffered: _side_bets,
    t.LateEntryHeld: _late_held,
    t.BoxesAllowed: _boxes_allowed,
    t.ControlTaken: _control_taken,
    t.Reported: _nothing,
    t.HoursSet: _hours,
    t.PersonalLimitAllowed: _personal,
    t.PlayerRestricted: _restricted,
    t.PlayerExcluded: _excluded,
    t.PartnersDeclared: _partners,
    t.RoundReconstructed: _reconstructed,
    t.LeftOverRemoved: _left_over,
    t.ExtraHandRemoved: _extra_hand,
    t.DisputeDecided: _nothing,
    t.RoundBegan: _round_began,
    t.ControlDeclined: _control_declined,
    t.Announced: _nothing,
    t.Ruled: _nothing,
    t.InRound: _in_round,
    t.CardLeftShoe: _card_left,
    t.CuttingCardCame: _cutting_card_came,
    t.ShuffleFellDue: _due,
    t.DiscardsShuffled: _discards_shuffled,
    t.HandCollected: _hand_collected,
    t.AuthorityNotified: _nothing,
    t.DealerChanged: _dealer_changed,
    t.CardsCollected: _collected,
    t.DiscardsReturned: _discards_returned,
    t.CardsChanged: _changed,
    t.CardReplaced: _nothing,
    t.DeviceJammed: _jammed,
    t.DeviceFailed: _failed,
    t.ClosingNoticed: _noticed,
    t.TableClosed: _closed,
    t.EarlierRoundVoided: _earlier_voided,
    t.AmountOwed: _owed,
}

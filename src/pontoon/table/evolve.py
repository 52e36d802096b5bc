"""From one table to the next: total, no rules, no chance."""

from __future__ import annotations

from msgspec.structs import replace

from pontoon.cards import JOKER, Card
from pontoon.decider import Steps
from pontoon.engine import Event, Round, evolve
from pontoon.engine.events import CardBurned, JokerDealt, NoMoreBetsCalled, RoundEnded, Settled
from pontoon.table import events as t
from pontoon.table.state import NOT_INSERTED, Finished, Person, Seat, Shoe, Table, person


def _with_person(table: Table, new: Person) -> Table:
    others = tuple(one for one in table.people if one.player != new.player)
    return replace(table, people=(*others, new))


def _opened(table: Table, _: t.TableOpened) -> Table:
    return replace(
        table, phase="preparing", due="start", new_cards=True, checked=(), shown=False, offered=(), shoe=Shoe()
    )


def _checked(table: Table, event: t.CardsChecked) -> Table:
    return replace(table, checked=(*table.checked, event.by))


def _shown(table: Table, event: t.CardsShown) -> Table:
    return replace(table, shown=True, first_player=table.first_player or event.player)


def _sealed(table: Table, event: t.SealBroken) -> Table:
    return replace(table, checked=(*table.checked, "seal"), shown=True) if event.whole else table


def _new_shoe(table: Table, order: tuple[Card, ...], count: int) -> Table:
    """A round that waited for the shuffle is the first of the new shoe; who bet on it was there."""
    waiting = _in_play(table)
    people = tuple(
        replace(one, rounds=(1,) if waiting and table.shoe_round in one.rounds else ()) for one in table.people
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
    )


def _shuffled(table: Table, event: t.CardsShuffled) -> Table:
    sets = table.rules.shoe.sets if table.device == "batch" else 1
    turn = table.set_in_use % sets + 1 if table.shoe_number else 1
    return replace(_new_shoe(table, event.order, event.count), phase="shuffled", set_in_use=turn)


def _committed(table: Table, event: t.ShoeCommitted) -> Table:
    return replace(table, shoe=replace(table.shoe, root=event.root, seed_hash=event.seed_hash))


def _revealed(table: Table, _: t.ShoeRevealed) -> Table:
    return replace(table, shoe=replace(table.shoe, root="", seed_hash=""))


def _offered(table: Table, event: t.CutOffered) -> Table:
    return replace(table, offered=event.to)


def _cut_declined(table: Table, event: t.CutDeclined) -> Table:
    return replace(table, offered=tuple(one for one in table.offered if one != event.player))


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
    )
    return replace(table, shoe=shoe)


def _sat(table: Table, event: t.PlayerSat) -> Table:
    seats = (*table.seats, Seat(event.box, event.player))
    first = table.first_player or event.player
    return replace(table, seats=tuple(sorted(seats, key=lambda seat: seat.box)), first_player=first)


def _left(table: Table, event: t.PlayerLeft) -> Table:
    return _without(table, event.player)


def _without(table: Table, player: str) -> Table:
    """A player who is gone has no seat and is not asked for the cut."""
    return replace(
        table,
        seats=tuple(seat for seat in table.seats if seat.player != player),
        offered=tuple(one for one in table.offered if one != player),
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
        replace(one, late="") for one in table.people
    )  # what is said to everybody replaces what was said to one
    return replace(table, hold_late=event.hold, people=people)


def _boxes_allowed(table: Table, event: t.BoxesAllowed) -> Table:
    if event.player:
        return _with_person(table, replace(person(table, event.player), boxes=event.boxes))
    people = tuple(replace(one, boxes=0) for one in table.people)
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
    stack = (*event.cards, *shoe.stack) if table.mode == "automatic" else ()
    back = replace(shoe, stack=stack, left=shoe.left + len(event.cards))
    return replace(table, round=table.at_call, shoe=back, phase="round")


def _extra_hand(table: Table, event: t.ExtraHandRemoved) -> Table:
    shoe, count = table.shoe, len(event.cards)
    shoe = replace(shoe, stack=shoe.stack[count:], left=shoe.left - count, discards=(*shoe.discards, *event.cards))
    return replace(table, shoe=shoe)


def _round_began(table: Table, event: t.RoundBegan) -> Table:
    return replace(table, round=Round(table.rules, table.limits), number=event.number, declined=())


def _control_declined(table: Table, event: t.ControlDeclined) -> Table:
    return replace(table, declined=(*table.declined, (event.box, event.player)))


def _in_round(table: Table, event: t.InRound) -> Table:
    assert table.round is not None
    return with_round(table, event.event, evolve(table.round, event.event))


def with_round(table: Table, event: Event, after: Round) -> Table:
    """The table after an event of its round, which has led to this state of the round."""
    match event:
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
    return replace(table, seats=seats, shoe_round=number, phase="round", at_call=table.round)


def _idle(table: Table, seat: Seat) -> int:
    """How many rounds a seat has been idle after one more without a wager."""
    if table.full:
        return seat.idle + 1
    return 0 if table.rules.people.idle_consecutive else seat.idle


def _card_left(table: Table, _: t.CardLeftShoe) -> Table:
    return replace(table, shoe=replace(table.shoe, stack=table.shoe.stack[1:], left=table.shoe.left - 1))


def _cutting_card_came(table: Table, event: t.CuttingCardCame) -> Table:
    return replace(table, shoe=replace(table.shoe, behind=NOT_INSERTED, came=event.place))


def _due(table: Table, event: t.ShuffleFellDue) -> Table:
    return replace(table, due=event.why)


def _discards_shuffled(table: Table, event: t.DiscardsShuffled) -> Table:
    shoe = replace(table.shoe, stack=event.order, left=len(event.order), discards=(), hidden_discards=0)
    if table.mode == "floor":
        shoe = replace(shoe, stack=(), left=table.shoe.hidden_discards + len(table.shoe.discards))
    return replace(table, shoe=shoe)


def _collected(table: Table, event: t.CardsCollected) -> Table:
    assert table.round is not None
    shoe = replace(table.shoe, discards=(*table.shoe.discards, *event.cards))
    void = all(wager.result == "void" for box in table.round.boxes for hand in box.hands for wager in hand.wagers)
    finished = (*table.finished, Finished(table.number, table.round.settlements, void))
    left = max(table.rounds_left - 1, 0) if table.closing == "rounds" else table.rounds_left
    return replace(table, shoe=shoe, round=None, phase="ready", finished=finished, rounds_left=left)


def _discards_returned(table: Table, event: t.DiscardsReturned) -> Table:
    back = len(table.shoe.discards) + table.shoe.hidden_discards
    shoe = replace(table.shoe, stack=event.order, left=table.shoe.left + back, discards=(), hidden_discards=0)
    return replace(table, shoe=shoe)


def _changed(table: Table, _: t.CardsChanged) -> Table:
    """New cards in place of a failed device's are dealt by hand."""
    table = replace(table, device="manual", failed=False) if table.failed else table
    gone = Shoe(root=table.shoe.root, seed_hash=table.shoe.seed_hash)  # what was committed is still to be revealed
    return replace(table, phase="preparing", due="changed", new_cards=True, checked=(), shown=True, shoe=gone)


def _jammed(table: Table, event: t.DeviceJammed) -> Table:
    return replace(table, shoe=replace(table.shoe, stack=event.order))


def _failed(table: Table, event: t.DeviceFailed) -> Table:
    in_round = table.phase == "round"
    if not in_round:
        return replace(table, failed=True, phase="preparing", due="failed")
    return replace(table, shoe=replace(table.shoe, stack=event.order), failed=True, phase="shuffled")


def _noticed(table: Table, event: t.ClosingNoticed) -> Table:
    return replace(table, closing=event.kind, rounds_left=event.rounds)


def _closed(table: Table, _: t.TableClosed) -> Table:
    return replace(
        table, phase="closed", closing="", rounds_left=0, seats=(), offered=(), first_player="", due="start", round=None
    )


def _earlier_voided(table: Table, event: t.EarlierRoundVoided) -> Table:
    finished = tuple(replace(one, void=True) if one.number == event.number else one for one in table.finished)
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

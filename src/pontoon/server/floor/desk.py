"""What may have gone wrong at a table, and the rulings that correct it.

The table decides which of them are allowed; nothing here knows why.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pontoon.cards import PACK, Card
from pontoon.engine import Box, Round
from pontoon.engine import commands as e
from pontoon.engine.state import INITIAL_CARDS
from pontoon.server.rooms import commands as r
from pontoon.server.rooms.state import RoomState
from pontoon.table import Table
from pontoon.table import commands as c
from pontoon.table.state import possible

Candidate = tuple[str, r.Asked, tuple[str, ...]]
"""What happened, a ruling for it, and the fields the official still fills in."""

HAPPENED: dict[str, tuple[str, ...]] = {
    "wrong_place": ("misplaced", "found_late"),
    "drawn": ("hidden", "exposed", "burned"),
    "face_up": ("face_up",),
    "too_far": ("dealer_excess",),
    "left_out": ("missing_card", "missing_first"),
    "extra_hand": ("superfluous",),
    "shoe": ("too_few", "damaged", "cutting_card_missing", "cutting_card_passed", "card_found"),
    "offer": ("missed_insurance", "missed_surrender"),
    "absent": ("absent",),
    "wager": ("late_bet",),
    "payment": ("wrong_pay",),
    "person": (),
    "table": (),
}
"""What may have happened, in the order of the desk, with the rulebook's errors that it covers."""

ROLE: c.Role = "game_supervisor"
"""Replaced by the role of the official who asks."""


def candidates(state: RoomState) -> Iterator[Candidate]:
    """Rulings an official might make."""
    table, now = state.table, state.table.round
    yield "table", (r.Resume() if state.held else r.Pause()), ()
    if now is not None and table.phase in ("round", "collect"):
        yield from _in_round(table, now)
    if table.finished:
        yield "wrong_place", c.VoidEarlier(table.finished[-1].number, ROLE, reason="-"), ("number", "reason")
    yield from _people(table, now)
    yield from _of_the_table(table)


def _in_round(table: Table, now: Round) -> Iterator[Candidate]:
    boxes, turn = now.boxes, now.turn[0]
    if not table.face_down:
        yield "wrong_place", c.Reconstruct(_as_dealt(now), "dealt_again", ROLE), ("cards",)
        yield "wrong_place", c.Reconstruct(_as_they_lie(now), "laid_again", ROLE), ("cards",)
    yield "wrong_place", e.VoidRound(), ()
    yield from (("wrong_place", e.VoidBox(box.number), ()) for box in boxes)
    yield from (("wrong_place", e.VoidHand(box.number, hand), ()) for box in boxes for hand in _split_hands(box))
    yield from (("wager", e.VoidWager(box.number, wager.player), ()) for box in boxes for wager in box.bettors)
    yield "left_out", e.SkipHand(turn), ()
    yield from (("left_out", e.NoticeSkip(box.number), ()) for box in boxes)
    yield from (("left_out", e.PutRight(box.number), ()) for box in boxes)
    yield from (("left_out", command, ()) for command in (e.SkipDealer(), e.NoticeNoFirstCard()))
    yield from _offers(now)
    if table.mode == "floor":
        yield from _cards_of_the_floor(table, turn)


def _offers(now: Round) -> Iterator[Candidate]:
    """A forgotten offer: to everyone, or to the one player it was not made to."""
    offers: tuple[Literal["insurance", "surrender"], ...] = ("insurance", "surrender")
    for offer in offers:
        yield "offer", e.OfferLate(offer), ()
        for box in now.boxes:
            yield from (("offer", e.OfferLate(offer, box.number, wager.player), ()) for wager in box.bettors)


def _cards_of_the_floor(table: Table, turn: int) -> Iterator[Candidate]:
    card = next((card for card in (*table.ruled, *map(Card, PACK)) if possible(table, card)), Card("As"))
    yield "drawn", e.ExposeCard(card), ("card",)
    yield "drawn", e.BurnCard(card, "in_error"), ("card",)
    yield "face_up", e.BurnCard(card), ("card",)
    yield "too_far", e.BurnCard(card, "dealer_excess"), ("card",)
    yield "too_far", e.BurnCard(card, "dealer_early"), ("card",)
    yield "extra_hand", c.RemoveExtraHand((card,), ROLE), ("cards",)
    yield "absent", e.Absent(turn), ()


def _people(table: Table, now: Round | None) -> Iterator[Candidate]:
    names = dict.fromkeys(seat.player for seat in table.seats)
    names |= dict.fromkeys(wager.player for box in (now.boxes if now else ()) for wager in box.bettors)
    for player in names:
        yield "payment", c.DecideDispute(player, "-", "-", ROLE), ("matter", "decision", "amount")
        yield "person", c.Restrict(player, ROLE, consulted=True, reason="-"), ("reason",)
        yield "person", c.Exclude(player, ROLE, "-"), ("reason",)
        yield "person", c.HoldLate(hold=True, by=ROLE, player=player), ()
        yield "absent", c.TakeSeat(player, ROLE), ()
        yield from (("absent", c.TakeControl(player, box.number, ROLE), ()) for box in (now.boxes if now else ()))
        higher = c.AllowPersonalLimit(player, _box_of(table, now, player), 2 * table.limits.maximum)
        yield "table", higher, ("box", "maximum")
    if len(names) > 1:
        yield "person", c.DeclarePartners(tuple(names)[:2], ROLE), ("players",)


def _box_of(table: Table, now: Round | None, player: str) -> int:
    """The box where a player sits or bets."""
    seats = [seat.box for seat in table.seats if seat.player == player]
    bets = [box.number for box in (now.boxes if now else ()) if any(wager.player == player for wager in box.bettors)]
    return (*seats, *bets, 1)[0]


def _of_the_table(table: Table) -> Iterator[Candidate]:
    yield "shoe", c.OrderShuffle(ROLE, "suspect", "stated by the person who orders it"), ("why",)
    yield from (("shoe", command, ()) for command in (c.OrderShuffle(ROLE, "vacant"), c.OrderShuffle(ROLE, "exposed")))
    yield "shoe", c.ChangeCards("worn"), ("reason",)
    if table.mode == "floor":
        yield from (("shoe", command, ()) for command in (c.ClearJam(), c.FailDevice()))
        yield "shoe", c.ReplaceCard(Card("As"), ("dealer", ROLE, "casino_supervisor")), ("card", "checked")
        inside = table.phase in ("round", "collect")
        yield "table", c.ChangeDealer("-", "-" if inside else ""), ("dealer", "reason") if inside else ("dealer",)
    yield "table", c.SetLimits(table.limits, told=True, box_maximum=table.box_maximum), ("limits",)
    yield from (("table", c.OfferSideBets(bets), ()) for bets in _other_side_bets(table))
    yield "table", c.HoldLate(hold=not table.hold_late, by=ROLE), ()
    yield "table", c.AllowBoxes(1, ROLE), ("boxes",)
    notices: tuple[Literal["minutes", "rounds", "notice"], ...] = ("minutes", "rounds", "notice")
    yield from (("table", c.GiveNotice(kind), ()) for kind in notices)
    yield "table", c.Close(), ()


def _other_side_bets(table: Table) -> Iterator[tuple[str, ...]]:
    """What the table could offer instead: another side bet, or none."""
    each = [(bet.name,) for bet in table.rules.side]
    yield from (bets for bets in (*each, *([()] if each else [])) if bets != table.side_bets)


def _as_they_lie(now: Round) -> tuple[Card, ...]:
    """Every card hand by hand, the dealer's last."""
    return (*(card for box in now.boxes for hand in box.hands for card in hand.cards), *now.dealer)


def _as_dealt(now: Round) -> tuple[Card, ...]:
    """Every card in the order in which it left the shoe; the cards of a pair split again stand with their hands."""
    first_two = [box.split_pair or box.hands[0].cards[:INITIAL_CARDS] for box in now.boxes if box.hands]
    later = [
        card for box in now.boxes for hand in box.hands for card in hand.cards[1 if box.split_pair else INITIAL_CARDS :]
    ]
    initial = (*(cards[0] for cards in first_two if cards), *now.dealer[:1])
    return (*initial, *(card for cards in first_two for card in cards[1:]), *later, *now.dealer[1:])


def _split_hands(box: Box) -> range:
    """The hands of a split box; a box with one hand is voided as a whole."""
    return range(1, len(box.hands) + 1) if len(box.hands) > 1 else range(0)

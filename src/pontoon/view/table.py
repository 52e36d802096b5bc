"""The only way out for table data: everything a client may see of a table, and nothing about undealt cards.

`view(table, viewer)` is a plain value that encodes to JSON and reads back. Discards and burned cards are only counted.
What everyone may do now is public, as in a casino, and so the same for all viewers; but the total and choices of a hand
that lies face down (see `viewer`) are hidden from others.

>>> from pontoon.rulebook import load
>>> encoded(view(Table(load("star"), 8), Viewer()))[:60]
b'{"rulebook":"star","packs":8,"device":"manual","mode":"autom'
"""

from __future__ import annotations

from collections.abc import Iterable
from sys import intern
from typing import TypeAlias

import msgspec
from msgspec import Struct

from pontoon.engine import Box, Hand, Reversed, Round, Settled, Wager
from pontoon.table import Table, refusal
from pontoon.table.commands import Cut
from pontoon.table.cutting import cutting_card_range
from pontoon.table.state import person
from pontoon.view.choices import choices_of, insurable, waits_for
from pontoon.view.cloth import cloth
from pontoon.view.sign import notices
from pontoon.view.table_parts import (
    BettorView,
    BonusView,
    BoxView,
    ChoiceView,
    CutView,
    DealerView,
    HandView,
    InsuranceView,
    LimitsView,
    RoundView,
    SeatView,
    SettlementView,
    ShoeView,
    SideView,
    TableView,
    WagerView,
)
from pontoon.view.viewer import Viewer, is_hidden, seen_cards
from pontoon.view.words import dealer_words, hand_and_row, settlement_words

OFFERS = ("insurance", "surrender", "forfeit", "withdraw")

PAIR = 2

OTHERS = "envy_bonus"
"""Paid for another player's hand, so that it stands on no wager."""

_encoder = msgspec.json.Encoder()


def encoded(value: Struct) -> bytes:
    """A view as JSON."""
    return _encoder.encode(value)


def table_view(table: Table, viewer: Viewer) -> TableView:
    """Everything this viewer may see of a table."""
    rules, limits = table.rules, table.limits
    choices = choices_of(table, viewer)
    return TableView(
        rulebook=rules.about.name,
        packs=table.packs,
        device=table.device,
        mode=table.mode,
        phase=table.phase,
        limits=LimitsView(
            limits.minimum,
            limits.maximum,
            limits.smallest_chip,
            table.box_maximum,
            rules.wagers.increment,
            rules.people.maximum_for == "box",
        ),
        cloth=cloth(table),
        shoe=_shoe(table),
        waits=waits_for(table, viewer, choices),
        number=table.number,
        due=table.due,
        cut=_cut(table),
        seats=_seats(table),
        round=_round(table, viewer, choices),
        side_wagers=tuple(offer.name for offer in cloth(table).side),
        face_down=table.face_down,
        joker=table.joker,
        failed=table.failed,
        closing=table.closing,
        rounds_left=table.rounds_left,
        owed=table.owed,
        notices=notices(table),
    )


view = table_view


def _shoe(table: Table) -> ShoeView:
    shoe = table.shoe
    out = table.size - shoe.left if shoe.left or shoe.discards or shoe.hidden_discards else 0
    return ShoeView(
        table.shoe_number,
        shoe.left,
        out,
        len(shoe.discards) + shoe.hidden_discards,
        "came" if shoe.came else "in" if shoe.behind >= 0 else "",
        max(shoe.behind, 0),
        shoe.came,
        shoe.seed_hash,
        shoe.root,
    )


def _cut(table: Table) -> CutView | None:
    """Who cuts and how deep; the range is taken from the rule's own refusal of an impossible depth."""
    if table.phase == "cut":
        return CutView("dealer", *cutting_card_range(table))
    if table.phase != "shuffled":
        return None
    by = table.offered[0] if table.offered else table.rules.cut.nobody
    refused = refusal(table, Cut(by, -1))
    if refused is None or refused.code != "cut_depth":
        return None
    return CutView(by, int(str(refused.facts["low"])), int(str(refused.facts["high"])), table.offered)


def _seats(table: Table) -> tuple[SeatView, ...]:
    seats = []
    for seat in table.seats:
        one = person(table, seat.player)
        personal = max((most for box, most in one.personal if box == seat.box), default=0)
        seats.append(SeatView(seat.box, seat.player, seat.idle, one.restricted, personal))
    return tuple(seats)


# --- the round -----------------------------------------------------------------------------------------

Found: TypeAlias = dict[tuple[int, int, str, str, str], list[SettlementView]]
"""Settlements by box, hand, player, and (where they belong to no hand) kind and owner."""


def _round(table: Table, viewer: Viewer, choices: tuple[ChoiceView, ...]) -> RoundView | None:
    state = table.round
    if state is None:
        return None
    found = _settlements(state.settlements, viewer.language)
    offer = state.phase if state.phase in OFFERS else ""
    dealer = DealerView(state.dealer, state.dealer_total, dealer_words(state, viewer.language), state.dealer_soft)
    return RoundView(
        stage=state.phase,
        boxes=tuple(_box(table, state, box, viewer, found) for box in state.boxes),
        dealer=dealer if state.dealer else None,
        turn=state.turn if state.turn[0] and state.phase != "ended" else None,
        offer=offer,
        late=state.late_offer and bool(offer),
        joining=state.joining,
        exposed=state.exposed,
        choices=choices,
        insurable=insurable(table, viewer),
        side=_side(state, found),
        insurance=_insurance(state, found),
        bonuses=tuple(BonusView(key[0], key[2], tuple(row)) for key, row in found.items() if key[3] == OTHERS),
    )


def _side(state: Round, found: Found) -> tuple[SideView, ...]:
    return tuple(
        SideView(
            side_bet.box,
            side_bet.player,
            side_bet.kind,
            side_bet.stake,
            _of(found, side_bet.box, 0, side_bet.player, side_bet.kind),
        )
        for side_bet in state.side
    )


def _insurance(state: Round, found: Found) -> tuple[InsuranceView, ...]:
    return tuple(
        InsuranceView(
            insurance.box,
            insurance.player,
            insurance.owner_box,
            insurance.owner,
            insurance.amount,
            _of(
                found,
                insurance.owner_box,
                0,
                insurance.player,
                "insurance",
                insurance.owner if insurance.third_party else "",
            ),
        )
        for insurance in state.insurance
    )


def _settlements(settlements: Iterable[Settled | Reversed], language: str) -> Found:
    found: Found = {}
    for settlement in settlements:
        on_hand = bool(settlement.hand)
        key = (
            settlement.box,
            settlement.hand,
            settlement.player,
            "" if on_hand else settlement.kind,
            "" if on_hand else settlement.owner,
        )
        words = settlement_words(settlement, language)
        kind = intern(settlement.kind)  # msgspec leaves out a default that is the same object, not one that is equal
        settled = SettlementView(settlement.result, settlement.net, words, settlement.clauses, settlement.odds, kind)
        found.setdefault(key, []).append(settled)
    return found


def _of(found: Found, box: int, hand: int, player: str, kind: str = "", owner: str = "") -> tuple[SettlementView, ...]:
    return tuple(found.get((box, hand, player, kind, owner), ()))


def _box(table: Table, state: Round, box: Box, viewer: Viewer, found: Found) -> BoxView:
    due = state.turn if state.phase == "card" else None
    hands = tuple(
        _hand(
            state,
            hand,
            _wagers(hand.wagers, box.number, number, found),
            across=lies_across(hand) and due != (box.number, number),
            hidden=is_hidden(table, box, hand, viewer),
            language=viewer.language,
        )
        for number, hand in enumerate(box.hands, 1)
    )
    bettors = tuple(BettorView(wager.player, wager.stake) for wager in box.bettors)
    return BoxView(box.number, box.controller, bettors, hands)


def _wagers(wagers: tuple[Wager, ...], box: int, number: int, found: Found) -> tuple[WagerView, ...]:
    return tuple(
        WagerView(
            wager.player,
            wager.stake,
            wager.double,
            wager.result,
            wager.surrendered,
            wager.kept,
            wager.rides,
            _of(found, box, number, wager.player),
        )
        for wager in wagers
    )


def lies_across(hand: Hand) -> bool:
    """Whether the last card lies across: the one card of a double, or the one to a split ace (division-15 13.4(b))."""
    split_ace = hand.split and hand.cards[0].startswith("A") and len(hand.cards) == PAIR
    return hand.doubled or split_ace


def _hand(
    state: Round, hand: Hand, wagers: tuple[WagerView, ...], *, across: bool, hidden: bool, language: str
) -> HandView:
    counted = bool(hand.cards) and not hidden
    words, row = hand_and_row(state, hand, language) if counted else ("", "")
    return HandView(
        seen_cards(hand, hidden=hidden),
        wagers,
        hand.total if counted else 0,
        hand.soft and counted,
        words,
        row,
        hand.doubled,
        len(hand.cards) if across else 0,
        hand.split,
        hand.stood,
        hand.absent,
        hand.skipped,
    )

"""Everything the dealer's console shows in addition to the table itself."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pontoon.cards import PACK
from pontoon.server.floor.desk import HAPPENED
from pontoon.server.floor.money import patron
from pontoon.server.rooms.state import RoomState
from pontoon.table import Table, refusal
from pontoon.table import commands as c
from pontoon.view.catalogue import ENGLISH, say
from pontoon.view.console import ActView, OtherAct, PaymentView, next_act, other_acts, payments


class PatronRow(Struct, frozen=True):
    """A person at the table and the chips they have in front of them, as far as the house knows."""

    player: str
    box: int
    chips: int


class UndoView(Struct, frozen=True):
    """The card that can be taken back, and how many before it."""

    card: str
    more: int


class Console(Struct, frozen=True):
    """What the dealer does next, what to pay, and the tray."""

    version: int
    act: ActView
    payments: tuple[PaymentView, ...]
    none_left: tuple[str, ...]
    """Cards of which the shoe holds none any more."""
    undo: UndoView | None
    tray: int | None
    """What the tray should hold; null while no float was counted in."""
    off: int
    patrons: tuple[PatronRow, ...]
    incident: int
    """The open incident; 0 for none."""
    discards: tuple[str, ...]
    """The discard rack from bottom to top."""
    dealer: str
    """Who deals according to the log; empty before the first change of dealers."""
    happened: tuple[str, ...]
    """What a dealer may report, in words."""
    others: tuple[OtherAct, ...]
    """What a dealer may do now apart from `act`."""


def accounts(state: RoomState) -> dict[str, str]:
    """The account of the chips of everyone at the table."""
    return {player: patron(state.id, player) for player in _people(state.table)}


def _people(table: Table) -> dict[str, int]:
    """Everyone who sits or bets, with the first box they have."""
    boxes = table.round.boxes if table.round is not None else ()
    bets = ((wager.player, box.number) for box in boxes for wager in box.bettors)
    people: dict[str, int] = {}
    for player, box in (*((seat.player, seat.box) for seat in table.seats), *bets):
        people.setdefault(player, box)
    return people


def console_of(state: RoomState, chips: Mapping[str, int], language: str = ENGLISH) -> Console:
    """The console of a table; `chips` are the balances of `accounts`."""
    table, floor = state.table, state.floor
    undo = floor.undo if floor.undo_at == state.version else ()
    known = accounts(state)
    people = tuple(PatronRow(player, box, chips.get(known[player], 0)) for player, box in _people(table).items())
    return Console(
        state.version,
        next_act(table, language),
        payments(table, language),
        _none_left(table),
        UndoView(undo[-1].card, len(undo) - 1) if undo else None,
        floor.tray,
        floor.off,
        people,
        floor.incident,
        tuple(table.shoe.discards),
        table.dealer_name,
        tuple(say(f"happened.{name}", {}, language) for name in HAPPENED if name != "table"),
        other_acts(table, language),
    )


def _none_left(table: Table) -> tuple[str, ...]:
    """The table's own answer for each card, while a card is due."""
    if table.phase != "round":
        return ()
    refused = ((card, refusal(table, c.Deal(card))) for card in PACK)
    return tuple(card for card, no in refused if no is not None and no.code == "no_such_card_left")

"""Chips and cash at a floor table, as postings.

The tray holds `float/TABLE` plus what the house has won (`house/TABLE`). A walk-up player has no account: their chips
are in `patron/TABLE/NAME`, which may go below zero, because they can bring chips from another table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pontoon.ledger import HOUSE, Posting, holder_of, wallet, wallet_of
from pontoon.server.rooms.log import ChipsMoved, PaymentNoted, RoomEvent

CAGE, CASH = "cage", "cash"
"""The source or destination of chips; the players' money away from the table."""
WALK_UP = re.compile(r"^Seat [1-9](?: [^/]{1,20})?$")
_PATRON = "patron/"


def is_walk_up(player: str) -> bool:
    """Whether a name is that of someone without an account; nobody can open an account with such a name.

    >>> is_walk_up("Seat 3"), is_walk_up("Seat 3 Lin"), is_walk_up("Marco")
    (True, True, False)
    """
    return WALK_UP.match(player) is not None


def patron(table: str, player: str) -> str:
    """The account of the chips in front of a player at a floor table."""
    return f"{_PATRON}{table}/{player}" if is_walk_up(player) else wallet(player)


def player_of(account: str) -> str:
    """The player whose chips an account holds, with or without an account; empty for every other account.

    >>> player_of("patron/t1/Seat 3"), player_of("wallet/Ann"), player_of("house/t1")
    ('Seat 3', 'Ann', '')
    """
    if account.startswith(_PATRON):
        return account.split("/", 2)[2]
    return holder_of(account)


def with_walk_ups(table: str, moved: Iterable[Posting]) -> list[Posting]:
    """The same postings with the chips of walk-ups in accounts of this table.

    >>> with_walk_ups("t1", [Posting("wallet/Seat 3", 500), Posting("wallet/Ann", 5)])
    [Posting(account='patron/t1/Seat 3', amount=500), Posting(account='wallet/Ann', amount=5)]
    """
    return [
        Posting(patron(table, player), posting.amount) if (player := wallet_of(posting.account)) else posting
        for posting in moved
    ]


def floor_postings(table: str, event: RoomEvent) -> tuple[Posting, ...]:
    """What an event of the floor moves; they sum to zero."""
    match event:
        case ChipsMoved():
            return _moved(table, event)
        case PaymentNoted(player=player, due=due, paid=paid):
            return _pair(f"{HOUSE}/{table}", patron(table, player), paid - due)
        case _:
            return ()


def _moved(table: str, event: ChipsMoved) -> tuple[Posting, ...]:
    tray, chips = f"float/{table}", patron(table, event.player)
    match event.kind:
        case "opening" | "fill":
            return (*_pair(CAGE, tray, event.due), *_difference(table, event))
        case "credit":
            return _pair(tray, CAGE, event.amount)
        case "buy_in":
            return (*_pair(tray, chips, event.amount), *_pair(CASH, f"drop/{table}", event.amount))
        case "cash_out":
            return _pair(chips, CAGE, event.amount)
        case _:
            return _difference(table, event)


def _difference(table: str, event: ChipsMoved) -> tuple[Posting, ...]:
    return _pair(f"difference/{table}", f"float/{table}", event.amount - event.due)


def _pair(source: str, target: str, amount: int) -> tuple[Posting, ...]:
    return (Posting(source, -amount), Posting(target, amount)) if amount else ()

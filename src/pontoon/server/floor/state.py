"""What a room keeps of the floor: the tray, cards that can still be undone, the number of the open incident."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pontoon.ledger import HOUSE, Posting
from pontoon.server.rooms.log import CardUndone, ChipsMoved, LogEvent, PaymentNoted, RulingProposed, SupervisorCalled
from pontoon.table import Table
from pontoon.table.events import (
    CardLeftShoe,
    DisputeDecided,
    EarlierRoundVoided,
    PlayerExcluded,
    PlayerRestricted,
    Ruled,
)

OPENS = (
    Ruled, EarlierRoundVoided, DisputeDecided, PlayerExcluded, PlayerRestricted, RulingProposed, SupervisorCalled,
    PaymentNoted,
)  # fmt: skip
"""Events that open an incident, unless one is open."""
MOST_UNDONE = 20
"""How many cards in a row can be taken back: more than an initial deal of seven boxes has."""

Moved = tuple[tuple[str, int, int], ...]


class Undo(Struct, frozen=True):
    """A card that can be taken back, with the room as it was before it."""

    card: str
    table: Table
    moved: Moved
    version: int
    postings: tuple[Posting, ...] = ()
    """What the card moved."""


class Floor(Struct, frozen=True):
    """One room's part of the floor."""

    tray: int | None = None
    """What the tray should hold; None while no float has been counted in."""
    off: int = 0
    """By how much the last count differed from that."""
    undo: tuple[Undo, ...] = ()
    undo_at: int = 0
    """The version at which the last of them can be taken back."""
    barred: int = 0
    """The last version with a ruling: the cards of a reconstruction are not undone one by one."""
    incidents: int = 0
    incident: int = 0
    """The incident that is open; 0 for none."""


def noted(floor: Floor, event: LogEvent) -> Floor:
    """An incident is opened if none is open."""
    if floor.incident or not isinstance(event, OPENS):
        return floor
    return replace(floor, incidents=floor.incidents + 1, incident=floor.incidents + 1)


def at_table(
    floor: Floor, event: LogEvent, before: tuple[Table, Moved], version: int, paid: tuple[Posting, ...]
) -> Floor:
    """After an event of a floor table; `before` are table and stakes before it, `paid` are its postings."""
    if isinstance(event, Ruled):
        return replace(floor, barred=version)
    if isinstance(event, CardLeftShoe):
        if floor.barred == version:
            return floor
        earlier = floor.undo if floor.undo_at == version - 1 else ()
        undo = (*earlier, Undo(event.card, *before, version))[-MOST_UNDONE:]
        return replace(floor, undo=undo, undo_at=version)
    if not paid:
        return floor
    last = floor.undo[-1:] if floor.undo_at == version else ()
    with_paid = tuple(replace(shoe_round, postings=(*shoe_round.postings, *paid)) for shoe_round in last)
    won = sum(posting.amount for posting in paid if posting.account == HOUSE)
    tray = None if floor.tray is None else floor.tray + won
    return replace(floor, undo=(*floor.undo[:-1], *with_paid) if last else floor.undo, tray=tray)


def undone(floor: Floor, event: CardUndone, version: int) -> Floor:
    """After a card was taken back."""
    won = sum(amount for account, amount in event.returns if account == HOUSE)
    tray = None if floor.tray is None else floor.tray + won
    return replace(floor, undo=floor.undo[:-1], undo_at=version, tray=tray)


def with_chips(floor: Floor, event: ChipsMoved) -> Floor:
    """After chips were moved or counted; without a float the contents of the tray are unknown."""
    if event.kind in ("opening", "count", "closing"):
        return replace(floor, tray=event.amount, off=event.amount - event.due)
    if floor.tray is None or event.kind == "cash_out":
        return floor
    return replace(floor, tray=floor.tray + (event.amount if event.kind == "fill" else -event.amount))

"""Commands of a room, besides those of its table."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from pontoon.engine import commands as e
from pontoon.table import commands as c

Text = Annotated[str, Meta(max_length=200)]


class RoomCommand(Struct, frozen=True, tag=True, omit_defaults=True):
    """Any command for the room rather than for the table in it."""


class MakeTable(RoomCommand, frozen=True):
    """The first command of every room; the settings are in its event."""


class Pass(RoomCommand, frozen=True):
    """Nothing more from me now: no further wager, no insurance, no cut, not joining."""


class Pause(RoomCommand, frozen=True):
    """Hold the game."""

    reason: Text = ""


class Resume(RoomCommand, frozen=True):
    """Go on."""


class SetPace(RoomCommand, frozen=True):
    """Milliseconds between cards, and how many a player has for a decision."""

    card: Annotated[int, Meta(ge=0, le=10_000)]
    decision: Annotated[int, Meta(ge=100, le=600_000)]


class SeatBot(RoomCommand, frozen=True):
    """Let the program play a box."""

    box: int
    bot: Annotated[str, Meta(max_length=16)] = "chart"
    stake: int = 0
    """The bot's stake per round; 0 for the minimum."""


class RemoveBot(RoomCommand, frozen=True):
    """Send a bot away."""

    player: Text


class Approve(RoomCommand, frozen=True):
    """A second person approves a proposed ruling."""

    number: int


class Reject(RoomCommand, frozen=True):
    """Reject or withdraw a proposed ruling."""

    number: int
    reason: Text = ""


class OpenRound(RoomCommand, frozen=True):
    """The steward of a tournament opens the wagers of a round: who plays where, with how many chips, from which box."""

    round: int
    """Number of the round in its session, from 1."""
    places: tuple[tuple[int, str], ...]
    """Box and player, by box."""
    marker: int
    """The box whose player wagers first."""
    chips: tuple[tuple[str, int], ...]
    """Chips in front of each player."""
    pace: Annotated[int, Meta(ge=100, le=600_000)] = 30_000
    """Milliseconds for a wager or a decision."""


class MissWager(RoomCommand, frozen=True):
    """The time for wagers has run out, and the conditions eliminate players who made none."""

    player: Text


class EndHeat(RoomCommand, frozen=True):
    """The table has finished its session: everyone leaves, and it closes."""


# --- at a table dealt by a person ---

ChipMove = Literal["opening", "fill", "credit", "buy_in", "cash_out", "count", "closing"]
Amount = Annotated[int, Meta(ge=0, le=10**12)]


class UndoCard(RoomCommand, frozen=True):
    """Take back the card that was entered last because it was mistyped; possible until someone acts on it."""


class MoveChips(RoomCommand, frozen=True):
    """Chips come to the tray or leave it, or are counted; `player` for a buy-in or a cash-out."""

    kind: ChipMove
    amount: Amount = 0
    """Cents; left out for a count, which is the sum of `chips`."""
    player: Text = ""
    slip: Text = ""
    """The number of the slip or voucher."""
    chips: Annotated[tuple[tuple[Amount, Annotated[int, Meta(ge=0, le=10_000)]], ...], Meta(max_length=16)] = ()
    """How many chips of each value in cents, as they were counted."""


class NotePayment(RoomCommand, frozen=True):
    """The dealer paid or took an amount other than the one due."""

    box: int
    player: Text
    paid: Annotated[int, Meta(ge=-(10**12), le=10**12)]
    """Cents to the player on top of the stake; below zero taken from the player."""
    hand: int = 1


class CallSupervisor(RoomCommand, frozen=True):
    """The dealer reports something and stops the game until a supervisor arrives."""

    reason: Text = ""


Asked = e.Command | c.TableCommand | RoomCommand
"""A command as it comes from a client: those of a round are not wrapped in `Play`."""

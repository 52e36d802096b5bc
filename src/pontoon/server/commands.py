"""What is asked of a room beside the table's own commands."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from pontoon.engine import commands as e
from pontoon.table import commands as c

Text = Annotated[str, Meta(max_length=200)]


class RoomCommand(Struct, frozen=True, tag=True, omit_defaults=True):
    """Anything asked of the room rather than of the table in it."""


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
    """What it bets each round; 0 is the minimum."""


class RemoveBot(RoomCommand, frozen=True):
    """Send a bot away."""

    player: Text


class Approve(RoomCommand, frozen=True):
    """A second person approves a ruling that was proposed."""

    number: int


class Reject(RoomCommand, frozen=True):
    """A ruling that was proposed is not made, or is withdrawn."""

    number: int
    reason: Text = ""


class OpenRound(RoomCommand, frozen=True):
    """The steward of a tournament opens the wagers of a round: who plays where, with how many chips, from which box."""

    round: int
    """Of the session, from 1."""
    places: tuple[tuple[int, str], ...]
    """Box and player, by box."""
    marker: int
    """The box whose player wagers first."""
    chips: tuple[tuple[str, int], ...]
    """In front of each player."""
    pace: Annotated[int, Meta(ge=100, le=600_000)] = 30_000
    """Milliseconds for a wager or a decision."""


class MissWager(RoomCommand, frozen=True):
    """The time for a wager has run out, and the conditions eliminate whoever made none."""

    player: Text


class EndHeat(RoomCommand, frozen=True):
    """The table has played its session: everybody gets up, and it closes."""


Asked = e.Command | c.TableCommand | RoomCommand
"""A command as it comes from a client: those of a round are not wrapped in `Play`."""

"""The log entries of a room: each body holds a command and its events.

The table's own events, and those of the room around it. Some are secret (the seed of a shoe, the order of its cards):
everything sent by the server goes through view.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from pontoon.engine import Event
from pontoon.rulebook import Clauses
from pontoon.server.rooms.commands import ChipMove, RoomCommand
from pontoon.server.rooms.settings import Settings
from pontoon.server.wire import KEPT, PLAYED, family, kept, one_of
from pontoon.table.commands import TableCommand
from pontoon.table.events import InRound, TableEvent


class RoomEvent(Struct, frozen=True, tag=True, omit_defaults=True):
    """Base class of room events, besides those of its table."""


class TableMade(RoomEvent, frozen=True):
    """A table was created, with its rules, packs, limits and options."""

    id: str
    settings: Settings
    digest: str
    by: str
    book: str = ""
    """The canonical text of its rulebook; version 0.1.0 wrote none, there the digest names a shipped rulebook."""


class SeedKept(RoomEvent, frozen=True):
    """The seed of the next shoe: secret until the table reveals it."""

    shoe: str
    seed: str


class Passed(RoomEvent, frozen=True):
    """A player is done for now."""

    player: str


class PlayPaused(RoomEvent, frozen=True):
    """The game is held."""

    reason: str


class PlayResumed(RoomEvent, frozen=True):
    """The game continues."""


class PaceSet(RoomEvent, frozen=True):
    """The program deals at another pace."""

    card: int
    decision: int


class BotSeated(RoomEvent, frozen=True):
    """A program plays this box."""

    player: str
    box: int
    bot: str
    stake: int
    chips: int


class BotLeft(RoomEvent, frozen=True):
    """The program no longer plays the box."""

    player: str


class RulingProposed(RoomEvent, frozen=True):
    """A ruling waits for a second person; play waits with it."""

    number: int
    by: str
    role: str
    what: str
    command: msgspec.Raw
    clauses: Clauses


class RulingApproved(RoomEvent, frozen=True):
    """The second person approved; the events of the ruling follow."""

    number: int
    by: str
    role: str


class RulingRejected(RoomEvent, frozen=True):
    """The ruling is not made."""

    number: int
    by: str
    reason: str


class RoundKept(RoomEvent, frozen=True):
    """A round finished: its versions in the log, and each player's stake and net result."""

    number: int
    first: int
    """The version of its first wager."""
    players: tuple[tuple[str, int, int], ...]
    void: bool = False


class RoundOpened(RoomEvent, frozen=True):
    """At a table of a tournament: wagers are open, in the order from the starting marker."""

    round: int
    places: tuple[tuple[int, str], ...]
    marker: int
    chips: tuple[tuple[str, int], ...]
    pace: int
    shoe: int
    """The shoe it is wagered on."""
    issued: bool = False
    """Whether the chips were handed out for this: at the first of extra rounds."""


class WagerMissed(RoomEvent, frozen=True):
    """A player made no wager in time and plays no longer."""

    player: str
    box: int
    clauses: Clauses = ("20.14",)


class HeatEnded(RoomEvent, frozen=True):
    """A table of a tournament has played its session."""

    returned: tuple[tuple[str, int], ...] = ()
    """Chips of extra rounds, handed back."""


class CardUndone(RoomEvent, frozen=True):
    """A mistyped card was taken back: the table is as before it, and these amounts are moved back."""

    card: str
    box: int
    hand: int
    returns: tuple[tuple[str, int], ...] = ()


class ChipsMoved(RoomEvent, frozen=True):
    """Chips came to the tray or left it, or were counted."""

    kind: ChipMove
    amount: int
    """What was moved, or what was counted."""
    due: int
    """What it should have been."""
    player: str = ""
    slip: str = ""
    chips: tuple[tuple[int, int], ...] = ()


class PaymentNoted(RoomEvent, frozen=True):
    """An amount other than the one due was paid or taken."""

    round: int
    box: int
    hand: int
    player: str
    due: int
    paid: int


class SupervisorCalled(RoomEvent, frozen=True):
    """The dealer stops the game until a supervisor arrives."""

    by: str
    reason: str


LogEvent = TableEvent | RoomEvent


class Body(Struct, frozen=True, omit_defaults=True):
    """The body of a log entry."""

    role: str
    """The role in which the actor acted."""
    did: TableCommand | RoomCommand
    events: tuple[LogEvent, ...]


# --- reading and writing -------------------------------------------------------------------------------

_InRound = msgspec.defstruct(
    "InRound",
    [("clauses", Clauses), ("event", one_of(family(Event))), ("command", PLAYED | None, None)],
    tag="InRound",
    frozen=True,
)
_EVENTS = one_of((_InRound, *(kind for kind in family(TableEvent) if kind is not InRound), *family(RoomEvent)))
_Body = msgspec.defstruct("Body", [("role", str), ("did", KEPT), ("events", tuple[_EVENTS, ...])], frozen=True)  # type: ignore[valid-type] # made at run time
_READER: Any = msgspec.json.Decoder(_Body)
_WRITER = msgspec.json.Encoder()


def _in_round(read: Any) -> InRound:  # noqa: ANN401 a kind made at run time
    return InRound(read.clauses, read.event, read.command)


def write_body(body: Body) -> bytes:
    """Encode a body for the log."""
    return _WRITER.encode(body)


def read_body(content: bytes) -> Body:
    """Decode a body written by `write_body`."""
    read = _READER.decode(content)
    events = tuple(_in_round(event) if isinstance(event, _InRound) else event for event in read.events)
    return Body(read.role, kept(read.did), events)

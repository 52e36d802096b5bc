"""What stands in a room's log: one body an entry, with the command that was given and the events it led to.

The table's own events, and those of the room around it. Some are secret (the seed of a shoe, the order of its cards):
nothing leaves the server but through view.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from pontoon.engine import Event
from pontoon.rulebook import Clauses
from pontoon.server.commands import RoomCommand
from pontoon.server.settings import Settings
from pontoon.server.wire import KEPT, family, kept, one_of
from pontoon.table.commands import TableCommand
from pontoon.table.events import InRound, TableEvent


class RoomEvent(Struct, frozen=True, tag=True, omit_defaults=True):
    """Anything that happened in a room beside its table's events."""


class TableMade(RoomEvent, frozen=True):
    """A table came into being; rules, packs, limits and options are pinned here."""

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
    """A player wants nothing more now."""

    player: str


class PlayPaused(RoomEvent, frozen=True):
    """The game is held."""

    reason: str


class PlayResumed(RoomEvent, frozen=True):
    """The game goes on."""


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
    """The program plays no longer."""

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
    """The second person agreed; what was ruled follows."""

    number: int
    by: str
    role: str


class RulingRejected(RoomEvent, frozen=True):
    """The ruling is not made."""

    number: int
    by: str
    reason: str


class RoundKept(RoomEvent, frozen=True):
    """A round is over: where it is in the log, and what it came to for each player (staked, net)."""

    number: int
    first: int
    """The version its first wager stands in."""
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


LogEvent = TableEvent | RoomEvent


class Body(Struct, frozen=True, omit_defaults=True):
    """What an entry says."""

    role: str
    """In which capacity whoever it is by acted."""
    did: TableCommand | RoomCommand
    events: tuple[LogEvent, ...]


# --- reading and writing -------------------------------------------------------------------------------

_InRound = msgspec.defstruct(
    "InRound", [("clauses", Clauses), ("event", one_of(family(Event)))], tag="InRound", frozen=True
)
_EVENTS = one_of((_InRound, *(kind for kind in family(TableEvent) if kind is not InRound), *family(RoomEvent)))
_Body = msgspec.defstruct("Body", [("role", str), ("did", KEPT), ("events", tuple[_EVENTS, ...])], frozen=True)  # type: ignore[valid-type] # made at run time
_READER: Any = msgspec.json.Decoder(_Body)
_WRITER = msgspec.json.Encoder()


def write_body(body: Body) -> bytes:
    """A body as it is kept."""
    return _WRITER.encode(body)


def read_body(content: bytes) -> Body:
    """A body as it was: exactly what `write_body` was given."""
    read = _READER.decode(content)
    events = tuple(InRound(one.clauses, one.event) if isinstance(one, _InRound) else one for one in read.events)  # type: ignore[attr-defined]
    return Body(read.role, kept(read.did), events)

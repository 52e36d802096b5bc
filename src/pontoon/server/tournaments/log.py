"""The log entries of a tournament: each body holds a command and its events.

The ballot seed is in these bodies, also in commands that draw from it. They therefore never leave the server; only
the tournament's events do, and they do not contain the seed before it is revealed.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from pontoon.server.rooms.permits import Role
from pontoon.server.wire import family, one_of
from pontoon.tournament.commands import TournamentCommand
from pontoon.tournament.events import TournamentEvent
from pontoon.tournament.upgrade import upgraded

STREAM = "tournament/"


def stream_of(tournament: str) -> str:
    """The stream of a tournament."""
    return f"{STREAM}{tournament}"


class MakeTournament(Struct, frozen=True, tag=True):
    """The first command of every tournament; the conditions are in its event."""


class HostEvent(Struct, frozen=True, tag=True, omit_defaults=True):
    """Base class of the server's own events about a tournament."""


class TournamentMade(HostEvent, frozen=True):
    """A tournament was created, with its conditions and rulebook."""

    id: str
    text: str
    digest: str
    by: str
    rules: str = ""
    """The digest of the rulebook for its rounds."""
    book: str = ""
    """That rulebook's canonical text; empty in entries of version 0.1.0, which used its shipped canberra."""


class BallotSeedKept(HostEvent, frozen=True):
    """The seed of all ballots; secret until revealed."""

    seed: str


class RulingWaits(HostEvent, frozen=True):
    """A ruling about chips was deferred until no round is in progress at the tables concerned."""

    number: int
    command: Any


class RulingTaken(HostEvent, frozen=True):
    """A deferred ruling took effect; its events follow."""

    number: int


class RulingDropped(HostEvent, frozen=True):
    """A deferred ruling was dropped because it was no longer possible."""

    number: int
    code: str


Happening = HostEvent | TournamentEvent


class Body(Struct, frozen=True):
    """The body of a log entry."""

    role: Role
    did: TournamentCommand | MakeTournament
    events: tuple[Happening, ...]


# --- reading and writing -------------------------------------------------------------------------------

COMMANDS = one_of(family(TournamentCommand))
_Waits = msgspec.defstruct("RulingWaits", [("number", int), ("command", COMMANDS)], tag="RulingWaits", frozen=True)
_EVENTS = one_of((_Waits, *(kind for kind in family(HostEvent) if kind is not RulingWaits), *family(TournamentEvent)))
_Body = msgspec.defstruct(
    "Body",
    [("role", Role), ("did", one_of((MakeTournament, *family(TournamentCommand)))), ("events", tuple[_EVENTS, ...])],  # type: ignore[valid-type] # made at run time
    frozen=True,
)
_READER: Any = msgspec.json.Decoder(_Body)
_ASKED: Any = msgspec.json.Decoder(COMMANDS)
_WRITER = msgspec.json.Encoder()


def write_body(body: Body) -> bytes:
    """Encode a body for the log."""
    return _WRITER.encode(body)


def read_body(content: bytes) -> Body:
    """Decode a body written by `write_body`, in this or an earlier version."""
    read = _READER.decode(content)
    events = tuple(
        RulingWaits(event.number, event.command) if isinstance(event, _Waits) else upgraded(event)  # type: ignore[attr-defined]
        for event in read.events
    )
    return Body(read.role, read.did, events)


def read_asked(data: object) -> TournamentCommand:
    """Read a tournament command sent by a client; raises `msgspec.MsgspecError`.

    >>> read_asked({"type": "Enter", "player": "", "agreed": True})
    Enter(player='', group='', agreed=True, eligible=True)
    """
    command: TournamentCommand = _ASKED.decode(msgspec.json.encode(data))
    return command

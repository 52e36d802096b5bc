"""What stands in a tournament's stream: one body an entry, with the command and the events it led to.

The seed of the ballots is here, and in the commands that draw from it: nothing of a body leaves the server but through
the tournament's own events, and those never hold the seed before it is revealed.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from pontoon.server.permits import Role
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
    """Anything that happened to a tournament beside its own events."""


class TournamentMade(HostEvent, frozen=True):
    """A tournament came into being; its conditions are pinned here."""

    id: str
    text: str
    digest: str
    by: str
    rules: str = ""
    """The digest of the rulebook its rounds are dealt by."""
    book: str = ""
    """That rulebook's canonical text; version 0.1.0 wrote none, and dealt by the canberra it shipped."""


class BallotSeedKept(HostEvent, frozen=True):
    """The seed of all ballots: secret until it is revealed."""

    seed: str


class RulingWaits(HostEvent, frozen=True):
    """A ruling about chips takes effect when no round is on at the tables it is about."""

    number: int
    command: Any


class RulingTaken(HostEvent, frozen=True):
    """It takes effect now; its events follow."""

    number: int


class RulingDropped(HostEvent, frozen=True):
    """It could not be made any more when its time came."""

    number: int
    code: str


Happening = HostEvent | TournamentEvent


class Body(Struct, frozen=True):
    """What an entry says."""

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
    """A body as it is kept."""
    return _WRITER.encode(body)


def read_body(content: bytes) -> Body:
    """A body as it was: exactly what `write_body` was given."""
    read = _READER.decode(content)
    events = tuple(
        RulingWaits(one.number, one.command) if isinstance(one, _Waits) else upgraded(one)  # type: ignore[attr-defined]
        for one in read.events
    )
    return Body(read.role, read.did, events)


def read_asked(data: object) -> TournamentCommand:
    """A tournament command from the wire; raises `msgspec.MsgspecError`.

    >>> read_asked({"type": "Enter", "player": "", "agreed": True})
    Enter(player='', group='', agreed=True, eligible=True)
    """
    command: TournamentCommand = _ASKED.decode(msgspec.json.encode(data))
    return command

"""Frames as a client reads them: one struct for all types; unknown fields are ignored."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from pontoon.view.table_events import EventView
from pontoon.view.table_parts import TableView


class LobbyTable(Struct, frozen=True):
    """A table in the lobby."""

    id: str
    name: str
    rulebook: str
    seated: int
    boxes: int
    practice: bool
    mode: str


class Problem(Struct, frozen=True):
    """Why a command was refused."""

    status: int
    code: str
    words: str
    clauses: tuple[str, ...] = ()
    facts: dict[str, Any] = {}
    """The facts behind `words`, with the code."""


class Room(Struct, frozen=True):
    """The state of a room, apart from the table."""

    id: str
    name: str = ""
    waits: str = ""
    """What the table is waiting for: wagers, decision, offer, join, cut."""
    players: tuple[str, ...] = ()
    """The players the table is waiting for."""
    clock: int = 0
    """Milliseconds from the start of the wait until the dealer continues without them; 0 without a clock."""
    paused: str = ""
    passed: tuple[str, ...] = ()


class Frame(Struct, frozen=True):
    """Any frame of the protocol; `type` says which, and fields of other types keep their defaults."""

    type: str
    table: str = ""
    version: int = 0
    events: tuple[EventView, ...] = ()
    """The events of a step, in words and with clauses."""
    room: Room | None = None
    view: TableView | None = None
    """The table of a step or a snapshot, as this client may see it."""
    wallet: int = 0
    """The balance of a wallet or a welcome, in cents."""
    practice: int = 0
    """The practice chips of a wallet or a welcome, in cents."""
    words: str = ""
    """The text of a notice or a problem."""
    code: str = ""
    facts: dict[str, Any] = {}
    """The facts behind `words`, with the code."""
    clauses: tuple[str, ...] = ()
    name: str = ""
    role: str = ""


class Envelope(Struct, frozen=True):
    """The fields of a frame that the connection needs."""

    type: str
    key: str = ""
    version: int = 0
    status: int = 0
    code: str = ""
    words: str = ""
    clauses: tuple[str, ...] = ()
    facts: dict[str, Any] = {}


read_frame = msgspec.json.Decoder(Frame).decode
read_envelope = msgspec.json.Decoder(Envelope).decode


def command_data(command: object) -> dict[str, Any]:
    """Encode a command: a struct of `pontoon.engine` or `pontoon.table`, a dictionary, or a name.

    >>> from pontoon.engine import Hit
    >>> command_data(Hit(1)), command_data("Pass")
    ({'type': 'Hit', 'box': 1}, {'type': 'Pass'})
    """
    if isinstance(command, str):
        return {"type": command}
    data = msgspec.to_builtins(command)
    if not isinstance(data, dict) or "type" not in data:
        raise TypeError(f"{command!r} is not a command; a command is a struct such as Hit(1), or a name such as 'Pass'")
    return data

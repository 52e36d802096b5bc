"""What the server sends, as a client reads it: one struct for every frame, fields it does not know are ignored."""

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
    """A command was not done, and why."""

    status: int
    code: str
    words: str
    clauses: tuple[str, ...] = ()
    facts: dict[str, Any] = {}
    """What `words` is made of, with the code."""


class Room(Struct, frozen=True):
    """The room around a table."""

    id: str
    name: str = ""
    waits: str = ""
    """What is waited for: wagers, decision, offer, join, cut."""
    players: tuple[str, ...] = ()
    """Who is waited for."""
    clock: int = 0
    """Milliseconds from this moment's beginning until the dealer goes on without them; 0 without a clock."""
    paused: str = ""
    passed: tuple[str, ...] = ()


class Frame(Struct, frozen=True):
    """Any frame of the protocol; `type` says which, and fields of other types keep their defaults."""

    type: str
    table: str = ""
    version: int = 0
    events: tuple[EventView, ...] = ()
    """Of a step: what happened, in words and with clauses."""
    room: Room | None = None
    view: TableView | None = None
    """Of a step or a snapshot: the table as this client may see it."""
    wallet: int = 0
    """Cents; of a wallet or a welcome."""
    words: str = ""
    """Of a notice or a problem."""
    code: str = ""
    facts: dict[str, Any] = {}
    """What `words` is made of, with the code."""
    clauses: tuple[str, ...] = ()
    name: str = ""
    role: str = ""


class Envelope(Struct, frozen=True):
    """As much of a frame as the connection itself needs."""

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
    """A command as it is sent: a struct of `pontoon.engine` or `pontoon.table`, a dictionary, or a bare name.

    >>> from pontoon.engine import Hit
    >>> command_data(Hit(1)), command_data("Pass")
    ({'type': 'Hit', 'box': 1}, {'type': 'Pass'})
    """
    if isinstance(command, str):
        return {"type": command}
    data = msgspec.to_builtins(command)
    if not isinstance(data, dict) or "type" not in data:
        raise TypeError(f"{command!r} is no command; a command is a struct such as Hit(1), or a name such as 'Pass'")
    return data

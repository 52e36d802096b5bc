"""The table a person sits at, whether it is in this process or on a server: commands go in, frames come out."""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

from pontoon.client import ClientError, Problem
from pontoon.rulebook import Override
from pontoon.server.commands import Asked
from pontoon.server.frames import Frame

Pace = Literal["instant", "fast", "normal", "slow"]
PACES: dict[Pace, int] = {"instant": 1, "fast": 150, "normal": 400, "slow": 1000}
"""Milliseconds between cards. Not even an instant table deals a round in one breath: its end would not be seen."""


TableError = ClientError
"""There is no such table, or no way to it; the message is one line for a person."""


class Worth(Struct, frozen=True):
    """A decision and what it is worth."""

    action: str
    value: float
    """A unit of the first wager."""
    cents: float
    """Of this wager."""
    chart: bool = False
    """Whether the chart says so."""


class Advice(Struct, frozen=True):
    """What the coach says now, best decision first; no rows where nothing is to be decided."""

    rows: tuple[Worth, ...] = ()
    hand: str = ""
    """The hand and what it plays against, in words."""
    chart: str = ""
    counted: str = ""
    words: str = ""
    """Why there are no rows."""


class Rules(Struct, frozen=True):
    """Which rules a table is played by; only the table knows, for its rulebook may be nobody else's."""

    name: str
    title: str
    place: str
    overrides: tuple[Override, ...] = ()


class Table(Protocol):
    """A table from a person's chair."""

    @property
    def me(self) -> str:
        """The person's name."""

    @property
    def local(self) -> bool:
        """In this process: the person's own table, without a clock."""

    async def start(self) -> None:
        """Come to the table; frames begin with a snapshot. TableError where that is not possible."""

    async def next(self) -> Frame:
        """The next frame, when it comes."""

    def waiting(self) -> bool:
        """Whether a frame is there already."""

    async def do(self, command: Asked, seen: int | None = None) -> int | Problem:
        """Ask something of the table; the version it led to, or why not."""

    async def rules(self) -> Rules | None:
        """Which rules this table is played by; None where the server is too old to say."""

    async def transcript(self, number: int) -> str | Problem:
        """The round with this number as a file, as far as it has gone."""

    async def advice(self) -> Advice:
        """What the coach says of the hand now in question."""

    async def close(self) -> None:
        """Go away."""

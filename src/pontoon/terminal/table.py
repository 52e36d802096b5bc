"""The table a person sits at, whether it is in this process or on a server: commands go in, frames come out."""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

from pontoon.client import ClientError, Problem
from pontoon.rulebook import Override
from pontoon.server.coach.round_review import Mistake
from pontoon.server.rooms.commands import Asked
from pontoon.server.rooms.frames import Frame

Pace = Literal["instant", "fast", "normal", "slow"]
PACES: dict[Pace, int] = {"instant": 1, "fast": 150, "normal": 400, "slow": 1000}
"""Milliseconds between cards. Even an instant table does not deal a whole round at once: nobody would see how it
ended."""


TableError = ClientError
"""The table does not exist or cannot be reached; the message is one line for the user."""


class Worth(Struct, frozen=True):
    """A decision and its value."""

    action: str
    value: float
    """A unit of the first wager."""
    cents: float
    """Value for this wager."""
    chart: bool = False
    """Whether this is the chart's choice."""


class Advice(Struct, frozen=True):
    """The coach's advice, best decision first; no rows if there is no decision."""

    rows: tuple[Worth, ...] = ()
    hand: str = ""
    """The hand and the upcard, in words."""
    chart: str = ""
    counted: str = ""
    words: str = ""
    """Why there are no rows."""


class Rules(Struct, frozen=True):
    """Which rules a table is played by; only the table knows, because its rulebook may be unique to it."""

    name: str
    title: str
    place: str
    overrides: tuple[Override, ...] = ()


class Table(Protocol):
    """A table as its player uses it."""

    @property
    def me(self) -> str:
        """The person's name."""

    @property
    def local(self) -> bool:
        """In this process: the person's own table, without a clock."""

    async def start(self) -> None:
        """Connect to the table; frames begin with a snapshot. TableError if that is not possible."""

    async def next(self) -> Frame:
        """The next frame, when it comes."""

    def waiting(self) -> bool:
        """Whether a frame is already available."""

    async def do(self, command: Asked, seen: int | None = None) -> int | Problem:
        """Give the table a command; returns the resulting version or the problem."""

    async def rules(self) -> Rules | None:
        """Which rules this table is played by; None if the server is too old to say."""

    async def transcript(self, number: int) -> str | Problem:
        """The round with this number as a file, as far as it has gone."""

    async def advice(self) -> Advice:
        """The coach's advice on the current hand."""

    async def mistakes(self) -> list[Mistake] | None:
        """The person's mistakes in the rounds of this session; None without the coach."""

    async def close(self) -> None:
        """Go away."""

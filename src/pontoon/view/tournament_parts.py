"""What a tournament looks like from outside, part by part; amounts are cents, chips are tournament chips."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from pontoon.rulebook import Clauses


class TournamentRow(Struct, frozen=True):
    """A tournament in the lobby."""

    id: str
    name: str
    phase: str
    words: str
    """How far it is."""
    start: int
    """Of the next session, in milliseconds since 1970; 0 where the director calls it."""
    fee: int
    chips: int
    players: int
    most: int
    session: int
    sessions: int
    pool: int
    director: str


class SessionRow(Struct, frozen=True):
    """A session of the conditions."""

    number: int
    name: str
    kind: str
    length: str
    starts: str


class PlayerRow(Struct, frozen=True):
    """An entry."""

    name: str
    group: str
    status: str
    seated: bool
    chips: int
    table: int
    box: int
    points: str
    place: int
    bought_back: int


class SeatRow(Struct, frozen=True):
    """A box of a table and who plays it."""

    box: int
    player: str
    chips: int
    seated: bool


class TournamentTable(Struct, frozen=True):
    """A table of the session that is balloted or running."""

    table: int
    room: str
    rounds: int
    length: int
    """Rounds it plays; 0 where the session goes by shoes or time."""
    marker: int
    seats: tuple[SeatRow, ...]
    ended: bool


class StandingRow(Struct, frozen=True):
    """One line of a result."""

    place: int
    player: str
    chips: int
    table: int
    points: str
    prize: int = 0


class SessionResult(Struct, frozen=True):
    """A session that is over."""

    session: int
    name: str
    standings: tuple[StandingRow, ...]
    advanced: tuple[str, ...]


class PaymentRow(Struct, frozen=True):
    """A prize, and whether it was paid."""

    number: int
    player: str
    amount: int
    place: int
    session: int
    paid: bool


class TieRow(Struct, frozen=True):
    """Equal players who wait to be parted."""

    players: tuple[str, ...]
    by: str
    rooms: tuple[str, ...]
    """Where the extra rounds are played now."""


class WaitingRow(Struct, frozen=True):
    """A ruling that takes effect when no round is on."""

    by: str
    what: str


class ChipLine(Struct, frozen=True):
    """The chips of a player, round by round."""

    player: str
    points: tuple[tuple[int, int], ...]


class Told(Struct, frozen=True):
    """Something that happened."""

    at: int
    words: str
    clauses: Clauses
    type: str
    facts: dict[str, Any]
    """What `words` is made of, with the type."""


class Mine(Struct, frozen=True):
    """What is the asker's own."""

    status: str
    chips: int
    table: int
    box: int
    seated: bool
    room: str
    bought_back: int


class TournamentView(Struct, frozen=True):
    """A tournament as one asker sees it."""

    id: str
    version: int
    name: str
    phase: str
    words: str
    director: str
    digest: str
    published: tuple[str, ...]
    format: str
    agreement: bool
    """Whether whoever enters has to agree in writing."""
    groups: str
    fee: int
    commission: int
    """Of all players so far."""
    buy_back: int
    """What buying back costs; 0 where it is free or not offered."""
    chips: int
    minimum: int
    maximum: int
    least: int
    most: int
    reserves: int
    pool: int
    start: int
    seed_hash: str
    seed: str
    """Empty until it is revealed."""
    session: int
    sessions: tuple[SessionRow, ...]
    players: tuple[PlayerRow, ...]
    tables: tuple[TournamentTable, ...]
    standings: tuple[StandingRow, ...]
    results: tuple[SessionResult, ...]
    payments: tuple[PaymentRow, ...]
    ties: tuple[TieRow, ...]
    waiting: tuple[WaitingRow, ...]
    pause: int
    pause_ends: int
    """When the break is over, in milliseconds since 1970; 0 for none."""
    pace: int
    may: tuple[str, ...]
    """Names of the commands the asker may give now."""
    mine: Mine | None
    history: tuple[ChipLine, ...]
    told: tuple[Told, ...]
    rulebook: str
    """Name of the rulebook with the rules for tournaments."""

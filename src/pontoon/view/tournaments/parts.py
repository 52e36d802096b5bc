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
    """The stage the tournament has reached."""
    start: int
    """Start of the next session, in milliseconds since 1970; 0 if the director calls it."""
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
    """Rounds it plays; 0 if the session goes by shoes or time."""
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
    """Tied players who wait for a tie-break."""

    players: tuple[str, ...]
    by: str
    rooms: tuple[str, ...]
    """Where the extra rounds are played now."""


class DutyRow(Struct, frozen=True):
    """Something that a person has to do next."""

    role: str
    """`operator`, `shift_manager`, `director` or `players`."""
    what: str
    """The command, or another code."""
    words: str
    clause: str
    at: int = 0
    """When it is due, in milliseconds since 1970; 0 for no particular time."""


class WaitingRow(Struct, frozen=True):
    """A ruling that takes effect when no round is on."""

    by: str
    what: str


class AppealRow(Struct, frozen=True):
    """An appeal and its decision."""

    number: int
    player: str
    reason: str
    outcome: str
    """`upheld`, `dismissed`, or empty while the operator has not decided."""
    decision: str


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
    """The facts from which `words` is built, with the type."""


class Mine(Struct, frozen=True):
    """The viewer's own data."""

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
    """Whether entrants have to agree in writing."""
    groups: str
    fee: int
    commission: int
    """Of all players so far."""
    buy_back: int
    """What buying back costs; 0 if it is free or not offered."""
    chips: int
    minimum: int
    maximum: int
    least: int
    most: int
    reserves: int
    pool: int
    """With what the casino adds, also before entries close."""
    prizes: tuple[int, ...]
    """What the pool, as it stands, pays for each place of the tournament."""
    start: int
    seed_hash: str
    seed: str
    """Empty until it is revealed."""
    session: int
    sessions: tuple[SessionRow, ...]
    players: tuple[PlayerRow, ...]
    tables: tuple[TournamentTable, ...]
    standings: tuple[StandingRow, ...]
    leading: tuple[str, ...]
    """Who would advance from the running session as it stands; empty if everyone or nobody would."""
    results: tuple[SessionResult, ...]
    payments: tuple[PaymentRow, ...]
    ties: tuple[TieRow, ...]
    waiting: tuple[WaitingRow, ...]
    appeals: tuple[AppealRow, ...]
    pause: int
    pause_ends: int
    """When the break is over, in milliseconds since 1970; 0 for none."""
    pace: int
    may: tuple[str, ...]
    """Names of the commands the asker may give now."""
    mine: Mine | None
    history: tuple[ChipLine, ...]
    told: tuple[Told, ...]
    duties: tuple[DutyRow, ...]
    """Who has to do what next."""
    rulebook: str
    """Name of the rulebook with the rules for tournaments."""

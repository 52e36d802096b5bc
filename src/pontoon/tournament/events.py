"""Events of a tournament, each with its clauses. Postings depend on these alone."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pontoon.rulebook import Clauses

Purpose = Literal["", "place", "points"]
"""The purpose of breaking a tie: advancing or a place in the tournament, or the points of a table; never empty once
read (`upgrade`)."""


class TournamentEvent(Struct, frozen=True, tag=True):
    """Base class of all tournament events; `clauses` are canberra's."""

    clauses: Clauses


class ConditionsPublished(TournamentEvent, frozen=True):
    """The conditions were published to patrons or to the commission."""

    to: str
    digest: str


class DirectorNominated(TournamentEvent, frozen=True):
    """A director was nominated."""

    by: str
    director: str


class BallotCommitted(TournamentEvent, frozen=True):
    """The hash of the ballot seed was published."""

    seed_hash: str


class Entered(TournamentEvent, frozen=True):
    """A player entered; the fee went into the pool, the commission to the operator."""

    player: str
    group: str
    fee: int
    """Fee including the commission."""
    commission: int


class Reserved(TournamentEvent, frozen=True):
    """A reserve player was listed because all places are taken; reserves pay only when offered a seat."""

    player: str
    group: str


class EntriesClosed(TournamentEvent, frozen=True):
    """Entries closed, with the number of players; the casino's contribution went into the pool."""

    players: int
    added: int


class LateEntryAllowed(TournamentEvent, frozen=True):
    """The director admits a player after entries have closed; the entry follows."""

    player: str
    reason: str
    house: bool = True
    """Marks the house's own decision: the rule is silent."""


class SeatDrawn(TournamentEvent, frozen=True):
    """A seat was drawn for a player admitted or reinstated after the ballot."""

    session: int
    number: int
    """Number of the draw after this ballot, from 1; it is in the key of the draw."""
    player: str
    table: int
    box: int
    free: tuple[tuple[int, int], ...]
    """The free seats, as table and box, from which it was drawn."""


class StartMoved(TournamentEvent, frozen=True):
    """The next session was rescheduled."""

    at: int
    notice: int


class BallotDrawn(TournamentEvent, frozen=True):
    """Tables and seats of a session were drawn; anyone can repeat the draw once the seed is revealed."""

    session: int
    """Session number, from 1."""
    draw: int
    """Number of the draw: more than 1 if a restriction on groups invalidated the first ones."""
    seats: tuple[tuple[str, int, int], ...]
    """Player, table from 1, box from 1."""
    markers: tuple[int, ...]
    """The box with the first starting marker, for each table."""


class SeatTaken(TournamentEvent, frozen=True):
    """A player sat down in time."""

    player: str


class SeatOffered(TournamentEvent, frozen=True):
    """A reserve paid and took the seat of an absent player."""

    absent: str
    player: str
    fee: int
    commission: int


class Substituted(TournamentEvent, frozen=True):
    """A substitute continues in a player's place."""

    player: str
    substitute: str
    reason: str
    group: str = ""
    chips: int = 0
    """Chips taken over."""


class PositionForfeited(TournamentEvent, frozen=True):
    """A player was not seated in time; the fee stays in the pool."""

    player: str
    chips: int = 0
    """Chips handed back, if chips carry over."""


class SessionStarted(TournamentEvent, frozen=True):
    """The session started, with these chips for each player."""

    session: int
    chips: tuple[tuple[str, int], ...]
    issued: tuple[tuple[str, int], ...] = ()
    """Chips handed to each player: all of them, or the difference if chips carry over."""


class ChipsCounted(TournamentEvent, frozen=True):
    """Chips at a table were counted after a round."""

    session: int
    table: int
    round: int
    shoe: int
    chips: tuple[tuple[str, int], ...]
    changes: tuple[tuple[str, int], ...] = ()
    """Amounts won or lost in the round."""


class MarkerMoved(TournamentEvent, frozen=True):
    """The starting marker moved clockwise to the next player."""

    table: int
    box: int


class Eliminated(TournamentEvent, frozen=True):
    """A player cannot make the minimum wager, did not advance, met an elimination criterion, or was ruled out."""

    player: str
    session: int
    reason: Literal["minimum", "session", "ruling", "absent", "criterion"]
    chips: int
    """Chips held then; those of a knocked-out player can no longer be wagered."""
    words: str = ""
    round: int = 0
    """Round of the session at the player's table; 0 if the session result decided."""
    before: int = 0
    """Chips before that round."""


class BoughtBack(TournamentEvent, frozen=True):
    """An eliminated player bought back."""

    player: str
    fee: int
    commission: int
    chips: int


class ChipsCorrected(TournamentEvent, frozen=True):
    """The director corrected a player's chips."""

    player: str
    session: int
    chips: int
    """Chips after the correction."""
    change: int
    reason: str
    house: bool = True
    """Marks the house's own decision: the rule is silent."""


class Reinstated(TournamentEvent, frozen=True):
    """A player is back in."""

    player: str
    session: int
    to: Literal["table", "seat", "ballot", "status"]
    """Where to: the same place at the table, the seat of this ballot, the next ballot, or the status before a
    disqualification."""
    chips: int
    reason: str
    appeal: int = 0
    """The upheld appeal that is carried out; 0 if the director takes back a ruling."""
    house: bool = False
    """Marks the house's own decision: the rule is silent."""


class AppealMade(TournamentEvent, frozen=True):
    """A player disputes a decision."""

    number: int
    player: str
    reason: str


class AppealDecided(TournamentEvent, frozen=True):
    """The operator decided an appeal."""

    number: int
    player: str
    upheld: bool
    decision: str


class BreakCalled(TournamentEvent, frozen=True):
    """A break, with its length in minutes."""

    minutes: int


class BreakEnded(TournamentEvent, frozen=True):
    """Play continues."""


class PaceSet(TournamentEvent, frozen=True):
    """The time in seconds for a wager or a decision changed."""

    seconds: int


class Directed(TournamentEvent, frozen=True):
    """The director spoke to one player or to all."""

    words: str
    player: str


class TableEnded(TournamentEvent, frozen=True):
    """A table has finished its session."""

    session: int
    table: int
    restored: tuple[tuple[str, int], ...] = ()
    """Players, with chips, who could not have wagered again; the round was the last, so none is eliminated (20.14)."""


class TieFound(TournamentEvent, frozen=True):
    """A tie that must be broken before the session or the tournament can end."""

    players: tuple[str, ...]
    by: Literal["extra_rounds", "ballot"]
    purpose: Purpose = ""


class TieLeft(TournamentEvent, frozen=True):
    """The maximum number of extra rounds did not break the tie: the players stay tied, and prizes are divided."""

    players: tuple[str, ...]


class TieDropped(TournamentEvent, frozen=True):
    """The tie no longer matters, after a ruling or other points, and is dropped."""

    players: tuple[str, ...]


class ExtraCounted(TournamentEvent, frozen=True):
    """Extra rounds were played between tied players, with the resulting order: groups of players still tied."""

    players: tuple[str, ...]
    chips: tuple[tuple[str, int], ...]
    order: tuple[tuple[str, ...], ...]
    purpose: Purpose = ""


class LotsDrawn(TournamentEvent, frozen=True):
    """A tie was broken by ballot."""

    order: tuple[str, ...]
    session: int = 0
    number: int = 0
    """The purpose of the draw: 1 for advancing, 2 for points; session and number are in the key of the draw."""
    purpose: Purpose = ""


class Standing(Struct, frozen=True):
    """One line of a session's or the tournament's result."""

    place: int
    """Place; tied players share it, and the following places are skipped."""
    player: str
    chips: int
    table: int = 0
    points: tuple[int, int] = (0, 1)
    """Points as a fraction: combined and divided points need not be whole."""


class SessionEnded(TournamentEvent, frozen=True):
    """A session ended, with its result and the players who advance."""

    session: int
    standings: tuple[Standing, ...]
    advanced: tuple[str, ...]
    returned: tuple[tuple[str, int], ...] = ()
    """Tournament chips handed back, if every session starts with new chips."""


class PointsRecorded(TournamentEvent, frozen=True):
    """Points of another authorised game were entered."""

    game: str
    points: tuple[tuple[str, tuple[int, int]], ...]


class Payment(Struct, frozen=True):
    """One prize: amount, player and reason."""

    number: int
    player: str
    amount: int
    place: int
    session: int = 0
    """0 for the tournament's own prizes, otherwise the session number."""


class SessionPrizesAwarded(TournamentEvent, frozen=True):
    """The prizes of a session were awarded when it ended; they can be paid at once."""

    session: int
    payments: tuple[Payment, ...]


class PlacesAwarded(TournamentEvent, frozen=True):
    """Places were awarded: the final standings and the payments that are left, which sum to what the pool owes."""

    standings: tuple[Standing, ...]
    payments: tuple[Payment, ...]
    pool: int
    returned: tuple[tuple[str, int], ...] = ()
    """Tournament chips handed back."""


class PrizePaid(TournamentEvent, frozen=True):
    """One payment was made."""

    payment: Payment


class BallotRevealed(TournamentEvent, frozen=True):
    """The ballot seed was revealed."""

    seed: str


class Cancelled(TournamentEvent, frozen=True):
    """The tournament was cancelled; all fees and commissions were refunded."""

    reason: str
    refunds: tuple[tuple[str, int, int], ...]
    """Player, fee, and the commission included in it."""
    added: int
    """The casino's contribution, returned to it."""
    returned: tuple[tuple[str, int], ...] = ()
    """Tournament chips handed back."""
    made_up: int = 0
    """What the casino adds to the pool for session prizes already paid, so that every fee can be refunded."""


class Completed(TournamentEvent, frozen=True):
    """The tournament is over: everything is paid and the pool is empty."""

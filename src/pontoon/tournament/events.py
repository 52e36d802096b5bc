"""What happened in a tournament, in the past tense, each with its clauses. Postings are made from these alone."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pontoon.rulebook import Clauses

Purpose = Literal["", "place", "points"]
"""What a tie is broken for: going on or a place in the tournament, or the points of a table; never empty once read
(`upgrade`)."""


class TournamentEvent(Struct, frozen=True, tag=True):
    """Anything that happened; `clauses` of canberra."""

    clauses: Clauses


class ConditionsPublished(TournamentEvent, frozen=True):
    """The conditions were given to patrons or to the commission."""

    to: str
    digest: str


class DirectorNominated(TournamentEvent, frozen=True):
    """Somebody runs the tournament from now on."""

    by: str
    director: str


class BallotCommitted(TournamentEvent, frozen=True):
    """The hash of the seed of all ballots."""

    seed_hash: str


class Entered(TournamentEvent, frozen=True):
    """A player is in; the fee went into the pool, the commission to the operator."""

    player: str
    group: str
    fee: int
    """Commission included."""
    commission: int


class Reserved(TournamentEvent, frozen=True):
    """All places are taken: a reserve player, who pays only when offered a seat."""

    player: str
    group: str


class EntriesClosed(TournamentEvent, frozen=True):
    """How many players there are; what the casino adds goes into the pool."""

    players: int
    added: int


class StartMoved(TournamentEvent, frozen=True):
    """The next session starts at another time."""

    at: int
    notice: int


class BallotDrawn(TournamentEvent, frozen=True):
    """Tables and seats of a session; anybody can draw it again when the seed is out."""

    session: int
    """Its number, from 1."""
    draw: int
    """Which draw it was: more than 1 when a restriction on groups made the first ones void."""
    seats: tuple[tuple[str, int, int], ...]
    """Player, table from 1, box from 1."""
    markers: tuple[int, ...]
    """The box that has the starting marker first, for each table."""


class SeatTaken(TournamentEvent, frozen=True):
    """A player sat down in time."""

    player: str


class SeatOffered(TournamentEvent, frozen=True):
    """A reserve took the seat of somebody who was not there, and paid."""

    absent: str
    player: str
    fee: int
    commission: int


class Substituted(TournamentEvent, frozen=True):
    """Somebody else plays on in a player's place."""

    player: str
    substitute: str
    reason: str
    group: str = ""
    chips: int = 0
    """Taken over."""


class PositionForfeited(TournamentEvent, frozen=True):
    """A player was not seated in time; the fee stays in the pool."""

    player: str
    chips: int = 0
    """Handed back, where chips are carried."""


class SessionStarted(TournamentEvent, frozen=True):
    """The session has begun; so many chips for each player."""

    session: int
    chips: tuple[tuple[str, int], ...]
    issued: tuple[tuple[str, int], ...] = ()
    """What each was handed for it: all of the chips, or the rest where chips are carried."""


class ChipsCounted(TournamentEvent, frozen=True):
    """The chips at a table after a round."""

    session: int
    table: int
    round: int
    shoe: int
    chips: tuple[tuple[str, int], ...]
    changes: tuple[tuple[str, int], ...] = ()
    """Won or lost in the round."""


class MarkerMoved(TournamentEvent, frozen=True):
    """The starting marker went clockwise to the next player."""

    table: int
    box: int


class Eliminated(TournamentEvent, frozen=True):
    """A player cannot make the least wager, did not go on, meets a criterion of the conditions, or was ruled out."""

    player: str
    session: int
    reason: Literal["minimum", "session", "ruling", "absent", "criterion"]
    chips: int
    """Held at that moment: those of a knocked-out player cannot be wagered any more."""
    words: str = ""
    round: int = 0
    """Of the session, at the player's table; 0 where the result of the session decided."""
    before: int = 0
    """Chips before that round."""


class BoughtBack(TournamentEvent, frozen=True):
    """An eliminated player paid and is in again."""

    player: str
    fee: int
    commission: int
    chips: int


class BreakCalled(TournamentEvent, frozen=True):
    """A break of so many minutes."""

    minutes: int


class BreakEnded(TournamentEvent, frozen=True):
    """Play goes on."""


class PaceSet(TournamentEvent, frozen=True):
    """Seconds for a wager or a decision."""

    seconds: int


class Directed(TournamentEvent, frozen=True):
    """The director's word."""

    words: str
    player: str


class TableEnded(TournamentEvent, frozen=True):
    """A table has played its session."""

    session: int
    table: int
    restored: tuple[tuple[str, int], ...] = ()
    """Who could not have wagered again, with the chips held: the round was the last, so nobody had to (20.14)."""


class TieFound(TournamentEvent, frozen=True):
    """Equal players who have to be parted before the session, or the tournament, can end."""

    players: tuple[str, ...]
    by: Literal["extra_rounds", "ballot"]
    purpose: Purpose = ""


class TieLeft(TournamentEvent, frozen=True):
    """Extra rounds did not part them as often as the conditions allow: they stay equal, and prizes are divided."""

    players: tuple[str, ...]


class TieDropped(TournamentEvent, frozen=True):
    """Nothing hangs on it any more, after a ruling or other points: nobody has to be parted."""

    players: tuple[str, ...]


class ExtraCounted(TournamentEvent, frozen=True):
    """Extra rounds between equal players, and the order they gave: groups of players still equal."""

    players: tuple[str, ...]
    chips: tuple[tuple[str, int], ...]
    order: tuple[tuple[str, ...], ...]
    purpose: Purpose = ""


class LotsDrawn(TournamentEvent, frozen=True):
    """Equal players parted by ballot."""

    order: tuple[str, ...]
    session: int = 0
    number: int = 0
    """What it was drawn for: 1 for going on, 2 for points; session and number are in the key of the draw."""
    purpose: Purpose = ""


class Standing(Struct, frozen=True):
    """One line of a session's or the tournament's result."""

    place: int
    """Equal players have the same place, and the next ones are counted on."""
    player: str
    chips: int
    table: int = 0
    points: tuple[int, int] = (0, 1)
    """As a fraction: combined and divided points need not be whole."""


class SessionEnded(TournamentEvent, frozen=True):
    """The result of a session and who goes on."""

    session: int
    standings: tuple[Standing, ...]
    advanced: tuple[str, ...]
    returned: tuple[tuple[str, int], ...] = ()
    """Tournament chips handed back, where every session begins afresh."""


class PointsRecorded(TournamentEvent, frozen=True):
    """What a session of another authorised game gave."""

    game: str
    points: tuple[tuple[str, tuple[int, int]], ...]


class Payment(Struct, frozen=True):
    """One prize: what, to whom, for what."""

    number: int
    player: str
    amount: int
    place: int
    session: int = 0
    """0 for the tournament's own prizes, else the session's."""


class PlacesAwarded(TournamentEvent, frozen=True):
    """The final standings and every payment; together they are the pool to the cent."""

    standings: tuple[Standing, ...]
    payments: tuple[Payment, ...]
    pool: int
    returned: tuple[tuple[str, int], ...] = ()
    """Tournament chips handed back."""


class PrizePaid(TournamentEvent, frozen=True):
    """One payment was made."""

    payment: Payment


class BallotRevealed(TournamentEvent, frozen=True):
    """The seed of all ballots."""

    seed: str


class Cancelled(TournamentEvent, frozen=True):
    """It does not take place; all fees and commissions went back."""

    reason: str
    refunds: tuple[tuple[str, int, int], ...]
    """Player, fee and, of that, commission."""
    added: int
    """What the casino had added, taken out again."""
    returned: tuple[tuple[str, int], ...] = ()
    """Tournament chips handed back."""


class Completed(TournamentEvent, frozen=True):
    """Everything is paid and the pool is empty."""

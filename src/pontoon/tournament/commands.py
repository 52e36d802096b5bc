"""Commands of a tournament. Chance is data: a ballot carries its seed, extra rounds carry their chips.

`by` is the actor: the director unless the command names a player or the operator.
"""

from __future__ import annotations

from msgspec import Struct


class TournamentCommand(Struct, frozen=True, tag=True, omit_defaults=True):
    """Base class of all tournament commands."""


class PublishConditions(TournamentCommand, frozen=True):
    """Publish the conditions to patrons or to the commission; entries need both."""

    to: str
    """`patrons` or `commission`."""


class NominateDirector(TournamentCommand, frozen=True):
    """The gaming shift manager nominates the director."""

    by: str
    director: str


class CommitBallot(TournamentCommand, frozen=True):
    """Publish the hash of the ballot seed, before the first entry."""

    seed_hash: str


class Enter(TournamentCommand, frozen=True):
    """A player applies for entry; as a reserve if all places are taken."""

    player: str
    group: str = ""
    agreed: bool = False
    """Whether the player agreed in writing to the rules and conditions."""
    eligible: bool = True
    """The director's decision on the entry criteria."""


class CloseEntries(TournamentCommand, frozen=True):
    """Close entries; the number of players is then final."""


class EnterLate(TournamentCommand, frozen=True):
    """The director admits a player after entries have closed, before the first session starts."""

    player: str
    reason: str
    group: str = ""
    agreed: bool = False
    """Whether the player agreed in writing to the rules and conditions."""
    seed: str = ""
    """The committed ballot seed, from which the seat is drawn if the ballot has been held."""
    until_start: int = 0
    """Milliseconds until the specified starting time by the server's clock, below zero after it; 0 if there is
    no clock and the director decides."""


class MoveStart(TournamentCommand, frozen=True):
    """Reschedule the next session, with notice."""

    at: int
    """Milliseconds since 1970."""
    notice: int
    """Minutes between the announcement and the new time."""
    now: int = 0
    """Time of the announcement, in milliseconds since 1970; 0 if only the director's notice counts."""


class DrawBallot(TournamentCommand, frozen=True):
    """Draw tables and seats for the next session from the committed seed."""

    seed: str
    """32 bytes in hexadecimal. Each draw uses a key derived from it, so that it stays secret until the end."""
    at_table: int = 0
    """Players per table, if the director wants fewer than the conditions allow."""


class TakeSeat(TournamentCommand, frozen=True):
    """A player sits down in the assigned seat."""

    player: str
    until_start: int = 0
    """Milliseconds until the specified starting time by the server's clock, below zero after it; 0 if there is
    no clock and the director decides."""


class OfferSeat(TournamentCommand, frozen=True):
    """Before the first session: give an empty seat to a reserve player, who pays the fee."""

    absent: str
    reserve: str
    until_start: int = 0
    """Milliseconds until the specified starting time by the server's clock, below zero after it; 0 if there is
    no clock and the director decides."""


class Substitute(TournamentCommand, frozen=True):
    """The director lets a substitute continue in a player's place."""

    player: str
    substitute: str
    reason: str
    group: str = ""
    agreed: bool = False
    """Whether the substitute agreed in writing to the rules and conditions."""


class StartSession(TournamentCommand, frozen=True):
    """Start the session; players not seated forfeit their positions."""

    until_start: int = 0
    """Milliseconds until the specified starting time by the server's clock, below zero after it; 0 if there is
    no clock and the director decides."""
    unannounced: bool = False
    """Whether there is a clock, but no starting time has been announced for this session."""


class CountChips(TournamentCommand, frozen=True):
    """Record the chips in front of each player after a round."""

    table: int
    round: int
    chips: tuple[tuple[str, int], ...]
    """Players in box order."""
    shoe: int = 1


class BuyBack(TournamentCommand, frozen=True):
    """An eliminated player buys back."""

    player: str


class Disqualify(TournamentCommand, frozen=True):
    """The director rules a player out of the tournament."""

    player: str
    reason: str
    clause: str
    """Clause of rule 20, such as `20.13`."""


class CorrectChips(TournamentCommand, frozen=True):
    """The director corrects a player's chips: a wrong payment or a wrong count."""

    player: str
    chips: int
    """The player's chips after the correction."""
    reason: str


class Reinstate(TournamentCommand, frozen=True):
    """The director lets a player back in: a ruling is taken back, or an upheld appeal is carried out."""

    player: str
    reason: str
    chips: int = 0
    """Chips for a player who returns to a table, or to a later session if chips carry over; otherwise 0."""
    seed: str = ""
    """The committed ballot seed, from which a seat is drawn if the ballot has been held without the player."""


class Appeal(TournamentCommand, frozen=True):
    """A player disputes a decision; the operator decides."""

    player: str
    reason: str


class DecideAppeal(TournamentCommand, frozen=True):
    """The operator decides an appeal."""

    number: int
    upheld: bool
    decision: str
    """The decision in words."""


class CallBreak(TournamentCommand, frozen=True):
    """A break, with its length in minutes."""

    minutes: int


class EndBreak(TournamentCommand, frozen=True):
    """Play continues."""


class SetPace(TournamentCommand, frozen=True):
    """Set the time in seconds for a wager or a decision."""

    seconds: int


class Direct(TournamentCommand, frozen=True):
    """The director speaks to one player or to all: speed of play, advice, hidden chips."""

    words: str
    clause: str
    player: str = ""


class EndTable(TournamentCommand, frozen=True):
    """A table has finished its session."""

    table: int
    minutes: int = 0
    """Minutes since the session started, by the director's clock; only needed for a session by time."""


class CountExtra(TournamentCommand, frozen=True):
    """Record one set of extra rounds between tied players: their chips, after equal starting amounts."""

    players: tuple[str, ...]
    chips: tuple[tuple[str, int], ...]


class DrawLots(TournamentCommand, frozen=True):
    """Break a tie by ballot, if the conditions say so."""

    players: tuple[str, ...]
    seed: str


class EndSession(TournamentCommand, frozen=True):
    """End the session once all tables have ended and no tie is open: places, points, prizes, who advances."""


class RecordPoints(TournamentCommand, frozen=True):
    """Enter the points of another authorised game, if the conditions have one; once per game."""

    game: str
    """Name of the game, in words."""
    points: tuple[tuple[str, tuple[int, int]], ...]
    """Player and points as a fraction; players not named have none."""


class AwardPlaces(TournamentCommand, frozen=True):
    """Award the places and prizes after the final session."""


class PayPrize(TournamentCommand, frozen=True):
    """Make one payment; each is payable once."""

    place: int
    """Number in the list of payments from AwardPlaces, from 1."""


class RevealBallot(TournamentCommand, frozen=True):
    """Publish the seed, so that anyone can repeat every ballot."""

    seed: str


class Cancel(TournamentCommand, frozen=True):
    """Cancel the tournament: all fees and commissions are refunded in full."""

    reason: str

"""What somebody wants of a tournament. Chance is data: a ballot comes with its seed, extra rounds with their chips.

`by` is who asks: the director unless the command says a player or the operator.
"""

from __future__ import annotations

from msgspec import Struct


class TournamentCommand(Struct, frozen=True, tag=True, omit_defaults=True):
    """Anything that can be asked of a tournament."""


class PublishConditions(TournamentCommand, frozen=True):
    """The operator gives the conditions to patrons or to the commission; entries need both."""

    to: str
    """`patrons` or `commission`."""


class NominateDirector(TournamentCommand, frozen=True):
    """The gaming shift manager names who runs the tournament."""

    by: str
    director: str


class CommitBallot(TournamentCommand, frozen=True):
    """Publish the hash of the seed all ballots are drawn from, before the first entry."""

    seed_hash: str


class Enter(TournamentCommand, frozen=True):
    """A player asks to be admitted; when all places are taken, as a reserve."""

    player: str
    group: str = ""
    agreed: bool = False
    """Whether the player agreed in writing to rules and conditions."""
    eligible: bool = True
    """The director's word on the criteria of entry."""


class CloseEntries(TournamentCommand, frozen=True):
    """No more entries; the number of players is known."""


class MoveStart(TournamentCommand, frozen=True):
    """Start the next session at another time, with notice."""

    at: int
    """Milliseconds since 1970."""
    notice: int
    """Minutes between the announcement and the new time."""
    now: int = 0
    """When it is announced, in milliseconds since 1970; 0 where the notice is the director's word alone."""


class DrawBallot(TournamentCommand, frozen=True):
    """Draw tables and seats for the next session from the seed that was committed to."""

    seed: str
    """32 bytes as hexadecimal digits. The key of each draw is made from it, so that it stays secret until the end."""
    at_table: int = 0
    """Players at a table, if the director wants fewer than the conditions allow."""


class TakeSeat(TournamentCommand, frozen=True):
    """A player sits down in the place the ballot gave."""

    player: str
    until_start: int = 0
    """Milliseconds until the specified starting time by the server's clock, below zero after it; 0 where nobody keeps
    the time and it is the director's word."""


class OfferSeat(TournamentCommand, frozen=True):
    """Before the first session: an empty seat goes to a reserve player, who pays the fee."""

    absent: str
    reserve: str
    until_start: int = 0
    """Milliseconds until the specified starting time by the server's clock, below zero after it; 0 where nobody keeps
    the time and it is the director's word."""


class Substitute(TournamentCommand, frozen=True):
    """The director lets somebody else play on in a player's place."""

    player: str
    substitute: str
    reason: str
    group: str = ""
    agreed: bool = False
    """Whether the substitute agreed in writing to rules and conditions."""


class StartSession(TournamentCommand, frozen=True):
    """The time has come: who is not seated has forfeited the position."""

    until_start: int = 0
    """Milliseconds until the specified starting time by the server's clock, below zero after it; 0 where nobody keeps
    the time and it is the director's word."""


class CountChips(TournamentCommand, frozen=True):
    """A round at a table is over: the chips in front of each player."""

    table: int
    round: int
    chips: tuple[tuple[str, int], ...]
    """Players in the order of their boxes."""
    shoe: int = 1


class BuyBack(TournamentCommand, frozen=True):
    """An eliminated player pays to come back."""

    player: str


class Disqualify(TournamentCommand, frozen=True):
    """The director's ruling: a player is out of the tournament."""

    player: str
    reason: str
    clause: str
    """Of rule 20, as `20.13`."""


class CallBreak(TournamentCommand, frozen=True):
    """A break of so many minutes."""

    minutes: int


class EndBreak(TournamentCommand, frozen=True):
    """Play goes on."""


class SetPace(TournamentCommand, frozen=True):
    """Seconds for a wager or a decision from now on."""

    seconds: int


class Direct(TournamentCommand, frozen=True):
    """The director's word to one player or to all: speed of play, advice, chips out of view."""

    words: str
    clause: str
    player: str = ""


class EndTable(TournamentCommand, frozen=True):
    """A table has played its session."""

    table: int
    minutes: int = 0
    """By the director's clock since the session started; only a session by time asks for it."""


class CountExtra(TournamentCommand, frozen=True):
    """One lot of extra rounds between equal players is over: their chips, each having begun with the same amount."""

    players: tuple[str, ...]
    chips: tuple[tuple[str, int], ...]


class DrawLots(TournamentCommand, frozen=True):
    """Part equal players by ballot, where the conditions say so."""

    players: tuple[str, ...]
    seed: str


class EndSession(TournamentCommand, frozen=True):
    """All tables have ended and no tie is open: places, points, session prizes, and who goes on."""


class RecordPoints(TournamentCommand, frozen=True):
    """Points of a session of another authorised game, where the conditions have one; each game once."""

    game: str
    """In words."""
    points: tuple[tuple[str, tuple[int, int]], ...]
    """Player and points as a fraction; who is not named has none."""


class AwardPlaces(TournamentCommand, frozen=True):
    """The final session has ended: the places and what each is worth."""


class PayPrize(TournamentCommand, frozen=True):
    """Pay one place; each is payable once."""

    place: int
    """Of the list of payments that AwardPlaces made, from 1."""


class RevealBallot(TournamentCommand, frozen=True):
    """Publish the seed, so that anybody can draw every ballot again."""

    seed: str


class Cancel(TournamentCommand, frozen=True):
    """The operator cancels: all fees and commissions go back in full."""

    reason: str

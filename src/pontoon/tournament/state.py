"""The state of a tournament, determined by its conditions and events."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from pontoon.rulebook import Clauses
from pontoon.tournament.conditions.values import Conditions, Session
from pontoon.tournament.events import Payment, Purpose, Standing

Phase = Literal["draft", "entries", "closed", "balloted", "session", "between", "awarded", "over", "cancelled"]
"""draft (something required for entries is not published yet); entries; closed (entries are closed, a ballot is due);
balloted (seats are assigned, players sit down); session (tables play); between (a session has ended); awarded (places
and payments are known); over (all paid); cancelled."""

Status = Literal["in", "reserve", "forfeited", "eliminated", "disqualified", "substituted"]
"""in; reserve (has not paid and is not in); forfeited (was not seated in time, or the seat went to a reserve);
eliminated (may return through a repechage or a buy-back); disqualified (the director's ruling; holds no place);
substituted (a substitute plays on)."""


class Player(Struct, frozen=True):
    """One entry."""

    name: str
    group: str = ""
    paid: int = 0
    """Fees paid so far, including commission."""
    commission: int = 0
    chips: int = 0
    """Current tournament chips."""
    status: Status = "in"
    session: int = 0
    """The last session in which the player had a seat."""
    bought_back: int = 0
    out_round: int = 0
    """The round of that session in which the player was eliminated; 0 if not, or if by the session's result."""
    out_between: bool = False
    """Whether eliminated after that round, and so ranked above those eliminated in it."""
    chips_before: int = 0
    """Chips before the round in which the player was eliminated."""
    points: tuple[int, int] = (0, 1)
    table: int = 0
    box: int = 0
    """Number of the last ballot that gave the player a seat."""
    seat: int = -1
    """Index in `Tournament.seats`; -1 for none."""
    last_chips: int = 0
    """Chips at the end of that session, or on elimination."""
    place: int = 0
    """Place in the result of that session; 0 while it runs."""
    returned: bool = False
    """Whether the player bought back since the last session and starts the next one with those chips."""
    entered: bool = False
    """Whether this is an entry, not a waiting reserve or a substitute."""
    out_by: str = ""
    """Why the player is out: the reason of the elimination, or `forfeited`; empty if not."""
    was: Status | Literal[""] = ""
    """The status before a disqualification."""


class Seat(Struct, frozen=True):
    """A seat assigned by ballot."""

    player: str
    table: int
    box: int
    taken: bool = False


class Count(Struct, frozen=True):
    """A table of the running session."""

    table: int
    rounds: int = 0
    shoe: int = 1
    marker: int = 0
    """The box whose player wagers first."""
    ended: bool = False
    seated: tuple[tuple[int, str], ...] = ()
    """Box and player of those still playing, sorted by box."""
    counted_in_break: bool = False
    """Whether the round in progress at the break has been counted."""
    last_marker: int = 0
    """The marker's box in the last round; before the first round, the box before the current one."""
    bought_back: int = -1
    """The round after which a player last bought back; -1 for never."""
    reinstated: tuple[str, ...] = ()
    """Players reinstated since the last round was counted."""


class Tie(Struct, frozen=True):
    """An open tie."""

    players: tuple[str, ...]
    by: Literal["extra_rounds", "ballot"]
    lots: int = 0
    """How many sets of extra rounds failed to break it."""
    clauses: Clauses = ()
    """Why it must be broken."""
    purpose: Purpose = "place"


class Dispute(Struct, frozen=True):
    """An appeal and its decision."""

    number: int
    player: str
    reason: str
    session: int = 0
    """The session during or after which it was made."""
    outcome: Literal["", "upheld", "dismissed"] = ""
    decision: str = ""
    carried_out: bool = False
    """Whether the player was reinstated because of it."""


Order = tuple[tuple[str, ...], ...]
"""Best first; players in one tuple are still tied."""


class Result(Struct, frozen=True):
    """A finished session."""

    session: int
    standings: tuple[Standing, ...]
    advanced: tuple[str, ...]


class Tournament(Struct, frozen=True, kw_only=True):
    """The state of a tournament."""

    conditions: Conditions
    phase: Phase = "draft"
    published: tuple[str, ...] = ()
    director: str = ""
    seed_hash: str = ""
    players: tuple[Player, ...] = ()
    """In order of entry, including reserves and substitutes."""
    index: Mapping[str, int] = {}
    """Index in `players` by `same_name`; never changed in place."""
    session: int = 0
    """The balloted or running session, from 1; between sessions the last one."""
    start: int = 0
    """The rescheduled start of the next session, in milliseconds since 1970; 0 if not rescheduled."""
    seats: tuple[Seat, ...] = ()
    tables: tuple[Count, ...] = ()
    results: tuple[Result, ...] = ()
    ties: tuple[Tie, ...] = ()
    tie_orders: tuple[Order, ...] = ()
    """Orders from extra rounds or lots, for the current ranking."""
    purposes: tuple[Purpose, ...] = ()
    """The purpose of each order."""
    left_equal: tuple[tuple[str, ...], ...] = ()
    """Ties that extra rounds could not break, for the current ranking."""
    pause: int = 0
    """Length of the current break in minutes; 0 for none."""
    pace: int = 0
    pool: int = 0
    commission: int = 0
    added: int = 0
    """The casino's contribution to the pool."""
    recorded: tuple[str, ...] = ()
    """Other games whose points have been entered."""
    standings: tuple[Standing, ...] = ()
    payments: tuple[Payment, ...] = ()
    paid: tuple[int, ...] = ()
    """Numbers of the payments already made."""
    seed: str = ""
    """The ballot seed, once revealed."""
    appeals: tuple[Dispute, ...] = ()
    late_seats: int = 0
    """Seats drawn after the current ballot."""


def begin(conditions: Conditions) -> Tournament:
    """A new tournament."""
    return Tournament(conditions=conditions, pace=conditions.structure.pace)


_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters that Unicode defines as invisible (Default_Ignorable_Code_Point)."""


def plain_name(name: str) -> str:
    """The canonical spelling of a name: composed, single spaces, no invisible characters.

    >>> plain_name("  Zoe  Lee ") == "Zoe Lee"
    True
    """
    return " ".join(_UNSEEN.sub("", unicodedata.normalize("NFC", name)).split())


def same_name(name: str) -> str:
    """A name for comparison under 20.6: one person cannot enter twice with a different spelling.

    >>> same_name("  Ann  LEE ") == same_name("ann lee") == same_name("\uff21nn lee\u034f")
    True
    """
    if name.isascii():
        return " ".join(name.split()).lower()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", _UNSEEN.sub("", name)).casefold())
    return " ".join(_UNSEEN.sub("", folded).split())


def find(state: Tournament, name: str) -> Player | None:
    """The entry with exactly this name."""
    place = state.index.get(same_name(name))
    if place is None:
        return None
    player = state.players[place]
    return player if player.name == name else None


def known(state: Tournament, name: str) -> Player:
    """The entry of an existing player."""
    player = find(state, name)
    assert player is not None, name
    return player


def table_of(state: Tournament, number: int) -> Count | None:
    """A table of the running session."""
    return state.tables[number - 1] if 1 <= number <= len(state.tables) else None


def settings(state: Tournament) -> Session:
    """The conditions of the session that is balloted, running or just ended."""
    return state.conditions.sessions[state.session - 1]


def is_last(state: Tournament) -> bool:
    """Whether this is the last session."""
    return state.session >= len(state.conditions.sessions)


def those(state: Tournament, status: Status) -> list[Player]:
    """All players with a status, in order of entry."""
    return [player for player in state.players if player.status == status]


def entrants(state: Tournament) -> int:
    """The number of entries, without waiting reserves, counting a player and their substitute once."""
    return sum(player.entered for player in state.players)


def orders(state: Tournament, purpose: Purpose) -> tuple[Order, ...]:
    """The orders from extra rounds or lots for one purpose."""
    return tuple(order for order, kept in zip(state.tie_orders, state.purposes, strict=True) if kept == purpose)


def points_of(points: tuple[int, int]) -> Fraction:
    """Points as a number.

    >>> points_of((7, 2))
    Fraction(7, 2)
    """
    return Fraction(*points)

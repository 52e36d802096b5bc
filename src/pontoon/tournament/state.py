"""A tournament as it stands; made of its conditions and its events, and of nothing else."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from pontoon.rulebook import Clauses
from pontoon.tournament.conditions import Conditions, Session
from pontoon.tournament.events import Payment, Purpose, Standing

Phase = Literal["draft", "entries", "closed", "balloted", "session", "between", "awarded", "over", "cancelled"]
"""draft (not everything is published yet that entries need); entries; closed (entries are in, a ballot is due);
balloted (seats are given, players sit down); session (tables play); between (a session has ended); awarded (places and
payments are known); over (all paid); cancelled."""

Status = Literal["in", "reserve", "forfeited", "eliminated", "disqualified", "substituted"]
"""in; reserve (has not paid and is not in); forfeited (was not seated in time, or the seat went to a reserve);
eliminated (may come back by a repechage or a buy-back); disqualified (the director's ruling; holds no place);
substituted (somebody else plays on)."""


class Player(Struct, frozen=True):
    """One entry."""

    name: str
    group: str = ""
    paid: int = 0
    """Fees paid so far, commission included."""
    commission: int = 0
    chips: int = 0
    """Tournament chips held now."""
    status: Status = "in"
    session: int = 0
    """The last session the player had a seat in."""
    bought_back: int = 0
    out_round: int = 0
    """The round of that session the player went out in; 0 while not out, or out by the session's result."""
    out_between: bool = False
    """Out between that round and the next one, and so longer in than those who went out in it."""
    chips_before: int = 0
    """Before the round the player went out in."""
    points: tuple[int, int] = (0, 1)
    table: int = 0
    box: int = 0
    """Of the last ballot that gave the player a seat."""
    seat: int = -1
    """Which of `Tournament.seats` it is; -1 for none."""
    last_chips: int = 0
    """At the end of that session, or when the player went out in it."""
    place: int = 0
    """In the result of that session; 0 while it runs."""
    returned: bool = False
    """Bought back since the last session: plays the next one with the chips of the buy-back."""
    entered: bool = False
    """Whether it is an entry: neither a reserve who only waited nor a substitute."""


class Seat(Struct, frozen=True):
    """A place the ballot gave."""

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
    """Box and player of those who are still playing, by box."""
    counted_in_break: bool = False
    """Whether the round that was on when the break was called has been counted."""
    last_marker: int = 0
    """Where the marker was in the last round; before the first, the box before the one that has it."""
    bought_back: int = -1
    """The round after which somebody last bought back; -1 for never."""


class Tie(Struct, frozen=True):
    """Equal players waiting to be parted."""

    players: tuple[str, ...]
    by: Literal["extra_rounds", "ballot"]
    lots: int = 0
    """How often extra rounds were played for it and parted nobody."""
    clauses: Clauses = ()
    """Why they have to be parted."""
    purpose: Purpose = "place"


Order = tuple[tuple[str, ...], ...]
"""Best first; those in one tuple are still equal."""


class Result(Struct, frozen=True):
    """A session that is over."""

    session: int
    standings: tuple[Standing, ...]
    advanced: tuple[str, ...]


class Tournament(Struct, frozen=True, kw_only=True):
    """Everything about it."""

    conditions: Conditions
    phase: Phase = "draft"
    published: tuple[str, ...] = ()
    director: str = ""
    seed_hash: str = ""
    players: tuple[Player, ...] = ()
    """In the order they entered; reserves and substitutes too."""
    index: Mapping[str, int] = {}
    """Where in `players` somebody is, by `same_name`; never changed in place."""
    session: int = 0
    """The session that is balloted or running, from 1; the last one between sessions."""
    start: int = 0
    """When the next session starts, if it was moved: milliseconds since 1970."""
    seats: tuple[Seat, ...] = ()
    tables: tuple[Count, ...] = ()
    results: tuple[Result, ...] = ()
    ties: tuple[Tie, ...] = ()
    parted: tuple[Order, ...] = ()
    """Orders that extra rounds or lots gave, for the ranking now under way."""
    purposes: tuple[Purpose, ...] = ()
    """What each of them is for."""
    left_equal: tuple[tuple[str, ...], ...] = ()
    """Those whom extra rounds could not part, for the same ranking."""
    pause: int = 0
    """Minutes of the break in progress; 0 for none."""
    pace: int = 0
    pool: int = 0
    commission: int = 0
    added: int = 0
    """What the casino put into the pool."""
    recorded: tuple[str, ...] = ()
    """Other games whose points are in."""
    standings: tuple[Standing, ...] = ()
    payments: tuple[Payment, ...] = ()
    paid: tuple[int, ...] = ()
    """Numbers of the payments that were made."""
    seed: str = ""
    """Of the ballots, once revealed."""


def begin(conditions: Conditions) -> Tournament:
    """A tournament nobody knows of yet."""
    return Tournament(conditions=conditions, pace=conditions.structure.pace)


_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters that Unicode has shown as nothing (Default_Ignorable_Code_Point)."""


def plain_name(name: str) -> str:
    """The one spelling of a name that goes on a list: composed, single spaces, nothing that cannot be seen.

    >>> plain_name("  Zoe  Lee ") == "Zoe Lee"
    True
    """
    return " ".join(_UNSEEN.sub("", unicodedata.normalize("NFC", name)).split())


def same_name(name: str) -> str:
    """A name as 20.6 compares it: one person does not enter twice by another spelling.

    >>> same_name("  Ann  LEE ") == same_name("ann lee") == same_name("\uff21nn lee\u034f")
    True
    """
    if name.isascii():
        return " ".join(name.split()).lower()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", _UNSEEN.sub("", name)).casefold())
    return " ".join(_UNSEEN.sub("", folded).split())


def find(state: Tournament, name: str) -> Player | None:
    """The entry under exactly this name."""
    place = state.index.get(same_name(name))
    if place is None:
        return None
    player = state.players[place]
    return player if player.name == name else None


def known(state: Tournament, name: str) -> Player:
    """The entry of somebody who is there."""
    player = find(state, name)
    assert player is not None, name
    return player


def table_of(state: Tournament, number: int) -> Count | None:
    """A table of the running session."""
    return state.tables[number - 1] if 1 <= number <= len(state.tables) else None


def settings(state: Tournament) -> Session:
    """What the conditions say about the session that is balloted, running or has just ended."""
    return state.conditions.sessions[state.session - 1]


def is_last(state: Tournament) -> bool:
    """Whether no session comes after this one."""
    return state.session >= len(state.conditions.sessions)


def those(state: Tournament, status: Status) -> list[Player]:
    """All players with a status, in the order they entered."""
    return [player for player in state.players if player.status == status]


def entrants(state: Tournament) -> int:
    """How many have entered: not who only waited, and somebody and their substitute once."""
    return sum(player.entered for player in state.players)


def orders(state: Tournament, purpose: Purpose) -> tuple[Order, ...]:
    """What extra rounds or lots gave for one purpose."""
    return tuple(order for order, kept in zip(state.parted, state.purposes, strict=True) if kept == purpose)


def points_of(points: tuple[int, int]) -> Fraction:
    """Points as a number.

    >>> points_of((7, 2))
    Fraction(7, 2)
    """
    return Fraction(*points)

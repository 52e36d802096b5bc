"""A tournament of the house as it stands: a fold of its stream, with its rooms and what a page shows of the past."""

from __future__ import annotations

import hashlib
from collections import deque

from msgspec import Struct

from pontoon.rulebook import RulebookError, pinned
from pontoon.server.names import LETTERS
from pontoon.server.permits import Role
from pontoon.server.tournaments.log import (
    BallotSeedKept,
    HostEvent,
    RulingDropped,
    RulingTaken,
    RulingWaits,
    TournamentMade,
    read_body,
)
from pontoon.store.model import Entry
from pontoon.tournament import Tournament, begin, evolve
from pontoon.tournament import events as e
from pontoon.tournament.commands import TournamentCommand
from pontoon.tournament.conditions import Conditions
from pontoon.tournament.dealt_by import recorded_canberra, with_book
from pontoon.tournament.events import TournamentEvent
from pontoon.tournament.load import read
from pontoon.view.tournament_events import QUIET

TOLD = 50
"""How many of the last events are kept to be told."""
MINUTE = 60_000
ROOM = 6
"""Letters of a tournament's name, and of a room's after the tournament's."""

Point = tuple[int, int]
"""Rounds so far, over all sessions, and chips."""


class Lot(Struct, frozen=True):
    """Extra rounds between equal players."""

    session: int
    number: int
    players: tuple[str, ...]


class Told(Struct, frozen=True):
    """One event of the tournament, when and by whom."""

    version: int
    at: int
    by: str
    event: TournamentEvent


class Waiting(Struct, frozen=True):
    """A ruling about chips that waits until no round is on at the tables it is about."""

    number: int
    by: str
    role: Role
    command: TournamentCommand


def room_of(tournament: str, session: int, table: int) -> str:
    """The name of a tournament table's room: known without asking, so that nobody makes it twice.

    >>> room_of("k3x9pq", 1, 2)
    'k3x9pqhmgs3y'
    """
    return _name(tournament, f"{session} {table}")


def extra_room(tournament: str, session: int, lot: int, players: tuple[str, ...]) -> str:
    """The name of the room of extra rounds between these equal players."""
    return _name(tournament, f"{session} extra {lot} {'/'.join(players)}")


def _name(tournament: str, about: str) -> str:
    hashed = hashlib.sha256(f"{tournament} {about}".encode()).digest()
    return tournament + "".join(LETTERS[byte % len(LETTERS)] for byte in hashed[:ROOM])


class Hosted:
    """One tournament, following its stream."""

    def __init__(self, tournament: str) -> None:
        self.id = tournament
        self.version = 0
        self.text = ""
        """The conditions as they were handed in."""
        self.digest = ""
        self.made_by = ""
        self.made_at = 0
        self.rooms: dict[tuple[int, int], str] = {}
        """The room of every table that was played at so far, by session and table."""
        self.history: dict[str, list[Point]] = {}
        """The chips of every player, for the graph."""
        self.told: deque[Told] = deque(maxlen=TOLD)
        self.waiting: list[Waiting] = []
        """Rulings that take effect when no round is on."""
        self.ruled = 0
        self.keys: dict[tuple[str, str], int] = {}
        """The version every command with a key has led to, by who gave it."""
        self.seed = ""
        """SECRET until it is revealed: nothing that leaves the server may be made of it (see `state.seed`)."""
        self.extras = 0
        """How many lots of extra rounds were counted."""
        self.lots: dict[Lot, None] = {}
        """Every lot of extra rounds that was ever due, in order."""
        self.counted: dict[int, int] = {}
        """When the last round of each table of this session was counted, or the session began."""
        self._state: Tournament | None = None
        self._began = self.pause_began = self._paused = 0
        self._rounds_before = 0

    @property
    def state(self) -> Tournament:
        """The tournament by its events."""
        assert self._state is not None, "a tournament begins with its first entry"
        return self._state

    def minutes(self, now: int) -> int:
        """Minutes of play since the session began, breaks left out."""
        pause = now - self.pause_began if self.state.pause else 0
        return max(0, now - self._began - self._paused - pause) // MINUTE

    # --- following ---

    def follow(self, entry: Entry) -> tuple[HostEvent | TournamentEvent, ...]:
        """One more entry: nothing is decided here."""
        assert entry.version == self.version + 1, (entry.stream, entry.version, self.version)
        body = read_body(entry.body)
        for event in body.events:
            if isinstance(event, TournamentEvent):
                self._happened(event, entry)
            else:
                self._hosted(event, entry, body.role)
        if entry.key:
            self.keys[entry.by, entry.key] = entry.version
        self.version = entry.version
        return body.events

    def _hosted(self, event: HostEvent, entry: Entry, role: Role) -> None:
        match event:
            case TournamentMade():
                self.text, self.digest, self.made_by, self.made_at = event.text, event.digest, event.by, entry.at
                self._state = begin(self._conditions(event))
            case BallotSeedKept(seed=seed):
                self.seed = seed
            case RulingWaits(number=number, command=command):
                self.ruled = number
                self.waiting.append(Waiting(number, entry.by, role, command))
            case RulingTaken(number=number) | RulingDropped(number=number):
                self.waiting = [one for one in self.waiting if one.number != number]
            case _:
                pass

    def _conditions(self, event: TournamentMade) -> Conditions:
        """The conditions with the rulebook that the tournament was made with."""
        try:
            book = pinned(event.book, event.rules) if event.book else recorded_canberra()
        except RulebookError as error:
            raise RulebookError(f"tournament {self.id}: {error}") from None
        return with_book(read(event.text, self.id, lambda _: book), book)

    def _happened(self, event: TournamentEvent, entry: Entry) -> None:
        before = self.state
        self._state = evolve(before, event)
        if not isinstance(event, QUIET):  # counts of many tables would push everything else out
            self.told.append(Told(entry.version, entry.at, entry.by, event))
        match event:
            case e.SessionStarted():
                self._session_began(event, entry.at)
            case e.ChipsCounted():
                self.counted[event.table] = entry.at
                self._noted(event.chips, self._rounds_before + event.round)
            case e.SessionEnded():
                self._rounds_before += max((table.rounds for table in before.tables), default=0)
            case e.ExtraCounted():
                self.extras += 1
            case e.BreakCalled():
                self.pause_began = entry.at
            case e.BreakEnded():
                self._paused += entry.at - self.pause_began
            case _:
                pass
        for tie in self.state.ties:
            if tie.by == "extra_rounds":
                self.lots[Lot(self.state.session, self.extras + 1, tie.players)] = None

    def _session_began(self, event: e.SessionStarted, at: int) -> None:
        self._began, self._paused = at, 0
        tables = [table.table for table in self.state.tables if table.seated]
        self.counted = dict.fromkeys(tables, at)
        self.rooms |= {(event.session, table): room_of(self.id, event.session, table) for table in tables}
        self._noted(event.chips, self._rounds_before)

    def _noted(self, chips: tuple[tuple[str, int], ...], rounds: int) -> None:
        for player, amount in chips:
            points = self.history.setdefault(player, [])
            if points[-1:] != [(rounds, amount)]:  # a session may begin afresh where the last one ended: both are shown
                points.append((rounds, amount))

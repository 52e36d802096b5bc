"""A tournament on the server, folded from its stream: its state, rooms, history and recent events."""

from __future__ import annotations

import hashlib
from collections import deque
from functools import lru_cache

from msgspec import Struct

from pontoon.rulebook import RulebookError, pinned
from pontoon.server.names import LETTERS
from pontoon.server.rooms.permits import Role
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
from pontoon.tournament.conditions.load import read
from pontoon.tournament.conditions.round_rulebook import recorded_canberra, with_book
from pontoon.tournament.conditions.values import Conditions
from pontoon.tournament.events import TournamentEvent
from pontoon.tournament.state import known
from pontoon.view.tournaments.events import QUIET

RECENT = 50
"""Number of recent events kept for display."""
MINUTE = 60_000
ROOM = 6
"""Number of letters in a tournament's name, and in the part of a room's name that follows it."""

Point = tuple[int, int]
"""Rounds played so far in all sessions, and chips."""


class Lot(Struct, frozen=True):
    """A set of extra rounds between tied players."""

    session: int
    number: int
    players: tuple[str, ...]


class RecentEvent(Struct, frozen=True):
    """An event of the tournament, with its time and actor."""

    version: int
    at: int
    by: str
    event: TournamentEvent


class Waiting(Struct, frozen=True):
    """A ruling about chips, deferred until no round is in progress at the tables concerned."""

    number: int
    by: str
    role: Role
    command: TournamentCommand


def room_of(tournament: str, session: int, table: int) -> str:
    """The name of a tournament table's room, derived so that every process finds the same room.

    >>> room_of("k3x9pq", 1, 2)
    'k3x9pqhmgs3y'
    """
    return _name(tournament, f"{session} {table}")


def extra_room(tournament: str, session: int, lot: int, players: tuple[str, ...]) -> str:
    """The name of the room for extra rounds between these tied players."""
    return _name(tournament, f"{session} extra {lot} {'/'.join(players)}")


def _name(tournament: str, about: str) -> str:
    hashed = hashlib.sha256(f"{tournament} {about}".encode()).digest()
    return tournament + "".join(LETTERS[byte % len(LETTERS)] for byte in hashed[:ROOM])


@lru_cache(maxsize=64)
def _read_conditions(text: str, book: str, rules: str) -> Conditions:
    """Cached, because tournaments are held again under the same conditions, and are read again."""
    found = pinned(book, rules) if book else recorded_canberra()
    return with_book(read(text, "the conditions", lambda _: found), found)


class Hosted:
    """One tournament, folded from its stream."""

    def __init__(self, tournament: str) -> None:
        self.id = tournament
        self.version = 0
        self.hash = ""
        """The hash of the last entry."""
        self.text = ""
        """The text of the conditions as submitted."""
        self.digest = ""
        self.made_by = ""
        self.made_at = 0
        self.rooms: dict[tuple[int, int], str] = {}
        """The room of every table used so far, by session and table."""
        self.history: dict[str, list[Point]] = {}
        """Each player's chips over time, for the graph."""
        self.recent: deque[RecentEvent] = deque(maxlen=RECENT)
        self.waiting: list[Waiting] = []
        """Deferred rulings, which take effect between rounds."""
        self.ruled = 0
        self.seed = ""
        """SECRET until revealed: nothing derived from it may leave the server (see `state.seed`)."""
        self.extras = 0
        """Number of sets of extra rounds counted."""
        self.lots: dict[Lot, None] = {}
        """Every set of extra rounds required so far, in order."""
        self.counted: dict[int, int] = {}
        """When each table's last round of this session was counted, or when the session began."""
        self.times = (0, 0, 0)
        """When the session began, when the last break began, and the length of its breaks, in milliseconds."""
        self.ended_at = 0
        """When the last session ended."""
        self.rounds_before = 0
        """Rounds played in the sessions before this one."""
        self._state: Tournament | None = None

    @property
    def state(self) -> Tournament:
        """The state of the tournament."""
        assert self._state is not None, "a tournament begins with its first entry"
        return self._state

    def minutes(self, now: int) -> int:
        """Minutes of play since the session began, excluding breaks."""
        began, pause_began, paused = self.times
        pause = now - pause_began if self.state.pause else 0
        return max(0, now - began - paused - pause) // MINUTE

    # --- folding ---

    def apply(self, entry: Entry) -> tuple[HostEvent | TournamentEvent, ...]:
        """Apply one log entry; makes no decisions."""
        assert entry.version == self.version + 1, (entry.stream, entry.version, self.version)
        body = read_body(entry.body)
        for event in body.events:
            if isinstance(event, TournamentEvent):
                self._happened(event, entry)
            else:
                self._hosted(event, entry, body.role)
        self.version, self.hash = entry.version, entry.hash
        return body.events

    def restore(self, state: Tournament) -> None:
        """Continue with a state that follows from the log (server/tournaments/snapshots.py)."""
        self._state = state

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
                self.waiting = [ruling for ruling in self.waiting if ruling.number != number]
            case _:
                pass

    def _conditions(self, event: TournamentMade) -> Conditions:
        """The conditions with the rulebook the tournament was created with."""
        try:
            return _read_conditions(event.text, event.book, event.rules)
        except RulebookError as error:
            raise RulebookError(f"tournament {self.id}: {error}") from None

    def _happened(self, event: TournamentEvent, entry: Entry) -> None:
        before = self.state
        self._state = evolve(before, event)
        if not isinstance(event, QUIET):  # chip counts of many tables would crowd out all other events
            self.recent.append(RecentEvent(entry.version, entry.at, entry.by, event))
        match event:
            case e.SessionStarted():
                self._session_began(event, entry.at)
            case e.ChipsCounted():
                self.counted[event.table] = entry.at
                self._noted(event.chips, self.rounds_before + event.round)
            case e.SessionEnded():
                self.rounds_before += max((table.rounds for table in before.tables), default=0)
                self.ended_at = entry.at
            case e.ChipsCorrected() | e.Reinstated(to="table"):
                self._corrected(event.player, event.chips)
            case e.ExtraCounted():
                self.extras += 1
            case e.BreakCalled():
                self.times = (self.times[0], entry.at, self.times[2])
            case e.BreakEnded():
                began, pause_began, paused = self.times
                self.times = (began, pause_began, paused + entry.at - pause_began)
            case _:
                pass
        ties = (tie.players for tie in self.state.ties if tie.by == "extra_rounds")
        self.lots |= {Lot(self.state.session, self.extras + 1, players): None for players in ties}

    def _session_began(self, event: e.SessionStarted, at: int) -> None:
        self.times = (at, self.times[1], 0)
        tables = [table.table for table in self.state.tables if table.seated]
        self.counted = dict.fromkeys(tables, at)
        self.rooms |= {(event.session, table): room_of(self.id, event.session, table) for table in tables}
        self._noted(event.chips, self.rounds_before)

    def _corrected(self, player: str, chips: int) -> None:
        table = known(self.state, player).table if self.state.phase == "session" else 0
        rounds = self.state.tables[table - 1].rounds if table else 0
        self._noted(((player, chips),), self.rounds_before + rounds)

    def _noted(self, chips: tuple[tuple[str, int], ...], rounds: int) -> None:
        for player, amount in chips:
            points = self.history.setdefault(player, [])
            if points[-1:] != [(rounds, amount)]:  # if a session starts with new chips, show the end and the new start
                points.append((rounds, amount))

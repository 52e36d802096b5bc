"""A room for tests: people give commands, the program continues, every entry is stored and applied as on a server."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, cast

from msgspec.structs import replace

from pontoon.cards import Card
from pontoon.engine import PlaceWager, Refusal
from pontoon.rulebook import load
from pontoon.server.problems import Problem
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import Asked
from pontoon.server.rooms.decide import Decided
from pontoon.server.rooms.log import LogEvent, RoundKept
from pontoon.server.rooms.permits import Role
from pontoon.server.rooms.room import Happened, Plan, Room, make_draft, stream_of
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.server.rooms.state import RoomState
from pontoon.store.model import NOTHING, Append, Draft, Entry, entries_of
from pontoon.table import Table
from pontoon.table import commands as c
from pontoon.table.events import InRound

MAKER = "Max"
ID = "T1"
STIFF = "9c 8d 7s"
"""Cards for one box: nine, the dealer's eight, seven. No offer."""
CLOCKS = Clocks(card=300, wagers=11_000, decision=22_000, offer=7_000)


def key(number: int) -> bytes:
    """The same shuffles every time."""
    return hashlib.sha256(number.to_bytes(8, "big")).digest()


def actor(who: str) -> Actor:
    """Ann is "Ann", Olive as inspector is "Olive, inspector"."""
    name, _, role = who.partition(", ")
    return Actor(name, cast("Role", role.replace(" ", "_") or "player"))


def name_of(event: LogEvent) -> str:
    """The name of an event; for a wrapped event, the name of the round's event."""
    return type(event.event if isinstance(event, InRound) else event).__name__


class Hall:
    """One room and its log."""

    def __init__(self, book: str, **settings: Any) -> None:
        settings.setdefault("packs", min(load(book).decks.allowed))
        self.settings = Settings(book, **settings)
        self.room = Room(ID, key)
        self.entries: list[Entry] = []
        self.told: list[tuple[RoomState, tuple[Happened, ...]]] = []
        """Every applied entry: the room after it, and its events."""
        draft = make_draft(self.settings, ID, MAKER, "player", "made")
        assert isinstance(draft, Draft), draft
        self.keep(draft)

    @property
    def state(self) -> RoomState:
        return self.room.state

    @property
    def table(self) -> Table:
        return self.room.state.table

    def keep(self, draft: Draft) -> tuple[LogEvent, ...]:
        """Write and apply one entry."""
        before = self.entries[-1].hash if self.entries else NOTHING
        append = Append(stream_of(ID), self.room.version, self.room.version, (draft,))
        (entry,) = entries_of(append, before)
        happened = self.room.apply(entry)
        self.entries.append(entry)
        self.told.append((self.state, tuple(happened)))
        return tuple(step.event for step in happened)

    # --- people ---

    def ask(self, who: str, command: Asked, seen: int | None = None, key: str = "") -> Decided | Problem | int:
        return self.room.ask(actor(who), command, key, seen)

    def do(self, who: str, *commands: Asked, seen: int | None = None, key: str = "") -> tuple[LogEvent, ...]:
        """All of these must be allowed; the live room must equal the decided state."""
        events: list[LogEvent] = []
        for command in commands:
            decided = self.ask(who, command, seen, key)
            assert isinstance(decided, Decided), decided
            assert self.keep(decided.draft) == decided.events
            assert self.state == decided.state
            events += decided.events
        return tuple(events)

    def then(self, who: str, command: Asked, names: str, *clauses: str) -> tuple[LogEvent, ...]:
        """Give a command that must cause exactly these events and cite these clauses."""
        events = self.do(who, command)
        assert " ".join(map(name_of, events)) == names, events
        assert set(clauses) <= {clause for event in events for clause in getattr(event, "clauses", ())}
        return events

    def no(self, who: str, command: Asked, code: str, *clauses: str, seen: int | None = None) -> Problem:
        """Give a command that must be refused with this code, these clauses and a sentence, and change nothing."""
        before, version = self.state, self.room.version
        answer = self.ask(who, command, seen)
        assert isinstance(answer, Problem), answer
        assert answer.code == code, answer
        assert set(clauses) <= set(answer.clauses), answer
        assert answer.words
        assert "\n" not in answer.words
        assert (self.state, self.room.version) == (before, version)
        return answer

    # --- the program ---

    def step(self) -> tuple[Plan, tuple[LogEvent, ...]]:
        """The program's next step if nobody acts."""
        plan = self.room.plan()
        assert plan is not None, self.state.moment
        decided = self.room.decide(self.state, plan)
        assert not isinstance(decided, Refusal), (plan, decided)
        assert self.keep(decided.draft) == decided.events
        assert self.state == decided.state
        assert self.entries[-1].by == plan.by
        return plan, decided.events

    def run(self, until: Callable[[Hall], bool], most: int = 400) -> Hall:
        """Let the program continue until this is true."""
        for _ in range(most):
            if until(self):
                return self
            self.step()
        raise AssertionError(self.state.moment)

    def to(self, *moments: str) -> Hall:
        """Continue until the dealer waits for one of these."""
        return self.run(lambda hall: hall.state.moment.kind in moments)

    def phase(self, phase: str) -> Hall:
        return self.run(lambda hall: hall.table.phase == phase)

    # --- the way to a round ---

    def ready(self, *seats: str) -> Hall:
        """Open, with these players ("Ann 1") seated, up to the wagers."""
        self.step()
        for seat in seats:
            name, box = seat.split()
            self.do(name, c.Sit("", int(box)))
        return self.to("wagers")

    def stacked(self, cards: str) -> Hall:
        """Put these cards on top of the shoe; such a room cannot be rebuilt from its log."""
        wanted = [Card(card) for card in cards.split()]
        rest = list(self.table.shoe.stack)
        for card in wanted:
            rest.remove(card)
        quiet = sorted(rest, key=lambda card: card[0] not in "9876")
        shoe = replace(self.table.shoe, stack=(*wanted, *quiet))
        self.room._state = replace(self.state, table=replace(self.table, shoe=shoe))
        return self

    def bet(self, *wagers: str) -> Hall:
        """Ten dollars of Ann on box 1 are "1 Ann 10"."""
        for wager in wagers:
            box, name, stake = wager.split()
            self.do(name, PlaceWager(int(box), "", int(stake) * 100))
        return self

    def dealt(self, cards: str, *wagers: str) -> Hall:
        """Bet, and let the program deal these cards until it waits for a player."""
        self.stacked(cards).bet(*wagers).phase("round")
        return self.run(lambda hall: bool(hall.state.moment.kind) or hall.table.phase != "round")


def kept(hall: Hall) -> list[RoundKept]:
    """The recorded rounds."""
    return [step.event for _, happened in hall.told for step in happened if isinstance(step.event, RoundKept)]

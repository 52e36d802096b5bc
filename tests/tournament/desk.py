"""A director's desk for tests: conditions from a few words, commands that must be allowed, commands that must not."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from pontoon.engine import Refusal
from pontoon.money import Cents
from pontoon.table.shuffle import seed_hash
from pontoon.tournament import Tournament, begin, decide, evolve, play, postings, refusal
from pontoon.tournament import commands as c
from pontoon.tournament.conditions import values as k
from pontoon.tournament.events import TournamentEvent
from pontoon.tournament.state import known

SEED = "5a" * 32
ID = "spring"
CHIPS = ("chips/", "chip_bank/")
"""Accounts in tournament chips; all others are money."""
FINAL = k.Session(name="Final", rounds=2)
HEATS = (k.Session(name="Heats", rounds=2, advance=k.Advance(from_table=2)), FINAL)
CASES: dict[str, Callable[[Callable[..., Desk]], None]] = {}


def case(name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add a case; its name begins with the clauses it tests."""

    def keep(play: Callable[..., None]) -> Callable[..., None]:
        assert name not in CASES, name
        CASES[name] = play
        return play

    return keep


def conditions(**parts: Any) -> k.Conditions:
    """Conditions of one session for 2 to 14 players, with these parts otherwise: `money={"fee": 5000}`."""
    sessions = parts.pop("sessions", (FINAL,))

    def part(kind: type[Any], name: str, **usual: Any) -> Any:
        return kind(**{**usual, **parts.pop(name, {})})

    made = k.Conditions(
        name="Spring",
        start=part(k.Start, "start", at=dt.datetime(2026, 12, 5, 19), entry="cashier", eligibility="adults"),  # noqa: DTZ001 a local time
        game=part(k.Game, "game", minimum=Cents(1000), maximum=Cents(50000)),
        players=part(k.Players, "players", least=1, most=14, at_table=7),
        money=part(k.Money, "money", fee=Cents(10000), commission=Cents(1000), chips=Cents(100000)),
        structure=part(k.Structure, "structure", format="knock_out"),
        sessions=sessions,
        buy_back=part(k.BuyBack, "buy_back"),
        ties=part(k.Ties, "ties"),
        prizes=part(k.Prizes, "prizes", shares=(Fraction(1, 2), Fraction(3, 10), Fraction(1, 5))),
        statement="standard",
    )
    assert not parts, parts
    return made


class Desk:
    """A tournament under test, its events and its accounts."""

    def __init__(self, **parts: Any) -> None:
        self.state: Tournament = begin(conditions(**parts))
        self.first = self.state
        self.events: list[TournamentEvent] = []
        self.books: Counter[str] = Counter()
        self.seen: set[str] = set()

    # --- asking --------------------------------------------------------------------------------------

    def do(self, *commands: c.TournamentCommand) -> tuple[TournamentEvent, ...]:
        """Give commands that must all be allowed; every event is posted, and the accounts stay balanced."""
        events: list[TournamentEvent] = []
        for command in commands:
            played = play(self.state, command)
            assert not isinstance(played, Refusal), (command, played)
            self.seen.add(type(command).__name__)
            self.state = played.state
            for event in played.events:
                self.book(event)
            events += played.events
        self.events += events
        return tuple(events)

    def book(self, event: TournamentEvent) -> None:
        moved = postings(ID, event)
        chips = [posting.amount for posting in moved if posting.account.startswith(CHIPS)]
        money = [posting.amount for posting in moved if not posting.account.startswith(CHIPS)]
        assert sum(chips) == sum(money) == 0, event
        for posting in moved:
            self.books[posting.account] += posting.amount
        assert self.books[f"pool/{ID}"] >= 0, event

    def then(self, command: c.TournamentCommand, names: str, *clauses: str) -> tuple[TournamentEvent, ...]:
        """Give a command that must be allowed, with exactly these events and clauses."""
        events = self.do(command)
        assert " ".join(type(event).__name__ for event in events) == names, events
        cited = {clause for event in events for clause in event.clauses}
        assert set(clauses) <= cited, (clauses, cited)
        return events

    def no(self, command: c.TournamentCommand, code: str, *clauses: str) -> Refusal:
        """Give a command that must be refused with this code and these clauses, and change nothing."""
        refused = refusal(self.state, command)
        assert refused is not None, command
        assert refused.code == code, refused
        assert set(clauses) <= set(refused.clauses), refused
        assert play(self.state, command) == refused == decide(self.state, command)
        self.seen |= {type(command).__name__, code}
        return refused

    def replayed(self) -> Tournament:
        """The tournament rebuilt from its events."""
        state = self.first
        for event in self.events:
            state = evolve(state, event)
        return state

    # --- the way to a session ------------------------------------------------------------------------

    def open(self) -> Desk:
        """Everything entries need."""
        self.do(
            c.PublishConditions("patrons"),
            c.PublishConditions("commission"),
            c.NominateDirector("Manager", "Director"),
            c.CommitBallot(seed_hash(bytes.fromhex(SEED))),
        )
        return self

    def enter(self, names: str) -> Desk:
        for name in names.split():
            self.do(c.Enter(name, agreed=True))
        return self

    def entered(self, names: str) -> Desk:
        """Open, enter, close."""
        self.open().enter(names)
        if self.state.phase == "entries":
            self.do(c.CloseEntries())
        return self

    def drawn(self) -> Desk:
        self.do(c.DrawBallot(SEED))
        return self

    def seated(self, absent: str = "") -> Desk:
        """All but these sit down and the session starts."""
        for seat in self.state.seats:
            if seat.player not in absent.split() and not seat.taken:
                self.do(c.TakeSeat(seat.player))
        self.do(c.StartSession())
        return self

    def playing(self, names: str, absent: str = "") -> Desk:
        """The first session plays."""
        return self.entered(names).drawn().seated(absent)

    def chips(self, name: str) -> int:
        return known(self.state, name).chips

    def round(self, **chips: int) -> tuple[TournamentEvent, ...]:
        """Play one round at every table of these players; the others' chips do not change."""
        tables = sorted({known(self.state, name).table for name in chips})
        return tuple(event for table in tables for event in self.do(self.count(table, **chips)))

    def count(self, table: int, **chips: int) -> c.CountChips:
        """The count of a table's next round."""
        at = self.state.tables[table - 1]
        held = tuple((name, chips.get(name, self.chips(name))) for _, name in at.seated)
        return c.CountChips(table, at.rounds + 1, held, at.shoe)

    def end_tables(self, **chips: int) -> Desk:
        """Play every table to its end; in the last round to these chips."""
        for table in self.state.tables:
            while refusal(self.state, c.EndTable(table.table, 10_000)) is not None:
                self.do(self.count(table.table, **chips))
            if not self.state.tables[table.table - 1].ended:
                self.do(c.EndTable(table.table, 10_000))
        return self

    def end(self, **chips: int) -> Desk:
        """The session is over."""
        self.end_tables(**chips).do(c.EndSession())
        return self

    def paid(self) -> dict[str, int]:
        """Award places and pay every prize; returns the payments."""
        self.do(c.AwardPlaces())
        for payment in self.state.payments:
            self.do(c.PayPrize(payment.number))
        assert self.state.phase == "over"
        assert self.books[f"pool/{ID}"] == 0
        totals: Counter[str] = Counter()
        for payment in self.state.payments:
            totals[payment.player] += payment.amount
        return dict(totals)

    def places(self) -> str:
        """The final places: "1 Ann, 2 Ben Cas"."""
        groups: dict[int, list[str]] = {}
        for standing in self.state.standings:
            groups.setdefault(standing.place, []).append(standing.player)
        return ", ".join(" ".join([str(place), *names]) for place, names in groups.items())

    def money(self) -> str:
        """Every account of money that is not at zero: "commission 1000, pool 9000, Ann -10000"."""
        moved = {name: amount for name, amount in self.books.items() if amount and not name.startswith(CHIPS)}
        names = {name: name.removeprefix("wallet/").removesuffix(f"/{ID}") for name in moved}
        return ", ".join(f"{names[name]} {moved[name]}" for name in sorted(moved))

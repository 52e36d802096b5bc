"""A whole tournament with bots: the next steps of the director and the players.

`next_step` depends only on the state, the conditions, the bots and the seed. So an interrupted run continues to the
same result, and a table's session is the same whichever process plays it, and when.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Union

import msgspec
from msgspec import Struct

from pontoon.engine import Command, Event, PlaceWager, Refusal, Round
from pontoon.table import commands as t
from pontoon.table.events import InRound
from pontoon.table.shuffle import seed_hash
from pontoon.tournament import commands as c
from pontoon.tournament.ballot import upcoming
from pontoon.tournament.bots import Field, Moment, Players, wager_of
from pontoon.tournament.conditions.values import Conditions, Session
from pontoon.tournament.decide import play, refusal
from pontoon.tournament.events import TournamentEvent
from pontoon.tournament.marker import wager_order
from pontoon.tournament.session_table import TournamentTable
from pontoon.tournament.sessions import is_won
from pontoon.tournament.state import Count, Tie, Tournament, begin, known
from pontoon.tournament.ties import split_over_tables
from pontoon.tournament.upgrade import upgraded

MANAGER, DIRECTOR = "Gaming Shift Manager", "Tournament Director"
MINUTE = 60
CARDS_A_BOX = 3
"""Approximate cards per box and round, to estimate how many rounds a shoe has left."""
UNKNOWN = 1_000_000


class Logged(Struct, frozen=True):
    """One command and its events."""

    did: c.TournamentCommand
    events: tuple[TournamentEvent, ...]


class PlayedRound(Struct, frozen=True):
    """One round at a table, for its transcript."""

    session: int
    place: str
    """`table-001`, or a separate name for extra rounds."""
    number: int
    events: tuple[Event, ...]


class Step(Struct, frozen=True):
    """Commands and rounds that are written in one transaction."""

    entries: tuple[Logged, ...]
    after: Tournament
    rounds: tuple[PlayedRound, ...] = ()


class Plan:
    """A run: conditions, bots and a seed, which determine everything else."""

    def __init__(self, conditions: Conditions, field: Field, seed: str, folder: Path = Path()) -> None:
        """The bots' strategy files are looked up in `folder`."""
        self.conditions = conditions
        self.seed = seed
        self.players = Players(field, seed, folder)
        self.ballot_seed = self.key("ballot").hex()
        self.ballot_hash = seed_hash(self.key("ballot"))

    def key(self, *about: object) -> bytes:
        """32 bytes derived for one purpose; repeatable, so for play chips only."""
        return hashlib.sha256(" ".join(map(str, ("pontoon tournament", self.seed, *about))).encode()).digest()

    @property
    def entries(self) -> int:
        """The number of applicants."""
        players, wanted = self.conditions.players, self.players.field.entries
        most = players.most + players.reserves
        return min(wanted, most) if wanted else most

    def group(self, number: int) -> str:
        """The group of an entry; none if the group would exceed the conditions' limit."""
        size, most = self.players.field.groups, self.conditions.players.most_of_group
        return f"Group {number // size + 1}" if size and (not most or number % size < most) else ""


def player_name(number: int) -> str:
    """The name of an entry, numbered from 0.

    >>> player_name(0)
    'Player 001'
    """
    return f"Player {number + 1:03d}"


def run(plan: Plan, state: Tournament | None = None) -> Iterator[Step]:
    """Every remaining step; none if the tournament is over."""
    state = begin(plan.conditions) if state is None else state
    while (step := next_step(plan, state)) is not None:
        yield step
        state = step.after


class _Desk:
    """The director's desk: gives commands in order, none of which may be refused."""

    def __init__(self, state: Tournament) -> None:
        self.state = state
        self.entries: list[Logged] = []

    def do(self, command: c.TournamentCommand) -> None:
        played = play(self.state, command)
        assert not isinstance(played, Refusal), (command, played)
        self.entries.append(Logged(command, played.events))
        self.state = played.state

    def do_or_cancel(self, command: c.TournamentCommand) -> None:
        """Cancel and refund all fees (20.21): too few entered, or nobody is left."""
        refused = refusal(self.state, command)
        self.do(command if refused is None else c.Cancel(refused.code.replace("_", " ")))

    def step(self, rounds: tuple[PlayedRound, ...] = ()) -> Step:
        return Step(tuple(self.entries), self.state, rounds)


def next_step(plan: Plan, state: Tournament) -> Step | None:
    """The next step; None when everything is paid and the seed is revealed."""
    desk = _Desk(state)
    match state.phase:
        case "draft" | "entries":
            _admit(plan, desk)
        case "between" if state.ties:
            return _break_tie(plan, desk)
        case "between" if due(state):
            _pay(plan, desk)
        case "closed" | "between":
            _between_sessions(plan, desk)
        case "balloted":
            _take_seats(plan, desk)
        case "session":
            return _in_session(plan, desk)
        case _:  # awarded, over or cancelled
            _pay(plan, desk)
    return desk.step() if desk.entries else None


# --- entries, ballots, seats ---------------------------------------------------------------------------


def _admit(plan: Plan, desk: _Desk) -> None:
    state = desk.state
    if not state.seed_hash:
        for reader in ("patrons", "commission"):
            desk.do(c.PublishConditions(reader))
        desk.do(c.NominateDirector(MANAGER, DIRECTOR))
        desk.do(c.CommitBallot(plan.ballot_hash))
    elif len(state.players) < plan.entries:
        for number in range(len(state.players), plan.entries):
            if desk.state.phase == "entries":  # a sit-and-go starts with its last entry
                desk.do(c.Enter(player_name(number), group=plan.group(number), agreed=True))
    else:
        desk.do_or_cancel(c.CloseEntries())


def _between_sessions(plan: Plan, desk: _Desk) -> None:
    for player in desk.state.players:
        if player.status == "eliminated" and _buys_back(plan, desk.state, player.name):
            desk.do(c.BuyBack(player.name))
    if upcoming(desk.state):
        desk.do_or_cancel(c.DrawBallot(plan.ballot_seed))
        return
    other = plan.conditions.structure.other_games
    if other and not desk.state.recorded:
        desk.do(c.RecordPoints(other, ()))  # bots play only Pontoon
    desk.do_or_cancel(c.AwardPlaces())


def _buys_back(plan: Plan, state: Tournament, player: str) -> bool:
    times = known(state, player).bought_back
    wants = plan.players.happens(plan.players.field.buy_backs, "buy-back", player, times)
    return wants and refusal(state, c.BuyBack(player)) is None


def _take_seats(plan: Plan, desk: _Desk) -> None:
    """Present players sit down, reserves take empty seats in the first session, and play starts."""
    session, field = desk.state.session, plan.players.field
    absent = [
        seat.player
        for seat in desk.state.seats
        if not seat.taken and plan.players.happens(field.no_shows, "no-show", session, seat.player)
    ]
    for seat in desk.state.seats:
        if not seat.taken and seat.player not in absent:
            desk.do(c.TakeSeat(seat.player))
    reserves = [player.name for player in desk.state.players if player.status == "reserve"]
    for missing, reserve in zip(absent, reserves, strict=False):
        offer = c.OfferSeat(missing, reserve)
        if refusal(desk.state, offer) is None:
            desk.do(offer)
    desk.do(c.StartSession())


def due(state: Tournament) -> int:
    """The number of the first payment that was awarded and not made; 0 if there is none."""
    return next((payment.number for payment in state.payments if payment.number not in state.paid), 0)


def _pay(plan: Plan, desk: _Desk) -> None:
    """One payment per step, each in its own transaction."""
    reveal = c.RevealBallot(plan.ballot_seed)
    number = due(desk.state)
    if number:
        desk.do(c.PayPrize(number))
    elif refusal(desk.state, reveal) is None:
        desk.do(reveal)


# --- a session -----------------------------------------------------------------------------------------


def _in_session(plan: Plan, desk: _Desk) -> Step:
    """The next unplayed table, then ties, then the end of the session."""
    count = next((table for table in desk.state.tables if not table.ended), None)
    if count is not None:
        return desk.step(tuple(_play_table(plan, desk, count)))
    if desk.state.ties:
        return _break_tie(plan, desk)
    desk.do(c.EndSession())
    return desk.step()


def _break_tie(plan: Plan, desk: _Desk) -> Step:
    """Break a tie by ballot or by one set of extra rounds."""
    tie = desk.state.ties[0]
    if tie.by == "ballot":
        desk.do(c.DrawLots(tie.players, plan.ballot_seed))
        return desk.step()
    extra = _Extra(plan, desk.state, tie)
    rounds = tuple(extra.play())
    desk.do(c.CountExtra(tie.players, tuple((player, extra.chips[player]) for player in tie.players)))
    return desk.step(rounds)


def _play_table(plan: Plan, desk: _Desk, count: Count) -> Iterator[PlayedRound]:
    """Play one table from the first to the last round of the session."""
    state = desk.state
    chips = {player.name: player.chips for player in state.players if player.status == "in"}
    seats = {
        seat.box: seat.player
        for seat in state.seats
        if seat.table == count.table and seat.taken and seat.player in chips
    }
    minutes = 0
    if seats:
        session = state.conditions.sessions[state.session - 1]
        clock = _Clock(plan, session)
        table = _Bots(plan, (state.session, f"table-{count.table:03d}"), seats, chips, count.marker)
        while clock.left(table) > 0 and not is_won(state, len(table.places.seats), len(seats)):
            boxes = {player: box for box, player in table.places.seats}
            shoe = clock.shoe
            yield table.play(clock.left(table))
            clock.count(table)
            counted = tuple((player, table.chips[player]) for player in boxes)
            desk.do(c.CountChips(count.table, clock.rounds, counted, shoe))
            for player in table.end_round():
                if clock.left(table) > 0 and _buys_back(plan, desk.state, player):
                    desk.do(c.BuyBack(player))
                    table.come_back(player, boxes[player], known(desk.state, player).chips)
            table.move_marker(desk.state.tables[count.table - 1].marker)
        minutes = clock.seconds // MINUTE if session.minutes else 0
    desk.do(c.EndTable(count.table, minutes))


class _Clock:
    """The progress of a session in rounds, shoes or minutes.

    A round lasts the dealer's time plus the bots' time for each wager and decision.
    """

    def __init__(self, plan: Plan, session: Session) -> None:
        field, pace = plan.players.field, plan.conditions.structure.pace
        self.session = session
        self.each = min(field.seconds, pace) if pace else field.seconds
        self.dealing = field.dealing
        self.rounds = self.seconds = 0
        self.shoe = 1
        """The shoe for the next round."""

    def count(self, table: _Bots) -> None:
        """Count one more round."""
        self.rounds += 1
        self.seconds += self.dealing + self.each * table.answers
        self.shoe = table.table.shoe_number

    def left(self, table: _Bots) -> int:
        """Estimated rounds left; 0 if the session is over at this table."""
        session = self.session
        if session.rounds:
            return max(session.rounds - self.rounds, 0)
        if session.shoes:
            if self.shoe != session.shoes:
                return UNKNOWN if self.shoe < session.shoes else 0
            shoe = table.table.shoe
            return max((shoe.left - shoe.behind) // (CARDS_A_BOX * (len(table.places.seats) + 1)), 1)
        remaining = session.minutes * MINUTE - self.seconds
        return -(-remaining * max(self.rounds, 1) // max(self.seconds, MINUTE)) if remaining > 0 else 0


class _Bots(TournamentTable):
    """A table of bots."""

    def __init__(
        self, plan: Plan, place: tuple[int, str], seats: dict[int, str], chips: dict[str, int], marker: int
    ) -> None:
        self.players = plan.players
        self.place = place
        """Session and name of the table."""
        self.chance: Random = plan.players.chance(*place)
        self.answers = 0
        """Wagers and decisions in the last round."""
        self.rounds = 0
        super().__init__(plan.conditions.game, seats, chips, marker, lambda number: plan.key("shoe", *place, number))

    def play(self, left: int) -> PlayedRound:
        """Play one round; every bot sees the wagers made before its own."""
        self.answers, before = 0, len(self.events)
        self.rounds += 1
        state = self.play_round(self._wagers(left), self._answer)
        assert state is not None, self.place
        events = tuple(event.event for event in self.events[before:] if isinstance(event, InRound))
        return PlayedRound(*self.place, self.rounds, events)

    def _wagers(self, left: int) -> Iterator[Command]:
        seats = dict(self.places.seats)
        stacks = dict(self.chips)  # chips on a box still belong to the player
        for box in wager_order(self.places.boxes, self.places.marker):
            player = seats[box]
            best = max((stack for name, stack in stacks.items() if name != player), default=0)
            moment = Moment(stacks[player], best, left, self.places.minimum, self.places.maximum)
            self.answers += 1
            yield PlaceWager(box, player, wager_of(self.players.bot(player), moment, self.chance))

    def _answer(self, state: Round) -> Command | None:
        command = self.players.decide(state, lambda wanted: self.may(t.Play(wanted)))
        self.answers += command is not None
        return command


class _Extra:
    """One set of extra rounds between tied players, each starting with the same chips."""

    def __init__(self, plan: Plan, state: Tournament, tie: Tie) -> None:
        self.plan = plan
        about = plan.key("extra", state.session, state.phase, tie.lots, *tie.players).hex()[:8]
        self.place = state.session, f"extra-{about}"
        self.players = tie.players
        self.chips: dict[str, int] = {}

    def play(self) -> Iterator[PlayedRound]:
        """Play them at as many tables as needed."""
        conditions = self.plan.conditions
        for number, players in enumerate(split_over_tables(self.players, conditions.players.at_table), 1):
            seats = dict(enumerate(players, 1))
            chips: dict[str, int] = dict.fromkeys(players, conditions.money.chips)
            session, name = self.place
            table = _Bots(self.plan, (session, f"{name}-{number}"), seats, chips, 1)
            left: int = conditions.ties.rounds
            while left and table.places.seats:
                yield table.play(left)
                self.chips |= table.chips
                table.end_round()
                left -= 1


# --- serialisation ---------------------------------------------------------------------------------------


def _one_of(base: type[Struct]) -> Any:  # noqa: ANN401 a union made at run time
    return Union[tuple(base.__subclasses__())]  # noqa: UP007 the same


_COMMANDS: Any = _one_of(c.TournamentCommand)
_EVENTS: Any = tuple.__class_getitem__((_one_of(TournamentEvent), ...))
_READ: Any = msgspec.json.Decoder(msgspec.defstruct("Logged", [("did", _COMMANDS), ("events", _EVENTS)]))
_WRITE = msgspec.json.Encoder()


def write_logged(entry: Logged) -> bytes:
    """The body of an entry in a log."""
    return _WRITE.encode(entry)


def read_logged(body: bytes) -> Logged:
    """Read what `write_logged` wrote."""
    read = _READ.decode(body)
    return Logged(read.did, tuple(map(upgraded, read.events)))

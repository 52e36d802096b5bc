"""A tournament for tests: a server in memory and virtual time, officials, and automatic players."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import count
from typing import Any, TypeVar

from pontoon.engine import Hit, PlaceWager, Stand
from pontoon.ledger import wallet
from pontoon.server.house import House, Options
from pontoon.server.people.people import People, RoleGiven
from pontoon.server.problems import Problem
from pontoon.server.records.replay import replay_faults
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import Pass
from pontoon.server.rooms.live import Live
from pontoon.server.rooms.settings import Settings
from pontoon.server.rooms.state import RoomState, waited_for
from pontoon.server.tournaments.heat import Heat
from pontoon.server.tournaments.hosted import Hosted
from pontoon.store.auditable import AuditableStore
from pontoon.store.memory import MemoryStore
from pontoon.store.model import Entry
from pontoon.store.verify import faults, trial_balance
from pontoon.tournament import Tournament
from pontoon.tournament import commands as c
from pontoon.tournament.times import specified_start
from tests.server.virtual_time import VirtualClock, run_virtually

T = TypeVar("T")

RUTH = Actor("Ruth", "administrator")
DORA = Actor("Dora", "tournament_director")
SIX = ("Ann", "Ben", "Cas", "Dan", "Eve", "Fay")
WALLET = 100_000

CONDITIONS = """
name = "Small Cup"
statement = "standard"

[start]
at = 2027-01-02T10:00:00
entry = "at the desk"
eligibility = "everybody"

[game]
packs = 4
minimum = "10.00"
maximum = "{maximum}"

[players]
least = 2
most = 12
at_table = {at_table}

[money]
fee = "33.33"
commission = "3.00"
added = "7.01"
chips = "{chips}"

[structure]
format = "knock_out"
pace = 20
absent = "{absent}"

[[session]]
name = "Heats"
{length}
advance = {{ from_table = 2 }}

[[session]]
name = "Final"
rounds = 3
{buy_back}
[ties]
session = "{ties}"
final = "{final}"
rounds = 2
most = 3

[prizes]
shares = ["50%", "30%", "20%"]
"""
BUY_BACK = """
[buy_back]
times = 1
fee = "20.00"
commission = "2.00"
chips = "80.00"
when = "at_once"
until = "Heats"
method = "at the desk"
"""


def conditions(**changed: object) -> str:
    """The conditions of the small cup, some of them changed."""
    usual: dict[str, object] = {
        "maximum": "200.00",
        "at_table": 3,
        "chips": "100.00",
        "absent": "minimum",
        "length": "rounds = 4",
        "buy_back": "",
        "ties": "extra_rounds",
        "final": "divide",
    }
    return CONDITIONS.format(**(usual | changed))


def stake(settings: Settings, wanted: int) -> int:
    """Within the limits of the table."""
    return max(settings.minimum, min(wanted, settings.maximum))


def chance(number: int) -> bytes:
    """The same shuffles every time."""
    return hashlib.sha256(number.to_bytes(8, "big")).digest()


class Cup:
    """One tournament and the house it is played in."""

    def __init__(self, store: AuditableStore | None = None) -> None:
        self.store: AuditableStore = store or MemoryStore()
        self.clock = VirtualClock(asyncio.get_running_loop())
        self.house = self._house()
        self.id = ""
        self._keys = count(1)
        self.bet: Callable[[int], int] = lambda chips: chips // 200 * 100
        """Everyone's wager, given their chips."""

    def _house(self) -> House:
        return House(self.store, Options(inline=True, proving=True, heat_card=0), self.clock, chance)

    async def restart(self) -> None:
        """Kill the process; another one continues from the log."""
        self.house.closing = True
        await self.house.tournaments.close()
        for live in self.house.lives.values():
            live.owned = False
            if live.task is not None:
                live.task.cancel()
        assert self.house.writer._task is not None
        for task in (*self.house._tasks, self.house.writer._task):
            task.cancel()
        self.house = self._house()
        await self.house.start()

    # --- people ---

    async def opened(self, *names: str) -> Cup:
        """Start the house, with its officials and these players."""
        await self.house.start()
        for actor in (RUTH, DORA, *map(Actor, names)):
            assert isinstance(await self.house.write_people(partial(People.opened, given=actor.name)), Entry)
            if actor.role != "player":
                await self.house.say_of("Ruth", RoleGiven(actor.name, actor.role))
        return self

    async def do(self, actor: Actor | str, command: c.TournamentCommand) -> int:
        """Give a command that must be allowed."""
        done = await self.ask(actor, command)
        assert isinstance(done, int), (command, done)
        return done

    async def ask(self, actor: Actor | str, command: c.TournamentCommand, key: str = "") -> int | Problem:
        who = Actor(actor) if isinstance(actor, str) else actor
        return await self.house.tournaments.command(who, self.id, command, key or f"k{next(self._keys)}")

    async def no(self, actor: Actor | str, command: c.TournamentCommand, code: str, *clauses: str) -> Problem:
        """Give a command that must be refused without writing anything."""
        before = self.hosted.version
        no = await self.ask(actor, command)
        assert isinstance(no, Problem), (command, no)
        assert (no.code, self.hosted.version) == (code, before), no
        assert set(clauses) <= set(no.clauses), no
        return no

    # --- the way to the tables ---

    async def made(self, text: str) -> Cup:
        """Publish the conditions, nominate a director, and commit the house to its ballots."""
        made = await self.house.tournaments.make(RUTH, text, "cup")
        assert isinstance(made, str), made
        self.id = made
        for to in ("patrons", "commission"):
            await self.do(RUTH, c.PublishConditions(to))
        await self.do(RUTH, c.NominateDirector("", "Dora"))
        await self.do(RUTH, c.CommitBallot(""))
        return self

    async def balloted(self, *players: str) -> Cup:
        """These have entered, and have seats."""
        for name in players:
            await self.do(name, c.Enter("", agreed=True))
        await self.do(DORA, c.CloseEntries())
        await self.do(DORA, c.DrawBallot(""))
        return self

    async def started(self, *late: str) -> Cup:
        """Seat everyone except these, and start the session."""
        for seat in self.state.seats:
            if seat.player not in late and not seat.taken:
                await self.do(seat.player, c.TakeSeat(""))
        self.at_the_start()
        await self.do(DORA, c.StartSession())
        return self

    def at_the_start(self) -> None:
        """Let the announced starting time come; players may arrive until then."""
        starts = specified_start(self.state, self.hosted.ended_at)
        self.clock.set_by += max(0, starts - self.clock.wall() + 1) if starts else 0

    # --- looking ---

    @property
    def hosted(self) -> Hosted:
        hosted = self.house.tournaments.get(self.id)
        assert hosted is not None
        return hosted

    @property
    def state(self) -> Tournament:
        return self.hosted.state

    def live(self, table: int = 1) -> Live:
        """The room of a table of this session."""
        return self.house.lives[self.hosted.rooms[self.state.session, table]]

    def room(self, table: int = 1) -> RoomState:
        return self.live(table).room.state

    def heat(self, table: int = 1) -> Heat:
        heat = self.room(table).heat
        assert heat is not None
        return heat

    def heats(self) -> list[Live]:
        """Every room of a tournament here."""
        return [live for live in self.house.lives.values() if live.room.state.heat is not None]

    async def until(self, so: Callable[[], bool], seconds: float = 3600) -> None:
        """Let time pass until this is true."""

        async def nobody() -> bool:
            return False

        await self.run(so, seconds, nobody)

    async def ask_table(self, who: str, command: Any, table: int = 1) -> int | Problem:
        return await self.house.command(Actor(who), self.live(table).room.id, command, f"t{next(self._keys)}", None)

    async def opens(self, number: int, table: int = 1) -> None:
        """Until the wagers of this round are open."""
        await self.until(
            lambda: (
                (self.state.session, table) in self.hosted.rooms
                and self.hosted.rooms[self.state.session, table] in self.house.lives
                and self.heat(table).round == number
                and self.heat(table).on
            )
        )

    # --- play ---

    async def play(self) -> bool:
        """The players to act wager, stand or pass; return whether there were any."""
        acted = False
        for live in self.heats():
            room = live.room.state
            waiting = sorted(waited_for(room) & set(dict(self._heat_of(room).chips)))
            if waiting and not room.paused:
                acted |= await self._act(live, room, waiting[0])
        return acted

    @staticmethod
    def _heat_of(room: RoomState) -> Heat:
        assert room.heat is not None
        return room.heat

    async def _act(self, live: Live, room: RoomState, player: str) -> bool:
        heat = self._heat_of(room)
        command: Any = Pass()
        if room.moment.kind == "wagers":
            box = next(box for box, name in heat.places if name == player)
            command = PlaceWager(box, "", stake(room.settings, self.bet(dict(heat.chips)[player])))
        elif room.moment.kind == "decision":
            assert room.table.round is not None
            command = Stand(room.table.round.turn[0])
        key = f"p{room.version}"
        done = await self.house.command(Actor(player), live.room.id, command, key, None)
        if isinstance(done, Problem) and room.moment.kind == "decision":  # he must draw
            done = await self.house.command(Actor(player), live.room.id, Hit(command.box), key, None)
        return isinstance(done, int)

    async def run(
        self, so: Callable[[], bool], seconds: float = 3600, play: Callable[[], Awaitable[bool]] | None = None
    ) -> None:
        """Everyone plays until this is true."""
        play = play or self.play
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not so():
            assert loop.time() < end, (
                self.state.phase,
                self.state.tables,
                [live.room.state.moment for live in self.heats()],
            )
            if not await play():
                await asyncio.sleep(0.25)

    async def session(self) -> None:
        """Play the current session to its end."""
        await self.run(lambda: self.state.phase == "between" and not self.state.ties)

    async def finished(self) -> None:
        """Places, prizes, the seed."""
        await self.do(DORA, c.AwardPlaces())
        for payment in self.state.payments:
            await self.do(DORA, c.PayPrize(payment.number))
        await self.do(DORA, c.RevealBallot(""))

    # --- the books ---

    def wallet(self, name: str) -> int:
        return self.store.balance(wallet(name))

    def books(self) -> dict[str, int]:
        """All non-zero accounts; checks chains, trial balance and replay."""
        assert list(faults(self.store)) == []
        assert list(replay_faults(self.store)) == []
        assert sum(trial_balance(self.store).values()) == 0
        return {account: amount for account, amount in self.store.balances().items() if amount}


def played(work: Callable[[], Awaitable[T]]) -> T:
    """In virtual time."""

    async def run() -> T:
        return await work()

    return run_virtually(run())

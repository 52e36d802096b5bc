"""A table in this process: the same house, program and log as on a server, but in memory, for one person and bots."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import threading
from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec import Struct

from pontoon.client import Problem
from pontoon.rulebook import Rulebook
from pontoon.server import problems
from pontoon.server.coach import decisions as coach_decisions
from pontoon.server.coach.round_review import Mistake, cost_of, made_in, mistake
from pontoon.server.house import House, Options
from pontoon.server.operation.clock import SystemClock
from pontoon.server.people.people import AccountOpened, ChipsGiven
from pontoon.server.records import history
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import Asked, Resume, SeatBot
from pontoon.server.rooms.frames import Frame, WalletFrame
from pontoon.server.rooms.live import Live, Make
from pontoon.server.rooms.log import read_body
from pontoon.server.rooms.room import make_draft, new_chance, stream_of
from pontoon.server.rooms.settings import Settings
from pontoon.store.memory import MemoryStore
from pontoon.store.model import Append
from pontoon.table import commands as c
from pontoon.table.program import Chance
from pontoon.terminal.table import Advice, Rules, TableError, Worth
from pontoon.trainer.values import solve, square
from pontoon.trainer.why import why
from pontoon.transcript import write
from pontoon.view.catalogue.formats import money
from pontoon.view.viewer import Viewer

ID = "local"
FRAMES: msgspec.json.Decoder[Frame] = msgspec.json.Decoder(Frame)
NUDGE = 200.0
"""Seconds; far below the ten minutes a table waits at most."""
MOST_ENTRIES = 5000
MOST_ROUNDS = 500
COUNTED = {"shoe": "Counted: every card since the shuffle.", "round": "Counted: the cards of this round."}
T = TypeVar("T")


class Start(Struct, frozen=True):
    """The settings of a local table."""

    settings: Settings
    name: str = "Player"
    chips: int = 100_000
    boxes: int = 1
    bots: int = 0
    seed: int | None = None
    rules: Rulebook | None = None
    """None: the shipped rulebook that the settings name."""


def seeded(seed: int) -> Chance:
    """The same keys every time, in sequence, whatever number is asked for: a table asks for each shuffle once."""
    asked = 0

    def chance(_: int) -> bytes:
        nonlocal asked
        asked += 1
        return hashlib.sha256(f"pontoon play {seed} {asked}".encode()).digest()

    return chance


class PatientClock(SystemClock):
    """At a private table there is no hurry: a wait never expires, see `Embedded._nudging`."""

    def steady(self) -> float:
        return 0.0


async def aside(work: Callable[[], T]) -> T:
    """Work in a daemon thread: nothing waits for it, not even the end of the program."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def tell(result: T | None, error: Exception | None) -> None:
        if done.done():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type] # there is a result where there is no error

    def run() -> None:
        result, failed = None, None
        try:
            result = work()
        except Exception as error:  # noqa: BLE001 it is raised again where it is awaited
            failed = error
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is waiting
            loop.call_soon_threadsafe(tell, result, failed)

    threading.Thread(target=run, name="aside", daemon=True).start()
    return await done


class Embedded:
    """A local table."""

    local = True

    def __init__(self, start: Start) -> None:
        self.me = start.name
        self.viewer = Viewer(start.name)
        chance = new_chance if start.seed is None else seeded(start.seed)
        self.house = House(MemoryStore(), Options(inline=True), PatientClock(), chance)
        self._start = start
        self._frames: asyncio.Queue[Frame] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._keys = 0

    @property
    def live(self) -> Live:
        """The room."""
        return self.house.lives[ID]

    # --- connecting and leaving ---

    async def start(self) -> None:
        start = self._start
        first = make_draft(_checked(start.settings), ID, start.name, "player", "", start.rules)
        if isinstance(first, problems.Problem):
            raise TableError(first.words)
        await self.house.start()
        self._tasks.append(asyncio.create_task(self._wallets()))
        await self.house.say_of(start.name, AccountOpened(start.name), ChipsGiven(start.name, start.chips))
        await self.house.writer.append(Append(stream_of(ID), 0, self.house.clock.wall(), (first,)))
        await self.house.live(ID)
        while self.live.room.state.table.phase == "closed":  # noqa: ASYNC110 it opens immediately
            await asyncio.sleep(0)
        await self._must(c.Sit("", 1))
        for box in range(start.boxes + 1, start.boxes + start.bots + 1):
            await self._must(SeatBot(box))
        self._frames.put_nowait(WalletFrame(await self.house.balance(self.me)))
        self.live.catch_up(self, None, self.house.clock.steady())
        self.live.watchers.add(self)
        self._tasks.append(asyncio.create_task(self._nudging()))

    async def _must(self, command: Asked) -> None:
        answer = await self.do(command)
        if isinstance(answer, Problem):
            await self.close()
            raise TableError(answer.words)

    async def _nudging(self) -> None:
        """Any question makes the table wait anew; by `PatientClock` as long as at first."""
        while True:
            await asyncio.sleep(NUDGE)
            await self.house.command(Actor(self.me), ID, Resume(), "", None)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if not self.house.closing:
            await self.house.close()

    # --- frames ---

    def send(self, content: str) -> None:
        """The watcher that receives what the room publishes."""
        self._frames.put_nowait(FRAMES.decode(content))

    def show(self, make: Make) -> None:
        """A step."""
        self.send(make(self.viewer))

    async def _wallets(self) -> None:
        while True:
            if self.me in await self.house.wallets.take():
                self._frames.put_nowait(WalletFrame(self.house.store.balance(f"wallet/{self.me}")))

    async def next(self) -> Frame:
        return await self._frames.get()

    def waiting(self) -> bool:
        return not self._frames.empty()

    async def do(self, command: Asked, seen: int | None = None) -> int | Problem:
        self._keys += 1
        answer = await self.house.command(Actor(self.me), ID, command, str(self._keys), seen)
        return _told(answer) if isinstance(answer, problems.Problem) else answer

    # --- storage ---

    async def rules(self) -> Rules:
        book = self.live.room.state.table.rules
        return Rules(book.about.name, book.about.title, book.about.place, book.overrides)

    async def transcript(self, number: int) -> str | Problem:
        state = self.live.room.state
        table = state.table
        if table.number != number or not state.first:
            return _told(problems.problem("no_such_round"))
        entries = self.house.store.read(stream_of(ID), state.first - 1, MOST_ENTRIES)
        events = coach_decisions.round_events(
            (event for entry in entries for event in read_body(entry.body).events), number
        )
        over = any(finished_round.number == number for finished_round in table.finished) or (
            table.round and table.round.phase == "ended"
        )
        title = f"round {number}" if over else f"round {number}, unfinished: the cards and decisions so far"
        return write(table.rules, events, decks=table.packs, limits=table.limits, title=title, pin=True)

    # --- the coach ---

    async def advice(self) -> Advice:
        asked = self._asked()
        if asked is None:
            return Advice(words="There is nothing to decide now.")
        try:
            solved = await aside(lambda: solve(asked.question))
            by_chart = await aside(lambda: square(asked.question))
        except ImportError:
            return Advice(words="The coach needs numpy and numba: pip install 'pontoon21[fast]'")
        if not solved.values:
            return Advice(words="There is nothing to decide on this hand.")
        chosen = by_chart.action if by_chart else ""
        rows = tuple(
            Worth(value.action, value.value, value.value * asked.stake, value.action == chosen)
            for value in solved.values
        )
        cell = f"{by_chart.block} {by_chart.row} against {by_chart.column}" if by_chart else ""
        words = f"Chart, {cell}: {chosen}." if cell else ""
        hand = f"{' '.join(asked.question.hand)} against {asked.question.dealer}, {money(asked.stake)}"
        return Advice(rows, hand, words, COUNTED[solved.basis])

    async def mistakes(self) -> list[Mistake] | None:
        found: list[Mistake] = []
        for row in await history.rounds(self.house, history.Query(player=self.me), MOST_ROUNDS):
            past = await history.past_round(self.house, row)
            try:
                found += await aside(lambda past=past: _mistakes(past, self.me))  # type: ignore[misc]
            except ImportError:
                return None
        return found

    def _asked(self) -> coach_decisions.Decision | None:
        room = self.live.room
        table, now = room.state.table, room.state.table.round
        earlier = coach_decisions.seen_before(room.keeper, table.on_layout, now.cards_used if now else 0)
        return coach_decisions.now_asked(coach_decisions.Sight(table, self.viewer, earlier), self.me, 0)


def _mistakes(past: history.PastRound, player: str) -> list[Mistake]:
    made = ((decision, solve(decision.question)) for decision in made_in(past, player))
    return [
        mistake(past, decision, values, why(decision.question))
        for decision, values in made
        if cost_of(decision, values)
    ]


def _told(no: problems.Problem) -> Problem:
    """A problem as a client of a server gets it."""
    return Problem(no.status, no.code, no.words, no.clauses, no.facts)


def _checked(settings: Settings) -> Settings:
    """Settings as they would come from outside."""
    try:
        return msgspec.json.decode(msgspec.json.encode(settings), type=Settings)
    except msgspec.MsgspecError as error:
        raise TableError(f"such a table cannot be made: {error}") from None

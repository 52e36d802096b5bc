"""A server in virtual time, simulated players, an unreliable network, and checks at every entry.

One seed is one evening: everything that happens comes from it, so that a failing seed can be replayed with
`Simulation(seed).run()`. The crowd reads the rooms as they stand and asks for the most part for what could be done.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Literal
from unittest.mock import patch

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from pontoon.engine import Refusal
from pontoon.ledger import holder_of, wallet
from pontoon.rulebook import NAMES, load
from pontoon.server.house import House
from pontoon.server.house import Options as HouseOptions
from pontoon.server.people.people import LEAST_CHIPS, ChipsGiven, opened_name
from pontoon.server.people.quotas import QuotaLimits
from pontoon.server.problems import BUSY, Problem
from pontoon.server.rooms import commands as r
from pontoon.server.rooms.actors import Actor, for_table, signed
from pontoon.server.rooms.commands import Asked
from pontoon.server.rooms.frames import encoded, snapshot
from pontoon.server.rooms.live import Live, Make
from pontoon.server.rooms.room import Room, stream_of
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.server.rooms.state import RoomState, is_alone
from pontoon.store import Append, Entry, NotEnough, Outcome
from pontoon.store.model import FLOORED
from pontoon.store.verify import faults
from pontoon.table.bots import BOTS
from pontoon.table.opening import full_set
from pontoon.view.viewer import Viewer
from tests.server.auditor import Auditor, did_in, name_of
from tests.server.crowd import PLAYERS, STAFF, Crowd
from tests.server.disk_faults import EXPECTED, FaultyStore, refused_rollbacks
from tests.server.virtual_time import VirtualClock, run_virtually

COMMANDS = 1000
HOUR = 3_600_000
KNOWN: dict[str, str] = {}
"""Known bugs of the table and the engine that are not fixed yet: these are counted, all others fail."""


# --- the store, watched --------------------------------------------------------------------------------


class WatchedStore(FaultyStore):
    """Check every entry when written: zero sums, no account below its minimum, no time going back, no key twice."""

    def __init__(self, known: Callable[[str, object], None]) -> None:
        super().__init__()
        self.count = 0
        self._known_bug = known
        self._held: Counter[str] = Counter()
        self._last: dict[str, int] = {}
        self._known: set[tuple[str, str, str]] = set()

    def _keep(self, entry: Entry) -> None:
        super()._keep(entry)
        self._check(entry)

    def write(self, appends: Sequence[Append]) -> list[Outcome]:
        outcomes = super().write(appends)
        for outcome in outcomes:
            nobody = isinstance(outcome, NotEnough) and outcome.account == wallet("")  # a dealer's wager without a name
            if isinstance(outcome, NotEnough) and not nobody and not holder_of(outcome.account):
                self._known_bug("paid_twice", outcome)  # the escrow covers what is owed from it
        return outcomes

    def _check(self, entry: Entry) -> None:
        self.count += 1
        assert sum(posting.amount for posting in entry.postings) == 0, entry
        for posting in entry.postings:
            self._held[posting.account] += posting.amount
            assert self._held[posting.account] >= 0 or not posting.account.startswith(FLOORED), (posting, entry)
        assert entry.at >= self._last.get(entry.stream, 0), entry
        self._last[entry.stream] = entry.at
        if entry.key:
            name = (entry.stream, entry.by, entry.key)
            assert name not in self._known, entry
            self._known.add(name)

    def trial(self) -> int:
        """The sum of all accounts."""
        return sum(self._held.values())


class Errors(logging.Handler):
    """The server's error log."""

    def __init__(self, known: Callable[[str, object], None], disk_failed: Callable[[], bool]) -> None:
        super().__init__(logging.ERROR)
        self.seen: list[str] = []
        self._known_bug = known
        self._disk_failed = disk_failed

    def emit(self, record: logging.LogRecord) -> None:
        trace = logging.Formatter().formatException(record.exc_info) if record.exc_info else ""
        if record.getMessage() in EXPECTED and self._disk_failed():
            return
        if "in _pair_of" in trace and "void_side_again" in KNOWN:
            self._known_bug("void_side_again", "")
            return
        self.seen.append(f"{record.getMessage()} {getattr(record, 'facts', '')}\n{trace}")


# --- the network ---------------------------------------------------------------------------------------


class Message(Struct, eq=False):
    """A command in flight, possibly sent several times."""

    actor: Actor
    room: str
    asked: Asked
    key: str
    seen: int | None
    version: int = 0
    """The acknowledged version; 0 before the acknowledgement."""
    answers: int = 0
    code: str = ""
    """The first answer."""
    cut_off: bool = False
    """Whether a server crashed while it was in progress."""


class _Step(Struct, tag="step"):
    first: int
    version: int
    room: Raw
    view: Raw


class _Snapshot(Struct, tag="snapshot"):
    version: int
    room: Raw
    view: Raw


class _Notice(Struct, tag="notice"):
    words: str


_FRAME = msgspec.json.Decoder(_Step | _Snapshot | _Notice)


class Follower:
    """A viewer of a room: no step may be missing between two frames."""

    def __init__(self, room: str, viewer: Viewer) -> None:
        self.room = room
        self.viewer = viewer
        self.version = 0
        self.shown = (b"", b"")
        self.frames: Counter[str] = Counter()

    def send(self, content: str) -> None:
        frame = _FRAME.decode(content)
        self.frames[type(frame).__name__] += 1
        if isinstance(frame, _Notice):
            return
        if isinstance(frame, _Step):
            assert frame.first == self.version + 1, (frame.first, self.version)
        assert frame.version >= self.version, (frame.version, self.version)
        self.version, self.shown = frame.version, (bytes(frame.room), bytes(frame.view))

    def show(self, make: Make) -> None:
        self.send(make(self.viewer))

    def join(self, live: Live) -> None:
        """Reconnect with the last version seen."""
        live.catch_up(self, self.version or None, 0.0)
        live.watchers.add(self)
        assert self.version == live.room.version

    def sees(self, live: Live) -> None:
        """A viewer who received every step sees the same as a new one."""
        fresh = Follower(self.room, self.viewer)
        fresh.send(encoded(snapshot(live.room.state, self.viewer)))
        assert fresh.version == self.version
        assert fresh.shown == self.shown, (fresh.shown, self.shown)


# --- the simulation ------------------------------------------------------------------------------------


class Report(Struct):
    """The result of one seed."""

    seed: int
    commands: int = 0
    messages: int = 0
    entries: int = 0
    rounds: int = 0
    restarts: int = 0
    put_away: int = 0
    """How often a table was unloaded from memory."""
    outages: int = 0
    """How often the disk was full for a while."""
    failed_syncs: int = 0
    """How often a sync failed and the server started again."""
    rollbacks: int = 0
    """How many copies of the log that held less were refused at a start."""
    over_quota: int = 0
    """Commands refused because their sender had sent too many."""
    absent: int = 0
    """How often the clock acted for an absent player."""
    outcomes: dict[tuple[str, str], int] = {}
    """Commands by kind and their first answer."""
    done: dict[tuple[str, str], int] = {}
    """Log entries by command and kind of sender: people, dealer, clock or bot."""
    frames: dict[str, int] = {}
    known: dict[str, int] = {}
    """Known open bugs and how often they occurred."""
    heads: tuple[str, ...] = ()


def random_settings(chance: Random, book: str, *, mode: Literal["automatic", "floor"]) -> Settings:
    """An allowed table, of this rulebook if one is named."""
    names = NAMES if mode == "automatic" else (*NAMES, "adelaide", "adelaide", "adelaide")  # which knows most errors
    rules = load(book or chance.choice(names))
    shoe = rules.shoe
    device: Any = chance.choice(shoe.devices)
    limits = chance.choice(((500, 50_000, 50), (1000, 5000, 250), (200, 0, 0), (1000, 20_000, 0)))
    card = 0 if chance.random() < 0.6 else chance.choice((50, 400, 1000))
    alone = chance.random() < 0.03
    hours = ("14:00", chance.choice(("15:10", "16:00"))) if chance.random() < 0.1 else ("", "")  # they begin at 15:06
    clocks = Clocks(
        10_000 if alone else card,
        chance.choice((0, 500, 3000, 15_000)),
        chance.choice((1000, 5000, 30_000)),
        chance.choice((0, 500, 4000)),
    )
    return Settings(
        rules.about.name,
        packs=chance.choice((min(rules.decks.allowed), chance.choice(rules.decks.allowed))),
        minimum=limits[0],
        maximum=limits[1],
        smallest_chip=limits[2],
        mode=mode,
        device=device,
        hold_late=chance.random() < 0.2,
        boxes_each=chance.choice((0, 0, 0, 2)),
        box_maximum=chance.choice((0, 0, 0, 60_000)),
        opens=hours[0],
        closes=hours[1],
        cutting_cards=chance.randint(1, max(shoe.cutting_cards, 1)),
        joker=shoe.joker and chance.random() < 0.3,
        sealed=shoe.sealed and chance.random() < 0.3,
        face_down=shoe.face_down and chance.random() < 0.5,
        clocks=clocks,
        private=chance.random() < 0.3,
        practice=chance.random() < 0.2 and mode == "automatic",
        bots_alone=alone,
    )


class Simulation:
    """One simulated evening, from one seed."""

    def __init__(self, seed: int, commands: int = COMMANDS, *, watched: bool | None = None) -> None:
        self.chance = chance = Random(seed)
        self.commands = commands
        self.watched = seed % 10 == 3 if watched is None else watched
        self.report = Report(seed)
        self.store = WatchedStore(self._known)
        self.errors = Errors(self._known, lambda: self.store.failures > 0)
        self.names = PLAYERS[: chance.choice((2, 2, 3, 3, 4, 5))]
        self.crowd = Crowd(chance, self.names, lambda name: self.store.balance(wallet(name)))
        self.rooms: list[str] = []
        self.followers: list[Follower] = []
        self.away: list[Follower] = []
        self.messages: list[Message] = []
        self.flying: set[asyncio.Task[None]] = set()
        self.inside: dict[asyncio.Task[None], Message] = {}
        self.failed: list[BaseException] = []
        self.house: House | None = None
        self.clock: VirtualClock
        self._keys = Random(f"{seed} shuffles")
        self._ids = 0

    def run(self) -> Report:
        """The whole evening."""
        logger = logging.getLogger("pontoon.server")
        logger.addHandler(self.errors)
        propagate, logger.propagate = logger.propagate, False
        try:
            with patch("pontoon.server.house.new_id", self._new_id), TemporaryDirectory() as folder:
                self._folder = Path(folder)
                run_virtually(self._run())
        finally:
            logger.removeHandler(self.errors)
            logger.propagate = propagate
        return self.report

    def _known(self, code: str, facts: object) -> None:
        assert code in KNOWN, (code, facts)
        self.report.known[code] = self.report.known.get(code, 0) + 1

    def _new_id(self, length: int) -> str:
        self._ids += 1
        return f"{self._ids}".rjust(length, "t")

    async def _run(self) -> None:
        self.clock = VirtualClock(asyncio.get_running_loop())
        await self._start()
        await self._gather_people()
        while len(self.messages) < self.commands:
            await self._something_else()
            await asyncio.sleep(self._pause() if self._send_one() else 0.2)
            self._no_errors()
        self.store.next_sync = None
        await self._mended()
        while self.flying:
            answered, _ = await asyncio.wait(self.flying, timeout=600)
            assert answered, self.flying
        await asyncio.sleep(1)
        await self._mended()  # the last write may have been the one that failed
        await self._play_out()
        self._no_errors()
        await self._finish()

    async def _mended(self) -> None:
        """After a failed sync the process is started again."""
        assert self.house is not None
        if self.house.fatal.is_set():
            await self._restart(dead=True)

    async def _play_out(self) -> None:
        """Without pauses and players, the program finishes every round."""
        assert self.house is not None
        for room in self.rooms:
            for proposal in self._live(room).room.state.proposals:
                await self.house.command(Crowd.official("inspector"), room, r.Reject(proposal.number), "", None)
            await self.house.command(Crowd.official("inspector"), room, r.Resume(), "", None)
        lives = [live for live in self.house.lives.values() if not live.room.state.settings.bots_alone]
        lives = [live for live in lives if live.room.state.table.mode == "automatic"]
        for _ in range(20):
            await asyncio.sleep(300)
            if not any(Crowd.boxes(live.room.state.table) for live in lives):
                break
        for live in lives:
            table, plan = live.room.state.table, live.room.plan()
            if is_alone(live.room.state):  # without a clock the round waits for its player
                continue
            if Crowd.boxes(table) and "void_side_again" not in self.report.known:
                no = live.room.decide(live.room.state, plan) if plan is not None else None
                code = no.code if isinstance(no, Refusal) else "paid_twice"  # decided, and refused by the store
                if code != "alone_on_boxes":  # which only that player can correct
                    self._known(code, (live.room.id, plan, table.phase, table.due))

    def _no_errors(self) -> None:
        assert not self.errors.seen, self.errors.seen[0]
        if self.failed:
            raise self.failed[0]

    def _pause(self) -> float:
        """Mostly long enough for everything to be answered, at times long enough for every clock to run out."""
        dice = self.chance.random()
        if dice < 0.1:
            return 0
        return 0.001 if dice < 0.6 else self.chance.random() if dice < 0.97 else self.chance.random() * 40

    # --- the house ---

    async def _start(self) -> None:
        options = HouseOptions(
            inline=True,
            proving=True,
            bots_unwatched=math.inf,
            idle_seconds=math.inf,
            snapshot_every=self.chance.choice((2, 5, 20, 256)),
            quotas=QuotaLimits(commands=self.chance.choice((2.0, 30.0)), burst=20.0),
        )
        house = House(self.store, options, self.clock, lambda _: self._keys.randbytes(32))
        await house.start()
        self.house = house
        for room in self.rooms:  # some may have been idle, and are read from their snapshots
            assert await house.live(room) is not None
        for follower in self.followers:
            if follower not in self.away:
                follower.join(house.lives[follower.room])

    def _live(self, room: str) -> Live:
        assert self.house is not None
        return self.house.lives[room]

    async def _gather_people(self) -> None:
        house = self.house
        assert house is not None
        for name, role in [*((name, "player") for name in self.names), *((STAFF[role], role) for role in STAFF)]:
            entry = await house.write_people(lambda people, n=name, r=role: people.opened(n, r, guest=True))  # type: ignore[misc]
            assert isinstance(entry, Entry)
            assert opened_name(entry) == name
        for number in range(self.chance.randint(1, 3)):
            mode: Literal["automatic", "floor"] = "floor" if self.chance.random() < 0.2 else "automatic"
            by = self.chance.choice((Actor(self.names[0]), Crowd.official("game_supervisor")))
            book = "" if number else NAMES[self.report.seed % len(NAMES)]  # every rulebook in any five evenings
            if self.crowd.deals_out:
                mode, book = "floor", NAMES[self.report.seed % len(NAMES)]
            settings = random_settings(self.chance, book, mode=mode)
            if self.crowd.deals_out:  # a short shoe, dealt by hand
                settings = replace(settings, packs=min(load(book).decks.allowed), device="manual")
            room = await house.make_table(by, settings, f"table {number}")
            assert isinstance(room, str), (room, settings)
            assert room == await house.make_table(by, settings, f"table {number}")
            self.rooms.append(room)
            for box in range(1, 1 + self.chance.choice((*(0,) * 14, 1, 2, 6))):
                bot = r.SeatBot(box, self.chance.choice(tuple(BOTS)))
                answer = await house.command(Crowd.official("game_supervisor"), room, bot, f"bot {box}", None)
                assert isinstance(answer, int) or settings.mode == "floor", answer
        if self.watched:
            for viewer in (Viewer(self.names[0]), Viewer(), Viewer("Ivy", official=True)):
                self.followers.append(Follower(self.rooms[0], viewer))
                self.followers[-1].join(self._live(self.rooms[0]))

    async def _something_else(self) -> None:
        """Restarts, faults of the disk, clock changes, people coming and going, chips for players who have none."""
        assert self.house is not None
        if self.house.fatal.is_set():
            self.report.failed_syncs += 1
            await self._restart(dead=True)
        dice = self.chance.random()
        if dice < 0.002:
            await self._restart()
        elif dice < 0.01:
            self.clock.set_by += self.chance.randint(-5 * HOUR, 5 * HOUR)
        elif dice < 0.04 and self.followers:
            self._come_or_go(self.chance.choice(self.followers))
        elif dice < 0.06:
            await self._chips(self.chance.choice(self.names))
        elif dice < 0.065:
            await self._put_away()
        elif dice < 0.067:
            await self._disk_full()
        elif dice < 0.069:
            self.store.next_sync = self.chance.random() < 0.5

    async def _disk_full(self) -> None:
        """For some seconds nothing can be written; then everything goes on."""
        self.store.full = True
        self.report.outages += 1
        for _ in range(self.chance.randint(1, 4)):
            self._send_one()
            await asyncio.sleep(self.chance.random() * 3)
        self.store.full = False

    async def _chips(self, name: str) -> None:
        works = self.store.next_sync is None and not self.store.failed
        if works and self.store.balance(wallet(name)) < 10 * LEAST_CHIPS:
            assert self.house is not None
            given = await self.house.say_of(name, ChipsGiven(name, self.chance.choice((2001, 20_000, 100_000))))
            assert isinstance(given, Entry)

    def _come_or_go(self, follower: Follower) -> None:
        live = self._live(follower.room)
        if follower in self.away:
            self.away.remove(follower)
            follower.join(live)
        else:
            live.watchers.discard(follower)
            self.away.append(follower)

    async def _put_away(self) -> None:
        """Unused tables are unloaded from memory, and are the same when someone returns."""
        house = self.house
        assert house is not None
        before = dict(house.lives)
        house.options, kept = replace(house.options, idle_seconds=0.0), house.options
        await house.idle._put_away()
        house.options = kept
        for room, live in before.items():
            self.report.put_away += room not in house.lives
            again = await house.live(room)
            assert again is not None
            if again is not live:  # one that stayed is still written by its owner
                self._same(live.room, again.room)

    async def _restart(self, *, dead: bool = False) -> None:
        """The server stops, abruptly or cleanly, and starts again; `dead` if its store has failed."""
        for _ in range(self.chance.randint(0, 3)):
            self._send_one()
        for _ in range(self.chance.randint(0, 8)):
            await asyncio.sleep(0)
        dead = dead or bool(self.store.failed) or self.store.next_sync is not None
        old = await (self._kill() if dead or self.chance.random() < 0.7 else self._close())
        self.store.failed, self.store.next_sync = "", None
        self.report.rollbacks += refused_rollbacks(self.store, self._folder)
        if self.chance.random() < 0.5:
            await asyncio.sleep(self.chance.random())
        await self._start()
        self.report.restarts += 1
        for room, live in old.lives.items():
            self._same(live.room, self._live(room).room)

    async def _kill(self) -> House:
        """An abrupt stop: everything in memory is lost, and nothing is answered."""
        house = self.house
        assert house is not None
        assert house.writer._task is not None
        self.house = None
        house.writer._closed = True
        tasks = [house.writer._task, *house._tasks, *self.inside]
        tasks += [live.task for live in house.lives.values() if live.task is not None]
        lost = list(self.inside.values())
        for message in lost:
            message.cut_off = True
        while left := [task for task in tasks if not task.done()]:
            for task in left:
                task.cancel()
            await asyncio.sleep(0)
        for message in lost:
            if self.chance.random() < 0.8:
                self._post(message, self.chance.random() * 3)
        return house

    async def _close(self) -> House:
        house = self.house
        assert house is not None
        await house.close()
        self.house = None
        return house

    def _same(self, old: Room, new: Room) -> None:
        """A room read from its log equals the live room."""
        for entry in self.store.read(stream_of(old.id), old.version, self.store.count):
            old.apply(entry)
        assert old.state == new.state
        assert old.keeper.record == new.keeper.record

    # --- messages ---

    def _find_one(self) -> tuple[str, RoomState, Actor, Asked] | None:
        room = self.chance.choice(self.rooms)
        state = self._live(room).room.state
        wanted = self.crowd.wants(state)
        return None if wanted is None else (room, state, *wanted)

    def _send_one(self) -> bool:
        """Send one command; False if nobody wants to act."""
        found = self._find_one() or self._find_one()
        if found is None:
            return False
        chance, (room, state, actor, asked) = self.chance, found
        dice = chance.random()
        seen = None if dice < 0.2 else state.version if dice < 0.93 else state.version + chance.randint(-30, 3)
        message = Message(actor, room, asked, f"{len(self.messages)}", seen)
        self.messages.append(message)
        dice = chance.random()
        if dice < 0.84:
            self._post(message, 0)
        elif dice < 0.9:  # a slow connection: other commands overtake it
            self._post(message, chance.random() * 3)
        elif dice < 0.96:  # the answer is lost, or a proxy repeats it
            self._post(message, 0)
            self._post(message, chance.choice((0.0, 0.0, chance.random(), chance.random() * 60)))
        else:  # lost, and sent again
            self._post(message, 1 + chance.random() * 9)
        if chance.random() < 0.02:
            self._post(chance.choice(self.messages), 0)
        return True

    def _post(self, message: Message, delay: float) -> None:
        self.report.messages += 1
        task = asyncio.create_task(self._deliver(message, delay))
        self.flying.add(task)
        task.add_done_callback(self._landed)

    def _landed(self, task: asyncio.Task[None]) -> None:
        self.flying.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.failed.append(error)

    async def _deliver(self, message: Message, delay: float) -> None:
        if delay:
            await asyncio.sleep(delay)
        while self.house is None:  # noqa: ASYNC110 as a client does: it tries again
            await asyncio.sleep(0.05)
        task = asyncio.current_task()
        assert task is not None
        self.inside[task] = message
        try:
            if (no := self.house.allowed(message.actor, "10.0.0.1")) is not None:
                self.report.over_quota += 1
                self._post(message, no.facts["seconds"] + self.chance.random())
                return
            answer = await self.house.command(message.actor, message.room, message.asked, message.key, message.seen)
        finally:
            del self.inside[task]
        self._heard(message, answer)

    def _heard(self, message: Message, answer: int | Problem) -> None:
        message.answers += 1
        if isinstance(answer, Problem) and answer.status == BUSY:
            self._post(message, 0.1 + self.chance.random())
            return
        code = answer.code if isinstance(answer, Problem) else "done"
        assert code != "broken" or "void_side_again" in self.report.known, message
        message.code = message.code or code
        if isinstance(answer, Problem):
            assert not message.version, (message, answer)
            return
        assert message.version in (0, answer), (message, answer)
        message.version = answer

    # --- at the end ---

    async def _finish(self) -> None:
        report = self.report
        for follower in tuple(self.away):
            self._come_or_go(follower)
        for follower in self.followers:
            follower.sees(self._live(follower.room))
        house = await (self._kill() if self.chance.random() < 0.5 else self._close())
        while self.flying:
            for task in self.flying:
                task.cancel()
            await asyncio.sleep(0)
        self._no_errors()
        assert self.store.trial() == 0
        assert list(faults(self.store)) == []
        done: Counter[tuple[str, str]] = Counter()
        for room in self.rooms:
            self._audit(house.lives[room].room, done)
        self._answered()
        report.commands, report.entries = len(self.messages), self.store.count
        report.absent = done["Absent", "clock"]
        report.done = done
        report.outcomes = Counter(
            (name_of(message.asked), message.code or "never answered") for message in self.messages
        )
        report.frames = sum((follower.frames for follower in self.followers), Counter[str]())
        report.heads = tuple(f"{head.stream} {head.version} {head.hash}" for head in self.store.heads())

    def _audit(self, live: Room, done: Counter[tuple[str, str]]) -> None:
        """The log of a room from its beginning: replay equals live."""
        auditor, bots = Auditor(live.id), {f"bot {live.id} {box}" for box in range(10)}
        for entry in self.store.read(stream_of(live.id), 0, self.store.count):
            auditor.apply(entry)
            by = "bot" if entry.by in bots else entry.by if entry.by in ("dealer", "clock") else "people"
            done[name_of(did_in(entry)), by] += 1
        auditor.end()
        self._same(live, auditor.room)
        self.report.rounds += len(auditor.kept)
        table = live.state.table
        held = {name: left for name, left in self.store.balances(f"escrow/{live.id}/").items() if left}
        if held and auditor.lost:
            self._known(auditor.lost, held)
        elif table.round is None:
            assert not held, held
        shoe = table.shoe
        if table.mode == "automatic" and (shoe.left or shoe.discards):
            assert Counter((*shoe.stack, *shoe.discards, *table.on_layout)) == full_set(table)

    def _answered(self) -> None:
        """Every acknowledged command is in the log once, at its version; no other command is."""
        entries = {room: self.store.read(stream_of(room), 0, self.store.count) for room in self.rooms}
        found = {
            (room, entry.by, entry.key): entry for room in self.rooms for entry in entries[room] if entry.version > 1
        }
        for message in self.messages:
            entry = found.get((message.room, message.actor.name, message.key))
            if not message.version:
                assert entry is None or message.cut_off, message
                continue
            assert entry is not None
            assert entry.version == message.version, (message, entry)
            command = signed(message.asked, message.actor)
            wanted = command if isinstance(command, r.RoomCommand) else for_table(command, message.actor)
            did = did_in(entry)
            if hasattr(did, "at"):  # only the server sets the time
                wanted = replace(wanted, at=did.at)
            assert did == wanted, (did, wanted)

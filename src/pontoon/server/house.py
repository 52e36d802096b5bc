"""The house: all rooms of a process, the people, and the one writer.

Embedded there is one process and no lease. Where several share a database, a table is owned by a lease with an epoch
that every write names; commands for a table of another process are sent there, its events are read from the store.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pontoon.ledger import wallet, wallet_of
from pontoon.rulebook import Rulebook, RulebookError
from pontoon.server.capacity import Actor
from pontoon.server.clock import Clock, SystemClock
from pontoon.server.commands import Asked
from pontoon.server.live import Live, Question
from pontoon.server.logs import broken, event
from pontoon.server.mailbox import Mailbox
from pontoon.server.metrics import ROOMS
from pontoon.server.names import new_id
from pontoon.server.owner import Owner
from pontoon.server.people import STREAM as PEOPLE
from pontoon.server.people import Account, People, PeopleEvent, draft
from pontoon.server.problems import Problem, problem
from pontoon.server.room import STREAM, Room, make_draft, new_chance, stream_of
from pontoon.server.settings import Settings, completed, rules_of
from pontoon.server.shared import Shared
from pontoon.server.tournaments.heat import STEWARD
from pontoon.server.tournaments.registry import Tournaments
from pontoon.server.writer import Writer, WriterClosedError
from pontoon.store.model import (
    NOTHING,
    Append,
    Appended,
    Draft,
    Entry,
    Lease,
    NotEnough,
    Store,
    entries_after,
    entries_of,
)
from pontoon.table.program import Chance

PUBLIC, PRIVATE = 6, 24
"""How long a table's name is; nobody guesses a private one."""
TRIES = 20

T = TypeVar("T")


def _question(actor: Actor, asked: Asked, key: str, seen: int | None) -> Question:
    return Question(actor, asked, key, seen, asyncio.get_running_loop().create_future())


class Peers(Protocol):
    """How to reach the process that owns a table."""

    async def ask(self, address: str, room: str, question: Question) -> int | Problem:
        """Let the owner answer."""

    def reach(self, addresses: Iterable[str]) -> None:
        """Make ready to tell these."""

    def tell(self, addresses: Iterable[str], entries: Sequence[Entry]) -> None:
        """Send what was written at a table; never wait, never promise."""


class Options(Struct, frozen=True):
    """How a house is run."""

    leased: bool = False
    """Several processes share the store."""
    lease_seconds: float = 3.0
    address: str = ""
    """Where other processes reach this one."""
    seal_seconds: float = 60.0
    roots: Path | None = None
    """A file that gets every root too: copied elsewhere, it shows tampering with the store."""
    inline: bool = False
    """Write without a thread: for a store in memory."""
    proving: bool = False
    """Check that what a table's owner adopts is what decoding and folding gives: for tests."""
    heat_card: int = 400
    """Milliseconds between cards at the tables of tournaments."""
    rulebooks: Mapping[str, Rulebook] = {}
    """Rulebooks of the server's own, by name, offered beside the five."""


class House:
    """All rooms of a process."""

    def __init__(
        self, store: Store, options: Options | None = None, clock: Clock | None = None, chance: Chance = new_chance
    ) -> None:
        self.store = store
        self.options = options or Options()
        self.clock = clock or SystemClock()
        self.owner = secrets.token_hex(8)
        self.writer = Writer(store, inline=self.options.inline)
        self.people = People()
        self.tournaments = Tournaments(self)
        self.lives: dict[str, Live] = {}
        self.peers: Peers | None = None
        self.revoked = Mailbox()
        """Hashes of tokens that are no longer valid, for the edge to take."""
        self.wallets = Mailbox()
        """Names of people whose wallets moved, for the edge to take."""
        self.closing = False
        self._chance = chance
        self._locks: dict[str, asyncio.Lock] = {}
        self._shared = Shared(self)
        self._tasks: list[asyncio.Task[None]] = []

    # --- life ---

    async def start(self) -> None:
        """Read people and rooms, take up the rounds that are open, begin to write."""
        self.writer.start()
        await self.follow_people()
        for head in await self.read(lambda: self.store.heads(STREAM)):
            await self.live(head.stream.removeprefix(STREAM))
        await self.tournaments.start()
        self._background(self._sealing())
        if self.options.leased:
            await self._shared.appear()
            self._background(self._shared.following())
            self._background(self._shared.renewing())

    def _background(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(asyncio.create_task(work))

    async def close(self) -> None:
        """Finish what was begun, write it, let the tables go."""
        self.closing = True
        await self.tournaments.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(self.stop(live) for live in self.lives.values()))
        await self.writer.close()
        if self.options.leased:
            await self.read(lambda: self.store.release_leases(self.owner))
        await self._seal()

    async def stop(self, live: Live) -> None:
        """Write a room no longer."""
        live.owned = False
        live.inbox.put_nowait(None)
        if live.task is not None:
            await asyncio.gather(live.task, return_exceptions=True)
            live.task = None

    async def read(self, work: Callable[[], T]) -> T:
        """Ask the store; one behind a network is asked in a thread."""
        return await asyncio.to_thread(work) if self.options.leased else work()

    def lock(self, name: str) -> asyncio.Lock:
        """One at a time reads a room, or the people, from the store."""
        return self._locks.setdefault(name, asyncio.Lock())

    # --- people ---

    async def follow_people(self) -> None:
        """Catch up with the people's stream."""
        async with self.lock(PEOPLE):
            for entry in await self.entries(PEOPLE, self.people.version):
                self.revoked.put(self.people.follow(entry))

    async def entries(self, stream: str, after: int) -> list[Entry]:
        """What a stream holds after a version."""
        return await self.read(lambda: list(entries_after(self.store, stream, after)))

    async def write_people(self, make: Callable[[People], Draft | Problem]) -> Entry | Problem:
        """Write what `make` says of the people as they are; again where somebody else was faster."""
        for _ in range(TRIES):
            wanted = make(self.people)
            if isinstance(wanted, Problem):
                return wanted
            append = Append(PEOPLE, self.people.version, self.clock.wall(), (wanted,))
            try:
                outcome = await self.writer.append(append)
            except WriterClosedError:
                return problem("closing")
            match outcome:
                case Appended(entries=entries):
                    await self.follow_people()
                    self.wallets_moved(entries)
                    return entries[0]
                case NotEnough():
                    return problem("not_enough_chips")
                case _:
                    await self.follow_people()
        return problem("not_here")

    async def say_of(self, by: str, *events: PeopleEvent) -> Entry | Problem:
        """Write these events of people."""
        return await self.write_people(lambda _: draft(by, events))

    async def holder(self, token: str) -> Account | None:
        """Whose a token is; one given by another process is looked up in the store."""
        account = self.people.holder(token, self.clock.wall())
        if account is None and self.options.leased:
            await self.follow_people()
            account = self.people.holder(token, self.clock.wall())
        return account

    async def balance(self, name: str) -> int:
        """What a person has."""
        return await self.read(lambda: self.store.balance(wallet(name)))

    async def balances(self, names: set[str]) -> dict[str, int]:
        """What each of these people has."""
        accounts = {wallet(name): name for name in names}
        held = await self.read(lambda: self.store.balances_of(tuple(accounts)))
        return {accounts[account]: amount for account, amount in held.items()}

    def wallets_moved(self, entries: Iterable[Entry]) -> None:
        """Note whose wallets these entries touched."""
        accounts = {one.account for entry in entries for one in entry.postings}
        self.wallets.put(name for one in accounts if (name := wallet_of(one)))

    # --- rooms ---

    async def live(self, room: str) -> Live | None:
        """A room of this process, read from the store the first time; None where there is none."""
        found = self.lives.get(room)
        if found is not None and (found.owned or self.options.leased or self.closing):
            return found
        async with self.lock(room):
            found = self.lives.get(room)
            if found is None or (not found.owned and not self.closing):
                found = await self._load(room)
            return found

    async def _load(self, room: str) -> Live | None:
        """Read the whole log of a room; without leases it is ours."""
        old = self.lives.get(room)
        lease = await self._take(room)
        entries = await self.entries(stream_of(room), 0)
        if not entries:
            return None
        live = Live(Room(room, self._chance, proving=self.options.proving), self.clock.steady())
        try:
            live.room.follow(entries[0])
        except RulebookError as error:  # a newer version made it: this process leaves it alone
            event("table_not_opened", table=room, why=str(error))
            return None
        for entry in entries[1:]:
            live.room.follow(entry)
        live.watchers = old.watchers if old is not None else set()
        self.lives[room] = live
        for watcher in tuple(live.watchers):
            live.catch_up(watcher, None, self.clock.steady())
        if lease is not None:
            self._own(live, lease.epoch)
        return live

    async def _take(self, room: str) -> Lease | None:
        if not self.options.leased:
            return Lease(stream_of(room), self.owner, "", 0)
        return await self.read(
            lambda: self.store.take_lease(stream_of(room), self.owner, self.options.address, self.options.lease_seconds)
        )

    def _own(self, live: Live, epoch: int) -> None:
        live.epoch, live.owned = epoch, True
        live.began = self.clock.steady()
        live.task = asyncio.create_task(self._run(live), name=f"table {live.room.id}")

    async def _run(self, live: Live) -> None:
        owner = Owner(live, self.store, self.writer, self.clock, partial(self._written, live))
        with ROOMS.track_inprogress():
            try:
                await owner.run()
            except Exception:  # noqa: BLE001 nobody else would see it
                broken("owner_failed", table=live.room.id)
        live.owned = False

    def _written(self, live: Live, entries: Sequence[Entry]) -> None:
        """A table of ours moved on: the other processes are sent what was written."""
        if self.options.leased:
            self._shared.tell(entries)
        self.moved_on(live, entries)

    def moved_on(self, live: Live, entries: Sequence[Entry]) -> None:
        """A table moved on, here or in another process: wallets moved, and its tournament's steward looks."""
        self.wallets_moved(entries)
        heat = live.room.state.settings.heat
        if heat is not None:
            self.tournaments.wake(heat.tournament)

    def told(self, entries: Sequence[Entry]) -> None:
        """Another process says what it wrote."""
        self._shared.told(entries)

    async def make_table(
        self, actor: Actor, settings: Settings, key: str, room: str = "", rules: Rulebook | None = None
    ) -> str | Problem:
        """A new table, opened; the same key again gives the same table. A tournament's steward names its rooms.

        Without `rules` it is played by the rulebook that the settings name.
        """
        if settings.heat is not None and actor.name != STEWARD:
            return problem("malformed", detail="a table of a tournament is made by the tournament")
        mark = f"made:{actor.name}:{key}"
        if key and (before := await self.read(lambda: self.store.marked(mark, limit=1))):
            return before[0].stream.removeprefix(STREAM)
        room = room or new_id(PRIVATE if settings.private else PUBLIC)
        chosen = rules or rules_of(settings, self.options.rulebooks)
        if isinstance(chosen, Problem):
            return chosen
        settings = completed(settings, chosen)
        first = make_draft(settings, room, actor.name, actor.role, key, chosen)
        if isinstance(first, Problem):
            return first
        first = replace(first, marks=(mark,)) if key else first
        made = Append(stream_of(room), 0, self.clock.wall(), (first, *self._opening(room, first)))
        try:
            outcome = await self.writer.append(made)
        except WriterClosedError:
            return problem("closing")
        if not isinstance(outcome, Appended):
            return problem("not_here")
        await self.live(room)
        event("table_made", table=room if not settings.private else "private", rulebook=settings.rulebook)
        return room

    def _opening(self, room: str, first: Draft) -> list[Draft]:
        """A table dealt by the program is open from its making on, prepared as far as nobody is waited for."""
        made = Room(room, self._chance)
        made.follow(entries_of(Append(stream_of(room), 0, 0, (first,)), NOTHING)[0])
        return [decided.draft for decided in made.at_once(made.state)]

    async def command(self, actor: Actor, room: str, asked: Asked, key: str, seen: int | None) -> int | Problem:
        """Ask something of a room, wherever it is owned; the version it led to, or why not."""
        answer: int | Problem = problem("not_here")
        for again in range(TRIES):
            live = await self.live(room)
            if live is None:
                return problem("no_such_table")
            answer = await self._asked(live, _question(actor, asked, key, seen))
            if not (isinstance(answer, Problem) and answer.code == "not_here") or self.closing:
                return answer
            await asyncio.sleep(min(0.05 * (again + 1), self.options.lease_seconds / 4))
        return answer

    async def owned_command(self, actor: Actor, room: str, asked: Asked, key: str, seen: int | None) -> int | Problem:
        """Ask something of a room of this process; another process sends it here."""
        live = self.lives.get(room)
        if live is None or not live.owned:
            return problem("not_here")
        return await self._asked(live, _question(actor, asked, key, seen))

    async def _asked(self, live: Live, question: Question) -> int | Problem:
        if live.owned:
            live.inbox.put_nowait(question)
            return await question.answer
        return await self._shared.ask(live, question) if self.options.leased else problem("not_here")

    async def take_over(self, room: str) -> None:
        """Own a room that nobody owns, if we are the first to ask."""
        async with self.lock(room):
            live = self.lives.get(room)
            if live is None or not live.owned:
                await self._load(room)

    # --- now and then ---

    async def _sealing(self) -> None:
        """A root over all heads, now and then, where anybody can keep it."""
        while True:
            await asyncio.sleep(self.options.seal_seconds)
            try:
                await self._seal()
            except Exception:  # noqa: BLE001 the store may be away for a moment
                broken("sealing_failed")

    async def _seal(self) -> None:
        root = await self.read(lambda: self.store.seal(self.clock.wall()))
        if root is not None:
            event("root", number=root.number, hash=root.hash)
            if self.options.roots is not None:
                with self.options.roots.open("a", encoding="ascii") as file:
                    file.write(f"{root.number} {root.at} {root.hash}\n")

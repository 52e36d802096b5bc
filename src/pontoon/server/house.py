"""The house: all rooms of a process, the people, and the one writer.

Embedded there is one process and no lease. Where several share a database, a table is owned by a lease with an epoch
that every write names; commands for a table of another process are sent there, its events are read from the store.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from hashlib import sha256
from hmac import compare_digest
from math import inf
from pathlib import Path
from typing import Any, Protocol, TypeVar
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pontoon.ledger import holder_of, practice, practice_bank, wallet
from pontoon.rulebook import Rulebook, RulebookError, digest
from pontoon.server.keys import KEYS
from pontoon.server.mailbox import Mailbox
from pontoon.server.names import new_id
from pontoon.server.operation.clock import Clock, SystemClock
from pontoon.server.operation.logs import broken, event
from pontoon.server.operation.metrics import LOADED, ROOMS, STORE_FAILURES, merged, rendered
from pontoon.server.operation.operator_access import OPERATOR
from pontoon.server.operation.policy_checks import table_refused
from pontoon.server.operation.readiness import watch_clock
from pontoon.server.operation.rollback import append_roots
from pontoon.server.operation.traces import TRACES
from pontoon.server.people.people import STREAM as PEOPLE
from pontoon.server.people.people import Account, People, PeopleEvent, draft, token_hash
from pontoon.server.people.quotas import QuotaLimits, Quotas
from pontoon.server.people.sign_ins import SignIns
from pontoon.server.people.snapshots import accounts_of, is_due, open_people, snapshot_of
from pontoon.server.problems import Problem, problem
from pontoon.server.records.verification import Verification
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import Asked, Pause, SeatBot
from pontoon.server.rooms.decide import STOPPED
from pontoon.server.rooms.idle_tables import IdleTables
from pontoon.server.rooms.live import Live, Question
from pontoon.server.rooms.owner import Owner, Patience
from pontoon.server.rooms.room import CLOCK, PROGRAM, STREAM, Room, make_draft, new_chance, stream_of
from pontoon.server.rooms.settings import Settings, completed, rules_of
from pontoon.server.rooms.snapshots import EVERY, open_room
from pontoon.server.rooms.writer import Writer, WriterClosedError
from pontoon.server.shared import Shared
from pontoon.server.tournaments.heat import STEWARD
from pontoon.server.tournaments.registry import Tournaments
from pontoon.store.model import (
    NOTHING,
    Append,
    Appended,
    Conflict,
    Draft,
    Entry,
    Lease,
    NotEnough,
    Repeated,
    Snapshot,
    Store,
    StoreError,
    entries_after,
    entries_of,
)
from pontoon.table.program import Chance

PUBLIC, PRIVATE = 6, 24
"""Length of a table's name; private ones cannot be guessed."""
TRIES = 20
MOST_ADDRESSES = 20_000
WORTHWHILE = 32
"""Entries of people since the last snapshot for which one at the end is worthwhile."""

T = TypeVar("T")


def _mark(actor: Actor, key: str) -> str:
    """The mark in the log of a table that was made with a key."""
    return f"made:{actor.name}:{key}"


def _question(actor: Actor, asked: Asked, key: str, seen: int | None) -> Question:
    return Question(actor, asked, key, seen, asyncio.get_running_loop().create_future(), TRACES.here)


class Peers(Protocol):
    """How to reach the process that owns a table."""

    async def ask(self, address: str, room: str, question: Question) -> int | Problem:
        """Let the owner answer."""

    def reach(self, addresses: Iterable[str]) -> None:
        """Connect to these processes in advance."""

    def tell(self, addresses: Iterable[str], entries: Sequence[Entry]) -> None:
        """Send entries written at a table, without waiting and without a guarantee."""

    def watch(self, addresses: Iterable[str], rooms: Sequence[str]) -> None:
        """Say which tables someone watches here, without waiting and without a guarantee."""

    async def measure(self, addresses: Iterable[str]) -> list[str]:
        """The metrics of these processes; one that does not answer is left out."""


class Options(Struct, frozen=True):
    """How a house is run."""

    leased: bool = False
    """Several processes share the store."""
    lease_seconds: float = 3.0
    address: str = ""
    """The address of this process for others."""
    seal_seconds: float = 60.0
    roots: Path | None = None
    """A file that gets every root too: copied elsewhere, it shows tampering with the store."""
    quotas: QuotaLimits = QuotaLimits()
    bots_unwatched: float = 60.0
    """Seconds for which a table with only bots keeps playing after the last watcher has left."""
    idle_seconds: float = 600.0
    """Seconds without anyone present after which a table is unloaded from memory."""
    snapshot_every: int = EVERY
    """Entries between two snapshots of a table."""
    paused: float = 1800.0
    """Seconds after which the stakes on a paused table go back to the players."""
    inline: bool = False
    """Write without a thread: for a store in memory."""
    proving: bool = False
    """For tests: check that the state an owner adopts equals the decoded and folded entry."""
    heat_card: int = 400
    """Milliseconds between cards at the tables of tournaments."""
    rulebooks: Mapping[str, Rulebook] = {}
    """Custom rulebooks, by name, offered besides the five."""
    operator: str = ""
    """The hash of the secret with which the operator's commands on this machine are signed; empty for none."""


class Chips(Struct, frozen=True):
    """The chips of a user, in cents."""

    wallet: int
    practice: int
    given: int
    """Practice chips handed out so far: what was lost or won with them is `practice - given`."""


class House:
    """All rooms of a process."""

    def __init__(
        self, store: Store, options: Options | None = None, clock: Clock | None = None, chance: Chance = new_chance
    ) -> None:
        self.store = store
        self.options = options or Options()
        self.clock = clock or SystemClock()
        self.owner = secrets.token_hex(8)
        self.started = self.clock.wall()
        self.writer = Writer(store, inline=self.options.inline, failed=self._store_failed)
        self.people = People()
        self.tournaments = Tournaments(self)
        self.idle = IdleTables(self)
        self.lives: dict[str, Live] = {}
        self.peers: Peers | None = None
        self.revoked = Mailbox()
        """Hashes of revoked tokens, for the edge."""
        self.wallets = Mailbox()
        """Names of people whose wallets moved, for the edge to take."""
        self.quotas = Quotas(self.options.quotas, self.clock.steady)
        self.sign_ins = SignIns(self.clock.steady)
        self._people_snapshot = 0
        """The version of the last snapshot of the accounts."""
        self._addresses: dict[str, str] = {}
        """Where each person's commands came from last."""
        self.verification: Verification | None = None
        """The verification that runs in the background, if there is one."""
        self.fatal = asyncio.Event()
        """Set when the store must be opened anew: the process has to start again."""
        self.closing = False
        self._chance = chance
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Only while someone holds them or waits: names that callers make up leave nothing behind."""
        self._shared = Shared(self)
        self._tasks: list[asyncio.Task[None]] = []

    # --- life ---

    async def start(self) -> None:
        """Load people and rooms, resume open rounds, and start writing."""
        self.writer.start()
        self._people_snapshot = await self.read(lambda: open_people(self.store, self.people))
        for room in await self.idle.start():
            await self.live(room)
        await self.tournaments.start()
        self._background(self._sealing())
        self._background(self.idle.run())
        self._background(watch_clock(self))
        if self.verification is not None and not self.verification.complete:
            self._background(self._verifying(self.verification))
        if self.options.leased:
            await self._shared.appear()
            self._background(self._shared.following())
            self._background(self._shared.renewing())

    async def _verifying(self, verification: Verification) -> None:
        await asyncio.to_thread(verification.run)

    def not_written(self, name: str) -> None:
        """Log the current exception under a name: something beside the commands was not written."""
        broken(name)
        self._store_failed()

    def _store_failed(self) -> None:
        """A transaction failed; after a failed sync nothing more is written by this process."""
        STORE_FAILURES.inc()
        if self.store.failed and not self.fatal.is_set():
            event("store_failed", level=logging.CRITICAL, why=self.store.failed)
            self.fatal.set()

    def _background(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(asyncio.create_task(work))

    async def close(self) -> None:
        """Finish and write pending work, and release the tables."""
        self.closing = True
        if self.verification is not None:
            self.verification.closing = True
        await self.tournaments.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(self.stop(live) for live in self.lives.values()))
        await self.writer.close()
        if self.fatal.is_set():
            return
        await self.idle.close()
        await self.write_people_snapshot(closing=True)
        await self.tournaments.write_snapshots(closing=True)
        await self._release_leases()
        await self._try_to_seal()

    async def _release_leases(self) -> None:
        """Let other processes take over at once; if the store is away they wait until the leases expire."""
        if self.options.leased:
            try:
                await self.read(lambda: self.store.release_leases(self.owner))
            except StoreError:
                broken("leases_not_released")

    async def stop(self, live: Live) -> None:
        """Stop writing to a room."""
        live.owned = False
        live.inbox.put_nowait(None)
        if live.task is not None:
            await asyncio.gather(live.task, return_exceptions=True)
            live.task = None

    async def read(self, work: Callable[[], T]) -> T:
        """Query the store, in a thread if it is behind a network."""
        return await asyncio.to_thread(work) if self.options.leased else work()

    def lock(self, name: str) -> asyncio.Lock:
        """A lock, so that only one task at a time reads a room, or the people, from the store."""
        found = self._locks.get(name)
        if found is None:
            found = self._locks[name] = asyncio.Lock()
        return found

    @property
    def processes(self) -> int:
        """How many processes share the store, as far as this one knows."""
        return 1 + len(self._shared.others)

    def measured(self) -> str:
        """The metrics of this process."""
        LOADED.set(len(self.lives))
        return rendered(self._shared.place if self.options.leased else "")

    async def measurements(self) -> str:
        """The metrics of all processes that share the store and answer."""
        if self.peers is None:
            return self.measured()
        return merged([self.measured(), *await self.peers.measure(self._shared.others)])

    # --- people ---

    async def catch_up_with_people(self) -> None:
        """Catch up with the people's stream; a new policy takes effect immediately."""
        policy = self.people.policy
        async with self.lock(PEOPLE):
            for entry in await self.entries(PEOPLE, self.people.version):
                self.revoked.put(self.people.apply(entry))
        if self.people.policy is not policy:
            for live in self.lives.values():
                live.delay = self.people.policy.spectator_delay

    async def write_people_snapshot(self, *, closing: bool = False) -> None:
        """Write a snapshot of the accounts if one is due, or at the end if it is worthwhile."""
        people, since = self.people, self.people.version - self._people_snapshot
        if is_due(people, self._people_snapshot) or (closing and since >= WORTHWHILE):
            accounts, version, hashed = accounts_of(people), people.version, people.hash
            self._people_snapshot = version
            await self.write_snapshot(lambda: snapshot_of(accounts, version, hashed))

    async def write_snapshot(self, make: Callable[[], Snapshot]) -> None:
        """Write a snapshot in place of the earlier ones of its stream; a failure does no harm."""
        try:
            if self.options.inline:
                self.store.keep_snapshots([make()], only_last=True)
            else:
                await asyncio.to_thread(lambda: self.store.keep_snapshots([make()], only_last=True))
        except Exception:  # noqa: BLE001 a snapshot is never needed; the log says what is wrong with it
            self.not_written("snapshot_not_written")

    async def entries(self, stream: str, after: int) -> list[Entry]:
        """The entries of a stream after a version."""
        return await self.read(lambda: list(entries_after(self.store, stream, after)))

    async def write_people(self, make: Callable[[People], Draft | Problem]) -> Entry | Problem:
        """Write what `make` decides for the current people; decide again if another process wrote first."""
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
                    await self.catch_up_with_people()
                    self.wallets_moved(entries)
                    return entries[0]
                case NotEnough():
                    return problem("not_enough_chips")
                case _:
                    await self.catch_up_with_people()
        return problem("not_here")

    async def say_of(self, by: str, *events: PeopleEvent) -> Entry | Problem:
        """Write these events of people."""
        return await self.write_people(lambda _: draft(by, events))

    async def holder(self, token: str) -> Account | None:
        """The account of a token; one issued by another process is looked up in the store."""
        account = self.people.holder(token, self.clock.wall())
        if account is None and self.options.operator and compare_digest(token_hash(token), self.options.operator):
            return OPERATOR
        if account is None and self.options.leased:
            await self.catch_up_with_people()
            account = self.people.holder(token, self.clock.wall())
        return account

    async def balance(self, name: str) -> int:
        """A user's balance."""
        return await self.read(lambda: self.store.balance(wallet(name)))

    async def chips_of(self, names: set[str]) -> dict[str, Chips]:
        """The wallets and practice chips of these users."""
        kinds = (wallet, practice, practice_bank)
        accounts = tuple(account(name) for name in names for account in kinds)
        held = await self.read(lambda: self.store.balances_of(accounts))
        amounts = {name: [held.get(account(name), 0) for account in kinds] for name in names}
        return {name: Chips(own, practising, -given) for name, (own, practising, given) in amounts.items()}

    def wallets_moved(self, entries: Iterable[Entry]) -> None:
        """Record the owners of wallets changed by these entries."""
        accounts = {posting.account for entry in entries for posting in entry.postings}
        self.wallets.put(name for account in accounts if (name := holder_of(account)))

    # --- rooms ---

    async def live(self, room: str) -> Live | None:
        """A room of this process, read from the store the first time; None if there is none."""
        found = self.lives.get(room)
        if found is not None and (found.owned or self.options.leased or self.closing):
            return found
        async with self.lock(room):
            found = self.lives.get(room)
            if found is None or not (found.owned or self.options.leased or self.closing):
                found = await self._load(room)
            return found

    async def _load(self, room: str) -> Live | None:
        """Read the whole log of a room; without leases it is ours."""
        old = self.lives.get(room)
        if not (await self.read(lambda: self.store.head(stream_of(room)))).version:
            return None  # nor is there a lease to take for a name that a caller made up
        lease = await self._take(room)
        made = Room(room, self._chance, proving=self.options.proving)
        keep = None if self.options.leased else self.idle.missing
        try:
            hashed = await self.read(lambda: open_room(self.store, made, keep))
        except RulebookError as error:  # a newer version made it: this process leaves it alone
            event("table_not_opened", table=room, why=str(error))
            return None
        if not hashed:
            return None
        live = Live(made, self.clock.steady())
        live.hash, live.snapshot, live.delay = hashed, made.version, self.people.policy.spectator_delay
        self.idle.away.pop(room, None)
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
        live.epoch, live.owned, live.epoch_owned = epoch, True, True
        live.began = self.clock.steady()
        live.task = asyncio.create_task(self._run(live), name=f"table {live.room.id}")

    async def _run(self, live: Live) -> None:
        maker = live.room.state.made_by
        patience = Patience(self.options.bots_unwatched, lambda: self.quotas.spent(maker), self.options.paused)
        owner = Owner(live, self.store, self.writer, self.clock, partial(self._written, live), self.read, patience)
        with ROOMS.track_inprogress():
            try:
                await owner.run()
            except Exception:  # noqa: BLE001 it would otherwise be lost
                broken("owner_failed", table=live.room.id)
        live.owned = False

    def _written(self, live: Live, entries: Sequence[Entry]) -> None:
        """Send new entries of a table of ours to the other processes and count them against their authors' quotas."""
        self._charge(live, entries)
        self.idle.note(live, list(entries))
        if self.options.leased:
            self._shared.tell(entries)
        self.moved_on(live, entries)

    def _charge(self, live: Live, entries: Sequence[Entry]) -> None:
        """Entries count against their authors and their address; where only bots play, against the table's maker."""
        for entry in entries:
            program = entry.by in (PROGRAM, CLOCK) or entry.by.startswith("bot ")
            if program and not live.room.state.settings.bots_alone:
                continue
            name = live.room.state.made_by if program else entry.by
            if self.people.find(name) is not None:
                address = self._addresses.get(name)
                self.quotas.charge((name, f"@{address}") if address else (name,), 1, len(entry.body))

    def made_by(self, name: str) -> Iterator[Live]:
        """The tables that a person has made and that are not closed."""
        return (live for live in self._open() if live.room.state.made_by == name)

    def _open(self) -> Iterator[Live]:
        lives = self.lives.values()
        return (live for live in lives if live.room.state.table.phase != "closed" or live.room.version == 1)

    def _tables_of(self, name: str) -> int:
        return sum(1 for _ in self.made_by(name)) + len(self.idle.made_by_any({name}))

    def allowed(self, actor: Actor, address: str = "", asked: object = None) -> Problem | None:
        """Count a command of a player; a problem if it exceeds the limit of one person or one address."""
        if actor.role != "player":
            return None
        if address:
            if len(self._addresses) > MOST_ADDRESSES:
                self._addresses.clear()
            self._addresses[actor.name] = address
        no = self.quotas.command(actor.name, address)
        if no is None and isinstance(asked, SeatBot):
            no = self.quotas.most("bots", self._bots_of({actor.name}), actor.name)
            if no is None and address:
                no = self.quotas.most("bots", self._bots_of(self._people_at(address)), actor.name, shared=True)
        return no

    def _people_at(self, address: str) -> set[str]:
        return {name for name, where in self._addresses.items() if where == address}

    def _bots_of(self, names: set[str]) -> int:
        here = sum(len(live.room.state.bots) for live in self._open() if live.room.state.made_by in names)
        return here + sum(said.bots for said in self.idle.made_by_any(names))

    def _may_make(self, actor: Actor, address: str) -> Problem | None:
        """Whether a person, and the address, may have one more table."""
        if actor.role != "player" or self.people.find(actor.name) is None:
            return None
        no = self.allowed(actor, address) or self.quotas.most("tables", self._tables_of(actor.name), actor.name)
        if no is not None or not address:
            return no
        here = self._people_at(address)
        tables = sum(live.room.state.made_by in here for live in self._open()) + len(self.idle.made_by_any(here))
        return self.quotas.most("tables", tables, actor.name, shared=True)

    async def stop_table(self, actor: Actor, room: str, reason: str) -> int | Problem:
        """Pause a table for an official: only officials can resume it, and its stakes go back immediately."""
        answer = await self.command(actor, room, Pause(f"{STOPPED} {reason}".strip()), "", None)
        live = self.lives.get(room)
        if live is not None and live.owned and live.room.state.held:
            live.held_since = -inf
            live.wake()
        event("table_stopped", table=room, by=actor.name)
        return answer

    def moved_on(self, live: Live, entries: Sequence[Entry]) -> None:
        """A table moved on, here or in another process: wallets moved, and its tournament's steward looks."""
        self.wallets_moved(entries)
        heat = live.room.state.settings.heat
        if heat is not None:
            self.tournaments.wake(heat.tournament)

    def told(self, entries: Sequence[Entry]) -> None:
        """Handle entries sent by another process."""
        self._shared.told(entries)

    def watched(self, rooms: Iterable[str]) -> None:
        """Handle another process's word that someone watches these tables there."""
        self._shared.watched(rooms)

    async def make_table(
        self,
        actor: Actor,
        settings: Settings,
        key: str,
        room: str = "",
        rules: Rulebook | None = None,
        address: str = "",
    ) -> str | Problem:
        """Make and open a table; the same key again gives the same table. A tournament's steward names its rooms.

        Without `rules` it is played by the rulebook that the settings name. `address` is where the request came from.
        """
        if settings.heat is not None and actor.name != STEWARD:
            return problem("malformed", detail="a table of a tournament is made by the tournament")
        async with self.lock(_mark(actor, key)) if key else nullcontext():  # copies of a request wait for its table
            return await self._make_once(actor, settings, key, room, rules, address)

    async def _make_once(
        self, actor: Actor, settings: Settings, key: str, room: str, rules: Rulebook | None, address: str
    ) -> str | Problem:
        """Make a table, or find the one that was made with this key."""
        mark = _mark(actor, key) if key else ""
        before = await self.read(lambda: self._made_before(actor.name, key, mark)) if key else None
        if isinstance(before, str):
            return before
        no = self._may_make(actor, address) or table_refused(self.people, actor, settings) if before is None else None
        chosen = no or rules or rules_of(settings, self.options.rulebooks)
        if isinstance(chosen, Problem):
            return chosen
        settings = completed(settings, chosen)
        named: str | Problem = room
        if not room:
            fresh = new_id(PRIVATE if settings.private else PUBLIC)
            request = msgspec.json.encode((settings, digest(chosen)))
            named = await self.claim(actor.name, f"table {key}", fresh, request) if key else fresh
        if isinstance(named, Problem):
            return named
        first = make_draft(settings, named, actor.name, actor.role, key, chosen)
        if isinstance(first, Problem):
            return first
        return await self._make(named, settings, replace(first, marks=(mark,)) if mark else first)

    async def _make(self, room: str, settings: Settings, first: Draft) -> str | Problem:
        """Write the first entries of a table; if another request with the same key has made it, return that one."""
        if first.key and (await self.read(lambda: self.store.head(stream_of(room)))).version:
            return room
        made = Append(stream_of(room), 0, self.clock.wall(), (first, *self._opening(room, first)))
        try:
            outcome = await self.writer.append(made)
        except WriterClosedError:
            return problem("closing")
        if not isinstance(outcome, Appended | Conflict | Repeated):
            return problem("not_here")
        live = await self.live(room)
        if live is not None:
            live.watched_at = self.clock.steady()
        event("table_made", table=room if not settings.private else "private", rulebook=settings.rulebook)
        return room

    def _made_before(self, by: str, key: str, mark: str) -> str | Entry | None:
        """What is known of a key: its claim; or the table of a steward or of version 0.1.0, which left a mark alone."""
        claimed = self.store.find(f"{KEYS}{by}", by, f"table {key}")
        found = self.store.marked(mark, limit=1) if claimed is None else []
        return found[0].stream.removeprefix(STREAM) if found else claimed

    async def claim(self, by: str, key: str, name: str, request: bytes) -> str | Problem:
        """The name that a key stands for: this one, or the one it was first used with. Safe between processes.

        The store lets a key be used once in a stream, inside its transaction; a person's stream of keys holds the
        name that was made with each. `request` must be the same every time.
        """
        stream, hashed = f"{KEYS}{by}", sha256(request).hexdigest()
        draft = Draft(by, msgspec.json.encode({"name": name, "request": hashed}), key)
        for _ in range(TRIES):
            version = (await self.read(lambda: self.store.head(stream))).version
            try:
                outcome = await self.writer.append(Append(stream, version, self.clock.wall(), (draft,)))
            except WriterClosedError:
                return problem("closing")
            match outcome:
                case Appended():
                    return name
                case Repeated(entry=entry):
                    before: dict[str, str] = msgspec.json.decode(entry.body)
                    return before["name"] if before["request"] == hashed else problem("key_reused")
                case _:
                    pass
        return problem("not_here")

    def _opening(self, room: str, first: Draft) -> list[Draft]:
        """A table dealt by the program opens when it is made, and is prepared as far as possible without a player."""
        made = Room(room, self._chance)
        made.apply(entries_of(Append(stream_of(room), 0, 0, (first,)), NOTHING)[0])
        return [decided.draft for decided in made.at_once(made.state)]

    async def command(self, actor: Actor, room: str, asked: Asked, key: str, seen: int | None) -> int | Problem:
        """Give a room a command, whichever process owns it; returns the resulting version or the problem."""
        with TRACES.span("receive", command=type(asked).__name__):
            return await self._commanded(actor, room, asked, key, seen)

    async def _commanded(self, actor: Actor, room: str, asked: Asked, key: str, seen: int | None) -> int | Problem:
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
        """Give a command to a room of this process; another process sends it here."""
        live = self.lives.get(room)
        if live is None or not live.owned:
            return problem("not_here")
        return await self._asked(live, _question(actor, asked, key, seen))

    async def _asked(self, live: Live, question: Question) -> int | Problem:
        if live.owned:
            live.inbox.put_nowait(question)
            return await question.answer
        return await self._shared.ask(live, question) if self.options.leased else problem("not_here")

    async def take_back(self, live: Live) -> None:
        """Take back a room that was about to be unloaded; the caller holds its lock."""
        if self.lives.get(live.room.id) is live:
            await self._load(live.room.id)

    async def take_over(self, room: str) -> None:
        """Own a room that nobody owns, if we are the first to ask."""
        async with self.lock(room):
            live = self.lives.get(room)
            if live is None or not live.owned:
                await self._load(room)

    # --- occasionally ---

    async def _sealing(self) -> None:
        """Write a root over all heads periodically, for anyone to store."""
        while True:
            await asyncio.sleep(self.options.seal_seconds)
            await self._try_to_seal()

    async def _try_to_seal(self) -> None:
        try:
            await self._seal()
        except Exception:  # noqa: BLE001 the store may be away for a moment
            self.not_written("sealing_failed")

    async def _seal(self) -> None:
        now = self.clock.wall()
        root = self.store.seal(now) if self.options.inline else await asyncio.to_thread(self.store.seal, now)
        if root is not None:
            event("root", number=root.number, hash=root.hash)
            if self.options.roots is not None:
                append_roots(self.options.roots, [(root.number, root.at, root.hash)])

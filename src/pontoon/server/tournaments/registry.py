"""All tournaments on the server (`house.tournaments`); any process may write to any of them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pontoon.quoting import quoted
from pontoon.rulebook import NAMES, Rulebook, RulebookError, load
from pontoon.server.keys import KEYS
from pontoon.server.mailbox import Mailbox
from pontoon.server.names import new_id
from pontoon.server.operation.logs import event
from pontoon.server.problems import MALFORMED, Problem, problem
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.writer import WriterClosedError
from pontoon.server.tournaments.decide import ask, make_draft, may, same_command
from pontoon.server.tournaments.hosted import ROOM, Hosted
from pontoon.server.tournaments.log import STREAM, stream_of
from pontoon.server.tournaments.permits import MAKERS
from pontoon.server.tournaments.snapshots import EVERY, FORMAT, About, about_of, encoded, open_tournament
from pontoon.server.tournaments.steward import Steward
from pontoon.store.model import Append, Appended, Conflict, Draft, Entry, NotEnough, Outcome, Repeated
from pontoon.tournament import Tournament
from pontoon.tournament import commands as c
from pontoon.tournament.conditions.load import ConditionsError, examine
from pontoon.tournament.conditions.values import Conditions
from pontoon.tournament.state import find, same_name
from pontoon.tournament.times import earliest_start, specified_start

if TYPE_CHECKING:
    from pontoon.server.house import House

TRIES = 20
FILE = "the conditions"
ENDS = ("over", "cancelled")
"""The phases after which nothing more happens."""
MOST_RECALLED = 64


class ConditionsProblem(Problem, frozen=True):
    """Conditions that cannot be used, with all their faults."""

    faults: tuple[tuple[str, str], ...] = ()
    """Clause and message of each fault."""


class RulebookFinder:
    """Looks up a rulebook by name only, because clients cannot name files on the server."""

    def __init__(self, own: Mapping[str, Rulebook]) -> None:
        self._own = own
        self.names = (*NAMES, *own)

    def __call__(self, name: str) -> Rulebook:
        if name not in self.names:
            raise RulebookError(f"no rulebook {quoted(name)} here; available: {', '.join(self.names)}")
        return self._own.get(name) or load(name)


def rulebook_finder(own: Mapping[str, Rulebook] | None) -> RulebookFinder:
    """A finder of the shipped rulebooks and the server's custom ones."""
    return RulebookFinder(own or {})


def read_conditions(text: str, own: Mapping[str, Rulebook] | None = None) -> Conditions | ConditionsProblem:
    """Read conditions, or return all their faults; `own` are the server's custom rulebooks."""
    try:
        conditions, found = examine(text, FILE, rulebook_finder(own))
    except ConditionsError as error:
        return ConditionsProblem(MALFORMED, "conditions_unreadable", {"detail": str(error)})
    if conditions is not None and not found:
        return conditions
    words = "; ".join(f"{fault.words} [{fault.clause}]" for fault in found)
    clauses = tuple(dict.fromkeys(fault.clause for fault in found))
    return ConditionsProblem(
        MALFORMED,
        "conditions_incomplete",
        {"detail": words},
        clauses,
        tuple((fault.clause, fault.words) for fault in found),
    )


class Tournaments:
    """All tournaments on the server, folded from their streams; those that are over are read when they are wanted."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._hosted: dict[str, Hosted] = {}
        """Those that are not over."""
        self._over: dict[str, About] = {}
        """Those that are over and have been put away."""
        self._recalled: OrderedDict[str, Hosted] = OrderedDict()
        """Some of them, read for a viewer."""
        self._stewards: dict[str, Steward] = {}
        self.moved = Mailbox()
        """Names of tournaments that moved on, for the edge."""
        self._snapshots: dict[str, int] = {}
        """The version of the last snapshot of each tournament in memory."""

    # --- lifecycle ---

    async def start(self) -> None:
        """Load the tournaments that are not over and resume the tables of running ones."""
        store = self.house.store
        heads = {head.stream: head.hash for head in await self.house.read(lambda: store.heads(STREAM))}
        for stream, last in (await self.house.read(lambda: store.last_snapshots(STREAM))).items():
            about = about_of(last) if heads.get(stream) == last.hash else None
            if about is not None and about.over:
                self._over[stream.removeprefix(STREAM)] = about
        await self._catch_up_all("")

    async def close(self) -> None:
        """Stop all stewards after writing what is in progress."""
        stewards = tuple(self._stewards.values())
        for steward in stewards:
            steward.task.cancel()
        await asyncio.gather(*(steward.task for steward in stewards), return_exceptions=True)

    async def write_snapshots(self, *, closing: bool = False) -> None:
        """Write the snapshots that are due, all of them at the end; those that are over leave memory."""
        for hosted in tuple(self._hosted.values()):
            over, since = self._at_rest(hosted), hosted.version - self._snapshots.get(hosted.id, 0)
            if not (over or since >= EVERY or (closing and since)):
                continue
            taken = encoded(hosted, over=over)
            await self.house.write_snapshot(lambda taken=taken: taken)  # type: ignore[misc]
            self._snapshots[hosted.id] = taken.version
            if over and hosted.version == taken.version and not closing:
                self._put_away(hosted)

    def _at_rest(self, hosted: Hosted) -> bool:
        """Whether nothing more will happen: the tournament is over, and its steward has closed all rooms."""
        if hosted.state.phase not in ENDS:
            return False
        steward = self._stewards.get(hosted.id)
        return steward.finished if steward is not None else not Steward.needed(hosted)

    def _put_away(self, hosted: Hosted) -> None:
        self._over[hosted.id] = About(FORMAT, hosted.made_at, hosted.version, over=True)
        for known in (self._hosted, self._stewards, self._snapshots):
            known.pop(hosted.id, None)
        self._recall(hosted)

    def _recall(self, hosted: Hosted) -> None:
        self._recalled[hosted.id] = hosted
        if len(self._recalled) > MOST_RECALLED:
            self._recalled.popitem(last=False)

    def wake(self, tournament: str) -> None:
        """Wake the tournament's steward after an event in the tournament or at one of its tables."""
        hosted, steward = self._hosted.get(tournament), self._stewards.get(tournament)
        if steward is not None and not steward.task.done():
            steward.woken.set()
        elif hosted is not None and not self.house.closing and Steward.needed(hosted):
            self._stewards[tournament] = Steward(self.house, hosted)

    # --- queries ---

    async def page(self, after: str, limit: int) -> tuple[list[Hosted], bool]:
        """Tournaments, newest first, after one of them; and whether there are more."""
        made = {name: about.made_at for name, about in self._over.items()}
        made |= {name: hosted.made_at for name, hosted in self._hosted.items()}
        names = sorted(made, key=lambda name: (-made[name], name))
        first = names.index(after) + 1 if after in made else 0
        found = [await self.find(name) for name in names[first : first + limit]]
        return [hosted for hosted in found if hosted is not None], len(names) > first + limit

    async def find(self, tournament: str) -> Hosted | None:
        """One tournament, read from the store if it is over; None if there is none."""
        if self.get(tournament) is None and tournament in self._over:
            hosted = Hosted(tournament)
            await self.house.read(lambda: open_tournament(self.house.store, hosted))
            self._recall(hosted)
        return self.get(tournament)

    def get(self, tournament: str) -> Hosted | None:
        """One tournament that this process has in memory; None if it has none."""
        return self._hosted.get(tournament) or self._recalled.get(tournament)

    def may(self, actor: Actor, tournament: str) -> tuple[str, ...]:
        """The names of the commands this user may give now."""
        hosted = self.get(tournament)
        return may(hosted, actor) if hosted is not None else ()

    # --- catching up ---

    async def catch_up(self, tournament: str = "") -> None:
        """Apply entries written by other processes, for one tournament or for all; one that is over is read."""
        if self.house.options.leased:
            await self._catch_up_all(tournament)
        if tournament:
            await self.find(tournament)

    async def _catch_up_all(self, tournament: str) -> None:
        for head in await self.house.read(lambda: self.house.store.heads(stream_of(tournament))):
            name = head.stream.removeprefix(STREAM)
            known = self._hosted.get(name) or self._over.get(name)
            if known is None or known.version < head.version:
                await self._catch_up_one(name)

    async def _catch_up_one(self, tournament: str) -> Hosted | None:
        async with self.house.lock(stream_of(tournament)):
            hosted = self.get(tournament)
            if hosted is None:
                return await self._read(tournament)
            entries = await self.house.entries(stream_of(tournament), hosted.version)
            for entry in entries:
                hosted.apply(entry)
            if entries:
                self._keep(hosted)
        if entries:
            self.house.wallets_moved(entries)
            self.moved.put({tournament})
            self.wake(tournament)
        return hosted

    async def _read(self, tournament: str) -> Hosted | None:
        """Read a tournament that is not in memory; None if there is none."""
        hosted = Hosted(tournament)
        version = await self.house.read(lambda: open_tournament(self.house.store, hosted))
        if not hosted.version:
            return None
        self._snapshots[tournament] = version
        self._keep(hosted)
        self.wake(tournament)
        return hosted

    def _keep(self, hosted: Hosted) -> None:
        """Keep a tournament in memory, where something happens or may happen."""
        self._hosted[hosted.id] = hosted
        self._over.pop(hosted.id, None)
        self._recalled.pop(hosted.id, None)

    # --- writing ---

    async def make(self, actor: Actor, text: str, key: str) -> str | Problem:
        """Create a tournament from its conditions (TOML); repeating a key returns the same tournament."""
        if actor.role not in MAKERS:
            return problem("forbidden", role=actor.role, command="MakeTournament")
        mark = f"made:{actor.name}:tournament:{key}"
        claim = f"tournament {key}"
        find = self.house.store.find
        if (
            key
            and (before := await self.house.read(lambda: self.house.store.marked(mark, limit=1)))
            and await self.house.read(lambda: find(f"{KEYS}{actor.name}", actor.name, claim)) is None
        ):  # created by version 0.1.0
            return before[0].stream.removeprefix(STREAM)
        conditions = read_conditions(text, self.house.options.rulebooks)
        if isinstance(conditions, Problem):
            return conditions
        tournament = new_id(ROOM)
        if key:
            named = await self.house.claim(actor.name, claim, tournament, text.encode())
            if isinstance(named, Problem):
                return named
            tournament = named
        first = make_draft(tournament, conditions, text, actor, key)
        outcome = await self._append(tournament, 0, replace(first, marks=(mark,)) if key else first)
        if isinstance(outcome, Problem):
            return outcome
        if not isinstance(outcome, Appended | Conflict | Repeated):  # those were made by the same key
            return problem("not_here")
        await self._catch_up_one(tournament)
        event("tournament_made", tournament=tournament)
        return tournament

    async def command(
        self, actor: Actor, tournament: str, command: c.TournamentCommand, key: str, seen: int | None = None
    ) -> int | Problem:
        """Give a command to a tournament; returns the resulting version or the problem."""
        if self.house.options.leased and isinstance(command, c.NominateDirector | c.Substitute):
            await self.house.catch_up_with_people()
        named = self._named(command)
        if isinstance(named, Problem):
            return named
        hosted = await self.find(tournament)
        if hosted is not None and _own_tournament(hosted.state, actor.name, named):
            return problem("own_tournament")
        now = self.house.clock.wall()
        return await self.write(
            tournament,
            lambda hosted: ask(hosted, actor, timed(hosted.state, named, now, hosted.ended_at), key, seen),
            (actor.name, key),
            lambda hosted, entry: same_command(hosted, entry, actor, named),
        )

    def _named(self, command: c.TournamentCommand) -> c.TournamentCommand | Problem:
        """Check that a newly named player has an account; return the name in the account's spelling."""
        match command:
            case c.NominateDirector(director=name) | c.Substitute(substitute=name):
                account = self.house.people.find(name)
                if account is None:
                    return problem("no_such_person", name=name)
                if isinstance(command, c.Substitute):
                    return replace(command, substitute=account.name)
                if account.role != "tournament_director":
                    return problem("not_a_director", name=account.name)
                return replace(command, director=account.name)
            case c.Enter(player=name) | c.EnterLate(player=name) if name:
                account = self.house.people.find(name)
                return replace(command, player=account.name) if account else problem("no_such_person", name=name)
            case c.MoveStart():
                return replace(command, now=self.house.clock.wall())
            case _:
                return command

    async def write(
        self,
        tournament: str,
        make: Callable[[Hosted], Draft | Problem],
        key: tuple[str, str],
        same: Callable[[Hosted, Entry], bool] = lambda _, __: True,
    ) -> int | Problem:
        """Write what `make` decides for the current state; decide again if another process wrote first.

        `same` says whether an entry that used the key before was written for the same command.
        """
        if tournament not in self._hosted:
            await self.catch_up(tournament)
        hosted = self.get(tournament)
        if hosted is None:
            return problem("no_such_tournament")
        find = self.house.store.find
        for _ in range(TRIES):
            known = await self.house.read(lambda: find(stream_of(tournament), *key)) if key[1] else None
            if known is not None:
                return known.version if same(hosted, known) else problem("key_reused")
            wanted = make(hosted)
            if isinstance(wanted, Problem):
                if not await self._behind(hosted):
                    return wanted
                continue
            outcome = await self._append(tournament, hosted.version, wanted)
            if isinstance(outcome, Problem):
                return outcome
            await self._catch_up_one(tournament)
            match outcome:
                case Appended(entries=entries):
                    return entries[0].version
                case Repeated(entry=entry):
                    return entry.version if same(hosted, entry) else problem("key_reused")
                case _:
                    pass
        return problem("not_here")

    async def _behind(self, hosted: Hosted) -> bool:
        """Catch up before refusing, if other processes write too; return whether anything was new."""
        before = hosted.version
        if self.house.options.leased:
            await self._catch_up_one(hosted.id)
        return hosted.version > before

    async def _append(self, tournament: str, version: int, draft: Draft) -> Outcome | Problem:
        append = Append(stream_of(tournament), version, self.house.clock.wall(), (draft,))
        try:
            outcome = await self.house.writer.append(append)
        except WriterClosedError:
            return problem("closing")
        return problem("not_enough_chips") if isinstance(outcome, NotEnough) else outcome


def timed(state: Tournament, command: c.TournamentCommand, now: int, ended: int = 0) -> c.TournamentCommand:
    """A command about seats, with the server's time until the session starts (20.9, 20.10).

    `ended` is when the last session ended.
    """
    if not isinstance(command, c.TakeSeat | c.OfferSeat | c.StartSession | c.EnterLate):
        return command
    starts = specified_start(state, ended)
    left = (starts - now) or -1 if starts else 0
    if isinstance(command, c.StartSession):
        if not starts and state.session == 1:  # a sit-and-go begins when it is full, but not before its time
            left = max(0, earliest_start(state) - now)
        return replace(command, until_start=left, unannounced=not left and not starts)
    return replace(command, until_start=left)


def _own_tournament(state: Tournament, by: str, command: c.TournamentCommand) -> bool:
    """Whether a command would make the director a player of this tournament, or a player its director."""
    match command:
        case c.Enter(player=name) | c.EnterLate(player=name):
            return same_name(name or by) == same_name(state.director)
        case c.Substitute(substitute=name):
            return same_name(name) == same_name(state.director)
        case c.NominateDirector(director=name):
            player = find(state, name)
            return player is not None and player.status in ("in", "reserve")
        case _:
            return False

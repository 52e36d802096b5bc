"""All tournaments of the house, `house.tournaments`: any process writes them all, as it writes the people's stream."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pontoon.quoting import quoted
from pontoon.rulebook import NAMES, Rulebook, RulebookError, load
from pontoon.server.capacity import Actor
from pontoon.server.logs import event
from pontoon.server.names import new_id
from pontoon.server.problems import MALFORMED, Problem, problem
from pontoon.server.tournaments.decide import ask, make_draft, may
from pontoon.server.tournaments.hosted import ROOM, Hosted
from pontoon.server.tournaments.log import STREAM, stream_of
from pontoon.server.tournaments.permits import MAKERS
from pontoon.server.tournaments.steward import Steward
from pontoon.server.writer import WriterClosedError
from pontoon.store.model import Append, Appended, Draft, NotEnough, Outcome, Repeated
from pontoon.tournament import Tournament
from pontoon.tournament import commands as c
from pontoon.tournament.conditions import Conditions
from pontoon.tournament.load import ConditionsError, examine

if TYPE_CHECKING:
    from pontoon.server.house import House

TRIES = 20
FILE = "the conditions"


class ConditionsProblem(Problem, frozen=True):
    """Conditions that cannot be used, and every fault of them."""

    faults: tuple[tuple[str, str], ...] = ()
    """Clause and words."""


def read_conditions(text: str, own: Mapping[str, Rulebook] | None = None) -> Conditions | ConditionsProblem:
    """Conditions that can be played, or all that is wrong with them; `own` are the rulebooks beside the five."""

    def find(name: str) -> Rulebook:
        """By its name: a client names no files of the server."""
        books = own or {}
        if name not in (*NAMES, *books):
            raise RulebookError(f"no rulebook {quoted(name)} here; there are {', '.join((*NAMES, *books))}")
        return books.get(name) or load(name)

    try:
        conditions, found = examine(text, FILE, find)
    except ConditionsError as error:
        return ConditionsProblem(MALFORMED, "conditions_unreadable", {"detail": str(error)})
    if conditions is not None and not found:
        return conditions
    words = "; ".join(f"{one.words} [{one.clause}]" for one in found)
    clauses = tuple(dict.fromkeys(one.clause for one in found))
    return ConditionsProblem(
        MALFORMED, "conditions_incomplete", {"detail": words}, clauses, tuple((one.clause, one.words) for one in found)
    )


class Tournaments:
    """Every tournament of this house, following their streams."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._hosted: dict[str, Hosted] = {}
        self._stewards: dict[str, Steward] = {}

    # --- life ---

    async def start(self) -> None:
        """Read every tournament, and take up the tables of those that are played."""
        await self._follow_all("")

    async def close(self) -> None:
        """No steward does anything more; what is under way is written."""
        stewards = tuple(self._stewards.values())
        for steward in stewards:
            steward.task.cancel()
        await asyncio.gather(*(steward.task for steward in stewards), return_exceptions=True)

    def wake(self, tournament: str) -> None:
        """Something happened at a table of this tournament, or to the tournament."""
        hosted, steward = self._hosted.get(tournament), self._stewards.get(tournament)
        if steward is not None and not steward.task.done():
            steward.woken.set()
        elif hosted is not None and not self.house.closing and Steward.needed(hosted):
            self._stewards[tournament] = Steward(self.house, hosted)

    # --- asking ---

    def all(self) -> tuple[Hosted, ...]:
        """Every tournament, the newest first."""
        return tuple(sorted(self._hosted.values(), key=lambda one: (-one.made_at, one.id)))

    def get(self, tournament: str) -> Hosted | None:
        """One tournament as this process knows it; None where there is none."""
        return self._hosted.get(tournament)

    def may(self, actor: Actor, tournament: str) -> tuple[str, ...]:
        """The names of the commands this person may give now."""
        hosted = self._hosted.get(tournament)
        return may(hosted, actor) if hosted is not None else ()

    # --- following ---

    async def follow(self, tournament: str = "") -> None:
        """Catch up with what other processes wrote: of one tournament, or of all."""
        if self.house.options.leased:
            await self._follow_all(tournament)

    async def _follow_all(self, tournament: str) -> None:
        for head in await self.house.read(lambda: self.house.store.heads(stream_of(tournament))):
            name = head.stream.removeprefix(STREAM)
            hosted = self._hosted.get(name)
            if hosted is None or hosted.version < head.version:
                await self._follow(name)

    async def _follow(self, tournament: str) -> Hosted | None:
        async with self.house.lock(stream_of(tournament)):
            hosted = self._hosted.get(tournament) or Hosted(tournament)
            entries = await self.house.entries(stream_of(tournament), hosted.version)
            for entry in entries:
                hosted.follow(entry)
            if not hosted.version:
                return None
            self._hosted[tournament] = hosted
        if entries:
            self.house.wallets_moved(entries)
            self.wake(tournament)
        return hosted

    # --- writing ---

    async def make(self, actor: Actor, text: str, key: str) -> str | Problem:
        """A new tournament from its conditions (TOML); the same key again gives the same one."""
        if actor.role not in MAKERS:
            return problem("forbidden", role=actor.role, command="MakeTournament")
        mark = f"made:{actor.name}:tournament:{key}"
        if key and (before := await self.house.read(lambda: self.house.store.marked(mark, limit=1))):
            return before[0].stream.removeprefix(STREAM)
        conditions = read_conditions(text, self.house.options.rulebooks)
        if isinstance(conditions, Problem):
            return conditions
        tournament = new_id(ROOM)
        first = make_draft(tournament, conditions, text, actor, key)
        outcome = await self._append(tournament, 0, replace(first, marks=(mark,)) if key else first)
        if isinstance(outcome, Problem):
            return outcome
        if not isinstance(outcome, Appended):
            return problem("not_here")
        await self._follow(tournament)
        event("tournament_made", tournament=tournament)
        return tournament

    async def command(
        self, actor: Actor, tournament: str, command: c.TournamentCommand, key: str, seen: int | None = None
    ) -> int | Problem:
        """Ask something of a tournament; the version it led to, or why not."""
        if self.house.options.leased and isinstance(command, c.NominateDirector | c.Substitute):
            await self.house.follow_people()
        named = self._named(command)
        if isinstance(named, Problem):
            return named
        now = self.house.clock.wall()
        return await self.write(
            tournament, lambda hosted: ask(hosted, actor, timed(hosted.state, named, now), key, seen), (actor.name, key)
        )

    def _named(self, command: c.TournamentCommand) -> c.TournamentCommand | Problem:
        """Whoever is named by a command for the first time must be somebody here; under the name they have here."""
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
            case c.MoveStart():
                return replace(command, now=self.house.clock.wall())
            case _:
                return command

    async def write(
        self, tournament: str, make: Callable[[Hosted], Draft | Problem], key: tuple[str, str]
    ) -> int | Problem:
        """Write what `make` says of the tournament as it is; again where somebody else was faster."""
        if tournament not in self._hosted:
            await self.follow(tournament)
        hosted = self._hosted.get(tournament)
        if hosted is None:
            return problem("no_such_tournament")
        for _ in range(TRIES):
            known = hosted.keys.get(key) if key[1] else None
            if known is not None:
                return known
            wanted = make(hosted)
            if isinstance(wanted, Problem):
                if not await self._behind(hosted):
                    return wanted
                continue
            outcome = await self._append(tournament, hosted.version, wanted)
            if isinstance(outcome, Problem):
                return outcome
            await self._follow(tournament)
            match outcome:
                case Appended(entries=entries):
                    return entries[0].version
                case Repeated(entry=entry):
                    return entry.version
                case _:
                    pass
        return problem("not_here")

    async def _behind(self, hosted: Hosted) -> bool:
        """Where others write too, a no is said of the tournament as it is, not as it was."""
        before = hosted.version
        if self.house.options.leased:
            await self._follow(hosted.id)
        return hosted.version > before

    async def _append(self, tournament: str, version: int, draft: Draft) -> Outcome | Problem:
        append = Append(stream_of(tournament), version, self.house.clock.wall(), (draft,))
        try:
            outcome = await self.house.writer.append(append)
        except WriterClosedError:
            return problem("closing")
        return problem("not_enough_chips") if isinstance(outcome, NotEnough) else outcome


def timed(state: Tournament, command: c.TournamentCommand, now: int) -> c.TournamentCommand:
    """A command about seats with the time until the session starts, which is the server's to say (20.9, 20.10)."""
    if not isinstance(command, c.TakeSeat | c.OfferSeat | c.StartSession):
        return command
    starts = state.start
    first = state.session == 1 and not state.conditions.structure.sit_and_go
    if not starts and first:
        starts = int(state.conditions.start.at.timestamp() * 1000)  # a time without a zone is the server's own
    return replace(command, until_start=(starts - now) or -1 if starts else 0)

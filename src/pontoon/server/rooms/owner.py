"""The owner of a table: one task that takes its commands in order and deals when no player must act.

What is decided is written first, then applied; the sender gets its answer after the commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from math import inf
from typing import Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pontoon.engine import Refusal, Reversed
from pontoon.ledger import Posting, holder_of, netted, practice_bank, receivable
from pontoon.server.operation.clock import Clock
from pontoon.server.operation.logs import broken, event
from pontoon.server.operation.metrics import COMMAND_SECONDS, COMMANDS, ROUNDS, STEPS
from pontoon.server.operation.traces import TRACES
from pontoon.server.problems import Problem, problem, refused
from pontoon.server.records.past_rounds import PastRooms, earlier_round, with_round
from pontoon.server.rooms.actors import stamped
from pontoon.server.rooms.commands import Asked, RemoveBot, Resume
from pontoon.server.rooms.decide import Decided, Step, ask, same_command
from pontoon.server.rooms.live import Live, Question
from pontoon.server.rooms.log import BotLeft, LogEvent, RoundKept
from pontoon.server.rooms.pauses import relief
from pontoon.server.rooms.room import CLOCK, Plan, stream_of
from pontoon.server.rooms.settings import gaming_open
from pontoon.server.rooms.state import shortened
from pontoon.server.rooms.writer import Writer, WriterClosedError
from pontoon.store.model import Append, Appended, Entry, NotEnough, Outcome, Repeated, Store, StoreError
from pontoon.table import commands as c
from pontoon.table.events import DisputeDecided, EarlierRoundVoided, InRound, RoundReconstructed

T = TypeVar("T")


class Read(Protocol):
    """How to query the store without stopping the process."""

    async def __call__(self, work: Callable[[], T], /) -> T:
        """The result of a query."""


class Patience(Struct, frozen=True):
    """How long a table continues, or stays paused, without people; in seconds."""

    unwatched: float = inf
    """How long bots play on after the last watcher left."""
    spent: Callable[[], bool] = bool
    """Whether the maker of the table has used the day's entries, and only bots play."""
    paused: float = 1800.0
    """How long a table may be paused before its stakes go back."""


LEAST_PACE = 50
"""Milliseconds between the steps of a table that only bots play, so that it does not take the machine."""
TRIES = 5
LOOK_UP = 600.0
"""Seconds after which a table with hours looks at the clock again, which may have been set."""
PATIENCE = 1.0
"""Seconds before the program retries a failed write."""


def _takes_back(one: LogEvent) -> bool:
    """Whether an event undoes payments."""
    if isinstance(one, DisputeDecided):
        return one.amount < 0
    return isinstance(one, EarlierRoundVoided | RoundReconstructed) or (
        isinstance(one, InRound) and isinstance(one.event, Reversed)
    )


class Owner:
    """Writes one room."""

    def __init__(  # noqa: PLR0913, PLR0917 everything around a table, given once
        self,
        live: Live,
        store: Store,
        writer: Writer,
        clock: Clock,
        written: Callable[[Sequence[Entry]], None],
        read: Read,
        patience: Patience | None = None,
    ) -> None:
        """`written` is called with the entries that were written and applied; `read` queries the store."""
        self.read = read
        self.patience = patience or Patience()
        self.live = live
        self.store = store
        self.writer = writer
        self.clock = clock
        self.written = written
        self._only_looks = False
        """The wait was for a look at the clock (hours of gaming), not for what the program does next."""

    async def run(self) -> None:
        """Run until the table has another owner or the server closes."""
        live = self.live
        while live.owned:
            question = await self._next_question()
            try:
                if question is not None:
                    await self._answer(question)
                elif live.owned:
                    await self._deal()
            except WriterClosedError:
                live.owned = False
                self._reply(question, problem("closing"))
            except StoreError as error:
                broken("table_not_written", table=live.room.id, version=live.room.version)
                self._reply(question, problem("unsure" if error.unsure else "store_away"))
                live.replan()
                await asyncio.sleep(PATIENCE)  # a full disk or an unreachable database: it continues when they are back
            except Exception:  # noqa: BLE001 a bug at one table must not stop the others, nor lose an answer
                broken("table_failed", table=live.room.id, version=live.room.version)
                live.stuck = live.room.version
                self._reply(question, problem("broken"))
        self._turn_away()

    @staticmethod
    def _reply(question: Question | None, answer: int | Problem) -> None:
        if question is not None and not question.answer.done():
            question.answer.set_result(answer)

    def _turn_away(self) -> None:
        """Callers still waiting ask the next owner."""
        while not self.live.inbox.empty():
            self._reply(self.live.inbox.get_nowait(), problem("not_here"))

    async def _next_question(self) -> Question | None:
        """The next command, or None when it is time for the program to act."""
        live = self.live
        if not live.inbox.empty():
            return self._taken(live.inbox.get_nowait())
        plan = None if self._rests() else live.plan
        change, rest = self._hours()
        if change is not None:
            return None
        waits = [min(rest / 1000, LOOK_UP)] if rest else []
        if self._relief() is not None:
            waits.append(max(live.held_since + self.patience.paused - self.clock.steady(), 0))
        if plan is not None:
            waits.append(self._left(plan))
        if not waits:
            return self._taken(await live.inbox.get())
        wait = min(waits)
        self._only_looks = plan is None or wait < self._left(plan)
        if wait <= 0:
            return None
        bell = asyncio.get_running_loop().call_later(wait, self._ring)  # `wait_for` would make a task each time
        try:
            return self._taken(await live.inbox.get())
        finally:
            bell.cancel()

    def _taken(self, question: Question | None) -> Question | None:
        """A question; after a call to look again the program does nothing before its time."""
        if question is None and self.live.woken:
            self._only_looks = True
        self.live.woken = self.live.woken and question is not None
        return question

    def _ring(self) -> None:
        """Act on an expired clock, unless a command arrived at the same moment."""
        if self.live.inbox.empty():
            self.live.inbox.put_nowait(None)

    def _rests(self) -> bool:
        """Whether only bots play, and nobody watches or their maker has used the day's entries."""
        wait = -inf if self.patience.spent() else self.patience.unwatched
        return self.live.rests(self.clock.steady(), wait)

    def _relief(self) -> c.TableCommand | Resume | None:
        """What gives the stakes of a paused table back."""
        return relief(self.live.room.state) if self.live.room.state.held else None

    def _overdue(self) -> Plan | None:
        """The same, if the table has been paused for too long."""
        step = self._relief()
        due = self.clock.steady() >= self.live.held_since + self.patience.paused
        return Plan(0, CLOCK, step) if step is not None and due else None

    def _hours(self) -> tuple[c.SetHours | None, int]:
        """The change of the hours of gaming that is due, and the milliseconds to the next one; 0 for none."""
        state = self.live.room.state
        is_open, rest = gaming_open(state.settings, self.clock.wall())
        return (c.SetHours(is_open) if is_open == state.table.hours_over and rest else None), rest

    def _left(self, plan: Plan) -> float:
        """Seconds until a plan is carried out."""
        return self.live.began + self._delay(plan.delay) / 1000 - self.clock.steady()

    def _delay(self, planned: int) -> int:
        return max(planned, LEAST_PACE) if self.live.room.state.settings.bots_alone else planned

    # --- what people ask for ---

    async def _answer(self, question: Question) -> None:
        with TRACES.span("own", question.trace):
            await self._answered(question)

    async def _answered(self, question: Question) -> None:
        kind, began = type(question.asked).__name__, self.clock.steady()
        asked = stamped(question.asked, self.clock.wall())
        version = self.live.room.version + 1
        with TRACES.span("decide"):
            decided = await self._decided(asked, question)
        if isinstance(decided, Decided):
            answer = await self._written(decided, question)
        else:
            answer = await self._known(question) or decided
        outcome = answer.code if isinstance(answer, Problem) else "done" if answer == version else "repeated"
        COMMANDS.labels(kind, outcome).inc()
        COMMAND_SECONDS.observe(self.clock.steady() - began)
        self._reply(question, answer)

    async def _decided(self, asked: Asked, question: Question) -> Decided | Problem:
        """The outcome of a command; a round that is no longer in memory is read from the log first."""
        room = self.live.room
        number = earlier_round(room.state, asked)
        if not number:
            return room.ask(question.actor, asked, question.key, question.seen)
        stream = stream_of(room.id)
        done = await self.read(lambda: PastRooms(self.store).finished(stream, number))
        decided = ask(with_round(room.state, done), question.actor, asked, question.key, question.seen)
        if isinstance(decided, Problem):
            return decided
        return replace(decided, tables=tuple(shortened(table) for table in decided.tables))

    async def _known(self, question: Question) -> int | Problem | None:
        """The version of an earlier command with this key, even if it would be refused now."""
        if not question.key:
            return None
        stream, by = stream_of(self.live.room.id), question.actor.name
        entry = await self.read(lambda: self.store.find(stream, by, question.key))
        return self._repeat(entry, question) if entry is not None else None

    @staticmethod
    def _repeat(entry: Entry, question: Question) -> int | Problem:
        """A key that was used: for the same command its version, for another one a problem."""
        return entry.version if same_command(entry, question.actor, question.asked) else problem("key_reused")

    async def _written(self, decided: Decided, question: Question) -> int | Problem:
        """Write a command, and with it what the program does immediately."""
        version = self.live.room.version + 1
        outcome = await self._append(decided, *self._at_once(decided))
        for _ in range(TRIES):
            if not isinstance(outcome, NotEnough):
                break
            owed = self._owed(decided)
            if owed is None:
                return problem("not_enough_chips")
            outcome = await self._append(owed)
        match outcome:
            case Appended():
                return version
            case Repeated(entry=entry):
                return self._repeat(entry, question)
            case NotEnough():
                return problem("not_enough_chips")
            case _:
                return problem("not_here")

    def _at_once(self, decided: Decided) -> list[Decided]:
        """At an instant table, the program's further steps until it waits for a player."""
        state = decided.state
        return [] if state.clocks.card or state.settings.bots_alone else self.live.room.at_once(state)

    def _owed(self, decided: Decided) -> Decided | None:
        """What is taken back beyond the balance becomes a debt, or is forgiven in practice; a stake must be covered."""
        draft = decided.draft
        if not any(_takes_back(happening) for happening in decided.events):
            return None
        owing_account = practice_bank if decided.state.settings.own_chips else receivable
        moved: list[Posting] = []
        for posting in draft.postings:
            player = holder_of(posting.account)
            short = -posting.amount - self.store.balance(posting.account) if player else 0
            if short > 0:
                owing = Posting(owing_account(player), -short)
                moved += (Posting(posting.account, posting.amount + short), owing)
            else:
                moved.append(posting)
        return replace(decided, draft=replace(draft, postings=netted(moved)))

    # --- what the program does ---

    async def _deal(self) -> None:
        live = self.live
        change, _ = self._hours()
        overdue = self._overdue()
        plan = Plan(0, CLOCK, change) if change is not None else overdue or live.plan
        only_looks = self._only_looks or self._rests()
        if plan is None or (change is None and overdue is None and only_looks):
            return
        decided = live.room.decide(live.room.state, plan)
        if isinstance(decided, Refusal):
            self._stuck(decided)
            return
        outcome = await self._append(decided, *self._at_once(decided))
        if isinstance(outcome, NotEnough):
            await self._short(plan, holder_of(outcome.account))

    async def _short(self, plan: Plan, player: str) -> None:
        """A player has too few chips for the program's step: a bot leaves; a restricted co-bettor cannot cover."""
        if isinstance(plan.command, c.Deal) and player not in plan.command.unable:
            unable = (*plan.command.unable, player)
            decided = self.live.room.decide(self.live.room.state, replace(plan, command=c.Deal(unable=unable)))
            if isinstance(decided, Decided) and not isinstance(await self._append(decided), NotEnough):
                return
        await self._send_away(player)

    def _stuck(self, no: Refusal) -> None:
        """The next required step was refused: report it and pause the table."""
        self.live.stuck = self.live.room.version
        why = refused(no)
        event("table_waits", table=self.live.room.id, code=why.code)
        self.live.tell(why)

    async def _send_away(self, player: str) -> None:
        """A bot without chips leaves."""
        step = Step(self.live.room.state)
        if player not in {bot.player for bot in step.state.bots}:
            self.live.stuck = self.live.room.version
            return
        step.do(c.Leave(player))
        step.put(BotLeft(player))
        await self._append(step.drafted("dealer", "program", "", RemoveBot(player)))

    async def _append(self, *decided: Decided) -> Outcome:
        """Write a decision; the room adopts it only once it is on disk."""
        live = self.live
        drafts = tuple(decision.draft for decision in decided)
        append = Append(stream_of(live.room.id), live.room.version, self.clock.wall(), drafts, live.epoch)
        with TRACES.span("append"):
            outcome = await self.writer.append(append)
        match outcome:
            case Appended(entries=entries):
                with TRACES.span("publish"):
                    happened = live.apply(entries, self.clock.steady(), decided)
                    self._published(entries)
                STEPS.inc(len(entries))
                ROUNDS.inc(sum(isinstance(step.event, RoundKept) for step in happened))
            case NotEnough() | Repeated():
                live.replan()
            case _:
                live.owned = False
                event("table_lost", table=live.room.id, outcome=type(outcome).__name__)
        return outcome

    def _published(self, entries: Sequence[Entry]) -> None:
        """Pass on what is on disk; a fault here must not make a done command look refused."""
        try:
            self.written(entries)
        except Exception:  # noqa: BLE001 whatever it is, the command was done and its sender must learn that
            broken("entries_not_published", table=self.live.room.id, version=self.live.room.version)

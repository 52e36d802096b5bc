"""Owning a table: one task takes its commands one after the other, and deals when nobody has to be waited for.

Whatever is decided is written first and followed then; who asked hears of it after the commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from pontoon.engine import Refusal, Reversed
from pontoon.ledger import Posting, netted, receivable, wallet_of
from pontoon.server.clock import Clock
from pontoon.server.commands import Asked, RemoveBot
from pontoon.server.decide import NOTICED, Decided, Step
from pontoon.server.live import Live, Question
from pontoon.server.log import BotLeft, LogEvent, RoundKept
from pontoon.server.logs import broken, event
from pontoon.server.metrics import COMMANDS, ROUNDS, STEPS
from pontoon.server.problems import Problem, problem, refused
from pontoon.server.room import CLOCK, Plan, stream_of
from pontoon.server.settings import gaming_open
from pontoon.server.writer import Writer, WriterClosedError
from pontoon.store.model import Append, Appended, Entry, NotEnough, Outcome, Repeated, Store, StoreError
from pontoon.table import commands as c
from pontoon.table.events import DisputeDecided, EarlierRoundVoided, InRound, RoundReconstructed

LEAST_PACE = 50
"""Milliseconds between the steps of a table that only bots play, so that it does not take the machine."""
TRIES = 5
LOOK_UP = 600.0
"""Seconds after which a table with hours looks at the clock again, which may have been set."""
PATIENCE = 1.0
"""Seconds until the program tries again what could not be written."""


def _takes_back(one: LogEvent) -> bool:
    """Whether an event undoes what was paid."""
    if isinstance(one, DisputeDecided):
        return one.amount < 0
    return isinstance(one, EarlierRoundVoided | RoundReconstructed) or (
        isinstance(one, InRound) and isinstance(one.event, Reversed)
    )


class Owner:
    """Writes one room."""

    def __init__(
        self, live: Live, store: Store, writer: Writer, clock: Clock, written: Callable[[Sequence[Entry]], None]
    ) -> None:
        """`written` is told what was written and followed."""
        self.live = live
        self.store = store
        self.writer = writer
        self.clock = clock
        self.written = written
        self._only_looks = False
        """The wait was for a look at the clock (hours of gaming), not for what the program does next."""

    async def run(self) -> None:
        """Until the table is somebody else's or the server closes."""
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
            except StoreError:
                broken("table_not_written", table=live.room.id, version=live.room.version)
                self._reply(question, problem("broken"))
                live.replan()
                await asyncio.sleep(PATIENCE)  # a full disk, a database that is away: it goes on when they are back
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
        """Whoever still waits asks the next owner."""
        while not self.live.inbox.empty():
            self._reply(self.live.inbox.get_nowait(), problem("not_here"))

    async def _next_question(self) -> Question | None:
        """The next command, or None when it is time for the program to act."""
        live = self.live
        if not live.inbox.empty():
            return live.inbox.get_nowait()
        plan = live.plan
        change, rest = self._hours()
        if change is not None:
            return None
        waits = [min(rest / 1000, LOOK_UP)] if rest else []
        if plan is not None:
            waits.append(self._left(plan))
        if not waits:
            return await live.inbox.get()
        wait = min(waits)
        self._only_looks = plan is None or wait < self._left(plan)
        if wait <= 0:
            return None
        bell = asyncio.get_running_loop().call_later(wait, self._ring)  # `wait_for` would make a task each time
        try:
            return await live.inbox.get()
        finally:
            bell.cancel()

    def _ring(self) -> None:
        """Time is up, unless somebody came in the same moment."""
        if self.live.inbox.empty():
            self.live.inbox.put_nowait(None)

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
        kind = type(question.asked).__name__
        asked = self._timed(question.asked)
        decided = self.live.room.ask(question.actor, asked, question.key, question.seen)
        answer = await self._written(decided) if isinstance(decided, Decided) else decided
        outcome = answer.code if isinstance(answer, Problem) else "repeated" if decided == answer else "done"
        COMMANDS.labels(kind, outcome).inc()
        self._reply(question, answer)

    def _timed(self, asked: Asked) -> Asked:
        """The minutes since the notice of closing are the server's to count (adelaide 121), not the sender's to say."""
        room = self.live.room
        if not isinstance(asked, c.Close) or room.state.table.closing != "minutes":
            return asked
        noticed = self.store.marked(NOTICED, stream=stream_of(room.id), limit=1)
        if not noticed:  # given by version 0.1.0, which left no mark
            return asked
        return replace(asked, minutes=(self.clock.wall() - noticed[0].at) // 60_000)

    async def _written(self, decided: Decided) -> int | Problem:
        """Write a command, and with it what the program does at once."""
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
                return entry.version
            case NotEnough():
                return problem("not_enough_chips")
            case _:
                return problem("not_here")

    def _at_once(self, decided: Decided) -> list[Decided]:
        """At an instant table the program goes on in the same breath, up to where somebody is waited for."""
        state = decided.state
        return [] if state.clocks.card or state.settings.bots_alone else self.live.room.at_once(state)

    def _owed(self, decided: Decided) -> Decided | None:
        """What the house takes back from a wallet that has less is owed; a player's own stake must be there."""
        draft = decided.draft
        if not any(_takes_back(one) for one in decided.events):
            return None
        moved: list[Posting] = []
        for one in draft.postings:
            player = wallet_of(one.account)
            short = -one.amount - self.store.balance(one.account) if player else 0
            if short > 0:
                owing = Posting(receivable(player), -short)
                moved += (Posting(one.account, one.amount + short), owing)
            else:
                moved.append(one)
        return replace(decided, draft=replace(draft, postings=netted(moved)))

    # --- what the program does ---

    async def _deal(self) -> None:
        live = self.live
        change, _ = self._hours()
        plan = Plan(0, CLOCK, change) if change is not None else live.plan
        if plan is None or (change is None and self._only_looks):
            return
        decided = live.room.decide(live.room.state, plan)
        if isinstance(decided, Refusal):
            self._stuck(decided)
            return
        outcome = await self._append(decided, *self._at_once(decided))
        if isinstance(outcome, NotEnough):
            await self._short(plan, wallet_of(outcome.account))

    async def _short(self, plan: Plan, player: str) -> None:
        """Somebody has too few chips for what the program does: a bot leaves; a restricted co-bettor cannot cover."""
        if isinstance(plan.command, c.Deal) and player not in plan.command.unable:
            unable = (*plan.command.unable, player)
            decided = self.live.room.decide(self.live.room.state, replace(plan, command=c.Deal(unable=unable)))
            if isinstance(decided, Decided) and not isinstance(await self._append(decided), NotEnough):
                return
        await self._send_away(player)

    def _stuck(self, no: Refusal) -> None:
        """What the book asks for next is refused: say why, and wait for somebody to put it right."""
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
        """Write what was decided; once it is on disk, and only then, the room is as it was decided."""
        live = self.live
        drafts = tuple(one.draft for one in decided)
        append = Append(stream_of(live.room.id), live.room.version, self.clock.wall(), drafts, live.epoch)
        outcome = await self.writer.append(append)
        match outcome:
            case Appended(entries=entries):
                happened = live.follow(entries, self.clock.steady(), decided)
                STEPS.inc(len(entries))
                ROUNDS.inc(sum(isinstance(one.event, RoundKept) for one in happened))
                self.written(entries)
            case NotEnough() | Repeated():
                live.replan()
            case _:
                live.owned = False
                event("table_lost", table=live.room.id, outcome=type(outcome).__name__)
        return outcome

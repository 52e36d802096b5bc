"""What a command leads to in a room: a draft for the log, or a problem for the sender. Pure: nothing happens yet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pontoon.engine import Command, DeclineInsurance, DeclineSurrender, Refusal
from pontoon.ledger import BANK, Posting, at_table, netted, table_postings, wallet
from pontoon.server import commands as r
from pontoon.server.capacity import APPROVES, Actor, for_table, signed, whose
from pontoon.server.log import (
    Body,
    BotLeft,
    BotSeated,
    HeatEnded,
    LogEvent,
    PaceSet,
    Passed,
    PlayPaused,
    PlayResumed,
    RoomEvent,
    RoundKept,
    RoundOpened,
    RulingApproved,
    RulingProposed,
    RulingRejected,
    SeedKept,
    WagerMissed,
    write_body,
)
from pontoon.server.permits import verdict
from pontoon.server.problems import Problem, problem, refused
from pontoon.server.settings import Settings
from pontoon.server.state import RoomState, at_entry, evolve_room, with_table
from pontoon.server.tournaments import heat as heats
from pontoon.server.wire import KEPT, kept
from pontoon.store.model import Draft
from pontoon.table import Table, perform, refusal
from pontoon.table import commands as c
from pontoon.table.bots import BOTS
from pontoon.table.events import CardsCollected, ClosingNoticed, EarlierRoundVoided, Reported, RoundBegan, TableEvent

BOT_STAKES = 1000
"""How many of its stakes a bot sits down with."""
MOST_STAKE = 10**12
"""What a bot may bet at a table without a maximum: what it sits down with must be an amount the ledger can hold."""
NEEDS_SECOND_PERSON = "needs_second_person"
NOTICED, REPORT = "noticed", "report"
"""Marks of the entries that give notice of closing, and that report to an authority."""


class Decided(Struct, frozen=True):
    """What would be written, and the room after it: the owner adopts it once the store has these bytes."""

    draft: Draft
    state: RoomState
    events: tuple[LogEvent, ...]
    tables: tuple[Table, ...]
    """The table after each event."""


class Step:
    """One command on its way through a room: each event is applied once, then a draft comes out."""

    def __init__(self, state: RoomState) -> None:
        self.state = state
        self.events: list[LogEvent] = []
        self.tables: list[Table] = []
        self.moved: list[Posting] = []
        """The postings of the table's events."""

    def put(self, event: RoomEvent) -> None:
        """Append an event of the room and apply it."""
        self._append(event, evolve_room(self.state, event, self.state.version + 1))

    def _append(self, event: LogEvent, state: RoomState) -> None:
        self.events.append(event)
        self.tables.append(state.table)
        self.state = state

    def do(self, command: c.TableCommand) -> Refusal | None:
        """Do something at the table; at one of a tournament rule 20 is asked as well."""
        state = self.state
        heat, table = state.heat, state.table
        no = heats.refuse_at(heat, state.settings, table, command) if heat is not None else None
        no = no or refusal(table, command)
        if no is not None:
            return no
        done = perform(table, command)
        moved = [table_postings(event) for event in done.events]
        every = [posting for postings in moved for posting in postings]
        no = heats.refuse_moved(heat, every) if heat is not None else None
        if no is not None:
            return no
        self.moved += every
        for event, table, postings in zip(done.events, done.states, moved, strict=True):
            self._append(event, with_table(self.state, event, state.version + 1, table, postings))
            if isinstance(event, CardsCollected):
                self._keep_round()
        return None

    def _keep_round(self) -> None:
        state = self.state
        done = state.table.finished[-1]
        self.put(RoundKept(done.number, state.first, state.moved, done.void))

    def drafted(self, by: str, role: str, key: str, did: c.TableCommand | r.RoomCommand) -> Decided:
        """The draft of all this."""
        events = tuple(self.events)
        draft = Draft(
            by,
            write_body(Body(role, did, events)),
            key,
            _netted(self.state.id, self.state.settings, events, self.moved),
            marks_of(events),
        )
        return Decided(draft, at_entry(self.state, self.state.version + 1), events, tuple(self.tables))


def postings_of(room: str, settings: Settings, events: tuple[LogEvent, ...]) -> tuple[Posting, ...]:
    """What all these events move, netted by account."""
    moved = [one for event in events if isinstance(event, TableEvent) for one in table_postings(event)]
    return _netted(room, settings, events, moved)


def _netted(
    room: str, settings: Settings, events: tuple[LogEvent, ...], moved: Iterable[Posting]
) -> tuple[Posting, ...]:
    """What the table's events move, and those of the room beside it."""
    if settings.heat is not None:
        return netted(heats.postings_of(settings.heat.purse, events, moved))
    every = list(at_table(room, moved))
    for event in events:
        if isinstance(event, BotSeated):
            every += (Posting(BANK, -event.chips), Posting(wallet(event.player), event.chips))
    return netted(every) if every else ()


def marks_of(events: tuple[LogEvent, ...]) -> tuple[str, ...]:
    """Where a round begins and ends, and whom it is about."""
    names: list[str] = []
    for event in events:
        match event:
            case RoundBegan(number=number):
                names.append(f"began:{number}")
            case RoundKept(number=number, players=players):
                names += ["round", f"round:{number}", *(f"player:{player}" for player, _, _ in players)]
            case EarlierRoundVoided(number=number):
                names.append(f"voided:{number}")
            case ClosingNoticed():
                names.append(NOTICED)
            case Reported():
                names.append(REPORT)
            case _:
                pass
    return tuple(dict.fromkeys(names))


# --- what a client asks for ----------------------------------------------------------------------------


def ask(state: RoomState, actor: Actor, asked: r.Asked, key: str, seen: int | None) -> Decided | Problem:
    """A command from a client: may they, do they know what they answer, and what the table says."""
    name = type(asked).__name__
    about = whose(asked, actor, state.made_by)
    given = verdict(name, actor.role, about, state.table.mode, state.table.phase)
    steward = actor.name == heats.STEWARD
    if given not in ("allowed", "not_now") and not steward:
        return problem(given, role=actor.role, command=name, dealt=state.table.mode)
    if state.heat is not None and not steward and isinstance(asked, (*heats.NOT_HERE, r.SeatBot, r.SetPace)):
        return problem("run_by_steward", command=name)
    if state.paused and actor.role == "player" and _answers(asked):
        return problem("paused", reason=state.paused)
    if seen is not None and (seen > state.version or (seen < state.since and _answers(asked))):
        return problem("stale", version=seen, current=state.version)
    command = signed(asked, actor)
    step = Step(state)
    if isinstance(command, r.RoomCommand):
        wrong = room_step(step, actor, command)
        return wrong or step.drafted(actor.name, actor.role, key, command)
    return _at_table(step, actor, command, key)


def _answers(asked: r.Asked) -> bool:
    """Whether a command answers what the table asks now, and so must have seen it."""
    return isinstance(asked, Command | c.Cut | c.DeclineCut | c.CallOut | r.Pass)


def _at_table(step: Step, actor: Actor, command: Command | c.TableCommand, key: str) -> Decided | Problem:
    at_table_now = for_table(command, actor)
    no = step.do(at_table_now)
    if no is None:
        if isinstance(command, DeclineInsurance | DeclineSurrender) and actor.name not in step.state.passed:
            step.put(Passed(actor.name))  # the round does not remember it, and nobody waits for an answer given
        return step.drafted(actor.name, actor.role, key, at_table_now)
    if no.code != NEEDS_SECOND_PERSON:
        return refused(no)
    return _proposed(step, actor, at_table_now, key, no)


def _proposed(step: Step, actor: Actor, command: c.TableCommand, key: str, no: Refusal) -> Decided | Problem:
    """Where one person alone cannot rule, the ruling waits for a second, and play with it."""
    second = second_capacity(step.state, command, (capacity for one in APPROVES.values() for capacity in one))
    if isinstance(second, Refusal):
        return refused(second)
    inner = command.command if isinstance(command, c.Play) else command
    raw = msgspec.Raw(msgspec.json.encode(command))
    step.put(
        RulingProposed(step.state.ruled + 1, actor.name, actor.role, type(inner).__name__, raw, no.clauses),
    )
    return step.drafted(actor.name, actor.role, key, command)


def second_capacity(state: RoomState, ruling: Any, capacities: Iterable[str]) -> str | Refusal:  # noqa: ANN401 all that have an approver
    """In which of these capacities a second person may approve a ruling, or why in none."""
    no: Refusal | None = None
    for capacity in capacities:
        reason = refusal(state.table, replace(ruling, approver=capacity))
        if reason is None:
            return capacity
        no = reason if no is None or no.code == NEEDS_SECOND_PERSON else no
    assert no is not None
    return no


# --- the room's own commands ---------------------------------------------------------------------------


def _pass(step: Step, actor: Actor, _: r.Pass) -> Problem | None:
    state = step.state
    asked = actor.name in state.moment.players or state.moment.kind == "wagers"
    if not asked or actor.name in state.passed or state.moment.kind == "decision":
        return problem("nothing_to_pass", player=actor.name)
    if state.moment.kind == "cut":
        step.do(c.DeclineCut(actor.name))
    else:
        step.put(Passed(actor.name))
    return None


def _pause(step: Step, _: Actor, command: r.Pause) -> Problem | None:
    if step.state.held:
        return problem("paused", reason=step.state.held)
    step.put(PlayPaused(command.reason))
    return None


def _resume(step: Step, _: Actor, __: r.Resume) -> Problem | None:
    if not step.state.held:
        return problem("paused", reason=step.state.paused) if step.state.paused else problem("not_paused")
    step.put(PlayResumed())
    return None


def _set_pace(step: Step, _: Actor, command: r.SetPace) -> Problem | None:
    step.put(PaceSet(command.card, command.decision))
    return None


def _seat_bot(step: Step, _: Actor, command: r.SeatBot) -> Problem | None:
    if command.bot not in BOTS:
        return problem("malformed", detail=f"there is no bot {command.bot!r}; there are {', '.join(BOTS)}")
    limits = step.state.table.limits
    stake, most = command.stake or limits.minimum or 1000, min(limits.maximum or MOST_STAKE, MOST_STAKE)
    if not max(limits.minimum, 1) <= stake <= most or stake % 2:
        return problem("malformed", detail="a bot's stake is an even number of cents within the table's limits")
    player = f"bot {step.state.id} {command.box}"
    no = step.do(c.Sit(player, command.box))
    if no is not None:
        return refused(no)
    step.put(BotSeated(player, command.box, command.bot, stake, stake * BOT_STAKES))
    return None


def _remove_bot(step: Step, _: Actor, command: r.RemoveBot) -> Problem | None:
    if command.player not in {bot.player for bot in step.state.bots}:
        return problem("seat_of_a_bot", player=command.player)
    step.do(c.Leave(command.player))
    step.put(BotLeft(command.player))
    return None


def _approve(step: Step, actor: Actor, command: r.Approve) -> Problem | None:
    waiting = next((one for one in step.state.proposals if one.number == command.number), None)
    if waiting is None:
        return problem("no_such_proposal", number=command.number)
    if waiting.by == actor.name:
        return problem("own_proposal")
    ruling: Any = kept(msgspec.json.decode(waiting.command, type=KEPT))
    second = second_capacity(step.state, ruling, APPROVES[actor.role])
    if isinstance(second, Refusal):  # it was lawful when it was proposed: it waits on, to be rejected
        return refused(second)
    step.put(RulingApproved(waiting.number, actor.name, actor.role))
    no = step.do(replace(ruling, approver=second))
    assert no is None, no
    return None


def _reject(step: Step, actor: Actor, command: r.Reject) -> Problem | None:
    if command.number not in {one.number for one in step.state.proposals}:
        return problem("no_such_proposal", number=command.number)
    step.put(RulingRejected(command.number, actor.name, command.reason))
    return None


# --- a table of a tournament ---------------------------------------------------------------------------


def _open_round(step: Step, _: Actor, command: r.OpenRound) -> Problem | None:
    """Who plays no longer gets up, who came sits down, and wagers are open."""
    state = step.state
    heat, table = state.heat, state.table
    if heat is None or state.settings.heat is None:
        return problem("not_a_heat")
    if heat.ended or heat.on:
        return problem("heat_ended" if heat.ended else "round_is_on")
    if table.phase != "ready" or table.due or not command.places:
        return problem("not_ready")
    issued = bool(state.settings.heat.extra) and not heat.opened
    step.put(
        RoundOpened(
            command.round,
            command.places,
            command.marker,
            command.chips,
            command.pace,
            table.shoe_number,
            issued,
        )
    )
    before = {(seat.box, seat.player) for seat in table.seats}
    moves = [c.Leave(player) for box, player in sorted(before - set(command.places))]
    for move in (*moves, *(c.Sit(player, box) for box, player in command.places if (box, player) not in before)):
        no = step.do(move)
        if no is not None:
            return refused(no)
    return None


def _miss_wager(step: Step, _: Actor, command: r.MissWager) -> Problem | None:
    """Only the one whose turn it is, and only where the conditions say so."""
    state = step.state
    if state.heat is None or state.settings.heat is None:
        return problem("not_a_heat")
    box = next((box for box, player in state.heat.places if player == command.player), 0)
    if state.settings.heat.absent != "eliminated" or heats.order(state.heat, state.table)[:1] != (box,):
        return problem("nobody_missed")
    step.put(WagerMissed(command.player, box))
    step.do(c.Leave(command.player))
    return None


def _end_heat(step: Step, _: Actor, __: r.EndHeat) -> Problem | None:
    """Everybody gets up, the table closes, chips of extra rounds are handed back."""
    state = step.state
    heat = state.heat
    if heat is None or state.settings.heat is None:
        return problem("not_a_heat")
    if heat.ended or heat.on:
        return problem("heat_ended" if heat.ended else "round_is_on")
    extra = state.settings.heat.extra and heat.opened
    step.put(HeatEnded(tuple(one for one in heat.chips if one[1]) if extra else ()))
    for move in (*(c.Leave(seat.player) for seat in state.table.seats), c.Close()):
        no = step.do(move)
        if no is not None:
            return refused(no)
    return None


_ROOM: dict[type[r.RoomCommand], Any] = {
    r.Pass: _pass,
    r.Pause: _pause,
    r.Resume: _resume,
    r.SetPace: _set_pace,
    r.SeatBot: _seat_bot,
    r.RemoveBot: _remove_bot,
    r.Approve: _approve,
    r.Reject: _reject,
    r.OpenRound: _open_round,
    r.MissWager: _miss_wager,
    r.EndHeat: _end_heat,
}


def room_step(step: Step, actor: Actor, command: r.RoomCommand) -> Problem | None:
    """What one of the room's own commands leads to."""
    answer: Problem | None = _ROOM[type(command)](step, actor, command)
    return answer


# --- what the program does -----------------------------------------------------------------------------


def program_step(
    state: RoomState, command: c.TableCommand | r.RoomCommand, by: str, seed: SeedKept | None = None
) -> Decided | Refusal:
    """A command of the dealer's program, the clock or a bot; a shuffle comes with its seed."""
    step = Step(state)
    if isinstance(command, r.RoomCommand):
        wrong = room_step(step, Actor(by), command)
        assert wrong is None, wrong
        return step.drafted(by, "program", "", command)
    if seed is not None:
        step.put(seed)
    no = step.do(command)
    return no if no is not None else step.drafted(by, "program", "", command)

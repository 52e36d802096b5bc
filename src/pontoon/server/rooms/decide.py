"""Decide a command in a room: a draft for the log, or a problem for the sender. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pontoon.engine import Command, DeclineInsurance, DeclineSurrender, Refusal
from pontoon.ledger import BANK, Posting, at_table, in_practice_chips, netted, table_postings, wallet
from pontoon.server.floor.money import floor_postings, with_walk_ups
from pontoon.server.floor.rules import FLOOR
from pontoon.server.problems import Problem, problem, refused
from pontoon.server.rooms import commands as r
from pontoon.server.rooms.actors import APPROVES, Actor, for_table, signed, stamped, whose
from pontoon.server.rooms.log import (
    Body,
    BotLeft,
    BotSeated,
    CardUndone,
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
    read_body,
    write_body,
)
from pontoon.server.rooms.permits import verdict
from pontoon.server.rooms.settings import Settings
from pontoon.server.rooms.state import RoomState, at_entry, evolve_room, with_table
from pontoon.server.tournaments import heat as heats
from pontoon.server.wire import KEPT, kept
from pontoon.store.model import Draft, Entry
from pontoon.table import Table, perform, refusal
from pontoon.table import commands as c
from pontoon.table.bots import BOTS
from pontoon.table.events import CardsCollected, EarlierRoundVoided, Reported, RoundBegan, TableEvent
from pontoon.table.rounds import IRREGULAR

BOT_STAKES = 1000
"""A bot's buy-in, in stakes."""
MOST_STAKE = 10**12
"""A bot's maximum stake at a table without a maximum, so that its buy-in fits the ledger."""
INCIDENT = "incident"
"""Mark of an entry that opens an incident; with the number behind it, of every entry that belongs to one."""
NEEDS_SECOND_PERSON = "needs_second_person"
STOPPED = "stopped:"
"""Before the reason of a pause that only officials may end."""
REPORT, SHOE = "report", "shoe"
"""Marks of the entries that report to an authority, and that begin a shoe that can be proved."""


DEALING = (
    c.Deal, c.Collect, c.Shuffle, c.ShuffleDiscards, c.Cut, c.DeclineCut, c.CallOut, c.PlaceCuttingCard, c.BurnFirst,
    c.ReturnDiscards,
)  # fmt: skip
"""What a dealer does with the cards, in addition to the commands of the round."""


class Decided(Struct, frozen=True):
    """The draft entry and the room after it, which the owner adopts once the entry is stored."""

    draft: Draft
    state: RoomState
    events: tuple[LogEvent, ...]
    tables: tuple[Table, ...]
    """The table after each event."""


class Step:
    """Collects the events of one command, applying each once, and produces the draft."""

    def __init__(self, state: RoomState) -> None:
        self.state = state
        self.incidents = state.floor.incidents
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
        """Carry out a table command; at a tournament table, rule 20 is checked as well."""
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
        """The draft of the collected events."""
        events = tuple(self.events)
        draft = Draft(
            by,
            write_body(Body(role, did, events)),
            key,
            _netted(self.state.id, self.state.settings, events, self.moved),
            (*marks_of(events), *self._incident()),
        )
        return Decided(draft, at_entry(self.state, self.state.version + 1), events, tuple(self.tables))

    def _incident(self) -> tuple[str, ...]:
        """The marks of an entry that opens an incident or belongs to one."""
        floor = self.state.floor
        opened = (INCIDENT,) if floor.incidents > self.incidents else ()
        return (*opened, f"{INCIDENT}:{floor.incident}") if floor.incident else ()


def postings_of(room: str, settings: Settings, events: tuple[LogEvent, ...]) -> tuple[Posting, ...]:
    """The postings of these events, netted by account."""
    moved = [posting for event in events if isinstance(event, TableEvent) for posting in table_postings(event)]
    return _netted(room, settings, events, moved)


def _netted(
    room: str, settings: Settings, events: tuple[LogEvent, ...], moved: Iterable[Posting]
) -> tuple[Posting, ...]:
    """The postings of the table's and the room's events, netted by account."""
    if settings.heat is not None:
        return netted(heats.postings_of(settings.heat.purse, events, moved))
    every = list(at_table(room, moved))
    for event in events:
        if isinstance(event, CardUndone):
            every += at_table(room, (Posting(*moved) for moved in event.returns))
    if settings.mode == "floor":
        every = with_walk_ups(room, every)
    for event in events:
        if isinstance(event, RoomEvent):
            every += floor_postings(room, event)
        if isinstance(event, BotSeated):
            every += (Posting(BANK, -event.chips), Posting(wallet(event.player), event.chips))
    return netted(in_practice_chips(every) if settings.own_chips else every) if every else ()


def marks_of(events: tuple[LogEvent, ...]) -> tuple[str, ...]:
    """The marks of an entry: the start and end of a round, and its players."""
    names: list[str] = []
    for event in events:
        match event:
            case RoundBegan(number=number):
                names.append(f"began:{number}")
            case RoundKept(number=number, players=players):
                names += ["round", f"round:{number}", *(f"player:{player}" for player, _, _ in players)]
            case EarlierRoundVoided(number=number):
                names.append(f"voided:{number}")
            case Reported():
                names.append(REPORT)
            case SeedKept():
                names.append(SHOE)
            case _:
                pass
    return tuple(dict.fromkeys(names))


# --- commands of clients -------------------------------------------------------------------------------


def ask(state: RoomState, actor: Actor, asked: r.Asked, key: str, seen: int | None) -> Decided | Problem:
    """Decide a client's command: check permission and version, then the rules of the table."""
    name = type(asked).__name__
    about = whose(asked, actor, state.made_by)
    given = verdict(name, actor.role, about, state.table.mode, state.table.phase)
    steward = actor.name == heats.STEWARD
    if given not in ("allowed", "not_now") and not steward:
        return problem(given, role=actor.role, command=name, dealt=state.table.mode)
    if state.heat is not None and not steward and isinstance(asked, (*heats.NOT_HERE, r.SeatBot, r.SetPace)):
        return problem("run_by_steward", command=name)
    if state.paused and _plays_on(actor, asked):
        return problem("paused", reason=state.paused, role=actor.role)
    if seen is not None and (seen > state.version or (seen < state.since and _answers(asked))):
        return problem("stale", version=seen, current=state.version)
    command = signed(asked, actor)
    step = Step(state)
    if isinstance(command, r.RoomCommand):
        wrong = room_step(step, actor, command)
        return wrong or step.drafted(actor.name, actor.role, key, command)
    return _at_table(step, actor, command, key)


def same_command(entry: Entry, actor: Actor, asked: r.Asked) -> bool:
    """Whether an entry was written for this command of this actor."""
    command = signed(asked, actor)
    wanted = command if isinstance(command, r.RoomCommand) else for_table(command, actor)
    did = read_body(entry.body).did
    return did == stamped(wanted, getattr(did, "at", 0))  # the time is the server's own


def _answers(asked: r.Asked) -> bool:
    """Whether a command answers the table's current question, so its sender must have seen it."""
    return isinstance(asked, Command | c.Cut | c.DeclineCut | c.CallOut | r.Pass)


def _plays_on(actor: Actor, asked: r.Asked) -> bool:
    """Whether a command would continue a game that is held; errors can be entered and corrected meanwhile."""
    if actor.role == "player":
        return _answers(asked)
    return actor.role == "dealer" and isinstance(asked, (Command, *DEALING)) and not isinstance(asked, IRREGULAR)


def _at_table(step: Step, actor: Actor, command: Command | c.TableCommand, key: str) -> Decided | Problem:
    at_table_now = for_table(command, actor)
    no = step.do(at_table_now)
    if no is None:
        if isinstance(command, DeclineInsurance | DeclineSurrender) and actor.name not in step.state.passed:
            step.put(
                Passed(actor.name)
            )  # the round does not record a decline; without this the table would keep waiting
        return step.drafted(actor.name, actor.role, key, at_table_now)
    if no.code != NEEDS_SECOND_PERSON:
        return refused(no)
    return _proposed(step, actor, at_table_now, key, no)


def _proposed(step: Step, actor: Actor, command: c.TableCommand, key: str, no: Refusal) -> Decided | Problem:
    """If a ruling needs a second person, propose it and pause play until it is approved."""
    second = second_capacity(step.state, command, (capacity for approve in APPROVES.values() for capacity in approve))
    if isinstance(second, Refusal):
        return refused(second)
    inner = command.command if isinstance(command, c.Play) else command
    raw = msgspec.Raw(msgspec.json.encode(command))
    step.put(
        RulingProposed(step.state.ruled + 1, actor.name, actor.role, type(inner).__name__, raw, no.clauses),
    )
    return step.drafted(actor.name, actor.role, key, command)


def second_capacity(state: RoomState, ruling: Any, capacities: Iterable[str]) -> str | Refusal:  # noqa: ANN401 all that have an approver
    """The capacity in which a second person may approve a ruling, or the refusal."""
    no: Refusal | None = None
    for capacity in capacities:
        reason = refusal(state.table, replace(ruling, approver=capacity))
        if reason is None:
            return capacity
        no = reason if no is None or no.code == NEEDS_SECOND_PERSON else no
    assert no is not None
    return no


# --- room commands ------------------------------------------------------------------------------------


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


def _resume(step: Step, actor: Actor, __: r.Resume) -> Problem | None:
    if step.state.held.startswith(STOPPED) and actor.role == "player":
        return problem("forbidden", role=actor.role, command="Resume", dealt=step.state.table.mode)
    if not step.state.held:
        return problem("paused", reason=step.state.paused) if step.state.paused else problem("not_paused")
    step.put(PlayResumed())
    return None


def _set_pace(step: Step, _: Actor, command: r.SetPace) -> Problem | None:
    step.put(PaceSet(command.card, command.decision))
    return None


def _seat_bot(step: Step, _: Actor, command: r.SeatBot) -> Problem | None:
    if command.bot not in BOTS:
        return problem("malformed", detail=f"there is no bot {command.bot!r}; available: {', '.join(BOTS)}")
    limits = step.state.table.limits
    stake, most = command.stake or limits.minimum or 1000, min(limits.maximum or MOST_STAKE, MOST_STAKE)
    if not max(limits.minimum, 1) <= stake <= most or stake % 2:
        return problem("malformed", detail="a bot's stake must be an even number of cents within the table's limits")
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
    waiting = next((proposal for proposal in step.state.proposals if proposal.number == command.number), None)
    if waiting is None:
        return problem("no_such_proposal", number=command.number)
    if waiting.by == actor.name:
        return problem("own_proposal")
    ruling: Any = kept(msgspec.json.decode(waiting.command, type=KEPT))
    second = second_capacity(step.state, ruling, APPROVES[actor.role])
    if isinstance(second, Refusal):  # no longer allowed; it stays open until rejected
        return refused(second)
    step.put(RulingApproved(waiting.number, actor.name, actor.role))
    no = step.do(replace(ruling, approver=second))
    assert no is None, no
    return None


def _reject(step: Step, actor: Actor, command: r.Reject) -> Problem | None:
    if command.number not in {proposal.number for proposal in step.state.proposals}:
        return problem("no_such_proposal", number=command.number)
    step.put(RulingRejected(command.number, actor.name, command.reason))
    return None


# --- tournament tables --------------------------------------------------------------------------------


def _open_round(step: Step, _: Actor, command: r.OpenRound) -> Problem | None:
    """Unseat players who left, seat those who joined, and open wagers."""
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
    """Record a missed wager: only for the player whose turn it is, and only if the conditions say so."""
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
    """Unseat everyone, close the table, and return the chips of extra rounds."""
    state = step.state
    heat = state.heat
    if heat is None or state.settings.heat is None:
        return problem("not_a_heat")
    if heat.ended or heat.on:
        return problem("heat_ended" if heat.ended else "round_is_on")
    extra = state.settings.heat.extra and heat.opened
    step.put(HeatEnded(tuple(chip for chip in heat.chips if chip[1]) if extra else ()))
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
    **FLOOR,
}


def room_step(step: Step, actor: Actor, command: r.RoomCommand) -> Problem | None:
    """Decide a room command."""
    answer: Problem | None = _ROOM[type(command)](step, actor, command)
    return answer


# --- commands of the program ---------------------------------------------------------------------------


def program_step(
    state: RoomState, command: c.TableCommand | r.RoomCommand, by: str, seed: SeedKept | None = None
) -> Decided | Refusal:
    """Decide a command of the dealer program, the clock or a bot; a shuffle comes with its seed."""
    step = Step(state)
    if isinstance(command, r.RoomCommand):
        wrong = room_step(step, Actor(by), command)
        assert wrong is None, wrong
        return step.drafted(by, "program", "", command)
    if seed is not None:
        step.put(seed)
    no = step.do(command)
    return no if no is not None else step.drafted(by, "program", "", command)

"""The state of a room: the table, the program around it, and pending rulings. Folded from its log."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pontoon.ledger import Posting, table_postings, wallet_of
from pontoon.rulebook import Rulebook, RulebookError, pinned, recorded
from pontoon.server.floor import state as floors
from pontoon.server.floor.state import Floor
from pontoon.server.problems import Problem
from pontoon.server.rooms.log import (
    BotLeft,
    BotSeated,
    CardUndone,
    ChipsMoved,
    LogEvent,
    PaceSet,
    Passed,
    PaymentNoted,
    PlayPaused,
    PlayResumed,
    RoomEvent,
    RoundKept,
    RoundOpened,
    RulingApproved,
    RulingProposed,
    RulingRejected,
    SupervisorCalled,
    TableMade,
)
from pontoon.server.rooms.settings import Clocks, Settings, table_of
from pontoon.server.tournaments import heat as heats
from pontoon.server.tournaments.heat import Heat
from pontoon.table import Table, evolve
from pontoon.table.events import AmountOwed, DisputeDecided, EarlierRoundVoided, RoundBegan, TableEvent
from pontoon.table.program import Moment, moment

ROUNDS = 3
"""How many finished rounds a table keeps in memory."""


class Bot(Struct, frozen=True):
    """A program that plays a box."""

    player: str
    box: int
    kind: str
    stake: int


class Proposal(Struct, frozen=True):
    """A ruling that waits for a second person."""

    number: int
    by: str
    role: str
    what: str
    command: msgspec.Raw


class RoomState(Struct, frozen=True):
    """One room."""

    id: str
    settings: Settings
    digest: str
    made_by: str
    table: Table
    clocks: Clocks
    version: int = 0
    held: str = ""
    """Why the game is paused; empty if it is not."""
    bots: tuple[Bot, ...] = ()
    passed: tuple[str, ...] = ()
    """Players who are done for now."""
    proposals: tuple[Proposal, ...] = ()
    ruled: int = 0
    """How many rulings were proposed."""
    moment: Moment = Moment()
    since: int = 0
    """The version at which this prompt began; a client at an earlier version has not seen it."""
    place: tuple[object, ...] = ()
    first: int = 0
    """The version in which the round in progress began."""
    moved: tuple[tuple[str, int, int], ...] = ()
    """Each player's stake and net result in the round in progress."""
    idle: tuple[tuple[str, int], ...] = ()
    """Seated people with the number of rounds in which they made no wager."""
    heat: Heat | None = None
    """At a table of a tournament."""
    floor: Floor = Floor()
    """At a table dealt by a person, and the incidents of every table."""

    @property
    def paused(self) -> str:
        """Why the game is stopped: it is paused, or a ruling waits for a second person."""
        waiting = f"a ruling waits for approval: {self.proposals[0].what}" if self.proposals else ""
        return self.held or waiting


def made(event: TableMade) -> RoomState:
    """The room after its first event, under the rulebook that the event carries; RulebookError if it is unknown."""
    try:
        table = table_of(event.settings, _rules_of(event))
    except RulebookError as error:
        raise RulebookError(f"table {event.id}: {error}") from None
    assert not isinstance(table, Problem), "a table was made that cannot be made"
    heat = Heat() if event.settings.heat is not None else None
    return RoomState(event.id, event.settings, event.digest, event.by, table, event.settings.clocks, heat=heat)


def _rules_of(event: TableMade) -> Rulebook:
    if event.book:
        return _pinned(event.book, event.digest)
    return recorded(event.settings.rulebook, event.settings.overrides, event.digest)


@lru_cache(maxsize=256)
def _pinned(text: str, digest: str) -> Rulebook:
    """Cached, because many tables share a rulebook."""
    return pinned(text, digest)


def evolve_room(state: RoomState, event: LogEvent, version: int) -> RoomState:
    """Apply one event of the entry with this version."""
    if isinstance(event, TableEvent):
        return with_table(state, event, version, evolve(state.table, event), table_postings(event))
    if state.heat is not None:
        state = replace(state, heat=heats.evolve(state.heat, event))
    state = _noted(state, event)
    if isinstance(event, CardUndone):
        return _undone(state, event, version)
    step = _STEPS.get(type(event))
    return step(state, event) if step is not None else state


def _noted(state: RoomState, event: LogEvent) -> RoomState:
    floor = floors.noted(state.floor, event)
    return state if floor is state.floor else replace(state, floor=floor)


def _undone(state: RoomState, event: CardUndone, version: int) -> RoomState:
    """The table and the stakes as they were before the card."""
    last = state.floor.undo[-1]
    return replace(state, table=last.table, moved=last.moved, floor=floors.undone(state.floor, event, version))


def _chips_moved(state: RoomState, event: ChipsMoved) -> RoomState:
    return replace(state, floor=floors.with_chips(state.floor, event))


def _payment_noted(state: RoomState, event: PaymentNoted) -> RoomState:
    tray = state.floor.tray
    return state if tray is None else replace(state, floor=replace(state.floor, tray=tray - event.paid + event.due))


def _called(state: RoomState, event: SupervisorCalled) -> RoomState:
    return replace(state, held=event.reason or "a supervisor is called")


def _passed(state: RoomState, event: Passed) -> RoomState:
    return replace(state, passed=(*state.passed, event.player))


def _paused(state: RoomState, event: PlayPaused) -> RoomState:
    return replace(state, held=event.reason or "paused")


def _resumed(state: RoomState, _: PlayResumed) -> RoomState:
    return replace(state, held="")


def _pace(state: RoomState, event: PaceSet) -> RoomState:
    return replace(state, clocks=replace(state.clocks, card=event.card, decision=event.decision))


def _bot_seated(state: RoomState, event: BotSeated) -> RoomState:
    return replace(state, bots=(*state.bots, Bot(event.player, event.box, event.bot, event.stake)))


def _bot_left(state: RoomState, event: BotLeft) -> RoomState:
    return replace(state, bots=tuple(bot for bot in state.bots if bot.player != event.player))


def _proposed(state: RoomState, event: RulingProposed) -> RoomState:
    waiting = Proposal(event.number, event.by, event.role, event.what, event.command)
    return replace(state, proposals=(*state.proposals, waiting), ruled=event.number)


def _ruled(state: RoomState, event: RulingApproved | RulingRejected) -> RoomState:
    left = tuple(proposal for proposal in state.proposals if proposal.number != event.number)
    return replace(state, proposals=left)


def _kept(state: RoomState, event: RoundKept) -> RoomState:
    bet, before = {player for player, _, _ in event.players}, dict(state.idle)
    bots = {bot.player for bot in state.bots}
    people = [seat.player for seat in state.table.seats if seat.player not in bots | bet]
    return replace(state, moved=(), idle=tuple((player, before.get(player, 0) + 1) for player in people))


def _round_opened(state: RoomState, event: RoundOpened) -> RoomState:
    return replace(state, clocks=replace(state.clocks, wagers=event.pace, decision=event.pace))


_STEPS: dict[type[RoomEvent], Any] = {
    Passed: _passed,
    PlayPaused: _paused,
    PlayResumed: _resumed,
    PaceSet: _pace,
    BotSeated: _bot_seated,
    BotLeft: _bot_left,
    RulingProposed: _proposed,
    RulingApproved: _ruled,
    RulingRejected: _ruled,
    RoundKept: _kept,
    RoundOpened: _round_opened,
    ChipsMoved: _chips_moved,
    PaymentNoted: _payment_noted,
    SupervisorCalled: _called,
}


def with_table(
    state: RoomState, event: TableEvent, version: int, table: Table, postings: tuple[Posting, ...]
) -> RoomState:
    """The room after an event of its table; `table` is the result, and these chips move."""
    state = _noted(state, event)
    if table.mode == "floor":
        floor = floors.at_table(state.floor, event, (state.table, state.moved), version, postings)
        state = replace(state, floor=floor)
    if isinstance(event, RoundBegan):
        return replace(state, table=table, first=version, moved=())
    if not postings:
        return replace(state, table=table)
    heat = heats.moved(state.heat, postings) if state.heat is not None else None
    if isinstance(event, EarlierRoundVoided | AmountOwed | DisputeDecided):  # not a result of this round
        return replace(state, table=table, heat=heat)
    return replace(state, table=table, heat=heat, moved=_moved(state.moved, postings))


def _moved(before: tuple[tuple[str, int, int], ...], postings: tuple[Posting, ...]) -> tuple[tuple[str, int, int], ...]:
    """Add up each player's stake (chips moved to the table) and net result."""
    changes = [
        (player, posting.amount) for posting in postings if posting.amount and (player := wallet_of(posting.account))
    ]
    sums = {player: (staked, net) for player, staked, net in before}
    for player, amount in changes:
        staked, net = sums.get(player, (0, 0))
        sums[player] = (staked - min(amount, 0), net + amount)
    return tuple((player, *sums[player]) for player in sorted(sums))


def shortened(table: Table) -> Table:
    """The table with the last rounds only; those before are read from the log (server/records/past_rounds.py)."""
    return replace(table, finished=table.finished[-ROUNDS:]) if len(table.finished) > ROUNDS else table


def at_entry(state: RoomState, version: int, *, passing: bool = False) -> RoomState:
    """The room after all events of an entry: whom it waits for now, and since when.

    `passing` leaves out whom it waits for, which costs most and is not needed where the next entry follows.
    """
    if len(state.table.finished) > ROUNDS:
        state = replace(state, table=shortened(state.table))
    place, now = _place(state.table), state.moment if passing else moment(state.table)
    if state.heat is not None:  # each player in turn has their own time limit
        place = (*place, state.heat.on, heats.order(state.heat, state.table))
        now = heats.in_turn(state.heat, now, state.table)
    state = replace(state, version=version, moment=now)
    if state.floor.incident and not state.paused:
        state = replace(state, floor=replace(state.floor, incident=0))
    return state if place == state.place else replace(state, place=place, since=version, passed=())


def waited_for(state: RoomState) -> set[str]:
    """The people the table is waiting for, without bots and players who are done."""
    table, now = state.table, state.moment
    players = set(now.players)
    if state.heat is not None and now.kind == "wagers":
        return players or (_side_bettors(state) - set(state.passed))  # no wager may be omitted (20.14)
    if now.kind == "wagers":
        boxes = table.round.boxes if table.round is not None else ()
        players |= {wager.player for box in boxes for wager in box.bettors}
    return players - {bot.player for bot in state.bots} - set(state.passed)


def _side_bettors(state: RoomState) -> set[str]:
    """Players who may still make a side wager when all have wagered."""
    offered = any(bet.offered for bet in state.table.rules.side)
    return {player for _, player in state.heat.places} if state.heat is not None and offered else set()


def is_alone(state: RoomState) -> bool:
    """Whether the one person waited for is the only one at a practice table: there is no need to hurry."""
    if not state.settings.practice or state.table.mode == "floor" or not _usual(state) or state.moment.kind == "cut":
        return False  # a cut that is offered and not taken would hold up the first hand
    waiting = waited_for(state)
    boxes = state.table.round.boxes if state.table.round is not None else ()
    people = {seat.player for seat in state.table.seats} | {wager.player for box in boxes for wager in box.bettors}
    return len(waiting) == 1 and people - {bot.player for bot in state.bots} == waiting


def clock(state: RoomState) -> int:
    """Milliseconds from the beginning of this moment until the program continues without the people; 0 for no clock."""
    table = state.table
    if state.paused or table.mode == "floor" or not waited_for(state) or is_alone(state):
        return 0
    return _usual(state)


def _usual(state: RoomState) -> int:
    """The time that people have at this moment; 0 if the program does not wait."""
    table, kind = state.table, state.moment.kind
    if state.heat is not None and kind == "wagers":
        return state.clocks.wagers if state.moment.players else state.clocks.offer
    if kind == "wagers":
        return state.clocks.wagers if table.round is not None and table.round.boxes else 0
    return state.clocks.decision if kind == "decision" else state.clocks.offer


def _place(table: Table) -> tuple[object, ...]:
    """What a client must have seen to answer: cards and turn, who cuts, or the number of the round."""
    state = table.round
    if state is None or table.phase != "round":
        return (table.phase, table.finished[-1].number if table.finished else 0, table.offered[:1])
    return (table.phase, table.due, state.phase, state.turn, state.cards_used, state.exposed)

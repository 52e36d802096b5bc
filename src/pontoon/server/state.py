"""A room as it stands: the table, the program around it, and what waits. A fold of its log, like everything else."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pontoon.ledger import Posting, table_postings, wallet_of
from pontoon.rulebook import Rulebook, RulebookError, pinned, recorded
from pontoon.server.log import (
    BotLeft,
    BotSeated,
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
    TableMade,
)
from pontoon.server.problems import Problem
from pontoon.server.settings import Clocks, Settings, table_of
from pontoon.server.tournaments import heat as heats
from pontoon.server.tournaments.heat import Heat
from pontoon.table import Table, evolve
from pontoon.table.events import AmountOwed, DisputeDecided, EarlierRoundVoided, RoundBegan, TableEvent
from pontoon.table.program import Moment, moment


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
    """Why somebody holds the game; empty while nobody does."""
    bots: tuple[Bot, ...] = ()
    passed: tuple[str, ...] = ()
    """Who wants nothing more at this moment."""
    proposals: tuple[Proposal, ...] = ()
    ruled: int = 0
    """How many rulings were proposed."""
    moment: Moment = Moment()
    since: int = 0
    """The version at which this moment began: whoever saw an earlier one has not seen what is asked now."""
    place: tuple[object, ...] = ()
    first: int = 0
    """The version in which the round in progress began."""
    moved: tuple[tuple[str, int, int], ...] = ()
    """What each player has staked and stands to in the round in progress."""
    heat: Heat | None = None
    """At a table of a tournament."""

    @property
    def paused(self) -> str:
        """Why the game does not go on: somebody holds it, or a ruling waits for a second person."""
        waiting = f"a ruling waits for approval: {self.proposals[0].what}" if self.proposals else ""
        return self.held or waiting


def made(event: TableMade) -> RoomState:
    """The room after its first event, under the rulebook that the event carries; RulebookError where it is unknown."""
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
    """Read once for all tables that are played by it."""
    return pinned(text, digest)


def evolve_room(state: RoomState, event: LogEvent, version: int) -> RoomState:
    """The room after one more event of the entry with this version."""
    if isinstance(event, TableEvent):
        return with_table(state, event, version, evolve(state.table, event), table_postings(event))
    if state.heat is not None:
        state = replace(state, heat=heats.follow(state.heat, event))
    step = _STEPS.get(type(event))
    return step(state, event) if step is not None else state


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
    left = tuple(one for one in state.proposals if one.number != event.number)
    return replace(state, proposals=left)


def _kept(state: RoomState, _: RoundKept) -> RoomState:
    return replace(state, moved=())


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
}


def with_table(
    state: RoomState, event: TableEvent, version: int, table: Table, postings: tuple[Posting, ...]
) -> RoomState:
    """The room after an event of its table, which has led to this table and moves these chips."""
    if isinstance(event, RoundBegan):
        return replace(state, table=table, first=version, moved=())
    if not postings:
        return replace(state, table=table)
    heat = heats.moved(state.heat, postings) if state.heat is not None else None
    if isinstance(event, EarlierRoundVoided | AmountOwed | DisputeDecided):  # not a result of this round
        return replace(state, table=table, heat=heat)
    return replace(state, table=table, heat=heat, moved=_moved(state.moved, postings))


def _moved(before: tuple[tuple[str, int, int], ...], postings: tuple[Posting, ...]) -> tuple[tuple[str, int, int], ...]:
    """Staked is what left the wallet for the table, net what it all comes to."""
    changes = [(player, one.amount) for one in postings if one.amount and (player := wallet_of(one.account))]
    sums = {player: (staked, net) for player, staked, net in before}
    for player, amount in changes:
        staked, net = sums.get(player, (0, 0))
        sums[player] = (staked - min(amount, 0), net + amount)
    return tuple((player, *sums[player]) for player in sorted(sums))


def at_entry(state: RoomState, version: int) -> RoomState:
    """The room after all events of an entry: whom it waits for now, and since when."""
    place, now = _place(state.table), moment(state.table)
    if state.heat is not None:  # every player in turn has a time of his own
        place = (*place, state.heat.on, heats.order(state.heat, state.table))
        now = heats.in_turn(state.heat, now, state.table)
    state = replace(state, version=version, moment=now)
    return state if place == state.place else replace(state, place=place, since=version, passed=())


def waited_for(state: RoomState) -> set[str]:
    """The people who are waited for now: not bots, and nobody who wants nothing more."""
    table, now = state.table, state.moment
    players = set(now.players)
    if state.heat is not None and now.kind == "wagers":
        return players or (_side_bettors(state) - set(state.passed))  # nobody in turn may leave a wager out (20.14)
    if now.kind == "wagers":
        boxes = table.round.boxes if table.round is not None else ()
        players |= {wager.player for box in boxes for wager in box.bettors}
    return players - {bot.player for bot in state.bots} - set(state.passed)


def _side_bettors(state: RoomState) -> set[str]:
    """Who may still make a side wager when all have wagered."""
    offered = any(bet.offered for bet in state.table.rules.side)
    return {player for _, player in state.heat.places} if state.heat is not None and offered else set()


def clock(state: RoomState) -> int:
    """Milliseconds from the beginning of this moment until the program goes on without the people; 0 for no clock."""
    table, kind = state.table, state.moment.kind
    if state.paused or table.mode == "floor" or not waited_for(state):
        return 0
    if state.heat is not None and kind == "wagers":
        return state.clocks.wagers if state.moment.players else state.clocks.offer
    if kind == "wagers":
        return state.clocks.wagers if table.round is not None and table.round.boxes else 0
    return state.clocks.decision if kind == "decision" else state.clocks.offer


def _place(table: Table) -> tuple[object, ...]:
    """What somebody must have seen to know what is asked: cards and turn, who is to cut, else which round comes."""
    state = table.round
    if state is None or table.phase != "round":
        return (table.phase, len(table.finished), table.offered[:1])
    return (table.phase, table.due, state.phase, state.turn, state.cards_used, state.exposed)

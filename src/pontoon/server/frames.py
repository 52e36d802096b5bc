"""What goes out on a socket. Everything of a table passes `view` here; nothing else ever leaves.

A step is what one or more entries led to, with the table as it stands after them; a snapshot is the table alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from pontoon.money import dollars
from pontoon.rulebook import Clauses
from pontoon.server import log
from pontoon.server.problems import Problem
from pontoon.server.room import Happened
from pontoon.server.settings import OverrideValue
from pontoon.server.state import RoomState, clock
from pontoon.server.tournaments.heat import order
from pontoon.table.commitment import Proof
from pontoon.table.events import TableEvent
from pontoon.view.eye import Eye
from pontoon.view.table import table_view
from pontoon.view.table_events import EventView, event_view
from pontoon.view.table_parts import TableView

_encoder = msgspec.json.Encoder()


class BotView(Struct, frozen=True):
    """A program that plays a box."""

    player: str
    box: int
    kind: str


class ProposalView(Struct, frozen=True):
    """A ruling that waits for a second person."""

    number: int
    by: str
    role: str
    what: str


class HeatView(Struct, frozen=True):
    """What a tournament adds to its table."""

    tournament: str
    session: int
    table: int
    name: str
    """Of the session."""
    round: int
    rounds: int
    """Of the session; 0 where it lasts shoes or minutes."""
    marker: int
    """The box with the starting marker."""
    order: tuple[int, ...]
    """The boxes still to wager; the first is whose turn it is."""
    chips: tuple[tuple[str, int], ...]
    open: bool
    """Whether wagers are taken."""
    extra: int
    """Which lot of extra rounds between equal players; 0 for none."""
    ended: bool


class RoomView(Struct, frozen=True, omit_defaults=True):
    """The room around the table."""

    id: str
    name: str
    digest: str
    made_by: str
    waits: str = ""
    """What is waited for: wagers, decision, offer, join, cut."""
    players: tuple[str, ...] = ()
    """Who is waited for."""
    clock: int = 0
    """Milliseconds from this moment's beginning until the program goes on without them; 0 without a clock."""
    card: int = 0
    """Milliseconds between cards."""
    paused: str = ""
    passed: tuple[str, ...] = ()
    bots: tuple[BotView, ...] = ()
    proposals: tuple[ProposalView, ...] = ()
    practice: bool = False
    private: bool = False
    lesson: bool = False
    """The first cards of every shoe were chosen by whoever made the table."""
    overrides: dict[str, OverrideValue] = {}
    heat: HeatView | None = None
    """At a table of a tournament."""


class StepFrame(Struct, frozen=True, tag="step", omit_defaults=True):
    """What happened, and how it stands."""

    table: str
    first: int
    version: int
    events: tuple[EventView, ...]
    room: RoomView
    view: TableView
    proofs: tuple[Proof, ...] = ()
    """Of the cards dealt; with the commitment in the view anybody can check them."""


class SnapshotFrame(Struct, frozen=True, tag="snapshot", omit_defaults=True):
    """How it stands."""

    table: str
    version: int
    room: RoomView
    view: TableView
    left: int = 0
    """Milliseconds left of the clock that runs."""


class WelcomeFrame(Struct, frozen=True, tag="welcome"):
    """Who one is here."""

    name: str
    role: str
    guest: bool
    wallet: int


class ReplyFrame(Struct, frozen=True, tag="done"):
    """A command is on record at this version."""

    key: str
    version: int
    table: str = ""


class ProblemFrame(Struct, frozen=True, tag="problem", omit_defaults=True):
    """A command was not done, and why."""

    key: str
    status: int
    code: str
    words: str
    clauses: Clauses = ()


class WalletFrame(Struct, frozen=True, tag="wallet"):
    """What one has, in cents."""

    wallet: int


class NoticeFrame(Struct, frozen=True, tag="notice", omit_defaults=True):
    """Something to be said that is no event."""

    words: str
    table: str = ""
    clauses: Clauses = ()


class PongFrame(Struct, frozen=True, tag="pong"):
    """The answer to a ping."""

    at: int


Frame = StepFrame | SnapshotFrame | WelcomeFrame | ReplyFrame | ProblemFrame | WalletFrame | NoticeFrame | PongFrame


def encoded(frame: Frame) -> str:
    """A frame as it is sent: text, made once for everybody who sees the same."""
    return _encoder.encode(frame).decode()


def problem_frame(key: str, no: Problem) -> ProblemFrame:
    """A problem as the answer to a command."""
    return ProblemFrame(key, no.status, no.code, no.words, no.clauses)


def room_view(state: RoomState) -> RoomView:
    """The room around the table, the same for all eyes."""
    settings, now = state.settings, state.moment
    return RoomView(
        id=state.id,
        name=settings.name,
        digest=state.digest,
        made_by=state.made_by,
        waits=now.kind,
        players=now.players,
        clock=clock(state),
        card=state.clocks.card,
        paused=state.paused,
        passed=state.passed,
        bots=tuple(BotView(bot.player, bot.box, bot.kind) for bot in state.bots),
        proposals=tuple(ProposalView(one.number, one.by, one.role, one.what) for one in state.proposals),
        practice=settings.practice,
        private=settings.private,
        lesson=bool(settings.first_cards),
        overrides=settings.overrides,
        heat=_heat(state),
    )


def _heat(state: RoomState) -> HeatView | None:
    heat, settings = state.heat, state.settings.heat
    if heat is None or settings is None:
        return None
    waiting = order(heat, state.table)
    return HeatView(
        settings.tournament,
        settings.session,
        settings.table,
        settings.name,
        heat.round,
        settings.rounds,
        heat.marker,
        waiting,
        heat.chips,
        bool(waiting),
        settings.extra,
        heat.ended,
    )


def snapshot(state: RoomState, eye: Eye, left: int = 0) -> SnapshotFrame:
    """The room for one eye."""
    return SnapshotFrame(state.id, state.version, room_view(state), table_view(state.table, eye), left)


def step(state: RoomState, first: int, happened: Sequence[Happened], eye: Eye) -> StepFrame:
    """What these events come to for one eye.

    A proof shows its card, so where cards lie face down the proofs come with the record of the shoe at its end.
    """
    told = (told_of(one, eye) for one in happened)
    proofs = () if state.table.face_down else tuple(proof for one in happened for proof in one.proofs)
    return StepFrame(
        state.id,
        first,
        state.version,
        tuple(one for one in told if one is not None),
        room_view(state),
        table_view(state.table, eye),
        proofs,
    )


def told_of(one: Happened, eye: Eye) -> EventView | None:
    """What this eye is told of one event of table or room."""
    if isinstance(one.event, TableEvent):
        return event_view(one.event, one.before, one.after, eye)
    return _ROOM_EVENTS[type(one.event)](one.event)


# --- the room's own events -----------------------------------------------------------------------------


def _facts(*names: str, words: str) -> Callable[[Any], EventView]:
    """These facts of an event leave, and this sentence made of them."""

    def told(event: Any) -> EventView:  # noqa: ANN401 each row knows its own kind
        facts = {name: getattr(event, name) for name in names}
        return EventView(type(event).__name__, facts, (), words.format(**facts))

    return told


def _nothing(_: log.RoomEvent) -> None:
    return None


def _made(event: log.TableMade) -> EventView:
    words = f"{event.by} made this table under {event.settings.rulebook}"
    return EventView("TableMade", {"rulebook": event.settings.rulebook, "digest": event.digest}, (), words)


def _proposed(event: log.RulingProposed) -> EventView:
    facts = {"number": event.number, "what": event.what, "by": event.by}
    words = f"{event.by} proposes {event.what}; a second person must approve"
    return EventView("RulingProposed", facts, event.clauses, words)


def _kept(event: log.RoundKept) -> EventView:
    facts = {"number": event.number, "players": event.players}
    nets = ", ".join(f"{player} {'+' if net > 0 else ''}{dollars(net)}" for player, _, net in event.players)
    return EventView("RoundKept", facts, (), f"Round {event.number}: {nets}" if nets else "")


def _missed(event: log.WagerMissed) -> EventView:
    facts = {"player": event.player, "box": event.box}
    return EventView("WagerMissed", facts, event.clauses, f"{event.player} made no wager in time and is eliminated")


_ROOM_EVENTS: dict[type[log.RoomEvent], Callable[[Any], EventView | None]] = {
    log.TableMade: _made,
    log.SeedKept: _nothing,  # secret until the table reveals it
    log.Passed: _facts("player", words="{player} wants nothing more"),
    log.PlayPaused: _facts("reason", words="The game is held: {reason}"),
    log.PlayResumed: _facts(words="The game goes on"),
    log.PaceSet: _facts("card", "decision", words="The pace is changed"),
    log.BotSeated: _facts("player", "box", "bot", words="A program plays box {box}"),
    log.BotLeft: _facts("player", words="{player} is gone"),
    log.RulingProposed: _proposed,
    log.RulingApproved: _facts("number", "by", words="{by} approves"),
    log.RulingRejected: _facts("number", "by", "reason", words="{by} does not approve"),
    log.RoundKept: _kept,
    log.RoundOpened: _facts("round", "marker", words="Round {round}: place your wagers, from box {marker} on"),
    log.WagerMissed: _missed,
    log.HeatEnded: _facts(words="This table has played its session"),
}

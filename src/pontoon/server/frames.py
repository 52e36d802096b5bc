"""What goes out on a socket. Everything of a table passes `view` here; nothing else ever leaves.

A step is what one or more entries led to, with the table as it stands after them; a snapshot is the table alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from pontoon.rulebook import Clauses
from pontoon.server import log
from pontoon.server.problems import Problem
from pontoon.server.room import Happened
from pontoon.server.settings import OverrideValue
from pontoon.server.state import RoomState, clock
from pontoon.server.tournaments.heat import order
from pontoon.table.commitment import Proof
from pontoon.table.events import TableEvent
from pontoon.view.catalogue import ENGLISH, event_words
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
    facts: dict[str, Any] = {}
    """What `words` is made of, with the code."""


class WalletFrame(Struct, frozen=True, tag="wallet"):
    """What one has, in cents."""

    wallet: int


class NoticeFrame(Struct, frozen=True, tag="notice", omit_defaults=True):
    """Something to be said that is no event."""

    words: str
    table: str = ""
    clauses: Clauses = ()
    code: str = ""
    facts: dict[str, Any] = {}
    """What `words` is made of, with the code."""


class PongFrame(Struct, frozen=True, tag="pong"):
    """The answer to a ping."""

    at: int


Frame = StepFrame | SnapshotFrame | WelcomeFrame | ReplyFrame | ProblemFrame | WalletFrame | NoticeFrame | PongFrame


def encoded(frame: Frame) -> str:
    """A frame as it is sent: text, made once for everybody who sees the same."""
    return _encoder.encode(frame).decode()


def problem_frame(key: str, no: Problem, language: str = ENGLISH) -> ProblemFrame:
    """A problem as the answer to a command."""
    return ProblemFrame(key, no.status, no.code, no.said(language), no.clauses, no.facts)


def notice_frame(table: str, no: Problem, language: str = ENGLISH) -> NoticeFrame:
    """A problem of the table's own, for everybody who watches."""
    return NoticeFrame(no.said(language), table, no.clauses, no.code, no.facts)


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
    facts = ROOM_FACTS[type(one.event)]
    if facts is None:
        return None
    name = type(one.event).__name__
    told = facts(one.event)
    return EventView(name, told, getattr(one.event, "clauses", ()), event_words(name, told, eye.language))


# --- the room's own events -----------------------------------------------------------------------------


def _facts(*names: str) -> Callable[[Any], dict[str, Any]]:
    """These fields of an event leave."""
    return lambda event: {name: getattr(event, name) for name in names}


def _made(event: log.TableMade) -> dict[str, Any]:
    return {"by": event.by, "rulebook": event.settings.rulebook, "digest": event.digest}


ROOM_FACTS: dict[type[log.RoomEvent], Callable[[Any], dict[str, Any]] | None] = {
    log.TableMade: _made,
    log.SeedKept: None,  # secret until the table reveals it
    log.Passed: _facts("player"),
    log.PlayPaused: _facts("reason"),
    log.PlayResumed: _facts(),
    log.PaceSet: _facts("card", "decision"),
    log.BotSeated: _facts("player", "box", "bot"),
    log.BotLeft: _facts("player"),
    log.RulingProposed: _facts("number", "what", "by"),
    log.RulingApproved: _facts("number", "by"),
    log.RulingRejected: _facts("number", "by", "reason"),
    log.RoundKept: _facts("number", "players"),
    log.RoundOpened: _facts("round", "marker"),
    log.WagerMissed: _facts("player", "box"),
    log.HeatEnded: _facts(),
}
"""What leaves of each event of a room."""

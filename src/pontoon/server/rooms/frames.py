"""Frames sent over sockets. Everything about a table passes through `view` here; nothing else is sent.

A step has the events of one or more entries and the table after them; a snapshot has the table alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from pontoon.rulebook import Clauses
from pontoon.server.problems import Problem
from pontoon.server.rooms import log
from pontoon.server.rooms.room import Happened
from pontoon.server.rooms.settings import OverrideValue
from pontoon.server.rooms.state import RoomState, clock
from pontoon.server.tournaments.heat import order
from pontoon.table.commitment import Proof
from pontoon.table.events import TableEvent
from pontoon.view.catalogue import ENGLISH, event_words
from pontoon.view.table import table_view
from pontoon.view.table_events import EventView, event_view
from pontoon.view.table_parts import TableView
from pontoon.view.viewer import Viewer

_encoder = msgspec.json.Encoder()


class BotView(Struct, frozen=True):
    """A bot and the box it plays."""

    player: str
    box: int
    kind: str


class ProposalView(Struct, frozen=True):
    """A ruling waiting for a second person."""

    number: int
    by: str
    role: str
    what: str


class HeatView(Struct, frozen=True):
    """Tournament data of a table."""

    tournament: str
    session: int
    table: int
    name: str
    """Name of the session."""
    round: int
    rounds: int
    """Rounds in the session; 0 if measured in shoes or minutes."""
    marker: int
    """The box with the starting marker."""
    order: tuple[int, ...]
    """The boxes still to wager, in order."""
    chips: tuple[tuple[str, int], ...]
    open: bool
    """Whether wagers are open."""
    extra: int
    """Number of the set of extra rounds between tied players; 0 for none."""
    ended: bool


class RoomView(Struct, frozen=True, omit_defaults=True):
    """The state of the room, apart from the table."""

    id: str
    name: str
    digest: str
    made_by: str
    waits: str = ""
    """What the table is waiting for: wagers, decision, offer, join, cut."""
    players: tuple[str, ...] = ()
    """The players the table is waiting for."""
    clock: int = 0
    """Milliseconds from the start of the wait until the dealer continues without them; 0 without a clock."""
    card: int = 0
    """Milliseconds between cards."""
    paused: str = ""
    passed: tuple[str, ...] = ()
    bots: tuple[BotView, ...] = ()
    proposals: tuple[ProposalView, ...] = ()
    practice: bool = False
    own_chips: bool = False
    """Whether the table is played for practice chips."""
    private: bool = False
    lesson: bool = False
    """Whether the creator of the table chose the first cards of every shoe."""
    overrides: dict[str, OverrideValue] = {}
    heat: HeatView | None = None
    """Set at tournament tables."""


class StepFrame(Struct, frozen=True, tag="step", omit_defaults=True):
    """Events and the table after them."""

    table: str
    first: int
    version: int
    events: tuple[EventView, ...]
    room: RoomView
    view: TableView
    proofs: tuple[Proof, ...] = ()
    """Proofs of the dealt cards, which anyone can check against the commitment in the view."""


class SnapshotFrame(Struct, frozen=True, tag="snapshot", omit_defaults=True):
    """The current state of the table as one viewer sees it."""

    table: str
    version: int
    room: RoomView
    view: TableView
    left: int = 0
    """Milliseconds left on the running clock."""


class WelcomeFrame(Struct, frozen=True, tag="welcome", omit_defaults=True):
    """The signed-in user."""

    name: str
    role: str
    guest: bool
    wallet: int
    practice: int = 0
    given: int = 0


class ReplyFrame(Struct, frozen=True, tag="done"):
    """A command was recorded at this version."""

    key: str
    version: int
    table: str = ""


class ProblemFrame(Struct, frozen=True, tag="problem", omit_defaults=True):
    """Why a command was refused."""

    key: str
    status: int
    code: str
    words: str
    clauses: Clauses = ()
    facts: dict[str, Any] = {}
    """The facts behind `words`, with the code."""


class WalletFrame(Struct, frozen=True, tag="wallet", omit_defaults=True):
    """The user's balance in cents, with the practice chips and how many of those were handed out so far."""

    wallet: int
    practice: int = 0
    given: int = 0


class TournamentFrame(Struct, frozen=True, tag="tournament"):
    """A tournament has moved on to this version."""

    tournament: str
    version: int


Emote = Literal["well_played", "good_luck", "lucky", "ouch", "thanks", "thinking"]
"""All there is to say to each other: there is no chat."""


class NoticeFrame(Struct, frozen=True, tag="notice", omit_defaults=True):
    """A message that is not an event."""

    words: str
    table: str = ""
    clauses: Clauses = ()
    code: str = ""
    facts: dict[str, Any] = {}
    """The facts behind `words`, with the code."""


class EmoteFrame(Struct, frozen=True, tag="emote"):
    """A player at the table shows an emote. It is not an event of the game and is not recorded."""

    table: str
    player: str
    emote: Emote


class PongFrame(Struct, frozen=True, tag="pong"):
    """The answer to a ping."""

    at: int


Frame = (
    StepFrame
    | SnapshotFrame
    | WelcomeFrame
    | ReplyFrame
    | ProblemFrame
    | WalletFrame
    | TournamentFrame
    | NoticeFrame
    | EmoteFrame
    | PongFrame
)


def encoded(frame: Frame) -> str:
    """Encode a frame as text; done once for all viewers who see the same."""
    return _encoder.encode(frame).decode()


def problem_frame(key: str, no: Problem, language: str = ENGLISH) -> ProblemFrame:
    """A problem as the reply to a command."""
    return ProblemFrame(key, no.status, no.code, no.said(language), no.clauses, no.facts)


def notice_frame(table: str, no: Problem, language: str = ENGLISH) -> NoticeFrame:
    """A problem of the table itself, for all its viewers."""
    return NoticeFrame(no.said(language), table, no.clauses, no.code, no.facts)


def room_view(state: RoomState) -> RoomView:
    """The state of the room, the same for all viewers."""
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
        proposals=tuple(
            ProposalView(proposal.number, proposal.by, proposal.role, proposal.what) for proposal in state.proposals
        ),
        practice=settings.practice,
        own_chips=settings.own_chips,
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


def snapshot(state: RoomState, viewer: Viewer, left: int = 0) -> SnapshotFrame:
    """The room as one viewer sees it."""
    return SnapshotFrame(state.id, state.version, room_view(state), table_view(state.table, viewer), left)


def step(state: RoomState, first: int, happened: Sequence[Happened], viewer: Viewer) -> StepFrame:
    """These events as one viewer sees them.

    A proof shows its card, so if cards are dealt face down, proofs are only sent with the record of the finished shoe.
    """
    views = (happened_view(past, viewer) for past in happened)
    proofs = () if state.table.face_down else tuple(proof for past in happened for proof in past.proofs)
    return StepFrame(
        state.id,
        first,
        state.version,
        tuple(view for view in views if view is not None),
        room_view(state),
        table_view(state.table, viewer),
        proofs,
    )


def happened_view(happened: Happened, viewer: Viewer) -> EventView | None:
    """One event of the table or room as the viewer sees it; None if it is not visible."""
    if isinstance(happened.event, TableEvent):
        return event_view(happened.event, happened.before, happened.after, viewer)
    facts = ROOM_FACTS[type(happened.event)]
    if facts is None:
        return None
    name = type(happened.event).__name__
    shown = facts(happened.event)
    return EventView(name, shown, getattr(happened.event, "clauses", ()), event_words(name, shown, viewer.language))


# --- events of the room -------------------------------------------------------------------------------


def _facts(*names: str) -> Callable[[Any], dict[str, Any]]:
    """A function that returns these fields of an event."""
    return lambda event: {name: getattr(event, name) for name in names}


def _made(event: log.TableMade) -> dict[str, Any]:
    return {"by": event.by, "rulebook": event.settings.rulebook, "digest": event.digest}


def _chips_moved(event: log.ChipsMoved) -> dict[str, Any]:
    facts = {"kind": event.kind, "amount": event.amount, "player": event.player}
    return {**facts, "difference": event.amount - event.due} if event.amount != event.due else facts


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
    log.CardUndone: _facts("card", "box", "hand"),
    log.ChipsMoved: _chips_moved,
    log.PaymentNoted: _facts("round", "box", "hand", "player", "due", "paid"),
    log.SupervisorCalled: _facts("by", "reason"),
}
"""The fields of each room event that clients receive."""

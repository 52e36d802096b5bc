"""Rulings for the supervisor's desk: which are lawful now, what they would do, and the remedies of an error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Response
from fastapi import Query as Asked
from msgspec import Struct
from msgspec.structs import replace

from pontoon.cards import Card
from pontoon.engine import Box, Refusal
from pontoon.engine import commands as e
from pontoon.ledger import wallet_of
from pontoon.rulebook import Clauses
from pontoon.rulebook.remedies import KINDS
from pontoon.server import coached
from pontoon.server import commands as r
from pontoon.server.accounts import actor_for
from pontoon.server.api.dependencies import (
    Caller,
    HouseHere,
    Speaks,
    TableId,
    answer,
    body_of,
    in_role,
)
from pontoon.server.api.describe import route
from pontoon.server.api.learning import ASIDE, entries_between, events_of, live_of
from pontoon.server.api.problems import good
from pontoon.server.capacity import APPROVES, Actor, for_table, signed
from pontoon.server.decide import Decided, Step, ask, postings_of, second_capacity
from pontoon.server.log import LogEvent, RulingProposed
from pontoon.server.permits import OFFICIALS, permits
from pontoon.server.problems import Problem, ProblemError, problem
from pontoon.server.state import RoomState
from pontoon.server.wire import ON_THE_WIRE
from pontoon.table import commands as c
from pontoon.table.events import TableEvent
from pontoon.transcript import TranscriptError, nets, read, write
from pontoon.transcript.remedies import listing
from pontoon.transcript.ruling import chips_on_layout, rule
from pontoon.view.ruling import APPROVERS, ERRORS, ruling_data

router = APIRouter(prefix="/api")


class RulingRow(Struct, frozen=True, omit_defaults=True):
    """Something an official might do now: whether it is lawful, and by which clauses."""

    what: str
    command: ON_THE_WIRE
    lawful: bool
    second: bool = False
    """A second person must approve."""
    clauses: Clauses = ()
    code: str = ""
    why: str = ""
    facts: dict[str, Any] = {}
    """What `why` is made of, with the code."""
    needs: tuple[str, ...] = ()
    """What is still to be filled in."""


class ErrorRow(Struct, frozen=True):
    """A kind of error and what the document does about it."""

    kind: str
    words: str
    silent: bool
    says: str
    clauses: Clauses
    approval: tuple[str, ...]


class Rulings(Struct, frozen=True):
    """What an official of this role could do at this table."""

    version: int
    rulings: tuple[RulingRow, ...]
    errors: tuple[ErrorRow, ...]


class Tried(Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling to be tried."""

    command: ON_THE_WIRE


class MoneyRow(Struct, frozen=True):
    """A player's money before and after, in cents."""

    player: str
    layout_before: int
    layout_after: int
    net_before: int
    """Decided in this round so far."""
    net_after: int
    wallet: int
    """What comes into the wallet."""


class RulingPreview(Struct, frozen=True, omit_defaults=True):
    """What a ruling would do; nothing has happened."""

    version: int
    lawful: bool
    second: bool = False
    clauses: Clauses = ()
    code: str = ""
    why: str = ""
    facts: dict[str, Any] = {}
    """What `why` is made of, with the code."""
    players: tuple[MoneyRow, ...] = ()


class Remedies(Struct, frozen=True):
    """What may be done about an error in the round in progress: as `pontoon rule --json` says it."""

    ruling: dict[str, Any]


Official = Annotated[Caller, Depends(in_role(*OFFICIALS))]
NOT_FOR_THEM = ("forbidden", "not_yours", "wrong_mode")


@router.get("/tables/{table}/rulings", **route(gives=Rulings, signed="must", no=(403, 404, 429)))
async def rulings(house: HouseHere, caller: Official, speaks: Speaks, table: TableId) -> Response:
    """Which rulings are lawful now, and every kind of error with what the document does about it."""
    state = (await live_of(house, table)).room.state
    actor = good(actor_for(caller.account))
    return answer(await ASIDE.do(lambda: _rulings(state, actor, speaks)))


def _rulings(state: RoomState, actor: Actor, language: str) -> Rulings:
    tried = (_ruling(state, actor, command, needs, language) for command, needs in _candidates(state))
    entries = listing(state.table.rules)
    errors = tuple(
        ErrorRow(
            entry.kind,
            ERRORS[entry.kind],
            entry.silent,
            entry.says.text,
            entry.says.clauses,
            tuple(APPROVERS[one.who] for one in entry.approvals),
        )
        for entry in entries
    )
    return Rulings(state.version, tuple(one for one in tried if one is not None), errors)


def _candidates(state: RoomState) -> Iterator[tuple[r.Asked, tuple[str, ...]]]:
    """What is worth asking about; fields in the second part are filled in by whoever rules."""
    table, now = state.table, state.table.round
    role: c.Role = "game_supervisor"
    yield (r.Resume() if state.held else r.Pause()), ()
    if now is not None and table.phase in ("round", "collect"):
        yield e.VoidRound(), ()
        yield from ((e.VoidBox(box.number), ()) for box in now.boxes)
        yield from ((e.VoidHand(box.number, hand), ()) for box in now.boxes for hand in _split_hands(box))
        yield from ((e.VoidWager(box.number, one.player), ()) for box in now.boxes for one in box.bettors)
        yield from ((e.OfferLate(offer), ()) for offer in ("insurance", "surrender"))
        yield from ((e.NoticeSkip(box.number), ()) for box in now.boxes)
        yield e.SkipHand(now.turn[0]), ()
        yield from ((one, ()) for one in (e.SkipDealer(), e.NoticeNoFirstCard()))
        if table.mode == "floor":
            yield from ((one, ("card",)) for one in (e.BurnCard(Card("As")), e.ExposeCard(Card("As"))))
    if table.finished:
        yield c.VoidEarlier(table.finished[-1].number, role), ("number",)
    yield c.OrderShuffle(role, "discretion"), ()
    yield c.ChangeCards("worn"), ("reason",)
    names = dict.fromkeys(seat.player for seat in table.seats)
    names |= dict.fromkeys(wager.player for box in (now.boxes if now else ()) for wager in box.bettors)
    for player in names:
        yield c.Restrict(player, role, consulted=True), ("reason",)
        yield c.Exclude(player, role, ""), ("reason",)
        yield c.TakeSeat(player, role), ()
    yield c.SetLimits(table.limits, told=True, box_maximum=table.box_maximum), ("limits",)
    yield from ((c.GiveNotice(kind), ()) for kind in ("minutes", "rounds", "notice"))
    yield c.Close(), ("minutes",)


def _split_hands(box: Box) -> range:
    """The hands of a split box; a box with one hand is void as a whole."""
    return range(1, len(box.hands) + 1) if len(box.hands) > 1 else range(0)


def _ruling(
    state: RoomState, actor: Actor, command: r.Asked, needs: tuple[str, ...], language: str
) -> RulingRow | None:
    """One candidate; None where it is nothing for this role."""
    decided = ask(state, actor, command, "", None)
    what = type(command).__name__
    if isinstance(decided, Problem):
        if decided.code in NOT_FOR_THEM:
            return None
        no = decided
        why = no.said(language)
        return RulingRow(what, command, False, False, no.clauses, no.code, why, no.facts, needs)  # noqa: FBT003
    second = _waits(decided)
    return RulingRow(what, command, lawful=True, second=second, clauses=_clauses(decided.events), needs=needs)


def _waits(decided: Decided) -> bool:
    return any(isinstance(one, RulingProposed) for one in decided.events)


def _clauses(events: Iterable[LogEvent]) -> Clauses:
    found = (one.clauses for one in events if isinstance(one, TableEvent | RulingProposed))
    return tuple(dict.fromkeys(clause for clauses in found for clause in clauses))


@router.post(
    "/tables/{table}/rulings/preview",
    **route(takes=Tried, gives=RulingPreview, signed="must", no=(403, 404, 429)),
)
async def preview(
    house: HouseHere, caller: Official, speaks: Speaks, table: TableId, tried: Annotated[Tried, body_of(Tried)]
) -> Response:
    """What a ruling would do to everybody's money; nothing happens."""
    state = (await live_of(house, table)).room.state
    actor = good(actor_for(caller.account))
    row = permits()[type(tried.command).__name__]
    if not {*row.any, *row.floor} - {"dealer"}:  # what players ask for is no ruling
        raise ProblemError(problem("forbidden", tried=type(tried.command).__name__))
    return answer(await ASIDE.do(lambda: _preview(state, actor, tried.command, speaks)))


def _preview(state: RoomState, actor: Actor, command: r.Asked, language: str) -> RulingPreview:
    if state.table.shoe.stack and any(hasattr(command, name) for name in ("card", "order", "cards")):
        decided: Decided | Problem = problem("names_cards")
    else:
        decided = ask(state, actor, command, "", None)
    if isinstance(decided, Problem):
        if decided.code in NOT_FOR_THEM:
            raise ProblemError(decided)
        no, why = decided, decided.said(language)
        return RulingPreview(state.version, False, False, no.clauses, no.code, why, no.facts)  # noqa: FBT003
    second = _waits(decided)
    events, after = (decided.events, decided.state) if not second else _approved(state, actor, command)
    clauses = _clauses((*decided.events, *events))
    return RulingPreview(
        state.version, lawful=True, second=second, clauses=clauses, players=_money(state, after, events)
    )  # fmt: skip


def _approved(state: RoomState, actor: Actor, command: r.Asked) -> tuple[tuple[LogEvent, ...], RoomState]:
    """What follows once the second person agrees."""
    given = signed(command, actor)
    assert not isinstance(given, r.RoomCommand), "the room's own commands need nobody's approval"
    ruling: Any = for_table(given, actor)
    capacity = second_capacity(state, ruling, (one for many in APPROVES.values() for one in many))
    assert not isinstance(capacity, Refusal), "a ruling was proposed that nobody can approve"
    step = Step(state)
    step.do(replace(ruling, approver=capacity))
    return tuple(step.events), step.state


def _money(before: RoomState, after: RoomState, events: tuple[LogEvent, ...]) -> tuple[MoneyRow, ...]:
    postings = postings_of(before.id, before.settings, events)
    moved = {player: one.amount for one in postings if (player := wallet_of(one.account))}
    one, two = before.table.round, after.table.round
    names = [wager.player for state in (one, two) if state for box in state.boxes for wager in box.bettors]
    names += [settled.player for state in (one, two) if state for settled in state.settlements]
    players = dict.fromkeys((*names, *moved))
    chips = [chips_on_layout(players, state) if state else dict.fromkeys(players, 0) for state in (one, two)]
    net = [nets(players, state.settlements if state else ()) for state in (one, two)]
    return tuple(
        MoneyRow(name, chips[0][name], chips[1][name], net[0][name], net[1][name], moved.get(name, 0))
        for name in players
    )


@router.get("/tables/{table}/irregularities/{kind}", **route(gives=Remedies, signed="must", no=(403, 404, 409, 429)))
async def remedies(
    house: HouseHere,
    _: Official,
    table: TableId,
    kind: str,
    box: Annotated[int, Asked(ge=0, le=7, description="the box it is about; 0 is none")] = 0,
) -> Response:
    """What may be done about an error in the round in progress, with cards and money before and after each remedy."""
    live = await live_of(house, table)
    state = live.room.state
    if kind not in KINDS:
        raise ProblemError(problem("not_found"))
    if state.table.face_down:
        raise ProblemError(problem("face_down"))
    if state.table.round is None or state.table.phase not in ("round", "collect"):
        raise ProblemError(problem("no_such_round"))
    entries = await entries_between(house, table, state.first, state.version)
    events = coached.round_events(events_of(entries), state.table.number)
    text = write(state.table.rules, events, decks=state.table.packs, limits=state.table.limits)
    try:
        found = await ASIDE.do(lambda: ruling_data(rule(read(text), kind, box)))
    except TranscriptError as error:
        raise ProblemError(problem("no_ruling", detail=str(error))) from None
    return answer(Remedies(found))

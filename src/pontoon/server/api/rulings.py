"""Rulings for the supervisor's desk: which are allowed now, their effects, and the remedies for an error."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Response
from fastapi import Query as Asked
from msgspec import Struct
from msgspec.structs import replace

from pontoon.engine import Refusal
from pontoon.rulebook import Clauses
from pontoon.rulebook.remedies import KINDS
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
from pontoon.server.api.learning import QUEUE, entries_between, events_of, live_of
from pontoon.server.api.problems import good
from pontoon.server.coach import decisions as coach_decisions
from pontoon.server.floor.desk import HAPPENED, Candidate, candidates
from pontoon.server.floor.picture import HandPicture, MoneyRow, money_rows, picture, short_code
from pontoon.server.people.accounts import actor_for
from pontoon.server.problems import Problem, ProblemError, problem
from pontoon.server.rooms import commands as r
from pontoon.server.rooms.actors import APPROVES, Actor, for_table, signed
from pontoon.server.rooms.decide import Decided, Step, ask, second_capacity
from pontoon.server.rooms.log import LogEvent, RulingProposed
from pontoon.server.rooms.permits import OFFICIALS, permits
from pontoon.server.rooms.state import RoomState
from pontoon.server.wire import KEPT, ON_THE_WIRE, kept
from pontoon.table import commands as c
from pontoon.table.events import TableEvent
from pontoon.transcript import TranscriptError, read, write
from pontoon.transcript.house_errors import house_listing
from pontoon.transcript.remedies import listing
from pontoon.transcript.ruling import rule
from pontoon.view.catalogue import say
from pontoon.view.command_words import command_words, meaning
from pontoon.view.ruling import APPROVERS, ERRORS, HOUSE_ERRORS, ruling_data

router = APIRouter(prefix="/api")


class RulingRow(Struct, frozen=True, omit_defaults=True):
    """A ruling an official might make now: whether it is allowed, and under which clauses."""

    what: str
    command: ON_THE_WIRE
    lawful: bool
    second: bool = False
    """Whether a second person must approve."""
    clauses: Clauses = ()
    code: str = ""
    why: str = ""
    facts: dict[str, Any] = {}
    """The facts behind `why`, with the code."""
    needs: tuple[str, ...] = ()
    """Fields still to be filled in."""
    words: str = ""
    about: str = ""
    """What this ruling responds to: a name in `happened`."""
    means: str = ""
    """What it does to cards and chips, in one line."""


class Happened(Struct, frozen=True):
    """Something that may have happened at a table, with the kinds of error it stands for."""

    name: str
    words: str
    errors: tuple[str, ...]


class ErrorRow(Struct, frozen=True):
    """A kind of error and its remedies in the rulebook."""

    kind: str
    words: str
    silent: bool
    says: str
    clauses: Clauses
    approval: tuple[str, ...]


class Rulings(Struct, frozen=True):
    """The rulings an official in this role could make at this table."""

    version: int
    rulings: tuple[RulingRow, ...]
    errors: tuple[ErrorRow, ...]
    happened: tuple[Happened, ...]


class Tried(Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling to preview."""

    command: ON_THE_WIRE


class RulingPreview(Struct, frozen=True, omit_defaults=True):
    """The effect a ruling would have; nothing is changed."""

    version: int
    lawful: bool
    second: bool = False
    clauses: Clauses = ()
    code: str = ""
    why: str = ""
    facts: dict[str, Any] = {}
    """The facts behind `why`, with the code."""
    players: tuple[MoneyRow, ...] = ()
    words: str = ""
    """The act in words; for an approval, the ruling that was proposed."""
    before: tuple[HandPicture, ...] = ()
    after: tuple[HandPicture, ...] = ()
    check: str = ""
    """A short code that proposer and approver compare; it changes with the table."""
    approvers: tuple[str, ...] = ()
    """The roles of which one must approve."""


class Remedies(Struct, frozen=True):
    """The remedies for an error in the round in progress, as in `pontoon rule --json`."""

    ruling: dict[str, Any]


Official = Annotated[Caller, Depends(in_role(*OFFICIALS))]
SILENT = "document_silent"
NOT_FOR_THEM = ("forbidden", "not_yours", "wrong_mode")


@router.get("/tables/{table}/rulings", **route(gives=Rulings, signed="must", no=(403, 404, 429)))
async def rulings(house: HouseHere, caller: Official, speaks: Speaks, table: TableId) -> Response:
    """The rulings allowed now, and every kind of error with its remedies."""
    state = (await live_of(house, table)).room.state
    actor = good(actor_for(caller.account))
    return answer(await QUEUE.do(lambda: _rulings(state, actor, speaks)))


def _rulings(state: RoomState, actor: Actor, language: str) -> Rulings:
    tried = (_ruling(state, actor, candidate, language) for candidate in candidates(state))
    entries = (*listing(state.table.rules), *house_listing(state.table.rules))
    errors = tuple(
        ErrorRow(
            entry.kind,
            (ERRORS | HOUSE_ERRORS)[entry.kind],
            entry.silent,
            entry.says.text,
            entry.says.clauses,
            tuple(APPROVERS[approval.who] for approval in entry.approvals),
        )
        for entry in entries
    )
    happened = tuple(Happened(name, say(f"happened.{name}", {}, language), kinds) for name, kinds in HAPPENED.items())
    return Rulings(state.version, tuple(option for option in tried if option is not None), errors, happened)


def _ruling(state: RoomState, actor: Actor, candidate: Candidate, language: str) -> RulingRow | None:
    """One possible ruling; None if it is not for this role."""
    about, command, needs = candidate
    decided = ask(state, actor, command, "", None)
    if isinstance(decided, Problem) and decided.code == SILENT and hasattr(command, "by_house"):
        command = replace(command, by_house=True)  # the document is silent: the house decides
        decided = ask(state, actor, command, "", None)
    what = type(command).__name__
    if isinstance(decided, Problem):
        if decided.code in NOT_FOR_THEM:
            return None
        no = decided
        why = no.said(language)
        words = command_words(command, language, needs)
        return RulingRow(what, command, False, False, no.clauses, no.code, why, no.facts, needs, words, about)  # noqa: FBT003
    second, clauses = _waits(decided), _clauses(decided.events)
    words = command_words(command, language, needs)
    return RulingRow(
        what,
        command,
        lawful=True,
        second=second,
        clauses=clauses,
        needs=needs,
        words=words,
        about=about,
        means=meaning(command, language),
    )


def _waits(decided: Decided) -> bool:
    return any(isinstance(event, RulingProposed) for event in decided.events)


def _clauses(events: Iterable[LogEvent]) -> Clauses:
    found = (event.clauses for event in events if isinstance(event, TableEvent | RulingProposed))
    return tuple(dict.fromkeys(clause for clauses in found for clause in clauses))


@router.post(
    "/tables/{table}/rulings/preview",
    **route(takes=Tried, gives=RulingPreview, signed="must", no=(403, 404, 429)),
)
async def preview(
    house: HouseHere, caller: Official, speaks: Speaks, table: TableId, tried: Annotated[Tried, body_of(Tried)]
) -> Response:
    """Preview the effect of a ruling on everyone's money; nothing is changed."""
    state = (await live_of(house, table)).room.state
    actor = good(actor_for(caller.account))
    row = permits()[type(tried.command).__name__]
    if not {*row.any, *row.floor} - {"dealer"}:  # commands of players are not rulings
        raise ProblemError(problem("forbidden", tried=type(tried.command).__name__))
    return answer(await QUEUE.do(lambda: _preview(state, actor, tried.command, speaks)))


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
    carried_out = _carried_out(state, command)
    return RulingPreview(
        state.version,
        lawful=True,
        second=second,
        clauses=clauses,
        players=money_rows(state, after, events),
        words=command_words(carried_out, language),
        before=picture(state, language),
        after=picture(after, language),
        check=short_code(state.table.number * 1000 + state.table.shoe.left, carried_out),
        approvers=_approvers(state, actor, command) if second else (),
    )


def _approvers(state: RoomState, actor: Actor, command: r.Asked) -> tuple[str, ...]:
    """The roles that can approve this ruling."""
    given = signed(command, actor)
    assert not isinstance(given, r.RoomCommand), "room commands need no approval"
    ruling = for_table(given, actor)
    able = ((role, second_capacity(state, ruling, capacities)) for role, capacities in APPROVES.items())
    return tuple(role for role, capacity in able if not isinstance(capacity, Refusal))


def _carried_out(state: RoomState, command: r.Asked) -> r.Asked:
    """What is to be done: of an approval, the ruling that waits for it."""
    number = command.number if isinstance(command, r.Approve) else 0
    waiting = next((proposal for proposal in state.proposals if proposal.number == number), None)
    if waiting is None:
        return command
    ruling = kept(msgspec.json.decode(waiting.command, type=KEPT))
    return ruling.command if isinstance(ruling, c.Play) else ruling


def _approved(state: RoomState, actor: Actor, command: r.Asked) -> tuple[tuple[LogEvent, ...], RoomState]:
    """The events once the second person approves, and the resulting state."""
    given = signed(command, actor)
    assert not isinstance(given, r.RoomCommand), "room commands need no approval"
    ruling: Any = for_table(given, actor)
    capacity = second_capacity(state, ruling, (kind for many in APPROVES.values() for kind in many))
    assert not isinstance(capacity, Refusal), "nobody can approve the proposed ruling"
    step = Step(state)
    step.do(replace(ruling, approver=capacity))
    return tuple(step.events), step.state


@router.get("/tables/{table}/irregularities/{kind}", **route(gives=Remedies, signed="must", no=(403, 404, 409, 429)))
async def remedies(
    house: HouseHere,
    _: Official,
    table: TableId,
    kind: str,
    box: Annotated[int, Asked(ge=0, le=7, description="the box concerned; 0 for none")] = 0,
) -> Response:
    """The remedies for an error in the round in progress, with cards and money before and after each one."""
    live = await live_of(house, table)
    state = live.room.state
    if kind not in KINDS:
        raise ProblemError(problem("not_found"))
    if state.table.face_down:
        raise ProblemError(problem("face_down"))
    if state.table.round is None or state.table.phase not in ("round", "collect"):
        raise ProblemError(problem("no_such_round"))
    entries = await entries_between(house, table, state.first, state.version)
    events = coach_decisions.round_events(events_of(entries), state.table.number)
    text = write(state.table.rules, events, decks=state.table.packs, limits=state.table.limits)
    try:
        found = await QUEUE.do(lambda: ruling_data(rule(read(text), kind, box)))
    except TranscriptError as error:
        raise ProblemError(problem("no_ruling", detail=str(error))) from None
    return answer(Remedies(found))

"""Tournaments: listing, creating one from its conditions, viewing one, and giving it commands."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any, Literal
from weakref import WeakKeyDictionary

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response
from msgspec import Meta, Struct, field
from starlette.requests import ClientDisconnect

from pontoon.server.api.dependencies import Address, Caller, HouseHere, Limit, Signed, Somebody, Speaks, answer, body_of
from pontoon.server.api.describe import JSON, PROBLEM, ProblemBody, ref, route
from pontoon.server.api.limits import limited
from pontoon.server.api.problems import good
from pontoon.server.api.tables import Done, Key
from pontoon.server.house import House
from pontoon.server.people.accounts import actor_for
from pontoon.server.problems import Problem, ProblemError, problem
from pontoon.server.rooms.actors import Actor
from pontoon.server.tournaments.hosted import Hosted, extra_room
from pontoon.server.tournaments.log import COMMANDS
from pontoon.server.tournaments.registry import ConditionsProblem
from pontoon.server.wire import LARGEST, MalformedError, read_as, strict_json
from pontoon.tournament.conditions.document import document, page
from pontoon.tournament.conditions.paper import Grid, numbered
from pontoon.tournament.ties import split_over_tables
from pontoon.view.tournaments.parts import TournamentRow, TournamentView
from pontoon.view.tournaments.view import Hosting, public_view, tournament_row, view_for

router = APIRouter(prefix="/api")

HTML = "text/html"
LONGEST_CONDITIONS = 48_000
"""Maximum characters of conditions; the largest example has 3,000, but they may include a rulebook."""
STYLED = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'", "Cache-Control": "no-cache"}
"""The printed page includes its own style sheet and nothing else."""

_public: WeakKeyDictionary[Hosted, dict[str, TournamentView]] = WeakKeyDictionary()
"""Cache of the public view of each tournament, rebuilt per version: hundreds of players poll every two seconds."""

TournamentId = Annotated[str, Path(pattern=r"^[2-9a-z]{1,24}$", description="the name of a tournament")]


class TournamentList(Struct, frozen=True):
    """Tournaments, newest first, and the cursor of the next page."""

    tournaments: tuple[TournamentRow, ...]
    next: str | None


class NewTournament(Struct, frozen=True, forbid_unknown_fields=True):
    """The conditions of a new tournament; repeating a key returns the same tournament."""

    conditions: Annotated[str, Meta(min_length=1, max_length=LONGEST_CONDITIONS)]
    """TOML, as described in docs/tournaments.md."""
    key: Annotated[str, Meta(max_length=64)] = ""


class MadeTournament(Struct, frozen=True):
    """The created tournament."""

    id: str
    link: str


class FaultRow(Struct, frozen=True):
    """A fault in the conditions that must be corrected."""

    clause: str
    words: str


class FaultyConditions(ProblemBody, frozen=True):
    """Conditions that cannot be used, with all their faults."""

    faults: tuple[FaultRow, ...]


class GivenToTournament(Struct, frozen=True, forbid_unknown_fields=True):
    """A command, with its key and the version the sender saw."""

    key: Key
    command: COMMANDS
    version: Annotated[int, Meta(ge=0, le=LARGEST)] | None = None
    role: Annotated[str, Meta(max_length=32)] = field(default="", name="as")


class PaperPart(Struct, frozen=True):
    """A sentence, or rows of figures with a header row, and the clause that requires it."""

    words: str
    rows: tuple[tuple[str, ...], ...]
    clause: str


class PaperSection(Struct, frozen=True):
    """A section of the conditions."""

    title: str
    level: int
    parts: tuple[PaperPart, ...]


class ConditionsPaper(Struct, frozen=True):
    """The conditions as printed for patrons and the commission."""

    title: str
    sections: tuple[PaperSection, ...]
    foot: str


# --- list and create -----------------------------------------------------------------------------------


@router.get("/tournaments", **route(gives=TournamentList, signed="may"))
async def tournaments(
    house: HouseHere,
    _: Somebody,
    speaks: Speaks,
    cursor: Annotated[str, Query(pattern=r"^[2-9a-z]{1,24}$")] = "",
    limit: Limit = 50,
) -> Response:
    """All tournaments, newest first."""
    await house.tournaments.catch_up()
    shown, more = await house.tournaments.page(cursor, limit)
    rows = tuple(tournament_row(hosted.state, hosted.id, speaks, hosted.ended_at) for hosted in shown)
    return answer(TournamentList(rows, shown[-1].id if more else None))


async def _new(request: Request) -> NewTournament:
    """Read the body with its own size limit: conditions are longer than any other text from clients."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise ProblemError(problem("wrong_media", media=JSON))
    try:
        content = await request.body()
    except ClientDisconnect:
        raise MalformedError("the body is too large or ended early") from None
    return read_as(strict_json(content, page="conditions"), NewTournament)


_making = route(
    takes=NewTournament, gives=MadeTournament, status=201, signed="must", no=(403, 409, 413, 415, 422, 429, 503)
)
_making["responses"][400]["content"] = {PROBLEM: {"schema": {"anyOf": [ref(ProblemBody), ref(FaultyConditions)]}}}


@router.post("/tournaments", dependencies=[limited("tables")], **_making)
async def make_tournament(house: HouseHere, caller: Signed, speaks: Speaks, request: Request) -> Response:
    """Create a tournament from its conditions; all faults are returned with their clauses."""
    wanted = await _new(request)
    actor = good(actor_for(caller.account))
    made = await house.tournaments.make(actor, wanted.conditions, wanted.key)
    if isinstance(made, ConditionsProblem):
        return _faulty(made, speaks)
    tournament = good(made)
    where = f"/tournament/{tournament}"
    return answer(MadeTournament(tournament, where), 201, {"Location": f"/api/tournaments/{tournament}"})


def _faulty(no: ConditionsProblem, speaks: str) -> Response:
    rows = tuple(FaultRow(clause, words) for clause, words in no.faults)
    body = FaultyConditions(
        "about:blank", HTTPStatus(no.status).phrase, no.status, no.said(speaks), no.code, no.clauses, no.facts, rows
    )
    return Response(msgspec.json.encode(body), no.status, {"Cache-Control": "no-store"}, PROBLEM)


# --- one tournament -------------------------------------------------------------------------------------


async def find_tournament(house: House, tournament: str) -> Hosted:
    """A tournament as it is now."""
    await house.tournaments.catch_up(tournament)
    found = house.tournaments.get(tournament)
    if found is None:
        raise ProblemError(problem("no_such_tournament"))
    return found


def hosting(hosted: Hosted) -> Hosting:
    """The server's data for the view besides the tournament itself; never the seed."""
    state = hosted.state
    extra: dict[str, str] = {}
    if state.ties and state.ties[0].by == "extra_rounds":
        for players in split_over_tables(state.ties[0].players, state.conditions.players.at_table):
            extra |= dict.fromkeys(players, extra_room(hosted.id, state.session, hosted.extras + 1, players))
    return Hosting(
        id=hosted.id,
        version=hosted.version,
        rooms=hosted.rooms,
        history=hosted.history,
        happened=[(recent.at, recent.event) for recent in hosted.recent],
        extra=extra,
        ended=hosted.ended_at,
        waiting=[(waiting.by, type(waiting.command).__name__) for waiting in hosted.waiting],
    )


def _may(house: House, caller: Caller | None, tournament: str) -> tuple[str, ...]:
    """The commands allowed in the caller's role or as a player."""
    if caller is None:
        return ()
    roles = dict.fromkeys((caller.account.role, "player"))
    actors = [actor for role in roles if isinstance(actor := actor_for(caller.account, role), Actor)]
    return tuple(dict.fromkeys(name for actor in actors for name in house.tournaments.may(actor, tournament)))


_looking = route(gives=TournamentView, signed="may", no=(404,))
_looking["responses"][204] = {"description": "nothing has changed since that version"}


@router.get("/tournaments/{tournament}", **_looking)
async def one_tournament(
    house: HouseHere,
    caller: Somebody,
    speaks: Speaks,
    tournament: TournamentId,
    after: Annotated[int | None, Query(ge=0, le=LARGEST, description="the last version seen")] = None,
) -> Response:
    """The current state of a tournament and the commands you may give; 204 if you have seen this version."""
    found = await find_tournament(house, tournament)
    if after == found.version:
        return Response(None, 204, {"Cache-Control": "no-store"})
    around = hosting(found)
    views = _public.setdefault(found, {})
    view = views.get(speaks)
    if view is None or view.version != found.version:
        view = views[speaks] = public_view(found.state, around, speaks)
    if caller is None:
        return answer(view)
    return answer(view_for(view, found.state, around, caller.account.name, _may(house, caller, tournament)))


_reading: dict[str, Any] = route(gives=ConditionsPaper, no=(404,))
_reading["responses"][200]["content"][HTML] = {"schema": {"type": "string"}}


@router.get("/tournaments/{tournament}/conditions", **_reading)
async def conditions(
    house: HouseHere,
    tournament: TournamentId,
    form: Annotated[Literal["json", "html"], Query(alias="as", description="html: one page that prints well")] = "json",
) -> Response:
    """The printed conditions of rule 20.2, for patrons and the commission."""
    found = await find_tournament(house, tournament)
    if form == "html":
        return Response(page(found.state.conditions), 200, STYLED, HTML)
    paper = document(found.state.conditions)
    sections = tuple(
        PaperSection(title, section.level, tuple(_part(part) for part in section.parts))
        for title, section in numbered(paper)
    )
    return answer(ConditionsPaper(paper.title, sections, paper.foot))


def _part(part: Any) -> PaperPart:  # noqa: ANN401 a paragraph or a grid
    if isinstance(part, Grid):
        return PaperPart("", part.rows, part.clause)
    return PaperPart(part.words, (), part.clause)


@router.post(
    "/tournaments/{tournament}/commands",
    **route(takes=GivenToTournament, gives=Done, signed="must", no=(403, 404, 409, 422, 429, 503)),
)
async def tournament_command(
    house: HouseHere,
    caller: Signed,
    address: Address,
    tournament: TournamentId,
    given: Annotated[GivenToTournament, body_of(GivenToTournament)],
) -> Response:
    """Give a command to a tournament."""
    actor = good(actor_for(caller.account, given.role))
    good(house.allowed(actor, address))
    reply = await house.tournaments.command(actor, tournament, given.command, given.key, given.version)
    if isinstance(reply, Problem):
        raise ProblemError(reply)
    return answer(Done(reply))

"""Tournaments: what there is, making one from its conditions, looking at one, and the door for its commands."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any, Literal
from weakref import WeakKeyDictionary

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response
from msgspec import Meta, Struct, field
from starlette.requests import ClientDisconnect

from pontoon.server.accounts import actor_for
from pontoon.server.api.dependencies import Caller, HouseHere, Limit, Signed, Somebody, Speaks, answer, body_of
from pontoon.server.api.describe import JSON, PROBLEM, ProblemBody, ref, route
from pontoon.server.api.limits import limited
from pontoon.server.api.problems import good
from pontoon.server.api.tables import Done, Key
from pontoon.server.capacity import Actor
from pontoon.server.house import House
from pontoon.server.problems import Problem, ProblemError, problem
from pontoon.server.tournaments.hosted import Hosted, extra_room
from pontoon.server.tournaments.log import COMMANDS
from pontoon.server.tournaments.registry import ConditionsProblem
from pontoon.server.wire import LARGEST, MalformedError, read_as, strict_json
from pontoon.tournament.document import document, page
from pontoon.tournament.paper import Grid, numbered
from pontoon.tournament.ties import parts
from pontoon.view.tournament import Hosting, public_view, tournament_row, view_for
from pontoon.view.tournament_parts import TournamentRow, TournamentView

router = APIRouter(prefix="/api")

HTML = "text/html"
LONGEST_CONDITIONS = 48_000
"""Characters; the largest example has three thousand, and a rulebook of their own may be in them."""
STYLED = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'", "Cache-Control": "no-cache"}
"""The paper brings its own style and nothing else."""

_public: WeakKeyDictionary[Hosted, dict[str, TournamentView]] = WeakKeyDictionary()
"""What everybody sees of a tournament, made once a version: hundreds of players look every two seconds."""

TournamentId = Annotated[str, Path(pattern=r"^[2-9a-z]{1,24}$", description="the name of a tournament")]


class TournamentList(Struct, frozen=True):
    """Tournaments, the newest first, and where to go on."""

    tournaments: tuple[TournamentRow, ...]
    next: str | None


class NewTournament(Struct, frozen=True, forbid_unknown_fields=True):
    """The conditions of a tournament; the same key again gives the same tournament."""

    conditions: Annotated[str, Meta(min_length=1, max_length=LONGEST_CONDITIONS)]
    """TOML, as docs/tournaments.md has it."""
    key: Annotated[str, Meta(max_length=64)] = ""


class MadeTournament(Struct, frozen=True):
    """Where the new tournament is."""

    id: str
    link: str


class FaultRow(Struct, frozen=True):
    """Something that has to be mended in the conditions."""

    clause: str
    words: str


class FaultyConditions(ProblemBody, frozen=True):
    """Conditions that no tournament can be made of, with everything that is wrong."""

    faults: tuple[FaultRow, ...]


class GivenToTournament(Struct, frozen=True, forbid_unknown_fields=True):
    """A command, with its key and the version its sender saw."""

    key: Key
    command: COMMANDS
    version: Annotated[int, Meta(ge=0, le=LARGEST)] | None = None
    role: Annotated[str, Meta(max_length=32)] = field(default="", name="as")


class PaperPart(Struct, frozen=True):
    """A sentence, or rows of figures whose first is the head; with the clause that wants it written."""

    words: str
    rows: tuple[tuple[str, ...], ...]
    clause: str


class PaperSection(Struct, frozen=True):
    """A section of the conditions."""

    title: str
    level: int
    parts: tuple[PaperPart, ...]


class ConditionsPaper(Struct, frozen=True):
    """The conditions as patrons and the commission have them."""

    title: str
    sections: tuple[PaperSection, ...]
    foot: str


# --- what there is -------------------------------------------------------------------------------------


@router.get("/tournaments", **route(gives=TournamentList, signed="may"))
async def tournaments(
    house: HouseHere,
    _: Somebody,
    speaks: Speaks,
    cursor: Annotated[str, Query(pattern=r"^[2-9a-z]{1,24}$")] = "",
    limit: Limit = 50,
) -> Response:
    """The tournaments of the house, the newest first."""
    await house.tournaments.follow()
    all_of_them = house.tournaments.all()
    first = next((place for place, one in enumerate(all_of_them, 1) if one.id == cursor), 0)
    shown = all_of_them[first : first + limit]
    rows = tuple(tournament_row(one.state, one.id, speaks) for one in shown)
    return answer(TournamentList(rows, shown[-1].id if all_of_them[first + limit :] else None))


async def _new(request: Request) -> NewTournament:
    """Conditions have lines, and more of them than any other text from outside."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise MalformedError(f"the body must be {JSON}")
    try:
        content = await request.body()
    except ClientDisconnect:
        raise MalformedError("the body is too large or ended early") from None
    return read_as(strict_json(content, page="conditions"), NewTournament)


_making = route(takes=NewTournament, gives=MadeTournament, status=201, signed="must", no=(403, 409, 413, 429, 503))
_making["responses"][400]["content"] = {PROBLEM: {"schema": {"anyOf": [ref(ProblemBody), ref(FaultyConditions)]}}}


@router.post("/tournaments", dependencies=[limited("tables")], **_making)
async def make_tournament(house: HouseHere, caller: Signed, speaks: Speaks, request: Request) -> Response:
    """Make a tournament from its conditions; every fault of them comes back with its clause."""
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


# --- one of them ---------------------------------------------------------------------------------------


async def _hosted(house: House, tournament: str) -> Hosted:
    await house.tournaments.follow(tournament)
    found = house.tournaments.get(tournament)
    if found is None:
        raise ProblemError(problem("no_such_tournament"))
    return found


def hosting(hosted: Hosted) -> Hosting:
    """What the view is told beside the tournament; its seed is not among it."""
    state = hosted.state
    extra: dict[str, str] = {}
    if state.ties and state.ties[0].by == "extra_rounds":
        for players in parts(state.ties[0].players, state.conditions.players.at_table):
            extra |= dict.fromkeys(players, extra_room(hosted.id, state.session, hosted.extras + 1, players))
    return Hosting(
        id=hosted.id,
        version=hosted.version,
        rooms=hosted.rooms,
        history=hosted.history,
        happened=[(one.at, one.event) for one in hosted.told],
        extra=extra,
        waiting=[(one.by, type(one.command).__name__) for one in hosted.waiting],
    )


def _may(house: House, caller: Caller | None, tournament: str) -> tuple[str, ...]:
    """In the own role, and as a player, who everybody may be."""
    if caller is None:
        return ()
    roles = dict.fromkeys((caller.account.role, "player"))
    actors = [actor for role in roles if isinstance(actor := actor_for(caller.account, role), Actor)]
    return tuple(dict.fromkeys(name for actor in actors for name in house.tournaments.may(actor, tournament)))


_looking = route(gives=TournamentView, signed="may", no=(404,))
_looking["responses"][204] = {"description": "nothing has happened since that version"}


@router.get("/tournaments/{tournament}", **_looking)
async def one_tournament(
    house: HouseHere,
    caller: Somebody,
    speaks: Speaks,
    tournament: TournamentId,
    after: Annotated[int | None, Query(ge=0, le=LARGEST, description="the version that was seen last")] = None,
) -> Response:
    """A tournament as it stands, and what you may ask of it; 204 where you have seen it already."""
    found = await _hosted(house, tournament)
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
    """The paper of rule 20.2, for patrons and the commission."""
    found = await _hosted(house, tournament)
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
    **route(takes=GivenToTournament, gives=Done, signed="must", no=(403, 404, 409, 503)),
)
async def tournament_command(
    house: HouseHere,
    caller: Signed,
    tournament: TournamentId,
    given: Annotated[GivenToTournament, body_of(GivenToTournament)],
) -> Response:
    """Ask something of a tournament."""
    actor = good(actor_for(caller.account, given.role))
    told = await house.tournaments.command(actor, tournament, given.command, given.key, given.version)
    if isinstance(told, Problem):
        raise ProblemError(told)
    return answer(Done(told))

"""The rules lab: the rules of a rulebook in plain words, and the value of the game with some of them changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import StreamingResponse

from pontoon.rulebook import to_toml
from pontoon.server.api.dependencies import answer, body_of
from pontoon.server.api.describe import route
from pontoon.server.api.limits import limited
from pontoon.server.lab.evaluation import Asked, Choice, EdgePart, Part, book_of, first_part, other_parts
from pontoon.server.lab.lanes import Lab
from pontoon.server.lab.rule_list import RuleList, rule_list
from pontoon.server.lab.sums import chart_sum, edge_sum
from pontoon.server.problems import ProblemError, problem

router = APIRouter(prefix="/api/lab")

LINES, TOML = "application/x-ndjson", "application/toml"
RulebookName = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,32}$")]
T = TypeVar("T")
_encode = msgspec.json.Encoder().encode
_warming: set[asyncio.Task[None]] = set()


def lab_of(request: Request) -> Lab:
    """The lab of this application."""
    lab: Lab = request.app.state.lab
    return lab


@router.get("/rules/{name}", **route(gives=RuleList, no=(404,)))
async def rules(
    request: Request,
    name: RulebookName,
    warm: Annotated[bool, Query(description="begin to compute the figures that changes are compared with")] = True,  # noqa: FBT002
) -> Response:
    """The rules of a rulebook in groups: labels, values to choose from, sentences, clauses."""
    lab = lab_of(request)
    written = lab.written(name)
    if written is None:
        raise ProblemError(problem("not_found"))
    if warm:
        _warm(lab, name)
    return answer(rule_list(written))


def _warm(lab: Lab, name: str) -> None:
    """Compute the edge and chart of a rulebook as written, which every change will be compared with."""
    task = asyncio.create_task(_prepare(lab, name))
    _warming.add(task)
    task.add_done_callback(_warming.discard)


async def _prepare(lab: Lab, name: str) -> None:
    game = book_of(lab, Choice(name)).game(Asked(name).stake)
    try:
        await lab.edges.do(edge_sum, game)
        await lab.rest.do(chart_sum, game)
    except ProblemError:  # busy: the next request says so
        return


@router.post("/book", **route(takes=Choice, gives=TOML))
async def book(request: Request, choice: Annotated[Choice, body_of(Choice)]) -> Response:
    """The changed rulebook as a file, complete and with comments, for `pontoon edge FILE` and every other command."""
    rules = book_of(lab_of(request), choice).rules
    name = f"{choice.rulebook[:24]}-changed" if rules.overrides else choice.rulebook
    text = to_toml(rules, name=name)
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}.toml"'}
    return Response(text, media_type=TOML, headers=headers)


@router.post("/evaluation", dependencies=[limited("lab")], **route(takes=Asked, gives=LINES, no=(429, 503)))
async def evaluation(request: Request, asked: Annotated[Asked, body_of(Asked)]) -> Response:
    """The value of the changed game, one line of JSON per part: edge, each change, chart, standard deviation.

    The first line is sent as soon as the edge is known; closing the connection cancels parts not yet started.
    """
    lab = lab_of(request)
    first = await _unless_disconnected(request, first_part(lab, asked))
    return StreamingResponse(_lines(lab, asked, first), media_type=LINES, headers={"Cache-Control": "no-store"})


async def _lines(lab: Lab, asked: Asked, first: EdgePart) -> AsyncIterator[bytes]:
    yield _line(first)
    async for part in other_parts(lab, asked, first):
        yield _line(part)


def _line(part: Part) -> bytes:
    return _encode(part) + b"\n"


async def _unless_disconnected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Do the work unless the client disconnects, as a page does when its rules change again."""
    doing = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait((doing, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise ProblemError(problem("closing"))  # nobody is left to read it
        return doing.result()
    finally:
        doing.cancel()
        leaving.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass

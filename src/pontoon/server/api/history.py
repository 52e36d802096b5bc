"""Recall and audit: every round by table, player and time, step by step, as transcript, CSV and JSON; the shoes."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Path, Response
from fastapi import Query as Asked
from fastapi.responses import StreamingResponse
from msgspec import Struct
from msgspec.structs import replace

from pontoon.money import dollars
from pontoon.server import history
from pontoon.server.api.dependencies import (
    After,
    HouseHere,
    Limit,
    Moment,
    Number,
    Signed,
    Somebody,
    TableId,
    Viewer,
    answer,
)
from pontoon.server.api.describe import JSON, route
from pontoon.server.api.paging import Before, cursor_of
from pontoon.server.api.problems import good
from pontoon.server.history import PastStep, Query, RoundRow, ShoeRow, place_of, rounds, shoe_row, shoes
from pontoon.server.house import House
from pontoon.server.live import Live
from pontoon.server.problems import Problem, ProblemError, problem
from pontoon.table import fairness
from pontoon.table.fairness import ShoeRecord
from pontoon.view.eye import Eye

router = APIRouter(prefix="/api")

MOST_EXPORTED = 10_000
PAGE = 500
NEXT = "Next-Cursor"
PLAIN, CSV = "text/plain; charset=utf-8", "text/csv; charset=utf-8"
COLUMNS = ("table", "round", "at", "rulebook", "player", "staked", "net", "void")


class RoundPage(Struct, frozen=True):
    """Rounds, newest first, and where to go on."""

    rounds: tuple[RoundRow, ...]
    next: str | None
    """The cursor for the next page; null at the end."""


class RoundSteps(Struct, frozen=True):
    """A round step by step."""

    round: RoundRow
    steps: tuple[PastStep, ...]
    next: int | None
    """The version to go on after; null at the end."""


class ShoeList(Struct, frozen=True):
    """The shoes of a table whose cards can be proved."""

    shoes: tuple[ShoeRow, ...]


class RoundList(Struct, frozen=True):
    """For the description alone: an export is a list of rounds."""

    rounds: tuple[RoundRow, ...]


async def page_of(house: House, query: Query, limit: int) -> RoundPage:
    """One page."""
    found = await rounds(house, query, limit + 1)
    more = len(found) > limit
    return RoundPage(tuple(found[:limit]), cursor_of(found[limit - 1]) if more else None)


async def steps_of(house: House, row: RoundRow, eye: Eye, after: int = 0, limit: int = 200) -> RoundSteps:
    """Steps of a round, as somebody was to see them."""
    found = tuple(await history.steps(house, row, eye, after, limit))
    more = bool(found) and found[-1].version < row.version
    return RoundSteps(row, found, found[-1].version if more else None)


# --- lists ---------------------------------------------------------------------------------------------


def _asked(
    caller: Signed,
    cursor: Before = None,
    table: Annotated[str, Asked(pattern=r"^[2-9a-z]{1,24}$")] = "",
    player: Annotated[str, Asked(min_length=1, max_length=64, pattern=r"^[^\x00-\x1f\x7f/]+$")] = "",
    since: Moment = 0,
    until: Moment = 0,
) -> Query:
    """Which rounds: a player sees the own ones, and everything of a table whose name is known."""
    if caller.account.role == "player" and not table:
        if player not in ("", caller.account.name):
            raise ProblemError(problem("not_yours", role="player", whom="themselves", command="rounds"))
        player = caller.account.name
    return Query(table, player, since, until, cursor)


Which = Annotated[Query, Depends(_asked)]


@router.get("/rounds", **route(gives=RoundPage, signed="must", no=(403,)))
async def all_rounds(house: HouseHere, which: Which, limit: Limit = 50) -> Response:
    """Rounds by table, player and time, newest first."""
    return answer(await page_of(house, which, limit))


@router.get("/tables/{table}/rounds", **route(gives=RoundPage, signed="may", no=(404,)))
async def rounds_of_table(
    house: HouseHere, _: Somebody, table: TableId, cursor: Before = None, limit: Limit = 50
) -> Response:
    """The rounds of one table, newest first."""
    await _live(house, table)
    return answer(await page_of(house, Query(table=table, before=cursor), limit))


async def _live(house: House, table: str) -> Live:
    live = await house.live(table)
    return good(live if live is not None else problem("no_such_table"))


# --- one round -----------------------------------------------------------------------------------------


@router.get("/rounds/{table}/{number}", **route(gives=RoundRow, signed="may", no=(404,)))
async def one_round(house: HouseHere, _: Somebody, table: TableId, number: Number) -> Response:
    """A round, and what it came to."""
    return answer(good(await history.find_round(house, table, number)))


@router.get("/rounds/{table}/{number}/steps", **route(gives=RoundSteps, signed="may", no=(404, 429)))
async def round_steps(
    house: HouseHere, eye: Viewer, table: TableId, number: Number, after: After = 0, limit: Limit = 100
) -> Response:
    """A round step by step: what was told to you, and how the table stood."""
    row = good(await history.find_round(house, table, number))
    return answer(await steps_of(house, row, eye, after, limit))


@router.get("/rounds/{table}/{number}/transcript", **route(gives=PLAIN, signed="may", no=(404, 409, 429)))
async def round_transcript(house: HouseHere, _: Somebody, table: TableId, number: Number) -> Response:
    """A round as a file for `pontoon settle`."""
    row = good(await history.find_round(house, table, number))
    text = good(await history.transcript(house, row))
    name = f"{row.table}-{row.number:04d}.prt"
    return Response(text, 200, {"Content-Disposition": f'attachment; filename="{name}"'}, PLAIN)


# --- exports -------------------------------------------------------------------------------------------


async def _exported(house: House, query: Query, most: int) -> tuple[list[RoundRow], dict[str, str]]:
    """The rounds of an export, and where the next one goes on: a header comes before the rows."""
    found: list[RoundRow] = []
    while len(found) < most:
        page = await rounds(house, query, min(PAGE, most - len(found)))
        found += page
        if len(page) < min(PAGE, most - len(found) + len(page)):
            return found, {}
        query = replace(query, before=place_of(found[-1]))
        await asyncio.sleep(0)  # the tables go on meanwhile
    more = await rounds(house, query, 1)
    return found, {NEXT: cursor_of(found[-1])} if more else {}


Most = Annotated[int, Asked(ge=1, le=MOST_EXPORTED, description="how many rounds at most")]


@router.get("/rounds.csv", **route(gives=CSV, signed="must", no=(403,)))
async def rounds_as_csv(house: HouseHere, which: Which, limit: Most = MOST_EXPORTED) -> Response:
    """Rounds as CSV, a line for each player; the header `Next-Cursor` says where the next export goes on."""
    found, more = await _exported(house, which, limit)
    headers = {**more, "Content-Disposition": 'attachment; filename="rounds.csv"', "Cache-Control": "no-store"}
    return StreamingResponse(_csv(found, which.player), 200, headers, CSV)


def _csv(found: list[RoundRow], player: str) -> Iterator[str]:
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(COLUMNS)
    for number, row in enumerate(found, 1):
        at = datetime.fromtimestamp(row.at / 1000, UTC).isoformat(timespec="milliseconds")
        for one in row.players:
            if player in ("", one.player):
                amounts = dollars(one.staked), dollars(one.net)
                lines.writerow((row.table, row.number, at, row.rulebook, one.player, *amounts, int(row.void)))
        if not number % PAGE:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()


@router.get("/rounds.json", **route(gives=RoundList, signed="must", no=(403,)))
async def rounds_as_json(house: HouseHere, which: Which, limit: Most = MOST_EXPORTED) -> Response:
    """Rounds as JSON; the header `Next-Cursor` says where the next export goes on."""
    found, more = await _exported(house, which, limit)
    headers = {**more, "Content-Disposition": 'attachment; filename="rounds.json"', "Cache-Control": "no-store"}
    return StreamingResponse(_json(found), 200, headers, JSON)


def _json(found: list[RoundRow]) -> Iterator[bytes]:
    yield b'{"rounds":['
    for first in range(0, len(found), PAGE):
        yield b",\n"[: 2 if first else 0] + b",\n".join(map(msgspec.json.encode, found[first : first + PAGE]))
    yield b"]}\n"


# --- shoes ---------------------------------------------------------------------------------------------


@router.get("/tables/{table}/shoes", **route(gives=ShoeList, signed="may", no=(404,)))
async def shoes_of_table(house: HouseHere, _: Somebody, table: TableId) -> Response:
    """The shoes of a table whose cards can be proved, in order."""
    found = shoes(await _live(house, table))
    return answer(ShoeList(tuple(shoe_row(number, one) for number, one in enumerate(found, 1))))


@router.get("/tables/{table}/shoes/{number}", **route(gives=ShoeRecord, signed="may", no=(404,)))
async def one_shoe(
    house: HouseHere, _: Somebody, table: TableId, number: Annotated[int, Path(ge=1, le=2**31)]
) -> Response:
    """A shoe as `pontoon verify shoe` reads it: complete when it is over, else as far as it is public."""
    found = shoes(await _live(house, table))
    record = good(found[number - 1] if number <= len(found) else _no_such_shoe())
    headers = {"Content-Disposition": f'attachment; filename="{table}-{number:04d}.shoe.json"'}
    return Response(fairness.write(record), 200, {**headers, "Cache-Control": "no-store"}, JSON)


def _no_such_shoe() -> Problem:
    return problem("not_found")

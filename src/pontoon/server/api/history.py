"""History and audit: rounds by table, player and time, step by step, as transcript, CSV and JSON; shoes."""

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
from pontoon.server.api.dependencies import (
    After,
    Caller,
    HouseHere,
    Limit,
    Moment,
    Number,
    Signed,
    Somebody,
    Speaks,
    TableId,
    ViewerHere,
    answer,
)
from pontoon.server.api.describe import JSON, route
from pontoon.server.api.paging import Before, cursor_of
from pontoon.server.api.problems import good
from pontoon.server.floor.picture import HandPicture
from pontoon.server.floor.rounds import past_round
from pontoon.server.house import House
from pontoon.server.people.people import Account
from pontoon.server.problems import Problem, ProblemError, problem
from pontoon.server.records import history
from pontoon.server.records.history import (
    PastStep,
    Query,
    RoundRow,
    ShoeRow,
    is_early,
    place_of,
    rounds,
    sees_names,
    shoe_row,
    shoes,
    shown_to,
)
from pontoon.server.rooms.live import Live
from pontoon.table import fairness
from pontoon.table.fairness import ShoeRecord
from pontoon.view.viewer import Viewer

router = APIRouter(prefix="/api")

MOST_EXPORTED = 10_000
PAGE = 500
NEXT = "Next-Cursor"
PLAIN, CSV = "text/plain; charset=utf-8", "text/csv; charset=utf-8"
COLUMNS = ("table", "round", "at", "rulebook", "player", "staked", "net", "void")


class RoundPage(Struct, frozen=True):
    """Rounds, newest first, and the cursor of the next page."""

    rounds: tuple[RoundRow, ...]
    next: str | None
    """The cursor for the next page; null on the last page."""


class RoundSteps(Struct, frozen=True):
    """A round step by step."""

    round: RoundRow
    steps: tuple[PastStep, ...]
    next: int | None
    """The version to continue after; null at the end."""


class RoundHands(Struct, frozen=True):
    """The hands of a round as they lay when its cards were collected."""

    hands: tuple[HandPicture, ...]


class ShoeList(Struct, frozen=True):
    """The provably fair shoes of a table."""

    shoes: tuple[ShoeRow, ...]


class RoundList(Struct, frozen=True):
    """An export is a list of rounds; used only in the API description."""

    rounds: tuple[RoundRow, ...]


async def page_of(house: House, query: Query, limit: int, account: Account | None) -> RoundPage:
    """One page of rounds, as this caller may see them."""
    found = await rounds(house, query, limit + 1)
    more = len(found) > limit
    shown = await _shown(house, found[:limit], account)
    return RoundPage(tuple(shown), cursor_of(found[limit - 1]) if more else None)


async def _shown(house: House, found: list[RoundRow], account: Account | None) -> list[RoundRow]:
    """Rounds as this caller may see them, without those that are too recent for a spectator."""
    return [shown_to(row, account) for row in found if not await is_early(house, row, account)]


def _account(caller: Caller | None) -> Account | None:
    return caller.account if caller is not None else None


async def steps_of(house: House, row: RoundRow, viewer: Viewer, after: int = 0, limit: int = 200) -> RoundSteps:
    """Steps of a round as the viewer may see them."""
    found = tuple(await history.steps(house, row, viewer, after, limit))
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
    """The requested rounds: a player sees their own, and those of any table whose name they know, without names."""
    if caller.account.role == "player":
        if player not in ("", caller.account.name):
            raise ProblemError(problem("not_yours", role="player", whom="themselves", command="rounds"))
        player = player if table else caller.account.name
    return Query(table, player, since, until, cursor)


Which = Annotated[Query, Depends(_asked)]


@router.get("/rounds", **route(gives=RoundPage, signed="must", no=(403,)))
async def all_rounds(house: HouseHere, caller: Signed, which: Which, limit: Limit = 50) -> Response:
    """Rounds by table, player and time, newest first."""
    return answer(await page_of(house, which, limit, caller.account))


@router.get("/tables/{table}/rounds", **route(gives=RoundPage, signed="may", no=(404,)))
async def rounds_of_table(
    house: HouseHere, caller: Somebody, table: TableId, cursor: Before = None, limit: Limit = 50
) -> Response:
    """The rounds of one table, newest first; only their players and officials see names."""
    await _live(house, table)
    return answer(await page_of(house, Query(table=table, before=cursor), limit, _account(caller)))


async def _live(house: House, table: str) -> Live:
    live = await house.live(table)
    return good(live if live is not None else problem("no_such_table"))


# --- one round -----------------------------------------------------------------------------------------


@router.get("/rounds/{table}/{number}", **route(gives=RoundRow, signed="may", no=(404,)))
async def one_round(house: HouseHere, caller: Somebody, table: TableId, number: Number) -> Response:
    """A round and its result; only its players and officials see names."""
    row = good(await history.open_round(house, table, number, _account(caller)))
    return answer(shown_to(row, _account(caller)))


async def _own_round(house: HouseHere, caller: Signed, table: TableId, number: Number) -> RoundRow:
    row = good(await history.find_round(house, table, number))
    if not sees_names(row, caller.account):
        raise ProblemError(problem("not_your_round"))
    return row


OwnRound = Annotated[RoundRow, Depends(_own_round)]


@router.get("/rounds/{table}/{number}/steps", **route(gives=RoundSteps, signed="must", no=(403, 404, 429)))  # noqa: FAST003
async def round_steps(
    house: HouseHere, viewer: ViewerHere, row: OwnRound, after: After = 0, limit: Limit = 100
) -> Response:
    """A round step by step, for its players and officials: the events you were sent and the state of the table."""
    return answer(await steps_of(house, row, viewer, after, limit))


@router.get("/rounds/{table}/{number}/hands", **route(gives=RoundHands, signed="must", no=(403, 404, 429)))  # noqa: FAST003
async def round_hands(house: HouseHere, row: OwnRound, speaks: Speaks) -> Response:
    """The hands of a round with their results, for its players and officials; box 0 is the dealer."""
    archive = history.archive_of(house)
    past = await history.REPLAYING.do(lambda: past_round(archive, row, speaks))
    return answer(RoundHands(past.hands))


@router.get("/rounds/{table}/{number}/transcript", **route(gives=PLAIN, signed="may", no=(404, 409, 429)))
async def round_transcript(house: HouseHere, caller: Somebody, table: TableId, number: Number) -> Response:
    """A round as a file for `pontoon settle`; only its players and officials see names."""
    row = good(await history.open_round(house, table, number, _account(caller)))
    text = good(await history.transcript(house, row, _account(caller)))
    name = f"{row.table}-{row.number:04d}.prt"
    return Response(text, 200, {"Content-Disposition": f'attachment; filename="{name}"'}, PLAIN)


# --- exports -------------------------------------------------------------------------------------------


async def _exported(house: House, query: Query, most: int) -> tuple[list[RoundRow], dict[str, str]]:
    """The rounds of an export, and the headers with the cursor of the next one, which are sent before the rows."""
    found: list[RoundRow] = []
    while len(found) < most:
        page = await rounds(house, query, min(PAGE, most - len(found)))
        found += page
        if len(page) < min(PAGE, most - len(found) + len(page)):
            return found, {}
        query = replace(query, before=place_of(found[-1]))
        await asyncio.sleep(0)  # let the tables run
    more = await rounds(house, query, 1)
    return found, {NEXT: cursor_of(found[-1])} if more else {}


Most = Annotated[int, Asked(ge=1, le=MOST_EXPORTED, description="maximum number of rounds")]


@router.get("/rounds.csv", **route(gives=CSV, signed="must", no=(403,)))
async def rounds_as_csv(house: HouseHere, caller: Signed, which: Which, limit: Most = MOST_EXPORTED) -> Response:
    """Rounds as CSV, one line per player; the header `Next-Cursor` continues the export."""
    found, more = await _exported(house, which, limit)
    found = await _shown(house, found, caller.account)
    headers = {**more, "Content-Disposition": 'attachment; filename="rounds.csv"', "Cache-Control": "no-store"}
    return StreamingResponse(_csv(found, which.player), 200, headers, CSV)


def _csv(found: list[RoundRow], player: str) -> Iterator[str]:
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(COLUMNS)
    for number, row in enumerate(found, 1):
        at = datetime.fromtimestamp(row.at / 1000, UTC).isoformat(timespec="milliseconds")
        for result in row.players:
            if player in ("", result.player):
                amounts = dollars(result.staked), dollars(result.net)
                lines.writerow((row.table, row.number, at, row.rulebook, result.player, *amounts, int(row.void)))
        if not number % PAGE:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()


@router.get("/rounds.json", **route(gives=RoundList, signed="must", no=(403,)))
async def rounds_as_json(house: HouseHere, caller: Signed, which: Which, limit: Most = MOST_EXPORTED) -> Response:
    """Rounds as JSON; the header `Next-Cursor` continues the export."""
    found, more = await _exported(house, which, limit)
    found = await _shown(house, found, caller.account)
    headers = {**more, "Content-Disposition": 'attachment; filename="rounds.json"', "Cache-Control": "no-store"}
    return StreamingResponse(_json(found), 200, headers, JSON)


def _json(found: list[RoundRow]) -> Iterator[bytes]:
    yield b'{"rounds":['
    for first in range(0, len(found), PAGE):
        yield b",\n"[: 2 if first else 0] + b",\n".join(map(msgspec.json.encode, found[first : first + PAGE]))
    yield b"]}\n"


# --- shoes ---------------------------------------------------------------------------------------------


@router.get("/tables/{table}/shoes", **route(gives=ShoeList, signed="may", no=(404, 429)))
async def shoes_of_table(house: HouseHere, viewer: ViewerHere, table: TableId) -> Response:
    """The shoes of a table whose cards can be proved, in order."""
    found = await shoes(house, await _live(house, table), viewer)
    return answer(ShoeList(tuple(shoe_row(number, one) for number, one in enumerate(found, 1))))


@router.get("/tables/{table}/shoes/{number}", **route(gives=ShoeRecord, signed="may", no=(404, 429)))
async def one_shoe(
    house: HouseHere, viewer: ViewerHere, table: TableId, number: Annotated[int, Path(ge=1, le=2**31)]
) -> Response:
    """A shoe as `pontoon verify shoe` reads it: complete when it is over, otherwise as far as it is public."""
    found = await shoes(house, await _live(house, table), viewer, number)
    record = good(found[0] if found else _no_such_shoe())
    headers = {"Content-Disposition": f'attachment; filename="{table}-{number:04d}.shoe.json"'}
    return Response(fairness.write(record), 200, {**headers, "Cache-Control": "no-store"}, JSON)


def _no_such_shoe() -> Problem:
    return problem("not_found")

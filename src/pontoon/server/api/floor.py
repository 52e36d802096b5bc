"""The floor: the dealer's console, the pit, incidents, and finding rounds."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Response
from fastapi import Query as Asked
from msgspec import Struct

from pontoon.money import dollars
from pontoon.server.api.dependencies import (
    Caller,
    HouseHere,
    Limit,
    Moment,
    Number,
    Speaks,
    TableId,
    answer,
    in_role,
)
from pontoon.server.api.describe import route
from pontoon.server.api.learning import live_of
from pontoon.server.api.paging import Before, cursor_of
from pontoon.server.api.problems import good
from pontoon.server.floor.console import Console, accounts, console_of
from pontoon.server.floor.incidents import MOST_ENTRIES, Incident, IncidentRow, incident, number_of
from pontoon.server.floor.pit import Alert, PitTable, pit_table
from pontoon.server.floor.rounds import PastRound, Wanted, matches, past_round
from pontoon.server.house import House
from pontoon.server.problems import ProblemError, problem
from pontoon.server.records import history
from pontoon.server.records.history import REPLAYING, Query, archive_of, rounds
from pontoon.server.rooms.decide import INCIDENT
from pontoon.server.rooms.live import Live
from pontoon.server.rooms.log import RoundKept, read_body
from pontoon.server.rooms.permits import OFFICIALS
from pontoon.server.rooms.room import STREAM, stream_of
from pontoon.store.model import Entry

router = APIRouter(prefix="/api")

Official = Annotated[Caller, Depends(in_role(*OFFICIALS))]
CSV = "text/csv; charset=utf-8"
LAST_ROUNDS = 20
"""Of each table in the pit."""
SCANNED = 200
"""Rounds looked at for one page of a search."""
URGENT = ("approval", "called", "float", "super_bonus", "large_win", "long_pause", "unusual")
COLUMNS = ("incident", "at", "table", "round", "what", "decision", "state", "people", "clauses", "moved")


class Pit(Struct, frozen=True):
    """Every table, and what to look at, most urgent first."""

    at: int
    tables: tuple[PitTable, ...]
    alerts: tuple[Alert, ...]


class IncidentList(Struct, frozen=True):
    """Incidents, newest first."""

    incidents: tuple[IncidentRow, ...]


class FoundRounds(Struct, frozen=True):
    """Rounds with their cards, newest first, and where to continue."""

    rounds: tuple[PastRound, ...]
    next: str | None


@router.get("/tables/{table}/console", **route(gives=Console, signed="must", no=(403, 404, 429)))
async def console(house: HouseHere, _: Official, speaks: Speaks, table: TableId) -> Response:
    """What the dealer does next, what to pay and to whom, the tray and the people."""
    live = await live_of(house, table)
    known = tuple(accounts(live.room.state).values())
    chips = await house.read(lambda: house.store.balances_of(known)) if known else {}
    return answer(console_of(live.room.state, chips, speaks))


# --- the pit -------------------------------------------------------------------------------------------


@router.get("/pit", **route(gives=Pit, signed="must", no=(403,)))
async def pit(house: HouseHere, _: Official, speaks: Speaks) -> Response:
    """All tables except practice tables, with stakes, results and alerts."""
    lives = sorted((live for live in house.lives.values() if _in_pit(live)), key=_by_name)
    tables = tuple([await _pit_table(house, live, speaks) for live in lives])
    found = sorted((alert for table in tables for alert in table.alerts), key=lambda alert: URGENT.index(alert.kind))
    return answer(Pit(house.clock.wall(), tables, tuple(found)))


def _by_name(live: Live) -> tuple[list[tuple[int, str]], str]:
    """Table 2 before Table 10."""
    parts = re.split(r"(\d{1,9})", live.room.state.settings.name.casefold())
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts], live.room.id


def _in_pit(live: Live) -> bool:
    settings = live.room.state.settings
    return not settings.practice and settings.heat is None


async def _pit_table(house: House, live: Live, speaks: str) -> PitTable:
    state, store = live.room.state, house.store
    stream, account = stream_of(state.id), f"house/{state.id}"

    def read() -> tuple[list[Entry], list[Entry], int]:
        last = store.read(stream, state.version - 1, 1)
        return store.marked("round", stream=stream, limit=LAST_ROUNDS), last, store.balance(account)

    kept, last, won = await house.read(read)
    played = [event for entry in kept for event in read_body(entry.body).events if isinstance(event, RoundKept)]
    return pit_table(state, won, last[0].at if last else 0, house.clock.wall(), played, speaks)


# --- incidents -----------------------------------------------------------------------------------------


def _query(
    table: Annotated[str, Asked(pattern=r"^[2-9a-z]{1,24}$")] = "",
    player: Annotated[str, Asked(max_length=64)] = "",
    since: Moment = 0,
    until: Moment = 0,
    cursor: Before = None,
) -> Query:
    return Query(table, player, since, until, cursor)


Words = Annotated[str, Asked(max_length=60, description="words that must occur in it")]


async def _incidents(house: House, query: Query, limit: int, language: str) -> list[Incident]:
    stream = stream_of(query.table) if query.table else ""
    opened = await house.read(
        lambda: house.store.marked(
            INCIDENT, stream=stream, before=query.before, since=query.since, until=query.until, limit=limit
        )
    )
    return [await _incident(house, entry.stream.removeprefix(STREAM), number_of(entry), language) for entry in opened]


async def _incident(house: House, table: str, number: int, language: str) -> Incident:
    mark, stream = f"{INCIDENT}:{number}", stream_of(table)
    entries = await house.read(lambda: house.store.marked(mark, stream=stream, limit=MOST_ENTRIES))
    if not entries:
        raise ProblemError(problem("not_found"))
    archive = archive_of(house)
    return await REPLAYING.do(lambda: incident(archive, entries[::-1], language))


def _has(found: Incident, words: str) -> bool:
    row = found.row
    text = " ".join((row.words, *found.decisions, *row.people, *row.clauses, *(line.player for line in found.money)))
    return all(word in text.casefold() for word in words.casefold().split())


@router.get("/incidents", **route(gives=IncidentList, signed="must", no=(403, 429)))
async def incidents(
    house: HouseHere,
    _: Official,
    speaks: Speaks,
    query: Annotated[Query, Depends(_query)],
    words: Words = "",
    limit: Limit = 50,
) -> Response:
    """Incidents by table, time and words, newest first."""
    found = await _incidents(house, query, limit, speaks)
    return answer(IncidentList(tuple(result.row for result in found if _has(result, words))))


@router.get("/incidents.csv", **route(gives=CSV, signed="must", no=(403, 429)))
async def incidents_as_csv(
    house: HouseHere, _: Official, speaks: Speaks, query: Annotated[Query, Depends(_query)], limit: Limit = 200
) -> Response:
    """Incidents as CSV, newest first."""
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(COLUMNS)
    for one in await _incidents(house, query, limit, speaks):
        row = one.row
        at = datetime.fromtimestamp(row.at / 1000, UTC).isoformat(timespec="seconds")
        lists = "; ".join(one.decisions), row.state, "; ".join(row.people), "; ".join(row.clauses)
        lines.writerow((f"{row.table}-{row.number}", at, row.table, row.round, row.words, *lists, dollars(row.moved)))
    headers = {"Content-Disposition": 'attachment; filename="incidents.csv"', "Cache-Control": "no-store"}
    return Response(text.getvalue(), 200, headers, CSV)


@router.get("/incidents/{table}/{number}", **route(gives=Incident, signed="must", no=(403, 404, 429)))
async def one_incident(house: HouseHere, _: Official, speaks: Speaks, table: TableId, number: Number) -> Response:
    """An incident with its cards and money before and after, its steps and its decision."""
    return answer(await _incident(house, table, number, speaks))


# --- finding rounds ------------------------------------------------------------------------------------


def _wanted(
    box: Annotated[int, Asked(ge=0, le=9)] = 0,
    result: Literal["", "win", "loss", "push", "void"] = "",
    at_least: Annotated[int, Asked(ge=0, le=10**12, description="cents won or lost")] = 0,
    incident: Literal["", "with", "without"] = "",
) -> Wanted:
    return Wanted(box, result, at_least, incident)


@router.get("/floor/rounds", **route(gives=FoundRounds, signed="must", no=(403, 429)))
async def find_rounds(
    house: HouseHere,
    _: Official,
    speaks: Speaks,
    query: Annotated[Query, Depends(_query)],
    wanted: Annotated[Wanted, Depends(_wanted)],
    limit: Limit = 30,
) -> Response:
    """Rounds by time, table, player, box, result, amount and incident, with cards and rack."""
    rows = await rounds(house, query, SCANNED)
    archive, found = archive_of(house), []
    last = None
    for row in rows:
        one = await REPLAYING.do(lambda row=row: past_round(archive, row, speaks))  # type: ignore[misc] # bound now
        last = row
        if matches(one, wanted):
            found.append(one)
        if len(found) == limit:
            break
    more = last is not None and (len(rows) == SCANNED or last is not rows[-1])
    return answer(FoundRounds(tuple(found), cursor_of(last) if more and last is not None else None))


@router.get("/floor/rounds/{table}/{number}", **route(gives=PastRound, signed="must", no=(403, 404, 429)))
async def one_past_round(house: HouseHere, _: Official, speaks: Speaks, table: TableId, number: Number) -> Response:
    """One round with its cards, its settlement and the discard rack after it."""
    row = good(await history.find_round(house, table, number))
    archive = archive_of(house)
    return answer(await REPLAYING.do(lambda: past_round(archive, row, speaks)))

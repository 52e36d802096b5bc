"""Administration and inspection: people and roles, the trial balance, the raw log, roots, verification, backup."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Annotated, cast

from fastapi import APIRouter, Path, Request, Response
from fastapi import Query as Asked
from msgspec import Struct

from pontoon.rulebook import Clauses
from pontoon.server import accounts
from pontoon.server.api.dependencies import (
    Administrator,
    After,
    HouseHere,
    Limit,
    PersonName,
    Reader,
    answer,
    body_of,
)
from pontoon.server.api.describe import route
from pontoon.server.api.paging import Before
from pontoon.server.api.problems import good
from pontoon.server.aside import Aside
from pontoon.server.decide import REPORT
from pontoon.server.inspected import RawEntry, held_from, inspected, secret_since
from pontoon.server.log import read_body
from pontoon.server.logs import event
from pontoon.server.people import STREAM as PEOPLE
from pontoon.server.people import folded
from pontoon.server.permits import Role
from pontoon.server.problems import ProblemError, problem
from pontoon.server.room import STREAM
from pontoon.store.backup import backup
from pontoon.store.model import Entry, Fault, StoreError
from pontoon.store.rows import Snapshots
from pontoon.store.verify import faults, trial_balance
from pontoon.table.events import Reported

router = APIRouter(prefix="/api/admin")

MOST_FAULTS = 100
_CHECKING = Aside("checking", 4)
"""Whole-store work: one at a time."""


class PersonRow(Struct, frozen=True):
    """Somebody with a name here."""

    name: str
    role: Role
    guest: bool
    sessions: int


class PersonList(Struct, frozen=True):
    """People by name, and where to go on."""

    accounts: tuple[PersonRow, ...]
    next: str | None


class NewRole(Struct, frozen=True, forbid_unknown_fields=True):
    """In which capacity a person acts from now on."""

    role: Role


class Balance(Struct, frozen=True):
    """The trial balance, straight from the postings."""

    kinds: dict[str, int]
    total: int
    zero: bool


class LogPage(Struct, frozen=True):
    """Entries of a stream, and where to go on."""

    stream: str
    entries: tuple[RawEntry, ...]
    next: int | None
    secret_since: int | None
    """From this version on what nobody may know yet is blanked."""
    held_from: int | None
    """From this version on nothing is shown before the round is over."""


class RootRow(Struct, frozen=True):
    """One hash over the heads of all streams."""

    number: int
    at: int
    hash: str
    streams: int


class RootList(Struct, frozen=True):
    """Roots, and where to go on."""

    roots: tuple[RootRow, ...]
    next: int | None


class FaultRow(Struct, frozen=True):
    """What is wrong with the store."""

    stream: str
    version: int
    words: str


class Verified(Struct, frozen=True):
    """Whether the store holds what was written."""

    whole: bool
    faults: tuple[FaultRow, ...]
    milliseconds: int


class ReportRow(Struct, frozen=True):
    """Something reported to an authority: when, at which table, about whom and why."""

    at: int
    table: str
    version: int
    to: str
    matter: str
    player: str
    by: str
    reason: str
    clauses: Clauses


class ReportList(Struct, frozen=True):
    """Reports, newest first, and where to go on."""

    reports: tuple[ReportRow, ...]
    next: str | None


class BackedUp(Struct, frozen=True):
    """A verified copy of the store."""

    file: str
    size: int


# --- people --------------------------------------------------------------------------------------------


@router.get("/accounts", **route(gives=PersonList, signed="must", no=(403,)))
async def people(
    house: HouseHere,
    _: Reader,
    cursor: Annotated[str, Asked(max_length=64, pattern=r"^[^\x00-\x1f\x7f]*$")] = "",
    limit: Limit = 50,
) -> Response:
    """Everybody, by name."""
    known = house.people.accounts
    names = sorted(name for name in known if name > folded(cursor))
    rows = tuple(
        PersonRow(known[name].name, known[name].role, known[name].guest, len(known[name].tokens))
        for name in names[:limit]
    )
    return answer(PersonList(rows, rows[-1].name if names[limit:] else None))


@router.put("/accounts/{name}/role", **route(takes=NewRole, gives=PersonRow, signed="must", no=(403, 404, 409, 503)))
async def give_role(
    house: HouseHere, caller: Administrator, name: PersonName, new: Annotated[NewRole, body_of(NewRole)]
) -> Response:
    """Let a person act in another capacity."""
    one = good(await accounts.give_role(house, caller.account, name, new.role))
    event("role_given", role=new.role)
    return answer(PersonRow(one.name, one.role, one.guest, len(one.tokens)))


@router.delete("/accounts/{name}/sessions", **route(status=204, signed="must", no=(403, 404, 503)))
async def revoke(house: HouseHere, caller: Administrator, name: PersonName) -> Response:
    """End every session of a person; their sockets close."""
    good(await accounts.revoke(house, caller.account, name))
    return Response(status_code=204)


# --- the books -----------------------------------------------------------------------------------------


@router.get("/balance", **route(gives=Balance, signed="must", no=(403, 429)))
async def balance(house: HouseHere, _: Reader) -> Response:
    """The trial balance on demand: what the postings of each kind of account come to."""
    store = cast("Snapshots", house.store)
    kinds = await _CHECKING.do(lambda: trial_balance(store))
    total = sum(kinds.values())
    return answer(Balance(kinds, total, total == 0))


@router.get("/reports", **route(gives=ReportList, signed="must", no=(403,)))
async def reports(house: HouseHere, _: Reader, cursor: Before = None, limit: Limit = 50) -> Response:
    """What was reported to the commission or the inspectorate, newest first."""
    entries = await house.read(lambda: house.store.marked(REPORT, before=cursor, limit=limit + 1))
    rows = tuple(row for entry in entries[:limit] for row in _reports(entry))
    last = entries[limit - 1] if entries[limit:] else None
    return answer(ReportList(rows, f"{last.at}-{last.version}-{last.stream.removeprefix(STREAM)}" if last else None))


def _reports(entry: Entry) -> Iterator[ReportRow]:
    """The reports of one entry of a table's log."""
    for one in read_body(entry.body).events:
        if isinstance(one, Reported):
            table = entry.stream.removeprefix(STREAM)
            facts = (one.to, one.matter, one.player, one.by, one.reason, one.clauses)
            yield ReportRow(entry.at, table, entry.version, *facts)


@router.get("/log/{stream:path}", **route(gives=LogPage, signed="must", no=(403, 404)))
async def log(
    house: HouseHere,
    _: Reader,
    stream: Annotated[str, Path(pattern=r"^(people|table/[2-9a-z]{1,24})$")],
    after: After = 0,
    limit: Limit = 100,
) -> Response:
    """The raw log, with what nobody may know yet blanked."""
    live = await house.live(stream.removeprefix(STREAM)) if stream != PEOPLE else None
    if stream != PEOPLE and live is None:
        raise ProblemError(problem("no_such_table"))
    entries = await house.read(lambda: house.store.read(stream, after, limit + 1))
    since = await house.read(lambda: secret_since(house.store, stream)) if live is not None else 0
    held = held_from(live) if live is not None else 2**63
    shown = tuple(inspected(one, since) for one in entries[:limit] if one.version < held)
    more = len(entries) > limit and len(shown) == limit
    return answer(
        LogPage(
            stream,
            shown,
            shown[-1].version if more else None,
            since if since < 2**63 else None,
            held if held < 2**63 else None,
        )
    )


@router.get("/roots", **route(gives=RootList, signed="must", no=(403,)))
async def roots(house: HouseHere, _: Reader, after: After = 0, limit: Limit = 50) -> Response:
    """The roots; the heads below them are left out, for they would say something of cards nobody has seen."""
    found = await house.read(lambda: house.store.roots(after, limit + 1))
    rows = tuple(RootRow(one.number, one.at, one.hash, len(one.heads)) for one in found[:limit])
    return answer(RootList(rows, rows[-1].number if len(found) > limit else None))


@router.get("/verify", **route(gives=Verified, signed="must", no=(403, 429)))
async def verify(house: HouseHere, _: Reader) -> Response:
    """Read every row of the store and say what is wrong with it."""
    store = cast("Snapshots", house.store)
    began = time.monotonic()

    def checked() -> list[Fault]:
        return [one for one, _ in zip(faults(store), range(MOST_FAULTS), strict=False)]

    found = await _CHECKING.do(checked)
    rows = tuple(FaultRow(one.stream, one.version, one.words) for one in found)
    return answer(Verified(not rows, rows, round((time.monotonic() - began) * 1000)))


@router.post("/backup", **route(gives=BackedUp, status=201, signed="must", no=(403, 429, 503)))
async def back_up(request: Request, house: HouseHere, _: Administrator) -> Response:
    """Copy the store while it is written, and verify the copy."""
    folder: FilePath | None = getattr(request.app.state, "backup_folder", None)
    if folder is None:
        raise ProblemError(problem("no_backup_folder"))
    store = cast("Snapshots", house.store)
    now = house.clock.wall()
    stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime(now / 1000))
    file = folder / f"pontoon-{stamp}.{now % 1000:03d}-{house.owner[:4]}.db"

    def copied() -> int:
        folder.mkdir(parents=True, exist_ok=True)
        backup(store, file)
        return file.stat().st_size

    try:
        size = await _CHECKING.do(copied)
    except (StoreError, OSError) as error:
        event("backup_failed", why=str(error))
        raise ProblemError(problem("backup_failed")) from None
    event("backup", file=file.name, size=size)
    return answer(BackedUp(file.name, size), 201)

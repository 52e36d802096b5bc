"""Administration and inspection: people and roles, the trial balance, the raw log, roots, verification, backup."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path as FilePath
from typing import Annotated, cast

from fastapi import APIRouter, Path, Request, Response
from fastapi import Query as Asked
from fastapi.responses import FileResponse
from msgspec import Meta, Struct

from pontoon.rulebook import Clauses
from pontoon.server.api.dependencies import (
    Administrator,
    After,
    HouseHere,
    Limit,
    PersonName,
    Reader,
    Stopper,
    TableId,
    answer,
    body_of,
)
from pontoon.server.api.describe import route
from pontoon.server.api.paging import Before
from pontoon.server.api.problems import good
from pontoon.server.coach.work_queue import WorkQueue
from pontoon.server.house import House
from pontoon.server.operation.logs import event
from pontoon.server.operation.metrics import COMMANDS, COMMIT_SECONDS, mean, total
from pontoon.server.people import accounts, password_links
from pontoon.server.people.password_links import PasswordLink
from pontoon.server.people.people import STREAM as PEOPLE
from pontoon.server.people.people import (
    Account,
    ChipsGiven,
    PeopleEvent,
    PolicySet,
    TableArchived,
    folded,
    people_events,
)
from pontoon.server.problems import ProblemError, problem
from pontoon.server.records.inspection import RawEntry, held_from, inspection_row, secret_since
from pontoon.server.rooms.decide import REPORT
from pontoon.server.rooms.log import read_body
from pontoon.server.rooms.permits import Role
from pontoon.server.rooms.room import STREAM
from pontoon.store import open_store
from pontoon.store.backup import backup
from pontoon.store.model import Entry, Fault, StoreError
from pontoon.store.rows import Snapshots
from pontoon.store.verify import faults, trial_balance
from pontoon.table.events import Reported
from pontoon.version import __version__
from pontoon.view.catalogue.formats import money

router = APIRouter(prefix="/api/admin")

MOST_FAULTS = 100
PAGE, MOST_PAGES = 500, 20
"""Entries that a search of the audit trail reads at a time, and how often for one answer."""
DAY = 86_400_000
SQLITE = "application/vnd.sqlite3"
_CHECKING = WorkQueue("checking", 4)
"""Serialises work on the whole store."""


class PersonRow(Struct, frozen=True):
    """A user."""

    name: str
    role: Role
    guest: bool
    sessions: int
    suspended: bool = False
    seen: int = 0
    """When they signed in last; 0 for never."""
    locked: int = 0
    """Seconds until the next attempt to sign in is taken, after too many wrong passwords."""


class NewPerson(Struct, frozen=True, forbid_unknown_fields=True):
    """A person to add, and in which role."""

    name: Annotated[str, Meta(max_length=64)]
    role: Role = "player"


class PersonList(Struct, frozen=True):
    """Users by name, and the cursor of the next page."""

    accounts: tuple[PersonRow, ...]
    next: str | None


class NewRole(Struct, frozen=True, forbid_unknown_fields=True):
    """The new role of a user."""

    role: Role


class Reason(Struct, frozen=True, forbid_unknown_fields=True):
    """Why a person or a table is stopped."""

    reason: Annotated[str, Meta(max_length=150)] = ""


class Balance(Struct, frozen=True):
    """The trial balance, computed from the postings."""

    kinds: dict[str, int]
    total: int
    zero: bool


class LogPage(Struct, frozen=True):
    """Entries of a stream, and the cursor of the next page."""

    stream: str
    entries: tuple[RawEntry, ...]
    next: int | None
    secret_since: int | None
    """From this version on, secret values are blanked."""
    held_from: int | None
    """From this version on, nothing is shown until the round is over."""


class RootRow(Struct, frozen=True):
    """A hash over the heads of all streams."""

    number: int
    at: int
    hash: str
    streams: int


class RootList(Struct, frozen=True):
    """Roots, and the cursor of the next page."""

    roots: tuple[RootRow, ...]
    next: int | None


class FaultRow(Struct, frozen=True):
    """A fault in the store."""

    stream: str
    version: int
    words: str


class Verified(Struct, frozen=True):
    """The result of verifying the store."""

    whole: bool
    faults: tuple[FaultRow, ...]
    milliseconds: int


class ReportRow(Struct, frozen=True):
    """A report to an authority: time, table, person and reason."""

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
    """Reports, newest first, and the cursor of the next page."""

    reports: tuple[ReportRow, ...]
    next: str | None


class BackupRow(Struct, frozen=True):
    """A backup in the server's folder."""

    file: str
    size: int
    at: int


class BackupList(Struct, frozen=True):
    """Backups, newest first."""

    backups: tuple[BackupRow, ...]


class Overview(Struct, frozen=True):
    """The state of the server at a glance; amounts since its start, for this process."""

    version: str
    started: int
    people: int
    guests: int
    suspended: int
    tables: int
    sockets: int
    entries: int
    """Entries in all logs."""
    verified: int
    """Entries verified since the start."""
    whole: bool
    """Whether the whole log was verified since the start."""
    fault: str
    """The first fault that was found; empty if there is none."""
    free_bytes: int
    """Free space where backups are written; -1 if that is not known."""
    failed_sign_ins: int = 0
    """Failed sign-ins in the last hour, at this process."""
    most_failed: str = ""
    """The account that most of them were for."""
    commands: float = 0.0
    """Commands a second since the start of this process."""
    commit_milliseconds: float = 0.0
    """Mean duration of a transaction of this process."""
    processes: int = 1


class AuditRow(Struct, frozen=True):
    """Something that happened to a person's account."""

    at: int
    by: str
    what: str
    """The kind of event, such as RoleGiven."""
    name: str
    detail: str
    """The new role, or the reason."""


class AuditPage(Struct, frozen=True):
    """Events, newest first, and the cursor of the next page."""

    events: tuple[AuditRow, ...]
    next: int | None


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
    """All users, by name."""
    known = house.people.accounts
    names = sorted(name for name in known if name > folded(cursor))
    rows = tuple(person_row(house, known[name]) for name in names[:limit])
    return answer(PersonList(rows, rows[-1].name if names[limit:] else None))


def person_row(house: House, account: Account) -> PersonRow:
    """A user as administrators see them."""
    locked = house.sign_ins.wait(folded(account.name), "")
    sessions = len(account.tokens)
    return PersonRow(account.name, account.role, account.guest, sessions, account.suspended, account.seen, locked)


@router.post("/accounts", **route(takes=NewPerson, gives=PasswordLink, status=201, signed="must", no=(403, 409, 503)))
async def add_person(
    house: HouseHere, caller: Administrator, new: Annotated[NewPerson, body_of(NewPerson)]
) -> Response:
    """Open an account; its owner sets the password with the one-time link in the answer."""
    return answer(good(await password_links.add_person(house, caller.account, new.name, new.role)), 201)


@router.post("/accounts/{name}/link", **route(gives=PasswordLink, status=201, signed="must", no=(403, 404, 503)))
async def give_link(house: HouseHere, caller: Administrator, name: PersonName) -> Response:
    """A one-time link with which a person sets a new password; it works for 30 minutes."""
    return answer(good(await password_links.give_link(house, caller.account, name)), 201)


@router.put("/accounts/{name}/role", **route(takes=NewRole, gives=PersonRow, signed="must", no=(403, 404, 409, 503)))
async def give_role(
    house: HouseHere, caller: Administrator, name: PersonName, new: Annotated[NewRole, body_of(NewRole)]
) -> Response:
    """Change a user's role."""
    person = good(await accounts.give_role(house, caller.account, name, new.role))
    event("role_given", name=person.name, role=new.role, by=caller.account.name)
    return answer(person_row(house, person))


@router.delete("/accounts/{name}/sessions", **route(status=204, signed="must", no=(403, 404, 503)))
async def revoke(house: HouseHere, caller: Administrator, name: PersonName) -> Response:
    """End all sessions of a user; their sockets close."""
    good(await accounts.revoke(house, caller.account, name))
    return Response(status_code=204)


@router.delete("/accounts/{name}/lock", **route(status=204, signed="must", no=(403, 404)))
async def unlock(house: HouseHere, caller: Administrator, name: PersonName) -> Response:
    """Forget the wrong passwords of a person, who may try again at once."""
    if house.people.find(name) is None:
        raise ProblemError(problem("no_such_person", name=name))
    house.sign_ins.succeeded(folded(name))
    event("unlocked", name=name, by=caller.account.name)
    return Response(status_code=204)


@router.put("/accounts/{name}/suspension", **route(takes=Reason, status=204, signed="must", no=(403, 404, 409, 503)))
async def suspend(
    house: HouseHere, caller: Stopper, name: PersonName, why: Annotated[Reason, body_of(Reason)]
) -> Response:
    """Stop a person: sessions and sockets close, nobody can sign in as them, their tables are paused."""
    good(await accounts.suspend(house, caller.account, name, why.reason))
    return Response(status_code=204)


@router.delete("/accounts/{name}/suspension", **route(status=204, signed="must", no=(403, 404, 503)))
async def restore(house: HouseHere, caller: Stopper, name: PersonName) -> Response:
    """Let a suspended person sign in again."""
    good(await accounts.restore(house, caller.account, name))
    return Response(status_code=204)


@router.put("/tables/{table}/stop", **route(takes=Reason, status=204, signed="must", no=(403, 404, 409, 503)))
async def stop_table(
    house: HouseHere, caller: Stopper, table: TableId, why: Annotated[Reason, body_of(Reason)]
) -> Response:
    """Stop a table: it is paused, stakes on it go back, and only officials can resume it."""
    good(await house.stop_table(good(accounts.actor_for(caller.account)), table, why.reason))
    return Response(status_code=204)


# --- at a glance ---------------------------------------------------------------------------------------


@router.get("/overview", **route(gives=Overview, signed="must", no=(403,)))
async def overview(request: Request, house: HouseHere, _: Reader) -> Response:
    """The server at a glance."""
    known = house.people.accounts.values()
    heads = await house.read(house.store.heads)
    checked = house.verification
    failed, account, _most = house.sign_ins.recent()
    return answer(
        Overview(
            version=__version__,
            started=house.started,
            people=sum(not account.guest for account in known),
            guests=sum(account.guest for account in known),
            suspended=sum(account.suspended for account in known),
            tables=sum(head.stream.startswith(STREAM) for head in heads),
            sockets=len(request.app.state.hub.clients),
            entries=sum(head.version for head in heads),
            verified=checked.verified if checked is not None else 0,
            whole=checked is not None and checked.complete,
            fault=checked.fault if checked is not None else "",
            free_bytes=_free(getattr(request.app.state, "backup_folder", None)),
            failed_sign_ins=failed,
            most_failed=_written(house, account),
            commands=round(total(COMMANDS) / max(1.0, (house.clock.wall() - house.started) / 1000), 1),
            commit_milliseconds=round(mean(COMMIT_SECONDS) * 1000, 1),
            processes=house.processes,
        )
    )


def _written(house: House, key: str) -> str:
    """The name of an account as its owner writes it; an unknown one as it was tried."""
    account = house.people.accounts.get(key)
    return account.name if account is not None else key


def _free(folder: FilePath | None) -> int:
    if folder is None or not folder.parent.is_dir():
        return -1
    return shutil.disk_usage(folder.parent).free


@router.get("/audit", **route(gives=AuditPage, signed="must", no=(403,)))
async def audit(
    house: HouseHere,
    _: Reader,
    before: After = 0,
    limit: Limit = 50,
    name: Annotated[str, Asked(max_length=64, pattern=r"^[^\x00-\x1f\x7f]*$")] = "",
    what: Annotated[str, Asked(max_length=200, pattern=r"^[A-Za-z,]*$")] = "",
) -> Response:
    """Accounts, roles, suspensions, passwords, sign-ins, policy: newest first, before a version.

    `name` is the person, `what` the kinds of events wanted, with commas between them.
    """
    kinds, rows = frozenset(what.split(",")) - {""}, []
    last = house.people.version + 1 if not before else min(before, house.people.version + 1)
    for _page in range(MOST_PAGES):
        first = max(0, last - 1 - PAGE)
        entries = await house.read(partial(house.store.read, PEOPLE, first, last - 1 - first))
        for entry in reversed(entries):
            rows += [row for row in _audited(entry) if _wanted(row, name, kinds)]
            last = entry.version
            if len(rows) >= limit:
                break
        if last <= 1 or len(rows) >= limit:
            break
    return answer(AuditPage(tuple(rows), last if last > 1 else None))


def _wanted(row: AuditRow, name: str, kinds: frozenset[str]) -> bool:
    return (not name or folded(name) in (folded(row.name), folded(row.by))) and (not kinds or row.what in kinds)


def _audited(entry: Entry) -> Iterator[AuditRow]:
    for said in people_events(entry):
        yield AuditRow(entry.at, entry.by, type(said).__name__, said.name, _detail(said))


def _detail(said: PeopleEvent) -> str:
    """What an event says besides its name: a role, a reason, an amount, keys of the policy."""
    match said:
        case PolicySet(changed=changed):
            return ", ".join(changed)
        case ChipsGiven(amount=amount):
            return money(amount)
        case TableArchived(archived=archived):
            return "archived" if archived else "in the lobby again"
        case _:
            return str(getattr(said, "role", "") or getattr(said, "reason", ""))


# --- audit -----------------------------------------------------------------------------------------


@router.get("/balance", **route(gives=Balance, signed="must", no=(403, 429)))
async def balance(house: HouseHere, _: Reader) -> Response:
    """The trial balance: the total of the postings for each kind of account."""
    store = cast("Snapshots", house.store)
    kinds = await _CHECKING.do(lambda: trial_balance(store))
    total = sum(kinds.values())
    return answer(Balance(kinds, total, total == 0))


@router.get("/reports", **route(gives=ReportList, signed="must", no=(403,)))
async def reports(house: HouseHere, _: Reader, cursor: Before = None, limit: Limit = 50) -> Response:
    """Reports to the commission or the inspectorate, newest first."""
    entries = await house.read(lambda: house.store.marked(REPORT, before=cursor, limit=limit + 1))
    rows = tuple(row for entry in entries[:limit] for row in _reports(entry))
    last = entries[limit - 1] if entries[limit:] else None
    return answer(ReportList(rows, f"{last.at}-{last.version}-{last.stream.removeprefix(STREAM)}" if last else None))


def _reports(entry: Entry) -> Iterator[ReportRow]:
    """The reports in one entry of a table's log."""
    for happened in read_body(entry.body).events:
        if isinstance(happened, Reported):
            table = entry.stream.removeprefix(STREAM)
            facts = (happened.to, happened.matter, happened.player, happened.by, happened.reason, happened.clauses)
            yield ReportRow(entry.at, table, entry.version, *facts)


@router.get("/log/{stream:path}", **route(gives=LogPage, signed="must", no=(403, 404)))
async def log(
    house: HouseHere,
    _: Reader,
    stream: Annotated[str, Path(pattern=r"^(people|table/[2-9a-z]{1,24})$")],
    after: After = 0,
    limit: Limit = 100,
) -> Response:
    """The raw log, with secret values blanked."""
    live = await house.live(stream.removeprefix(STREAM)) if stream != PEOPLE else None
    if stream != PEOPLE and live is None:
        raise ProblemError(problem("no_such_table"))
    entries = await house.read(lambda: house.store.read(stream, after, limit + 1))
    since = await house.read(lambda: secret_since(house.store, stream)) if live is not None else 0
    held = held_from(live) if live is not None else 2**63
    shown = tuple(inspection_row(entry, since) for entry in entries[:limit] if entry.version < held)
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
    """The roots, without the stream heads, which would reveal something about unseen cards."""
    found = await house.read(lambda: house.store.roots(after, limit + 1))
    rows = tuple(RootRow(root.number, root.at, root.hash, len(root.heads)) for root in found[:limit])
    return answer(RootList(rows, rows[-1].number if len(found) > limit else None))


@router.get("/verify", **route(gives=Verified, signed="must", no=(403, 429)))
async def verify(house: HouseHere, _: Reader) -> Response:
    """Read every row of the store and report faults."""
    store = cast("Snapshots", house.store)
    began = time.monotonic()

    found = await _CHECKING.do(lambda: list(islice(faults(store), MOST_FAULTS)))
    return answer(_verified(found, began))


@router.get("/backups", **route(gives=BackupList, signed="must", no=(403,)))
async def backups(request: Request, _: Administrator) -> Response:
    """The backups in the server's folder."""
    return answer(BackupList(_backups(getattr(request.app.state, "backup_folder", None))))


def _backups(folder: FilePath | None) -> tuple[BackupRow, ...]:
    files = folder.glob("pontoon-*.db") if folder is not None and folder.is_dir() else ()
    found = ((file.name, file.stat()) for file in files)
    rows = (BackupRow(name, about.st_size, int(about.st_mtime * 1000)) for name, about in found)
    return tuple(sorted(rows, key=lambda row: -row.at))


def _expired(folder: FilePath, before: int) -> list[str]:
    """The backups that the house policy no longer keeps; never the newest."""
    return [row.file for row in _backups(folder)[1:] if row.at < before]


@router.post("/backups/{file}/verification", **route(gives=Verified, signed="must", no=(403, 404, 429)))
async def verify_backup(request: Request, _: Administrator, file: Annotated[str, Path(max_length=64)]) -> Response:
    """Read every row of a backup and report faults."""
    folder: FilePath | None = getattr(request.app.state, "backup_folder", None)
    if folder is None or file not in {row.file for row in _backups(folder)}:
        raise ProblemError(problem("no_such_backup"))
    began = time.monotonic()

    def checked() -> list[Fault]:
        with closing(open_store(str(folder / file), read_only=True)) as copy:
            return list(islice(faults(copy), MOST_FAULTS))

    return answer(_verified(await _CHECKING.do(checked), began))


def _verified(found: list[Fault], began: float) -> Verified:
    rows = tuple(FaultRow(fault.stream, fault.version, fault.words) for fault in found)
    return Verified(not rows, rows, round((time.monotonic() - began) * 1000))


@router.get("/backups/{file}", **route(gives=SQLITE, signed="must", no=(403, 404)))
async def download(request: Request, caller: Administrator, file: Annotated[str, Path(max_length=64)]) -> Response:
    """A backup, with everything in it."""
    folder: FilePath | None = getattr(request.app.state, "backup_folder", None)
    if folder is None or file not in {row.file for row in _backups(folder)}:
        raise ProblemError(problem("no_such_backup"))
    event("backup_downloaded", file=file, by=caller.account.name)
    return FileResponse(folder / file, media_type=SQLITE, filename=file)


@router.post("/backup", **route(gives=BackedUp, status=201, signed="must", no=(403, 429, 503)))
async def back_up(request: Request, house: HouseHere, _: Administrator) -> Response:
    """Copy the store while it is in use, and verify the copy."""
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
        for old in _expired(
            folder, now - house.people.policy.backup_days * DAY if house.people.policy.backup_days else 0
        ):
            (folder / old).unlink()
        return file.stat().st_size

    try:
        size = await _CHECKING.do(copied)
    except (StoreError, OSError) as error:
        event("backup_failed", why=str(error))
        raise ProblemError(problem("backup_failed")) from None
    event("backup", file=file.name, size=size)
    return answer(BackedUp(file.name, size), 201)

"""Administration of tables, wallets and rulebooks."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

from fastapi import APIRouter, Response
from fastapi import Query as Asked
from msgspec import Meta, Struct

from pontoon.ledger import practice, receivable, wallet
from pontoon.rulebook import NAMES, digest, load
from pontoon.server.api.dependencies import (
    Administrator,
    Caller,
    HouseHere,
    Limit,
    PersonName,
    Reader,
    TableId,
    answer,
    body_of,
)
from pontoon.server.api.describe import route
from pontoon.server.api.problems import good
from pontoon.server.coach.work_queue import WorkQueue
from pontoon.server.house import House
from pontoon.server.operation.logs import event
from pontoon.server.people.accounts import actor_for
from pontoon.server.people.people import Account, ChipsGiven, TableArchived, folded
from pontoon.server.problems import Problem, ProblemError, problem
from pontoon.server.records.wallets import WalletLine, wallet_lines
from pontoon.server.rooms.snapshots import About
from pontoon.table.closing import last_rounds
from pontoon.table.commands import Close, GiveNotice

router = APIRouter(prefix="/api/admin")

_READING = WorkQueue("wallets", 4)
Cursor = Annotated[str, Asked(max_length=64, pattern=r"^[^\x00-\x1f\x7f]*$")]


class AdminTable(Struct, frozen=True):
    """A table as administrators see it, also a private, closed or archived one."""

    id: str
    name: str
    rulebook: str
    mode: str
    phase: str
    minimum: int
    maximum: int
    made_by: str
    seated: int
    watchers: int
    private: bool
    practice: bool
    tournament: bool
    paused: bool
    closing: str
    """The kind of notice that was given; empty for none."""
    loaded: bool
    """Whether it is in memory."""
    archived: bool


class AdminTables(Struct, frozen=True):
    """Tables by id, and the cursor of the next page."""

    tables: tuple[AdminTable, ...]
    next: str | None


class Closing(Struct, frozen=True):
    """What became of the wish to close a table."""

    state: str
    """`closed`, or `noticed`: the document asks for notice first; ask again when it has run out."""


class WalletRow(Struct, frozen=True):
    """The chips of one person, in cents."""

    name: str
    guest: bool
    wallet: int
    on_tables: int
    """Staked at tables now."""
    owed: int
    """Debt to the house after a round was voided."""
    practice: int


class WalletList(Struct, frozen=True):
    """Wallets by name, and the cursor of the next page."""

    wallets: tuple[WalletRow, ...]
    next: str | None


class WalletPage(Struct, frozen=True):
    """One wallet and its postings, newest first."""

    wallet: WalletRow
    postings: tuple[WalletLine, ...]
    next: int | None
    """The `skip` of the next page."""


class NewChips(Struct, frozen=True, forbid_unknown_fields=True):
    """Chips for a person, in cents."""

    amount: Annotated[int, Meta(ge=1, le=10**9)]


class RulebookUse(Struct, frozen=True):
    """A rulebook and the tables that are played by it."""

    name: str
    title: str
    digest: str
    shipped: bool
    offered: bool
    """Whether the house policy lets people make tables with it."""
    tables: int
    """Tables that are not closed."""


class RulebooksInUse(Struct, frozen=True):
    """The rulebooks of this server."""

    rulebooks: tuple[RulebookUse, ...]


# --- tables --------------------------------------------------------------------------------------------


@router.get("/tables", **route(gives=AdminTables, signed="must", no=(403,)))
async def tables(
    house: HouseHere, _: Reader, cursor: Annotated[str, Asked(pattern=r"^[2-9a-z]{0,24}$")] = "", limit: Limit = 100
) -> Response:
    """All tables, also private, closed and archived ones."""
    names = sorted(name for name in {*house.lives, *house.idle.away} if name > cursor)
    rows = tuple(_table(house, name) for name in names[:limit])
    return answer(AdminTables(rows, rows[-1].id if names[limit:] else None))


def _table(house: House, name: str) -> AdminTable:
    archived = name in house.people.archived
    live = house.lives.get(name)
    if live is None:
        return _unloaded(name, house.idle.away[name], archived=archived)
    state = live.room.state
    settings, table = state.settings, state.table
    return AdminTable(
        id=name,
        name=settings.name,
        rulebook=settings.rulebook,
        mode=table.mode,
        phase=table.phase,
        minimum=table.limits.minimum,
        maximum=table.limits.maximum,
        made_by=state.made_by,
        seated=len(table.seats),
        watchers=len(live.watchers),
        private=settings.private,
        practice=settings.practice,
        tournament=settings.heat is not None,
        paused=bool(state.paused),
        closing=table.closing,
        loaded=True,
        archived=archived,
    )


def _unloaded(name: str, away: About, *, archived: bool) -> AdminTable:
    """A table that is not in memory."""
    return AdminTable(
        id=name,
        name=away.name,
        rulebook=away.rulebook,
        mode=away.mode,
        phase=away.phase,
        minimum=away.minimum,
        maximum=away.maximum,
        made_by=away.made_by,
        seated=away.seated,
        watchers=0,
        private=away.private,
        practice=away.practice,
        tournament=away.heat,
        paused=away.paused,
        closing=away.closing,
        loaded=False,
        archived=archived,
    )


@router.put("/tables/{table}/closing", **route(gives=Closing, signed="must", no=(403, 404, 409, 503)))
async def close_table(house: HouseHere, caller: Administrator, table: TableId) -> Response:
    """Close a table, or give the notice that its document asks for first."""
    closed = await _command(house, caller, table, Close(at=house.clock.wall()))
    if isinstance(closed, Problem) and closed.code == "notice_first":
        live = await house.live(table)
        assert live is not None
        rules = live.room.state.table.rules
        kind: Literal["minutes", "rounds", "notice"] = (
            "minutes" if rules.closing.minutes else "rounds" if last_rounds(rules) else "notice"
        )
        good(await _command(house, caller, table, GiveNotice(kind, at=house.clock.wall())))
        return answer(Closing("noticed"))
    good(closed)
    event("table_closed", table=table, by=caller.account.name)
    return answer(Closing("closed"))


async def _command(house: House, caller: Caller, table: str, asked: Close | GiveNotice) -> int | Problem:
    return await house.command(good(actor_for(caller.account)), table, asked, "", None)


@router.put("/tables/{table}/archive", **route(status=204, signed="must", no=(403, 404, 503)))
async def archive(house: HouseHere, caller: Administrator, table: TableId) -> Response:
    """Take a table out of the lobby; its log and its link stay."""
    return await _archive(house, caller, table, archived=True)


@router.delete("/tables/{table}/archive", **route(status=204, signed="must", no=(403, 404, 503)))
async def unarchive(house: HouseHere, caller: Administrator, table: TableId) -> Response:
    """Show an archived table in the lobby again."""
    return await _archive(house, caller, table, archived=False)


async def _archive(house: House, caller: Caller, table: str, *, archived: bool) -> Response:
    if table not in house.lives and table not in house.idle.away:
        raise ProblemError(problem("no_such_table"))
    if (table in house.people.archived) != archived:
        good(await house.say_of(caller.account.name, TableArchived(table, archived)))
    return Response(status_code=204)


# --- wallets -------------------------------------------------------------------------------------------


@router.get("/wallets", **route(gives=WalletList, signed="must", no=(403,)))
async def wallets(house: HouseHere, _: Reader, cursor: Cursor = "", find: Cursor = "", limit: Limit = 50) -> Response:
    """The chips of everyone, by name; `find` is a part of the name."""
    known, wanted = house.people.accounts, folded(find)
    names = sorted(name for name in known if name > folded(cursor) and wanted in name)
    rows = await _wallets(house, [known[name] for name in names[:limit]])
    return answer(WalletList(rows, rows[-1].name if names[limit:] else None))


async def _wallets(house: House, people: list[Account]) -> tuple[WalletRow, ...]:
    kinds = (wallet, receivable, practice)
    accounts = tuple(kind(person.name) for person in people for kind in kinds)
    held = await house.read(lambda: house.store.balances_of(accounts))
    staked = await house.read(lambda: house.store.balances("escrow/"))
    on_tables: Counter[str] = Counter()
    for account, amount in staked.items():
        on_tables[account.rpartition("/")[2]] += amount
    return tuple(
        WalletRow(
            *(person.name, person.guest, held.get(wallet(person.name), 0)),
            *(on_tables[wallet(person.name).rpartition("/")[2]], max(-held.get(receivable(person.name), 0), 0)),
            held.get(practice(person.name), 0),
        )
        for person in people
    )


@router.get("/wallets/{name}", **route(gives=WalletPage, signed="must", no=(403, 404, 429)))
async def one_wallet(
    house: HouseHere,
    _: Reader,
    name: PersonName,
    skip: Annotated[int, Asked(ge=0, le=1_000_000)] = 0,
    limit: Limit = 50,
) -> Response:
    """A person's wallet and what moved it, newest first."""
    account = _known(house, name)
    lines = await _READING.do(lambda: wallet_lines(house.store, account.name, skip, limit + 1))
    (row,) = await _wallets(house, [account])
    return answer(WalletPage(row, tuple(lines[:limit]), skip + limit if lines[limit:] else None))


@router.post("/wallets/{name}/chips", **route(takes=NewChips, gives=WalletRow, signed="must", no=(403, 404, 503)))
async def give_chips(
    house: HouseHere, caller: Administrator, name: PersonName, new: Annotated[NewChips, body_of(NewChips)]
) -> Response:
    """Give a person play chips from the bank, on record."""
    account = _known(house, name)
    good(await house.say_of(caller.account.name, ChipsGiven(account.name, new.amount)))
    event("chips_given", name=account.name, amount=new.amount, by=caller.account.name)
    (row,) = await _wallets(house, [account])
    return answer(row)


def _known(house: House, name: str) -> Account:
    account = house.people.find(name)
    if account is None:
        raise ProblemError(problem("no_such_person", name=name))
    return account


# --- rulebooks -----------------------------------------------------------------------------------------


@router.get("/rulebooks", **route(gives=RulebooksInUse, signed="must", no=(403,)))
async def rulebooks(house: HouseHere, _: Reader) -> Response:
    """The rulebooks that tables can be made with, and how many tables are played by each."""
    here = (live.room.state for live in house.lives.values())
    used = Counter(state.settings.rulebook for state in here if state.table.phase != "closed")
    used.update(away.rulebook for away in house.idle.away.values() if away.phase != "closed")
    own, offered = house.options.rulebooks, house.people.policy.rulebooks
    rows = tuple(
        RulebookUse(*(name, book.about.title, digest(book), name in NAMES, not offered or name in offered, used[name]))
        for name in (*NAMES, *own)
        for book in (own.get(name) or load(name),)
    )
    return answer(RulebooksInUse(rows))

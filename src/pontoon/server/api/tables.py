"""The lobby: rulebooks and tables, creating and viewing a table, and giving it commands."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from fastapi import APIRouter, Path, Response
from fastapi import Query as Asked
from msgspec import Meta, Struct, field
from msgspec.structs import replace

from pontoon.rulebook import NAMES, Override, Rulebook, digest, load
from pontoon.rulebook.explain import Chapter, explain
from pontoon.server.api.dependencies import (
    Address,
    HouseHere,
    Limit,
    Signed,
    Somebody,
    TableId,
    ViewerHere,
    answer,
    body_of,
)
from pontoon.server.api.describe import route
from pontoon.server.api.limits import limited
from pontoon.server.api.problems import good
from pontoon.server.house import House
from pontoon.server.operation.policy_checks import watching_refused
from pontoon.server.people.accounts import actor_for
from pontoon.server.people.practice_chips import command as give_command
from pontoon.server.problems import ProblemError, problem
from pontoon.server.rooms.frames import SnapshotFrame, snapshot
from pontoon.server.rooms.live import Live
from pontoon.server.rooms.settings import Settings
from pontoon.server.rooms.snapshots import About
from pontoon.server.rulebooks import given_rules
from pontoon.server.wire import LARGEST, ON_THE_WIRE
from pontoon.trainer.lessons import RULEBOOK
from pontoon.view.clauses import clause_words

router = APIRouter(prefix="/api")

Key = Annotated[str, Meta(min_length=1, max_length=64)]
RulebookName = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,32}$")]
LONGEST_BOOK = 48_000
"""Maximum characters of a rulebook file; the longest of the five has 35,000, including comments."""
ClauseNumber = Annotated[str, Path(pattern=r'^[0-9A-Za-z.()" -]{1,60}$')]


class RulebookRow(Struct, frozen=True):
    """A rulebook, with the options for creating a table."""

    name: str
    title: str
    place: str
    nature: str
    digest: str
    packs: tuple[int, ...]
    usual_packs: int
    devices: tuple[str, ...]
    side_wagers: tuple[str, ...]
    boxes: int
    bettors: int
    cutting_cards: int
    joker: bool
    sealed: bool
    face_down: bool


class RulebookList(Struct, frozen=True):
    """The available rulebooks."""

    rulebooks: tuple[RulebookRow, ...]
    usual: str
    """The name of the one a newcomer plays by, which is the lesson's."""
    shipped: tuple[str, ...]
    """The names of the five; the school has exercises on these only."""


class RulebookText(Struct, frozen=True):
    """A rulebook in plain words; each value may be overridden by its key when creating a table."""

    rulebook: RulebookRow
    chapters: tuple[Chapter, ...]


class TableRules(Struct, frozen=True):
    """The rules a table was created with, in plain words, and the changes to them."""

    rulebook: RulebookRow
    overrides: tuple[Override, ...]
    chapters: tuple[Chapter, ...]


class ClauseText(Struct, frozen=True):
    """A paraphrase of a clause."""

    rulebook: str
    clause: str
    words: str


class TableRow(Struct, frozen=True):
    """A table in the lobby."""

    id: str
    name: str
    rulebook: str
    title: str
    """Digest of the rulebook."""
    packs: int
    mode: str
    phase: str
    minimum: int
    maximum: int
    seated: int
    boxes: int
    watchers: int
    card: int
    """Milliseconds between cards."""
    decision: int
    """Milliseconds for a decision."""
    closing: str
    paused: bool
    practice: bool
    here: bool
    """Whether this process runs the table."""


class TableList(Struct, frozen=True):
    """Public tables by name, and the cursor of the next page."""

    tables: tuple[TableRow, ...]
    next: str | None


class NewTable(Settings, frozen=True, forbid_unknown_fields=True):
    """The settings of a new table; repeating a key returns the same table."""

    rulebook: Annotated[str, Meta(max_length=32)] = ""
    key: Annotated[str, Meta(max_length=64)] = ""
    book: Annotated[str, Meta(max_length=LONGEST_BOOK)] = ""
    """The text of a rulebook file, instead of a name: for practice tables, and for staff."""


class MadeTable(Struct, frozen=True):
    """The created table."""

    id: str
    link: str


class Given(Struct, frozen=True, forbid_unknown_fields=True):
    """A command, with its key and the version the sender saw."""

    key: Key
    command: ON_THE_WIRE
    version: Annotated[int, Meta(ge=0, le=LARGEST)] | None = None
    role: Annotated[str, Meta(max_length=32)] = field(default="", name="as")


class Done(Struct, frozen=True):
    """The command was recorded at this version."""

    version: int


# --- rulebooks -----------------------------------------------------------------------------------------


def _book(house: House, name: str) -> Rulebook:
    """A shipped or custom rulebook."""
    own = house.options.rulebooks.get(name)
    if own is None and name not in NAMES:
        raise ProblemError(problem("not_found"))
    return own or load(name)


@cache
def _shipped(name: str) -> RulebookRow:
    return _book_row(load(name))


def _book_row(rules: Rulebook) -> RulebookRow:
    return RulebookRow(
        name=rules.about.name,
        title=rules.about.title,
        place=rules.about.place,
        nature=rules.about.nature,
        digest=digest(rules),
        packs=rules.decks.allowed,
        usual_packs=rules.decks.default,
        devices=rules.shoe.devices,
        side_wagers=tuple(bet.name for bet in rules.side if bet.offered),
        boxes=rules.boxes.count,
        bettors=rules.boxes.bettors,
        cutting_cards=rules.shoe.cutting_cards,
        joker=rules.shoe.joker,
        sealed=rules.shoe.sealed,
        face_down=rules.shoe.face_down,
    )


@router.get("/rulebooks", **route(gives=RulebookList))
async def rulebooks(house: HouseHere) -> Response:
    """The rulebooks available for tables: the five shipped ones, then the server's custom ones."""
    own = map(_book_row, house.options.rulebooks.values())
    return answer(RulebookList((*map(_shipped, NAMES), *own), RULEBOOK, NAMES))


@router.get("/rulebooks/{name}", **route(gives=RulebookText, no=(404,)))
async def rulebook(house: HouseHere, name: RulebookName) -> Response:
    """A rulebook in plain words, each value with its key and clauses."""
    rules = _book(house, name)
    return answer(RulebookText(_book_row(rules), explain(rules)))


@router.get("/rulebooks/{name}/clauses/{clause}", **route(gives=ClauseText, no=(404,)))
async def clause(house: HouseHere, name: RulebookName, clause: ClauseNumber) -> Response:
    """A paraphrase of a clause."""
    return _clause_text(_book(house, name), clause)


def _clause_text(rules: Rulebook, clause: str) -> Response:
    words = clause_words(rules, clause)
    if not words:
        raise ProblemError(problem("not_found"))
    return answer(ClauseText(rules.about.name, clause, words))


# --- tables --------------------------------------------------------------------------------------------


def _row(live: Live) -> TableRow:
    state = live.room.state
    table, limits = state.table, state.table.limits
    return TableRow(
        id=state.id,
        name=state.settings.name,
        rulebook=state.settings.rulebook,
        title=table.rules.about.title,
        packs=table.packs,
        mode=table.mode,
        phase=table.phase,
        minimum=limits.minimum,
        maximum=limits.maximum,
        seated=len(table.seats),
        boxes=table.rules.boxes.count,
        watchers=len(live.watchers),
        card=state.clocks.card,
        decision=state.clocks.decision,
        closing=table.closing,
        paused=bool(state.paused),
        practice=state.settings.practice,
        here=live.owned,
    )


def _row_away(room: str, said: About) -> TableRow:
    """A table that is not in memory, as it was when it was unloaded."""
    return TableRow(
        id=room,
        name=said.name,
        rulebook=said.rulebook,
        title=said.title,
        packs=said.packs,
        mode=said.mode,
        phase=said.phase,
        minimum=said.minimum,
        maximum=said.maximum,
        seated=said.seated,
        boxes=said.boxes,
        watchers=0,
        card=said.card,
        decision=said.decision,
        closing=said.closing,
        paused=said.paused,
        practice=said.practice,
        here=True,
    )


def _is_public(live: Live) -> bool:
    settings = live.room.state.settings
    return not settings.private and settings.heat is None


@router.get("/tables", **route(gives=TableList, signed="may"))
async def lobby(
    house: HouseHere,
    _: Somebody,
    cursor: Annotated[str, Asked(pattern=r"^[2-9a-z]{1,24}$")] = "",
    limit: Limit = 50,
) -> Response:
    """The public tables; tournament tables are listed with their tournament."""
    away = house.idle.in_lobby()
    here = (name for name, live in house.lives.items() if _is_public(live))
    names = sorted(name for name in {*here, *away} - house.people.archived if name > cursor)
    shown = names[:limit]
    rows = (_row(house.lives[name]) if name in house.lives else _row_away(name, away[name]) for name in shown)
    return answer(TableList(tuple(rows), shown[-1] if names[limit:] else None))


@router.post(
    "/tables",
    dependencies=[limited("tables")],
    **route(takes=NewTable, gives=MadeTable, status=201, signed="must", no=(403, 409, 422, 429, 503)),
)
async def make_table(
    house: HouseHere, caller: Signed, address: Address, wanted: Annotated[NewTable, body_of(NewTable, "book")]
) -> Response:
    """Create a table; it opens automatically."""
    actor = good(actor_for(caller.account))
    settings = Settings(**{name: getattr(wanted, name) for name in Settings.__struct_fields__})
    rules = None
    if wanted.book:
        rules = good(given_rules(wanted.book, settings, actor.role))
        settings = replace(settings, rulebook=rules.about.name)
    table = good(await house.make_table(actor, settings, wanted.key, rules=rules, address=address))
    return answer(MadeTable(table, f"/t/{table}"), 201, {"Location": f"/api/tables/{table}"})


async def _live(house: House, table: str) -> Live:
    live = await house.live(table)
    return good(live if live is not None else problem("no_such_table"))


@router.get("/tables/{table}/rules", **route(gives=TableRules, signed="may", no=(404,)))
async def table_rules(house: HouseHere, _: Somebody, table: TableId) -> Response:
    """The rules this table was created with, even if the rulebook file has changed since."""
    rules = (await _live(house, table)).room.state.table.rules
    return answer(TableRules(_book_row(rules), rules.overrides, explain(rules)))


@router.get("/tables/{table}/rules/clauses/{clause}", **route(gives=ClauseText, signed="may", no=(404,)))
async def table_clause(house: HouseHere, _: Somebody, table: TableId, clause: ClauseNumber) -> Response:
    """A paraphrase of a clause of this table's rulebook."""
    return _clause_text((await _live(house, table)).room.state.table.rules, clause)


@router.get("/tables/{table}", **route(gives=SnapshotFrame, signed="may", no=(403, 404)))
async def one_table(house: HouseHere, caller: Somebody, viewer: ViewerHere, table: TableId) -> Response:
    """The current state of a table as you may see it; the socket sends the same first."""
    live = await _live(house, table)
    account = caller.account if caller is not None else None
    good(watching_refused(house.people.policy, account, live.room.state.settings))
    now = house.clock.steady()
    live.look(now)
    state = live.seen_by(viewer, now)
    return answer(snapshot(state, viewer, live.left(now) if state is live.room.state else 0))


@router.post(
    "/tables/{table}/commands",
    **route(takes=Given, gives=Done, signed="must", no=(403, 404, 409, 422, 429, 503)),
)
async def command(
    house: HouseHere, caller: Signed, address: Address, table: TableId, given: Annotated[Given, body_of(Given)]
) -> Response:
    """Give a command to a table, as over the socket."""
    actor = good(actor_for(caller.account, given.role))
    good(house.allowed(actor, address, given.command))
    return answer(Done(good(await give_command(house, actor, table, given.command, given.key, given.version))))

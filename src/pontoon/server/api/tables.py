"""The lobby: rulebooks, tables, making one, looking at one, and the same door for commands as the socket's."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from fastapi import APIRouter, Path, Response
from fastapi import Query as Asked
from msgspec import Meta, Struct, field

from pontoon.rulebook import NAMES, digest, load
from pontoon.rulebook.explain import Chapter, explain
from pontoon.server.accounts import actor_for, eye_of
from pontoon.server.api.dependencies import HouseHere, Limit, Signed, Somebody, TableId, answer, body_of
from pontoon.server.api.describe import route
from pontoon.server.api.limits import limited
from pontoon.server.api.problems import good
from pontoon.server.frames import SnapshotFrame, snapshot
from pontoon.server.live import Live
from pontoon.server.problems import ProblemError, problem
from pontoon.server.settings import Settings
from pontoon.server.wire import LARGEST, ON_THE_WIRE
from pontoon.view.clauses import clause_words

router = APIRouter(prefix="/api")

Key = Annotated[str, Meta(min_length=1, max_length=64)]
RulebookName = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,32}$")]
ClauseNumber = Annotated[str, Path(pattern=r'^[0-9A-Za-z.()" -]{1,60}$')]


class RulebookRow(Struct, frozen=True):
    """A document, and what whoever makes a table may choose under it."""

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
    """The documents."""

    rulebooks: tuple[RulebookRow, ...]


class RulebookText(Struct, frozen=True):
    """A document in plain words; each value may be overridden by its key when a table is made."""

    rulebook: RulebookRow
    chapters: tuple[Chapter, ...]


class ClauseText(Struct, frozen=True):
    """What a clause says, in our words."""

    rulebook: str
    clause: str
    words: str


class TableRow(Struct, frozen=True):
    """A table in the lobby."""

    id: str
    name: str
    rulebook: str
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
    """Whether this process deals it."""


class TableList(Struct, frozen=True):
    """Public tables by name, and where to go on."""

    tables: tuple[TableRow, ...]
    next: str | None


class NewTable(Settings, frozen=True, forbid_unknown_fields=True):
    """The settings of a table; the same key again gives the same table."""

    key: Annotated[str, Meta(max_length=64)] = ""


class MadeTable(Struct, frozen=True):
    """Where the new table is."""

    id: str
    link: str


class Given(Struct, frozen=True, forbid_unknown_fields=True):
    """A command, with its key and the version its sender saw."""

    key: Key
    command: ON_THE_WIRE
    version: Annotated[int, Meta(ge=0, le=LARGEST)] | None = None
    role: Annotated[str, Meta(max_length=32)] = field(default="", name="as")


class Done(Struct, frozen=True):
    """It is on record at this version."""

    version: int


# --- rulebooks -----------------------------------------------------------------------------------------


@cache
def _rulebook(name: str) -> RulebookRow:
    rules = load(name)
    return RulebookRow(
        name=name,
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
async def rulebooks() -> Response:
    """The documents a table can be dealt by."""
    return answer(RulebookList(tuple(map(_rulebook, NAMES))))


@router.get("/rulebooks/{name}", **route(gives=RulebookText, no=(404,)))
async def rulebook(name: RulebookName) -> Response:
    """A document in plain words, every value with its key and clauses."""
    if name not in NAMES:
        raise ProblemError(problem("not_found"))
    return answer(RulebookText(_rulebook(name), explain(load(name))))


@router.get("/rulebooks/{name}/clauses/{clause}", **route(gives=ClauseText, no=(404,)))
async def clause(name: RulebookName, clause: ClauseNumber) -> Response:
    """What a clause says, in our words."""
    words = clause_words(name, clause) if name in NAMES else ""
    if not words:
        raise ProblemError(problem("not_found"))
    return answer(ClauseText(name, clause, words))


# --- tables --------------------------------------------------------------------------------------------


def _row(live: Live) -> TableRow:
    state = live.room.state
    table, limits = state.table, state.table.limits
    return TableRow(
        id=state.id,
        name=state.settings.name,
        rulebook=state.settings.rulebook,
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
    """The public tables; those of a tournament are found at the tournament."""
    names = sorted(name for name, live in house.lives.items() if name > cursor and _is_public(live))
    shown = names[:limit]
    return answer(TableList(tuple(_row(house.lives[name]) for name in shown), shown[-1] if names[limit:] else None))


@router.post(
    "/tables",
    dependencies=[limited("tables")],
    **route(takes=NewTable, gives=MadeTable, status=201, signed="must", no=(403, 409, 429, 503)),
)
async def make_table(house: HouseHere, caller: Signed, wanted: Annotated[NewTable, body_of(NewTable)]) -> Response:
    """Make a table; it opens by itself."""
    actor = good(actor_for(caller.account))
    settings = Settings(**{name: getattr(wanted, name) for name in Settings.__struct_fields__})
    table = good(await house.make_table(actor, settings, wanted.key))
    return answer(MadeTable(table, f"/t/{table}"), 201, {"Location": f"/api/tables/{table}"})


@router.get("/tables/{table}", **route(gives=SnapshotFrame, signed="may", no=(404,)))
async def one_table(house: HouseHere, caller: Somebody, table: TableId) -> Response:
    """A table as it stands, for your eye: what the socket sends first."""
    live = await house.live(table)
    if live is None:
        raise ProblemError(problem("no_such_table"))
    eye = eye_of(caller.account if caller is not None else None)
    return answer(snapshot(live.room.state, eye, live.left(house.clock.steady())))


@router.post(
    "/tables/{table}/commands",
    **route(takes=Given, gives=Done, signed="must", no=(403, 404, 409, 503)),
)
async def command(
    house: HouseHere, caller: Signed, table: TableId, given: Annotated[Given, body_of(Given)]
) -> Response:
    """Ask something of a table: the same door as the socket's."""
    actor = good(actor_for(caller.account, given.role))
    return answer(Done(good(await house.command(actor, table, given.command, given.key, given.version))))

"""Every round ever played: found by its marks, replayed from the log, shown as the viewer may see it.

A round is over when it can be recalled here, so all of its hands are turned up at its end; of the cards that are still
in the shoe nothing leaves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar
from weakref import WeakKeyDictionary

from msgspec import Struct
from msgspec.structs import replace

from pontoon.engine import Event
from pontoon.engine import events as e
from pontoon.server.coach.work_queue import WorkQueue
from pontoon.server.house import House
from pontoon.server.people.accounts import viewer_of
from pontoon.server.people.people import Account
from pontoon.server.problems import Problem, problem
from pontoon.server.records.past_rounds import PastRooms
from pontoon.server.records.past_shoes import PastShoes
from pontoon.server.rooms.frames import RoomView, happened_view, room_view
from pontoon.server.rooms.live import Live
from pontoon.server.rooms.log import Body, CardUndone, RoundKept, read_body
from pontoon.server.rooms.room import STREAM, folded, stream_of
from pontoon.store.model import Entry
from pontoon.table import Table
from pontoon.table.events import CardLeftShoe, InRound, RoundBegan, RoundReconstructed
from pontoon.table.fairness import ShoeRecord
from pontoon.transcript import write
from pontoon.view.table import table_view
from pontoon.view.table_events import UNSEEN, EventView
from pontoon.view.table_parts import TableView
from pontoon.view.viewer import Viewer

Place = tuple[int, str, int]
"""Time, stream and version: the end of a page."""

MOST_WAITING = 32
BOT = "bot "
"""How the names of bots begin; no account can have such a name."""
EventT = TypeVar("EventT", bound=Event)

REPLAYING = WorkQueue("history", MOST_WAITING)


class PlayerLine(Struct, frozen=True):
    """One player's result of a round, in cents."""

    player: str
    staked: int
    net: int


class RoundRow(Struct, frozen=True):
    """A finished round."""

    table: str
    number: int
    at: int
    """When its cards were collected: milliseconds since 1970."""
    first: int
    """The versions of its table in which it began and ended."""
    version: int
    rulebook: str
    players: tuple[PlayerLine, ...]
    void: bool = False


class PastStep(Struct, frozen=True):
    """One entry of a round as it was sent, and the table after it."""

    version: int
    at: int
    by: str
    """The actor; `dealer` and `clock` are the program."""
    events: tuple[EventView, ...]
    room: RoomView
    view: TableView


class Query(Struct, frozen=True):
    """Which rounds."""

    table: str = ""
    player: str = ""
    since: int = 0
    until: int = 0
    """Milliseconds since 1970; 0 for now."""
    before: Place | None = None


# --- finding -------------------------------------------------------------------------------------------


async def rounds(house: House, query: Query, limit: int) -> list[RoundRow]:
    """Rounds, newest first."""
    mark = f"player:{query.player}" if query.player else "round"
    stream = stream_of(query.table) if query.table else ""
    entries = await house.read(
        lambda: house.store.marked(
            mark, stream=stream, before=query.before, since=query.since, until=query.until, limit=limit
        )
    )
    rows = [await _row(house, entry) for entry in entries]
    return [row for row in rows if row is not None]


async def find_round(house: House, table: str, number: int) -> RoundRow | Problem:
    """One round by its number at its table."""
    found = await house.read(lambda: house.store.marked(f"round:{number}", stream=stream_of(table), limit=1))
    row = await _row(house, found[0]) if found else None
    return row or problem("no_such_round")


async def _row(house: House, entry: Entry) -> RoundRow | None:
    """A round in a list; None if this process cannot open its table (`House._load`)."""
    room = entry.stream.removeprefix(STREAM)
    unloaded = house.idle.away.get(room)  # it is not read for its rounds
    live = await house.live(room) if unloaded is None else None
    if unloaded is not None:
        rulebook, recent = unloaded.rulebook, dict[int, bool]()
    elif live is not None:
        rulebook = live.room.state.settings.rulebook
        recent = {finished_round.number: finished_round.void for finished_round in live.room.state.table.finished}
    else:
        return None
    body = read_body(entry.body)
    kept = next(event for event in body.events if isinstance(event, RoundKept))
    void = kept.void or await _voided_later(house, entry.stream, kept.number, recent)
    players = tuple(PlayerLine(line[0], 0, 0) if void else PlayerLine(*line) for line in kept.players)
    return RoundRow(room, kept.number, entry.at, kept.first, entry.version, rulebook, players, void)


async def _voided_later(house: House, stream: str, number: int, recent: Mapping[int, bool]) -> bool:
    """Whether a round was made void after its end; `recent` is what the table remembers, the store marks all."""
    if number in recent:
        return recent[number]
    return bool(await house.read(lambda: house.store.marked(f"voided:{number}", stream=stream, limit=1)))


# --- delay ---------------------------------------------------------------------------------------------


async def open_round(house: House, table: str, number: int, account: Account | None) -> RoundRow | Problem:
    """One round by its number, if this caller may know of it already."""
    row = await find_round(house, table, number)
    if isinstance(row, Problem) or not await is_early(house, row, account):
        return row
    return problem("no_such_round")


async def is_early(house: House, row: RoundRow, account: Account | None) -> bool:
    """Whether a round is too recent for a spectator, whom the house policy shows the table some seconds later."""
    delay = house.people.policy.spectator_delay
    if not delay or row.at <= house.clock.wall() - 1000 * delay or sees_names(row, account):
        return False
    live = await house.live(row.table)
    viewer = viewer_of(account)
    return live is not None and live.seen_by(viewer, house.clock.steady()).version < row.version


# --- names ---------------------------------------------------------------------------------------------


def sees_names(row: RoundRow, account: Account | None) -> bool:
    """Whether someone may know who played a round: officials, and those who played in it."""
    if account is None:
        return False
    return account.role != "player" or any(line.player == account.name for line in row.players)


def shown_to(row: RoundRow, account: Account | None) -> RoundRow:
    """A round for this caller; strangers see the results without the names."""
    if sees_names(row, account):
        return row
    names = hidden_names(line.player for line in row.players)
    return replace(row, players=tuple(replace(line, player=names[line.player]) for line in row.players))


def hidden_names(players: Iterable[str]) -> dict[str, str]:
    """The names that strangers see instead of the players'; bots have no name to hide.

    >>> hidden_names(["Ann", "bot 2", "Ben"])
    {'Ann': 'Player 1', 'bot 2': 'bot 2', 'Ben': 'Player 2'}
    """
    known = list(dict.fromkeys(players))
    people = [player for player in known if not player.startswith(BOT)]
    names = {player: f"Player {number}" for number, player in enumerate(people, 1)}
    return {player: names.get(player, player) for player in known}


def renamed(event: EventT, names: Mapping[str, str]) -> EventT:
    """An event with other names; `player` and `owner` are the only fields of a round's events that hold one."""
    held = {field: getattr(event, field, "") for field in ("player", "owner")}
    return replace(event, **{field: names[name] for field, name in held.items() if name in names})


def place_of(row: RoundRow) -> Place:
    """The cursor after this round."""
    return row.at, stream_of(row.table), row.version


# --- playing again -------------------------------------------------------------------------------------


_SHOES: WeakKeyDictionary[House, PastShoes] = WeakKeyDictionary()
_ARCHIVES: WeakKeyDictionary[House, PastRooms] = WeakKeyDictionary()


def archive_of(house: House) -> PastRooms:
    """The past states of a house's rooms."""
    return _ARCHIVES.setdefault(house, PastRooms(house.store))


async def steps(house: House, row: RoundRow, viewer: Viewer, after: int, limit: int) -> list[PastStep]:
    """The steps of a round after a version, as this viewer may see them."""
    first = max(row.first, after + 1)
    last = min(row.version, first + limit - 1)
    archive = archive_of(house)
    return await REPLAYING.do(lambda: _steps(archive, stream_of(row.table), first, last, viewer))


def _steps(archive: PastRooms, stream: str, first: int, last: int, viewer: Viewer) -> list[PastStep]:
    state = archive.before(stream, first) if first <= last else None
    found: list[PastStep] = []
    for entry in archive.entries(stream, first - 1, last):
        state, happened = folded(state, entry)
        views = (happened_view(past, viewer) for past in happened)
        shown = tuple(view for view in views if view is not None)
        room, view = room_view(state), table_view(state.table, viewer)
        found.append(PastStep(entry.version, entry.at, entry.by, shown, room, view))
    return found


# --- transcripts ---------------------------------------------------------------------------------------


async def transcript(house: House, row: RoundRow, account: Account | None) -> str | Problem:
    """A round as a transcript for this caller; if a card was burned unseen, only after its shoe is finished."""
    past = await past_round(house, row)
    if any(isinstance(event, e.CardBurned) and event.reason == UNSEEN for event in past.events):
        live = await house.live(row.table)
        if live is None or live.room.state.table.shoe_number <= past.table.shoe_number:
            return problem("shoe_in_play")
    return await REPLAYING.do(lambda: _transcript(past, row, named=sees_names(row, account)))


def _transcript(past: PastRound, row: RoundRow, *, named: bool) -> str:
    table, title = past.table, f"table {row.table}, round {row.number}"
    names = {} if named else hidden_names(_bettors(past.events))
    events = tuple(renamed(event, names) for event in past.events)
    return write(table.rules, events, decks=table.packs, limits=table.limits, title=title, pin=True)


def _bettors(events: Iterable[Event]) -> list[str]:
    bets = (e.WagerPlaced, e.SideWagerPlaced, e.InsuranceMade)
    return [event.player for event in events if isinstance(event, bets)]


class PastRound(Struct, frozen=True):
    """A finished round: its table at the end, and the events that count."""

    table: Table
    events: tuple[Event, ...]
    bots: tuple[str, ...]


async def past_round(house: House, row: RoundRow) -> PastRound:
    """A finished round from the log."""
    archive = archive_of(house)
    return await REPLAYING.do(lambda: _past_round(archive, row))


def _past_round(archive: PastRooms, row: RoundRow) -> PastRound:
    stream = stream_of(row.table)
    state = archive.before(stream, row.version)
    assert state is not None
    bodies = [read_body(entry.body) for entry in archive.entries(stream, row.first - 1, row.version)]
    bots = tuple(bot.player for bot in state.bots)
    return PastRound(state.table, tuple(_in_round(bodies, row.number)), bots)


def _in_round(bodies: Sequence[Body], number: int) -> list[Event]:
    """The effective events of a round, without those withdrawn or undone by a reconstruction."""
    found: list[Event] = []
    before: list[int] = []
    """The counts before each card."""
    began = False
    for event in (event for body in bodies for event in body.events):
        match event:
            case CardLeftShoe():
                before.append(len(found))
            case CardUndone():
                del found[before.pop() :]
            case RoundBegan() if event.number == number:
                began = True
            case RoundReconstructed():
                call = next(place for place, one in enumerate(found) if isinstance(one, e.NoMoreBetsCalled))
                del found[call + 1 :]
            case InRound(event=e.WagerTakenBack(box=box, player=player)):
                found = [result for result in found if not _is_bet(result, box, player)]
            case InRound(event=inner) if began:
                found.append(inner)
            case _:
                pass
    return found


def _is_bet(event: Event, box: int, player: str) -> bool:
    return isinstance(event, e.WagerPlaced | e.SideWagerPlaced) and (event.box, event.player) == (box, player)


# --- shoes ---------------------------------------------------------------------------------------------


class ShoeRow(Struct, frozen=True):
    """One shoe of a table."""

    number: int
    shoe: str
    packs: int
    dealt: int
    revealed: bool


async def shoes(house: House, live: Live, viewer: Viewer, number: int = 0) -> list[ShoeRecord]:
    """Every provable shoe of a table in order, or only one of them, as far as this viewer may know it now.

    Finished shoes are complete. The one in play has no seed, and shows only the cards dealt. Where cards lie
    face down, a shoe that deals to the round in progress shows none of its cards before the round is over.
    """
    state = live.seen_by(viewer, house.clock.steady())
    stream, version = stream_of(live.room.id), state.version
    past = _SHOES.setdefault(house, PastShoes(house.store))
    begun = await REPLAYING.do(lambda: [at for at in past.begun(stream) if at <= version])
    ends = [*begun[1:], version + 1][: len(begun)]
    wanted = list(zip(begun, ends, strict=True))[slice(number - 1, number) if number else slice(None)]
    found = await REPLAYING.do(lambda: [past.record(stream, first, end) for first, end in wanted])
    shown = [result for result in found if result is not None]
    table, last = state.table, not number or number == len(begun)
    if shown and last and table.face_down and table.round is not None and table.round.phase != "wagers":
        shown[-1] = _without_cards(shown[-1])
    return shown


async def shoe_of(house: House, row: RoundRow) -> ShoeRecord | None:
    """The provable shoe that a finished round was dealt from, as far as it is public; None if there is none."""
    stream = stream_of(row.table)
    past = _SHOES.setdefault(house, PastShoes(house.store))

    def read() -> ShoeRecord | None:
        begun = past.begun(stream)
        first = max((version for version in begun if version <= row.version), default=0)
        end = min((version for version in begun if version > row.version), default=row.version + 1)
        return past.record(stream, first, end) if first else None

    return await REPLAYING.do(read)


def _without_cards(record: ShoeRecord) -> ShoeRecord:
    return ShoeRecord(
        record.format, record.shoe, record.packs, record.seed_hash, record.players, record.root, record.cut,
        record.cutting_card, (), (), None,
    )  # fmt: skip


def shoe_row(number: int, record: ShoeRecord) -> ShoeRow:
    """A shoe in a list."""
    return ShoeRow(number, record.shoe, record.packs, len(record.dealt), record.seed is not None)

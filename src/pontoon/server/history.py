"""Every round ever played: found by its marks, played again from the log, shown as somebody may see it.

A round is over when it can be recalled here, so all of its hands are turned up at its end; of the cards that are still
in the shoe nothing leaves.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

from msgspec import Struct

from pontoon.engine import Event
from pontoon.engine import events as e
from pontoon.server.aside import Aside
from pontoon.server.frames import RoomView, room_view, told_of
from pontoon.server.house import House
from pontoon.server.live import Live
from pontoon.server.log import Body, RoundKept, read_body
from pontoon.server.problems import Problem, problem
from pontoon.server.room import STREAM, folded, stream_of
from pontoon.server.state import RoomState
from pontoon.store.model import Entry, Store
from pontoon.table.events import InRound, RoundBegan, RoundReconstructed
from pontoon.table.fairness import ShoeRecord
from pontoon.transcript import write
from pontoon.view.eye import Eye
from pontoon.view.table import table_view
from pontoon.view.table_events import UNSEEN, EventView
from pontoon.view.table_parts import TableView

Place = tuple[int, str, int]
"""When, in which stream, at which version: where a page ends."""

PAGE = 500
APART = 500
"""Entries between two states that are remembered, so that a round deep in a log is found quickly."""
MOST_STATES = 256
MOST_WAITING = 32

_REPLAYING = Aside("history", MOST_WAITING)


class PlayerLine(Struct, frozen=True):
    """What a round came to for one player, in cents."""

    player: str
    staked: int
    net: int


class RoundRow(Struct, frozen=True):
    """A round that is over."""

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
    """One entry of a round as it was told, and how the table stood after it."""

    version: int
    at: int
    by: str
    """Who acted; `dealer` and `clock` are the program."""
    events: tuple[EventView, ...]
    room: RoomView
    view: TableView


class Query(Struct, frozen=True):
    """Which rounds."""

    table: str = ""
    player: str = ""
    since: int = 0
    until: int = 0
    """0 is now."""
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
    return [one for one in rows if one is not None]


async def find_round(house: House, table: str, number: int) -> RoundRow | Problem:
    """One round by its number at its table."""
    found = await house.read(lambda: house.store.marked(f"round:{number}", stream=stream_of(table), limit=1))
    row = await _row(house, found[0]) if found else None
    return row or problem("no_such_round")


async def _row(house: House, entry: Entry) -> RoundRow | None:
    """A round in a list; None where this process cannot open its table (`House._load`)."""
    room = entry.stream.removeprefix(STREAM)
    live = await house.live(room)
    if live is None:
        return None
    body = read_body(entry.body)
    kept = next(event for event in body.events if isinstance(event, RoundKept))
    players = tuple(PlayerLine(*one) for one in kept.players)
    void = kept.void or _voided_later(live, kept.number)
    rulebook = live.room.state.settings.rulebook
    return RoundRow(room, kept.number, entry.at, kept.first, entry.version, rulebook, players, void)


def _voided_later(live: Live, number: int) -> bool:
    """Rounds are finished in the order of their numbers."""
    finished = live.room.state.table.finished
    place = bisect_left(finished, number, key=lambda one: one.number)
    return place < len(finished) and finished[place].number == number and finished[place].void


def place_of(row: RoundRow) -> Place:
    """Where the page that ends with this round ends."""
    return row.at, stream_of(row.table), row.version


# --- playing again -------------------------------------------------------------------------------------


class Archive:
    """States of rooms in the past, made by folding their logs; some are remembered. For one thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._states: OrderedDict[tuple[str, int], RoomState] = OrderedDict()

    def before(self, stream: str, version: int) -> RoomState | None:
        """The room as it stood before an entry; None before the first."""
        at = (version - 1) // APART * APART
        while at and (stream, at) not in self._states:
            at -= APART
        state = self._states.get((stream, at))
        for entry in self.entries(stream, at, version - 1):
            state, _ = folded(state, entry)
            if not state.version % APART:
                self._states[stream, state.version] = state
                if len(self._states) > MOST_STATES:
                    self._states.popitem(last=False)
        return state

    def entries(self, stream: str, after: int, last: int) -> Iterator[Entry]:
        """The entries of a stream after a version, up to another."""
        while after < last:
            page = self._store.read(stream, after, min(PAGE, last - after))
            if not page:
                return
            yield from page
            after = page[-1].version


_ARCHIVES: WeakKeyDictionary[House, Archive] = WeakKeyDictionary()


def _archive(house: House) -> Archive:
    return _ARCHIVES.setdefault(house, Archive(house.store))


async def steps(house: House, row: RoundRow, eye: Eye, after: int, limit: int) -> list[PastStep]:
    """The steps of a round after a version, as this eye was to see them."""
    first = max(row.first, after + 1)
    last = min(row.version, first + limit - 1)
    archive = _archive(house)
    return await _REPLAYING.do(lambda: _steps(archive, stream_of(row.table), first, last, eye))


def _steps(archive: Archive, stream: str, first: int, last: int, eye: Eye) -> list[PastStep]:
    state = archive.before(stream, first) if first <= last else None
    found: list[PastStep] = []
    for entry in archive.entries(stream, first - 1, last):
        state, happened = folded(state, entry)
        told = tuple(one for one in (told_of(one, eye) for one in happened) if one is not None)
        room, view = room_view(state), table_view(state.table, eye)
        found.append(PastStep(entry.version, entry.at, entry.by, told, room, view))
    return found


# --- transcripts ---------------------------------------------------------------------------------------


async def transcript(house: House, row: RoundRow) -> str | Problem:
    """A round as a file for `pontoon settle`; one with a card burned unseen waits until its shoe is over."""
    live = await house.live(row.table)
    assert live is not None
    shoe = live.room.state.table.shoe_number
    archive = _archive(house)
    return await _REPLAYING.do(lambda: _transcript(archive, row, shoe))


def _transcript(archive: Archive, row: RoundRow, shoe_in_use: int) -> str | Problem:
    stream = stream_of(row.table)
    state = archive.before(stream, row.version)
    assert state is not None
    table = state.table
    bodies = [read_body(entry.body) for entry in archive.entries(stream, row.first - 1, row.version)]
    events = _in_round(bodies, row.number)
    unseen = any(isinstance(one, e.CardBurned) and one.reason == UNSEEN for one in events)
    if unseen and shoe_in_use <= table.shoe_number:
        return problem("shoe_in_play")
    title = f"table {row.table}, round {row.number}"
    return write(table.rules, events, decks=table.packs, limits=table.limits, title=title, pin=True)


def _in_round(bodies: Sequence[Body], number: int) -> list[Event]:
    """What counts of a round: not what was taken back, nor what a reconstruction undid."""
    found: list[Event] = []
    began = False
    for event in (one for body in bodies for one in body.events):
        match event:
            case RoundBegan() if event.number == number:
                began = True
            case RoundReconstructed():
                call = next(place for place, one in enumerate(found) if isinstance(one, e.NoMoreBetsCalled))
                del found[call + 1 :]
            case InRound(event=e.WagerTakenBack(box=box, player=player)):
                found = [one for one in found if not _is_bet(one, box, player)]
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


def shoes(live: Live) -> list[ShoeRecord]:
    """Every provable shoe of a table in order, as far as it is public now.

    Those that are over are complete. The one in play has no seed, and shows only the cards dealt. Where cards lie
    face down, a shoe that deals to the round in progress shows none of its cards before the round is over.
    """
    table, keeper = live.room.state.table, live.room.keeper
    found = list(keeper.records)
    if keeper.record is not None:
        found.append(keeper.record)
    if found and table.face_down and table.round is not None and table.round.phase != "wagers":
        found[-1] = _without_cards(found[-1])
    return found


def _without_cards(record: ShoeRecord) -> ShoeRecord:
    return ShoeRecord(
        record.format, record.shoe, record.packs, record.seed_hash, record.players, record.root, record.cut,
        record.cutting_card, (), (), None,
    )  # fmt: skip


def shoe_row(number: int, record: ShoeRecord) -> ShoeRow:
    """A shoe in a list."""
    return ShoeRow(number, record.shoe, record.packs, len(record.dealt), record.seed is not None)

"""The state of a room after an entry, in a form that is stored beside its log.

A snapshot is derived from the log and never needed: it is discarded if its format, its rulebook or the hash of its
entry is not what this program finds, and the room is then made from an earlier one, or from the log alone.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pontoon.engine import Command, Round
from pontoon.rulebook import Rulebook
from pontoon.server.floor.state import Floor, Undo
from pontoon.server.operation.logs import event
from pontoon.server.rooms.log import SeedKept
from pontoon.server.rooms.room import Room, bare_proof, stream_of
from pontoon.server.rooms.state import RoomState, at_entry
from pontoon.server.rooms.stored_forms import bare, stored_form, whole
from pontoon.server.wire import family, one_of
from pontoon.store.model import Snapshot, Store, entries_after
from pontoon.table import Table
from pontoon.table.fairness import ShoeRecord
from pontoon.table.shoe_keeper import ShoeKeeper
from pontoon.table.state import Act
from pontoon.version import __version__

FORMAT = f"room 1 of {__version__}"
"""Another version may fold the same log to another state."""
EVERY = 160
"""Entries between two snapshots of a room."""


class About(Struct, frozen=True, omit_defaults=True):
    """What the lobby and the quotas need of a table that is not in memory."""

    format: str
    made_by: str
    name: str
    rulebook: str
    title: str
    packs: int
    mode: str
    phase: str
    minimum: int
    maximum: int
    boxes: int
    card: int
    decision: int
    closing: str = ""
    paused: bool = False
    practice: bool = False
    private: bool = False
    heat: bool = False
    seated: int = 0
    bots: int = 0
    at: int = 0
    """When this was recorded: milliseconds since 1970."""
    idle: bool = False
    """Whether the table is idle and need not be in memory."""
    version: int = 0
    """The last entry; 0 in snapshots of earlier versions."""


class Frozen(Struct, frozen=True):
    """Everything that a snapshot is made of, taken at one moment; a thread can encode it later."""

    id: str
    state: RoomState
    hash: str
    seed: SeedKept | None
    record: ShoeRecord | None
    position: tuple[int, int]
    at: int
    idle: bool = False


def frozen(room: Room, hashed: str, at: int, *, idle: bool = False) -> Frozen:
    """A room as it stands after the entry with this hash, at this time."""
    return Frozen(room.id, room.state, hashed, room.seed, room.keeper.record, room.keeper.position, at, idle)


_FOLLOWS = ("rules", "place", "moment")
"""Fields that are not stored: the rulebook is in the first entry, the others follow from the table."""


_StoredRound: Any = stored_form(Round, {}, _FOLLOWS)
_StoredAct: Any = stored_form(Act, {"command": one_of(family(Command))}, _FOLLOWS)
_StoredTable: Any = stored_form(
    Table, {"round": _StoredRound | None, "at_call": _StoredRound | None, "acts": tuple[_StoredAct, ...]}, _FOLLOWS
)
_StoredUndo: Any = stored_form(Undo, {"table": _StoredTable}, _FOLLOWS)
_StoredFloor: Any = stored_form(Floor, {"undo": tuple[_StoredUndo, ...]}, _FOLLOWS)
_StoredState: Any = stored_form(RoomState, {"table": _StoredTable, "floor": _StoredFloor}, _FOLLOWS)


class _Stored(Struct, frozen=True, omit_defaults=True):
    state: _StoredState
    seed: SeedKept | None = None
    record: ShoeRecord | None = None
    """Without the proofs of the cards dealt, which follow from the seed."""
    dealt: tuple[int, ...] = ()
    """The places of those cards in the stack."""
    depth: int = 0
    again: int = 0


_READER = msgspec.json.Decoder(_Stored)
_WRITER = msgspec.json.Encoder()
_ABOUT = msgspec.json.Decoder(About)


def encoded(taken: Frozen) -> Snapshot:
    """The snapshot of a room."""
    state = taken.state
    undo = tuple(bare(_StoredUndo, step, table=_bare_table(step.table)) for step in state.floor.undo)
    floor = bare(_StoredFloor, state.floor, undo=undo)
    form = bare(_StoredState, state, table=_bare_table(state.table), floor=floor)
    record = replace(taken.record, dealt=()) if taken.record is not None else None
    dealt = tuple(proof.index for proof in taken.record.dealt) if taken.record is not None else ()
    stored = _Stored(form, taken.seed, record, dealt, *taken.position)
    body = zlib.compress(_WRITER.encode(stored), 6)
    said = about(state, taken.at, idle=taken.idle)
    return Snapshot(stream_of(taken.id), state.version, taken.hash, msgspec.json.encode(said), body)


def _bare_table(table: Table) -> Any:  # noqa: ANN401 made at run time
    plays = {name: bare(_StoredRound, play) for name in ("round", "at_call") if (play := getattr(table, name))}
    return bare(_StoredTable, table, **plays)


def about(state: RoomState, at: int, *, idle: bool = False) -> About:
    """The summary of a table that is not in memory."""
    table, settings = state.table, state.settings
    return About(
        FORMAT,
        state.made_by,
        settings.name,
        settings.rulebook,
        table.rules.about.title,
        table.packs,
        table.mode,
        table.phase,
        table.limits.minimum,
        table.limits.maximum,
        table.rules.boxes.count,
        state.clocks.card,
        state.clocks.decision,
        table.closing,
        bool(state.paused),
        settings.practice,
        settings.private,
        settings.heat is not None,
        len(table.seats),
        len(state.bots),
        at,
        idle,
        state.version,
    )


def state_of(snapshot: Snapshot, rules: Rulebook) -> RoomState | None:
    """The state in a snapshot; None if it cannot be used."""
    stored = _read(snapshot)
    return _state(stored, rules) if stored is not None else None


def restore(room: Room, snapshot: Snapshot) -> bool:
    """Let a room that has followed its first entry continue from a snapshot; False if it cannot be used."""
    stored = _read(snapshot)
    if stored is None:
        return False
    keeper = ShoeKeeper()
    seed = bytes.fromhex(stored.seed.seed) if stored.seed is not None else b""
    keeper.resume(stored.record, seed, (stored.depth, stored.again))
    if keeper.record is not None and keeper.tree is not None:
        dealt = (bare_proof(keeper.tree.proof(index)) for index in stored.dealt)
        keeper.record = replace(keeper.record, dealt=tuple(dealt))
    room.restore(_state(stored, room.state.table.rules), stored.seed, keeper)
    return True


def _read(snapshot: Snapshot) -> Any:  # noqa: ANN401 made at run time
    if about_of(snapshot) is None:
        return None
    try:
        return _READER.decode(zlib.decompress(snapshot.body))
    except (zlib.error, msgspec.MsgspecError):
        return None


def _state(stored: Any, rules: Rulebook) -> RoomState:  # noqa: ANN401 made at run time
    form = stored.state.floor
    undo = tuple(whole(Undo, step, table=_whole_table(step.table, rules)) for step in form.undo)
    floor, table = whole(Floor, form, undo=undo), _whole_table(stored.state.table, rules)
    state: RoomState = whole(RoomState, stored.state, table=table, floor=floor)
    again = at_entry(state, state.version)  # whom it waits for; since when is in the snapshot
    return replace(again, since=state.since, passed=state.passed)


def _whole_table(form: Any, rules: Rulebook) -> Any:  # noqa: ANN401 made at run time
    plays = {name: whole(Round, play, rules=rules) for name in ("round", "at_call") if (play := getattr(form, name))}
    acts = tuple(whole(Act, act) for act in form.acts)
    return whole(Table, form, rules=rules, acts=acts, **plays)


def about_of(snapshot: Snapshot) -> About | None:
    """What a snapshot holds about its table; None if this version cannot use it."""
    try:
        about = _ABOUT.decode(snapshot.about)
    except msgspec.MsgspecError:
        return None
    return about if about.format == FORMAT else None


def open_room(store: Store, room: Room, keep: Callable[[Frozen], None] | None = None) -> str:
    """Read a room from its last snapshot and the entries after it; the hash of its last entry, empty if there is none.

    `keep` is given what snapshots are missing on the way. RulebookError if its rulebook is not known.
    """
    stream = stream_of(room.id)
    for first in store.read(stream, 0, 1):
        room.apply(first)
        last = store.snapshot_before(stream, 2**62)
        if last is not None and not restore(room, last):
            event("snapshot_discarded", table=room.id, version=last.version)
    hashed = store.read(stream, room.version - 1, 1)[0].hash if room.version else ""
    for entry in entries_after(store, stream, room.version) if hashed else ():
        room.apply(entry)
        hashed = entry.hash
        if keep is not None and not entry.version % EVERY:
            keep(frozen(room, entry.hash, entry.at))
    return hashed

"""The state of a tournament after an entry, stored beside its log; only the last one of each tournament.

It is discarded if its format, its conditions or the hash of its entry is not what this program finds.
"""

from __future__ import annotations

import zlib
from typing import Any

import msgspec
from msgspec import Struct

from pontoon.server.operation.logs import event
from pontoon.server.rooms.stored_forms import bare, stored_form, whole
from pontoon.server.tournaments.hosted import Hosted, Lot, Point, RecentEvent, Waiting
from pontoon.server.tournaments.log import COMMANDS, stream_of
from pontoon.server.wire import family, one_of
from pontoon.store.model import Snapshot, Store, entries_after
from pontoon.tournament import Tournament
from pontoon.tournament.events import TournamentEvent
from pontoon.version import __version__

FORMAT = f"tournament 2 of {__version__}"
EVERY = 128
"""Entries between two snapshots of a tournament."""


class About(Struct, frozen=True, omit_defaults=True):
    """What is known of a tournament that is not in memory."""

    format: str
    made_at: int
    version: int
    over: bool = False
    """Whether nothing more will happen, so that it need not be in memory."""


_StoredTournament: Any = stored_form(Tournament, {}, ("conditions",))
_StoredEvent: Any = stored_form(RecentEvent, {"event": one_of(family(TournamentEvent))}, ())
_StoredWaiting: Any = stored_form(Waiting, {"command": COMMANDS}, ())


class _Stored(Struct, frozen=True, omit_defaults=True):
    """Everything in `Hosted` that does not follow from the first entry."""

    state: _StoredTournament
    recent: tuple[_StoredEvent, ...]
    waiting: tuple[_StoredWaiting, ...]
    rooms: tuple[tuple[int, int, str], ...]
    history: dict[str, list[Point]]
    lots: tuple[Lot, ...]
    counted: dict[int, int]
    times: tuple[int, int, int]
    ruled: int = 0
    extras: int = 0
    rounds_before: int = 0
    ended_at: int = 0


_READER = msgspec.json.Decoder(_Stored)
_ABOUT = msgspec.json.Decoder(About)


def encoded(hosted: Hosted, *, over: bool) -> Snapshot:
    """The snapshot of a tournament; `over` if nothing more will happen."""
    stored = _Stored(
        bare(_StoredTournament, hosted.state),
        tuple(bare(_StoredEvent, recent) for recent in hosted.recent),
        tuple(bare(_StoredWaiting, waiting) for waiting in hosted.waiting),
        tuple((session, table, room) for (session, table), room in hosted.rooms.items()),
        hosted.history,
        tuple(hosted.lots),
        hosted.counted,
        hosted.times,
        hosted.ruled,
        hosted.extras,
        hosted.rounds_before,
        hosted.ended_at,
    )
    about = About(FORMAT, hosted.made_at, hosted.version, over)
    body = zlib.compress(msgspec.json.encode(stored), 6)
    return Snapshot(stream_of(hosted.id), hosted.version, hosted.hash, msgspec.json.encode(about), body)


def about_of(snapshot: Snapshot) -> About | None:
    """What a snapshot says about its tournament; None if this version cannot use it."""
    try:
        about = _ABOUT.decode(snapshot.about)
    except msgspec.MsgspecError:
        return None
    return about if about.format == FORMAT else None


def open_tournament(store: Store, hosted: Hosted) -> int:
    """Read a tournament from its snapshot and the entries after it; returns the version of the snapshot, 0 if none."""
    stream, version = stream_of(hosted.id), 0
    for first in store.read(stream, 0, 1):
        hosted.apply(first)
        last = store.snapshot_before(stream, 2**62)
        if last is not None and last.version > 1:
            if _restored(hosted, last):
                version = last.version
            else:
                event("snapshot_discarded", tournament=hosted.id, version=last.version)
    for entry in entries_after(store, stream, hosted.version):
        hosted.apply(entry)
    return version


def _restored(hosted: Hosted, last: Snapshot) -> bool:
    """Let a tournament that has applied its first entry continue from a snapshot; False if it cannot be used."""
    if about_of(last) is None:
        return False
    try:
        stored = _READER.decode(zlib.decompress(last.body))
    except (zlib.error, msgspec.MsgspecError):
        return False
    hosted.version, hosted.hash = last.version, last.hash
    hosted.restore(whole(Tournament, stored.state, conditions=hosted.state.conditions))
    hosted.recent.clear()
    hosted.recent.extend(whole(RecentEvent, recent) for recent in stored.recent)
    hosted.waiting = [whole(Waiting, waiting) for waiting in stored.waiting]
    hosted.rooms = {(session, table): room for session, table, room in stored.rooms}
    hosted.history, hosted.lots = stored.history, dict.fromkeys(stored.lots)
    hosted.counted, hosted.times = stored.counted, stored.times
    hosted.ruled, hosted.extras, hosted.rounds_before = stored.ruled, stored.extras, stored.rounds_before
    hosted.ended_at = stored.ended_at
    return True

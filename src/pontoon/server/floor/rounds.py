"""Finding rounds of the floor: by box, result, amount and incident, with the cards and the discard rack."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pontoon.server.floor.picture import HandPicture, picture
from pontoon.server.records.history import RoundRow
from pontoon.server.records.past_rounds import PastRooms
from pontoon.server.rooms.decide import INCIDENT
from pontoon.server.rooms.room import stream_of
from pontoon.view.catalogue import ENGLISH
from pontoon.view.console import PaymentView, payments


class Wanted(Struct, frozen=True):
    """What a round must have."""

    box: int = 0
    result: str = ""
    """win, loss, push, surrender, void."""
    at_least: int = 0
    """A player's win or loss in cents."""
    incident: str = ""
    """with or without."""


class PastRound(Struct, frozen=True):
    """A round with its hands, its settlement and the rack after it."""

    round: RoundRow
    hands: tuple[HandPicture, ...]
    payments: tuple[PaymentView, ...]
    incidents: tuple[int, ...]
    rack: tuple[str, ...]
    """The discards from bottom to top, this round on top."""


def past_round(archive: PastRooms, row: RoundRow, language: str = ENGLISH) -> PastRound:
    """A round as it lay when its cards were collected."""
    stream = stream_of(row.table)
    state = archive.before(stream, row.version)
    assert state is not None, "a round has a table"
    entries = archive.entries(stream, row.first - 1, row.version)
    found = {int(mark.split(":")[1]) for entry in entries for mark in entry.marks if mark.startswith(f"{INCIDENT}:")}
    rack = (*state.table.shoe.discards, *state.table.on_layout)
    shown = () if state.table.face_down else rack
    return PastRound(
        row, picture(state, language), payments(state.table, language), tuple(sorted(found)), tuple(map(str, shown))
    )  # fmt: skip


def matches(one: PastRound, wanted: Wanted) -> bool:
    """Whether a round has everything that is wanted."""
    return all(_checks(one, wanted))


def _checks(one: PastRound, wanted: Wanted) -> Iterator[bool]:
    lines = [line for line in one.payments if wanted.box in (0, line.box)]
    yield bool(lines) or not wanted.box
    if wanted.result == "void":
        yield one.round.void
    elif wanted.result:
        yield any(_result(line) == wanted.result for line in lines)
    yield any(abs(line.net) >= wanted.at_least for line in one.round.players) or not wanted.at_least
    yield not wanted.incident or bool(one.incidents) == (wanted.incident == "with")


def _result(line: PaymentView) -> str:
    return "win" if line.net > 0 else "loss" if line.net < 0 else "push"

"""The pit: every table with its state, stakes and results, and what someone should look at, most urgent first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from pontoon.server.rooms.log import RoundKept
from pontoon.server.rooms.state import Proposal, RoomState
from pontoon.server.wire import KEPT, kept
from pontoon.table.commands import Play
from pontoon.view.catalogue import ENGLISH, say
from pontoon.view.command_words import command_words
from pontoon.view.console import next_act

LONG_PAUSE = 5 * 60_000
"""Milliseconds without an entry during a round."""
LARGE_WIN = 50
"""Minimum wagers won by one player in one round."""
UNUSUAL = 5
"""How many times the stake of the player's last round."""
AlertKind = Literal["approval", "called", "float", "super_bonus", "large_win", "long_pause", "unusual"]


class Alert(Struct, frozen=True):
    """Something to look at, in words; the order of the kinds is the order of urgency."""

    table: str
    kind: AlertKind
    words: str
    number: int = 0
    """Number of the pending ruling, or of the round."""


class PitTable(Struct, frozen=True):
    """One table of the pit."""

    id: str
    name: str
    rulebook: str
    mode: str
    minimum: int
    maximum: int
    phase: str
    now: str
    """What happens there now."""
    round: int
    stakes: tuple[int, ...]
    """On each box, in cents."""
    turn: int
    players: int
    result: int
    """What the house has won here."""
    results: tuple[int, ...]
    """What the house won in each of the last rounds, oldest first."""
    tray: int | None
    dealer: str
    """Who deals according to the log; empty before the first change of dealers."""
    incidents: int
    at: int
    """When the last entry was written."""
    alerts: tuple[Alert, ...]


def pit_table(
    state: RoomState, won: int, at: int, wall: int, rounds: Sequence[RoundKept], language: str = ENGLISH
) -> PitTable:
    """One table as the pit sees it; `rounds` are its last ones, newest first."""
    table, now = state.table, state.table.round
    people = {seat.player for seat in table.seats} | {player for player, _, _ in state.moved}
    boxes = {box.number: sum(bettor.stake for bettor in box.bettors) for box in (now.boxes if now else ())}
    return PitTable(
        state.id,
        state.settings.name,
        state.settings.rulebook,
        table.mode,
        table.limits.minimum,
        table.limits.maximum,
        table.phase,
        state.paused or next_act(table, language).words,
        table.number,
        tuple(boxes.get(number, 0) for number in range(1, table.rules.boxes.count + 1)),
        now.turn[0] if now is not None and table.phase == "round" else 0,
        len(people),
        won,
        tuple(-sum(net for _, _, net in played.players) if not played.void else 0 for played in reversed(rounds)),
        state.floor.tray,
        table.dealer_name,
        state.floor.incidents,
        at,
        tuple(alerts(state, at, wall, rounds, language)),
    )


def alerts(
    state: RoomState, at: int, wall: int, rounds: Sequence[RoundKept], language: str = ENGLISH
) -> Iterator[Alert]:
    """What should be looked at here."""
    found = (*_waiting(state, language), *_winners(state, rounds), *_pause(state, at, wall), *_raised(state, rounds))
    for kind, number, facts in found:
        yield Alert(state.id, kind, say(f"alert.{kind}", facts, language), number)


Found = tuple[AlertKind, int, dict[str, object]]
"""Kind, ruling or round, and the facts of an alert."""


def _waiting(state: RoomState, language: str) -> Iterator[Found]:
    for waiting in state.proposals:
        yield "approval", waiting.number, {"by": waiting.by, "what": proposal_words(waiting, language)}
    if state.held and not state.proposals:
        yield "called", 0, {"reason": state.held}
    if state.floor.off:
        yield "float", 0, {"off": state.floor.off}


def _winners(state: RoomState, rounds: Sequence[RoundKept]) -> Iterator[Found]:
    now, number = state.table.round, state.table.number
    for settlement in now.settlements if now is not None else ():
        if settlement.kind == "super_bonus" and settlement.net > 0:
            yield "super_bonus", number, {"player": settlement.player, "box": settlement.box, "amount": settlement.net}
    for player, won in _won(state, rounds):
        if won >= LARGE_WIN * max(state.table.limits.minimum, 1):
            yield "large_win", number, {"player": player, "amount": won}


def _pause(state: RoomState, at: int, wall: int) -> Iterator[Found]:
    if state.table.phase == "round" and wall - at > LONG_PAUSE:
        yield "long_pause", 0, {"minutes": (wall - at) // 60_000}


def _raised(state: RoomState, rounds: Sequence[RoundKept]) -> Iterator[Found]:
    last = {player: staked for player, staked, _ in (rounds[0].players if rounds else ())}
    for player, staked, _ in state.moved:
        if last.get(player) and staked >= UNUSUAL * last[player]:
            yield "unusual", state.table.number, {"player": player, "before": last[player], "now": staked}


def _won(state: RoomState, rounds: Sequence[RoundKept]) -> list[tuple[str, int]]:
    """What each player has won in the round in progress, or in the last one."""
    now = state.table.round
    if now is not None and now.settlements:
        players = dict.fromkeys(settlement.player for settlement in now.settlements)
        return [
            (name, sum(settlement.net for settlement in now.settlements if settlement.player == name))
            for name in players
        ]
    return [(player, net) for player, _, net in (rounds[0].players if rounds and not rounds[0].void else ())]


def proposal_words(waiting: Proposal, language: str = ENGLISH) -> str:
    """What a proposal would do, in words."""
    ruling = kept(msgspec.json.decode(waiting.command, type=KEPT))
    return command_words(ruling.command if isinstance(ruling, Play) else ruling, language)

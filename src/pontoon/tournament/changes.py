"""Small changes to a tournament used by `evolve`: one player, several players, one table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from pontoon.tournament.state import Player, Tournament, same_name


def changed(state: Tournament, name: str, **changes: Any) -> Tournament:  # noqa: ANN401 fields of a player
    """Change fields of one player."""
    place = state.index[same_name(name)]
    players = list(state.players)
    players[place] = replace(players[place], **changes)
    return replace(state, players=tuple(players))


def added_player(state: Tournament, player: Player) -> Tournament:
    """Add a player to the list."""
    index = {**state.index, same_name(player.name): len(state.players)}
    return replace(state, players=(*state.players, player), index=index)


def with_chips(state: Tournament, chips: Iterable[tuple[str, int]]) -> Tournament:
    """Set the chips of each player."""
    players = list(state.players)
    for name, amount in chips:
        place = state.index[same_name(name)]
        players[place] = replace(players[place], chips=amount)
    return replace(state, players=tuple(players))


def given_back(state: Tournament, returned: Iterable[tuple[str, int]]) -> Tournament:
    """Take back chips from players."""
    return with_chips(state, ((name, 0) for name, _ in returned))


def with_table(state: Tournament, number: int, **changes: Any) -> Tournament:  # noqa: ANN401 fields of a table
    """Change fields of one table."""
    tables = list(state.tables)
    tables[number - 1] = replace(tables[number - 1], **changes)
    return replace(state, tables=tuple(tables))


def vacated(state: Tournament, player: Player) -> Tournament:
    """Vacate a seat."""
    if not 0 < player.table <= len(state.tables):
        return state
    seated = state.tables[player.table - 1].seated
    left = tuple(place for place in seated if place[1] != player.name)
    return state if left == seated else with_table(state, player.table, seated=left)


def changed_appeal(state: Tournament, number: int, **changes: Any) -> Tournament:  # noqa: ANN401 fields of an appeal
    """Change fields of one appeal; nothing if none has this number."""
    appeals = tuple(replace(appeal, **changes) if appeal.number == number else appeal for appeal in state.appeals)
    return replace(state, appeals=appeals)


def paid_in(state: Tournament, fee: int, commission: int) -> Tournament:
    """Pay a fee into the pool, less the commission."""
    return replace(state, pool=state.pool + fee - commission, commission=state.commission + commission)


def seat_of(state: Tournament, name: str) -> int:
    """The seat assigned by ballot, whether or not it is still held."""
    return next(number for number, seat in enumerate(state.seats) if seat.player == name)

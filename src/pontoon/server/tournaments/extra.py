"""Extra rounds between tied players: one set, at as many tables as needed, with separate chips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pontoon.server.rooms import commands as r
from pontoon.server.rooms.settings import HeatSettings
from pontoon.server.tournaments.hosted import extra_room
from pontoon.tournament import commands as c
from pontoon.tournament.marker import next_box
from pontoon.tournament.state import Tie, settings
from pontoon.tournament.ties import split_over_tables

if TYPE_CHECKING:
    from pontoon.server.rooms.live import Live
    from pontoon.server.tournaments.steward import Steward


class Extra:
    """One set of extra rounds between the players of a tie."""

    def __init__(self, steward: Steward, tie: Tie) -> None:
        self.steward = steward
        self.tie = tie
        self.hosted = steward.hosted
        self.lot = steward.hosted.extras + 1

    async def step(self) -> bool:
        """Open the next round at each table; when all have finished, close them and count the chips."""
        conditions = self.hosted.state.conditions
        chips: dict[str, int] = {}
        busy, rooms = False, []
        for number, players in enumerate(split_over_tables(self.tie.players, conditions.players.at_table), 1):
            name = extra_room(self.hosted.id, self.hosted.state.session, self.lot, players)
            live = await self.steward.room(name, self._heat(number))
            if live is None:
                return busy
            busy |= await self._open(live, players)
            heat = live.room.state.heat
            assert heat is not None
            chips |= dict(heat.chips)
            rooms.append((name, live))
        if busy or not all(self._has_played(live) for _, live in rooms):
            return busy
        if any([await self.steward.close(name) for name, _ in rooms]):
            return True
        if self.hosted.state.pause:  # counted when the break is over (20.16)
            return False
        counted = tuple((player, chips[player]) for player in self.tie.players)
        return await self.steward.give(c.CountExtra(self.tie.players, counted), "extra", self.lot)

    def _heat(self, number: int) -> HeatSettings:
        state = self.hosted.state
        rounds: int = state.conditions.ties.rounds
        return HeatSettings(self.hosted.id, state.session, number, settings(state).name, rounds, extra=self.lot)

    def _has_played(self, live: Live) -> bool:
        """Whether the table has played all rounds of the set, or nobody there can place another wager."""
        heat, conditions = live.room.state.heat, self.hosted.state.conditions
        assert heat is not None
        if heat.on or not heat.opened:
            return False
        able = any(chips >= conditions.game.minimum for _, chips in heat.chips)
        return heat.ended or heat.played >= conditions.ties.rounds or not able

    async def _open(self, live: Live, players: tuple[str, ...]) -> bool:
        heat, conditions = live.room.state.heat, self.hosted.state.conditions
        assert heat is not None
        if heat.on or self._has_played(live):
            return False
        chips = dict(heat.chips) if heat.opened else dict.fromkeys(players, int(conditions.money.chips))
        places = tuple(
            (box, player) for box, player in enumerate(players, 1) if chips[player] >= conditions.game.minimum
        )
        marker = next_box([box for box, _ in places], heat.marker)
        opening = r.OpenRound(heat.played + 1, places, marker, tuple(chips.items()), self.steward.pace)
        return await self.steward.open(live, opening)

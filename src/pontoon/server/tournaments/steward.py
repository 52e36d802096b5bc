"""The steward runs the tables of one tournament, from the opening of each round to the end of the session.

Everything it needs is in the logs of the tournament and its rooms, and every command carries a key derived from its
purpose, so a command given twice takes effect once. A steward can therefore stop at any point and another one, in this
process or another, continues.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pontoon.server.operation.logs import broken, event
from pontoon.server.problems import Problem
from pontoon.server.rooms import commands as r
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.live import Live
from pontoon.server.rooms.room import stream_of
from pontoon.server.rooms.settings import Clocks, HeatSettings, Settings
from pontoon.server.tournaments.decide import ask, taken
from pontoon.server.tournaments.extra import Extra
from pontoon.server.tournaments.heat import STEWARD, Heat
from pontoon.server.tournaments.hosted import Hosted, Waiting, extra_room
from pontoon.tournament import commands as c
from pontoon.tournament import refusal
from pontoon.tournament.conditions.round_rulebook import overrides_of, rules_of
from pontoon.tournament.money import chips as chips_of
from pontoon.tournament.sessions import is_won, length_reached, owes_round
from pontoon.tournament.state import Count, find, known, settings, table_of
from pontoon.tournament.ties import split_over_tables

if TYPE_CHECKING:
    from pontoon.server.house import House

ACTOR = Actor(STEWARD, "tournament_director")
SECONDS = 1.0
"""Maximum wait for a notification before all tables are checked again."""
SLOWEST = 600_000
"""Milliseconds allowed to a player if the conditions set no pace, so that a table never waits forever."""
ABSENT = "20.14"


class Steward:
    """Runs the tables of one tournament until nothing is left to do."""

    def __init__(self, house: House, hosted: Hosted) -> None:
        self.house = house
        self.hosted = hosted
        self.woken = asyncio.Event()
        self._closed: set[str] = set()
        """Rooms known to have ended."""
        self.finished = False
        """Whether every room has ended and nothing is left to do."""
        self.task = asyncio.create_task(self._run(), name=f"tournament {hosted.id}")

    @staticmethod
    def needed(hosted: Hosted) -> bool:
        """Whether there is anything to do; rooms of a finished session may still have to be closed."""
        return hosted.state.phase == "session" or bool(hosted.state.ties) or bool(hosted.rooms)

    async def _run(self) -> None:
        while not self.house.closing:
            self.woken.clear()
            leads = busy = False
            try:
                leads = await self._leads()
                busy = leads and await self.step()
            except Exception:  # noqa: BLE001 a bug in one tournament must not stop the others
                broken("steward_failed", tournament=self.hosted.id, version=self.hosted.version)
            if not busy and self._done(leads=leads):
                self.finished = leads
                return
            if busy:
                continue
            await self._sleep()

    async def _sleep(self) -> None:
        """Wait to be woken, for a second at most; unlike `wait_for` of Python 3.11, never swallow a cancellation."""
        waking = asyncio.create_task(self.woken.wait())
        try:
            await asyncio.wait({waking}, timeout=SECONDS)
        finally:
            waking.cancel()

    def _done(self, *, leads: bool) -> bool:
        """Whether nothing is left to do; the rest is up to the director."""
        state = self.hosted.state
        return state.phase != "session" and not state.ties and (not leads or set(self._over()) <= self._closed)

    async def _leads(self) -> bool:
        """Whether this process holds the lease to run the tournament."""
        house = self.house
        if not house.options.leased:
            return True
        lease = await house.read(
            lambda: house.store.take_lease(
                f"steward/{self.hosted.id}", house.owner, house.options.address, house.options.lease_seconds
            )
        )
        if lease is not None:
            await house.tournaments.catch_up(self.hosted.id)
        return lease is not None

    # --- one pass over everything ---

    async def step(self) -> bool:
        """Do what is due; returns whether anything was done, in which case more may be due."""
        hosted = self.hosted
        if any([await self._take_ruling(ruling) for ruling in tuple(hosted.waiting)]):
            return True
        busy = False
        if hosted.state.phase == "session":
            for number in range(1, len(hosted.state.tables) + 1):
                busy |= await self._table(number)
        busy = busy or await self._after_tables()
        return await self._close_rooms() or busy

    async def _after_tables(self) -> bool:
        """Break ties, then end the session."""
        state = self.hosted.state
        if not all(table.ended for table in state.tables) or self.hosted.waiting:
            return False
        if state.ties and state.ties[0].by == "ballot":
            return await self.give(c.DrawLots(state.ties[0].players, ""), "lots", len(state.tie_orders))
        if state.ties:
            return await Extra(self, state.ties[0]).step()
        return state.phase == "session" and await self.give(c.EndSession(), "session")

    async def give(self, command: c.TournamentCommand, *about: object) -> bool:
        """Give a command to the tournament; whether it took effect."""
        hosted = self.hosted
        key = " ".join(map(str, (hosted.state.phase, hosted.state.session, *about)))
        before = hosted.version
        done = await self.house.tournaments.write(hosted.id, lambda now: ask(now, ACTOR, command, key), (STEWARD, key))
        if isinstance(done, Problem):
            event("steward_refused", tournament=hosted.id, command=type(command).__name__, code=done.code)
        return hosted.version > before

    # --- deferred rulings ---

    async def _take_ruling(self, waiting: Waiting) -> bool:
        for count in self.hosted.state.tables:
            if self._concerns(waiting, count) and not await self._between_rounds(count):
                return False
        before = self.hosted.version
        await self.house.tournaments.write(
            self.hosted.id, lambda now: taken(now, waiting), (STEWARD, f"ruling {waiting.number}")
        )
        return self.hosted.version > before

    def _concerns(self, waiting: Waiting, count: Count) -> bool:
        """Whether a ruling moves chips of a player at this table."""
        if count.ended or isinstance(waiting.command, c.Cancel):
            return not count.ended
        player = find(self.hosted.state, getattr(waiting.command, "player", ""))
        if isinstance(waiting.command, c.Reinstate):  # to the seat that the player had
            return player is not None and player.table == count.table
        return player is not None and (player.box, player.name) in count.seated

    async def _between_rounds(self, count: Count) -> bool:
        name = self.hosted.rooms.get((self.hosted.state.session, count.table))
        if name is None or not await self._exists(name):
            return True
        live = await self.room(name)
        if live is None:
            return False
        heat = heat_of(live)
        return not heat.on and heat.played == count.rounds

    async def _exists(self, name: str) -> bool:
        head = await self.house.read(lambda: self.house.store.head(stream_of(name)))
        return head.version > 0

    # --- a table ---

    async def _table(self, number: int) -> bool:
        state = self.hosted.state
        count = table_of(state, number)
        if state.phase != "session" or count is None or count.ended:
            return False
        name = self.hosted.rooms.get((state.session, number))
        if name is None:
            return await self.give(c.EndTable(number, settings(state).minutes), "end", number)
        live = await self.room(name, self._heat(count))
        return live is not None and await self._play(count, live)

    async def _play(self, count: Count, live: Live) -> bool:
        heat = heat_of(live)
        seated = {player for _, player in count.seated}
        for player in heat.missed:
            if player in seated and player not in count.reinstated:
                ruling = c.Disqualify(player, "made no wager in time", ABSENT)
                return await self.give(ruling, "missed", count.table, heat.opened, player)
        if heat.on:
            return False
        if heat.played > count.rounds:
            return await self._count_chips(count, live, heat)
        if self._may_buy_back(count) or any(self._concerns(ruling, count) for ruling in self.hosted.waiting):
            return False
        if self._is_over(count, live):
            return await self.give(c.EndTable(count.table, self._minutes()), "end", count.table)
        chips = tuple((player, known(self.hosted.state, player).chips) for _, player in count.seated)
        opening = r.OpenRound(count.rounds + 1, count.seated, count.marker, chips, self.pace)
        return await self.open(live, opening)

    async def _count_chips(self, count: Count, live: Live, heat: Heat) -> bool:
        """Record the chips in front of each player; a player who bought back during the round has the chips bought."""
        state, held = self.hosted.state, dict(heat.chips)
        chips = tuple((player, held.get(player, known(state, player).chips)) for _, player in count.seated)
        accounts = {chips_of(self.hosted.id, player): amount for player, amount in chips}
        if await self.house.read(lambda: self.house.store.balances_of(tuple(accounts))) != accounts:
            event("chips_differ", tournament=self.hosted.id, table=live.room.id, round=heat.played)
            return await self.hold(live, "the chips on the table do not match the ledger")
        counting = c.CountChips(count.table, heat.played, chips, max(heat.shoe, count.shoe))
        return await self.give(counting, "count", count.table, heat.played)

    def _may_buy_back(self, count: Count) -> bool:
        """Whether a player still has time to buy back into the next round."""
        state = self.hosted.state
        if self.house.clock.wall() >= self.hosted.counted.get(count.table, 0) + self.pace:
            return False
        out = (player.name for player in state.players if player.status == "eliminated" and player.table == count.table)
        return any(refusal(state, c.BuyBack(name)) is None for name in out)

    def _is_over(self, count: Count, live: Live) -> bool:
        """Whether the session is over at this table, by rounds, shoes or minutes, or because no opponent is left."""
        state, session, table = self.hosted.state, settings(self.hosted.state), live.room.state.table
        began = sum(1 for seat in state.seats if seat.table == count.table and seat.taken)
        if is_won(state, len(count.seated), began):
            return True
        if owes_round(count):  # a buy-back pays for at least one more round
            return False
        if length_reached(state, count):
            return True
        if session.shoes:
            return is_ready(live) and table.shoe_number > session.shoes
        return 0 < session.minutes <= self._minutes()

    def _minutes(self) -> int:
        return self.hosted.minutes(self.house.clock.wall()) if settings(self.hosted.state).minutes else 0

    # --- rooms ---

    @property
    def pace(self) -> int:
        """Milliseconds for a wager or a decision."""
        return min(self.hosted.state.pace * 1000 or SLOWEST, SLOWEST)

    def _heat(self, count: Count) -> HeatSettings:
        state = self.hosted.state
        session = settings(state)
        absent = state.conditions.structure.absent
        return HeatSettings(self.hosted.id, state.session, count.table, session.name, session.rounds, absent)

    async def room(self, name: str, heat: HeatSettings | None = None) -> Live | None:
        """A room, created if missing; None while this process has not caught up with its log."""
        house = self.house
        there = name in house.lives or await self._exists(name)
        if not there and (heat is None or not await self._create_room(name, heat)):
            return None
        live = await house.live(name)
        if live is None or live.owned:
            return live
        head = await house.read(lambda: house.store.head(stream_of(name)))
        return live if head.version == live.room.version else None

    async def _create_room(self, name: str, heat: HeatSettings) -> bool:
        rules = rules_of(self.hosted.state.conditions.game)
        made = await self.house.make_table(ACTOR, self._settings(heat), "", name, rules)
        if isinstance(made, Problem):
            event("steward_refused", tournament=self.hosted.id, command="MakeTable", code=made.code)
        return not isinstance(made, Problem)

    def _settings(self, heat: HeatSettings) -> Settings:
        conditions = self.hosted.state.conditions
        game = conditions.game
        title = f"{conditions.name}: {heat.name}"
        where = f", extra rounds {heat.extra}" if heat.extra else f", table {heat.table}"
        return Settings(
            game.rulebook,
            name=title[: 60 - len(where)] + where,
            overrides=dict(overrides_of(game)),
            packs=game.packs,
            minimum=game.minimum,
            maximum=game.maximum,
            smallest_chip=0,
            boxes_each=1,
            clocks=Clocks(card=self.house.options.heat_card, wagers=self.pace, decision=self.pace),
            heat=heat,
        )

    async def open(self, live: Live, opening: r.OpenRound) -> bool:
        """Open a round, unless the table is paused for a break or otherwise."""
        room = live.room.state
        words = break_words(self.hosted.state.pause) if self.hosted.state.pause else ""
        if words:
            return await self.hold(live, words)
        if room.held.startswith(BREAK):
            return await self.command(live, r.Resume(), "resume", live.room.version)
        if room.paused or not is_ready(live):
            return False
        return await self.command(live, opening, "round", heat_of(live).opened + 1)

    async def hold(self, live: Live, words: str) -> bool:
        """Pause a table that is not already paused."""
        if live.room.state.held:
            return False
        return await self.command(live, r.Pause(words), "pause", live.room.version)

    async def command(self, live: Live, command: r.RoomCommand, *about: object) -> bool:
        """Give a command to a room; whether this process has seen it take effect."""
        before = live.room.version
        done = await self.house.command(ACTOR, live.room.id, command, " ".join(map(str, about)), None)
        if isinstance(done, Problem):
            event("steward_refused", table=live.room.id, command=type(command).__name__, code=done.code)
        return live.room.version > before

    async def _close_rooms(self) -> bool:
        busy = False
        for name in self._over():
            if name not in self._closed:
                busy |= await self.close(name)
        return busy

    def _over(self) -> Iterator[str]:
        """The rooms of finished tables and of extra rounds that are no longer needed."""
        hosted, state = self.hosted, self.hosted.state
        for (session, number), name in hosted.rooms.items():
            count = table_of(state, number) if (state.phase, state.session) == ("session", session) else None
            if count is None or count.ended:
                yield name
        due = {(hosted.extras + 1, tie.players) for tie in state.ties}
        for lot in hosted.lots:
            if (lot.number, lot.players) not in due:
                for players in split_over_tables(lot.players, state.conditions.players.at_table):
                    yield extra_room(hosted.id, lot.session, lot.number, players)

    async def close(self, name: str) -> bool:
        """End the heat of a room."""
        if self.house.idle.has_ended(name):
            self._closed.add(name)
            return False
        live = await self.room(name)
        if live is None or heat_of(live).on:
            if live is None and not await self._exists(name):
                self._closed.add(name)  # never created: cancelled at once, or the tie was broken earlier
            return False
        if heat_of(live).ended:
            self._closed.add(name)
            return False
        return await self.command(live, r.EndHeat(), "end")


BREAK = "a break of"


def break_words(minutes: int) -> str:
    """The text shown at a table during a break."""
    return f"{BREAK} {minutes} minutes (20.16)"


def heat_of(live: Live) -> Heat:
    """The tournament state of a room."""
    heat = live.room.state.heat
    assert heat is not None, live.room.id
    return heat


def is_ready(live: Live) -> bool:
    """Whether the cards are prepared and the layout is empty."""
    table = live.room.state.table
    return table.phase == "ready" and not table.due

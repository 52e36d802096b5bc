"""A live room: its state, the dealer's program, the proofs of its shoe, and the keys of every command it has seen.

It follows its log and plans; it writes nothing itself. The owner of the table adopts the state it decided as soon as
its entry is on disk; every other process, a restart and a replay decode the entry and fold it, and get the same.
"""

from __future__ import annotations

import secrets
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from pontoon.engine import PlaceWager, Refusal
from pontoon.rulebook import Rulebook, canonical, digest
from pontoon.server.capacity import Actor
from pontoon.server.commands import Asked, MakeTable, MissWager, RoomCommand
from pontoon.server.decide import Decided, ask, program_step
from pontoon.server.log import Body, LogEvent, SeedKept, TableMade, read_body, write_body
from pontoon.server.problems import Problem
from pontoon.server.settings import Settings, first_cards, rules_of, table_of
from pontoon.server.state import Bot, RoomState, at_entry, clock, evolve_room, made
from pontoon.server.tournaments.heat import order
from pontoon.store.model import Draft, Entry
from pontoon.table import Table, refusal
from pontoon.table import commands as c
from pontoon.table.bots import BOTS
from pontoon.table.commitment import Proof
from pontoon.table.events import TableEvent
from pontoon.table.keeper import ShoeKeeper
from pontoon.table.program import Chance, Program

STREAM = "table/"
PROGRAM, CLOCK = "dealer", "clock"
BURST = 64
"""How many commands of the program go into one append."""
MINUTE = 60_000
LOOK = 6
"""A settled round lies on the table for as long as so many cards take, before it is collected."""


def stream_of(room: str) -> str:
    """The stream of a room's log."""
    return f"{STREAM}{room}"


def new_chance(_: int) -> bytes:
    """A key from the operating system for every shuffle."""
    return secrets.token_bytes(32)


class Plan(Struct, frozen=True):
    """What the program will do if nobody acts before."""

    delay: int
    """Milliseconds after this moment began; 0 is at once."""
    by: str
    command: c.TableCommand | RoomCommand


class Happened(Struct, frozen=True):
    """One event with the table before and after it, and the proofs of the cards it dealt."""

    event: LogEvent
    before: Table
    after: Table
    proofs: tuple[Proof, ...] = ()


def folded(state: RoomState | None, entry: Entry) -> tuple[RoomState, list[Happened]]:
    """The room after one more entry of its log, and what happened; proofs are with the shoe."""
    happened: list[Happened] = []
    for event in read_body(entry.body).events:
        before = made(event) if isinstance(event, TableMade) else state
        assert before is not None, "a log begins with the making of its table"
        state = evolve_room(before, event, entry.version)
        happened.append(Happened(event, before.table, state.table))
    assert state is not None
    return at_entry(state, entry.version), happened


def make_draft(
    settings: Settings, room: str, by: str, role: str, key: str, rules: Rulebook | None = None
) -> Draft | Problem:
    """The first entry of a room, its rulebook in it; without `rules`, the shipped one that the settings name."""
    rules_found = rules or rules_of(settings)
    if isinstance(rules_found, Problem):
        return rules_found
    table = table_of(settings, rules_found)
    if isinstance(table, Problem):
        return table
    event = TableMade(room, settings, digest(rules_found), by, canonical(rules_found))
    return Draft(by, write_body(Body(role, MakeTable(), (event,))), key)


class Room:
    """One room, following its log."""

    def __init__(self, room: str, chance: Chance = new_chance, *, proving: bool = False) -> None:
        """`proving` folds what is adopted as well and asserts that both are equal: for tests."""
        self.id = room
        self.proving = proving
        self.program = Program(chance, f"table {room}, shoe")
        self.keeper = ShoeKeeper()
        self.keys: dict[tuple[str, str], int] = {}
        """The version every command with a key has led to, by who gave it: a repeat has no second effect."""
        self._state: RoomState | None = None
        self._seed: SeedKept | None = None
        """The last shoe in the log that can be proved."""
        self._dice = Random(0)  # noqa: S311 only for bots that play at random

    @property
    def state(self) -> RoomState:
        """The room as it stands."""
        assert self._state is not None, "a room begins with its first entry"
        return self._state

    @property
    def version(self) -> int:
        """The last entry followed."""
        return 0 if self._state is None else self._state.version

    # --- following ---

    def follow(self, entry: Entry, decided: Decided | None = None) -> list[Happened]:
        """Apply one more entry of the log; `decided` is what this process decided and the store has written."""
        assert entry.version == self.version + 1, (entry.stream, entry.version, self.version)
        if decided is not None and decided.draft.body == entry.body and decided.state.version == entry.version:
            state, happened = self._adopted(entry, decided)
        else:
            state, happened = folded(self._state, entry)
        self._state = state
        if entry.key:
            self.keys[entry.by, entry.key] = entry.version
        return [self._proved(one) for one in happened]

    def _adopted(self, entry: Entry, decided: Decided) -> tuple[RoomState, list[Happened]]:
        """What `folded` would give, without decoding and folding."""
        befores = (self.state.table, *decided.tables[:-1])
        happened = list(map(Happened, decided.events, befores, decided.tables))
        if self.proving:
            assert folded(self._state, entry) == (decided.state, happened), entry
        return decided.state, happened

    def _proved(self, one: Happened) -> Happened:
        """An event with the proofs of the cards it dealt; the shoe is in step with it."""
        event = one.event
        if isinstance(event, TableEvent):
            proofs = self.keeper.follow(event)
            return replace(one, proofs=proofs) if proofs else one
        if isinstance(event, TableMade):
            self.program.first = first_cards(event.settings)
        elif isinstance(event, SeedKept):
            self._keep_seed(event)
        return one

    def _keep_seed(self, event: SeedKept) -> None:
        """Both sides of the shoe: what proves its cards, and what the program will reveal."""
        self._seed = event
        self.keeper.begin(event.shoe, self.state.table.packs, bytes.fromhex(event.seed))
        self.unplan()

    def unplan(self) -> None:
        """Planning a shuffle makes it: where none was written, the program goes back to the shoe in the log."""
        kept = self._seed
        if kept is not None and self.program.keeper.seed.hex() != kept.seed:
            self.program.keeper.begin(kept.shoe, self.state.table.packs, bytes.fromhex(kept.seed))

    # --- deciding ---

    def ask(self, actor: Actor, asked: Asked, key: str, seen: int | None) -> Decided | Problem | int:
        """What a client's command leads to; the version it has led to already where its key is known."""
        known = self.keys.get((actor.name, key)) if key else None
        return known if known is not None else ask(self.state, actor, asked, key, seen)

    def plan(self, state: RoomState | None = None) -> Plan | None:
        """What the program does next in this state, and after how long; None while only people can go on."""
        state = state or self.state
        table, clocks, now = state.table, state.clocks, state.moment
        if state.paused or table.mode == "floor":
            return None
        if table.phase == "closed":
            return self._closed(state)
        bots = {bot.player for bot in state.bots}
        if table.hours_over and refusal(table, c.Close()) is None:
            return Plan(0, CLOCK, c.Close())
        if now.kind == "wagers":
            return self._betting(state, bots)
        if now.kind == "decision" and now.players[0] in bots:
            return self._bot_decides(state)
        if wait := clock(state):
            return self._next(table, wait, CLOCK)
        paces = {"round": clocks.card, "collect": clocks.card * LOOK}
        return self._next(table, paces.get(table.phase, 0), PROGRAM)

    def _next(self, table: Table, delay: int, by: str) -> Plan | None:
        command = self.program.next_command(table)
        practice = self.state.settings.practice
        if isinstance(command, c.ShowCards) and not command.player and command.minutes and not practice:
            return Plan(command.minutes * MINUTE, CLOCK, command)  # the first player may still come (adelaide 32)
        return Plan(delay, by, command) if command is not None else None

    def _closed(self, state: RoomState) -> Plan | None:
        """A new table opens by itself; one that was closed reveals its last shoe and is opened by somebody."""
        plan = self._next(state.table, 0, PROGRAM)
        new = state.since == 1
        return plan if new or (plan is not None and isinstance(plan.command, c.RevealShoe)) else None

    def _betting(self, state: RoomState, bots: set[str]) -> Plan | None:
        """Bots bet with people, or alone at a demonstration; the clock runs from the first wager."""
        if state.heat is not None:
            return self._in_turn(state)
        table = state.table
        boxes = table.round.boxes if table.round is not None else ()
        bettors = {wager.player for box in boxes for wager in box.bettors}
        people = bettors - bots
        idle = [bot for bot in state.bots if bot.player not in bettors] if people or state.settings.bots_alone else []
        bot = next((bot for bot in idle if self._may_bet(state, bot)), None)
        if bot is not None:
            return Plan(state.clocks.card, bot.player, c.Play(PlaceWager(bot.box, bot.player, bot.stake), bot.player))
        if not boxes:
            return self._next(table, 0, PROGRAM)
        wait = clock(state)
        return self._next(table, wait or state.clocks.card, CLOCK if wait else PROGRAM)

    def _in_turn(self, state: RoomState) -> Plan | None:
        """At a tournament: one after the other, for who is absent what the conditions say, then no more bets."""
        assert state.heat is not None
        assert state.settings.heat is not None
        wait, waiting = clock(state), order(state.heat, state.table)
        if not waiting:
            return self._next(state.table, wait or state.clocks.card, CLOCK if wait else PROGRAM)
        player = dict(state.heat.places)[waiting[0]]
        if state.settings.heat.absent == "eliminated":
            return Plan(wait, CLOCK, MissWager(player))
        return Plan(wait, CLOCK, c.Play(PlaceWager(waiting[0], player, state.settings.minimum)))

    def _may_bet(self, state: RoomState, bot: Bot) -> bool:
        wager = c.Play(PlaceWager(bot.box, bot.player, bot.stake), bot.player)
        return not isinstance(program_step(state, wager, bot.player), Refusal)

    def _bot_decides(self, state: RoomState) -> Plan | None:
        table = state.table
        assert table.round is not None
        player = state.moment.players[0]
        kind = next(bot.kind for bot in state.bots if bot.player == player)
        command = BOTS[kind](table.round, self._dice)
        if command is None:
            return self._next(table, state.clocks.card, player)
        return Plan(state.clocks.card, player, c.Play(command, player))

    def at_once(self, state: RoomState) -> list[Decided]:
        """What the program does from this state on before anybody or any clock is waited for."""
        done: list[Decided] = []
        while len(done) < BURST:
            plan = self.plan(state)
            if plan is None or plan.delay or plan.by not in (PROGRAM, CLOCK):
                break
            decided = self.decide(state, plan)
            if isinstance(decided, Refusal):
                break
            done.append(decided)
            state = decided.state
        return done

    def decide(self, state: RoomState, plan: Plan) -> Decided | Refusal:
        """What a plan leads to; a shuffle that can be proved goes into the log with its seed."""
        table = state.table
        seed = None
        if isinstance(plan.command, c.Shuffle) and table.by_hand and not (table.joker or self.program.first):
            record = self.program.keeper.record
            assert record is not None
            seed = SeedKept(record.shoe, self.program.keeper.seed.hex())
        return program_step(state, plan.command, plan.by, seed)

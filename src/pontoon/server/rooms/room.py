"""A live room: its state, the dealer's program and the proofs of its shoe.

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
from pontoon.server.problems import Problem, problem
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import Asked, MakeTable, MissWager, RoomCommand
from pontoon.server.rooms.decide import Decided, ask, program_step
from pontoon.server.rooms.log import Body, LogEvent, SeedKept, TableMade, read_body, write_body
from pontoon.server.rooms.settings import Settings, first_cards, rules_of, table_of
from pontoon.server.rooms.state import Bot, RoomState, at_entry, clock, evolve_room, is_alone, made
from pontoon.server.tournaments.heat import order
from pontoon.store.model import Draft, Entry
from pontoon.table import Table, refusal
from pontoon.table import commands as c
from pontoon.table.bots import BOTS
from pontoon.table.commitment import Proof
from pontoon.table.events import TableEvent
from pontoon.table.opening import MINUTE
from pontoon.table.program import Chance, Program
from pontoon.table.shoe_keeper import ShoeKeeper

STREAM = "table/"
PROGRAM, CLOCK = "dealer", "clock"
BURST = 64
"""Maximum number of program commands in one append."""
IDLE_ROUNDS = 8
"""Rounds without a wager, then a seat is freed."""
LOOK = 6
"""Time a settled round stays on the table before it is collected, in cards."""


def stream_of(room: str) -> str:
    """The stream of a room's log."""
    return f"{STREAM}{room}"


def new_chance(_: int) -> bytes:
    """A key from the operating system for every shuffle."""
    return secrets.token_bytes(32)


class Plan(Struct, frozen=True):
    """The program's next step if no player acts first."""

    delay: int
    """Milliseconds after the wait began; 0 for immediately."""
    by: str
    command: c.TableCommand | RoomCommand


class Happened(Struct, frozen=True):
    """An event with the table before and after it, and the proofs of the cards it dealt."""

    event: LogEvent
    before: Table
    after: Table
    proofs: tuple[Proof, ...] = ()


def folded(state: RoomState | None, entry: Entry, *, passing: bool = False) -> tuple[RoomState, list[Happened]]:
    """The room after one more entry of its log, and what happened; proofs are with the shoe.

    `passing` if another entry follows at once: whom the room waits for in between is left out.
    """
    happened: list[Happened] = []
    for event in read_body(entry.body).events:
        before = made(event) if isinstance(event, TableMade) else state
        assert before is not None, "a log begins with the making of its table"
        state = evolve_room(before, event, entry.version)
        happened.append(Happened(event, before.table, state.table))
    assert state is not None
    return at_entry(state, entry.version, passing=passing), happened


def make_draft(
    settings: Settings, room: str, by: str, role: str, key: str, rules: Rulebook | None = None
) -> Draft | Problem:
    """The first entry of a room, its rulebook in it; without `rules`, the shipped one that the settings name."""
    if settings.practice and settings.mode == "floor":  # such tables of earlier logs still open
        detail = "a practice table is dealt by the program; with a dealer, people play with chips they buy in for"
        return problem("malformed", detail=detail)
    rules_found = rules or rules_of(settings)
    if isinstance(rules_found, Problem):
        return rules_found
    table = table_of(settings, rules_found)
    if isinstance(table, Problem):
        return table
    event = TableMade(room, settings, digest(rules_found), by, canonical(rules_found))
    return Draft(by, write_body(Body(role, MakeTable(), (event,))), key)


def bare_proof(proof: Proof) -> Proof:
    """What stays in memory of the proof of a dealt card; the rest is made again from the seed (1.3 kB a card)."""
    return Proof(proof.index, proof.size, proof.card, "", ())


class Room:
    """One room, folded from its log."""

    def __init__(self, room: str, chance: Chance = new_chance, *, proving: bool = False) -> None:
        """With `proving` (for tests), adopted states are also folded and compared."""
        self.id = room
        self.proving = proving
        self.program = Program(chance, f"table {room}, shoe")
        self.keeper = ShoeKeeper()
        self._state: RoomState | None = None
        self.seed: SeedKept | None = None
        """The last shoe in the log that can be proved."""
        self._dice = Random(0)  # noqa: S311 only for bots that play at random

    @property
    def state(self) -> RoomState:
        """The current state of the room."""
        assert self._state is not None, "a room begins with its first entry"
        return self._state

    @property
    def version(self) -> int:
        """The last entry followed."""
        return 0 if self._state is None else self._state.version

    # --- following ---

    def apply(self, entry: Entry, decided: Decided | None = None) -> list[Happened]:
        """Apply one more entry of the log; `decided` is what this process decided and the store has written."""
        assert entry.version == self.version + 1, (entry.stream, entry.version, self.version)
        if decided is not None and decided.draft.body == entry.body and decided.state.version == entry.version:
            state, happened = self._adopted(entry, decided)
        else:
            state, happened = folded(self._state, entry)
        self._state = state
        return [self._proved(step) for step in happened]

    def _adopted(self, entry: Entry, decided: Decided) -> tuple[RoomState, list[Happened]]:
        """The same as `folded`, without decoding and folding."""
        befores = (self.state.table, *decided.tables[:-1])
        happened = list(map(Happened, decided.events, befores, decided.tables))
        if self.proving:
            assert folded(self._state, entry) == (decided.state, happened), entry
        return decided.state, happened

    def _proved(self, one: Happened) -> Happened:
        """An event with the proofs of the cards it dealt; the shoe is in step with it."""
        event = one.event
        if isinstance(event, TableEvent):
            proofs = self.keeper.apply(event)
            del self.keeper.records[:-1]  # the shoes before are read from the log (server/records/past_shoes.py)
            if not proofs:
                return one
            record = self.keeper.record
            assert record is not None
            before = record.dealt[: -len(proofs)]
            self.keeper.record = replace(record, dealt=(*before, *(bare_proof(proof) for proof in proofs)))
            return replace(one, proofs=proofs)
        if isinstance(event, TableMade):
            self.program.first = first_cards(event.settings)
        elif isinstance(event, SeedKept):
            self._keep_seed(event)
        return one

    def _keep_seed(self, event: SeedKept) -> None:
        """Both sides of the shoe: what proves its cards, and what the program will reveal."""
        self.seed = event
        self.keeper.begin(event.shoe, self.state.table.packs, bytes.fromhex(event.seed))
        self.unplan()

    def unplan(self) -> None:
        """Planning a shuffle makes it: if none was written, the program goes back to the shoe in the log."""
        kept = self.seed
        if kept is not None and self.program.keeper.seed.hex() != kept.seed:
            self.program.keeper.begin(kept.shoe, self.state.table.packs, bytes.fromhex(kept.seed))

    def restore(self, state: RoomState, seed: SeedKept | None, keeper: ShoeKeeper) -> None:
        """Begin with a room as it stood after an entry, instead of with its first entry."""
        self._state, self.seed, self.keeper = state, seed, keeper
        self.program.first = first_cards(state.settings)
        self.unplan()

    # --- deciding ---

    def ask(self, actor: Actor, asked: Asked, key: str, seen: int | None) -> Decided | Problem:
        """The outcome of a client's command; the store knows whether its key was used before."""
        return ask(self.state, actor, asked, key, seen)

    def plan(self, state: RoomState | None = None) -> Plan | None:
        """What the program does next in this state, and after how long; None while only people can continue."""
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
            return self._freed_seat(state) or self._betting(state, bots)
        if now.kind == "decision" and now.players[0] in bots:
            return self._bot_decides(state)
        if wait := clock(state):
            return self._next(table, wait, CLOCK)
        if is_alone(state):
            return None
        paces = {"round": clocks.card, "collect": clocks.card * LOOK}
        return self._next(table, paces.get(table.phase, 0), PROGRAM)

    def _next(self, table: Table, delay: int, by: str) -> Plan | None:
        """The program's next step; new cards wait for the first player as long as the document says."""
        command = self.program.next_command(table)
        early = self.state.settings.practice or self.state.heat is not None
        if isinstance(command, c.ShowCards) and not command.player and not early:
            return Plan(command.minutes * MINUTE, CLOCK, command)  # the first player may still come (adelaide 32)
        return Plan(delay, by, command) if command is not None else None

    def _closed(self, state: RoomState) -> Plan | None:
        """A new table opens automatically, and one that closed with the hours of gaming when they begin.

        Others reveal their last shoe and wait to be opened.
        """
        plan = self._next(state.table, 0, PROGRAM)
        new = state.since == 1 or (state.table.opens_again and not state.table.hours_over)
        return plan if new or (plan is not None and isinstance(plan.command, c.RevealShoe)) else None

    def _freed_seat(self, state: RoomState) -> Plan | None:
        """A seat whose player has sat out too many rounds is freed for others; in a tournament it stays."""
        gone = [player for player, rounds in state.idle if rounds >= IDLE_ROUNDS and state.heat is None]
        leaves = (c.Leave(player) for player in gone if any(seat.player == player for seat in state.table.seats))
        return next((Plan(0, CLOCK, leave) for leave in leaves if refusal(state.table, leave) is None), None)

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
        if is_alone(state):
            return None
        wait = clock(state)
        return self._next(table, wait or state.clocks.card, CLOCK if wait else PROGRAM)

    def _in_turn(self, state: RoomState) -> Plan | None:
        """At a tournament: wagers in order, for an absent player as the conditions say, then no more bets."""
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
        """The program's steps from this state until it waits for a player or a clock."""
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
        """Decide a plan; a provably fair shuffle is logged with its seed."""
        table = state.table
        seed = None
        if isinstance(plan.command, c.Shuffle) and table.by_hand and not (table.joker or self.program.first):
            record = self.program.keeper.record
            assert record is not None
            seed = SeedKept(record.shoe, self.program.keeper.seed.hex())
        return program_step(state, plan.command, plan.by, seed)

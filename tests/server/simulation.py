"""A house in virtual time, a crowd around its tables, a bad network between them, and checks at every entry.

One seed is one evening: everything that happens comes from it, so that a seed that fails can be watched again with
`Simulation(seed).run()`. The crowd reads the rooms as they stand and asks for the most part for what could be done.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Literal, cast
from unittest.mock import patch

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from pontoon.cards import PACK, Card
from pontoon.engine import Box, Limits, Refusal, Round, refusal
from pontoon.engine import commands as e
from pontoon.engine.dealing import next_place
from pontoon.engine.options import options
from pontoon.ledger import BANK, Posting, at_table, netted, table_postings, wallet
from pontoon.rulebook import NAMES, load
from pontoon.server import commands as r
from pontoon.server.capacity import Actor, for_table, signed
from pontoon.server.commands import Asked
from pontoon.server.frames import encoded, snapshot
from pontoon.server.house import House
from pontoon.server.house import Options as HouseOptions
from pontoon.server.live import Live
from pontoon.server.log import BotSeated, RoundKept
from pontoon.server.people import LEAST_CHIPS, ChipsGiven, opened_name
from pontoon.server.permits import Role
from pontoon.server.problems import BUSY, Problem
from pontoon.server.room import Happened, Room, stream_of
from pontoon.server.settings import Clocks, Settings
from pontoon.server.state import RoomState
from pontoon.server.wire import KEPT, LONGEST, kept
from pontoon.store import Append, Appended, Entry, MemoryStore, NotEnough, Outcome
from pontoon.store.model import FLOORED
from pontoon.store.verify import faults
from pontoon.table import commands as c
from pontoon.table.bots import BOTS, chart_bot, random_bot
from pontoon.table.cutting import cutting_card_range, seen_before_shoe
from pontoon.table.events import (
    CardsChanged,
    RoundBegan,
    RoundReconstructed,
    ShoeCommitted,
    ShoeRevealed,
    TableClosed,
    TableEvent,
    TableOpened,
)
from pontoon.table.opening import full_set
from pontoon.table.program import ANSWERS, JOINS
from pontoon.table.state import Table, seat_of, seated_at
from pontoon.view.eye import Eye
from tests.server.virtual_time import VirtualClock, run_virtually

COMMANDS = 1000
HOUR = 3_600_000
PLAYERS = ("Ann", "Ben", "Cal", "Dee", "Eve")
STAFF: dict[Role, str] = {
    "game_supervisor": "Sue",
    "casino_supervisor": "Max",
    "inspector": "Ivy",
    "dealer": "Dan",
    "administrator": "Ada",
    "tournament_director": "Tom",
}
LONG = "x" * LONGEST
"""As long as a text from outside may be."""
KNOWN: dict[str, str] = {}
"""Bugs of the table and the engine that are not mended yet; what stands here is counted, all else fails."""

Wanted = tuple[Actor, Asked]


# --- the store, watched --------------------------------------------------------------------------------


class WatchedStore(MemoryStore):
    """Every entry is checked as it is written: zero sums, no account below its floor, no clock back, no key twice."""

    def __init__(self, known: Callable[[str, object], None]) -> None:
        super().__init__()
        self.count = 0
        self._known_bug = known
        self._held: Counter[str] = Counter()
        self._last: dict[str, int] = {}
        self._known: set[tuple[str, str, str]] = set()

    def write(self, appends: Sequence[Append]) -> list[Outcome]:
        outcomes = super().write(appends)
        for outcome in outcomes:
            if isinstance(outcome, Appended):
                for entry in outcome.entries:
                    self._check(entry)
            elif isinstance(outcome, NotEnough) and not outcome.account.startswith("wallet/"):
                self._known_bug("paid_twice", outcome)  # what is in escrow is there for what is owed from it
        return outcomes

    def _check(self, entry: Entry) -> None:
        self.count += 1
        assert sum(one.amount for one in entry.postings) == 0, entry
        for one in entry.postings:
            self._held[one.account] += one.amount
            assert self._held[one.account] >= 0 or not one.account.startswith(FLOORED), (one, entry)
        assert entry.at >= self._last.get(entry.stream, 0), entry
        self._last[entry.stream] = entry.at
        if entry.key:
            name = (entry.stream, entry.by, entry.key)
            assert name not in self._known, entry
            self._known.add(name)

    def trial(self) -> int:
        """What all accounts come to."""
        return sum(self._held.values())


class Errors(logging.Handler):
    """What the server reports as its own bugs."""

    def __init__(self, known: Callable[[str, object], None]) -> None:
        super().__init__(logging.ERROR)
        self.seen: list[str] = []
        self._known_bug = known

    def emit(self, record: logging.LogRecord) -> None:
        trace = logging.Formatter().formatException(record.exc_info) if record.exc_info else ""
        if "in _pair_of" in trace and "void_side_again" in KNOWN:
            self._known_bug("void_side_again", "")
            return
        self.seen.append(f"{record.getMessage()} {getattr(record, 'facts', '')}\n{trace}")


# --- the crowd -----------------------------------------------------------------------------------------


class Crowd:
    """What everybody wants of a room: mostly what its moment asks for, now and then a ruling or nonsense."""

    def __init__(self, chance: Random, players: Sequence[str], balance: Callable[[str], int]) -> None:
        self.chance = chance
        self.players = players
        self.lazy = players[-1] if chance.random() < 0.3 else ""
        """Somebody who sits and does not bet."""
        self.balance = balance

    def wants(self, state: RoomState) -> Wanted | None:
        chance, dice = self.chance, self.chance.random()
        if dice < 0.06:
            return self.nonsense(state)
        if state.proposals and chance.random() < 0.4:
            return self.second_person(state)
        if state.paused and not state.proposals and chance.random() < 0.4:
            return self.official("inspector"), r.Resume()
        if dice < 0.14:
            return self.ruling(state)
        if state.table.mode == "floor" and chance.random() < 0.7:
            return self.dealer(state)
        return self.player(state)

    @staticmethod
    def official(role: Role) -> Actor:
        return Actor(STAFF[role], role)

    def supervisor(self) -> Actor:
        return self.official(self.chance.choice(("game_supervisor", "casino_supervisor")))

    def box(self, table: Table) -> int:
        return self.chance.randint(1, table.rules.boxes.count)

    def stake(self, table: Table, player: str) -> int:
        chance, limits = self.chance, table.limits
        low, dice = limits.minimum or 200, chance.random()
        if dice < 0.75:
            wanted = low * chance.choice((1, 1, 2, 3))
        elif dice < 0.85:
            wanted = limits.maximum or low * 50
        else:
            wanted = min(self.balance(player), limits.maximum or 2**52)
        return max(wanted - wanted % 2, 2)

    # --- players ---

    def player(self, state: RoomState) -> Wanted | None:
        """What a player does now; None lets time pass."""
        table, now, chance = state.table, state.moment, self.chance
        mine = [player for player in now.players if player in self.players]
        if table.phase == "closed":
            return self.opens(state)
        if table.closing and chance.random() < 0.25:
            return self.closes(state)
        if now.kind == "cut" and mine and chance.random() < 0.6:
            return self.cuts(table, mine[0])
        if now.kind == "decision" and mine and chance.random() < 0.9:
            return self.decides(table, mine[0])
        if now.kind in ("offer", "join") and mine and chance.random() < 0.9:
            return self.answers(state, chance.choice(mine))
        player = chance.choice(self.players)
        if table.phase == "ready" and not table.due and chance.random() < 0.95:
            return self.bets(state, player)
        return self.beside(table, player) if chance.random() < 0.3 else None

    def opens(self, state: RoomState) -> Wanted:
        officials = [self.official(role) for role in ("game_supervisor", "administrator", "tournament_director")]
        by = self.chance.choice([*officials, Actor(state.made_by)])
        if state.table.rules.shoe.check_at_end and self.chance.random() < 0.3:
            return self.official("dealer"), c.CheckCards("dealer")
        return by, c.Open()

    def closes(self, state: RoomState) -> Wanted:
        return self.chance.choice((self.supervisor(), Actor(state.made_by))), c.Close(self.chance.choice((0, 15)))

    def cuts(self, table: Table, player: str) -> Wanted:
        dice = self.chance.random()
        if dice < 0.25:
            return Actor(player), c.DeclineCut(player)
        if dice < 0.4:
            return Actor(player), r.Pass()
        return Actor(player), c.Cut("", self.chance.randint(0, table.shoe.left))

    def decides(self, table: Table, player: str) -> Wanted:
        state = table.round
        assert state is not None
        if state.exposed and self.chance.random() < 0.5:
            return Actor(player), e.RefuseCard(state.turn[0])
        split = e.Split(state.turn[0])
        if self.chance.random() < 0.5 and refusal(state, split) is None:
            return Actor(player), split
        bot = random_bot if self.chance.random() < 0.2 else chart_bot
        return Actor(player), bot(state, self.chance) or e.Stand(state.turn[0])

    def answers(self, state: RoomState, player: str) -> Wanted:
        chance = self.chance
        assert state.table.round is not None
        wanted: tuple[type[e.Command], ...] = (*ANSWERS.get(state.table.round.phase, ()), *JOINS)
        able: list[Any] = [one for one in options(state.table.round).allowed if isinstance(one, wanted)]
        able = [one for one in able if one.player == player]
        if not able or chance.random() < 0.25:
            return Actor(player), r.Pass()
        command = chance.choice(able)
        if isinstance(command, e.Insure) and chance.random() < 0.5:
            command = replace(command, amount=max(command.amount // chance.choice((1, 2, 4)), 1))
        if isinstance(command, e.Double) and chance.random() < 0.3:
            command = replace(command, amount=self.stake(state.table, player))
        return Actor(player), command

    def bets(self, state: RoomState, player: str) -> Wanted:
        chance, table, box = self.chance, state.table, self.box(state.table)
        seat, dice = seat_of(table, player), chance.random()
        free = [number for number in range(1, table.rules.boxes.count + 1) if not seated_at(table, number)]
        if dice < (0.15 if seat is None else 0.01) and free:
            return Actor(player), c.Sit(player, chance.choice(free))
        if player == self.lazy and seat is not None:
            return Actor(player), r.Pass()
        mine = [one.number for one in self.boxes(table) if any(wager.player == player for wager in one.bettors)]
        if mine and dice > (0.4 if player not in state.passed else 0.9):
            return Actor(player), e.TakeBack(mine[0], player) if dice > 0.97 else r.Pass()
        box = seat.box if seat is not None and chance.random() < 0.5 else chance.choice((1, 1, box))
        if dice > 0.9 and any((table.rules.side.perfect_pairs, table.rules.side.pairs_play)):
            kind: e.SideKind = chance.choice(("perfect_pairs", "perfect_pairs", "pairs_play"))
            return Actor(player), e.PlaceSideWager(box, player, kind, chance.choice((100, 500, 2500)))
        return Actor(player), e.PlaceWager(box, player, self.stake(table, player))

    @staticmethod
    def boxes(table: Table) -> tuple[Box, ...]:
        return table.round.boxes if table.round is not None else ()

    def beside(self, table: Table, player: str) -> Wanted:
        box, rules, chance = self.box(table), table.rules, self.chance
        wager = e.PlaceWager(box, player, self.stake(table, player))
        seated = seat_of(table, player) is not None
        asked = next((one.number for one in self.boxes(table) if one.controller == player), box)
        commands: list[Asked] = [c.Leave(player) if seated else c.Sit(player, box), c.AskCards(player)]
        if rules.shoe.burn_first or chance.random() < 0.1:
            commands.append(c.ShowBurn(player))
        if rules.people.oral == "with_chips" or chance.random() < 0.1:
            commands.append(c.CallOut(wager, chips=chance.random() < 0.8))
        if rules.people.control_declined == "void" or chance.random() < 0.1:
            commands.append(c.DeclineControl(player, asked))
        return Actor(player), chance.choice(commands)

    # --- a person who deals ---

    def dealer(self, state: RoomState) -> Wanted:
        """What a dealer does next by the book, and sometimes what goes wrong."""
        table, chance, dan = state.table, self.chance, self.official("dealer")
        if state.proposals and chance.random() < 0.8:
            return self.second_person(state)
        if table.phase == "closed":
            return self.opens(state)
        if self._shuffle_next(table):
            return self._prepares(table)
        if table.phase == "shuffled":
            by = table.offered[0] if table.offered else table.rules.cut.nobody
            return dan, c.DeclineCut(by) if chance.random() < 0.1 else c.Cut(by, table.shoe.left // 2)
        if table.phase == "cut":
            low, high = cutting_card_range(table)
            return dan, c.PlaceCuttingCard(-1 if chance.random() < 0.25 else chance.randint(low, high))
        if table.phase == "collect":
            return dan, e.BurnCard(chance.choice(PACK), "dealer_excess") if chance.random() < 0.05 else c.Collect()
        return dan, self._deals(table) if table.phase == "round" else self._waits(table)

    def _shuffle_next(self, table: Table) -> bool:
        boxes = table.round is not None and bool(table.round.boxes)
        between = bool(table.due) and table.phase == "ready" and not boxes and self.chance.random() < 0.8
        return table.phase == "preparing" or table.due == "first" or seen_before_shoe(table) or between

    def _prepares(self, table: Table) -> Wanted:
        dan = self.official("dealer")
        if table.sealed and "seal" not in table.checked and self.chance.random() < 0.7:
            return dan, c.BreakSeal(whole=self.chance.random() < 0.8)
        for role in table.rules.shoe.checked_by:
            if table.new_cards and role not in table.checked and "seal" not in table.checked:
                return self.official(cast("Role", role)), c.CheckCards("dealer")
        if table.rules.shoe.spread != "none" and not table.shown:
            return dan, c.ShowCards(self.chance.choice(self.players), self.chance.choice((0, 15)))
        return dan, c.Shuffle()

    def _waits(self, table: Table) -> Asked:
        chance, dice = self.chance, self.chance.random()
        player = chance.choice(self.players)
        if dice < (0.1 if table.rules.shoe.burn_first and not table.shoe_round else 0.01):
            return c.BurnFirst(chance.choice(("", str(chance.choice(PACK)))))
        if dice < 0.1 and not table.by_hand:
            return c.ReturnDiscards(())
        if dice < 0.12:
            return chance.choice((c.ClearJam(), c.FailDevice()))
        if dice < 0.5 or not (table.round and table.round.boxes):
            return e.PlaceWager(self.box(table), player, self.stake(table, player))
        return e.CallNoMoreBets()

    def _deals(self, table: Table) -> Asked:
        state, chance = table.round, self.chance
        assert state is not None
        noticed = self._notices(state)
        if noticed is not None and chance.random() < 0.4:
            return noticed
        if chance.random() < 0.14:
            return self._goes_wrong(table)
        if next_place(state) is not None:
            if not table.shoe.left:
                return c.ShuffleDiscards((), "dealer", 0)
            alike = next((card for box in state.boxes for hand in box.hands for card in hand.cards), "As")
            return c.Deal(state.exposed or (alike if chance.random() < 0.25 else chance.choice(PACK)))
        if state.phase != "decision":
            return e.CloseOffer()
        return e.Absent(state.turn[0]) if chance.random() < 0.2 else chart_bot(state, chance) or e.CloseOffer()

    @staticmethod
    def _notices(state: Round) -> Asked | None:
        """An error made before that can be noticed now."""
        if state.phase == "decision" and not state.dealer:
            return e.NoticeNoFirstCard()
        skipped = [box.number for box in state.boxes for hand in box.hands if hand.skipped and not hand.noticed]
        return e.NoticeSkip(skipped[0]) if skipped and len(state.dealer) < 2 else None

    def _goes_wrong(self, table: Table) -> Asked:
        state, chance = table.round, self.chance
        assert state is not None
        card = Card(state.exposed) if state.exposed else chance.choice(PACK)
        box, turn = chance.choice(state.boxes).number, state.turn[0]
        if not state.cards_used:
            return e.SkipDealer()
        commands: tuple[Asked, ...] = (
            e.BurnCard(card, chance.choice(("face_up", "in_error"))),
            e.ExposeCard(card),
            e.RefuseCard(turn),
            e.OfferLate(chance.choice(("insurance", "surrender"))),
            e.SkipHand(turn),
            e.SkipHand(turn),
            e.NoticeSkip(box),
            c.ClearJam(),
            c.FailDevice(),
        )
        return chance.choice(commands)

    # --- rulings ---

    def second_person(self, state: RoomState) -> Wanted:
        number = self.chance.choice(state.proposals).number
        by = self.official(self.chance.choice(("inspector", "casino_supervisor", "game_supervisor")))
        return by, r.Approve(number) if self.chance.random() < 0.65 else r.Reject(number, "no")

    def ruling(self, state: RoomState) -> Wanted:
        dice, by = self.chance.random(), self.supervisor()
        if dice < 0.25:
            return by, self._in_round(state)
        if dice < 0.45:
            return by, self._of_people(state)
        if dice < 0.65:
            return by, self._of_cards(state)
        officials: tuple[Role, ...] = ("game_supervisor", "casino_supervisor", "tournament_director", "administrator")
        by = self.chance.choice((Actor(state.made_by), self.official(self.chance.choice(officials))))
        return by, self._of_room(state)

    def _in_round(self, state: RoomState) -> Asked:
        table, chance = state.table, self.chance
        laid = list(table.on_layout)
        if laid and chance.random() < 0.5:
            chance.shuffle(laid)
        commands: tuple[Asked, ...] = (
            e.VoidBox(table.round.boxes[0].number if table.round and table.round.boxes else 1),
            e.VoidRound(),
            c.Reconstruct(tuple(laid), chance.choice(("dealt_again", "laid_again")), "dealer", reason="misdealt"),
            c.RemoveExtraHand(table.shoe.stack[:2] or tuple(chance.sample(PACK, 2)), "dealer"),
            c.VoidEarlier(table.number - chance.randint(1, 3), "dealer", reason="misplaced"),
            c.VoidEarlier(table.number - 1, "dealer", reason="misplaced"),
        )
        return chance.choice(commands)

    def _of_people(self, state: RoomState) -> Asked:
        table, chance = state.table, self.chance
        player = chance.choice(self.players)
        idle = [seat.player for seat in table.seats if seat.idle > 1] or [player]
        if table.full and len(idle) < len(table.seats) and chance.random() < 0.5:
            return c.TakeSeat(idle[0], "dealer")
        commands: tuple[Asked, ...] = (
            c.Restrict(self.players[0], "dealer", consulted=chance.random() < 0.7, reason="counts"),
            c.Exclude(chance.choice((LONG, self.players[-1], "Zed")), "dealer", "cheats"),
            c.TakeSeat(chance.choice(idle), "dealer"),
            c.DeclarePartners((self.players[0], self.players[1]), "dealer"),
            c.AllowPersonalLimit(player, self.box(table), chance.choice((0, 60_000, 200_000))),
            c.DecideDispute(player, "the total", "it stands", "dealer"),
        )
        return chance.choice(commands)

    def _of_cards(self, state: RoomState) -> Asked:
        table, chance = state.table, self.chance
        low = chance.choice((200, 500, 1000))
        box_maximum = chance.choice((0, 0, 30_000))
        told = chance.random() < 0.8
        order = c.OrderShuffle("dealer", chance.choice(("vacant", "suspect", "exposed", "discretion")))
        if table.phase == "ready" and self.boxes(table) and "shuffle_first" in KNOWN:
            order = c.OrderShuffle("dealer", "vacant")
        commands: tuple[Asked, ...] = (
            order,
            c.ChangeCards(chance.choice(("worn", "worn", ""))),
            c.ReplaceCard(chance.choice(table.shoe.stack or PACK)),
            c.SetLimits(Limits(low, chance.choice((0, low * 20, 50_000))), told=told, box_maximum=box_maximum),
        )
        return chance.choice(commands)

    def _of_room(self, state: RoomState) -> Asked:
        chance = self.chance
        alone = state.settings.bots_alone
        pace = state.clocks.card if alone or not state.clocks.card else chance.choice((100, 1000))
        bots = [bot.player for bot in state.bots] or ["nobody"]
        commands: tuple[Asked, ...] = (
            r.Pause("a word"),
            r.SetPace(pace, chance.choice((100, 5000))),
            r.SeatBot(self.box(state.table), chance.choice(tuple(BOTS)), chance.choice((0, 1000, 2000))),
            r.RemoveBot(chance.choice(bots)),
            c.GiveNotice(chance.choice(("minutes", "rounds", "notice"))),
            c.Close(15),
        )
        return chance.choice(commands)

    # --- nonsense ---

    def nonsense(self, state: RoomState) -> Wanted:
        chance, table = self.chance, state.table
        number = chance.choice((-1, 0, 3, 8, 99, 2**53))
        one, other = chance.choice(self.players), chance.choice((*self.players, "nobody", LONG, "\u202e", ""))
        commands: tuple[Asked, ...] = (
            e.PlaceWager(number, one, chance.choice((-500, 0, 501, 2**53))),
            e.PlaceWager(1, other, 2**53),
            e.PlaceSideWager(1, other, "pairs_play", -1),
            e.TakeBack(number, other),
            e.Hit(number, other),
            e.Double(number, -100, other),
            e.Double(table.round.turn[0] if table.round else 1, number),
            e.Ride(number, other, number),
            e.Insure(1, other, number, number, "nobody"),
            e.DealCard(Card("As")),
            e.BurnCard(Card("Xx")),
            e.CallNoMoreBets(),
            e.VoidBox(number),
            c.Shuffle((Card("As"),)),
            c.Sit(other, number),
            c.Cut(other, number),
            c.Deal("Zz"),
            c.CommitShoe("", ""),
            c.RevealShoe("not hex"),
            c.Reconstruct((), "dealt_again", "operator", "operator"),
            c.VoidEarlier(number, "operator", "inspector", "because"),
            c.SetLimits(Limits(-5, -10), told=True),
            c.AllowPersonalLimit(other, number, number),
            c.DeclarePartners((other,), "operator"),
            c.CallOut(e.PlaceWager(number, other, number), chips=True),
            r.MakeTable(),
            r.Approve(number),
            r.Reject(number),
            r.SeatBot(number, "genius"),
            r.SeatBot(chance.randint(1, 7), "chart", 2**52),
            r.RemoveBot(other),
            r.Pass(),
            r.Resume(),
        )
        who = chance.choice((Actor(one), *(self.official(role) for role in STAFF)))
        return who, chance.choice(commands)


# --- the network ---------------------------------------------------------------------------------------


class Message(Struct, eq=False):
    """A command on its way, however often it is sent."""

    actor: Actor
    room: str
    asked: Asked
    key: str
    seen: int | None
    version: int = 0
    """Where the house says it stands; 0 while it has not said so."""
    answers: int = 0
    code: str = ""
    """The first answer."""
    cut_off: bool = False
    """A house went down with it inside."""


class _Step(Struct, tag="step"):
    first: int
    version: int
    room: Raw
    view: Raw


class _Snapshot(Struct, tag="snapshot"):
    version: int
    room: Raw
    view: Raw


class _Notice(Struct, tag="notice"):
    words: str


_FRAME = msgspec.json.Decoder(_Step | _Snapshot | _Notice)


class Follower:
    """Somebody who watches a room: no step may be missing between two frames."""

    def __init__(self, room: str, eye: Eye) -> None:
        self.room = room
        self.eye = eye
        self.version = 0
        self.shown = (b"", b"")
        self.frames: Counter[str] = Counter()

    def send(self, content: str) -> None:
        frame = _FRAME.decode(content)
        self.frames[type(frame).__name__] += 1
        if isinstance(frame, _Notice):
            return
        if isinstance(frame, _Step):
            assert frame.first == self.version + 1, (frame.first, self.version)
        assert frame.version >= self.version, (frame.version, self.version)
        self.version, self.shown = frame.version, (bytes(frame.room), bytes(frame.view))

    def join(self, live: Live) -> None:
        """Come back with what was seen last."""
        live.catch_up(self, self.version or None, 0.0)
        live.watchers.add(self)
        assert self.version == live.room.version

    def sees(self, live: Live) -> None:
        """Whoever followed sees what somebody new sees."""
        fresh = Follower(self.room, self.eye)
        fresh.send(encoded(snapshot(live.room.state, self.eye)))
        assert fresh.version == self.version
        assert fresh.shown == self.shown, (fresh.shown, self.shown)


# --- the log, read again -------------------------------------------------------------------------------


class _Did(Struct):
    role: str
    did: KEPT


_DID = msgspec.json.Decoder(_Did)


def did_in(entry: Entry) -> c.TableCommand | r.RoomCommand:
    """The command an entry stands for."""
    return kept(_DID.decode(entry.body).did)


def name_of(command: object) -> str:
    """A command as it is counted: what is inside a round by its own name."""
    return type(command.command if isinstance(command, c.Play) else command).__name__


class Auditor:
    """Folds the log of one room from its first entry, and looks at each event on the way."""

    def __init__(self, room: str) -> None:
        self.room = Room(room)
        self.began: dict[int, int] = {}
        """The rounds that have begun and are not over, with their versions."""
        self.kept: set[int] = set()
        self.committed = False
        self.lost = ""
        """The known bug that left chips in escrow."""

    def follow(self, entry: Entry) -> None:
        """One more entry."""
        moved: list[Posting] = []
        for one in self.room.follow(entry):
            part = self._moved(one)
            assert sum(posting.amount for posting in part) == 0, one.event
            moved += part
            self._look(one)
        if moved or entry.postings:
            assert _by_owner(netted(moved)) == _by_owner(entry.postings), entry
        assert _conserved(self.room.state.table), entry

    def _moved(self, one: Happened) -> tuple[Posting, ...]:
        if isinstance(one.event, BotSeated):
            return Posting(BANK, -one.event.chips), Posting(wallet(one.event.player), one.event.chips)
        return at_table(self.room.id, table_postings(one.event)) if isinstance(one.event, TableEvent) else ()

    def _look(self, one: Happened) -> None:
        match one.event:
            case RoundBegan(number=number):
                assert not self.began, one.event
                self.began[number] = 1
            case RoundKept(number=number, players=players):
                del self.began[number]
                assert number not in self.kept
                self.kept.add(number)
                assert players or one.event.void, one.event
            case TableClosed():
                self.began.clear()
                if one.before.round is not None and one.before.round.side:
                    self.lost = "closed_over_side"
            case RoundReconstructed(returns=returns):
                boxes = {box.number for box in Crowd.boxes(one.before)}
                if any(box not in boxes for _, box, _, _ in returns):
                    self.lost = "void_side_again"
            case ShoeCommitted():
                assert not self.committed, "the shoe before this one was never revealed"
                self.committed = True
            case ShoeRevealed() | CardsChanged() | TableOpened():
                self.committed = False
            case _:
                pass

    def end(self) -> None:
        """What holds when the last entry was read."""
        table = self.room.state.table
        assert list(self.began) == ([] if table.round is None else [table.number]), (self.began, table.number)


def _by_owner(postings: Sequence[Posting]) -> Counter[str]:
    """What is owed stands for what is had: both are the player's."""
    sums: Counter[str] = Counter()
    for one in postings:
        sums[one.account.replace("receivable/", "wallet/")] += one.amount
    return Counter({account: amount for account, amount in sums.items() if amount})


def _conserved(table: Table) -> bool:
    """No card is lost or added."""
    shoe = table.shoe
    if not shoe.left and not shoe.discards and not shoe.hidden_discards:
        return True  # new cards that were not shuffled yet
    count = shoe.left + len(shoe.discards) + shoe.hidden_discards + len(table.on_layout)
    return count == table.size


# --- the simulation ------------------------------------------------------------------------------------


class Report(Struct):
    """What a seed came to."""

    seed: int
    commands: int = 0
    messages: int = 0
    entries: int = 0
    rounds: int = 0
    restarts: int = 0
    absent: int = 0
    """How often the clock played for somebody who was not there."""
    outcomes: dict[tuple[str, str], int] = {}
    """Commands by kind and their first answer."""
    done: dict[tuple[str, str], int] = {}
    """Entries of the log by command and who it was by: people, dealer, clock or bot."""
    frames: dict[str, int] = {}
    known: dict[str, int] = {}
    """Bugs that are not mended yet, and how often they showed."""
    heads: tuple[str, ...] = ()


def random_settings(chance: Random, *, mode: Literal["automatic", "floor"]) -> Settings:
    """A lawful table."""
    names = NAMES if mode == "automatic" else (*NAMES, "adelaide", "adelaide", "adelaide")  # which knows most errors
    rules = load(chance.choice(names))
    shoe = rules.shoe
    device: Any = chance.choice(shoe.devices)
    limits = chance.choice(((500, 50_000, 50), (1000, 5000, 250), (200, 0, 0), (1000, 20_000, 0)))
    card = 0 if chance.random() < 0.6 else chance.choice((50, 400, 1000))
    alone = chance.random() < 0.03
    clocks = Clocks(
        10_000 if alone else card,
        chance.choice((0, 500, 3000, 15_000)),
        chance.choice((1000, 5000, 30_000)),
        chance.choice((0, 500, 4000)),
    )
    return Settings(
        rules.about.name,
        packs=chance.choice((min(rules.decks.allowed), chance.choice(rules.decks.allowed))),
        minimum=limits[0],
        maximum=limits[1],
        smallest_chip=limits[2],
        mode=mode,
        device=device,
        hold_late=chance.random() < 0.2,
        boxes_each=chance.choice((0, 0, 0, 2)),
        box_maximum=chance.choice((0, 0, 0, 60_000)),
        cutting_cards=chance.randint(1, max(shoe.cutting_cards, 1)),
        joker=shoe.joker and chance.random() < 0.3,
        sealed=shoe.sealed and chance.random() < 0.3,
        face_down=shoe.face_down and chance.random() < 0.5,
        clocks=clocks,
        private=chance.random() < 0.3,
        practice=chance.random() < 0.2,
        bots_alone=alone,
    )


class Simulation:
    """One evening of a house, from one seed."""

    def __init__(self, seed: int, commands: int = COMMANDS, *, watched: bool | None = None) -> None:
        self.chance = chance = Random(seed)
        self.commands = commands
        self.watched = seed % 10 == 3 if watched is None else watched
        self.report = Report(seed)
        self.store = WatchedStore(self._known)
        self.errors = Errors(self._known)
        self.names = PLAYERS[: chance.choice((2, 2, 3, 3, 4, 5))]
        self.crowd = Crowd(chance, self.names, lambda name: self.store.balance(wallet(name)))
        self.rooms: list[str] = []
        self.followers: list[Follower] = []
        self.away: list[Follower] = []
        self.messages: list[Message] = []
        self.flying: set[asyncio.Task[None]] = set()
        self.inside: dict[asyncio.Task[None], Message] = {}
        self.failed: list[BaseException] = []
        self.house: House | None = None
        self.clock: VirtualClock
        self._keys = Random(f"{seed} shuffles")
        self._ids = 0

    def run(self) -> Report:
        """The whole evening."""
        logger = logging.getLogger("pontoon.server")
        logger.addHandler(self.errors)
        propagate, logger.propagate = logger.propagate, False
        try:
            with patch("pontoon.server.house.new_id", self._new_id):
                run_virtually(self._run())
        finally:
            logger.removeHandler(self.errors)
            logger.propagate = propagate
        return self.report

    def _known(self, code: str, facts: object) -> None:
        assert code in KNOWN, (code, facts)
        self.report.known[code] = self.report.known.get(code, 0) + 1

    def _new_id(self, length: int) -> str:
        self._ids += 1
        return f"{self._ids}".rjust(length, "t")

    async def _run(self) -> None:
        self.clock = VirtualClock(asyncio.get_running_loop())
        await self._start()
        await self._gather_people()
        while len(self.messages) < self.commands:
            await self._something_else()
            await asyncio.sleep(self._pause() if self._send_one() else 0.2)
            self._no_errors()
        while self.flying:
            answered, _ = await asyncio.wait(self.flying, timeout=600)
            assert answered, self.flying
        await self._play_out()
        self._no_errors()
        await self._finish()

    async def _play_out(self) -> None:
        """Nobody holds the game and nobody comes: the program brings every round to its end."""
        assert self.house is not None
        for room in self.rooms:
            for one in self._live(room).room.state.proposals:
                await self.house.command(Crowd.official("inspector"), room, r.Reject(one.number), "", None)
            await self.house.command(Crowd.official("inspector"), room, r.Resume(), "", None)
        lives = [live for live in self.house.lives.values() if not live.room.state.settings.bots_alone]
        lives = [live for live in lives if live.room.state.table.mode == "automatic"]
        for _ in range(20):
            await asyncio.sleep(300)
            if not any(Crowd.boxes(live.room.state.table) for live in lives):
                break
        for live in lives:
            table, plan = live.room.state.table, live.room.plan()
            if Crowd.boxes(table) and "void_side_again" not in self.report.known:
                no = live.room.decide(live.room.state, plan) if plan is not None else None
                code = no.code if isinstance(no, Refusal) else "paid_twice"  # decided, and refused by the store
                if code != "alone_on_boxes":  # which is for the one player to mend
                    self._known(code, (live.room.id, plan, table.phase, table.due))

    def _no_errors(self) -> None:
        assert not self.errors.seen, self.errors.seen[0]
        if self.failed:
            raise self.failed[0]

    def _pause(self) -> float:
        """Mostly long enough for everything to be answered, at times long enough for every clock to run out."""
        dice = self.chance.random()
        if dice < 0.1:
            return 0
        return 0.001 if dice < 0.6 else self.chance.random() if dice < 0.97 else self.chance.random() * 40

    # --- the house ---

    async def _start(self) -> None:
        house = House(self.store, HouseOptions(inline=True), self.clock, lambda _: self._keys.randbytes(32))
        await house.start()
        self.house = house
        for follower in self.followers:
            if follower not in self.away:
                follower.join(house.lives[follower.room])

    def _live(self, room: str) -> Live:
        assert self.house is not None
        return self.house.lives[room]

    async def _gather_people(self) -> None:
        house = self.house
        assert house is not None
        for name, role in [*((name, "player") for name in self.names), *((STAFF[role], role) for role in STAFF)]:
            entry = await house.write_people(lambda people, n=name, r=role: people.opened(n, r, guest=True))  # type: ignore[misc]
            assert isinstance(entry, Entry)
            assert opened_name(entry) == name
        for number in range(self.chance.randint(1, 3)):
            mode: Literal["automatic", "floor"] = "floor" if self.chance.random() < 0.2 else "automatic"
            by = self.chance.choice((Actor(self.names[0]), Crowd.official("game_supervisor")))
            settings = random_settings(self.chance, mode=mode)
            room = await house.make_table(by, settings, f"table {number}")
            assert isinstance(room, str), (room, settings)
            assert room == await house.make_table(by, settings, f"table {number}")
            self.rooms.append(room)
            for box in range(1, 1 + self.chance.choice((*(0,) * 14, 1, 2, 6))):
                bot = r.SeatBot(box, self.chance.choice(tuple(BOTS)))
                answer = await house.command(Crowd.official("game_supervisor"), room, bot, f"bot {box}", None)
                assert isinstance(answer, int) or settings.mode == "floor", answer
        if self.watched:
            for eye in (Eye(self.names[0]), Eye(), Eye("Ivy", official=True)):
                self.followers.append(Follower(self.rooms[0], eye))
                self.followers[-1].join(self._live(self.rooms[0]))

    async def _something_else(self) -> None:
        """Restarts, clocks that are set, people who come and go, chips for whoever has none."""
        dice = self.chance.random()
        if dice < 0.002:
            await self._restart()
        elif dice < 0.01:
            self.clock.set_by += self.chance.randint(-5 * HOUR, 5 * HOUR)
        elif dice < 0.04 and self.followers:
            self._come_or_go(self.chance.choice(self.followers))
        elif dice < 0.06:
            await self._chips(self.chance.choice(self.names))

    async def _chips(self, name: str) -> None:
        if self.store.balance(wallet(name)) < 10 * LEAST_CHIPS:
            assert self.house is not None
            given = await self.house.say_of(name, ChipsGiven(name, self.chance.choice((2001, 20_000, 100_000))))
            assert isinstance(given, Entry)

    def _come_or_go(self, follower: Follower) -> None:
        live = self._live(follower.room)
        if follower in self.away:
            self.away.remove(follower)
            follower.join(live)
        else:
            live.watchers.discard(follower)
            self.away.append(follower)

    async def _restart(self) -> None:
        """The house goes down, in the midst of its work or after closing its books, and comes up again."""
        for _ in range(self.chance.randint(0, 3)):
            self._send_one()
        for _ in range(self.chance.randint(0, 8)):
            await asyncio.sleep(0)
        old = await (self._kill() if self.chance.random() < 0.7 else self._close())
        if self.chance.random() < 0.5:
            await asyncio.sleep(self.chance.random())
        await self._start()
        self.report.restarts += 1
        for room, live in old.lives.items():
            self._same(live.room, self._live(room).room)

    async def _kill(self) -> House:
        """No farewell: whatever was in the house is gone, and nobody was answered."""
        house = self.house
        assert house is not None
        assert house.writer._task is not None
        self.house = None
        house.writer._closed = True
        tasks = [house.writer._task, *house._tasks, *self.inside]
        tasks += [live.task for live in house.lives.values() if live.task is not None]
        lost = list(self.inside.values())
        for message in lost:
            message.cut_off = True
        while left := [task for task in tasks if not task.done()]:
            for task in left:
                task.cancel()
            await asyncio.sleep(0)
        for message in lost:
            if self.chance.random() < 0.8:
                self._post(message, self.chance.random() * 3)
        return house

    async def _close(self) -> House:
        house = self.house
        assert house is not None
        await house.close()
        self.house = None
        return house

    def _same(self, old: Room, new: Room) -> None:
        """A room read from its log is the room as it stood."""
        for entry in self.store.read(stream_of(old.id), old.version, self.store.count):
            old.follow(entry)
        assert old.state == new.state
        assert old.keys == new.keys
        assert old.keeper.record == new.keeper.record

    # --- messages ---

    def _find_one(self) -> tuple[str, RoomState, Actor, Asked] | None:
        room = self.chance.choice(self.rooms)
        state = self._live(room).room.state
        wanted = self.crowd.wants(state)
        return None if wanted is None else (room, state, *wanted)

    def _send_one(self) -> bool:
        """A command of somebody; False where nobody wants anything."""
        found = self._find_one() or self._find_one()
        if found is None:
            return False
        chance, (room, state, actor, asked) = self.chance, found
        dice = chance.random()
        seen = None if dice < 0.2 else state.version if dice < 0.93 else state.version + chance.randint(-30, 3)
        message = Message(actor, room, asked, f"{len(self.messages)}", seen)
        self.messages.append(message)
        dice = chance.random()
        if dice < 0.84:
            self._post(message, 0)
        elif dice < 0.9:  # on a slow way: others overtake it
            self._post(message, chance.random() * 3)
        elif dice < 0.96:  # the answer is lost, or a proxy repeats it
            self._post(message, 0)
            self._post(message, chance.choice((0.0, 0.0, chance.random(), chance.random() * 60)))
        else:  # lost, and sent again
            self._post(message, 1 + chance.random() * 9)
        if chance.random() < 0.02:
            self._post(chance.choice(self.messages), 0)
        return True

    def _post(self, message: Message, delay: float) -> None:
        self.report.messages += 1
        task = asyncio.create_task(self._deliver(message, delay))
        self.flying.add(task)
        task.add_done_callback(self._landed)

    def _landed(self, task: asyncio.Task[None]) -> None:
        self.flying.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.failed.append(error)

    async def _deliver(self, message: Message, delay: float) -> None:
        if delay:
            await asyncio.sleep(delay)
        while self.house is None:  # noqa: ASYNC110 as a client does: it tries again
            await asyncio.sleep(0.05)
        task = asyncio.current_task()
        assert task is not None
        self.inside[task] = message
        try:
            answer = await self.house.command(message.actor, message.room, message.asked, message.key, message.seen)
        finally:
            del self.inside[task]
        self._heard(message, answer)

    def _heard(self, message: Message, answer: int | Problem) -> None:
        message.answers += 1
        if isinstance(answer, Problem) and answer.status == BUSY:
            self._post(message, 0.1 + self.chance.random())
            return
        code = answer.code if isinstance(answer, Problem) else "done"
        assert code != "broken" or "void_side_again" in self.report.known, message
        message.code = message.code or code
        if isinstance(answer, Problem):
            assert not message.version, (message, answer)
            return
        assert message.version in (0, answer), (message, answer)
        message.version = answer

    # --- at the end ---

    async def _finish(self) -> None:
        report = self.report
        for follower in tuple(self.away):
            self._come_or_go(follower)
        for follower in self.followers:
            follower.sees(self._live(follower.room))
        house = await (self._kill() if self.chance.random() < 0.5 else self._close())
        while self.flying:
            for task in self.flying:
                task.cancel()
            await asyncio.sleep(0)
        self._no_errors()
        assert self.store.trial() == 0
        assert list(faults(self.store)) == []
        done: Counter[tuple[str, str]] = Counter()
        for room in self.rooms:
            self._audit(house.lives[room].room, done)
        self._answered()
        report.commands, report.entries = len(self.messages), self.store.count
        report.absent = done["Absent", "clock"]
        report.done = done
        report.outcomes = Counter((name_of(one.asked), one.code or "never answered") for one in self.messages)
        report.frames = sum((follower.frames for follower in self.followers), Counter[str]())
        report.heads = tuple(f"{head.stream} {head.version} {head.hash}" for head in self.store.heads())

    def _audit(self, live: Room, done: Counter[tuple[str, str]]) -> None:
        """The log of a room from its beginning: replay equals live."""
        auditor, bots = Auditor(live.id), {f"bot {live.id} {box}" for box in range(10)}
        for entry in self.store.read(stream_of(live.id), 0, self.store.count):
            auditor.follow(entry)
            by = "bot" if entry.by in bots else entry.by if entry.by in ("dealer", "clock") else "people"
            done[name_of(did_in(entry)), by] += 1
        auditor.end()
        self._same(live, auditor.room)
        self.report.rounds += len(auditor.kept)
        table = live.state.table
        held = {name: left for name, left in self.store.balances(f"escrow/{live.id}/").items() if left}
        if held and auditor.lost:
            self._known(auditor.lost, held)
        elif table.round is None:
            assert not held, held
        shoe = table.shoe
        if table.mode == "automatic" and (shoe.left or shoe.discards):
            assert Counter((*shoe.stack, *shoe.discards, *table.on_layout)) == full_set(table)

    def _answered(self) -> None:
        """Every command that was acknowledged stands where it was said to, once; every other stands nowhere."""
        entries = {room: self.store.read(stream_of(room), 0, self.store.count) for room in self.rooms}
        found = {(room, one.by, one.key): one for room in self.rooms for one in entries[room] if one.version > 1}
        for message in self.messages:
            entry = found.get((message.room, message.actor.name, message.key))
            if not message.version:
                assert entry is None or message.cut_off, message
                continue
            assert entry is not None
            assert entry.version == message.version, (message, entry)
            command = signed(message.asked, message.actor)
            wanted = command if isinstance(command, r.RoomCommand) else for_table(command, message.actor)
            assert did_in(entry) == wanted, (did_in(entry), wanted)

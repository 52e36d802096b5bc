"""Fifty thousand hostile frames: each is answered, none causes an internal error, a refused one changes nothing.

The frames go through the socket's own entry point (`Client.take`) into a house in memory: tables in the middle of a
round,
one dealt by the program and one by a person under each document, and people in every role.
"""

from __future__ import annotations

import asyncio
import json
import logging
import typing
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any, get_args

import msgspec
import pytest

from pontoon.cards import PACK
from pontoon.engine import Limits, PlaceWager
from pontoon.rulebook import NAMES
from pontoon.server.house import House, Options
from pontoon.server.operation.logs import LOGGER, OneLine, event
from pontoon.server.people import accounts
from pontoon.server.people.people import LONGEST_NAME, ChipsGiven, clean_name
from pontoon.server.people.quotas import UNLIMITED
from pontoon.server.problems import Problem
from pontoon.server.records.replay import replay_faults
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.permits import Role
from pontoon.server.rooms.room import Room, stream_of
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.server.sockets import Client, Hub
from pontoon.store import MemoryStore
from pontoon.store.verify import faults
from pontoon.table import commands as c
from pontoon.table.program import Program
from tests.server.crash import Player
from tests.server.hall import key as seed
from tests.server.phases import KINDS
from tests.server.virtual_time import VirtualClock, run_virtually

FRAMES = 15_000
MANY = 50_000
PEOPLE: dict[str, Role] = {
    "Ann": "player",
    "Ben": "player",
    "Dan": "dealer",
    "Sue": "game_supervisor",
    "Max": "casino_supervisor",
    "Ivy": "inspector",
    "Tom": "tournament_director",
    "Ada": "administrator",
}
LONG = 600_000
QUIET = Clocks(card=0, wagers=LONG, decision=LONG, offer=LONG)
"""Instant cards; no clock expires during the test."""
HUGE = "@1e400@"
"""Replaced by a bare number in the text."""
HOSTILE: tuple[Any, ...] = (
    "\x1b[2J\x1b[31mred\x1b[0m", "\u202eevil\u2066", "<script>alert(1)</script>", "x" * 10_000, "x" * 501, "\0",
    "\ud800", "\r\nHTTP/1.1\r\n", "'; DROP TABLE entries; --", "../../etc/passwd", "%s%n{0}{player}", "Å" * 300, "",
    "dealer", "Ann", "??", "Zz", float("nan"), float("inf"), HUGE, 1e308, 0.5, -0.0, -1, 0, -1000, 2**31, 2**53,
    2**53 + 1, -(2**53), 2**63, 10**400, True, None, [], {}, [None], {"type": "Hit"}, ["2c"] * 400, [["x"] * 3] * 3,
)  # fmt: skip
NAMES_NOBODY_GETS = (
    "", " ", "\t\n", "\x1b[31mred", "\u202eAnn", "Ann\u200b", "\u2066Ann\u2069", "\ufeff", "<script>", "Ann<b>", "a/b",
    "x" * 33, "x" * 10_000, "\0", "\ud800", "Ann\x07", "dealer", "DEALER 2", "\uff24\uff45aler", "bank", "clock",
    "$(reboot)", "`id`", "a\\b", 'a"b', "a;b", "a%00b", "😀", "Ann\u3164", "\u3164", "Ann\ufe0f", "\u115f", "Ann\u034f",
    "Ann\u17b5", "\uffa0", "Ann\U000e0101", "Ann\u180b",
)  # fmt: skip


# --- a house full of people ----------------------------------------------------------------------------


class Lines(logging.Handler):
    """Every line the server would log."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(OneLine())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def lines() -> Iterator[list[str]]:
    handler = Lines()
    level = LOGGER.level
    LOGGER.addHandler(handler)
    LOGGER.setLevel(logging.DEBUG)
    yield handler.lines
    LOGGER.removeHandler(handler)
    LOGGER.setLevel(level)


@cache
def hints_of(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


class Crowd:
    """The house, its tables, and a socket for each person."""

    def __init__(self, number: int) -> None:
        self.chance = Random(number)
        self.store = MemoryStore()
        options = Options(inline=True, proving=True, quotas=UNLIMITED)
        clock = VirtualClock(asyncio.get_running_loop())  # a `SetPace` may shorten a clock: none runs out by itself
        self.house = House(self.store, options, clock, chance=seed)
        self.hub = Hub(self.house)
        self.clients: dict[str, Client] = {}
        self.tables: list[str] = []
        self.players: dict[tuple[str, str], Player] = {}
        self.latest: dict[tuple[str, str], str] = {}
        """The last step or snapshot of each table that was sent."""
        self.count: Counter[str] = Counter()
        self.sent = 0
        self.helper = Program(seed)

    async def come(self) -> None:
        await self.house.start()
        self.publishing = asyncio.create_task(self.hub.run())
        for name, role in PEOPLE.items():
            written = await self.house.write_people(
                lambda people, name=name, role=role: people.opened(name, role, "a hash")  # type: ignore[misc]
            )
            assert not isinstance(written, Problem), written
            known = await accounts.let_in(self.house, name)
            assert not isinstance(known, Problem), known
            self.clients[known.name] = Client(
                typing.cast("Any", SimpleNamespace(query_params={}, headers={}, client=None)), self.hub
            )
            await self.clients[known.name].sign_in(known.token)
        for name in ("Ann", "Ben"):
            await self.house.say_of("operator", ChipsGiven(name, 10**10))
        self.clients[""] = Client(
            typing.cast("Any", SimpleNamespace(query_params={}, headers={}, client=None)), self.hub
        )
        modes: tuple[typing.Literal["automatic", "floor"], ...] = ("automatic", "floor")
        for book in NAMES:
            for mode in modes:
                made = await self.house.make_table(
                    Actor("Ann"), Settings(book, mode=mode, maximum=0, clocks=QUIET), f"{book} {mode}"
                )
                assert isinstance(made, str), made
                self.tables.append(made)
        for name in ("Ann", "Ben", "Ivy"):
            for table in self.tables:
                await self.clients[name].take(json.dumps({"type": "watch", "table": table}))
        self.players = {
            (name, table): Player([], name, "", table, box, self.chance)
            for box, name in enumerate(("Ann", "Ben"), 1)
            for table in self.tables
        }
        self.drained("")

    def heads(self) -> set[object]:
        return {*self.store._tips.items(), *self.store._balances.items()}

    async def settled(self) -> None:
        """Let the program deal until someone must act."""
        lives = self.house.lives.values()
        while any((plan := live.plan) is not None and not plan.delay for live in lives):  # noqa: ASYNC110 there is no event to wait for
            await asyncio.sleep(0)

    def drained(self, sender: str) -> list[dict[str, Any]]:
        """The frames sent to the sender besides the tables; others must not receive a problem."""
        heard: list[dict[str, Any]] = []
        for name, client in self.clients.items():
            while not client.outbox.empty():
                content = client.made(client.outbox.get_nowait())
                if content.startswith(('{"type":"step"', '{"type":"snapshot"')):
                    self.latest[name, content[content.index('"table":"') + 9 :][:6]] = content
                elif name == sender:
                    heard.append(msgspec.json.decode(content))
                else:
                    assert not content.startswith('{"type":"problem"')
            assert not client.closed.is_set()
        return heard

    async def try_(self, sender: str, text: str | bytes) -> None:
        """Send one frame: never an internal error; a problem means that nothing has changed."""
        before = self.heads()
        await self.clients[sender].take(text)
        self.sent += 1
        after = self.heads()
        heard = self.drained(sender)
        problems = [frame for frame in heard if frame["type"] == "problem"]
        for no in problems:
            assert no["code"] != "broken", (sender, text)
            assert 400 <= no["status"] < 500, (no, sender, text)
            assert no["words"]
            assert not (changed := before ^ after), (changed, no, sender, text)
            self.count[no["code"]] += 1
        done = sum(frame["type"] == "done" for frame in heard)
        assert len(problems) + done <= 1, heard
        self.count["done"] += done
        assert before == after or done, (sender, text)
        await self.settled()
        if done:
            self.drained(sender)

    # --- what an honest client sends ---

    def honest(self) -> tuple[str, dict[str, Any]]:
        """A command that advances a table, or plausibly could."""
        table = self.chance.choice(self.tables)
        room = self.house.lives[table].room.state
        command: Any = None
        if room.table.mode == "floor" and self.chance.random() < 0.7:
            sender, command = "Dan", self.floor(table)
        elif room.paused:
            sender, command = self.chance.choice(
                (("Ann", {"type": "Resume"}), ("Ivy", {"type": "Reject", "number": room.ruled}))
            )
        else:
            sender = self.chance.choice(("Ann", "Ben"))
            player = self.players[sender, table]
            player._take(msgspec.json.decode(self.latest[sender, table]))
            command = player._choose()
        command = command or self.any_command(table)
        return sender, {"type": "do", "table": table, "key": f"k{self.sent}", "command": command}

    def floor(self, table: str) -> dict[str, Any]:
        """What the dealer of a floor table enters next."""
        now = self.house.lives[table].room.state.table
        command = self.helper.next_command(now)
        if isinstance(command, c.Shuffle):
            command = c.Shuffle()
        if isinstance(command, c.Deal):
            command = c.Deal(self.chance.choice(PACK))
        if command is None:
            return {"type": "PlaceWager", "box": 1, "player": "Ann", "stake": 1000}
        inner = command.command if isinstance(command, c.Play) else command
        found: dict[str, Any] = msgspec.to_builtins(inner)
        return found

    def any_command(self, table: str) -> dict[str, Any]:
        kind = self.chance.choice(KINDS)
        return self.command(kind, table)

    def command(self, kind: type, table: str) -> dict[str, Any]:
        """A command of this type with plausible values in every field."""
        hints = hints_of(kind)
        fields = {name: self.value(name, hints[name], table) for name in kind.__struct_fields__}  # type: ignore[attr-defined]
        if kind in (c.Exclude, c.Restrict):
            fields["player"] = "Zoe"  # Ann and Ben play on
        return {"type": kind.__name__, **fields}

    def value(self, name: str, hint: Any, table: str) -> Any:
        chance = self.chance
        now = self.house.lives[table].room.state.table
        some = {
            "box": chance.randint(1, 7),
            "on": chance.randint(1, 7),
            "number": chance.randint(0, 3),
            "depth": now.shoe.left // 2,
            "behind": now.shoe.left // 4,
            "limits": msgspec.to_builtins(Limits(500, 50_000)),
            "wager": msgspec.to_builtins(PlaceWager(1, "", 1000)) | {"type": "PlaceWager"},
            "order": [],
            "cards": list(now.on_layout) if chance.random() < 0.5 else list(now.shoe.stack[:2]),
            "players": ["Ann", "Ben"],
            "player": chance.choice(("", "Ann", "Ben", f"bot {table} 4")),
            "card": chance.choice(PACK),
            "by": chance.choice(("dealer", "operator", "inspector")),
            "bot": "chart",
        }
        if name in some:
            return some[name]
        if typing.get_origin(hint) is typing.Literal:
            return chance.choice(get_args(hint))
        return {bool: chance.random() < 0.5, int: 1000, str: "because"}.get(hint, 1000 if "int" in str(hint) else "x")


def text_of(frame: Any) -> str:
    return json.dumps(frame).replace(f'"{HUGE}"', "1e400")


class Spoiler:
    """Corrupts valid frames."""

    def __init__(self, crowd: Crowd) -> None:
        self.crowd, self.chance = crowd, crowd.chance

    def random_json(self, depth: int = 0) -> Any:
        chance = self.chance
        if depth > 3 or chance.random() < 0.4:
            return deepcopy(chance.choice(HOSTILE))
        if chance.random() < 0.5:
            return [self.random_json(depth + 1) for _ in range(chance.randint(0, 4))]
        names = ("type", "table", "key", "command", "version", "as", "token", "after", "at", "box", "player", "stake")
        return {chance.choice(names): self.random_json(depth + 1) for _ in range(chance.randint(0, 5))}

    def spoilt(self, frame: dict[str, Any]) -> str | bytes:
        """Break one or two things in a command."""
        chance = self.chance
        for _ in range(chance.randint(1, 2)):
            inside = chance.random() < 0.7 and isinstance(frame.get("command"), dict)
            place: dict[str, Any] = frame["command"] if inside else frame
            match chance.randrange(5):
                case 0 | 1 | 2 if place:
                    place[chance.choice(list(place))] = deepcopy(chance.choice(HOSTILE))
                case 3 if place:
                    del place[chance.choice(list(place))]
                case _:
                    name = chance.choice(("version", "as", "player", "by", "approver", "__class__"))
                    place[name] = deepcopy(chance.choice((*HOSTILE, "administrator", 1)))
        text = text_of(frame)
        return self.broken(text) if chance.random() < 0.15 else text

    def broken(self, text: str) -> str | bytes:
        """A corrupted text."""
        chance = self.chance
        match chance.randrange(5):
            case 0:
                return text[: chance.randint(0, len(text))]
            case 1:
                return text.replace("{", '{"key":"once",', 1)
            case 2:
                data = bytearray(text.encode())
                for _ in range(chance.randint(1, 4)):
                    data[chance.randrange(len(data))] = chance.randrange(256)
                return bytes(data)
            case 3:
                return "[" * chance.choice((5, 40, 5000)) + text
            case _:
                return text * 2

    def frame(self) -> tuple[str, str | bytes]:
        chance = self.chance
        sender, frame = self.crowd.honest()
        roll = chance.random()
        if roll < 0.10:
            return sender, json.dumps(frame)
        sender = chance.choice((sender, *self.crowd.clients)) if roll < 0.5 else sender
        if roll < 0.20:
            return sender, text_of(self.random_json())
        if roll < 0.25:
            return sender, chance.randbytes(chance.randint(0, 300))
        if roll < 0.35:
            other: list[dict[str, Any]] = [
                {"type": "watch", "table": frame["table"], "after": chance.choice((None, 0, 1, 5, -1, 2**53))},
                {"type": "ping", "at": 1},
                {"type": "hello", "token": "no such token"},
                {"type": "unwatch", "table": "nowhere"},
            ]
            return sender, self.spoilt(chance.choice(other))
        if roll < 0.55:
            frame["command"] = self.crowd.any_command(frame["table"])
        return (sender, self.spoilt(frame)) if roll < 0.85 else (sender, json.dumps(frame))


def every_field(crowd: Crowd) -> Iterator[tuple[str, str]]:
    """Each hostile value in each field of each type of command, from senders with and without permission."""
    senders = [name for name in crowd.clients if name]
    for kind in KINDS:
        for name in kind.__struct_fields__:
            for value in HOSTILE:
                table = crowd.chance.choice(crowd.tables)
                command = crowd.command(kind, table) | {name: value}
                frame = {"type": "do", "table": table, "key": f"k{crowd.sent}", "command": command}
                yield crowd.chance.choice(senders), text_of(frame)


async def storm(number: int, frames: int) -> Crowd:
    crowd = Crowd(number)
    await crowd.come()
    for _ in range(400):  # into the middle of things
        sender, frame = crowd.honest()
        await crowd.try_(sender, json.dumps(frame))
    assert crowd.count["done"] > 100
    for sender, text in every_field(crowd):
        await crowd.try_(sender, text)
        if crowd.chance.random() < 0.1:
            other, frame = crowd.honest()
            await crowd.try_(other, json.dumps(frame))
    spoiler = Spoiler(crowd)
    while crowd.sent < frames:
        await crowd.try_(*spoiler.frame())
    for table in crowd.tables:
        folded = Room(table)
        for entry in crowd.store.read(stream_of(table), 0, 10**6):
            folded.apply(entry)
        assert folded.state == crowd.house.lives[table].room.state
    crowd.publishing.cancel()
    await crowd.house.close()
    return crowd


@pytest.mark.parametrize("frames", [FRAMES, pytest.param(MANY, marks=pytest.mark.slow)])
def test_thousands_of_frames(lines, frames):
    crowd = run_virtually(storm(1, frames))
    assert crowd.sent >= frames
    assert crowd.count["malformed"] > frames / 5
    assert crowd.count["done"] > frames / 50
    assert len(crowd.count) > 30
    assert list(faults(crowd.store)) == []
    assert list(replay_faults(crowd.store)) == []
    assert sum(crowd.store.balances().values()) == 0
    for line in lines:
        assert "\n" not in line
        assert line.isascii()
        assert "trace" not in json.loads(line), line


@pytest.mark.parametrize("name", NAMES_NOBODY_GETS, ids=lambda name: ascii(name)[:24])
def test_hostile_names(name):
    async def come() -> None:
        house = House(MemoryStore(), Options(inline=True, proving=True))
        await house.start()
        no = await accounts.guest(house, name)
        assert isinstance(no, Problem), no
        assert no.status in (400, 409)
        assert house.people.version == 0
        await house.close()

    asyncio.run(come())


def test_names_of_many_peoples_are_names():
    for name in ("Ann", "Zoë O'Neil", "Renée-Claude", "Đặng Thị", "李小龍", "علي", "נועה", "Ольга", "J. R. 2"):
        assert clean_name(name) == name
        assert len(name) <= LONGEST_NAME


def test_a_log_line_is_one_line_whatever_is_in_it(lines):
    for value in HOSTILE:
        event("try", value=value, **{"a\nb": value})
    assert len(lines) == len(HOSTILE)
    for line in lines:
        assert "\n" not in line
        assert "\x1b" not in line
        assert line.isascii()

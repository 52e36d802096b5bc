"""What the server sends does not depend on undealt cards and never shows the seed of a shoe in play.

Two houses play the same evening: the same people, the same intentions, the same cards from the shoe. What stays in the
shoe, and what is burned face down, is in a different order in the second. Every frame to every viewer must be the same.

Both use the first house's commitment: a root binds the undealt cards by design, so an honest one differs where they do;
that it reveals nothing about them is ensured by its salts (tests/table/test_commitment.py).
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from itertools import count
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from httpx import ASGITransport, AsyncClient
from msgspec.structs import replace

from pontoon.cards import PACK, Card
from pontoon.rulebook import NAMES, load
from pontoon.server import house
from pontoon.server.app import AppOptions, make_app
from pontoon.server.house import House, Options
from pontoon.server.people import accounts
from pontoon.server.people.quotas import UNLIMITED
from pontoon.server.problems import Problem
from pontoon.server.rooms import frames, room
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.live import Make
from pontoon.server.rooms.log import SeedKept, read_body
from pontoon.server.rooms.permits import Role
from pontoon.server.rooms.room import stream_of
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.server.sockets import Client
from pontoon.store import MemoryStore
from pontoon.table import Table
from pontoon.table import commands as c
from pontoon.table.events import (
    CardLeftShoe,
    CardsBurned,
    CardsCut,
    CardsShuffled,
    DeviceLoaded,
    DiscardsReturned,
    DiscardsShuffled,
    ShoeRevealed,
    TableEvent,
)
from pontoon.table.program import Program
from pontoon.view.table import table_view
from pontoon.view.table_parts import TableView
from pontoon.view.viewer import Viewer
from tests.server.crash import Player
from tests.server.hall import key as seed

LONG = 600_000
PEOPLE: dict[str, Role] = {"Ann": "player", "Ben": "player", "Cal": "player", "Ivy": "inspector", "Sue": "dealer"}
PLAYERS = ("Ann", "Ben")
ROUNDS = 24
"""With the fewest packs, a shoe ends before this and the next one has begun."""
FACE = re.compile(r"(?<![\w.(])[A2-9JQK][cdhs](?![\w)])")
TABLES: list[tuple[str, dict[str, Any]]] = [(book, {}) for book in NAMES]
TABLES += [("adelaide", {"face_down": True}), ("adelaide", {"device": "continuous"})]


class Still:
    """A stopped clock."""

    def wall(self) -> int:
        return 1_750_000_000_000

    def steady(self) -> float:
        return 0.0


class Ear(Client):
    """A socket without a network."""

    def __init__(self, evening: Evening, name: str) -> None:
        super().__init__(cast("Any", SimpleNamespace(query_params={}, headers={}, client=None)), evening.app.state.hub)
        self.evening, self.name = evening, name

    def send(self, content: str) -> None:
        self.evening.note(self.name, content)

    def show(self, make: Make) -> None:
        self.send(make(self.viewer))


class Left:
    """A card that left the shoe since the shuffle, and whether it was seen."""

    def __init__(self, order: tuple[Card, ...]) -> None:
        self.order = order
        self.depth = 0
        self.out: list[bool] = []


class Evening:
    """One server with one table, five people and a spectator."""

    def __init__(self, book: str, more: dict[str, Any], number: int) -> None:
        self.book, self.more = book, more
        self.chance = Random(number)
        self.store = MemoryStore()
        shuffles = count(1)
        options = Options(inline=True, proving=True, quotas=UNLIMITED)
        self.house = House(self.store, options, Still(), lambda _: seed(next(shuffles)))
        self.app = make_app(self.house, AppOptions(limited=False))
        self.clients: dict[str, Client] = {}
        self.tokens: dict[str, str] = {"": ""}
        self.heard: list[tuple[str, str]] = []
        """Every frame and its recipient."""
        self.snapshots: list[bytes] = []
        self.shows: list[tuple[str, Table, str]] = []
        """A frame sent to anyone, with the table and the seed that was secret at the time."""
        self.table = ""
        self.done: Counter[str] = Counter()

    # --- who is there ---

    async def begin(self) -> None:
        await self.house.start()
        self.edge = asyncio.create_task(self.app.state.hub.run())
        for name, role in PEOPLE.items():
            await self.house.write_people(
                lambda people, name=name, role=role: people.opened(name, role, "a hash")  # type: ignore[misc]
            )
            known = await accounts.let_in(self.house, name)
            assert not isinstance(known, Problem)
            self.tokens[name] = known.token
        settings = Settings(
            self.book,
            packs=min(load(self.book).decks.allowed),
            clocks=Clocks(card=0, wagers=LONG, decision=LONG, offer=LONG),
            **self.more,
        )
        made = await self.house.make_table(Actor("Ann"), settings, "one")
        assert isinstance(made, str), made
        self.table = made
        for name in ("", *PEOPLE):
            self.clients[name] = Ear(self, name)
            if name:
                await self.send(name, {"type": "hello", "token": self.tokens[name]})
            await self.send(name, {"type": "watch", "table": self.table})

    async def send(self, name: str, message: dict[str, Any]) -> list[dict[str, Any]]:
        place = len(self.heard)
        await self.clients[name].take(msgspec.json.encode(message))
        live = self.house.lives.get(self.table)
        while live is not None and (plan := live.plan) is not None and not plan.delay:  # noqa: ASYNC110 there is no event to wait for
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        mine = [content for to, content in self.heard[place:] if to == name]
        return [msgspec.json.decode(content) for content in mine]

    def note(self, name: str, content: str) -> None:
        """Record a sent frame with the table it was made from."""
        self.heard.append((name, content))
        live = self.house.lives.get(self.table)
        if live is not None:
            kept = live.room.seed if live.room.keeper.record is not None else None
            self.shows.append((content, live.room.state.table, kept.seed if kept is not None else ""))

    # --- what happens ---

    async def play(self) -> None:
        """People play by the frames they receive; occasionally someone sends an impossible command."""
        await self.begin()
        players = {name: Player([], name, "", self.table, box, self.chance) for box, name in enumerate(PLAYERS, 2)}
        asked = 0
        for _ in range(4000):
            live = self.house.lives[self.table]
            table = live.room.state.table
            if table.number > ROUNDS and (table.shoe_number >= 2 or not table.by_hand):
                break
            for name, player in players.items():
                for frame in self.frames_for(name, player):
                    player._take(frame)
                command = player._choose() if player.frame is not None else None
                wrong = self.chance.random() < 0.1
                if command is None and not wrong:
                    continue
                sent = cast("dict[str, Any]", {"type": "Hit", "box": 5}) if wrong or command is None else command
                asked += 1
                message = {"type": "do", "table": self.table, "key": f"k{asked}", "command": sent}
                for frame in await self.send(name, message):
                    self.done[frame["type"]] += 1
            if self.chance.random() < 0.05:
                await self.look()
        await self.look()
        self.edge.cancel()
        await self.house.close()

    def frames_for(self, name: str, player: Player) -> Iterator[dict[str, Any]]:
        """Frames this player has not read yet."""
        for to, content in self.heard[player.gaps :]:
            if to == name and content.startswith(('{"type":"step"', '{"type":"snapshot"')):
                yield msgspec.json.decode(content)
        player.gaps = len(self.heard)  # this player counts no gaps: it is the place read up to

    async def look(self) -> None:
        """Everyone views the table over REST, and a client reconnects."""
        async with AsyncClient(transport=ASGITransport(self.app), base_url="http://house") as web:
            for name in ("", "Ann", "Ivy"):
                headers = {"Authorization": f"Bearer {self.tokens[name]}"} if name else {}
                answer = await web.get(f"/api/tables/{self.table}", headers=headers)
                assert answer.status_code == 200
                self.snapshots.append(answer.content)
        version = self.house.lives[self.table].room.version
        after = self.chance.choice((None, version, max(version - 5, 0)))
        await self.send("Cal", {"type": "watch", "table": self.table, "after": after})

    # --- what was dealt ---

    def events(self) -> list[TableEvent | SeedKept]:
        entries = self.store.read(stream_of(self.table), 0, 10**6)
        found = [event for entry in entries for event in read_body(entry.body).events]
        return [event for event in found if isinstance(event, TableEvent | SeedKept)]

    def dealt(self) -> dict[int, list[str]]:
        """The cards that left the shoe, by version."""
        return {
            entry.version: [
                str(event.card) for event in read_body(entry.body).events if isinstance(event, CardLeftShoe)
            ]
            for entry in self.store.read(stream_of(self.table), 0, 10**6)
        }

    def shoes(self) -> list[Left]:
        """Each shuffle and the resulting order."""
        found: list[Left] = []
        for event in self.events():
            match event:
                case CardsShuffled() | DiscardsShuffled() | DeviceLoaded() | DiscardsReturned():
                    found.append(Left(event.order))
                case CardsCut(depth=depth) if not found[-1].out:
                    found[-1].depth = depth
                case CardsBurned(count=count):
                    found[-1].out += [False] * count
                case CardLeftShoe():
                    found[-1].out.append(True)
                case _:
                    pass
        return found


class TwinProgram(Program):
    """The dealer of the second house, where unseen cards are in a different order."""

    shoes: list[Left]
    chance_of_twin: Random
    made: dict[tuple[Card, ...], tuple[Card, ...]]
    differ: int

    def next_command(self, table: Table) -> c.TableCommand | None:
        command = super().next_command(table)
        if isinstance(command, c.Shuffle | c.ShuffleDiscards | c.ReturnDiscards) and command.order:
            return replace(command, order=self.other(command.order, aside=not table.by_hand))
        return command

    def other(self, order: tuple[Card, ...], *, aside: bool) -> tuple[Card, ...]:
        """The same cards where they will be seen; the same order every time.

        Cards burned from a device stay aside while others go back into it (`aside`): they are mixed among themselves.
        """
        kind = type(self)
        if order not in kind.made:
            first = next((shoe for shoe in kind.shoes if Counter(shoe.order) == Counter(order)), None)
            if first is None:  # the first house never reached this shuffle
                return order
            kind.shoes.remove(first)
            size = len(first.order)
            fixed = {(first.depth + place) % size for place, seen in enumerate(first.out) if seen}
            burned = {(first.depth + place) % size for place, seen in enumerate(first.out) if not seen and aside}
            cards = list(first.order)
            for places in ({*range(size)} - fixed - burned, burned):
                mixed = kind.chance_of_twin.sample(sorted(places), len(places))
                for place, source in zip(sorted(places), mixed, strict=True):
                    cards[place] = first.order[source]
            kind.differ += tuple(cards) != first.order
            kind.made[order] = tuple(cards)
        return kind.made[order]


def evening(book: str, more: dict[str, Any], number: int = 1) -> Evening:
    one = Evening(book, more, number)
    asyncio.run(one.play())
    return one


def twin(monkeypatch: pytest.MonkeyPatch, first: Evening, number: int = 1) -> tuple[Evening, int]:
    """The same evening with different undealt cards in the shoe."""
    kind = type("Twin", (TwinProgram,), {"shoes": first.shoes(), "chance_of_twin": Random(7), "made": {}, "differ": 0})
    with monkeypatch.context() as patch:
        patch.setattr(room, "Program", kind)
        second = evening(first.book, first.more, number)
    return second, cast("Any", kind).differ


@pytest.fixture(autouse=True)
def _same_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "new_id", lambda _: "thetable")


@pytest.mark.parametrize(("book", "more"), TABLES, ids=str)
def test_two_houses_whose_undealt_cards_differ_send_equal_bytes(monkeypatch, book, more):
    first = evening(book, more)
    second, differ = twin(monkeypatch, first)
    assert differ >= 2
    stacks = [tuple(hall.shoes()[0].order) for hall in (first, second)]
    assert stacks[0] != stacks[1]
    for name in ("", *PEOPLE):
        ours = [content for to, content in first.heard if to == name]
        theirs = [content for to, content in second.heard if to == name]
        for one, other in zip(ours, theirs, strict=False):
            assert one == other
        assert len(ours) == len(theirs)
    assert first.snapshots == second.snapshots
    kinds = Counter(content[9 : content.index('"', 9)] for _, content in first.heard)
    assert {"step", "snapshot", "welcome", "done", "problem", "wallet"} <= kinds.keys()
    size = sum(len(content) for _, content in first.heard)
    print(book, more, dict(kinds), f"{size} bytes equal, {len(first.snapshots)} by REST, {differ} shuffles differ")  # noqa: T201
    check_shows(first)
    for name, content in first.heard:
        assert not name or "token" not in content


# --- looking into every frame --------------------------------------------------------------------------


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)


def check_shows(one: Evening) -> None:
    """No seed of a shoe in play, and no card but those dealt in the round."""
    seeds = {event.seed for event in one.events() if isinstance(event, SeedKept)}
    revealed = [event for event in one.events() if isinstance(event, ShoeRevealed)]
    if not one.more.get("device"):
        assert len(seeds) >= 2, "the session is too short to see a shoe revealed"
        assert revealed
    dealt = one.dealt()
    layout: dict[int, Counter[str]] = {}
    looked: set[str] = set()
    for content, table, secret in one.shows:
        assert not secret or secret not in content
        if content in looked or not content.startswith(('{"type":"step"', '{"type":"snapshot"')):
            continue  # repeated frames were already checked
        looked.add(content)
        frame = msgspec.json.decode(content)
        choices = (frame["view"].get("round") or {}).get("choices", ())
        refused = (no.get("facts", {}) for row in choices for no in row.get("refused", ()))
        again = Counter(text for facts in refused for text in texts(facts))  # about a card on the layout
        cards = Counter(text for text in texts(frame["view"]) if text in PACK) - again
        public = Counter(str(card) for card in table.of_round)
        assert cards == public if not table.face_down else cards <= public
        versions = range(frame.get("first", frame["version"] + 1), frame["version"] + 1)
        new = Counter(card for version in versions for card in dealt[version])
        assert Counter(proof["card"] for proof in frame.get("proofs", ())) <= new
        faces = {face for text in texts(frame.get("events", [])) for face in FACE.findall(text)}
        before = layout.get(versions.start - 1, Counter())
        assert faces <= (new | before | public).keys()
        layout[frame["version"]] = public
    assert len(looked) > 100


def test_face_down_cards_are_sent_to_their_bettor_only():
    """Also in a step that ends after the cards are collected, when none are face down any more."""
    one = evening("adelaide", {"face_down": True})
    told: dict[str, list[str]] = {}
    for name, content in one.heard:
        frame = msgspec.json.decode(content)
        events = frame.get("events", ())
        told.setdefault(name, []).extend(
            event["words"]
            for event in events
            if event["type"] == "CardDealt" and event["facts"]["box"] == 2 and event["facts"]["hand"] == 1
        )
    assert not any("??" in words for words in told["Ann"])
    assert sum("??" in words for words in told["Ben"]) > ROUNDS
    assert told["Ben"] == told[""] == told["Ivy"]


def test_the_test_notices_a_leak(monkeypatch):
    """The next card in a field that seems harmless."""
    show = table_view

    def leaky(table: Table, viewer: Viewer) -> TableView:
        top = table.shoe.stack[-1:]
        return replace(show(table, viewer), due=str(top[0]) if top else "")

    monkeypatch.setattr(frames, "table_view", leaky)
    first = evening("star", {})
    second, differ = twin(monkeypatch, first)
    assert differ
    assert sorted(first.heard) != sorted(second.heard)

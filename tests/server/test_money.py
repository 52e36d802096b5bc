"""Chips cannot be spent twice, and a command sent a hundred times is applied once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from pontoon.engine.commands import PlaceWager, TakeBack
from pontoon.ledger import wallet
from pontoon.server.house import House, Options
from pontoon.server.people.people import FIRST_CHIPS
from pontoon.server.people.quotas import UNLIMITED
from pontoon.server.problems import Problem
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import Asked
from pontoon.server.rooms.room import stream_of
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.store import MemoryStore, SqliteStore, Store
from pontoon.store.verify import faults
from tests.server.virtual_time import VirtualClock, run_virtually

Ask = Callable[[Actor, str, Asked, str, int | None], Awaitable[int | Problem]]
"""`House.command` of some process."""
BETS, ROUNDS = 64, 100
ANN = Actor("Ann")
SETTINGS = Settings("star", maximum=0, clocks=Clocks(0, wagers=600_000))
"""A table at which a wager can be taken back for as long as a test runs."""


async def open_house(house: House, tables: int) -> list[str]:
    """A house with one player and some tables."""
    opened = await house.write_people(lambda people: people.opened(ANN.name, guest=True))
    assert not isinstance(opened, Problem)
    rooms = [await house.make_table(ANN, SETTINGS, f"table {number}") for number in range(tables)]
    return [room for room in rooms if isinstance(room, str)]


async def all_in(asks: Sequence[Ask], rooms: Sequence[str], wallet_of: Callable[[], int], rounds: int) -> Counter[str]:
    """Bet everything at every table at once, repeatedly: exactly one wager is accepted each time."""
    outcomes: Counter[str] = Counter()
    whole = wallet_of()
    for number in range(rounds):
        bets = (
            asks[(place + number) % len(asks)](ANN, room, PlaceWager(1, ANN.name, whole), f"bet {number} {place}", None)
            for place, room in enumerate(rooms)
        )
        answers = await asyncio.gather(*bets)
        accepted = [room for room, answer in zip(rooms, answers, strict=True) if isinstance(answer, int)]
        outcomes.update("done" if isinstance(answer, int) else answer.code for answer in answers)
        assert len(accepted) == 1, (number, accepted)
        assert wallet_of() == 0
        back = await asks[number % len(asks)](ANN, accepted[0], TakeBack(1, ANN.name), f"back {number}", None)
        assert isinstance(back, int), back
        assert wallet_of() == whole
    return outcomes


def store_at(kind: str, folder: Path) -> MemoryStore | SqliteStore:
    return MemoryStore() if kind == "memory" else SqliteStore(folder / "pontoon.db")


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_of_64_parallel_all_in_bets_one_is_accepted(kind, tmp_path):
    async def play(store: Store) -> Counter[str]:
        house = House(store, Options(inline=kind == "memory", quotas=UNLIMITED))
        await house.start()
        rooms = await open_house(house, BETS)
        outcomes = await all_in([house.command], rooms, lambda: store.balance(wallet(ANN.name)), ROUNDS)
        await house.close()
        return outcomes

    store = store_at(kind, tmp_path)
    try:
        assert asyncio.run(play(store)) == {"done": ROUNDS, "not_enough_chips": ROUNDS * (BETS - 1)}
        assert list(faults(store)) == []
        assert sum(store.balances().values()) == 0
        assert not any(store.balances("escrow/").values())
    finally:
        store.close()


def test_64_parallel_bets_at_one_table_spend_the_chips_once():
    async def play(store: Store) -> None:
        house = House(store, Options(inline=True, proving=True), VirtualClock(asyncio.get_running_loop()))
        await house.start()
        (room,) = await open_house(house, 1)
        bets = [PlaceWager(1 + number % 7, ANN.name, FIRST_CHIPS) for number in range(BETS)]
        answers = await asyncio.gather(
            *(house.command(ANN, room, bet, f"{number}", None) for number, bet in enumerate(bets))
        )
        codes = Counter(answer.code if isinstance(answer, Problem) else "done" for answer in answers)
        assert codes == {"done": 1, "not_enough_chips": 54, "one_wager_per_box": 9}
        assert store.balance(wallet(ANN.name)) == 0
        await house.close()

    run_virtually(play(MemoryStore()))


@pytest.mark.parametrize("copies", [5, pytest.param(50, marks=pytest.mark.slow)])
def test_ten_and_a_hundred_thousand_duplicates_have_one_effect_each(copies: int):
    """1,000 commands, each sent several times at once and again after a restart."""
    commands = 1000

    async def send(house: House, room: str, number: int) -> int:
        """Alternate a wager and its withdrawal; all copies of a command get the same version."""
        asked: Asked = TakeBack(1, ANN.name) if number % 2 else PlaceWager(1, ANN.name, 1000)
        answers = await asyncio.gather(
            *(house.command(ANN, room, asked, f"command {number}", None) for _ in range(copies))
        )
        (version,) = set(answers)
        assert isinstance(version, int), version
        return version

    async def play(store: Store) -> None:
        clock = VirtualClock(asyncio.get_running_loop())
        house = House(store, Options(inline=True, proving=True), clock)
        await house.start()
        (room,) = await open_house(house, 1)
        versions = [await send(house, room, number) for number in range(commands)]
        await house.close()
        before = store.head(stream_of(room))
        house = House(store, Options(inline=True, proving=True), clock)
        await house.start()
        assert [await send(house, room, number) for number in range(commands)] == versions
        assert store.head(stream_of(room)) == before
        assert store.balance(wallet(ANN.name)) == FIRST_CHIPS
        await house.close()
        keys = Counter(entry.key for entry in store.read(stream_of(room), 0, 10 * commands) if entry.key)
        assert len(keys) == commands + 1  # and the key the table was made with
        assert set(keys.values()) == {1}

    store = MemoryStore()
    run_virtually(play(store))
    assert list(faults(store)) == []

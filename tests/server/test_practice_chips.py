"""Lesson and practice tables use practice chips: a wallet is never touched, and practice chips are refilled freely."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from pontoon.engine.commands import PlaceWager
from pontoon.rulebook import load
from pontoon.server.people.people import FIRST_CHIPS, LEAST_CHIPS
from pontoon.server.people.practice_chips import arrived, refill
from pontoon.server.records.replay import replay_faults
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.room import make_draft, stream_of
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.store.model import Append, Draft
from pontoon.table.commands import Sit
from tests.server.api.visitors import AT_ONCE, Server, Visitor, running

PATIENT = AT_ONCE | {"decision": 600_000, "offer": 600_000}


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    async with running() as one:
        yield one


async def chips(visitor: Visitor) -> tuple[int, int, int]:
    me = await visitor.get("/api/me")
    return me["wallet"], me.get("practice", 0), me.get("given", 0)


async def bet(visitor: Visitor, table: str, stake: int) -> int:
    return (await visitor.do(table, "PlaceWager", box=1, player="", stake=stake)).status_code


@pytest.mark.asyncio
async def test_a_lost_hand_takes_practice_chips_and_leaves_the_wallet(server: Server):
    ann = await server.guest("Ann")
    assert await chips(ann) == (FIRST_CHIPS, 0, 0)
    table = await ann.make_table("canberra", practice=True, first_cards="Ks 6d 9h 5c 7h", clocks=PATIENT)
    assert await bet(ann, table, 2500) == 200
    assert await chips(ann) == (FIRST_CHIPS, FIRST_CHIPS - 2500, FIRST_CHIPS)
    assert (await ann.do(table, "Hit", box=1)).status_code == 200  # 19 and 5: bust
    assert await chips(ann) == (FIRST_CHIPS, FIRST_CHIPS - 2500, FIRST_CHIPS)
    assert list(replay_faults(server.house.store)) == []
    assert sum(server.house.store.balances().values()) == 0


@pytest.mark.asyncio
async def test_a_bonus_at_a_lesson_table_is_not_paid_into_the_wallet(server: Server):
    ann = await server.guest("Ann")
    table = await ann.make_table("canberra", practice=True, first_cards="7s 7d 7s 7s", clocks=PATIENT)
    assert await bet(ann, table, 2500) == 200
    assert (await ann.do(table, "Hit", box=1)).status_code == 200  # three sevens of a suit against a seven
    wallet, practice, given = await chips(ann)
    assert wallet == FIRST_CHIPS
    assert practice > given + 400_000


@pytest.mark.asyncio
async def test_practice_chips_are_refilled_when_a_bet_needs_them_and_on_request(server: Server):
    ann = await server.guest("Ann")
    table = await ann.make_table("canberra", practice=True, maximum=0, first_cards="Ks 6d 9h 5c 7h", clocks=PATIENT)
    assert await bet(ann, table, 90_000) == 200
    assert (await ann.do(table, "Hit", box=1)).status_code == 200
    assert (await chips(ann))[1] == 10_000
    assert (await ann.ask("POST", "/api/me/chips?practice=true")).json()["practice"] == FIRST_CHIPS
    assert await chips(ann) == (FIRST_CHIPS, FIRST_CHIPS, FIRST_CHIPS + 90_000)
    assert await bet(ann, table, FIRST_CHIPS + 1000) == 409
    assert await chips(ann) == (FIRST_CHIPS, FIRST_CHIPS, FIRST_CHIPS + 90_000)


@pytest.mark.asyncio
async def test_a_double_that_the_practice_chips_do_not_cover_refills_them(server: Server):
    ann = await server.guest("Ann")
    table = await ann.make_table("canberra", practice=True, maximum=0, first_cards="6s 6d 5h 9c 7h", clocks=PATIENT)
    assert await bet(ann, table, 60_000) == 200
    assert (await ann.do(table, "Double", box=1, player="", amount=60_000)).status_code == 200
    wallet, _, given = await chips(ann)
    assert (wallet, given) == (FIRST_CHIPS, FIRST_CHIPS + 60_000)


@pytest.mark.asyncio
async def test_other_tables_are_played_for_the_wallet(server: Server):
    ann = await server.guest("Ann")
    table = await ann.make_table("canberra", own_chips=True, clocks=PATIENT)  # not for the maker to choose
    assert await bet(ann, table, 2500) == 200
    wallet, practice, given = await chips(ann)
    assert wallet < FIRST_CHIPS
    assert (practice, given) == (0, 0)
    shown = await ann.get(f"/api/tables/{table}")
    assert not shown["room"].get("own_chips", False)


@pytest.mark.asyncio
async def test_a_practice_table_of_version_0_1_0_loads_and_takes_no_more_bets(server: Server):
    ann, house = await server.guest("Ann"), server.house
    settings = Settings("canberra", practice=True, clocks=Clocks(0, 600_000, 0, 0))
    first = make_draft(settings, "oldone", "Ann", "player", "", load("canberra"))
    assert isinstance(first, Draft)
    await house.writer.append(Append(stream_of("oldone"), 0, house.clock.wall(), (first,)))
    await ann.ready("oldone")
    assert isinstance(await house.command(Actor("Ann"), "oldone", Sit("Ann", 1), "sit", None), int)
    assert isinstance(await house.command(Actor("Ann"), "oldone", PlaceWager(1, "Ann", 1000), "before", None), int)
    assert (await chips(ann))[0] == FIRST_CHIPS - 1000  # as it was recorded then
    assert (await ann.do("oldone", "PlaceWager", box=2, player="", stake=1000)).json()["code"] == "old_practice_table"
    assert list(replay_faults(house.store)) == []


@pytest.mark.asyncio
async def test_people_get_practice_chips_when_they_come_to_a_practice_table(server: Server):
    ann, house = await server.guest("Ann"), server.house
    real, practice = await ann.make_table("canberra"), await ann.make_table("canberra", practice=True)
    await arrived(house, "Ann", real)
    assert await chips(ann) == (FIRST_CHIPS, 0, 0)
    await arrived(house, "Ann", practice)
    assert await chips(ann) == (FIRST_CHIPS, FIRST_CHIPS, FIRST_CHIPS)
    assert not await refill(house, "Ann", LEAST_CHIPS)
    assert not await refill(house, "nobody")

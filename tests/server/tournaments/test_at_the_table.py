"""Rule 20 at a table: refusals, absent players and the clock, breaks."""

from __future__ import annotations

import asyncio

import pytest

from pontoon.engine import Double, PlaceSideWager, PlaceWager, TakeBack
from pontoon.server.problems import Problem
from pontoon.server.rooms import commands as r
from pontoon.server.rooms.frames import room_view
from pontoon.server.rooms.settings import HeatSettings, Settings
from pontoon.table import commands as t
from pontoon.tournament import commands as c
from tests.server.tournaments.cup import DORA, RUTH, SIX, Cup, conditions, played

STRANGER = "Zoe"
ONE_TABLE = {"at_table": 6}


async def at_first_round(**changed: object) -> Cup:
    """Everyone sits at one table, and the first wagers are open."""
    cup = await Cup().opened(*SIX, STRANGER)
    await (await (await cup.made(conditions(**(ONE_TABLE | changed)))).balloted(*SIX)).started()
    await cup.opens(1)
    return cup


def in_turn(cup: Cup) -> list[tuple[int, str]]:
    """Box and player, from the starting marker on."""
    places = dict(cup.heat().places)
    view = room_view(cup.room()).heat
    assert view is not None
    return [(box, places[box]) for box in view.order]


async def refused(cup: Cup, who: str, command: object, code: str, *clauses: str) -> None:
    before = cup.room()
    no = await cup.ask_table(who, command)
    assert isinstance(no, Problem), no
    assert no.code == code, no
    assert set(clauses) <= set(no.clauses)
    assert cup.room() == before


def test_the_order_the_places_and_the_chips_20_7_20_13_20_14():
    async def work() -> None:
        cup = await at_first_round()
        (box, first), (second_box, second), *_ = in_turn(cup)
        assert box == cup.state.tables[0].marker
        await refused(cup, second, PlaceWager(second_box, "", 1000), "wager_out_of_turn", 'A "Starting Marker"')
        await refused(cup, first, PlaceWager(second_box, "", 1000), "not_the_assigned_box", "20.7")
        await refused(cup, first, PlaceWager(box, "", 10_100), "not_enough_chips", "20.13")
        await refused(cup, first, PlaceWager(box, "", 900), "wager_below_minimum", "20.14")
        await refused(cup, first, PlaceWager(box, "", 20_100), "not_enough_chips", "20.13")
        await refused(cup, STRANGER, t.Sit("", 7), "not_the_assigned_box", "20.7")
        await refused(cup, STRANGER, PlaceWager(box, "", 1000), "not_the_assigned_box", "20.7")
        assert isinstance(await cup.ask_table(first, PlaceWager(box, "", 2000)), int)
        await refused(cup, first, TakeBack(box, ""), "wager_stays", "20.14")
        assert dict(cup.heat().chips)[first] == cup.store.balance(f"chips/{cup.id}/{first}") == 8000
        assert cup.store.balance(f"chips_on/{cup.id}/{box}/{first}") == 2000
        assert cup.wallet(first) == 100_000 - 3333  # money is not in play
        assert in_turn(cup)[0] == (second_box, second)

    played(work)


def test_20_13_nobody_doubles_with_chips_they_do_not_have():
    async def work() -> None:
        cup = await at_first_round()
        cup.bet = lambda chips: chips
        await cup.run(lambda: cup.room().moment.kind == "decision")
        player, box = cup.room().moment.players[0], cup.room().table.round.turn[0]  # type: ignore[union-attr]
        assert dict(cup.heat().chips)[player] == 0
        await refused(cup, player, Double(box), "not_enough_chips", "20.13")

    played(work)


def test_where_side_wagers_are_offered_there_is_time_for_them_when_all_have_wagered():
    async def work() -> None:
        cup = await Cup().opened(*SIX)
        await cup.made(conditions(**ONE_TABLE).replace("packs = 4", "packs = 4\nside_wagers = true"))
        await (await cup.balloted(*SIX)).started()
        await cup.opens(1)
        places = in_turn(cup)
        for box, player in places:
            assert isinstance(await cup.ask_table(player, PlaceWager(box, "", 1000)), int)
        assert cup.room().table.phase == "ready"
        box, player = places[0]
        await refused(cup, player, PlaceSideWager(places[1][0], "", "pairs_play", 500), "not_the_assigned_box", "20.7")
        assert isinstance(await cup.ask_table(player, PlaceSideWager(box, "", "pairs_play", 500)), int)
        assert dict(cup.heat().chips)[player] == 8500
        began = cup.clock.steady()
        for _, name in places:
            assert isinstance(await cup.ask_table(name, r.Pass()), int)
        await cup.until(lambda: cup.room().table.phase != "ready", 5)
        assert cup.clock.steady() - began < 1

    played(work)


@pytest.mark.parametrize(
    ("who", "command"),
    [
        ("Ann", r.SeatBot(7)),
        ("Ann", t.Leave("")),
        ("Ann", t.Close()),
        ("Ann", r.OpenRound(1, ((1, "Ann"),), 1, (("Ann", 10**9),))),
        ("Ann", r.EndHeat()),
        ("Ann", r.MissWager("Ben")),
    ],
    ids=lambda param: type(param).__name__ if not isinstance(param, str) else param,
)
def test_nobody_but_the_steward_runs_the_table(who: str, command: object):
    async def work() -> None:
        cup = await at_first_round()
        before = cup.room()
        no = await cup.ask_table(who, command)
        assert isinstance(no, Problem)
        assert no.code in ("run_by_steward", "forbidden", "not_yours")
        official = await cup.house.command(RUTH, cup.live().room.id, command, "official", None)  # type: ignore[arg-type]
        assert isinstance(official, Problem)
        assert cup.room() == before

    played(work)


def test_20_7_no_wager_before_the_round_is_opened():
    async def work() -> None:
        cup = await at_first_round()
        await cup.do(DORA, c.CallBreak(5))
        await cup.run(lambda: not cup.heat().on)
        await cup.until(lambda: cup.room().paused != "")
        assert isinstance(await cup.house.command(RUTH, cup.live().room.id, r.Resume(), "on", None), int)
        box, first = cup.state.tables[0].marker, dict(cup.state.tables[0].seated)[cup.state.tables[0].marker]
        await refused(cup, first, PlaceWager(box, "", 1000), "wagers_not_open", "20.7", "20.17")

    played(work)


def test_20_16_a_break_holds_the_tables_when_their_round_is_over_and_its_end_lets_them_go():
    async def work() -> None:
        cup = await at_first_round()
        await cup.do(DORA, c.CallBreak(15))
        await cup.run(lambda: bool(cup.room().paused))
        assert (cup.heat().played, cup.state.tables[0].rounds) == (1, 1)  # the round in progress was finished
        assert "20.16" in cup.room().paused
        version = cup.room().version
        await asyncio.sleep(900)
        assert cup.room().version == version
        await cup.do(DORA, c.EndBreak())
        await cup.opens(2)
        assert not cup.room().paused

    played(work)


def test_20_14_for_somebody_absent_the_least_wager_is_placed_by_the_clock():
    async def work() -> None:
        cup = await at_first_round()
        (box, first), (_, second), *_ = in_turn(cup)
        began = cup.clock.steady()
        await cup.until(lambda: cup.room().moment.players == (second,), 60)
        assert 20 <= cup.clock.steady() - began < 21  # the pace of the conditions, 20.17
        assert dict(cup.heat().chips)[first] == 9000
        assert cup.store.balance(f"chips_on/{cup.id}/{box}/{first}") == 1000
        last = cup.store.read(f"table/{cup.live().room.id}", cup.room().version - 1)[0]
        assert last.by == "clock"

    played(work)


def test_20_14_where_the_conditions_say_so_somebody_absent_is_eliminated():
    async def work() -> None:
        cup = await at_first_round(absent="eliminated")
        (_, first), *others = in_turn(cup)
        await cup.until(lambda: first in cup.heat().missed, 60)
        await cup.until(lambda: first not in {name for _, name in cup.state.tables[0].seated}, 5)
        out = next(player for player in cup.state.players if player.name == first)
        assert (out.status, out.chips, cup.store.balance(f"chips/{cup.id}/{first}")) == ("eliminated", 0, 0)
        await cup.run(lambda: cup.state.tables[0].rounds == 1)
        assert cup.heat().played == 1
        assert len(others) >= len(cup.state.tables[0].seated)
        cup.books()

    played(work)


def test_a_table_of_a_tournament_is_made_by_the_tournament_alone():
    async def work() -> None:
        cup = await Cup().opened("Ann")
        made = await cup.house.make_table(RUTH, Settings("canberra", heat=HeatSettings("cup", 1, 1)), "k")
        assert isinstance(made, Problem)
        assert made.code == "malformed"
        assert cup.heats() == []

    played(work)


def test_20_17_a_new_pace_holds_from_the_next_round():
    async def work() -> None:
        cup = await at_first_round()
        await cup.do(DORA, c.SetPace(5))
        await cup.run(lambda: cup.heat().round == 2 and cup.heat().on)
        assert (cup.room().clocks.wagers, cup.room().clocks.decision) == (5000, 5000)

    played(work)

"""Rulings while cards are out, ties, buy-backs, sessions by shoes and minutes, cancelling: the steward's other work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from pontoon.engine import VoidRound
from pontoon.server.api.tournament_sheets import record_rows
from pontoon.server.rooms.actors import Actor
from pontoon.server.tournaments.log import RulingTaken, RulingWaits, read_body
from pontoon.store.model import entries_after
from pontoon.tournament import commands as c
from pontoon.tournament import events as e
from tests.server.tournaments.cup import BUY_BACK, DORA, RUTH, SIX, WALLET, Cup, conditions, played

FEE = 3333


async def started(text: str, *players: str) -> Cup:
    cup = await Cup().opened(*players, "Zoe")
    return await (await (await cup.made(text)).balloted(*players)).started()


def happened(cup: Cup, kind: type) -> list[object]:
    bodies = [read_body(entry.body) for entry in entries_after(cup.store, f"tournament/{cup.id}")]
    return [event for body in bodies for event in body.events if isinstance(event, kind)]


def statuses(cup: Cup) -> dict[str, str]:
    return {player.name: player.status for player in cup.state.players}


# --- rulings -------------------------------------------------------------------------------------------


def test_20_18_a_ruling_in_mid_round_waits_for_its_end_and_the_chips_are_all_there():
    async def work() -> None:
        cup = await started(conditions(at_table=6), *SIX)
        await cup.opens(1)
        assert await cup.play()
        player = next(box.controller for box in cup.room().table.round.boxes)  # type: ignore[union-attr]
        await cup.do(DORA, c.Disqualify(player, "took chips off the table", "20.13"))
        assert statuses(cup)[player] == "in"
        assert len(cup.hosted.waiting) == 1
        await cup.run(lambda: statuses(cup)[player] == "disqualified")
        assert cup.state.tables[0].rounds == 1
        assert (cup.hosted.waiting, cup.store.balance(f"chips/{cup.id}/{player}")) == ([], 0)
        await cup.run(lambda: cup.heat().round == 2)
        assert player not in dict(cup.heat().chips)
        assert player not in {seat.player for seat in cup.room().table.seats}
        assert (len(happened(cup, RulingWaits)), len(happened(cup, RulingTaken))) == (1, 1)
        rows = record_rows(cup.store, cup.hosted, "en")
        assert [row[1] for row in rows if "took chips off the table" in row[2]] == [DORA.name]
        assert "server" in {row[1] for row in rows}  # which counts the chips
        cup.books()

    played(work)


def test_20_11_a_substitute_takes_over_seat_and_chips_between_two_rounds():
    async def work() -> None:
        cup = await started(conditions(at_table=6), *SIX)
        await cup.opens(1)
        await cup.no(DORA, c.Substitute("Ann", "Nobody", "ill", agreed=True), "no_such_person")
        await cup.do(DORA, c.Substitute("Ann", "zoe", "ill", agreed=True))
        await cup.run(lambda: cup.heat().round == 2)
        assert "Zoe" in {seat.player for seat in cup.room().table.seats}
        assert statuses(cup)["Ann"] == "substituted"
        assert cup.store.balance(f"chips/{cup.id}/Ann") == 0
        cup.books()

    played(work)


def test_20_21_cancelled_in_mid_session_every_cent_goes_back():
    async def work() -> None:
        cup = await started(conditions(), *SIX)
        await cup.opens(1)
        assert await cup.play()
        await cup.do(RUTH, c.Cancel("a fire"))
        assert cup.state.phase == "session"
        await cup.run(lambda: cup.state.phase == "cancelled")
        await cup.run(lambda: all(live.room.state.table.phase == "closed" for live in cup.heats()))
        assert {name: cup.wallet(name) for name in SIX} == dict.fromkeys(SIX, WALLET)
        assert set(cup.books()) == {"bank", *(f"wallet/{name}" for name in (*SIX, "Zoe", "Ruth", "Dora"))}

    played(work)


def test_a_round_that_is_void_is_played_again_and_counts_for_nothing():
    async def work() -> None:
        cup = await started(conditions(at_table=6), *SIX)
        await cup.opens(1)
        await cup.run(lambda: cup.room().table.phase == "round" and cup.room().moment.kind == "decision")
        official = Actor("Ines", "casino_supervisor")
        assert isinstance(await cup.house.command(official, cup.live().room.id, VoidRound(), "void", None), int)
        await cup.until(lambda: cup.heat().opened == 2)
        assert (cup.heat().round, cup.heat().played, cup.state.tables[0].rounds) == (1, 0, 0)
        assert dict(cup.heat().chips) == dict.fromkeys(SIX, 10_000)
        await cup.run(lambda: cup.state.tables[0].rounds == 1)
        cup.books()

    played(work)


def test_20_9_a_table_to_which_nobody_came_has_ended():
    async def work() -> None:
        cup = await Cup().opened(*SIX)
        await (await cup.made(conditions())).balloted(*SIX)
        there = [seat.player for seat in cup.state.seats if seat.table == 1]
        await cup.started(*(name for name in SIX if name not in there))
        await cup.until(lambda: cup.state.tables[1].ended, 5)
        assert len(cup.hosted.rooms) == 1
        await cup.session()
        assert set(cup.state.results[0].advanced) <= set(there)
        cup.books()

    played(work)


# --- ties ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ties", "by"), [("extra_rounds", e.ExtraCounted), ("ballot", e.LotsDrawn)])
def test_20_3_a_viii_b_ties_are_broken(ties: str, by: type, ballots: Callable[[int], None]):
    """With minimum wagers over one round, most ballots give a tie."""

    async def work() -> bool:
        cup = await started(conditions(ties=ties, length="rounds = 1", maximum="10.00"), *SIX)
        await cup.session()
        found = happened(cup, by)
        if found:
            await cup.until(lambda: all(live.room.state.table.phase == "closed" for live in cup.heats()))
            books = cup.books()
            assert not [name for name in books if name.startswith(("chips/", "chips_on/", "chip_bank/"))]
            assert [recent.event for recent in cup.hosted.recent if isinstance(recent.event, e.SessionEnded)]
        return bool(found)

    broken = []
    for number in range(4):
        ballots(number)
        broken.append(played(work))
    assert any(broken)


# --- coming back ---------------------------------------------------------------------------------------


def test_20_3_a_ii_f_who_is_out_may_buy_back_before_the_next_round_opens():
    async def work() -> None:
        cup = await started(conditions(at_table=6, buy_back=BUY_BACK, length="rounds = 6"), *SIX)
        cup.bet = lambda chips: chips  # a player is eliminated soon
        await cup.run(lambda: "eliminated" in statuses(cup).values())
        player = next(name for name, status in statuses(cup).items() if status == "eliminated")
        number = cup.state.tables[0].rounds
        assert not cup.heat().on  # the next round waits for players who may buy back
        await cup.do(player, c.BuyBack(""))
        assert cup.wallet(player) == WALLET - FEE - 2000
        await cup.run(lambda: cup.heat().round == number + 1 and cup.heat().on)
        assert dict(cup.heat().chips)[player] == 8000
        await cup.session()
        cup.books()

    played(work)


# --- other lengths -------------------------------------------------------------------------------------


def test_20_3_a_ii_a_a_session_by_shoes_ends_when_the_next_shoe_would_begin():
    async def work() -> None:
        cup = await started(conditions(length="shoes = 1", maximum="10.00", chips="1000.00"), *SIX)
        await cup.run(lambda: cup.state.phase == "between")
        rounds = [event for event in happened(cup, e.ChipsCounted) if isinstance(event, e.ChipsCounted)]
        assert {count.shoe for count in rounds} == {1}
        assert max(count.round for count in rounds) > 5
        cup.books()

    played(work)


def test_20_3_a_ii_a_a_session_by_minutes_finishes_the_round_in_progress_and_no_break_counts():
    async def work() -> None:
        cup = await started(conditions(length="minutes = 3", maximum="10.00", chips="1000.00"), *SIX)
        began = cup.clock.wall()
        await cup.until(lambda: cup.clock.wall() > began + 30_000)  # no one is present: the clock wagers for everyone
        called = cup.clock.wall()
        await cup.do(DORA, c.CallBreak(5))
        await cup.until(lambda: all(cup.room(table).paused for table in (1, 2)))
        pause = cup.clock.wall()
        await asyncio.sleep(300)
        await cup.do(DORA, c.EndBreak())
        held = cup.clock.wall() - called
        assert held > cup.clock.wall() - pause > 299_000
        await cup.until(lambda: all(table.ended for table in cup.state.tables) or cup.state.phase == "between")
        ended = [entry.at for entry in entries_after(cup.store, f"tournament/{cup.id}") if b"TableEnded" in entry.body]
        assert len(ended) == 2
        assert all(180_000 <= at - began - held < 280_000 for at in ended)
        cup.books()

    played(work)


def test_20_3_a_iii_somebody_who_cannot_pay_does_not_enter():
    async def work() -> None:
        cup = await Cup().opened("Ann", "Ben")
        await cup.made(conditions().replace('fee = "33.33"', 'fee = "1000.01"'))
        await cup.no("Ann", c.Enter("", agreed=True), "not_enough_chips")
        await cup.no("Ben", c.Enter("Ann", agreed=True), "not_yours")
        assert (cup.wallet("Ann"), cup.state.players) == (WALLET, ())

    played(work)

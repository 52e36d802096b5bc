"""Absent players and lone players: an idle seat is freed, and no one practising alone is timed."""

from __future__ import annotations

from pontoon.engine import PlaceWager
from pontoon.server.rooms import commands as r
from pontoon.server.rooms.room import IDLE_ROUNDS
from pontoon.server.rooms.state import clock, is_alone
from pontoon.table import commands as c
from tests.server.hall import CLOCKS, Hall


def test_a_seat_is_freed_after_rounds_without_a_wager():
    hall = Hall("star", clocks=CLOCKS).ready("Ann 1", "Ben 2")
    for number in range(1, IDLE_ROUNDS + 1):
        assert {seat.player for seat in hall.table.seats} == {"Ann", "Ben"}
        hall.do("Ann", PlaceWager(1, "", 1000))
        hall.run(lambda hall: len(hall.told) > 1 and hall.table.phase == "collect")
        hall.run(lambda hall: hall.table.phase != "collect")
        assert hall.table.finished[-1].number == number
    hall.run(lambda hall: len(hall.table.seats) == 1)
    assert [seat.player for seat in hall.table.seats] == ["Ann"]
    assert dict(hall.state.idle).get("Ann", 0) == 0


def test_nobody_is_timed_alone_at_a_practice_table():
    hall = Hall("star", clocks=CLOCKS, practice=True)
    hall.step()
    hall.do("Ann", c.Sit("", 1))
    hall.to("cut")
    assert clock(hall.state) == CLOCKS.offer, "a cut that nobody takes does not hold up the first hand"
    hall.do("Ann", r.Pass())
    hall.to("wagers")
    hall.do("Ann", PlaceWager(1, "", 1000))
    assert is_alone(hall.state)
    assert clock(hall.state) == 0
    assert hall.room.plan() is None


def test_two_people_at_a_practice_table_have_a_clock():
    hall = Hall("star", clocks=CLOCKS, practice=True).ready("Ann 1", "Ben 2")
    hall.do("Ann", PlaceWager(1, "", 1000))
    assert not is_alone(hall.state)
    assert clock(hall.state) == CLOCKS.wagers


def test_one_person_at_another_table_has_a_clock():
    hall = Hall("star", clocks=CLOCKS).ready("Ann 1")
    hall.do("Ann", PlaceWager(1, "", 1000))
    assert clock(hall.state) == CLOCKS.wagers

"""Everything the pit calls attention to."""

from __future__ import annotations

from collections.abc import Sequence

from pontoon.engine import CallNoMoreBets, Hit, PlaceWager, VoidBox
from pontoon.server.floor.pit import LONG_PAUSE, alerts
from pontoon.server.rooms import commands as r
from pontoon.server.rooms.log import RoundKept
from pontoon.table import commands as c
from tests.server.hall import Hall
from tests.server.test_floor import GRACE, begun
from tests.server.test_rulings import DON, floor


def seen(hall: Hall, quiet: int = 0, rounds: Sequence[RoundKept] = ()) -> dict[str, str]:
    """The alerts of a table whose last entry is this many milliseconds old, by kind."""
    return {alert.kind: alert.words for alert in alerts(hall.state, 0, quiet, rounds)}


def test_a_quiet_table_has_none():
    assert seen(floor("canberra")) == {}


def test_a_super_bonus_is_also_a_large_win():
    hall = floor("canberra")
    hall.do(DON, PlaceWager(1, "Ann", 1000), CallNoMoreBets())
    hall.do(DON, *(c.Deal(card) for card in ("7h", "7d", "7h")), Hit(1, "Ann"), c.Deal("7h"))
    found = seen(hall)
    assert found["super_bonus"] == "Super Bonus for Ann, box 1: $1,000"
    assert found["large_win"].startswith("Ann won $1,0")


def test_a_large_win_is_seen_until_the_next_round_is_kept():
    hall = floor("canberra")
    won = 50 * hall.table.limits.minimum
    assert seen(hall, rounds=[RoundKept(1, 2, (("Ann", 1000, won),))]).keys() == {"large_win"}
    assert seen(hall, rounds=[RoundKept(1, 2, (("Ann", 1000, won - 1),))]) == {}
    assert seen(hall, rounds=[RoundKept(1, 2, (("Ann", 1000, won),), void=True)]) == {}


def test_a_pause_is_long_only_during_a_round():
    assert seen(floor("canberra"), LONG_PAUSE + 1) == {}
    assert seen(begun("9c"), LONG_PAUSE) == {}
    assert seen(begun("9c"), LONG_PAUSE + 60_000) == {"long_pause": "No entry for 6 minutes"}


def test_unusual_play_is_five_times_the_last_stake():
    hall = begun()
    assert seen(hall, rounds=[RoundKept(1, 2, (("Ann", 250, 0),))]) == {}
    assert seen(hall, rounds=[RoundKept(1, 2, (("Ann", 200, 0),))]) == {"unusual": "Ann went from $2 to $10"}


def test_a_tray_that_does_not_balance():
    hall = floor("canberra")
    hall.do(DON, r.MoveChips("opening", 50_000), r.MoveChips("closing", 47_500))
    assert seen(hall) == {"float": "The last count differs by −$25"}


def test_a_call_and_then_a_ruling_that_waits():
    hall = floor("adelaide")
    hall.do(DON, PlaceWager(1, "Ann", 1000), CallNoMoreBets(), c.Deal("9c"), r.CallSupervisor("wrong box"))
    assert seen(hall) == {"called": "Play is held: wrong box"}
    hall.do(GRACE, VoidBox(1))
    assert seen(hall) == {"approval": "Grace asks for approval: Void box 1"}

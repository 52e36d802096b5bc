"""The announced start of the next session: published, moved, after the last session, or not announced."""

from __future__ import annotations

import datetime as dt

from pontoon.tournament import commands as c
from pontoon.tournament.conditions import values as k
from pontoon.tournament.times import MINUTE, specified_start
from tests.tournament.desk import Desk

AT = round(dt.datetime(2026, 12, 5, 19).timestamp() * 1000)  # noqa: DTZ001 the server's own time
HEATS = k.Session(name="Heats", rounds=1, advance=k.Advance(of_all=2))


def test_20_7_the_first_session_starts_at_the_published_time_until_it_is_moved():
    desk = Desk().open().enter("Ann Ben")
    assert specified_start(desk.state) == AT
    desk.do(c.CloseEntries(), c.MoveStart(AT + MINUTE, 20))
    assert specified_start(desk.state) == AT + MINUTE
    desk.drawn().seated()
    assert specified_start(desk.state) == 0


def test_20_7_a_later_session_starts_so_many_minutes_after_the_last_one_or_when_the_director_says():
    for after, start in ((30, AT + 30 * MINUTE), (0, 0)):
        desk = Desk(sessions=(HEATS, k.Session(name="Final", rounds=1, after=after)), players={"least": 3})
        desk.playing("Ann Ben Cas").end(Ann=110000, Ben=105000)
        assert specified_start(desk.state, AT) == start
        assert specified_start(desk.drawn().state, AT) == start
        desk.seated().end()
        assert specified_start(desk.state, AT) == 0
        assert desk.state.phase == "between"


def test_20_3_a_sit_and_go_has_no_time_once_it_is_full():
    desk = Desk(structure={"format": "knock_out", "sit_and_go": 2}, players={"most": 4}).open()
    assert specified_start(desk.state) == AT
    assert specified_start(desk.enter("Ann Ben").state) == 0

"""Side bets, their limits and the hours of gaming in the settings of a table; reports; seats by the clock."""

from __future__ import annotations

import datetime as dt

from msgspec.structs import replace

from pontoon.engine import PlaceSideWager, PlaceWager, refusal
from pontoon.engine.decide import play
from pontoon.engine.refusals import Refusal
from pontoon.engine.state import Round, SideLimits
from pontoon.rulebook import load
from pontoon.server.problems import Problem
from pontoon.server.rooms.settings import HeatSettings, Settings, completed, gaming_open, table_of
from pontoon.server.tournaments.registry import timed
from pontoon.table import Table
from pontoon.tournament import begin
from pontoon.tournament import commands as c
from tests.tournament.desk import conditions

HOUR = 3_600_000


def made(settings: Settings) -> Table:
    table = table_of(settings, load(settings.rulebook))
    assert not isinstance(table, Problem), table
    return table


def test_18_1_18_7_a_new_table_has_one_side_bet_with_limits_on_its_sign():
    rules = load("canberra")
    settings = completed(Settings("canberra", smallest_chip=0), rules)
    assert settings.side_bets == ("perfect_pairs",)
    assert settings.side_limits == (SideLimits("perfect_pairs", 100, 50_000),)
    table = made(settings)
    state = Round(table.rules, table.limits)
    placed = play(state, PlaceWager(1, "Ann", 1000))
    assert not isinstance(placed, Refusal)
    codes = [refusal(placed.state, PlaceSideWager(1, "Ann", "perfect_pairs", stake)) for stake in (1, 500, 10**8)]
    assert [code.code if code else "" for code in codes] == ["side_below_minimum", "", "side_above_maximum"]


def test_a_table_of_version_0_1_0_has_neither():
    table = made(Settings("canberra"))
    assert (table.side_bets, table.limits.side) == (None, ())


def test_what_is_chosen_stays_and_a_tournament_has_its_own():
    rules = load("canberra")
    chosen = Settings("canberra", side_bets=("pairs_play",), side_limits=(SideLimits("pairs_play", 500, 1000),))
    assert completed(chosen, rules) == chosen
    heat = Settings("canberra", heat=HeatSettings("k3x9pq", 1, 1))
    assert completed(heat, rules) == heat
    assert completed(Settings("division-15"), load("division-15")) == Settings("division-15")


def test_a_sign_that_cannot_be_is_refused():
    both = table_of(Settings("canberra", side_bets=("perfect_pairs", "pairs_play")), load("canberra"))
    assert isinstance(both, Problem)
    assert both.code == "one_kind_of_side_wager"
    wrong = table_of(Settings("canberra", side_limits=(SideLimits("perfect_pairs", 500, 100),)), load("canberra"))
    assert isinstance(wrong, Problem)
    assert wrong.code == "limits_wrong"


def test_16_1_the_hours_of_gaming_go_over_midnight():
    evening = Settings("canberra", opens="18:00", closes="03:00", utc_offset=60)
    assert gaming_open(evening, 1 * HOUR) == (True, 1 * HOUR)
    assert gaming_open(evening, 2 * HOUR) == (False, 15 * HOUR)
    assert gaming_open(Settings("canberra"), 0) == (True, 0)


def test_20_9_the_server_says_how_long_it_is_until_the_start():
    state = begin(conditions())
    at = int(dt.datetime(2026, 12, 5, 19).timestamp() * 1000)  # noqa: DTZ001 the server's own time
    first = replace(state, session=1, phase="balloted")
    assert timed(first, c.StartSession(), at - 5000) == c.StartSession(5000)
    assert timed(first, c.TakeSeat("Ann"), at) == c.TakeSeat("Ann", -1)
    assert timed(replace(first, phase="session"), c.TakeSeat("Ann", 7), at) == c.TakeSeat("Ann", 0)
    assert timed(replace(first, phase="session"), c.StartSession(), at) == c.StartSession(unannounced=True)
    assert timed(first, c.CloseEntries(), at) == c.CloseEntries()

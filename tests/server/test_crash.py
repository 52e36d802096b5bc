"""kill -9 under load, thirty-six times (slow: a hundred): nothing acknowledged is lost, nothing is applied twice."""

from __future__ import annotations

import asyncio

import pytest

from tests.server.crash import campaign

KILLS = 15
SEEDS = [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)]


@pytest.mark.parametrize("seed", SEEDS)
def test_kills_on_a_file(tmp_path, seed):
    report = asyncio.run(campaign(tmp_path, "", kills=KILLS, seed=seed))
    assert report.kills == KILLS
    assert report.acknowledged > 100
    assert report.rounds > 10


@pytest.mark.parametrize("seed", SEEDS)
def test_kills_on_postgresql(tmp_path, postgresql, seed):
    report = asyncio.run(campaign(tmp_path, postgresql.new_database(), kills=KILLS, seed=seed))
    assert report.kills == KILLS
    assert report.acknowledged > 50
    assert report.rounds > 5


def test_a_table_moves_by_itself_when_its_owner_dies(tmp_path, postgresql):
    report = asyncio.run(campaign(tmp_path, postgresql.new_database(), kills=6, seed=4, processes=3))
    assert report.acknowledged > 50
    assert report.rounds > 5

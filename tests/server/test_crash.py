"""kill -9 under load, thirty times per backend: nothing acknowledged is lost, nothing is applied twice."""

from __future__ import annotations

import asyncio

import pytest

from tests.server.crash import campaign


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_ten_kills_on_a_file(tmp_path, seed):
    report = asyncio.run(campaign(tmp_path, "", kills=10, seed=seed))
    assert report.kills == 10
    assert report.acknowledged > 100
    assert report.rounds > 10


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_ten_kills_on_postgresql(tmp_path, postgresql, seed):
    report = asyncio.run(campaign(tmp_path, postgresql.new_database(), kills=10, seed=seed))
    assert report.acknowledged > 50
    assert report.rounds > 5


def test_a_table_moves_by_itself_when_its_owner_dies(tmp_path, postgresql):
    report = asyncio.run(campaign(tmp_path, postgresql.new_database(), kills=6, seed=4, processes=3))
    assert report.acknowledged > 50
    assert report.rounds > 5

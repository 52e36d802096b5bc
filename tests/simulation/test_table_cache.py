"""A compiled game from the cache equals the one that was compiled; a damaged file is compiled again."""

from __future__ import annotations

from pathlib import Path

import pytest

from pontoon.rulebook import load
from pontoon.simulation import compile_game, table_cache
from pontoon.simulation.checkpoint import tables_digest
from pontoon.simulation.tables import LINE
from pontoon.strategy import ChartStrategy
from tests.simulation.strategies import Mimic, published_chart

SMALL = {"split.max_hands": 1, "double.two_cards_only": True}
"""For a game that is compiled quickly."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PONTOON_CACHE", str(tmp_path))
    return tmp_path


def compiles(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The stakes for which a game was compiled."""
    asked: list[int] = []

    def compile_and_tell(rules, strategy, stake):
        asked.append(stake)
        return compile_game(rules, strategy, stake)

    monkeypatch.setattr(table_cache, "compile_game", compile_and_tell)
    return asked


def test_the_second_time_the_engine_is_not_asked(home: Path, monkeypatch: pytest.MonkeyPatch):
    asked = compiles(monkeypatch)
    rules, chart = load("star", SMALL), published_chart()
    first = table_cache.cached_game(rules, chart, 1000)
    again = table_cache.cached_game(rules, published_chart(), 1000)
    assert asked == [1000]
    assert tables_digest(again) == tables_digest(first)
    assert (again.numbers, again.classes, again.labels, again.stake) == (*first[1:4], 1000)
    for name in first.tables._fields:
        assert getattr(again.tables, name).dtype == getattr(first.tables, name).dtype
    assert again.tables.steps.ctypes.data % (LINE * 2) == 0
    (file,) = home.rglob("*.tables")
    for damaged in (b"", file.read_bytes()[:-1], b"x" * 100):
        file.write_bytes(damaged)
        assert table_cache.decode(file) is None
    assert tables_digest(table_cache.cached_game(rules, chart, 1000)) == tables_digest(first)
    assert asked == [1000, 1000]


def test_another_game_has_another_name():
    chart = published_chart()
    other = ChartStrategy(type(chart.chart)(rulebook="any", decks=6, upcards=("6",), hard={}, soft={}))
    digest = table_cache.strategy_digest
    assert digest(chart) == digest(published_chart()) != digest(other)


def test_a_strategy_that_is_not_data_is_compiled_every_time(home: Path, monkeypatch: pytest.MonkeyPatch):
    asked = compiles(monkeypatch)
    for _ in range(2):
        table_cache.cached_game(load("federal", SMALL), Mimic(), 1000)
    assert asked == [1000, 1000]
    assert not list(home.rglob("*.tables"))

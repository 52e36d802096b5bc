"""`pontoon.simulate` with strategies of every form."""

from __future__ import annotations

from pathlib import Path

import pytest

import pontoon
from pontoon import library
from tests.test_front_door import Derived, like_the_dealer


def test_a_function_is_simulated_and_solved_alike():
    found = pontoon.simulate("star", like_the_dealer, rounds=100_000, packs=8)
    same = pontoon.simulate(pontoon.load("star"), Derived(), rounds=100_000, decks=8, stake="10", threads=1)
    assert found.distribution == same.distribution
    exact = float(pontoon.Solver("star", strategy=like_the_dealer).value())
    assert exact == pytest.approx(found.ev, abs=4 * found.standard_error)


def test_a_strategy_by_name_or_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(library, "_cache_folder", lambda: tmp_path)
    named = pontoon.simulate("adelaide", rounds=50_000, packs=3)
    [kept] = tmp_path.glob("adelaide-*-3-10.00-optimal.json")
    filed = pontoon.simulate("adelaide", kept, rounds=50_000, packs=3, penetration=0.0)
    assert filed.distribution == named.distribution
    assert "pontoon-strategy-1" in kept.read_text(encoding="utf-8")

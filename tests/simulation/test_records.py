"""A simulation begun by version 0.1.0 is finished with the same counts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.test_records_of_0_1_0 import DATA, status_of, unpacked


def test_a_simulation_goes_on_to_the_same_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    pytest.importorskip("numba")
    unpacked("strategy.json", tmp_path)
    shutil.copy(DATA / "checkpoint.json", tmp_path)
    monkeypatch.chdir(tmp_path)
    words = "simulate star --decks 8 --set split.max_hands=3 --strategy strategy.json --rounds 200000 --seed 5"
    more = "--device cpu --threads 1 --json --checkpoint checkpoint.json --resume"
    assert status_of(*words.split(), *more.split()) == 0
    found, was = json.loads(capsys.readouterr().out), json.loads((DATA / "simulated.json").read_text())
    for name in ("ev", "standard_error", "sd", "frequencies", "ev_by_upcard", "rounds"):
        assert found[name] == was[name], name
    written = json.loads((tmp_path / "checkpoint.json").read_text())
    assert written["about"]["rules"] == found["digest"] != was["digest"]
    assert '"max_hands"' in written["book"]

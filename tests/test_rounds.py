"""Worked rounds: transcripts with expected nets, dealer's cards and cards used, or an expected refusal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pontoon.transcript import RefusedLine, read, replay, result, write

ROUNDS = sorted((Path(__file__).parent / "rounds").glob("*.prt"))
SETTLED = [file for file in ROUNDS if "refused" not in json.loads(file.with_suffix(".json").read_text("utf-8"))]


@pytest.mark.parametrize("file", ROUNDS, ids=lambda file: file.stem)
def test_round(file: Path) -> None:
    expected = json.loads(file.with_suffix(".json").read_text("utf-8"))
    played = replay(read(file.read_text("utf-8")))
    if isinstance(played, RefusedLine):
        assert expected["refused"]
        assert played.line.text == expected["action"]
        assert played.refusal.clauses
        return
    found: Any = result(played)
    assert found["players"] == expected["players"]
    assert found["dealer"]["cards"] == expected["dealer"]
    assert found["cards_used"] == expected["cards_used"]
    assert all(one.clauses for one in played.state.settlements)


@pytest.mark.parametrize("file", SETTLED, ids=lambda file: file.stem)
def test_written_and_read_again(file: Path) -> None:
    played = replay(read(file.read_text("utf-8")))
    assert not isinstance(played, RefusedLine)
    transcript = played.transcript
    text = write(played.rules, played.events, decks=transcript.decks, limits=transcript.limits, title=file.stem)
    again = replay(read(text))
    assert not isinstance(again, RefusedLine)
    assert again.events == played.events
    assert again.state == played.state

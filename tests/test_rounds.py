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


EXACT = {
    "S02": [("5.1(c)", "9.1", "11.1"), ("10.1", "10.5"), ("10.1", "10.5"), ("5.1(g)",), ("5.1(g)",)],
    "S10": [
        ("14.1(g)",),
        ("14.1(g)",),
        ("14.1(g)",),
        ("7.1", "7.5 (first)", "7.5(b)"),
        ("7.1", "7.5 (first)", "7.5(b)"),
        ("7.1", "7.5 (first)", "7.5(b)", "7.2"),
    ],
    "S43": [("5.1(f)", "14.2", "13.5"), ("13.7",)],
    "S44": [("14.1(e)", "11.8"), ("14.1(g)", "11.9")],
    "S46": [("5.1(d)", "9.2", "11.1"), ("5.1(g)", "13.8")],
    "S50": [("14.1(g)", "11.9", "12.5"), ("11.9", "12.5"), ("11.9", "12.5"), ("14.1(g)",)],
    "S68": [("5.1(d)", "9.2", "11.1"), ("12.8",), ("12.8",), ("5.1(g)", "13.8"), ("13.7", "12.7")],
}
"""The clauses of each settlement in order, as the worked scenarios give them."""


@pytest.mark.parametrize("name", EXACT)
def test_exact_clauses(name: str) -> None:
    file = next(file for file in ROUNDS if file.stem == name)
    played = replay(read(file.read_text("utf-8")))
    assert not isinstance(played, RefusedLine)
    assert [one.clauses for one in played.state.settlements] == EXACT[name]


def test_whose_wager_was_insured() -> None:
    file = next(file for file in ROUNDS if file.stem == "S10")
    played = replay(read(file.read_text("utf-8")))
    assert not isinstance(played, RefusedLine)
    insured = [(one.player, one.owner) for one in played.state.settlements if one.kind == "insurance"]
    assert insured == [("Ben", ""), ("Cal", ""), ("Ben", "Ann")]

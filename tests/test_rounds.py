"""Worked rounds: transcripts with expected nets, dealer's cards and cards used, or an expected refusal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pontoon.engine.events import CardBurned
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
    assert all(settlement.clauses for settlement in played.state.settlements)


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
    assert [settlement.clauses for settlement in played.state.settlements] == EXACT[name]


def test_whose_wager_was_insured() -> None:
    file = next(file for file in ROUNDS if file.stem == "S10")
    played = replay(read(file.read_text("utf-8")))
    assert not isinstance(played, RefusedLine)
    insured = [
        (settlement.player, settlement.owner)
        for settlement in played.state.settlements
        if settlement.kind == "insurance"
    ]
    assert insured == [("Ben", ""), ("Cal", ""), ("Ben", "Ann")]


LATE = """
rulebook = "division-15"
cards = "Kc {bob} 9s 8h 8s 5d 4h Kd 6h Qs 9c 8c"
actions = ["b1 stand", "b3 hit", "dealer missed b2", "b2 double", "b3 stand"]
[[bets]]
box = 1
player = "Ann"
stake = "10"
[[bets]]
box = 2
player = "Bob"
stake = "10"
[[bets]]
box = 3
player = "Cat"
stake = "10"
"""


def test_16_5_a_hand_that_must_draw_is_not_doubled_in_view_of_the_card() -> None:
    refused = replay(read(LATE.format(bob="6c")))
    assert isinstance(refused, RefusedLine)
    assert (refused.line.text, refused.refusal.code) == ("b2 double", "forced_draw")
    assert {"16.5", "14.1(d)"} <= set(refused.refusal.clauses)
    early = replay(read(LATE.format(bob="6c").replace('"b3 hit", "dealer missed b2"', '"dealer missed b2"')))
    assert not isinstance(early, RefusedLine), "nobody had seen the card"


@pytest.mark.parametrize("decision", ["hit", "stand", "double"])
def test_16_5_16_3_a_hand_with_a_choice_decides_without_knowing_the_card(decision: str) -> None:
    """A83: Bob has 13 and was passed over; Cat drew Kd meanwhile. It goes to the rack before Bob decides."""
    text = LATE.format(bob="8c").replace("b2 double", f"b2 {decision}")
    refused = replay(read(text))
    assert isinstance(refused, RefusedLine)
    assert (refused.line.text, refused.refusal.code) == (f"b2 {decision}", "card_seen")
    assert refused.refusal.clauses == ("16.5", "16.3")
    removed = text.replace('"dealer missed b2"', '"dealer missed b2", "dealer burn Kd left over"')
    removed = removed.replace('"b3 stand"', "").replace("6h Qs", "8d 8h 9h")
    played = replay(read(removed))
    assert not isinstance(played, RefusedLine)
    burned = [event for event in played.events if isinstance(event, CardBurned)]
    assert [(event.card, event.reason) for event in burned] == [("Kd", "left_over")]
    assert "Kd" not in {card for box in played.state.boxes for hand in box.hands for card in hand.cards}
    again = replay(read(write(played.rules, played.events)))
    assert not isinstance(again, RefusedLine)
    assert [event for event in again.events if isinstance(event, CardBurned)] == burned
    canberra = text.replace("division-15", "canberra")
    seen = replay(read(canberra.replace(', "b3 stand"', "").replace("6h", "8d")))
    assert not isinstance(seen, RefusedLine), "15.2: a card that was seen is the next card"
    kept = replay(read(removed.replace("division-15", "canberra")))
    assert isinstance(kept, RefusedLine)
    assert (kept.refusal.code, kept.refusal.clauses) == ("exposed_card_is_next", ("15.2",))
    early = replay(read(text.replace('"b3 hit", "dealer missed b2"', '"dealer missed b2"')))
    assert not isinstance(early, RefusedLine), "nobody had seen the card"


def test_16_5_a_the_hand_may_be_void_instead_and_later_hands_stand() -> None:
    text = LATE.format(bob="8c").replace('"b2 double", "b3 stand"', '"supervisor void b2"')
    played = replay(read(text))
    assert not isinstance(played, RefusedLine)
    assert [hand.cards for box in played.state.boxes for hand in box.hands][2] == ("9s", "4h", "Kd")

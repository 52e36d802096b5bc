"""`pontoon ev`: every allowed decision with value, cost and clauses; insurance said plainly; bad cards are one line."""

from __future__ import annotations

import json

import pytest

from pontoon.analysis import Solver
from pontoon.cards import Card
from pontoon.cli import main
from pontoon.rulebook import load


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(["ev", *arguments])
    return ended.value.code, capsys.readouterr()


def answer(capsys, *arguments):
    status, shown = run(capsys, *arguments, "--json")
    assert status == 0, shown.err
    return json.loads(shown.out)


def test_every_action_best_first_with_its_clauses(capsys):
    data = answer(capsys, "star", "--hand", "8s 8h", "--dealer", "7d")
    rules = load("star")
    assert {action["action"] for action in data["actions"]} == {"split", "hit", "double", "stand"}
    assert data["best"] == "split"
    assert data["insurance"] is None
    assert data["actions"][0]["cost"] == 0
    assert data["actions"][0]["clauses"] == list(rules.cites.split)
    clauses = {action["action"]: tuple(action["clauses"]) for action in data["actions"]}
    assert clauses["double"] == rules.cites.doubled
    values = Solver(rules, 8).action_values((Card("8s"), Card("8h")), Card("7d"))
    assert [action["value"] for action in data["actions"]] == pytest.approx(
        [value.value for value in values], abs=1e-12
    )
    for action in data["actions"]:
        assert action["cost"] == pytest.approx(values[0].value - action["value"])


def test_canberra_suited_sevens_against_a_seven(capsys):
    data = answer(capsys, "canberra", "--decks", "4", "--hand", "7s 7s", "--dealer", "7d")
    assert data["best"] == "hit"
    assert data["actions"][0]["value"] == pytest.approx(0.8268, abs=1e-4)


def test_after_a_split_other_clauses_allow_it(capsys):
    data = answer(capsys, "canberra", "--hand", "8s 8h", "--dealer", "6d", "--after-split")
    clauses = {action["action"]: tuple(action["clauses"]) for action in data["actions"]}
    assert clauses["double"] == load("canberra").cites.double_split
    assert clauses["split"] == load("canberra").cites.resplit
    assert "surrender" not in clauses


def test_a_doubled_hand_is_kept_or_forfeited(capsys):
    data = answer(capsys, "division-15", "--hand", "6s 5c 2h", "--dealer", "9h", "--doubled")
    assert {action["action"] for action in data["actions"]} == {"keep", "forfeit"}
    assert data["best"] == "forfeit"
    assert data["actions"][0]["value"] == -1


def test_insurance_is_not_worth_it_from_a_fresh_shoe(capsys):
    data = answer(capsys, "star", "--hand", "9c 6d", "--dealer", "Ah")
    assert data["insurance"]["take"] is False
    assert data["insurance"]["value"] == pytest.approx(3 * 96 / 381 - 1)
    assert data["insurance"]["adds"] == pytest.approx(data["insurance"]["value"] / 2)
    _, shown = run(capsys, "star", "--hand", "9c 6d", "--dealer", "Ah")
    assert "do not take it" in shown.out


def test_insurance_is_worth_it_when_small_cards_are_gone(capsys):
    gone = " ".join(rank + suit for rank in "2345" for suit in "cdhs" for _ in range(7))
    data = answer(capsys, "star", "--hand", "9c 6d", "--dealer", "Ah", "--out", gone)
    assert data["insurance"]["take"] is True
    assert len(data["out"]) == 112
    _, shown = run(capsys, "star", "--hand", "9c 6d", "--dealer", "Ah", "--out", gone)
    assert "TAKE IT" in shown.out
    assert "112 other cards removed" in shown.out


def test_text_names_the_best_and_what_the_others_cost(capsys):
    status, shown = run(capsys, "adelaide", "--hand", "6c,5d", "--dealer", "9h", "--decks", "3")
    assert status == 0
    assert "6c 5d against 9h" in shown.out
    assert "best" in shown.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--hand", "10s 7h", "--dealer", "7d"), "--hand: '10s': a pontoon pack has no tens"),
        (("--hand", "7s 7h", "--dealer", "Td"), "--dealer: 'Td': a pontoon pack has no tens"),
        (("--hand", "7s 7z", "--dealer", "7d"), "'7z': not a card"),
        (("--hand", "88", "--dealer", "ten"), "'ten': not a card"),
        (("--hand", "7s 7h", "--dealer", ""), "exactly one card"),
        (("--hand", "7s 7h", "--dealer", "7d 8d"), "exactly one card"),
        (("--hand", "7s", "--dealer", "7d"), "two cards or more"),
        (("--hand", "", "--dealer", "7d"), "two cards or more"),
        (("--hand", "7s 7h 9d", "--dealer", "7d"), "23 is bust"),
        (("--hand", "As Kh", "--dealer", "7d"), "pontoon is paid at once"),
        (("--hand", "7s 7h 7d", "--dealer", "7d"), "21 is paid at once"),
        (("--hand", "2s 3h", "--dealer", "7d", "--out", "2s " * 6), "2s: no more of them"),
        (("--hand", "As 3h", "--dealer", "7d", "--after-split"), "split ace"),
        (("--hand", "5s 6h", "--dealer", "7d", "--doubled"), "three when it was doubled"),
        (("--hand", "7s 7h", "--dealer", "7d", "--decks", "2"), "this document allows"),
        (("--hand", "7s 7h", "--dealer", "7d", "--set", "x=1"), "no option"),
    ],
)
def test_bad_input_is_one_line(capsys, arguments, words):
    status, shown = run(capsys, "star", "--decks", "6", *arguments)
    assert status == 2
    assert words in shown.err
    assert len(shown.err.splitlines()) == 1
    assert not shown.out

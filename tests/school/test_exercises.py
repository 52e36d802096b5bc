"""Exercises of the school: right by construction, the same by their seed, graded with the clause."""

from __future__ import annotations

import json
from random import Random

import pytest

from pontoon.cli import main
from pontoon.engine import Settled
from pontoon.rulebook import NAMES, load
from pontoon.school import KINDS, LevelAnswer, exercise, exercise_steps, grade, level_rules, standing
from pontoon.school.rounds import LEVELS, played_round
from pontoon.school.spotting import spot

SEEDS = range(4)


@pytest.mark.parametrize("book", NAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_an_exercise_has_its_answer_and_is_made_again_from_its_seed(kind: str, book: str):
    for seed in SEEDS:
        asked = exercise_steps(kind, book, 1 + seed % LEVELS, seed)
        exercise_steps.cache_clear()
        assert asked == exercise_steps(kind, book, 1 + seed % LEVELS, seed)
        assert [(one.step, one.steps) for one in asked] == [(step, len(asked)) for step in range(len(asked))]
        for one in asked:
            assert all(grade(one, given).right for given in one.answers)
            assert not grade(one, "something else").right
            assert not one.choices or set(one.answers) < set(one.choices)
            assert len(set(one.choices)) == len(one.choices) < 10, "the digits choose"
            assert one.clauses or "Nothing is said" in one.why or book in ("star", "federal")


@pytest.mark.parametrize("book", NAMES)
def test_a_payout_is_what_the_engine_pays(book: str):
    """The amount asked for is one that a round of this seed paid."""
    order, *amounts = exercise_steps("payouts", book, 3, 5)
    chance = Random(f"payouts {book} 3 5")
    rounds = [played_round(load(book), 3, chance).end for _ in range(60)]
    wanted = [int(one.answers[0]) for one in amounts]
    paid = next(end for end in rounds if [line.net for line in end.settlements if line.net > 0][:4] == wanted)
    lines = [one for one in paid.settlements if isinstance(one, Settled)]
    boxes = dict.fromkeys(one.box for one in lines if one.moment == "final" and one.net)
    assert order.answers == ("Box " + ", then ".join(map(str, boxes)),)


@pytest.mark.parametrize("book", NAMES)
def test_a_round_is_dealt_step_by_step_in_the_order_of_the_engine(book: str):
    """From the call over every card; a later step never shows fewer cards."""
    asked = exercise_steps("procedure", book, 2, 3)
    assert asked[0].answers == ("Call no more bets",)
    dealt = [one.answers[0] for one in asked if one.answers[0].startswith("Card to")]
    boxes = [act for act in dict.fromkeys(dealt) if act != "Card to the dealer" and "hand" not in act]
    assert dealt[: 2 * len(boxes) + 1] == [*boxes, "Card to the dealer", *boxes]
    shown = [sum(len(hand.cards) for hand in one.hands) for one in asked]
    assert shown == sorted(shown)


def test_a_ruling_accepts_every_remedy_the_document_allows():
    found = [exercise("rulings", "adelaide", 1, seed) for seed in range(40)]
    several = [one for one in found if len(one.answers) > 1]
    assert several
    assert all(answer in one.why for one in several for answer in one.answers)
    assert any(one.answers == ("The document has no rule for this: the house decides.",) for one in found)


def test_the_planted_error_is_the_only_line_that_differs_from_the_settlement():
    where, clause = exercise_steps("spot", "canberra", 3, 11)
    assert len(where.answers) == 1
    assert where.choices.count(where.answers[0]) == 1
    assert where.answers[0] in clause.question
    assert clause.answers[0].startswith(where.clauses[0])


def test_the_terminal_asks_and_grades(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    right = int(exercise("payouts", "star", 1, 3).answers[0])
    lines = iter([f"{right / 100:.2f}\n", "1\n", "\n"])
    monkeypatch.setattr("sys.stdin.readline", lambda: next(lines))
    with pytest.raises(SystemExit):
        main(["school", "payouts", "star", "--seed", "3"])
    said = capsys.readouterr().out
    assert "Right" in said
    assert "Wrong" in said
    assert "1 of 2 right" in said


def test_the_terminal_names_each_wrong_step_of_a_round(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    asked = exercise_steps("procedure", "star", 1, 3)
    right = [f"{one.choices.index(one.answers[0]) + 1}\n" for one in asked]
    lines = iter([right[0], "99\n", *right[2:]])
    monkeypatch.setattr("sys.stdin.readline", lambda: next(lines))
    with pytest.raises(SystemExit):
        main(["school", "procedure", "star", "--seed", "3", "--count", "1"])
    said = capsys.readouterr().out
    assert f"{len(asked)} steps, of which\n  step 2, wrong: Card to box" in said
    assert f"{len(asked) - 1} of {len(asked)} right" in said


def test_the_exercises_as_json(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["school", "rulings", "adelaide", "--seed", "1", "--count", "2", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert [one["seed"] for one in told] == [1, 2]


def test_every_kind_has_a_rule_for_each_level_that_has_a_next_one():
    rules = level_rules()
    assert tuple(rules) == KINDS
    assert {len(rows) for rows in rules.values()} == {LEVELS - 1}


def test_a_level_rises_after_right_answers_in_a_row_and_only_then():
    first, second = level_rules()["payouts"]
    right, late, wrong = LevelAnswer(1, True, False), LevelAnswer(1, True, True), LevelAnswer(1, False, False)
    almost = [right] * (first.streak - 1)
    assert standing("payouts", [*almost, wrong, *almost]).level == 1
    assert standing("payouts", [*almost, late]).run == first.streak - 1, "late: neither counts nor ends the streak"
    assert standing("payouts", [*almost, late, right]).level == 2
    harder = [LevelAnswer(2, True, False)] * second.streak
    assert standing("payouts", [*almost, right, *almost, right, *harder[1:]]).level == 2, "easier ones do not count"
    assert standing("payouts", [*almost, right, *harder, wrong]) == standing("payouts", (), LEVELS)
    calm = [LevelAnswer(1, True, True)] * level_rules()["rulings"][0].streak
    assert standing("rulings", calm).level == 2, "time does not matter for a ruling"


def test_the_level_rises_in_the_terminal_unless_it_is_fixed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    streak = level_rules()["document"][0].streak
    asked = [exercise("document", "star", 1, seed) for seed in range(streak)]
    for fixed in ([], ["--level", "1"]):
        lines = iter([*(f"{one.choices.index(one.answers[0]) + 1}\n" for one in asked), "\n"])
        monkeypatch.setattr("sys.stdin.readline", lines.__next__)
        with pytest.raises(SystemExit):
            main(["school", "document", "star", "--seed", "0", *fixed])
        said = capsys.readouterr().out
        assert f"{streak} of {streak} right" in said
        assert ("Well done. Level 2." in said) == (not fixed)


@pytest.mark.parametrize(("book", "pays"), [("canberra", "12.7"), ("division-15", "12.5")])
def test_a_win_at_wrong_odds_breaks_the_clause_of_its_odds(book, pays):
    """Three to two for a doubled hand: not the clause by which it wins."""
    asked = [spot(load(book), 2, Random(seed)) for seed in range(120)]
    doubled = [clause for _, *rest in asked for clause in rest if "double: the dealer pays" in clause.question]
    assert {clause.answers[0].partition(":")[0] for clause in doubled if "wins 1:1" in clause.why} == {pays}

"""The trainer: lesson, practice hands, positions, drills, reasons."""

from __future__ import annotations

from datetime import date

import pytest

from pontoon.cards import Card, read_cards, total
from pontoon.rulebook import NAMES, load
from pontoon.trainer.drills import AREAS, DAILY, Wanted, daily, drill_of, drills, question_of, words
from pontoon.trainer.lessons import LessonHand, load_lesson
from pontoon.trainer.position import Position, PositionError, read_position
from pontoon.trainer.practice import Deal, PracticeError, practise
from pontoon.trainer.values import Kind, Question, game_of, solve
from pontoon.trainer.why import SENTENCES, why

# --- the lesson ----------------------------------------------------------------------------------------

NETS = {
    "The goal": 2500,
    "No tens": 2500,
    "Your 21 always wins": 2500,
    "Double, and take it back": -2500,
    "Split a pair": 5000,
    "Bonus hands": 7500,
}


@pytest.mark.parametrize("hand", load_lesson().hands, ids=lambda hand: hand.title)
def test_every_hand_of_the_lesson_can_be_played_as_its_sentences_ask(hand: LessonHand):
    rules = load(load_lesson().rulebook)
    deal = Deal(read_cards(hand.cards))
    for done in range(len(hand.plan)):
        assert not practise(rules, deal, hand.plan[:done]).over
    played = practise(rules, deal, hand.plan)
    assert played.over
    assert played.net == NETS[hand.title]


def test_a_player_who_does_something_else_in_the_lesson_plays_on_by_the_rules():
    rules, hand = load("canberra"), load_lesson().hands[0]
    played = practise(rules, Deal(read_cards(hand.cards)), ("hit", "hit"))
    assert played.over
    assert played.net == -2500


# --- practice hands ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "actions", "wrong"),
    [
        ("5h 9d 6c", ("fold",), "'fold' is not an action; choose hit, stand"),
        ("5h 9d 6c", ("stand",), "Stand is not allowed here"),
        ("As 9d Ks", ("hit",), "the hand is over"),
        ("5h " * 9 + "9d", (), "5h is in 8 packs only 8 times"),
    ],
)
def test_what_cannot_be_practised_says_why(cards: str, actions: tuple[str, ...], wrong: str):
    with pytest.raises(PracticeError, match=wrong):
        practise(load("canberra"), Deal(read_cards(cards)), actions)


def test_the_cards_after_the_chosen_ones_come_from_the_seed():
    one, two = (practise(load("star"), Deal((), seed=seed)).state for seed in (1, 2))
    again = practise(load("star"), Deal((), seed=1)).state
    assert one.boxes == again.boxes
    assert one.boxes != two.boxes


def test_canberra_7_1_insurance_is_answered_in_a_practice_hand():
    hand = practise(load("canberra"), Deal(read_cards("9h Ad 9c Kh")), ("insure", "no", "stand"))
    assert hand.over
    assert hand.net == 0  # the insurance pays what the hand loses


# --- positions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("star|8|7s 7h|Kd", "star|8|7s 7h|Kd"),
        ("Star|8|7s7h|kd", "star|8|7s 7h|Kd"),
        ("canberra|6|5c,6h,4s|9d|doubled|2c 3d", "canberra|6|5c 6h 4s|9d|doubled|2c 3d"),
        ("federal|8|As 3c|6h|split", "federal|8|As 3c|6h|split"),
    ],
)
def test_a_position_reads_back(text: str, written: str):
    position = read_position(text)
    assert str(position) == written
    assert read_position(written) == position


@pytest.mark.parametrize("text", ["", "star", "star|8|7s 7h", "star|x|7s 7h|Kd", "star|8|7s 10h|Kd", "star|8|7s|Kd"])
def test_what_is_no_position_says_so_in_one_line(text: str):
    with pytest.raises(PositionError, match=r"^[^\n]+$"):
        read_position(text)


# --- drills --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_twenty_of_a_day_are_lawful_and_the_same_for_everybody(name: str):
    rules, day = load(name), date(2026, 11, 16)
    found = daily(rules, day)
    assert len(found) == DAILY
    assert found == daily(rules, day)
    assert found != daily(rules, date(2026, 11, 17))
    for drill in found:
        assert len(drill.may) > 1
        assert drill_of(rules, read_position(drill.position)) == drill
        assert words(drill)


@pytest.mark.parametrize("area", AREAS)
def test_an_area_gives_only_its_hands(area: str):
    assert {drill.area for drill in drills(load("canberra"), Wanted(area=area, seed=5), 8)} == {area}


def test_weak_squares_come_back():
    found = drills(load("star"), Wanted(weak=("hard 16 K", "pairs 88 A")), 8)
    assert [drill.cell for drill in found[1::2]] == ["hard 16 K", "pairs 88 A"] * 2


def test_nothing_is_to_be_decided_on_21():
    rules = load("star")
    hand = (Card("7s"), Card("7h"), Card("7d"))
    assert total(hand).points == 21
    assert drill_of(rules, Position("star", 8, hand, Card("6d"))) is None


# --- reasons -------------------------------------------------------------------------------------------


def reason(hand: str, dealer: str, *may: str, doubled: bool = False) -> str:
    kind: Kind = "doubled" if doubled else "decision"
    game = game_of(load("canberra"), 8, 2500)
    return why(Question(game, kind, read_cards(hand), Card(dealer), (), (), may=may))


@pytest.mark.parametrize(
    ("hand", "dealer", "may", "says"),
    [
        ("Ks 6h", "6d", ("hit", "stand"), "let the dealer take the risk"),
        ("6s 8h", "4d", ("hit", "stand"), "A 7 makes 6-7-8 and pays 3 to 2 at once"),
        ("3s 4h", "Kd", ("hit", "double"), "No card can bust 7"),
        ("5s 6h", "6d", ("hit", "double"), "cards bring 11 to 17 or more"),
        ("8s 8h", "6d", ("hit", "stand", "split"), "Two hands that start with an 8 average"),
        ("As 6h", "9d", ("hit", "stand"), "One card cannot bust soft 17"),
        ("2s 3h 4d 5c", "9d", ("hit", "stand"), "21 with five cards pays 3 to 2"),
    ],
)
def test_the_reason_is_made_of_the_values(hand: str, dealer: str, may: tuple[str, ...], says: str):
    assert says in reason(hand, dealer, *may)


def test_a_doubled_hand_is_weighed_against_the_forfeit():
    assert "a forfeit costs $1" in reason("2h 4c 5d 2s", "9d", "keep", "forfeit", doubled=True)


def test_every_best_action_has_a_sentence():
    rules = load("adelaide")
    for drill in drills(rules, Wanted(seed=3), 12):
        question = question_of(rules, read_position(drill.position), drill.may)
        assert solve(question).values[0].action in SENTENCES
        assert why(question).endswith(".")

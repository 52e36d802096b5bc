"""Side wagers and insurance: exact fractions against counting every pair of cards, and the published figures."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from pontoon.analysis import Solver
from pontoon.analysis.side import SideValue, row_chances, side_values
from pontoon.cards import PACK, Card, points
from pontoon.cards.card import is_red
from pontoon.cli import main
from pontoon.rulebook import NAMES, load


@pytest.mark.parametrize("decks", [1, 2])
def test_pair_chances_are_what_counting_every_order_of_two_cards_gives(decks):
    kinds = Counter(pair_kind(*pair) for pair in permutations(list(PACK) * decks, 2))
    total = sum(kinds.values())
    for kind, chance in row_chances(load("canberra").side[0], decks).items():
        assert chance == Fraction(kinds[kind], total)


def pair_kind(first: Card, second: Card) -> str:
    if first[0] != second[0]:
        return ""
    return "perfect" if first == second else "coloured" if is_red(first) == is_red(second) else "mixed"


def value(rulebook: str, name: str, decks: int) -> Fraction:
    return next(row.value for row in side_values(load(rulebook), decks) if row.name == name)


def test_canberra_18_12_perfect_pairs_favours_the_player_at_eight_packs():
    assert value("canberra", "Perfect Pairs", 8) == Fraction(15, 383)
    assert value("canberra", "Perfect Pairs", 3) < 0


def test_canberra_18_23_pairs_play():
    assert value("canberra", "Pairs Play", 8) == Fraction(12 * 31, 383) - 1


@pytest.mark.parametrize("name", ["star", "adelaide"])
def test_perfect_pairs_at_5_10_25(name):
    assert value(name, "Perfect Pairs", 8) == Fraction(7 * 26 + 8 * 11 + 16 * 6, 383) - 1


@pytest.mark.parametrize("name", NAMES)
def test_insurance_is_a_bet_on_pictures(name):
    for held, words in enumerate(("no picture", "one picture", "two pictures")):
        tens = 8 * sum(points(card) == 10 for card in PACK) - held
        assert value(name, f"Insurance, holding {words}", 8) == Fraction(3 * tens, 381) - 1


@pytest.mark.parametrize("name", NAMES)
def test_chances_of_a_wager_sum_to_one(name):
    for decks in load(name).decks.allowed:
        for row in side_values(load(name), decks):
            assert sum(outcome.chance for outcome in row.outcomes) == 1


def test_perfect_pairs_are_offered_only_with_the_packs_that_allow_them():
    assert side_values(load("adelaide"), 6)[0].name == "Perfect Pairs"
    assert not any(row.name == "Perfect Pairs" for row in side_values(load("adelaide"), 3))


def test_a_value_of_nothing_favours_nobody():
    values = Fraction(1, 9), Fraction(0), Fraction(-1, 9)
    assert [SideValue("", (), value, ()).favours for value in values] == ["player", "nobody", "house"]


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(["side", *arguments])
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def test_the_command_says_plainly_who_is_favoured(capsys):
    status, out, _ = run(capsys, "canberra")
    assert status == 0
    assert "Perfect Pairs: +3.9164% a unit, IN THE PLAYER'S FAVOUR" in out
    assert "Pairs Play: -2.8721% a unit, in the house's favour" in out
    data = json.loads(run(capsys, "star", "--decks", "6", "--json")[1])
    assert (data["decks"], data["wagers"][0]["favours"]) == (6, "house")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["star", "--decks", "7"], "pontoon: --packs 7: this document allows 6, 8"),
        (["vegas"], "pontoon side: argument RULEBOOK: no rulebook 'vegas'"),
        (["star", "--set", "split.hands=1"], "pontoon: no option 'split.hands'"),
    ],
)
def test_bad_input_is_one_clear_line(capsys, arguments, words):
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(words)
    assert err.count("\n") == 1


def test_adelaide_1_h_a_compulsory_side_bet_changes_nothing_of_the_pontoon_wager():
    compulsory = load("adelaide", {"side.perfect_pairs.compulsory": True})
    asked = (("8s", "8h"), "7d")
    assert Solver(compulsory, 8).action_values(*asked) == Solver(load("adelaide"), 8).action_values(*asked)

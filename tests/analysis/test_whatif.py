"""What a rule is worth: a freer rule never hurts, a harder one never helps; every ambiguity is priced or explained."""

from __future__ import annotations

import json
from functools import cache

import pytest

from pontoon.analysis import Solver
from pontoon.analysis.whatif import KEYS, _table, alternatives, ambiguities, what_if
from pontoon.cli import main
from pontoon.rulebook import NAMES, load, override
from pontoon.rulebook.schema import SECTIONS

LITTLE = 1e-9
FREER = (
    "split.max_hands",
    "draw.forced_below",
    "double.two_cards_only",
    "double.fixed_aces",
    "dealer.pontoon_collects",
    "surrender.first_cards",
    "super_bonus.offered",
    "payout.pontoon",
)


@cache
def star():
    return {(change.key, change.value): change for change in what_if(load("star"), 6, keys=FREER)}


def test_freer_rules_never_hurt():
    found = star()
    worth = {pair: change.worth for pair, change in found.items()}
    assert worth["split.max_hands", "1"] < 0 < worth["split.max_hands", "3"] <= worth["split.max_hands", "4"] + LITTLE
    assert worth["draw.forced_below", "12"] <= LITTLE
    assert worth["draw.forced_below", "17"] <= worth["draw.forced_below", "12"]
    assert worth["double.two_cards_only", "true"] < 0
    assert worth["double.fixed_aces", "none"] >= worth["double.fixed_aces", "initial_deal"] - LITTLE
    assert worth["double.fixed_aces", "initial_deal"] >= worth["double.fixed_aces", "first_two_of_hand"] - LITTLE
    assert worth["double.fixed_aces", "first_two_of_hand"] >= -LITTLE
    assert worth["dealer.pontoon_collects", "all"] < 0 < worth["dealer.pontoon_collects", "original_tracked"]
    assert worth["surrender.first_cards", "[]"] <= LITTLE
    assert worth["surrender.first_cards", json.dumps([*"A23456789JQK"], separators=(",", ":"))] >= -LITTLE
    assert worth["super_bonus.offered", "false"] < 0


def test_a_change_says_what_it_changes():
    change = star()["payout.pontoon", "1:1"]
    assert change.was == "3:2"
    assert change.clauses == load("star").clauses("payout.pontoon")
    assert change.sentence == "Pontoon pays 1:1."
    assert change.was_sentence == "Pontoon pays 3:2."
    pontoons = 2 * 24 * 72 / (288 * 287)
    assert change.worth == pytest.approx(-pontoons / 2, abs=1e-9)


def test_changes_are_what_the_solver_says():
    change = star()["split.max_hands", "3"]
    value = Solver(override(load("star"), {"split.max_hands": 3}), 6).value() - Solver(load("star"), 6).value()
    assert change.worth == pytest.approx(value, abs=1e-12)


def test_best_first():
    worth = [change.worth for change in what_if(load("star"), 6, keys=["split.max_hands", "payout.pontoon"])]
    assert worth == sorted(worth, reverse=True)


def test_what_a_rulebook_does_not_offer_is_not_changed():
    assert what_if(load("adelaide"), 3, keys=["super_bonus.lower"]) == ()


def test_a_value_that_contradicts_the_rest_is_left_out():
    rules = override(load("star"), {"dealer.stands_hard": 16, "dealer.stands_soft": 16})
    assert what_if(rules, 6, keys=["dealer.stands_hard"]) == (), "to stand on hard 17 and soft 16 is no rule"


@pytest.mark.parametrize("name", NAMES)
def test_every_key_has_alternatives_that_differ(name):
    rules = load(name)
    for key in KEYS:
        section, _, field = key.partition(".")
        assert field in SECTIONS[section].__struct_fields__
        for value in alternatives(rules, key):
            if rules.super_bonus.offered or section != "super_bonus":
                assert override(rules, {key: value}).overrides, (key, value)


def test_every_ambiguity_is_in_the_table():
    table = _table()
    assert list(table) == [f"A{number}" for number in range(1, 73)]
    for number, entry in table.items():
        kinds = [kind for kind in ("readings", "none", "no_option") if kind in entry]
        assert len(kinds) == 1, number
        assert set(entry.get("rulebooks", ())) <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_our_reading_comes_first_and_every_reading_can_be_set(name):
    rules = load(name)
    for number, entry in _table().items():
        readings = entry.get("readings", {})
        rows = readings.get(name, readings.get("every", []) if name in entry.get("rulebooks", ()) else [])
        for place, row in enumerate(rows):
            changed = override(rules, row["set"]).overrides
            assert bool(changed) == (place > 0), (number, row)


def test_the_price_of_an_ambiguity():
    found = {ambiguity.number: ambiguity for ambiguity in ambiguities(load("star"), 6)}
    assert "A1" not in found, "it is about division-15"
    ours, other = found["A29"].readings
    assert ours.ours
    assert not other.ours
    assert ours.difference == 0
    assert other.difference == pytest.approx(star()["split.max_hands", "3"].worth, abs=1e-12)
    assert found["A6"].readings[1].difference == pytest.approx(0, abs=LITTLE)
    assert [result.number for result in found.values() if result.readings] == ["A2", "A6", "A16", "A27", "A29"]
    assert found["A7"].none
    assert found["A64"].no_option


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(["whatif", *arguments])
    return ended.value.code, capsys.readouterr()


@pytest.fixture
def few_keys(monkeypatch):
    import pontoon.analysis.whatif as library

    monkeypatch.setitem(library.what_if.__kwdefaults__, "keys", ("payout.pontoon", "payout.sevens_spades", "split.by"))


@pytest.mark.usefixtures("few_keys")
def test_json(capsys):
    status, shown = run(capsys, "star", "--decks", "6", "--json")
    data = json.loads(shown.out)
    assert status == 0
    assert data["ev"] == pytest.approx(float(Solver(load("star"), 6).value()), abs=1e-12)
    assert set(data["changes"][0]) == {"key", "was", "value", "worth", "clauses", "sentence", "was_sentence"}
    assert [ambiguity["number"] for ambiguity in data["ambiguities"]] == ["A2", "A6", "A16", "A27", "A29"]
    for ambiguity in data["ambiguities"]:
        assert ambiguity["readings"][0]["ours"]
    assert data["no_effect"]
    assert data["no_option"]


@pytest.mark.usefixtures("few_keys")
def test_text(capsys):
    status, shown = run(capsys, "star", "--decks", "6")
    assert status == 0
    assert "payout.pontoon = 1:1" in shown.out
    assert "[STAR-ODDS-1 STAR-PLAY-6]" in shown.out
    assert "No effect at this stake" in shown.out
    assert "none below $5" in shown.out
    assert max(map(len, shown.out.splitlines())) <= 100


@pytest.mark.parametrize(
    ("arguments", "words"), [(("star", "--decks", "5"), "allows 6, 8"), (("star", "--set", "a.b=1"), "no option")]
)
def test_bad_input_is_one_line(capsys, arguments, words):
    status, shown = run(capsys, *arguments)
    assert status == 2
    assert words in shown.err
    assert len(shown.err.splitlines()) == 1

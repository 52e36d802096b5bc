"""Effects of removal and the count based on them."""

from __future__ import annotations

import json
from functools import cache

import pytest

from pontoon.analysis import Shoe, Solver
from pontoon.analysis.count import best_tags, correlation, count_of, insurance_effects, shoe_at
from pontoon.cards import PACK, RANKS, Card
from pontoon.cli import main
from pontoon.rulebook import load

SEEN: list[float] = []


@cache
def star():
    return count_of(load("star"), 6, "10", SEEN.append)


def test_removing_a_card_and_averaging_gives_back_the_value():
    """Knowing a removed card can only help, and with one card of 288 it helps little."""
    mean = sum(one.effect for one in star().removals) / 12
    assert -1e-12 <= mean < 2e-5


def test_effects_are_what_the_solver_says():
    solver = Solver(load("star"), 6)
    fresh, effects = solver.value(), {one.rank: one for one in star().removals}
    assert tuple(effects) == RANKS
    for rank in "A7":
        values = [solver.with_shoe(solver.shoe.without((Card(rank + suit),))).value() - fresh for suit in "hs"]
        assert effects[rank].effect == pytest.approx((3 * values[0] + values[1]) / 4, abs=1e-12)
        assert effects[rank].spade == pytest.approx(values[1], abs=1e-12)
    assert effects["J"].effect == effects["Q"].effect == effects["K"].effect
    assert effects["5"].per_pack == pytest.approx(effects["5"].effect * 287 / 47)


def test_low_cards_gone_are_good_aces_and_pictures_gone_are_bad():
    effects = {one.rank: one.effect for one in star().removals}
    assert min(effects, key=lambda rank: effects[rank]) == "A"
    assert max(effects, key=lambda rank: effects[rank]) == "5"
    assert effects["K"] < 0


def test_counts_are_balanced_and_better_with_larger_tags():
    systems = star().systems
    for one in systems:
        assert sum(one.tags.values()) == 0
        assert max(map(abs, one.tags.values())) <= one.level
    fits = [one.betting_correlation for one in systems]
    assert fits == sorted(fits)
    assert 0.9 < fits[0] <= fits[-1] < 1


def test_the_count_tells_a_good_shoe():
    found = star()
    values = [ev for true_count, ev in found.ev_by_count if -10 <= true_count <= 10]
    assert values == sorted(values)
    assert dict(found.ev_by_count)[0.0] == pytest.approx(found.ev, abs=1e-12)
    assert found.ev_per_count > 0
    assert found.even_at is not None
    assert 0 < found.even_at < 3


def test_the_insurance_index_is_where_a_third_of_the_shoe_is_pictures():
    found = star()
    assert found.insurance_index is not None
    squares = 4 * sum(tag * tag for tag in found.tags.values())
    share = 12 * (1 - found.insurance_index * found.tags["K"] / squares) / 48
    assert share == pytest.approx(1 / 3)
    assert found.insurance_correlation == pytest.approx(correlation(found.tags, insurance_effects()))


def test_an_index_is_where_two_decisions_are_worth_the_same():
    found = star()
    assert len(found.indices) == 12
    assert [one.worth for one in found.indices] == sorted((one.worth for one in found.indices), reverse=True)
    index = next(one for one in found.indices if (one.hand, one.dealer) == ("hard 16", "K"))
    assert (index.basic, index.deviation, index.above) == ("hit", "surrender", True)
    for moved, best in ((0, "hit"), (3, "surrender")):  # true counts of 0 and 10
        solver = Solver(load("star"), 6, shoe=shoe_at(Shoe.of_packs(6), found.tags, moved))
        values = {one.action: one.value for one in solver.action_values((Card("9c"), Card("7d")), Card("Kh"))}
        assert max(("hit", "surrender"), key=lambda action: values[action]) == best


def test_a_shoe_at_a_count_keeps_its_number_of_cards():
    tags = star().tags
    shoe = shoe_at(Shoe.of_packs(6), tags, 4)
    assert shoe.cards == 288
    left = dict(zip(PACK, shoe.left, strict=True))
    assert sum(tags[card[0]] * count for card, count in left.items()) == -4 * sum(tag * tag for tag in tags.values())


def test_insurance_itself_is_counted_by_pictures():
    assert best_tags(insurance_effects(), 3).betting_correlation == pytest.approx(1)


def test_progress_rises():
    star()
    assert sorted(SEEN) == SEEN
    assert 0.8 < SEEN[-1] <= 1


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(["count", *arguments])
    return ended.value.code, capsys.readouterr()


@pytest.fixture
def once(monkeypatch):
    import pontoon.analysis.count as library

    found = star()
    monkeypatch.setattr(library, "count_of", lambda *_: found)


@pytest.mark.usefixtures("once")
def test_json(capsys):
    status, shown = run(capsys, "star", "--decks", "6", "--json")
    data, found = json.loads(shown.out), star()
    assert status == 0
    assert tuple(data["effects"]) == RANKS
    assert data["effects"]["A"]["effect"] == found.removals[0].effect
    assert data["tags"] == found.tags
    assert set(data["indices"][0]) == {"hand", "dealer", "basic", "deviation", "at", "above", "worth"}
    assert [one["level"] for one in data["systems"]] == [1, 2, 3]


@pytest.mark.usefixtures("once")
def test_text(capsys):
    status, shown = run(capsys, "star", "--decks", "6")
    assert status == 0
    assert "betting correlation" in shown.out
    assert "hard 16  K" in shown.out


@pytest.mark.parametrize(
    ("arguments", "words"), [(("star", "--decks", "5"), "allows 6, 8"), (("star", "--stake", "x"), "not a stake")]
)
def test_bad_input_is_one_line(capsys, arguments, words):
    status, shown = run(capsys, *arguments)
    assert status == 2
    assert words in shown.err
    assert len(shown.err.splitlines()) == 1

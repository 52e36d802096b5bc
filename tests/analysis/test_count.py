"""Effects of removal, counts, indices: exact where they can be, and consistent with the solver and the chart."""

from __future__ import annotations

import json
from functools import cache

import pytest

from pontoon.analysis import Shoe, Solver
from pontoon.analysis.counting.count import Asked, count_of
from pontoon.analysis.counting.tags import (
    TagsError,
    best_tags,
    correlation,
    count_named,
    insurance_effects,
    known_counts,
    multiple_correlation,
    side_count,
    written,
)
from pontoon.analysis.counting.true_count import frequencies, shoe_at, spread_at
from pontoon.cards import PACK, RANKS, Card
from pontoon.cli import main
from pontoon.rulebook import load

SEEN: list[float] = []
HI_LO = count_named("hi-lo")


@cache
def star():
    return count_of(load("star"), 6, "10", SEEN.append, Asked(sides=("A",)))


# --- tags ------------------------------------------------------------------------------------------------


def test_hi_lo_starts_at_minus_four_a_pack():
    assert (HI_LO.imbalance, HI_LO.neutral, HI_LO.level) == (4, -4, 1)
    assert sum(HI_LO.centred.values()) == pytest.approx(0)


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("A=-1,2-6=1,T=-1", known_counts()["hi-lo"].tags),
        ("Hi Lo", known_counts()["hi-lo"].tags),
        ("A:-1 2-6:+1 10:-1", known_counts()["hi-lo"].tags),
        ("5=1,K=-1", dict.fromkeys(RANKS, 0) | {"5": 1, "K": -1}),
    ],
)
def test_tags_are_read(text, tags):
    assert count_named(text).tags == tags
    assert count_named(written(tags)).tags == tags


@pytest.mark.parametrize("text", ["hi-low", "A=x", "A=-1,2-6=", "", "A=100,5=1", "2-6=0"])
def test_other_tags_say_what_to_write(text):
    with pytest.raises(TagsError, match=r"as in A=-1,2-6=1,T=-1"):
        count_named(text)


def test_unbalanced_tags_fit_like_the_balanced_ones_around_their_mean():
    effects = {removal.rank: removal.effect for removal in star().removals}
    assert correlation(HI_LO.tags, effects) == pytest.approx(correlation(HI_LO.centred, effects))
    assert correlation({rank: -tag for rank, tag in HI_LO.tags.items()}, effects) < 0


def test_the_best_count_of_level_one_is_hi_lo_and_beats_every_balanced_one():
    free, balanced = star().systems[:3], star().systems[3:]
    assert free[0].tags == HI_LO.tags
    assert free[0].betting_correlation == pytest.approx(0.961, abs=0.001)
    for one, other in zip(free, balanced, strict=True):
        assert other.imbalance == 0
        assert one.betting_correlation >= other.betting_correlation
        assert one.level == other.level == max(map(abs, one.tags.values()))


def test_insurance_itself_is_counted_by_pictures():
    tags = best_tags(insurance_effects(), 3).tags
    assert correlation(tags, insurance_effects()) == pytest.approx(1)


def test_a_side_count_adds_what_the_tags_do_not_know():
    effects = {removal.rank: removal.effect for removal in star().removals}
    alone = multiple_correlation([HI_LO.tags], effects)
    both = multiple_correlation([HI_LO.centred, side_count("A")], effects)
    assert alone < both < 1
    assert star().with_side_counts.betting_correlation == pytest.approx(both)
    assert multiple_correlation([HI_LO.tags, HI_LO.centred], effects) == pytest.approx(alone)
    every = [side_count(rank) for rank in "A23456789T"]
    assert multiple_correlation(every, effects) == pytest.approx(1, abs=1e-9)


# --- effects of removal ----------------------------------------------------------------------------------


def test_removing_a_card_and_averaging_gives_back_the_value():
    """Knowing a removed card can only help, and with one card of 288 it helps little."""
    mean = sum(removal.effect for removal in star().removals) / 12
    assert -1e-12 <= mean < 2e-5


def test_effects_are_what_the_solver_says():
    solver = Solver(load("star"), 6)
    fresh, effects = solver.value(), {removal.rank: removal for removal in star().removals}
    assert tuple(effects) == RANKS
    for rank in "A7":
        values = [solver.with_shoe(solver.shoe.without((Card(rank + suit),))).value() - fresh for suit in "hs"]
        assert effects[rank].effect == pytest.approx((3 * values[0] + values[1]) / 4, abs=1e-12)
        assert effects[rank].spade == pytest.approx(values[1], abs=1e-12)
    assert effects["J"].effect == effects["Q"].effect == effects["K"].effect
    assert effects["5"].per_pack == pytest.approx(effects["5"].effect * 287 / 47)


# --- true counts -----------------------------------------------------------------------------------------


def test_a_shoe_at_a_count_keeps_its_cards_and_has_the_count():
    shoe = shoe_at(Shoe.of_packs(6), HI_LO, 0.0)
    assert shoe.cards == pytest.approx(288)
    left = dict(zip(PACK, shoe.left, strict=True))
    seen = sum(HI_LO.tags[card[0]] * (6 - count) for card, count in left.items())
    running = HI_LO.neutral * 6 + seen  # as if the cards that are missing had been dealt
    assert running / 6 == pytest.approx(0.0, abs=1e-9)


def test_a_shoe_of_parts_of_cards_is_valued_between_whole_ones():
    """Between 31 and 32 fives the value is nearly linear: the solver does not need whole cards."""
    solver = Solver(load("adelaide"), 8)
    fewer = solver.shoe.without((Card("5h"), Card("5c")))
    half = Shoe(tuple((one + other) / 2 for one, other in zip(solver.shoe.left, fewer.left, strict=True)))
    middle = solver.with_shoe(solver.shoe.without((Card("5h"),))).value()
    assert solver.with_shoe(half).value() == pytest.approx(middle, abs=2e-6)


def test_counts_are_as_frequent_as_random_shoes_have_them():
    """Exactly, over all orders: the variance of the true count after a part of the shoe."""
    import random

    generator = random.Random(5)
    shoe = [card for card in PACK for _ in range(6)]
    counts = []
    for _ in range(4000):
        seen = generator.sample(shoe, 144)
        counts.append((HI_LO.neutral * 6 + sum(HI_LO.tags[card[0]] for card in seen)) / 3)
    mean = sum(counts) / len(counts)
    spread = (sum((count - mean) ** 2 for count in counts) / len(counts)) ** 0.5
    assert mean == pytest.approx(-4, abs=4 * spread / 4000**0.5)
    assert spread == pytest.approx(spread_at(HI_LO, 6, 0.5), rel=0.04)
    found = frequencies(HI_LO, 6, 0.75)
    assert sum(result.share for result in found) == pytest.approx(1)
    assert sum(result.share * result.mean for result in found) == pytest.approx(-4, abs=1e-6)


def test_the_count_tells_a_good_shoe():
    found = star()
    near = [ev for true_count, ev in found.ev_by_count if true_count >= found.neutral - 6]
    assert near == sorted(near)
    assert dict(found.ev_by_count)[float(found.neutral)] == pytest.approx(found.ev, abs=1e-12)
    assert found.ev_per_count > 0.004
    assert found.neutral < found.even_at < found.neutral + 2


def test_the_insurance_index_is_where_a_third_of_the_shoe_is_pictures():
    found = star()
    pictures = sum(shoe_at(Shoe.of_packs(6), HI_LO, found.insurance_index).pictures.values())
    assert pictures / 288 == pytest.approx(1 / 3)
    assert found.insurance_correlation == pytest.approx(correlation(found.tags, insurance_effects()))


# --- indices ---------------------------------------------------------------------------------------------


def test_an_index_is_where_two_decisions_are_worth_the_same():
    found = star()
    assert [index.worth for index in found.indices] == sorted((index.worth for index in found.indices), reverse=True)
    index = next(
        index
        for index in found.indices
        if (index.hand, index.dealer, index.deviation) == ("hard 16", "10", "surrender")
    )
    assert (index.basic, index.above, index.cards) == ("hit", True, "2")
    for away, best in ((-2, "hit"), (3, "surrender")):
        solver = Solver(load("star"), 6, shoe=shoe_at(Shoe.of_packs(6), HI_LO, index.at + away))
        values = {value.action: value.value for value in solver.action_values((Card("9c"), Card("7d")), Card("Kh"))}
        assert max(("hit", "surrender"), key=lambda action: values[action]) == best


def test_indices_except_what_the_chart_excepts():
    """The chart stands on hard 13 against 6 except on 6-7 and on four cards: so do the usual decisions here."""
    usual = {
        (index.cards, index.suits): index.basic
        for index in star().indices
        if (index.hand, index.dealer) == ("hard 13", "6")
    }
    assert usual["2", ""] == "stand"
    assert usual["2", "6-7, 6-8, 7-8"] == "hit"
    assert usual["4", ""] == "hit"


def test_there_are_indices_for_every_kind_of_decision():
    found = star().indices
    kinds = {(result.basic, result.deviation) for result in found}
    assert {("hit", "surrender"), ("hit", "split"), ("double", "hit"), ("stand", "hit")} <= kinds
    assert {result.deviation for result in found if result.hand.startswith("doubled")} <= {"keep", "forfeit"}
    assert any(result.hand.startswith("doubled") for result in found)
    assert {result.cards for result in found} >= {"2", "3", "4", "5", "6"}
    assert all(0 <= result.correlation <= 1 for result in found)
    assert star().index_gain <= sum(result.worth for result in found)
    assert 0.3 < star().fit.playing_efficiency < star().with_side_counts.playing_efficiency < 1


def test_progress_rises():
    star()
    assert sorted(SEEN) == SEEN
    assert 0.8 < SEEN[-1] <= 1


# --- the command -----------------------------------------------------------------------------------------


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(["count", *arguments])
    return ended.value.code, capsys.readouterr()


@pytest.fixture
def once(monkeypatch, tmp_path):
    import pontoon.analysis.counting.count as counts
    from pontoon import library

    found = star()
    monkeypatch.setattr(library, "_cache_folder", lambda: tmp_path)
    monkeypatch.setattr(counts, "count_of", lambda *_: found)


@pytest.mark.usefixtures("once")
def test_json(capsys):
    status, shown = run(capsys, "star", "--decks", "6", "--json")
    data, found = json.loads(shown.out), star()
    assert status == 0
    assert [removal["rank"] for removal in data["removals"]] == list(RANKS)
    assert data["removals"][0]["effect"] == found.removals[0].effect
    assert data["tags"] == found.tags
    assert set(data["indices"][0]) >= {"hand", "dealer", "cards", "basic", "deviation", "at", "above", "worth"}
    assert [system["level"] for system in data["systems"]] == [1, 2, 3, 1, 2, 3]
    assert data["frequencies"][0]["share"] > 0


@pytest.mark.usefixtures("once")
def test_text(capsys):
    status, shown = run(capsys, "star", "--decks", "6", "--all")
    assert status == 0
    assert "betting correlation" in shown.out
    assert "the running count starts at -4 a pack" in shown.out
    assert "with a side count of A" in shown.out
    assert "never reached" in shown.out or "nothing" in shown.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("star", "--decks", "5"), "allows 6, 8"),
        (("star", "--stake", "x"), "not a stake"),
        (("star", "--tags", "hi-low"), "did you mean hi-lo?"),
        (("star", "--side-count", "Z"), "not a list of ranks"),
    ],
)
def test_bad_input_is_one_line(capsys, arguments, words):
    status, shown = run(capsys, *arguments)
    assert status == 2
    assert words in shown.err
    assert len(shown.err.splitlines()) == 1

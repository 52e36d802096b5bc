"""Counting practice: the tags of a count, and hands on which the true count asks for another play."""

from __future__ import annotations

import pytest

from pontoon.cards import Card, total
from pontoon.rulebook import load
from pontoon.trainer import counting
from pontoon.trainer.counting import CountTags, Deviation, Wanted, count_plays, tag_of
from pontoon.trainer.values import game_of

HI_LO = (("A", -1), *((rank, 1) for rank in "23456"), *((rank, 0) for rank in "789"), ("JQK", -1))
ROWS = (
    Deviation("hard 14", "3", "hit", "stand", 0.8, above=True),
    Deviation("hard 11", "10", "double", "hit", -1.5, above=False),
    Deviation("9-9", "4", "split", "stand", -2.0, above=False),
    Deviation("hard 16", "10", "hit", "surrender", 1.0, above=True),
    Deviation("doubled 17", "9", "keep", "forfeit", 0.0, above=True),
)
GAME = game_of(load("star"), 8, 2500)


@pytest.fixture
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "deviations", lambda _: ROWS)
    monkeypatch.setattr(counting, "count_tags", lambda game: CountTags("ready", game.packs, HI_LO, ""))


@pytest.mark.usefixtures("_known")
def test_a_hand_is_to_be_played_as_its_index_says():
    plays = count_plays(Wanted(GAME, 7, 20)).plays
    assert len(plays) == 20
    rows = {("hit", "stand"): ROWS[0], ("double", "hit"): ROWS[1], ("split", "stand"): ROWS[2]}
    for play in plays:
        row = next(row for (basic, _), row in rows.items() if basic == play.basic)
        beyond = play.true_count > row.at if row.above else play.true_count < row.at
        assert play.best == (row.deviation if beyond else row.basic), play
        assert abs(play.true_count - row.at) >= counting.MARGIN
        assert play.rule == counting.rule_words(row)
    assert {play.best == play.basic for play in plays} == {True, False}


@pytest.mark.usefixtures("_known")
def test_the_cards_lead_from_the_count_before_to_the_count_of_the_hand():
    tags = CountTags("ready", 8, HI_LO, "")
    for play in count_plays(Wanted(GAME, 3, 20)).plays:
        seen = (*play.cards, *play.hand, play.dealer)
        assert play.before + sum(tag_of(tags, card) for card in seen) == play.running
        assert play.true_count == play.running / play.packs_left
        assert {play.best, play.basic} <= {*play.may}
        assert total(play.hand).points in (11, 14, 18)


@pytest.mark.usefixtures("_known")
def test_the_seed_chooses_the_hands():
    first, again, other = (count_plays(Wanted(GAME, seed, 5)) for seed in (1, 1, 2))
    assert first == again != other


def test_without_an_index_there_is_nothing_to_practise(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(counting, "deviations", lambda _: ())
    monkeypatch.setattr(counting, "count_tags", lambda game: CountTags("ready", game.packs, HI_LO, ""))
    assert count_plays(Wanted(GAME, 1, 5)).plays == ()


@pytest.mark.slow
def test_the_indices_are_those_of_the_count_command(monkeypatch: pytest.MonkeyPatch, tmp_path):
    from pontoon.analysis.counting.count import Asked, count_of
    from pontoon.analysis.counting.tags import Tags

    monkeypatch.setenv("PONTOON_CACHE", str(tmp_path))
    counting.deviations.cache_clear()
    tags = counting.count_tags(GAME)
    count = Tags("practice", {rank: tag_of(tags, Card(f"{rank}s")) for rank in counting.RANKS})
    found = count_of(load("star"), 8, GAME.stake, asked=Asked(count)).indices
    known = {(index.hand, index.dealer, index.deviation): index.at for index in found if index.cards == "2"}
    rows = counting.deviations(GAME)
    assert len(rows) == counting.MOST_INDICES
    assert all(known[row.hand, row.dealer, row.deviation] == row.at for row in rows)
    counting.deviations.cache_clear()
    assert counting.deviations(GAME) == rows  # from the cache

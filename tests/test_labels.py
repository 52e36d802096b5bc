"""Every rule has a label, and every value offered for it is one the rulebook takes."""

from contextlib import suppress

import pytest

from pontoon.rulebook import NAMES, RulebookError, load, override, plain_value
from pontoon.rulebook.labels import groups, labels_of, words_of
from pontoon.rulebook.overrides import options_of

KEYS = sorted({key for name in NAMES for key, _, _ in options_of(load(name))})
PLAYERS = ["deal", "doubling", "splitting", "dealer", "payouts", "bonuses", "surrender", "side"]


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_has_exactly_one_label(name):
    book = load(name)
    listed = [label.key for group in groups(book) for label in group.labels]
    assert len(listed) == len(set(listed))
    assert set(listed) == {key for key, _, _ in options_of(book)}


def test_the_groups_a_player_asks_for_come_first():
    found = groups(load("canberra"))[: len(PLAYERS)]
    assert [group.name for group in found] == PLAYERS
    assert all(any(label.main for label in group.labels) for group in found)


@pytest.mark.parametrize("key", KEYS)
def test_every_value_offered_is_read_back_as_it_is_offered(key):
    taken = set()
    for name in NAMES:
        label = labels_of(load(name)).get(key)
        if label is None:  # a side bet that this casino does not have
            continue
        assert len({option.words for option in label.options}) == len(label.options), "they can be told apart"
        for option in label.options:
            with suppress(RulebookError):  # fine alone, but perhaps not with the rest of this book
                book = override(load(name), {key: option.value})
                taken.add(str(option.value))
                assert plain_value(book, key) == option.value
    assert len(taken) > 1, "there is something to choose"


@pytest.mark.parametrize("name", NAMES)
def test_a_rulebooks_own_values_are_among_those_offered(name):
    book = load(name)
    for label in labels_of(book).values():
        assert plain_value(book, label.key) in [option.value for option in label.options]
        assert words_of(book, label.key)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("super_bonus.lower", "1234.00", "$1,234"),
        ("super_bonus.lower", "1234.50", "$1,234.50"),
        ("payout.pontoon", "7:5", "7 to 5"),
        ("surrender.first_cards", ["A"], "A"),
        ("shoe.checked_by", ["pit_boss"], "pit boss"),
        ("draw.absent_below", 14, "14"),
        ("side.perfect_pairs.pays.perfect", "27:2", "27 to 2"),
        ("side.perfect_pairs.pays.perfect", "500:1", "500 to 1"),
    ],
)
def test_a_value_nobody_has_offered_is_shown_too(key, value, words):
    book = load("star", {key: value})
    assert words_of(book, key) == words

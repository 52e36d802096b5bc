"""Every rule has a label, and every value offered for it is one the rulebook takes."""

import pytest

from pontoon.rulebook import NAMES, load, plain_value
from pontoon.rulebook.contradictions import contradictions
from pontoon.rulebook.labels import groups, labels, options_of, words_of
from pontoon.rulebook.load import RulebookError, override
from pontoon.rulebook.schema import SECTIONS

KEYS = {f"{name}.{field}" for name, section in SECTIONS.items() for field in section.__struct_fields__}


def test_every_rule_has_exactly_one_label():
    listed = [label.key for group in groups() for label in group.labels]
    assert len(listed) == len(set(listed))
    assert set(listed) == KEYS


def test_the_groups_a_player_asks_for_come_first():
    names = ["deal", "doubling", "splitting", "dealer", "payouts", "bonuses", "surrender", "side"]
    assert [group.name for group in groups()][: len(names)] == names
    assert all(any(label.main for label in group.labels) for group in groups()[: len(names)])


@pytest.mark.parametrize("key", sorted(KEYS))
def test_every_value_offered_is_read_back_as_it_is_offered(key):
    label = labels()[key]
    assert len(label.options) > 1, "there is something to choose"
    assert len({option.words for option in label.options}) == len(label.options), "and it can be told apart"
    taken = 0
    for option in label.options:
        for name in NAMES:
            try:
                book = override(load(name), {key: option.value})
            except RulebookError as error:  # fine alone, but not with the rest of this book
                assert key.partition(".")[0] in str(error)
                continue
            taken += 1
            assert plain_value(book, key) == option.value
            assert contradictions(book) == []
    assert taken


@pytest.mark.parametrize("name", NAMES)
def test_a_rulebooks_own_values_are_among_those_offered(name):
    book = load(name)
    for key, label in labels().items():
        assert plain_value(book, key) in [option.value for option in options_of(book, label)]
        assert words_of(book, key)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("super_bonus.lower", "1234.00", "$1,234"),
        ("super_bonus.lower", "1234.50", "$1,234.50"),
        ("payout.pontoon", "7:5", "7 to 5"),
        ("surrender.first_cards", ["A"], "A"),
        ("shoe.checked_by", ["pit_boss"], "pit boss"),
        ("draw.absent_below", 14, "14"),
    ],
)
def test_a_value_nobody_has_offered_is_shown_too(key, value, words):
    assert words_of(load("star", {key: value}), key) == words

"""Rulebooks load, every value has a sentence and a clause, and a bad one is refused with one clear line."""

from importlib import resources
from typing import Literal, get_args, get_origin

import pytest

from pontoon.money import Odds
from pontoon.rulebook import NAMES, RulebookError, digest, load, override, parse_setting, plain_value, read
from pontoon.rulebook.contradictions import contradictions
from pontoon.rulebook.diff import differences
from pontoon.rulebook.explain import HEADINGS, _idle, citing, explain, summary
from pontoon.rulebook.overrides import options_of
from pontoon.rulebook.register import register
from pontoon.rulebook.schema import CITES, SECTIONS, Cites
from pontoon.rulebook.values import fields, show

FIELDS = list(options_of(load("canberra")))


def text_of(name: str) -> str:
    return (resources.files("pontoon.rulebook") / "books" / f"{name}.toml").read_text("utf-8")


def altered(key: str, entry: str) -> str:
    """The text of the star's rulebook with the line of one key replaced by another, or removed."""
    section, _, field = key.partition(".")
    lines, here, found = [], "", 0
    for line in text_of("star").splitlines():
        here = line.strip("[]") if line.startswith("[") else here
        if here == section and line.split("=")[0].strip() == field:
            found += 1
            lines.append(entry)
        else:
            lines.append(line)
    assert found == 1, key
    return "\n".join(lines)


def complaint(text: str) -> str:
    with pytest.raises(RulebookError) as caught:
        read(text, "mine.toml")
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("mine.toml: ")
    return message


# --- the five ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_rulebook_loads_without_contradiction(name):
    book = load(name)
    assert book.about.name == name
    assert contradictions(book) == []
    assert book.overrides == ()


@pytest.mark.parametrize("name", NAMES)
def test_every_cited_clause_is_in_the_register(name):
    numbers = {clause.number for clause in register(name)}
    cited = {(key, clause) for key, source in load(name).sources.items() for clause in source.clauses}
    assert [(key, one) for key, one in sorted(cited) if one not in numbers] == []


@pytest.mark.parametrize("name", NAMES)
def test_where_no_clause_stands_a_note_says_why(name):
    assert [key for key, source in load(name).sources.items() if not source.clauses and not source.note] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_value_reads_back_as_it_is_written(name):
    book = load(name)
    again = override(book, {key: plain_value(book, key) for key, _, _ in options_of(book)})
    assert again == book
    assert digest(again) == digest(book)


def test_the_digests_differ():
    assert len({digest(load(name)) for name in NAMES}) == len(NAMES)


@pytest.mark.parametrize(("key", "says", "kind"), FIELDS)
def test_every_value_has_its_sentence(key, says, kind):
    if get_origin(kind) is Literal:
        assert set(says.text) == set(get_args(kind))
        assert all(text.endswith(".") for text in says.text.values())
    elif kind is bool:
        assert says.text.endswith(".")
        assert says.no.endswith(".")
        assert says.text != says.no
    else:
        assert says.text.count("{}") == 1, key
        assert says.text.endswith(".")
        assert says.example


@pytest.mark.parametrize(("field", "says"), [(field, says) for field, (says, _) in fields(Cites).items()])
def test_every_cite_has_its_sentence(field, says):
    assert says.text.endswith("."), field
    assert "{}" not in says.text


def test_an_unknown_rulebook_is_answered_with_those_there_are():
    with pytest.raises(RulebookError, match="no rulebook 'paris'; there are division-15, star"):
        load("paris")


# --- bad files -----------------------------------------------------------------------------------------

ENTRY = '{ value = 3, clauses = ["STAR-SPLIT-1"] }'
BAD = {
    "unknown key": (
        "split.by",
        f"wings = {ENTRY}",
        ["split.wings is {", "unknown key; known here: by, co_bettor, decline_locks, max_hands"],
    ),
    "unknown key of two lines": ("split.by", f'"a\\nb" = {ENTRY}', [r"split.a\nb is {", "unknown key"]),
    "missing key": (
        "split.max_hands",
        "",
        ["split.max_hands is missing; write it, as in max_hands = 3"],
    ),
    "missing title": ("about.title", "", ["about.title is missing; write it, as in title = "]),
    "empty title": ("about.title", 'title = ""', ["about.title is ''", 'as in "The Star"']),
    "number as title": ("about.title", "title = 3", ["about.title is 3", 'as in "The Star"']),
    "two lines as title": ("about.title", 'title = "a\\nb"', ["about.title is ", "a line of text is needed"]),
    "a name with a space": ("about.name", 'name = "My Casino"', ["about.name is 'My Casino'", 'as in "my-casino"']),
    "word for a number": (
        "split.max_hands",
        'max_hands = { value = "two", clauses = ["x"] }',
        ["split.max_hands is 'two'; a whole number is needed, as in 3"],
    ),
    "yes for a number": (
        "split.max_hands",
        'max_hands = { value = true, clauses = ["x"] }',
        ["split.max_hands is True; a whole number is needed, as in 3"],
    ),
    "number for yes or no": (
        "double.for_less",
        'for_less = { value = 1, clauses = ["x"] }',
        ["double.for_less is 1; true or false is needed"],
    ),
    "number for a list": (
        "decks.allowed",
        'allowed = { value = 6, clauses = ["x"] }',
        ["decks.allowed is 6; a list of whole numbers is needed, as in [6, 8]"],
    ),
    "words in a list of numbers": (
        "decks.allowed",
        'allowed = { value = ["6"], clauses = ["x"] }',
        ["decks.allowed is ['6']; a list of whole numbers is needed, as in [6, 8]"],
    ),
    "numbers in a list of words": (
        "surrender.first_cards",
        'first_cards = { value = [1], clauses = ["x"] }',
        ["surrender.first_cards is [1]; a list of words is needed, as in"],
    ),
    "unknown choice": (
        "split.by",
        'by = { value = "suit", clauses = ["x"] }',
        ["split.by is 'suit'; one of value, rank is needed"],
    ),
    "too many": (
        "split.max_hands",
        'max_hands = { value = 5, clauses = ["x"] }',
        ["split.max_hands is 5; a number from 1 to 4 is needed, as in 3"],
    ),
    "too few": (
        "split.max_hands",
        'max_hands = { value = 0, clauses = ["x"] }',
        ["split.max_hands is 0; a number from 1 to 4 is needed, as in 3"],
    ),
    "bad odds": (
        "payout.pontoon",
        'pontoon = { value = "3 to 2", clauses = ["x"] }',
        ["payout.pontoon is '3 to 2'", 'as in "3:2"'],
    ),
    "odds as a fraction": (
        "payout.pontoon",
        'pontoon = { value = 1.5, clauses = ["x"] }',
        ["payout.pontoon is 1.5", 'as in "3:2"'],
    ),
    "bad money": (
        "super_bonus.upper",
        'upper = { value = 5000, clauses = ["x"] }',
        ["super_bonus.upper is 5000", 'as in "5000"'],
    ),
    "a word too many": (
        "split.by",
        'by = { value = "rank", clauses = ["x"], why = "so" }',
        ["split.by.why is 'so'; unknown key; known here: clauses, note, silent, value"],
    ),
    "a cite with a value": (
        "cites.bust",
        'bust = { value = 1, clauses = ["x"] }',
        ["cites.bust.value is 1; unknown key"],
    ),
    "clauses not in a list": (
        "split.by",
        'by = { value = "rank", clauses = "13.4(a)" }',
        ["split.by.clauses is '13.4(a)'", 'as in ["13.4(a)"]'],
    ),
    "clauses as numbers": (
        "split.by",
        'by = { value = "rank", clauses = [13.4] }',
        ["split.by.clauses is [13.4]", 'as in ["13.4(a)"]'],
    ),
    "a note that is no text": (
        "split.by",
        'by = { value = "rank", clauses = ["x"], note = 29 }',
        ["split.by.note is 29; a text is needed"],
    ),
    "a silence that is neither": (
        "split.by",
        'by = { value = "rank", silent = "no" }',
        ["split.by.silent is 'no'; true or false is needed"],
    ),
    "no value": ("split.by", 'by = { clauses = ["x"] }', ["split.by.value is missing"]),
    "a contradiction": (
        "decks.default",
        'default = { value = 7, clauses = ["x"] }',
        ["decks.default is 7, which decks.allowed does not name"],
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_rulebook_is_refused_in_one_line(case):
    key, entry, parts = BAD[case]
    message = complaint(altered(key, entry))
    assert [part for part in parts if part not in message] == []


@pytest.mark.parametrize("section", ["about", "split", "cites"])
def test_a_section_must_be_a_table(section):
    before, _, after = text_of("star").partition(f"[{section}]")
    following = "".join(after.partition("\n[")[1:])
    message = complaint(f"{section} = 3\n{before}{following}")
    assert message == f"mine.toml: {section} is 3; a table is needed, as in [{section}]"


def test_a_section_must_be_there():
    assert complaint(text_of("star").replace("[settle]", "[settling]")).startswith("mine.toml: settling is {")


def test_what_is_not_toml_says_where():
    assert complaint("[about\nname").startswith("mine.toml: not TOML: ")


# --- values that do not go together ---------------------------------------------------------------------

CONTRADICTIONS = [
    ("star", {"decks.allowed": []}, "decks.allowed must name numbers from 1 to 8, as in [6, 8]"),
    ("star", {"decks.allowed": [0, 6, 8]}, "decks.allowed must name numbers from 1 to 8"),
    ("star", {"decks.allowed": [6, 8, 9]}, "decks.allowed must name numbers from 1 to 8"),
    ("star", {"decks.default": 7}, "decks.default is 7, which decks.allowed does not name"),
    ("star", {"side.perfect_pairs.decks": [7]}, "side.perfect_pairs.decks names a number of packs"),
    ("star", {"side.perfect_pairs.decks": []}, "side.perfect_pairs.decks allows no number of packs"),
    (
        "star",
        {"side.perfect_pairs.offered": False, "side.perfect_pairs.compulsory": True},
        "side.perfect_pairs.compulsory asks for a side bet that is not offered",
    ),
    (
        "star",
        {"side.perfect_pairs.minimum": "10", "side.perfect_pairs.maximum": "5"},
        "side.perfect_pairs.minimum is above side.perfect_pairs.maximum",
    ),
    (
        "star",
        {"side.perfect_pairs.minimum": "3", "side.perfect_pairs.multiple": "2"},
        "side.perfect_pairs.minimum and side.perfect_pairs.maximum must be multiples of side.perfect_pairs.multiple",
    ),
    ("star", {"side.perfect_pairs.instead_of": ["wings"]}, "names a side bet that is not in this rulebook"),
    ("star", {"deal.then": ["pontoons", "insurance"]}, "deal.then must name each of side_wagers, pontoons"),
    ("adelaide", {"double.lowest_total": 12}, "double.lowest_total 12 is above double.highest_total 11"),
    ("star", {"surrender.first_cards": ["10"]}, "surrender.first_cards names a rank that is not in the pack"),
    ("star", {"surrender.co_bettor_alone": True}, "surrender.co_bettor_alone contradicts surrender.mode"),
    ("star", {"dealer.stands_soft": 16}, "dealer.stands_soft is below dealer.stands_hard"),
    ("star", {"super_bonus.lower": "9000"}, "super_bonus.lower is above super_bonus.upper"),
]


@pytest.mark.parametrize(("name", "overrides", "words"), CONTRADICTIONS)
def test_a_contradiction_is_refused(name, overrides, words):
    with pytest.raises(RulebookError) as caught:
        load(name, overrides)
    assert str(caught.value).startswith(f"override of {name}: ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


# --- the operator's overrides ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ({"split.hands": 3}, "no option 'split.hands' in a rulebook; an option is written section.key"),
        ({"max_hands": 3}, "no option 'max_hands'"),
        ({"about.name": "mine"}, "no option 'about.name'"),
        ({"cites.bust": ["x"]}, "no option 'cites.bust'"),
        ({"split.max_hands": "3"}, "override of star: split.max_hands is '3'; a whole number is needed, as in 3"),
        ({"split.by": ["rank"]}, "override of star: split.by is ['rank']; one of value, rank is needed"),
        ({"super_bonus.upper": "-1"}, "override of star: super_bonus.upper is '-1'"),
    ],
)
def test_a_bad_override_is_refused(overrides, words):
    with pytest.raises(RulebookError) as caught:
        load("star", overrides)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_override_replaces_the_value_and_keeps_what_was():
    book = load("star", {"split.max_hands": 4, "super_bonus.upper": "6000", "double.for_less": True})
    assert book.split.max_hands == 4
    assert book.super_bonus.upper == 600_000
    assert [(change.key, change.value, change.was) for change in book.overrides] == [
        ("split.max_hands", "4", "2"),
        ("super_bonus.upper", "6000.00", "5000.00"),
        ("double.for_less", "yes", "no"),
    ]
    assert load("star").split.max_hands == 2
    assert digest(book) != digest(load("star"))


def test_an_override_by_the_same_value_is_none():
    book = load("star", {"split.max_hands": 2})
    assert book.overrides == ()
    assert digest(book) == digest(load("star"))


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("split.max_hands=4", "split.max_hands", 4),
        ("double.for_less = true", "double.for_less", True),
        ("split.by=rank", "split.by", "rank"),
        ('split.by="rank"', "split.by", "rank"),
        ("payout.pontoon=6:5", "payout.pontoon", "6:5"),
        ("decks.allowed=[6, 8]", "decks.allowed", [6, 8]),
    ],
)
def test_a_setting_of_the_command_line_reads(text, key, value):
    assert parse_setting(text) == (key, value)


def test_a_setting_needs_its_sign():
    with pytest.raises(RulebookError, match="an override is written key=value"):
        parse_setting("split.max_hands")


@pytest.mark.parametrize(
    ("value", "kind", "shown"), [((), tuple, "none"), (Odds("3:2"), Odds, "3:2"), (False, bool, "no")]
)
def test_values_are_shown_as_a_person_writes_them(value, kind, shown):
    assert show(value, kind) == shown


# --- in plain words -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_value_is_explained_once_in_the_order_of_play(name):
    book = load(name)
    chapters = explain(book)
    assert [chapter.section for chapter in chapters] == list(HEADINGS)
    assert set(HEADINGS) == {*SECTIONS, *CITES, "side"}
    sentences = [sentence for chapter in chapters for sentence in chapter.sentences]
    assert sorted(sentence.key for sentence in sentences) == sorted(book.sources)
    assert all(
        "{" not in sentence.text and sentence.text[-1] == "." and "_" not in sentence.text for sentence in sentences
    )
    assert all(sentence.clauses == book.clauses(sentence.key) for sentence in sentences)
    assert [sentence.key for sentence in sentences if sentence.applies and not sentence.clauses] == []


def sentence_of(key, name, **overrides):
    book = load(name, {over.replace("__", "."): value for over, value in overrides.items()})
    return next(sentence for chapter in explain(book) for sentence in chapter.sentences if sentence.key == key)


@pytest.mark.parametrize(
    ("key", "name", "text"),
    [
        ("decks.allowed", "star", "The game may be dealt from 6 or 8 packs of 48 cards."),
        ("double.for_less", "star", "A double is always equal to the wager."),
        ("double.for_less", "canberra", "A double may be for less than the wager."),
        ("split.by", "star", "Two cards of one point value may be split, K-Q too."),
        ("payout.pontoon", "star", "Pontoon pays 3:2."),
        ("super_bonus.upper", "star", "A larger wager wins $5,000."),
        (
            "deal.then",
            "star",
            "After the initial deal come, in this order: side wagers, pontoons, insurance, surrender.",
        ),
    ],
)
def test_the_sentence_fits_the_value(key, name, text):
    assert sentence_of(key, name).text == text


def test_an_override_is_distinguished_from_the_document():
    assert sentence_of("split.max_hands", "star").was == ""
    assert sentence_of("split.max_hands", "star", split__max_hands=4).was == "2"
    twice = override(load("star", {"split.max_hands": 4}), {"split.max_hands": 3})
    assert {sentence.was for chapter in explain(twice) for sentence in chapter.sentences if sentence.was} == {"2"}


NOTHING_OFFERED = {
    "side.perfect_pairs.offered": False,
    "side.pairs_play.offered": False,
    "surrender.first_cards": [],
    "double.hard_only": True,
    "double.fixed_aces": "none",
    "split.max_hands": 1,
    "dealer.pontoon_collects": "all",
    "super_bonus.offered": False,
}


def test_what_is_not_offered_needs_one_sentence_only():
    book = load("canberra", NOTHING_OFFERED)
    said = {sentence.key for chapter in explain(book) for sentence in chapter.sentences if sentence.applies}
    assert _idle(book) == set(book.sources) - said, "a key that does not exist"
    assert {key for key in said if key.startswith(("super_bonus.", "split.", "surrender."))} == {
        "super_bonus.offered",
        "split.max_hands",
        "surrender.first_cards",
    }


def test_the_values_that_cite_a_clause():
    assert [rule.key for rule in citing(load("canberra"), "7.2")] == ["insurance.third_party", "insurance.others_after"]
    assert citing(load("canberra"), "Index") == ()


def test_the_summary_of_a_rulebook():
    row = summary(load("star", {"super_bonus.upper_from": "12.50"}))
    assert (row.packs, row.max_hands, row.double_on) == ((6, 8), 2, "any cards, 2-20")
    assert row.super_bonus == "$1000, $5000 from $12.50"


# --- differences ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_rulebook_does_not_differ_from_itself(name):
    assert differences(load(name), load(name)) == ()


@pytest.mark.parametrize("other", NAMES[1:])
def test_differences_are_all_values_that_differ(other):
    first, second = load("division-15"), load(other)
    found = {difference.key for difference in differences(first, second)}
    keys = [key for key, _, _ in options_of(first)]
    bets = {f"side.{bet.name}.offered" for bet in second.side if bet.offered}
    assert found == {key for key in keys if plain_value(first, key) != plain_value(second, key)} | bets


def test_a_difference_matters_where_both_offer_it():
    found = {difference.key: difference.matters for difference in differences(load("star"), load("adelaide"))}
    assert found["super_bonus.offered"]
    assert not found["super_bonus.upper_from"]
    assert {difference.key: difference.matters for difference in differences(load("star"), load("federal"))}[
        "side.perfect_pairs.offered"
    ]


def test_one_override_is_one_difference():
    (one,) = differences(load("star", {"split.max_hands": 3}), load("star"))
    assert (one.key, one.first.value, one.second.value) == ("split.max_hands", 3, 2)

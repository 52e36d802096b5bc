"""`pontoon rules`: text and JSON output."""

import json

import pytest

from pontoon.cli import main
from pontoon.rulebook import NAMES, digest, load
from pontoon.rulebook.diff import differences
from pontoon.rulebook.overrides import options_of
from pontoon.rulebook.register import STATUSES, find, register

WIDEST = 110
FOUND = differences(load("star"), load("federal"))
VALUES = len(list(options_of(load("star"))))


@pytest.fixture
def pontoon(capsys):
    """Run `pontoon rules ...`: exit status, standard output, standard error."""

    def run(*arguments):
        with pytest.raises(SystemExit) as caught:
            main(["rules", *arguments])
        printed = capsys.readouterr()
        return caught.value.code, printed.out, printed.err

    return run


@pytest.fixture
def lines(pontoon):
    def run(*arguments):
        status, out, err = pontoon(*arguments)
        assert (status, err) == (0, "")
        printed = out.splitlines()
        assert [line for line in printed if len(line) > WIDEST or line != line.rstrip()] == []
        return printed

    return run


@pytest.fixture
def data(pontoon):
    def run(*arguments):
        status, out, err = pontoon(*arguments, "--json")
        assert (status, err) == (0, "")
        return json.loads(out)

    return run


# --- all ------------------------------------------------------------------------------------------------


def test_the_list_has_a_row_for_each(lines):
    printed = lines()
    assert [line.split()[0] for line in printed[1:6]] == list(NAMES)
    for name, line in zip(NAMES, printed[1:6], strict=True):
        assert line.endswith(digest(load(name)))
    assert "two cards, hard 9-11" in printed[3]
    text = "\n".join(printed)
    assert all(load(name).about.title in text and load(name).about.nature in text for name in NAMES)


def test_the_list_for_programs(data):
    rows = data()
    assert [row["name"] for row in rows] == list(NAMES)
    assert rows[1]["packs"] == [6, 8]
    assert set(rows[0]) == {
        *("name", "title", "place", "nature", "packs", "max_hands"),
        *("double_on", "pontoon_collects", "super_bonus", "digest"),
    }


# --- one ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_rulebook_in_plain_words(lines, name):
    printed = lines(name)
    book = load(name)
    assert printed[:4] == [
        f"{name}: {book.about.title}",
        book.about.place,
        book.about.nature,
        f"rules {digest(book)}",
    ]
    assert printed.index("Splitting (split)") < printed.index("The dealer's hand (dealer)") < printed.index("Always so")


def test_a_sentence_its_clauses_and_its_note(lines):
    printed = lines("canberra")
    place = printed.index("  max_hands      At most 4 hands may be formed on a box. [11.3]")
    assert printed[place + 1].startswith("                   A31: ")


def test_what_is_not_offered_is_said_once(lines):
    printed = "\n".join(lines("federal"))
    assert "There are no side bets. [FED-INTRO-5]" in printed
    assert "Perfect Pairs" not in printed
    off = "\n".join(lines("star", "--set", "side.perfect_pairs.offered=false"))
    assert "Perfect Pairs is not offered." in off
    assert "Perfect Pairs wins" not in off
    assert "mixed" not in off.partition("The deal")[0]
    assert "There is no Super Bonus." in "\n".join(lines("adelaide"))
    assert "Not offered." not in printed


def test_an_override_is_marked(lines, data):
    printed = lines("canberra", "--set", "split.max_hands=2")
    place = printed.index("  max_hands      At most 2 hands may be formed on a box.")
    assert printed[place + 1].strip() == "operator's override, the document says 4 [11.3]"
    told = data("canberra", "--set", "split.max_hands=2")
    assert told["overrides"] == [{"key": "split.max_hands", "value": "2", "was": "4"}]


def test_an_override_of_something_not_offered_is_shown_too(lines):
    printed = lines("adelaide", "--set", "super_bonus.upper=2000")
    assert any(line.startswith("  upper ") for line in printed)


def test_a_rulebook_for_programs(data):
    told = data("star")
    assert told["about"]["name"] == "star"
    assert told["digest"] == digest(load("star"))
    rules = {rule["key"]: rule for section in told["sections"] for rule in section["sentences"]}
    assert set(rules) == set(load("star").sources)
    assert rules["split.max_hands"]["value"] == 2
    assert rules["split.max_hands"]["clauses"] == ["STAR-SPLIT-1"]


# --- two ------------------------------------------------------------------------------------------------


def test_two_rulebooks_compared(lines):
    printed = lines("star", "--diff", "federal")
    assert printed[0] == f"star and federal differ in {len(FOUND)} of {VALUES} values."
    place = printed.index("  split.max_hands")
    assert printed[place + 1 : place + 3] == [
        "    star     2  At most 2 hands may be formed on a box. [STAR-SPLIT-1]",
        "    federal  3  At most 3 hands may be formed on a box. [FED-SPLIT-2]",
    ]
    assert "  side.perfect_pairs.offered" in printed
    assert "side.perfect_pairs.pays.mixed" not in "\n".join(printed)


@pytest.mark.parametrize("first", NAMES)
@pytest.mark.parametrize("second", NAMES)
def test_any_two_compare(lines, first, second):
    printed = lines(first, "--diff", second)
    assert (printed == [f"{first} and {first} say the same about every value."]) == (first == second)


def test_a_comparison_honours_overrides_of_the_first(lines):
    printed = lines("star", "--diff", "star", "--set", "split.max_hands=3")
    assert printed[0] == f"star with overrides and star differ in 1 of {VALUES} values."
    assert "(operator's override, the document says 2)" in "\n".join(printed)


def test_a_comparison_for_programs(data):
    told = data("star", "--diff", "federal")
    assert (told["first"]["name"], told["second"]["name"]) == ("star", "federal")
    rows = {row["key"]: row for row in told["differences"]}
    assert list(rows) == [label.key for label in FOUND]
    assert rows["split.max_hands"]["first"]["value"] == 2
    assert rows["split.max_hands"]["second"]["clauses"] == ["FED-SPLIT-2"]
    assert data("star", "--diff", "star")["differences"] == []


# --- clauses --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_register_of_a_document(lines, data, name):
    clauses = register(name)
    printed = lines(name, "--clauses")
    assert printed[0] == f"{name}: {len(clauses)} clauses"
    told = data(name, "--clauses")
    assert [row["number"] for row in told] == [clause.number for clause in clauses]
    assert set(told[0]) == {"number", "class", "also", "text", "status", "where", "test"}


@pytest.mark.parametrize("status", STATUSES)
def test_the_register_by_status(lines, data, status):
    told = data("canberra", "--clauses", "--status", status)
    assert {row["status"] for row in told} <= {status}
    assert lines("canberra", "--clauses", "--status", status)[0] == f"canberra: {len(told)} of 279 clauses"


def test_one_clause(lines, data):
    printed = lines("canberra", "--clause", "7.2")
    assert printed[0] == "canberra 7.2"
    clause = find("canberra", "7.2")
    assert clause is not None
    assert f"  where   src/pontoon/{clause.where}" in printed
    assert printed[-2].startswith("  insurance.third_party  ")
    told = data("canberra", "--clause", "7.2")
    assert (told["class"], told["text"]) == (clause.kind, clause.text)
    assert told["cited_by"] == ["insurance.third_party", "insurance.others_after"]


def test_one_clause_that_nothing_cites(lines, data):
    assert lines("canberra", "--clause", "Index")[-1] == "No value of the rulebook cites it."
    assert data("canberra", "--clause", "Index")["cited_by"] == []


def test_coverage(lines, data):
    told = data("--coverage")
    assert list(told) == [*NAMES, "total"]
    assert set(told["total"]) == {"clauses", "implemented", "equipment", "conduct", "information"}
    assert told["total"]["clauses"] == 805 == sum(told[name]["clauses"] for name in NAMES)
    printed = lines("--coverage")
    assert printed[0].split() == ["document", "clauses", *STATUSES]
    assert printed[6].split()[:2] == ["total", "805"]


def test_coverage_of_one_document(lines, data):
    assert list(data("federal", "--coverage")) == ["federal", "total"]
    assert [line.split()[0] for line in lines("federal", "--coverage") if line] == [
        "document",
        "federal",
        "total",
        *STATUSES,
    ]


# --- bad usage ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["paris"], "no rulebook 'paris'; there are division-15, star"),
        (["star", "--diff", "paris"], "no rulebook 'paris'"),
        (["star", "--diff"], "--diff"),
        (["star", "--set", "split.max_hands"], "an override is written key=value"),
        (["star", "--set", "split.max_hands=9"], "a number from 1 to 4 is needed"),
        (["star", "--set", "split.hands=3"], "no option 'split.hands'"),
        (["star", "--set", "decks.default=7"], "decks.default is 7"),
        (["canberra", "--clause", "7.33"], "canberra has no clause '7.33'; similar: 7.3"),
        (["canberra", "--clause", ""], "canberra has no clause ''; pontoon rules canberra --clauses lists them"),
        (["--clauses"], "name a rulebook, as in pontoon rules canberra"),
        (["--clause", "7.2"], "name a rulebook, as in pontoon rules canberra"),
        (["--diff", "star"], "name a rulebook, as in pontoon rules canberra"),
        (["--set", "split.max_hands=4"], "name a rulebook, as in pontoon rules canberra"),
        (["star", "--status", "conduct"], "--status needs --clauses"),
        (["star", "--clauses", "--status", "done"], "--status"),
        (["star", "--clauses", "--coverage"], "not allowed with"),
        (["star", "--clauses", "--set", "split.max_hands=3"], "but the clause register has none"),
    ],
)
@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_bad_usage_is_one_line_and_status_two(pontoon, arguments, words, as_json):
    status, out, err = pontoon(*arguments, *as_json)
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_help_has_examples(pontoon):
    status, out, _ = pontoon("--help")
    assert status == 0
    assert "pontoon rules star --diff federal" in out

"""Rulebooks as files: read from anywhere, all faults listed, older formats, pinned text, side bets as data."""

import json
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest
from msgspec.structs import replace

import pontoon
from pontoon.analysis.side import row_chances, side_values
from pontoon.cards import PACK, Card
from pontoon.cli import main
from pontoon.engine import CallNoMoreBets, DealCard, PlaceSideWager, PlaceWager, Refusal, Round, must_play, play
from pontoon.engine.events import Settled
from pontoon.engine.state import Limits, SideLimits
from pontoon.rulebook import (
    NAMES,
    RulebookError,
    SideBet,
    canonical,
    check,
    digest,
    is_recorded,
    load,
    pinned,
    play_digest,
    read,
    recorded,
    to_toml,
)
from pontoon.rulebook.faults import line_numbers
from pontoon.rulebook.library import archived_digest
from pontoon.rulebook.overrides import options_of
from pontoon.rulebook.side_bets import fits, holds, read_condition, row_paid
from pontoon.rulebook.upgrade import SINCE_2, renamed
from tools import rulebook_keys

FORMAT_1 = Path(__file__).parent / "rulebooks" / "format-1"
BETS = (Path(__file__).parent / "rulebooks" / "side-bets.toml").read_text("utf-8")
DIGESTS_1 = {
    "division-15": "1d8d48531765",
    "star": "d261c65ea9ce",
    "adelaide": "dea66019709d",
    "canberra": "76aa07a3d7b2",
    "federal": "f0c04c635b4b",
}
"""As version 0.1.0 recorded them."""
FORMAT_2 = Path(__file__).parent / "rulebooks" / "format-2"
"""Files of format 2 from before the keys of `SINCE_2`."""


def bet_of(name: str) -> SideBet:
    bet = read(with_bets(), "mine").side_bet(name)
    assert bet is not None
    return bet


def with_bets(name: str = "star") -> str:
    return to_toml(load(name), name="mine", clauses=False) + BETS


@pytest.fixture
def mine(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(with_bets(), encoding="utf-8")
    return file


@pytest.fixture
def pontoon_rules(capsys):
    def run(*arguments):
        with pytest.raises(SystemExit) as caught:
            main(["rules", *map(str, arguments)])
        printed = capsys.readouterr()
        return caught.value.code, printed.out, printed.err

    return run


# --- where they come from --------------------------------------------------------------------------------


def test_a_rulebook_comes_from_a_name_a_path_or_a_text(mine):
    assert pontoon.load("star").about.name == "star"
    assert pontoon.load(mine).about.name == "mine"
    assert pontoon.load(str(mine), {"split.max_hands": 3}).split.max_hands == 3
    assert digest(pontoon.load(text=with_bets())) == digest(load(mine))
    assert is_recorded(load(mine), "mine", digest(load(mine)))


def test_a_relative_path_begins_in_the_folder(mine):
    assert load("mine.toml", folder=mine.parent).about.name == "mine"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xfe", "not UTF-8"),
        (b"#" * (1 << 21), "too large"),
        (b"format = 3\n", "reads rulebooks up to format 2"),
        (b'format = "2"\n', "format is '2'; a whole number is needed"),
    ],
    ids=["bytes", "size", "newer", "no number"],
)
def test_a_file_that_cannot_be_used_is_one_line(tmp_path, content, words):
    file = tmp_path / "x.toml"
    file.write_bytes(content)
    with pytest.raises(RulebookError, match=words) as caught:
        load(file)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_near_miss_say_so(tmp_path):
    with pytest.raises(RulebookError, match="No such file"):
        load(tmp_path / "none.toml")
    with pytest.raises(RulebookError, match=r"\(canberra\?\)"):
        load("Canbera")


# --- written and read again --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_rulebook_written_as_a_file_reads_back(name):
    book = load(name)
    assert digest(read(to_toml(book), "again.toml")) == digest(book)
    assert read(to_toml(book), "again.toml").sources == book.sources
    plain = read(to_toml(book, name="mine", clauses=False), "mine.toml")
    assert play_digest(plain) == play_digest(book)
    assert {source.clauses for source in plain.sources.values()} == {()}


@pytest.mark.parametrize("name", NAMES)
def test_a_pinned_rulebook_is_the_one_that_was_recorded(name):
    book = load(name, {"double.for_less": not load(name).double.for_less})
    again = pinned(canonical(book), digest(book))
    assert (digest(again), again.overrides) == (digest(book), book.overrides)


def test_a_pinned_rulebook_that_was_changed_is_refused():
    book = load("star")
    with pytest.raises(RulebookError, match="was recorded"):
        pinned(
            canonical(book).replace('"max_hands":{"clauses":["STAR-SPLIT-1"],"value":2}', '"max_hands":3'), digest(book)
        )
    for text in ("nonsense", "[]", '{"book": {}, "overrides": []}', "[" * 100_000):
        with pytest.raises(RulebookError):
            pinned(text)


def test_clauses_and_names_are_not_part_of_how_it_plays():
    book = load("star")
    assert play_digest(read(to_toml(book, name="other", clauses=False), "x")) == play_digest(book)
    assert play_digest(load("star", {"split.max_hands": 3})) != play_digest(book)
    assert play_digest(read(with_bets().replace('when = "run"', 'when = "same value"'), "x")) != play_digest(
        read(with_bets(), "x")
    )


# --- format 1 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_files_of_version_0_1_0_load_for_ever(name):
    text = (FORMAT_1 / f"{name}.toml").read_text("utf-8")
    shipped = Path(pontoon.__file__).parent / "rulebook" / "archive" / "0.1.0" / f"{name}.toml"
    assert shipped.read_text("utf-8") == text
    book = read(text, f"{name}.toml")
    assert archived_digest(name) == DIGESTS_1[name]
    assert recorded(name, {}, DIGESTS_1[name]) == replace(book, remedies=load(name).remedies)
    assert [bet.title for bet in book.side] == [bet.title for bet in load(name).side]
    assert [[str(row.odds) for row in bet.pays] for bet in book.side] == [
        [str(row.odds) for row in bet.pays] for bet in load(name).side
    ]


def test_a_record_of_0_1_0_with_overrides_is_found_by_its_digest():
    overrides = {"side.perfect_pairs": False, "side.pairs_play": False, "super_bonus.upper": "6000"}
    book = recorded("canberra", overrides, archived_digest("canberra", overrides))
    assert [bet.offered for bet in book.side] == [False, False]
    assert book.super_bonus.upper == 600_000


@pytest.mark.parametrize(
    ("name", "overrides"), [("star", {"super_bonus.upper": -1}), ("star", {}), ("casino-royale", {})]
)
def test_an_unknown_digest_is_one_clear_error(name, overrides):
    with pytest.raises(RulebookError, match="rules 0123456789ab of rulebook"):
        recorded(name, overrides, "0123456789ab")


def test_a_record_that_names_todays_rules_is_found_too():
    assert recorded("star", {}, digest(load("star"))) == load("star")
    assert recorded("", {}, digest(load("star")), canonical(load("star"))).about.name == "star"


@pytest.mark.parametrize(
    ("key", "value", "new"),
    [
        ("side.perfect_pairs", True, {"side.perfect_pairs.offered": True}),
        ("side.pairs_play", False, {}),
        ("side.perfect_pairs_mixed", "6:1", {"side.perfect_pairs.pays.mixed": "6:1"}),
        ("side.pairs_play_any", "9:1", {"side.pairs_play.pays.pair": "9:1"}),
        ("side.own_wager_needed", True, {"side.perfect_pairs.who": "bettor"}),
        ("side.own_wager_needed", 3, {"side.perfect_pairs.who": 3}),
        ("side.most_per_box", 2, {"side.perfect_pairs.most_per_box": 2}),
        ("side.compulsory", True, {"side.perfect_pairs.compulsory": True}),
        ("decks.with_perfect_pairs", [6], {"side.perfect_pairs.decks": [6]}),
        ("split.max_hands", 3, None),
    ],
)
def test_override_keys_of_0_1_0_are_still_understood(key, value, new):
    assert renamed(key, value, ("perfect_pairs",)) == new


def test_a_side_bet_is_overridden_as_a_person_writes_it():
    book = load("canberra", {"side.perfect_pairs.compulsory": "yes", "side.perfect_pairs.pays.mixed": "7:1"})
    assert book.side[0].compulsory
    assert [str(row.odds) for row in book.side[0].pays if row.name == "mixed"] == ["7:1"]
    assert book.side[1:] == load("canberra").side[1:]
    assert repr(book).endswith(", 2 overridden>")


@pytest.mark.parametrize("name", NAMES)
def test_an_early_file_of_format_2_loads_with_the_documented_defaults(name):
    book = load(FORMAT_2 / f"{name}.toml")
    for section, keys in SINCE_2.items():
        for key, default in keys.items():
            found = getattr(getattr(book, section), key)
            assert (list(found) if isinstance(default, list) else found) == default, f"{section}.{key}"
    assert play_digest(book) == play_digest(load(name, {"deal.complete": "second_cards"}))


def test_a_record_is_checked_by_the_digest_of_its_own_text():
    """Keys were added after it was written; the digest of the upgraded book is another one."""
    kept = json.loads((FORMAT_2 / "canberra-pinned.json").read_text("utf-8"))
    book = recorded("canberra", {}, kept["digest"], kept["text"])
    assert book.shoe.counted is False
    assert digest(book) != kept["digest"]
    forged = (
        kept["text"].replace('"max_hands":{"clauses":', '"max_hands":{ "clauses":').replace('"value":4', '"value":3')
    )
    assert forged != kept["text"]
    with pytest.raises(RulebookError, match=f"but {kept['digest']} was recorded"):
        recorded("canberra", {}, kept["digest"], forged)


def test_a_format_1_file_with_pairs_play_alone():
    text = (FORMAT_1 / "canberra.toml").read_text("utf-8")
    offered = next(line for line in text.splitlines() if line.startswith("perfect_pairs ") and "value = true" in line)
    book = read(text.replace(offered, offered.replace("value = true", "value = false")), "canberra.toml")
    assert [(bet.name, bet.offered, bet.instead_of) for bet in book.side] == [("pairs_play", True, ())]


# --- faults ------------------------------------------------------------------------------------------------

FAULTS = [
    ("max_hands = 2", "max_hands = 9", "split.max_hands", "'9'"),
    ("count = 7", "cuont = 7", "boxes.cuont", "7"),
    ('odds = "14:1"', 'odds = "x"', "side.dealer_match.pays.suited", "'x'"),
    ('when = "suited run"', 'when = "straight run"', "side.plus_three.pays.straight_flush.when", "'straight run'"),
    ('cards = "both_with_upcard"', 'cards = "all"', "side.dealer_match.pays.two_suited.cards", "'all'"),
    ('title = "Lucky Ladies"', "title = 3", "side.lucky_ladies.title", "3"),
    ('multiple = "5"', 'multiple = "7"', "side.dealer_match.minimum", ""),
    ('name = "two_suited"', 'name = "Two"', "side.dealer_match.pays.Two.name", "'Two'"),
    ('name = "lucky_ladies"', 'name = "main"', "side.4.name", "'main'"),
    ('name = "lucky_ladies"', 'name = "plus_three"', "side.4.name", "'plus_three'"),
]


@pytest.mark.parametrize(("good", "bad", "key", "value"), FAULTS)
def test_a_fault_is_reported_with_its_line_and_key(good, bad, key, value):
    text = with_bets()
    assert good in text
    faults = check(text.replace(good, bad), "mine.toml")
    found = [fault for fault in faults if fault.key == key]
    assert found, faults
    assert found[0].reason
    assert found[0].value in {value, value.strip("'")}
    changed = next(number for number, line in enumerate(text.splitlines(), 1) if good in line)
    assert 0 < found[0].line <= changed


ROW = "[[side]]\nname = 'a'\ntitle = 'A'\n[[side.pays]]\nname = 'b'\nwhen = 'same rank'\nodds = '1:1'\n"


def test_all_faults_come_at_once():
    text = with_bets()
    for good, bad, _, _ in FAULTS[:6]:
        text = text.replace(good, bad)
    keys = {fault.key for fault in check(text, "mine.toml")}
    assert {key for _, _, key, _ in FAULTS[:6]} <= keys
    with pytest.raises(RulebookError, match="more; pontoon rules check shows all"):
        read(text, "mine.toml")


@pytest.mark.parametrize(
    ("bets", "key"),
    [
        ("side = 3", "side"),
        ("[[side]]\nname = 'a'\ntitle = 'A'\npays = []", "side.a.pays"),
        ("[[side]]\nname = 'a'\ntitle = 'A'\npays = 3", "side.a.pays"),
        ("[[side]]\nname = 'a'\ntitle = 'A'", "side.a.pays"),
        ("\n".join(f"[[side]]\nname = 'a{n}'\ntitle = 'A'\npays = []" for n in range(9)), "side"),
        (
            "[[side]]\nname = 'a'\ntitle = 'A'\n"
            + "\n".join(f"[[side.pays]]\nname = 'r{n}'\nwhen = 'same rank'\nodds = '1:1'" for n in range(25)),
            "side.a.pays",
        ),
        (
            f"{ROW}[[side.pays]]\nname = 'c'\nwhen = ['same rank', 'same suit']\nodds = '9:1'",
            "side.a.pays.c",
        ),
        (f"{ROW}[[side.pays]]\nname = 'b'\nwhen = 'run'\nodds = '9:1'", "side.a.pays.b"),
        (
            "[[side]]\nname = 'a'\ntitle = 'A'\n[[side.pays]]\nname = 'b'\nwhen = []\nodds = '1:1'\n",
            "side.a.pays.b.when",
        ),
        (
            "[[side]]\nname = 'a'\ntitle = 'A'\n[[side.pays]]\nname = 'b'\nwhen = 3\nodds = '1:1'\n",
            "side.a.pays.b.when",
        ),
        ("[[side]]\nname = 'a'\ntitle = 'A'\n[[side.pays]]\nname = 'b'\nodds = '1:1'\n", "side.a.pays.b.when"),
        (
            ROW.replace("[[side.pays]]", "instead_of = ['wings']\n[[side.pays]]"),
            "side.a.instead_of",
        ),
        (
            "[[side]]\nname = 'a'\ntitle = 'A'\nplaced = 3\n[[side.pays]]\nname = 'b'\nwhen = 'run'\nodds = '1:1'\n",
            "side.a.placed",
        ),
    ],
)
def test_a_bad_side_bet_is_a_fault(bets, key):
    text = to_toml(load("federal"), name="mine", clauses=False)
    text = bets + "\n" + text if bets.startswith("side =") else text + bets
    assert key in {fault.key for fault in check(text, "mine.toml")}


REMEDY = """
[[remedy]]
kind = "exposed"
value = "refusable"
name = "refuse"
words = "Box {box} refuses {card}."
lines = ["dealer exposed", "b{box} refuse"]
later = ["dealer skipped b{box}+dealer noticed b{box}"]
moments = ["in_turn"]
asks = "never"
clauses = ["1"]
"""


@pytest.mark.parametrize(
    ("good", "bad", "key"),
    [
        ('kind = "exposed"', 'kind = "lost"', "kind"),
        ('kind = "exposed"', "kind = []", "kind"),
        ('value = "refusable"', 'value = "silent"', "value"),
        ('value = "refusable"', "", "value"),
        ('name = "refuse"', 'name = "refuse {card}"', "name"),
        ('name = "refuse"', 'name = ""', "name"),
        ("{card}.", "{card", "words"),
        ("{card}.", "{card!r}.", "words"),
        ("{card}.", "{card:>9}.", "words"),
        ("{card}.", "x" * 200, "words"),
        ('"Box {box} refuses {card}."', "3", "words"),
        ('lines = ["dealer exposed"', 'lines = ["dealer explodes"', "lines"),
        ('["dealer exposed", "b{box} refuse"]', '"dealer exposed"', "lines"),
        ("+dealer noticed b{box}", "+dealer sleeps", "later"),
        ('["dealer skipped b{box}+dealer noticed b{box}"]', "[3]", "later"),
        ('["dealer skipped b{box}+dealer noticed b{box}"]', "3", "later"),
        ('["in_turn"]', '["at night"]', "moments"),
        ('["in_turn"]', '"in_turn"', "moments"),
        ('asks = "never"', 'asks = "mother"', "asks"),
        ('asks = "never"', "asks = 3", "asks"),
        ('clauses = ["1"]', "clauses = [1]", "clauses"),
        ('clauses = ["1"]', 'clauses = "1"', "clauses"),
        ('clauses = ["1"]', 'clause = ["1"]', "clause"),
    ],
)
def test_a_bad_remedy_is_a_fault_with_its_line(good, bad, key):
    text = to_toml(load("federal"), name="mine", clauses=False)
    assert not check(text + REMEDY, "mine.toml")
    assert good in REMEDY
    (found,) = check(text + REMEDY.replace(good, bad), "mine.toml")
    number = len(load("federal").remedies) + 1
    assert (found.key, bool(found.reason)) == (f"remedy.{number}.{key}", True)
    place = next(place for place, line in enumerate(REMEDY.splitlines()) if good in line)
    assert found.line == len(text.splitlines()) + (place + 1 if bad else 2), "a missing key is missed at its table"


@pytest.mark.parametrize("rows", ["remedy = 3\n", "remedy = [3]\n", f"remedy = [{'{},' * 101}]\n"])
def test_remedies_are_a_short_list_of_tables(rows):
    text = to_toml(load("federal"), name="mine", clauses=False).partition("[[remedy]]")[0]
    assert [fault.key for fault in check(rows + text, "mine.toml")] == ["remedy"]


def test_a_format_1_file_says_by_its_clauses_where_a_document_is_silent():
    """Nothing else can be said about a table or an entry that is not one: both are faults of their own."""
    book = read((FORMAT_1 / "federal.toml").read_text("utf-8"), "federal.toml")
    assert book.remedies == ()
    silent = {key for key, source in book.sources.items() if source.silent}
    today = {key for key, source in load("federal").sources.items() if source.silent}
    assert {"irregular.exposed", "draw.absent_by", "table.dispute", "table.decks_told"} <= silent
    assert silent <= today
    text = (FORMAT_1 / "federal.toml").read_text("utf-8")
    keys = {fault.key for fault in check("closing = 3\n" + text.replace("[closing]", "[closed]"), "mine.toml")}
    assert {"closing", "closed"} <= keys


def test_lines_of_nested_lists():
    lines = line_numbers(
        'a = 1\n[[side]]\nx = 1\n[[side.pays]]\nname = "r"\n[side.more]\ny = 1\n[b.c]\nz = 1\n[[side]]\nname = 4\n'
    )
    assert (lines["a"], lines["side.1.x"], lines["side.1.pays.r"], lines["b.c.z"]) == (1, 3, 4, 9)
    assert lines["side.1.more.y"] == 7
    assert line_numbers('[[side]]\nname = "\n')["side.1"] == 1
    assert line_numbers('[["side"]]\nname = "a"\n[["side".pays]]\nodds = 1')["side.a.pays.1.odds"] == 4


# --- the command -------------------------------------------------------------------------------------------


def test_rules_new_writes_a_complete_file(pontoon_rules, tmp_path):
    file = tmp_path / "My Casino.toml"
    status, out, err = pontoon_rules("new", file, "--like", "canberra", "--set", "split.max_hands=3")
    assert (status, err) == (0, "")
    assert "based on canberra, with split.max_hands changed" in out
    book = load(file)
    assert (book.about.name, book.split.max_hands) == ("my-casino", 3)
    assert play_digest(book) == play_digest(load("canberra", {"split.max_hands": 3}))
    text = file.read_text("utf-8")
    assert all(key.rpartition(".")[2] in text for key, _, _ in options_of(load("canberra")))


def test_rules_new_does_not_overwrite(pontoon_rules, tmp_path):
    file = tmp_path / "a.toml"
    file.write_text("mine", encoding="utf-8")
    assert pontoon_rules("new", file)[0] == 2
    assert file.read_text("utf-8") == "mine"
    status, out, _ = pontoon_rules("new", file, "--force", "--json")
    assert (status, json.loads(out)["name"]) == (0, "a")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("new",), "name a file"),
        (("new", "a.txt"), "must end in .toml"),
        (("new", "/no/such/folder/a.toml"), "No such file"),
        (("new", "a.toml", "--set", "split.max_hands=9"), "a number from 1 to 4"),
        (("check", "none.toml"), "No such file"),
        (("check", "none.toml", "--set", "split.max_hands=3"), "takes a file and no --set"),
        (("star", "file.toml"), "unexpected argument file.toml"),
        (("star", "--like", "star"), "need rules new"),
        (("check", "a.toml", "--coverage"), "takes no --diff, --clauses, --clause or --coverage"),
    ],
)
def test_misuse_is_one_line(pontoon_rules, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    status, out, err = pontoon_rules(*arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_a_fault_of_the_whole_file_is_reported_once_where_it_is():
    assert [(fault.line, fault.key) for fault in check("format = 2\n[about\n", "mine.toml")] == [(2, "")]
    empty = [fault for fault in check("format = 2\n", "mine.toml") if fault.key == "about"]
    assert [fault.reason for fault in empty] == ["is missing; write it"]
    text = with_bets().replace('name = "lucky_ladies"', 'name = "plus_three"').replace('title = "Lucky Ladies"', "")
    second = [number for number, line in enumerate(text.splitlines(), 1) if line == 'name = "plus_three"'][1]
    found = {fault.key: fault.line for fault in check(text, "mine.toml")}
    assert (found["side.4.name"], found["side.4.title"]) == (second - 1, second - 1)


def test_a_contradiction_is_reported_beside_an_unknown_key():
    text = with_bets().replace("default = 8", "default = 4").replace("count = 7", "count = 7\ncolour = 'red'")
    assert {"decks.default", "boxes.colour"} <= {fault.key for fault in check(text, "mine.toml")}


@pytest.mark.parametrize(
    ("good", "bad", "wanted"),
    [
        ('five_cards = "3:2"', "five_cards = 1.5", "a ratio in quotes is needed"),
        ('increment = "0.00"', "increment = 0.5", "an amount in quotes is needed"),
    ],
)
def test_odds_and_money_are_asked_for_in_quotes(good, bad, wanted):
    text = with_bets()
    assert good in text
    assert wanted in {fault.reason for fault in check(text.replace(good, bad), "mine.toml")}


def test_rules_check_reports_everything(pontoon_rules, mine):
    assert pontoon_rules("check", mine)[0] == 0
    text = mine.read_text("utf-8").replace("max_hands = 2", "max_hands = 9").replace('odds = "14:1"', 'odds = "x"')
    mine.write_text(text, encoding="utf-8")
    status, out, err = pontoon_rules("check", mine)
    assert (status, out) == (2, "")
    assert "2 faults" in err
    assert "split.max_hands is 9; a number from 1 to 4 is needed" in err
    status, out, _ = pontoon_rules("check", mine, "--json")
    assert (status, [fault["key"] for fault in json.loads(out)["faults"]]) == (
        2,
        ["split.max_hands", "side.dealer_match.pays.suited"],
    )


@pytest.mark.parametrize("content", [b"\xff", b"#" * (1 << 21), b"[about"], ids=["bytes", "size", "toml"])
def test_rules_check_of_nonsense(pontoon_rules, tmp_path, content):
    file = tmp_path / "x.toml"
    file.write_bytes(content)
    assert pontoon_rules("check", file)[0] == 2


def test_a_file_has_no_register_and_says_so(pontoon_rules, mine):
    for option in ("--clauses", "--coverage"):
        status, out, _ = pontoon_rules(mine, option)
        assert (status, "mine has no clause register" in out) == (0, True)
    assert "It cites 7.2 for no value." in pontoon_rules(mine, "--clause", "7.2")[1]
    assert "mine and star differ" in pontoon_rules(mine, "--diff", "star")[1]
    assert "Match the Dealer may be offered." in pontoon_rules(mine)[1]


# --- side bets ---------------------------------------------------------------------------------------------


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


@pytest.mark.parametrize(
    ("condition", "yes", "no"),
    [
        ("same rank", "Qs Qh Qh", "Qs Ks"),
        ("same value", "Qs Kh", "9s Kh"),
        ("same colour", "2d 7h", "2d 7s"),
        ("same suit", "2d 7d", "2d 7h"),
        ("run", "As 2h 3d", "9s Jh"),
        ("run", "Qs Kh Ad", "Ks Ah 2d"),
        ("run", "3d 2s", "3d 3s"),
        ("suited run", "Js Qs Ks", "Js Qs Kd"),
        ("total 20", "As 9h", "As 8h"),
        ("total 19 to 21", "9s 5h 6d", "9s 9h"),
        ("cards Qh Qh", "Qh Qh", "Qh Qd"),
        ("cards Q Kh", "Kh Qd", "Kd Qd"),
        ("cards 7 7 7", "7d 7s 7s", "7d 7s"),
    ],
)
def test_a_condition_holds_or_not(condition, yes, no):
    read_as = read_condition(condition)
    assert read_as is not None
    assert all(holds(read_as, order) for order in permutations(cards(yes)))
    assert not any(holds(read_as, order) for order in permutations(cards(no)))


def test_what_is_not_in_the_vocabulary():
    assert [read_condition(text) for text in ("", "same", "total", "total 200", "cards", "cards Th", 3)] == [None] * 7


def test_the_first_row_that_fits_pays():
    bet = bet_of("dealer_match")
    assert [row_paid(bet, cards(hand), Card("8s")) for hand in ("Ks Kd", "9s 9s")] == [None, None]
    paid = [
        getattr(row_paid(bet, cards(hand), Card("8s")), "name", "") for hand in ("8s 8s", "8s 8d", "8d 8h", "Kd 8c")
    ]
    assert paid == ["two_suited", "suited", "match", "match"]
    assert not fits(bet.pays[0], cards("8s 8d"), Card("8s"))


@pytest.mark.parametrize("name", ["perfect_pairs", "dealer_match", "plus_three", "lucky_ladies"])
def test_the_exact_chances_are_those_of_every_order_of_a_shoe(name):
    """Two packs counted card by card, against the counting by faces."""
    bet = bet_of(name)
    shoe = [card for card in PACK if card[0] in "8KQA9"] * 2
    counts = dict.fromkeys((row.name for row in bet.pays), 0)
    total = 0
    for first, second, upcard in permutations(shoe, 3):
        row = row_paid(bet, (first, second), upcard)
        total += 1
        if row is not None:
            counts[row.name] += 1
    assert row_chances(bet, 2, tuple(dict.fromkeys(shoe))) == {
        key: Fraction(count, total) for key, count in counts.items()
    }


def test_the_side_bets_of_the_documents_are_worth_what_they_were():
    found = {
        (name, value.name): value.value
        for name in NAMES
        for value in side_values(load(name), 8)
        if "Ins" not in value.name
    }
    assert found == {
        ("star", "Perfect Pairs"): Fraction(-17, 383),
        ("adelaide", "Perfect Pairs"): Fraction(-17, 383),
        ("canberra", "Perfect Pairs"): Fraction(15, 383),
        ("canberra", "Pairs Play"): Fraction(-11, 383),
    }


def placed(book, *commands, limits=Limits()):  # noqa: B008 frozen
    return must_play(Round(book, limits), *commands)


def test_a_bet_of_a_file_is_wagered_and_settled_by_its_row():
    book = read(with_bets(), "mine")
    state = placed(
        book,
        PlaceWager(1, "Ann", 1000),
        PlaceSideWager(1, "Ann", "dealer_match", 500),
        PlaceSideWager(1, "Ann", "plus_three", 1000),
        PlaceSideWager(1, "Ann", "perfect_pairs", 500),
        CallNoMoreBets(),
        *map(DealCard, cards("8s 8d 8h")),
    )
    settled = {
        settlement.kind: (settlement.result, settlement.net, settlement.moment)
        for settlement in state.settlements
        if isinstance(settlement, Settled)
    }
    assert settled == {"dealer_match": ("win", 2000, "interim"), "perfect_pairs": ("win", 2500, "interim")}


@pytest.mark.parametrize(
    ("stake", "code"),
    [(400, "side_below_minimum"), (10_500, "side_above_maximum"), (700, "side_not_multiple"), (500, "")],
)
def test_limits_of_a_side_bet_are_enforced(stake, code):
    state = placed(read(with_bets(), "mine"), PlaceWager(1, "Ann", 1000))
    answer = play(state, PlaceSideWager(1, "Ann", "dealer_match", stake))
    assert (answer.code if isinstance(answer, Refusal) else "") == code


@pytest.mark.parametrize(
    ("name", "bet", "clauses"),
    [
        ("canberra", "perfect_pairs", ("18.7", "3.3")),
        ("canberra", "pairs_play", ("18.19", "3.3")),
        ("adelaide", "perfect_pairs", ("94", "28")),
    ],
)
def test_canberra_3_3_18_7_18_19_adelaide_28_94_the_sign_limits_side_bets(name, bet, clauses):
    limits = Limits(side=(SideLimits(bet, 200, 10_000),))
    state = placed(load(name), PlaceWager(1, "Ann", 1000), limits=limits)
    below, above = (play(state, PlaceSideWager(1, "Ann", bet, stake)) for stake in (100, 10_100))
    assert isinstance(below, Refusal)
    assert isinstance(above, Refusal)
    assert (below.code, below.clauses, below.facts["minimum"]) == ("side_below_minimum", clauses, 200)
    assert (above.code, above.clauses, above.facts["maximum"]) == ("side_above_maximum", clauses, 10_000)


def test_a_bet_that_was_split_is_settled_by_its_first_two_cards_at_the_end():
    from pontoon.engine import Split, Stand

    book = read(with_bets(), "mine")
    commands = [PlaceWager(1, "Ann", 1000), PlaceSideWager(1, "Ann", "plus_three", 1000), CallNoMoreBets()]
    commands += [*map(DealCard, cards("8s 8d 8h")), Split(1), DealCard(Card("2c")), Stand(1), DealCard(Card("3d"))]
    commands += [Stand(1), *map(DealCard, cards("4h Kc"))]
    state = placed(book, *commands)
    last = next(settlement for settlement in state.settlements if settlement.kind == "plus_three")
    assert (last.result, last.odds, last.moment, last.net) == ("win", "30:1", "final", 30_000)


# --- the page ----------------------------------------------------------------------------------------------


def test_the_page_of_keys_is_current():
    text = rulebook_keys.PAGE.read_text("utf-8")
    assert rulebook_keys.page(text) == text

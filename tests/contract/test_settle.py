"""The contract of `pontoon settle`: exit status, one object, one clear line, never a traceback."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pontoon.cli import main

GOOD = """
rulebook = "division-15"
cards = "7s Ah 7d 7s 4c 7s 8h Kc"
actions = ["b1 hit", "b4 double", "b4/Bob forfeit"]
[options]
decks = 8
[[bets]]
box = 1
player = "Ann"
stake = "25"
[[bets]]
box = 4
player = "Bob"
stake = "10"
[[bets]]
box = 4
player = "Cat"
stake = "10"
"""
FORMAT_EXAMPLE = {"Ann": "5075.00", "Bob": "40.00", "Cat": "40.00"}


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


@pytest.fixture
def file(tmp_path):
    def write(text: str | bytes, name: str = "round.prt") -> str:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def test_the_example_of_the_format(capsys, file):
    status, out, err = run(capsys, "settle", "--json", file(GOOD))
    data = json.loads(out)
    assert (status, err) == (0, "")
    assert data["players"] == FORMAT_EXAMPLE
    assert data["house"] == "-5155.00"
    assert data["cards_used"] == 8
    assert data["dealer"] == {"cards": ["7d", "Kc"], "total": 17, "soft": False, "pontoon": False}
    assert data["boxes"][0] == {
        "box": 1,
        "hands": [{"hand": 1, "cards": ["7s", "7s", "7s"], "total": 21, "soft": False}],
    }
    assert data["settlements"][0] == {
        "player": "Ann",
        "box": 1,
        "hand": 1,
        "kind": "main",
        "stake": "25.00",
        "result": "win",
        "odds": "3:1",
        "net": "75.00",
        "moment": "interim",
        "clauses": ["5.1(d)", "9.2", "11.1"],
    }
    assert list(data["players"]) == ["Ann", "Bob", "Cat"]


def test_text_for_the_pit_desk(capsys, file):
    status, out, _ = run(capsys, "settle", file(GOOD))
    assert status == 0
    assert "box 1   7s 7s 7s  21, 7-7-7 spades" in out
    assert "+5000.00  11.2 11.4" in out
    assert "house  -5155.00" in out


def test_refused_line(capsys, file):
    text = GOOD.replace("b4 double", "b4 split")
    status, out, err = run(capsys, "settle", "--json", file(text))
    refused = json.loads(out)["refused"]
    assert (status, err) == (1, "")
    assert refused == {
        "action": "b4 split",
        "code": "not_a_pair",
        "clauses": ["13.1"],
        "why": "Ah 4c is not a pair that may be split",
    }
    status, out, _ = run(capsys, "settle", file(text))
    assert status == 1
    assert out.splitlines() == ["refused: b4 split", "  Ah 4c is not a pair that may be split [13.1]"]


def test_paid_is_checked(capsys, file):
    status, out, _ = run(capsys, "settle", "--json", file(GOOD + '[paid]\nAnn = "75"\nBob = "40.00"\n'))
    data = json.loads(out)
    assert status == 3
    assert data["paid_differences"] == [{"player": "Ann", "due": "5075.00", "paid": "75.00", "owed": "5000.00"}]
    status, out, _ = run(capsys, "settle", file(GOOD + '[paid]\nAnn = "75"\n'))
    assert status == 3
    assert "Ann  due 5075.00  paid 75.00  owed 5000.00" in out
    status, out, _ = run(capsys, "settle", "--json", file(GOOD + '[paid]\nAnn = "+5075"\nBob = "40"\nCat = "40"\n'))
    assert status == 0
    assert json.loads(out)["paid_differences"] == []
    losing = GOOD.replace("b1 hit", "b1 stand")
    status, out, _ = run(capsys, "settle", "--json", file(losing + '[paid]\nAnn = "-24"\n'))
    assert status == 3
    assert json.loads(out)["paid_differences"][0]["paid"] == "-24.00"


def test_several_files_one_object_a_line_the_worst_status(capsys, file):
    names = [
        file(GOOD, "good.prt"),
        file(GOOD.replace("b4 double", "b4 split"), "refused.prt"),
        file("]]", "bad.prt"),
        file(GOOD + '[paid]\nAnn = "1"\n', "paid.prt"),
    ]
    status, out, err = run(capsys, "settle", "--json", *names)
    rows = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (3, "")
    assert [row["file"] for row in rows] == names
    assert rows[0]["players"] == FORMAT_EXAMPLE
    assert rows[1]["refused"]["code"] == "not_a_pair"
    assert rows[2]["error"].startswith("file: not TOML")
    status, out, err = run(capsys, "settle", *names[:3])
    assert status == 2
    assert f"== {names[0]}" in out
    assert f"== {names[2]}" not in out
    assert err.startswith(f"{names[2]}: file: not TOML")


def test_a_byte_order_mark_and_a_comment_of_dots_are_no_fault(capsys, file):
    assert run(capsys, "settle", file("\ufeff" + GOOD))[0] == 0
    assert run(capsys, "settle", file("#" + "." * 1000 + "\n" + GOOD))[0] == 0
    assert run(capsys, "settle", file(GOOD.replace("b4 double", "b4 double\\t10")))[0] == 0


def test_a_file_name_that_cannot_be_shown_is_quoted(capsys, tmp_path):
    name = str(tmp_path / "a\nb.prt")
    status, _, err = run(capsys, "settle", name)
    assert status == 2
    assert err.count("\n") == 1
    assert run(capsys, "settle", "a\0b")[0] == 2


def test_json_is_ascii_whatever_the_names(capsys, file):
    status, out, _ = run(capsys, "settle", "--json", file(GOOD.replace('"Ann"', '"Zo\u00eb"')))
    assert status == 0
    assert out.isascii()
    assert json.loads(out)["players"]["Zo\u00eb"] == "5075.00"


def test_standard_input(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    status, out, _ = run(capsys, "settle", "--json", "-")
    assert status == 0
    assert json.loads(out)["players"] == FORMAT_EXAMPLE


def test_overrides_show_in_every_output_and_in_the_digest(capsys, file):
    name = file(GOOD)
    plain = json.loads(run(capsys, "settle", "--json", name)[1])
    status, out, _ = run(capsys, "settle", "--json", "--set", "super_bonus.other_unit=per_player", name)
    data = json.loads(out)
    assert status == 0
    assert data["overrides"] == {"super_bonus.other_unit": "per_player"}
    assert data["digest"] != plain["digest"]
    assert plain["overrides"] == {}
    text = run(capsys, "settle", "--set", "split.max_hands=4", name)[1]
    assert text.splitlines()[0].startswith("division-15, 8 packs, split.max_hands=4 (was 3), rules ")
    inside = GOOD.replace("decks = 8", 'decks = 8\n"split.max_hands" = 2')
    assert json.loads(run(capsys, "settle", "--json", file(inside))[1])["overrides"] == {"split.max_hands": "2"}


def test_as_another_rulebook(capsys, file):
    text = GOOD.replace('"b4 double", "b4/Bob forfeit"', '"b4 stand"')
    status, out, _ = run(capsys, "settle", "--json", "--as", "adelaide", file(text))
    data = json.loads(out)
    assert status == 0
    assert data["rulebook"] == "adelaide"
    assert data["compared_with"] == {
        "rulebook": "division-15",
        "players": {"Ann": "5075.00", "Bob": "60.00", "Cat": "60.00"},  # the dealer busts on 15
    }
    assert data["difference"] == {"Ann": "-5000.00", "Bob": "-50.00", "Cat": "-50.00"}
    status, out, _ = run(capsys, "settle", "--as", "adelaide", file(text))
    assert "Compared with division-15" in out


def test_as_another_rulebook_says_what_it_leaves_out(capsys, file):
    text = """
rulebook = "canberra"
cards = "Qh 9d Qs Kc"
actions = ["b1 stand"]
[options]
decks = 3
"split.max_hands" = 2
[[bets]]
box = 1
player = "Ann"
stake = "10"
perfect_pairs = "5"
"""
    status, out, _ = run(capsys, "settle", "--json", "--as", "federal", file(text))
    data = json.loads(out)
    assert status == 0
    assert data["notes"] == [
        "overrides of canberra left out: split.max_hands",
        "federal is not dealt from 3 packs; the cards are taken as they are",
        "federal has no such side wager: Ann on box 1 plays without",
    ]
    assert data["difference"] == {"Ann": "-30.00"}
    out = run(capsys, "settle", "--as", "federal", file(text))[1]
    assert "note: overrides of canberra left out: split.max_hands" in out


def test_as_another_rulebook_may_refuse(capsys, file):
    status, out, _ = run(capsys, "settle", "--as", "adelaide", file(GOOD))
    assert status == 1
    assert out.splitlines()[0] == "refused: b4 double"
    bad = GOOD.replace("b4 double", "b4 split")
    status, out, _ = run(capsys, "settle", "--json", "--as", "star", file(bad))
    assert status == 1
    assert json.loads(out)["refused"]["clauses"] == ["13.1"]


BAD = {
    "not TOML": ("rulebook = ", "file: not TOML"),
    "deep nesting": ("x = " + "[" * 50_000, "file: not TOML"),
    "not UTF-8": (b"rulebook = \xff", "file: not UTF-8"),
    "a number of 5000 digits": (GOOD.replace("box = 1", "box = " + "1" * 5000), "file: not TOML"),
    "a hexadecimal number of 5000 digits": (GOOD.replace("box = 1", "box = 0x" + "f" * 5000), "bet 1: box a value"),
    "keys without end": ("rulebook" + ".a" * 400 + " = 1", "rulebook: "),
    "far too many dots": ("a" + ".a" * 40_000 + " = 1", "file: not TOML: a line of more dots"),
    "too large": ("#" * 100_001, "file: more than 100000 bytes"),
    "empty": ("", "rulebook: missing; it is one of"),
    "unknown key": (GOOD + "\n[table]\n", "file: unknown key 'table'"),
    "unknown rulebook": (GOOD.replace("division-15", "vegas"), "rulebook: 'vegas' is not one of"),
    "rulebook a number": (GOOD.replace('"division-15"', "15"), "rulebook: 15 is not one of"),
    "a ten": (GOOD.replace("7s Ah", "Ts Ah"), "cards: 'Ts': a pontoon pack has no tens"),
    "a 10": (GOOD.replace("7s Ah", "10s Ah"), "cards: '10s': a pontoon pack has no tens"),
    "unknown card": (GOOD.replace("7s Ah", "7x Ah"), "cards: '7x': not a card"),
    "cards a list": (GOOD.replace('"7s Ah 7d 7s 4c 7s 8h Kc"', "[]"), "cards: a string of cards"),
    "too many of one card": (GOOD.replace("decks = 8", "decks = 4").replace("8h Kc", "7s 7s"), "cards: 7s occurs 5"),
    "far too many cards": (GOOD.replace("8h Kc", "8h Kc " * 1500), "cards: "),
    "too few cards": (GOOD.replace(" 8h Kc", ""), "cards: too few"),
    "missing decision": (
        GOOD.replace(', "b4 double", "b4/Bob forfeit"', ""),
        "actions: box 4 hand 1 (Ah 4c, 15) still needs",
    ),
    "actions a string": (GOOD.replace('["b1 hit", "b4 double", "b4/Bob forfeit"]', '"b1 hit"'), "actions: a list"),
    "far too many lines": (GOOD.replace('"b1 hit", ', '"b1 hit", ' * 2001), "actions: "),
    "unknown verb": (GOOD.replace("b1 hit", "b1 fold"), "action 'b1 fold': unknown verb 'fold'"),
    "no verb": (GOOD.replace("b1 hit", "b1"), "action 'b1': unknown verb ''"),
    "unknown box": (GOOD.replace("b1 hit", "b2 hit"), "action 'b2 hit': nobody has a bet on box 2"),
    "unknown bettor": (GOOD.replace("b4/Bob", "b4/Eve"), "action 'b4/Eve forfeit': no such bettor on box 4"),
    "no actor": (GOOD.replace("b1 hit", "hit"), "action 'hit': who acts is not clear"),
    "an official": (
        GOOD.replace("b1 hit", "dealer sings"),
        "action 'dealer sings': unknown line; a dealer line is one of",
    ),
    "burning a card without a place": (
        GOOD.replace("b1 hit", "dealer burn 7s x"),
        "action 'dealer burn 7s x': the number",
    ),
    "burning a ten": (GOOD.replace("b1 hit", "dealer burn Ts"), "action 'dealer burn Ts': 'Ts': a pontoon pack"),
    "a dealer who goes off": (GOOD.replace("b1 hit", "dealer goes off"), "action 'dealer goes off': write it as in"),
    "a burned card and something else": (
        GOOD.replace("b1 hit", "dealer burned 7s by me"),
        "action 'dealer burned 7s by me': write it as in 'dealer burned 7d in error'",
    ),
    "an offer nobody knows": (GOOD.replace("b1 hit", "dealer omitted tea"), "action 'dealer omitted tea': write it as"),
    "no to nothing": (GOOD.replace("b1 hit", "b1/Ann no tea"), "action 'b1/Ann no tea': write it as in 'b1/Ann no"),
    "book a number": ("book = 1\n" + GOOD, "book: the canonical text of a rulebook is needed"),
    "digest a number": ("digest = 1\n" + GOOD, "digest: the digest of the rules is a text"),
    "a book that is none": ('book = "x = 1"\n' + GOOD, "rulebook: "),
    "a bet nobody offers": (GOOD.replace('stake = "25"', 'stake = "25"\nroyal = "1"'), "bet 1: unknown key 'royal'"),
    "a missed card and too few others": (
        GOOD.replace("division-15", "adelaide")
        .replace("7s Ah 7d 7s 4c 7s 8h Kc", "7s Ah")
        .replace("b1 hit", "dealer missed b1"),
        "cards: too few",
    ),
    "a missed card in a deal without an end": (
        GOOD.replace("division-15", "adelaide")
        .replace("7s Ah 7d 7s 4c 7s 8h Kc", "7s Ah 7d 9c")
        .replace("b1 hit", "dealer missed b1")
        + '[[bets]]\nbox = 5\nplayer = "Dan"\nstake = "10"\n',
        "cards: too few",
    ),
    "a digest of other rules": ('digest = "000000000000"\n' + GOOD, "rulebook: "),
    "a void before the moment it names": (
        GOOD.replace('"b1 hit"', '"b1 hit", "supervisor void b4 at 2"'),
        "action 'supervisor void b4 at 2': 6 cards had left the shoe here",
    ),
    "a void of nothing": (GOOD.replace("b1 hit", "supervisor void b2"), "action 'supervisor void b2': write it as in"),
    "burning another card": (GOOD.replace("b1 hit", "dealer burn 2c"), "action 'dealer burn 2c': the next card is 7s"),
    "exposing nothing": (
        GOOD.replace('"b1 hit"', '"b1 hit", "b4 hit", "dealer exposed"').replace(" 8h Kc", " 2h"),
        "action 'dealer exposed': there is no next card",
    ),
    "a joker in division-15": (GOOD.replace("8h Kc", "** Kc"), "cards: ** is the promotional joker"),
    "argument to hit": (GOOD.replace("b1 hit", "b1 hit 5"), "action 'b1 hit 5': hit takes no argument"),
    "ride three": (GOOD.replace("b4/Bob forfeit", "b4/Bob ride 3"), "action 'b4/Bob ride 3': ride names"),
    "double of nothing": (GOOD.replace("b4 double", "b4 double 0"), "action 'b4 double 0': an amount must be more"),
    "double of words": (GOOD.replace("b4 double", "b4 double x"), "action 'b4 double x': 'x': money"),
    "insure without amount": (GOOD.replace("b1 hit", "b1/Ann insure"), "action 'b1/Ann insure': ''"),
    "float stake": (GOOD.replace('"25"', "25.0"), "bet 1 stake: 25.0 is not money"),
    "integer stake": (GOOD.replace('"25"', "25"), "bet 1 stake: 25 is not money"),
    "negative stake": (GOOD.replace('"25"', '"-25"'), "bet 1 stake: '-25' is not money"),
    "three decimals": (GOOD.replace('"25"', '"25.001"'), "bet 1 stake: '25.001' is not money"),
    "odd cents": (GOOD.replace('"25"', '"25.01"'), "bet 1 stake: an odd number of cents"),
    "huge stake": (GOOD.replace('"25"', '"1' + "0" * 500 + '"'), "bet 1 stake: '1000"),
    "no stake": (GOOD.replace('stake = "25"\n', ""), "bet 1: a stake is missing"),
    "nothing staked": (GOOD.replace('"25"', '"0"'), "bet 1: nothing is staked"),
    "unknown bet key": (GOOD.replace('stake = "25"', 'stake = "25"\nseat = 1'), "bet 1: unknown key 'seat'"),
    "box nought": (GOOD.replace("box = 1", "box = 0"), "bet 1: box 0 is not"),
    "box true": (GOOD.replace("box = 1", "box = true"), "bet 1: box True is not"),
    "no name": (GOOD.replace('"Ann"', '" "'), "bet 1: player ' ' is not a name"),
    "a name with an escape": (GOOD.replace('"Ann"', '"\\u001b[31m"'), "bet 1: player '\\x1b[31m' is not a name"),
    "a long name": (GOOD.replace('"Ann"', '"' + "A" * 10_000 + '"'), "bet 1: player 'AAAA"),
    "the same bettor twice": (GOOD.replace('"Cat"', '"Bob"'), "bet 3: Bob already has a wager on box 4 [5.1]"),
    "no bets": ('rulebook = "star"\ncards = ""\n', "bets: at least one"),
    "far too many bets": ('rulebook = "star"\ncards = ""\nbets = [' + "{}," * 2001 + "]", "bets: 2001 bets"),
    "a wager not offered": (
        GOOD + 'perfect_pairs = "5"\n',
        "bet 3: Perfect Pairs is not offered at this table [5.1]",
    ),
    "options a number": (
        GOOD.replace("[options]\ndecks = 8", "").replace("rulebook", "options = 3\nrulebook", 1),
        "options: a",
    ),
    "unknown option": (GOOD.replace("decks = 8", "seats = 8"), "options.seats: unknown option"),
    "decks a string": (GOOD.replace("decks = 8", 'decks = "8"'), "options.decks: '8' is not"),
    "decks not allowed": (GOOD.replace("decks = 8", "decks = 3"), "options.decks: 3 packs are not allowed"),
    "minimum above maximum": (GOOD.replace("decks = 8", 'minimum = "9"\nmaximum = "5"'), "options.minimum: "),
    "side minimum above maximum": (
        GOOD.replace("division-15", "star").replace(
            "decks = 8", 'perfect_pairs_minimum = "9"\nperfect_pairs_maximum = "5"'
        ),
        "options.perfect_pairs_minimum: the minimum is above the maximum",
    ),
    "above the box maximum of a silent document": (
        GOOD.replace("division-15", "star").replace("decks = 8", 'box_maximum = "5"'),
        "bet 1: the wagers on box 1 would exceed the box maximum of $5\n",
    ),
    "limit not money": (GOOD.replace("decks = 8", "minimum = 5"), "options.minimum: 5 is not money"),
    "unknown rule": (GOOD.replace("decks = 8", '"split.hands" = 3'), "options: no option 'split.hands'"),
    "rule out of bounds": (GOOD.replace("decks = 8", '"split.max_hands" = 9'), "options: override of division-15"),
    "third party a word": (
        GOOD.replace("decks = 8", 'third_party_insurance = "x"'),
        "options: override of division-15",
    ),
    "odd maximum": (GOOD.replace("decks = 8", 'maximum = "10.01"'), "options.maximum: an odd number of cents"),
    "the default number of packs counts": (
        GOOD.replace("decks = 8", '"decks.default" = 4').replace("8h Kc", "7s 7s"),
        "cards: 7s occurs 5 times, but 4 packs",
    ),
    "paid a list": (GOOD.replace("rulebook", "paid = []\nrulebook", 1), "paid: a table"),
    "paid to a stranger": (GOOD + '[paid]\nEve = "5"\n', "paid: 'Eve' has no bet"),
    "paid a float": (GOOD + "[paid]\nAnn = 5.0\n", "paid.Ann: 5.0 is not money"),
    "paid empty": (GOOD + '[paid]\nAnn = ""\n', "paid.Ann: '' is not money"),
}


@pytest.mark.parametrize(("text", "words"), BAD.values(), ids=BAD)
def test_bad_input_is_one_clear_line(capsys, file, text, words):
    name = file(text)
    status, out, err = run(capsys, "settle", "--json", name)
    assert (status, out) == (2, "")
    assert err.startswith(f"{name}: {words}")
    assert err.count("\n") == 1
    assert len(err) < 600


@pytest.mark.parametrize("name", ["missing.prt", "."])
def test_a_file_that_cannot_be_read(capsys, name):
    status, out, err = run(capsys, "settle", name)
    assert (status, out) == (2, "")
    assert err.startswith(f"{name}: file: ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["settle"], "pontoon settle: the following arguments are required: FILE"),
        (["settle", "--as", "vegas", "x"], "pontoon settle: argument --as: no rulebook 'vegas'"),
        (["settle", "--set", "split", "x"], "pontoon settle: argument --set: 'split': an override is written"),
        (["settle", "--as", "star", "--set", "split.x=1", "x"], "pontoon: no option 'split.x'"),
        (["deal-me-in"], "pontoon: argument COMMAND: invalid choice: 'deal-me-in'"),
    ],
)
def test_bad_usage_is_one_clear_line(capsys, arguments, words):
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(words)
    assert err.count("\n") == 1


def test_help_has_examples(capsys):
    assert run(capsys)[0] == 0
    status, out, _ = run(capsys, "settle", "--help")
    assert status == 0
    assert "Examples:" in out


values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(st.text(max_size=200))
@example('rulebook = "star"\ncards = "As"\nactions = ["b1/ hit"]\n[[bets]]\nbox = 1\nplayer = "A"\nstake = "2"')
def test_any_text_settles_refuses_or_says_why(text):
    _settles_or_says_why(text)


WORDS = ("b1", "b4", "b1/Ann", "b4/Bob", "b4/Cat", "hit", "stand", "double", "split", "surrender", "play", "forfeit")


@given(st.lists(st.lists(st.sampled_from((*WORDS, "keep", "insure", "ride 1", "absent", "5", "b1/Ann")), max_size=4)))
def test_any_lines_settle_refuse_or_say_why(lines):
    actions = json.dumps([" ".join(words) for words in lines])
    _settles_or_says_why(GOOD.replace('["b1 hit", "b4 double", "b4/Bob forfeit"]', actions))


@given(st.sampled_from(("box", "player", "stake", "perfect_pairs")), values)
def test_any_value_settles_refuses_or_says_why(key, value):
    try:
        text = json.dumps({key: value})[1:-1].replace(":", "=", 1)
    except ValueError:
        return
    _settles_or_says_why(
        f'rulebook = "star"\ncards = "As Kd 5c"\n[[bets]]\nbox = 1\nplayer = "A"\nstake = "2"\n{text}\n'
    )


def _settles_or_says_why(text: str) -> None:
    from pontoon.transcript import TranscriptError, read_bytes, replay

    said = ""
    try:
        replay(read_bytes(text.encode("utf-8", "surrogatepass")))
    except TranscriptError as error:
        said = str(error)
    assert "\n" not in said


def test_a_closed_pipe_is_no_traceback(tmp_path):
    import subprocess

    path = tmp_path / "round.prt"
    path.write_text(GOOD)
    command = [sys.executable, "-m", "pontoon", "settle", *[str(path)] * 300]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


def test_a_full_disk_is_one_clear_line(tmp_path):
    import subprocess

    path = tmp_path / "round.prt"
    path.write_text(GOOD)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pontoon", "settle", str(path)], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"pontoon: cannot write: ")
    assert done.stderr.count(b"\n") == 1


def test_module_form():
    import subprocess

    path = Path(__file__)
    done = subprocess.run(
        [sys.executable, "-m", "pontoon", "--version"], capture_output=True, text=True, check=True, cwd=path.parent
    )
    assert done.stdout.startswith("pontoon ")

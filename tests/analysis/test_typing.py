"""Numbers, hands and names as people type them: the same syntax in every command, one clear line for the rest."""

from __future__ import annotations

import json
from argparse import ArgumentTypeError

import pytest

from pontoon.cards import UnknownCardError
from pontoon.cli import main
from pontoon.cli.common import numbers
from pontoon.cli.common.cards import hand_of


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return ended.value.code, capsys.readouterr()


@pytest.mark.parametrize(
    ("read", "text", "wanted"),
    [
        (numbers.rounds, "10k", 10_000),
        (numbers.rounds, "10K", 10_000),
        (numbers.rounds, "2.5m", 2_500_000),
        (numbers.rounds, "1e9", 10**9),
        (numbers.rounds, "1,000_000", 10**6),
        (numbers.share, "5%", 0.05),
        (numbers.penetration, "75%", 0.75),
        (numbers.penetration, "0.75", 0.75),
        (numbers.error_size, "0.001%", 1e-5),
        (numbers.packs, "8", 8),
        (numbers.dollars_of, "$7.50", "7.50"),
        (numbers.dollars_of, "1k", "1000.00"),
        (numbers.cents_of, "10k", 1_000_000),
        (numbers.cents_of, "5%", None),
        (numbers.cents_of, "0.001", None),
        (numbers.number, "nan", None),
        (numbers.number, "k", None),
    ],
)
def test_numbers_are_read(read, text, wanted):
    assert read(text) == wanted


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (numbers.rounds, "1.5"),
        (numbers.rounds, "0"),
        (numbers.rounds, "ten"),
        (numbers.packs, "0"),
        (numbers.packs, "-1"),
        (numbers.penetration, "95%"),
        (numbers.penetration, "75"),
        (numbers.share, "0"),
        (numbers.error_size, "1"),
        (numbers.dollars_of, "-10"),
        (numbers.dollars_of, "ten"),
    ],
)
def test_other_numbers_say_what_to_write(read, text):
    with pytest.raises(ArgumentTypeError, match="write"):
        read(text)


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("8s 8h", ("8s", "8h")),
        ("8s8h", ("8s", "8h")),
        ("8S,8H", ("8s", "8h")),
        ("8♠8♥", ("8s", "8h")),
        ("88", ("8c", "8d")),
        ("8 8", ("8c", "8d")),
        ("A7", ("Ac", "7d")),
        ("a-7", ("Ac", "7d")),
        ("10 6", ("Kc", "6d")),
        ("106", ("Kc", "6d")),
        ("T6", ("Kc", "6d")),
        ("x6", ("Kc", "6d")),
        ("678", ("6c", "7d", "8c")),
        ("", ()),
    ],
)
def test_hands_are_read(text, cards):
    typed = hand_of(text)
    assert typed.cards == cards
    assert typed.assumed == (text[1:2].lower() not in {"s", "♠"} and bool(text))


@pytest.mark.parametrize("text", ["8z", "1", "8s8h!", "joker", "10s", "Th"])
def test_other_hands_are_refused(text):
    with pytest.raises(UnknownCardError, match=r"write ranks|no tens"):
        hand_of(text)


def test_a_hand_without_suits_is_a_hand_of_mixed_suits(capsys):
    _, shown = run(capsys, "ev", "Star", "--hand", "78", "--dealer", "6", "--json")
    typed = json.loads(shown.out)
    _, shown = run(capsys, "ev", "star", "--hand", "7c 8d", "--dealer", "6h", "--json")
    same = json.loads(shown.out)
    assert typed["suits_assumed"]
    assert not same["suits_assumed"]
    assert typed["actions"] == same["actions"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ege", "star"], "did you mean edge?"),
        (["edge", "sta"], "star?"),
        (["edge", "star", "--pakcs", "8"], "did you mean --packs? (see pontoon edge --help)"),
        (["--verson"], "did you mean --version? (see pontoon --help)"),
        (["edge", "star", "--decks", "0"], "write a whole number from 1"),
        (["count", "star", "--packs", "0"], "write a whole number from 1"),
        (["simulate", "star", "--decks", "0"], "write a whole number from 1"),
        (["chart", "star", "--out", "x.xyz"], "this command writes"),
        (["chart", "star", "--format", "csv", "--out", "x.png"], "leave one of them out"),
        (["strategy", "star", "--out", "x.png"], "this command writes .json"),
        (["risk", "star", "--out", "x.txt"], "this command writes .png"),
        (["settle", "--picture", "a.png", "a.prt"], "extension .svg"),
    ],
)
def test_near_misses_and_wrong_files_are_one_line(capsys, arguments, words):
    status, shown = run(capsys, *arguments)
    assert status == 2
    assert words in shown.err
    assert shown.err.count("\n") == 1


def test_overrides_show_in_every_form_of_a_chart_and_in_a_strategy(capsys):
    setting = ("--set", "split.max_hands=3")
    _, shown = run(capsys, "chart", "star", *setting, "--json")
    assert json.loads(shown.out)["overrides"] == {"split.max_hands": "3"}
    _, shown = run(capsys, "chart", "star", *setting, "--format", "csv")
    assert "split.max_hands=3" in shown.out
    _, shown = run(capsys, "strategy", "star", *setting, "--out", "-")
    assert json.loads(shown.out)["overrides"] == {"split.max_hands": "3"}

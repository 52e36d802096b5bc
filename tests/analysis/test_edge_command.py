"""`pontoon edge`: the figures of the library, in JSON and in words; bad input is one line."""

from __future__ import annotations

import json

import pytest

from pontoon.analysis import Solver, edge_of
from pontoon.cards import RANKS
from pontoon.cli import main
from pontoon.rulebook import NAMES, load

KEYS = {
    "rulebook",
    "digest",
    "overrides",
    "decks",
    "stake",
    "ev",
    "house_edge",
    "sd",
    "ev_by_upcard",
    "frequencies",
    "super_bonus_value",
    "method",
    "seconds",
}


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(["edge", *arguments])
    return ended.value.code, capsys.readouterr()


def test_star_with_eight_packs(capsys):
    status, shown = run(capsys, "star", "--json")
    data = json.loads(shown.out)
    assert status == 0
    assert set(data) == KEYS
    assert data["ev"] == pytest.approx(-0.0042203, abs=1e-6)
    assert data["house_edge"] == -data["ev"]
    assert tuple(data["ev_by_upcard"]) == RANKS
    assert sum(data["ev_by_upcard"].values()) / 12 == pytest.approx(data["ev"], abs=1e-12)


def test_command_and_library_agree(capsys):
    _, shown = run(capsys, "adelaide", "--decks", "3", "--stake", "25", "--json")
    data, edge = json.loads(shown.out), edge_of(Solver(load("adelaide"), 3, stake="25"))
    assert data["ev"] == pytest.approx(edge.ev, abs=1e-12)
    assert data["sd"] == pytest.approx(edge.sd, abs=1e-12)
    assert data["frequencies"] == pytest.approx(edge.frequencies, abs=1e-12)
    assert data["super_bonus_value"] == 0


def test_text_shows_percentages_and_one_in(capsys):
    status, shown = run(capsys, "star", "--decks", "6", "--stake", "25")
    assert status == 0
    assert "house edge" in shown.out
    assert "1 in 23.9" in shown.out
    assert "pays 3:2" in shown.out
    assert "first wager of $25.00" in shown.out


def test_an_override_is_named_and_counts(capsys):
    _, shown = run(capsys, "star", "--decks", "6", "--set", "split.max_hands=1", "--json")
    data = json.loads(shown.out)
    assert data["overrides"] == {"split.max_hands": "1"}
    assert data["ev"] < -0.007


@pytest.mark.slow
def test_all_rulebooks_and_packs(capsys):
    _, shown = run(capsys, "--all", "--json")
    edges = json.loads(shown.out)["edges"]
    assert [(edge["rulebook"], edge["decks"]) for edge in edges] == [
        (name, decks) for name in NAMES for decks in load(name).decks.allowed
    ]
    for name in NAMES:
        of_book = [edge["house_edge"] for edge in edges if edge["rulebook"] == name]
        assert of_book == sorted(of_book), "more packs, more edge"


def test_a_table_of_all(capsys, monkeypatch):
    import pontoon.cli.edge as command

    edge = edge_of(Solver(load("star"), 6))
    monkeypatch.setattr(command, "_solve", lambda *_: (edge, 0.1))
    status, shown = run(capsys, "--all")
    assert status == 0
    assert len(shown.out.splitlines()) == 3 + sum(len(load(name).decks.allowed) for name in NAMES)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("star", "--decks", "7"), "this document allows 6, 8"),
        (("star", "--set", "split.most=3"), "no option"),
        (("star", "--stake", "0"), "not a stake"),
        (("nowhere",), "no rulebook"),
        ((), "--all"),
        (("star", "--all"), "omit --all"),
        (("--all", "--decks", "8"), "omit --all"),
    ],
)
def test_bad_input_is_one_line(capsys, arguments, words):
    status, shown = run(capsys, *arguments)
    assert status == 2
    assert words in shown.err
    assert len(shown.err.splitlines()) == 1
    assert not shown.out

"""Sweeps and comparisons: one row for every combination, resumed where it stopped; casinos ranked."""

from __future__ import annotations

import csv
import json

import pytest

from pontoon.cli import main


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return ended.value.code, capsys.readouterr()


def test_a_sweep_has_every_combination_and_continues(capsys, tmp_path):
    file = tmp_path / "star.csv"
    what = ("sweep", "star", "--vary", "packs=6,8", "--vary", "split.max_hands=2", "--out", str(file), "--jobs", "1")
    status, _ = run(capsys, *what)
    assert status == 0
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert [(row["packs"], row["split.max_hands"]) for row in rows] == [("6", "2"), ("8", "2")]
    assert float(rows[1]["edge"]) == pytest.approx(0.004220, abs=1e-6)
    lines = file.read_text().splitlines()
    lines[1] = lines[1].replace(rows[0]["edge"], "0.5")  # an existing row is not computed again
    file.write_text("\n".join(lines[:2]) + "\n")
    run(capsys, *what)
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert rows[0]["edge"] == "0.5"
    assert len(rows) == 2


def test_packs_that_a_document_does_not_allow_have_figures_and_a_note(capsys):
    _, shown = run(capsys, "sweep", "star", "--vary", "packs=5,8", "--json", "--jobs", "1")
    rows = json.loads(shown.out)["rows"]
    assert rows[0]["edge"] < rows[1]["edge"]
    assert "5 packs" in rows[0]["note"]
    assert rows[1]["note"] is None


def test_rules_that_contradict_each_other_are_rows_with_a_note(capsys):
    varied = ("--vary", "double.lowest_total=2,12", "--set", "double.highest_total=11")
    _, shown = run(capsys, "sweep", "star", *varied, "--json", "--jobs", "1")
    rows = json.loads(shown.out)["rows"]
    assert rows[0]["note"] is None
    assert rows[1]["edge"] is None
    assert "double" in rows[1]["note"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--vary", "packs"), "write a key and its values"),
        (("--vary", "packs=a..b"), "write whole numbers"),
        (("--vary", "split.max_hnds=2"), "did you mean split.max_hands?"),
        (("--measure", "edges"), "did you mean edge?"),
        (("--measure", ","), "measures are"),
        (("--vary", "packs=6", "--vary", "packs=8"), "names a key twice"),
        (("--vary", "stake=x"), "not a stake"),
    ],
)
def test_bad_sweeps_are_one_line(capsys, arguments, words):
    status, shown = run(capsys, "sweep", "star", *arguments)
    assert status == 2
    assert words in shown.err
    assert shown.err.count("\n") == 1


def test_houses_are_ranked_by_what_an_hour_costs(capsys):
    status, shown = run(capsys, "compare", "star", "canberra", "--csm", "--json")
    places = json.loads(shown.out)["places"]
    assert status == 0
    costs = [place["cost_per_hour"] for place in places]
    assert costs == sorted(costs)
    assert places[0]["rulebook"] == "canberra"
    assert places[0]["cost_per_hour"] == pytest.approx(places[0]["house_edge"] * 10 * 60)
    assert "Perfect Pairs" in places[0]["advice"]
    assert {place["shuffle"] for place in places} == {"cutting card", "CSM"}
    assert all(place["usual_house_edge"] > place["house_edge"] for place in places)


def test_side_bets_counted(capsys):
    _, shown = run(capsys, "side", "canberra", "--packs", "8", "--count", "--json")
    pairs, play, insurance = json.loads(shown.out)["counted"]
    assert pairs["value"] == "15/383"
    assert set(pairs["effects"].values()) == {0.0}  # a pair bet has the same mean whatever single card is gone
    assert pairs["flat_gain"] == pytest.approx(52 * 15 / 383)
    assert play["flat_gain"] < 0 <= play["counted_gain"] <= play["perfect_gain"] + 3 * play["perfect_error"]
    assert insurance["correlation"] == pytest.approx(1)
    assert insurance["effects"]["K"] == pytest.approx(-3 * insurance["effects"]["5"], rel=0.01)

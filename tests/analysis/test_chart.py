"""The chart: its play has the computed value, never beats the best play, and costs almost nothing."""

from __future__ import annotations

import csv
import io
import json
import re
from functools import cache

import pytest

from pontoon.analysis.charts.chart import Chart, chart_of
from pontoon.analysis.solver import Solver
from pontoon.cli import chart as command
from pontoon.cli.common.parser import Parser
from pontoon.rulebook import NAMES, load
from pontoon.strategy import ChartStrategy, read_strategy
from pontoon.strategy.chart import read_code
from pontoon.view.charts import text as view
from pontoon.view.charts.html import page

COSTS = {"division-15": 2.6e-4, "star": 3.5e-6, "adelaide": 2.1e-6, "canberra": 1.8e-4, "federal": 1.8e-4}
"""Twice what was measured with eight packs. Where a double fixes the aces of the first two cards alone, a soft total
is two kinds of hand and no chart can tell them apart: that is where the larger ones come from.
"""


@cache
def chart(rulebook: str, decks: int = 8) -> Chart:
    rules = load(rulebook)
    return chart_of(Solver(rules, decks), rules)


@pytest.mark.parametrize("name", NAMES)
def test_a_chart_is_worth_no_more_than_the_best_play_and_little_less(name):
    one = chart(name)
    assert 0 <= one.cost == one.ev_optimal - one.ev_chart
    assert one.cost < COSTS[name]
    assert one.ev_optimal == pytest.approx(Solver(load(name), 8).value(), abs=1e-12)


def test_a_chart_reads_back_and_is_worth_what_it_says(capsys):
    status, out, _ = run(capsys, "star", "--json")
    strategy = read_strategy(out)
    assert status == 0
    assert isinstance(strategy, ChartStrategy)
    data = json.loads(out)
    assert Solver(load("star"), 8, strategy=strategy).value() == pytest.approx(data["ev_chart"], abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_chart_is_worth_what_it_says(name):
    one = chart(name)
    assert Solver(load(name), 8, strategy=one.strategy()).value() == pytest.approx(one.ev_chart, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_squares_that_nobody_doubts(name):
    one = chart(name)
    for upcard in one.upcards:
        for sure, code in (("8", "H"), ("12", "H"), ("18", "S"), ("19", "S"), ("20", "S")):
            assert one.hard[sure][upcard].code == code
        assert one.soft["13"][upcard].code == "H"
        assert one.soft["20"][upcard].code == "S"
        assert one.pairs["KK"][upcard].code == "S"
    assert one.pairs["88"]["6"].code == "P"
    assert one.pairs["AA"]["6"].code == "P"
    assert one.hard["11"]["6"].code[0] == "D"
    assert one.hard["16"]["7"].code == "H"
    assert one.hard["17"]["6"].code == "S"
    assert one.forfeit["14"]["A"].code == "F"
    assert one.forfeit["14"]["6"].code == "K"


def test_the_exceptions_of_the_customary_code_come_out():
    one = chart("star")
    assert one.hard["13"]["6"].code == "S4*"
    assert one.hard["14"]["5"].code == "S5'"
    assert one.hard["14"]["6"].code == 'S5"'
    assert one.pairs["77"]["7"].code == "P$"
    assert chart("adelaide").pairs["77"]["7"].code == "P"  # no Super Bonus in that document


@pytest.mark.parametrize("name", NAMES)
def test_every_square_is_there_with_a_margin_and_a_code_that_reads(name):
    one = chart(name)
    assert [len(rows) for rows in one.blocks().values()] == [17, 9, 10, 17]
    for block, rows in one.blocks().items():
        for row in rows.values():
            assert tuple(row) == one.upcards
            for square in row.values():
                assert square.margin >= -1e-9
                assert square.chance >= 0
                if block != "forfeit":
                    assert read_code(square.code).letter in "SHDP"
                    assert "hit" in square.ev


def test_where_standing_is_refused_it_is_not_valued():
    assert "stand" not in chart("adelaide").hard["9"]["2"].ev
    assert "stand" in chart("star").hard["9"]["2"].ev


def test_a_chance_is_how_often_a_square_comes_up():
    pairs = chart("star").pairs
    cards, of_rank = 384, 32
    for_all = sum(square.chance for hand, row in pairs.items() for square in row.values() if hand == "22")
    assert for_all == pytest.approx(of_rank * (of_rank - 1) / (cards * (cards - 1)))


def test_surrender_is_valued_where_it_is_offered():
    one = chart("star")
    close = one.hard["17"]["A"]
    assert close.ev["surrender"] == pytest.approx(-0.625)
    assert 0 < close.margin < 0.01


# --- the command ---------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _made_once(monkeypatch):
    """Charts of plain rulebooks are made once for all tests."""

    def known(solver, rules, progress=None, form="full"):
        plain = not rules.overrides and solver.game.stake == 10 and form == "full"
        return chart(rules.about.name, solver.packs) if plain else chart_of(solver, rules, progress, form)

    monkeypatch.setattr("pontoon.analysis.charts.chart.chart_of", known)


def run(capsys, *arguments):
    parser = Parser(prog="pontoon")
    command.add_to(parser.add_subparsers())
    try:
        args = parser.parse_args(["chart", *arguments])
        status = args.run(args)
    except SystemExit as ended:
        status = ended.code
    out, err = capsys.readouterr()
    return status, out, "\n".join(line for line in err.splitlines() if "compiling" not in line)


def test_text_fits_the_terminal_and_has_every_block(capsys):
    status, out, _ = run(capsys, "star")
    lines = out.splitlines()
    assert status == 0
    assert max(map(len, lines)) <= 80
    for title in view.TITLES.values():
        assert title in lines
    rows = [line.split() for line in lines if re.match(r"  \d\S* +[SHDPRKF]", line)]
    assert all(len(row) == 11 for row in rows)
    assert ["8-8", *"PPPPPPPPP", "H"] in rows
    assert lines[-1] == "  it costs 0.0002%"


def test_csv_has_one_row_a_square(capsys):
    _, out, _ = run(capsys, "star", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert list(rows[0]) == ["block", "hand", "upcard", "code", "margin", "rulebook", "packs", "overrides"]
    assert len(rows) == 53 * 10
    assert (
        next(row["code"] for row in rows if (row["block"], row["hand"], row["upcard"]) == ("pairs", "77", "7")) == "P$"
    )


def test_html_stands_alone_with_a_title_on_every_square(capsys, tmp_path):
    file = tmp_path / "chart.html"
    status, out, _ = run(capsys, "star", "--format", "html", "--out", str(file))
    text = file.read_text()
    assert (status, out.strip()) == (0, str(file))
    assert text == page(chart("star"), load("star"))
    shown = sum(len(row) for _, _, rows in view.shown_rows(chart("star")) for row in rows.values())
    assert text.count(' title="') == shown
    assert "hard 16 against 6: S by " in text
    assert "<script" not in text
    assert "http" not in text


def test_a_picture_is_written_beside_one_when_no_file_is_named(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, out, _ = run(capsys, "star", "--format", "png")
    assert (status, out) == (0, "star-8-chart.png\n")
    assert (tmp_path / "star-8-chart.png").read_bytes().startswith(b"\x89PNG")


def test_dark_ink_is_legible_on_every_ground():
    def light(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * one for weight, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    for code in view.COLOURS:
        for margin in (0.0, 0.05, 1.0):
            assert (light(view.shade(code, margin)) + 0.05) / (light(view.INK) + 0.05) > 5.5


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "no rulebook 'nowhere'"),
        (["star", "--decks", "4"], "--packs 4: this document allows 6, 8"),
        (["star", "--stake", "ten"], "'ten' is not a stake"),
        (["star", "--set", "no.such=1"], "no.such"),
        (["star", "--format", "gif"], "invalid choice: 'gif'"),
        (["star", "--json", "--format", "csv"], "--json and --format csv"),
        (["star", "--out", "/no/such/folder/chart.txt"], "cannot write '/no/such/folder/chart.txt'"),
    ],
)
def test_bad_input_is_one_line_and_exit_status_2(capsys, arguments, said):
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("form", ["svg", "pdf", "png"])
def test_a_card_is_written_in_the_format_of_its_file(capsys, tmp_path, form):
    file = tmp_path / f"card.{form}"
    status, _, _ = run(capsys, "star", "--card", "--out", str(file))
    assert status == 0
    assert file.read_bytes().startswith({"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}[form])
    assert run(capsys, "star", "--card", "--format", "csv")[0] == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["division-15", "star", "adelaide", "canberra", "federal"])
def test_a_chart_costs_less_than_a_thousandth_of_a_point(name):
    rules = load(name)
    found = chart_of(Solver(rules, 0), rules)
    assert 0 <= found.cost < 1e-5
    playing = Solver(rules, 0, strategy=found.strategy())
    assert float(playing.value()) == pytest.approx(found.ev_chart, abs=1e-12)

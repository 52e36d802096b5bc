"""The exact value of a strategy, and its mistakes, which add up to its cost."""

from __future__ import annotations

import json

import pytest

from pontoon.analysis import Solver
from pontoon.analysis.policies.mistakes import mistakes_of
from pontoon.cli import main
from pontoon.rulebook import load
from pontoon.strategy.habits import Without, ordinary_blackjack


@pytest.mark.parametrize("name", ["canberra", "star"])
def test_the_mistakes_of_blackjack_strategy_add_up_to_its_cost(name):
    best, playing = Solver(name, 4 if name == "canberra" else 6), None
    playing = Solver(best.game, best.packs, strategy=ordinary_blackjack(name, best.packs))
    valued = mistakes_of(best, playing)
    assert valued.ev == pytest.approx(playing.value(), abs=1e-13)
    assert valued.ev_optimal == pytest.approx(best.value(), abs=1e-13)
    assert sum(mistake.cost for mistake in valued.mistakes) == pytest.approx(valued.cost, abs=1e-12)
    assert all(mistake.cost > 0 for mistake in valued.mistakes if not mistake.hand.startswith("hands of split"))
    assert {mistake.plays for mistake in valued.mistakes} >= {"hit", "stand", "keep"}


def test_one_mistake_costs_what_it_costs():
    """Best play but for one kind of decision: only that is listed, and nothing else."""
    from pontoon.analysis.policies.export import strategy_of
    from pontoon.strategy import CompositionStrategy

    best = Solver("division-15", 4)
    usual = CompositionStrategy(strategy_of(best, load("division-15")))
    playing = Solver(best.game, 4, strategy=Without(usual, "forfeit"))
    valued = mistakes_of(best, playing)
    listed = [mistake for mistake in valued.mistakes if not mistake.hand.startswith("hands of split")]
    assert {(mistake.plays, mistake.best) for mistake in listed} == {("keep", "forfeit")}
    assert sum(mistake.cost for mistake in valued.mistakes) == pytest.approx(valued.cost, abs=1e-12)


def test_the_command_values_a_chart_in_a_file(capsys, tmp_path):
    with pytest.raises(SystemExit):
        main(["chart", "star", "--form", "total", "--out", str(tmp_path / "mine.json")])
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(["edge", "star", "--strategy", str(tmp_path / "mine.json"), "--json"])
    data = json.loads(capsys.readouterr().out)
    chart = json.loads((tmp_path / "mine.json").read_text())
    assert ended.value.code == 0
    assert data["ev"] == pytest.approx(chart["ev_chart"], abs=1e-12)
    assert data["cost"] == pytest.approx(chart["cost"], abs=1e-12)
    assert sum(mistake["cost"] for mistake in data["mistakes"]) == pytest.approx(data["cost"], abs=1e-11)
    assert all(len(square["code"]) <= 2 for row in chart["hard"].values() for square in row.values())


def test_no_mistake_is_printed_with_a_cost_of_nothing():
    from pontoon.analysis.policies.mistakes import Mistake, Valued
    from pontoon.cli.edge import _mistake_lines

    costs = (3e-4, 1e-7, 4e-8, 1e-9)
    mistakes = tuple(Mistake("hard 16", "10", "hit", "stand", 0.01, cost) for cost in costs)
    lines = _mistake_lines(Valued(-0.01, -0.0097, sum(costs), mistakes))
    assert "0.00000%" not in "\n".join(lines)
    assert lines[-1].split() == ["2", "smaller", "ones", "below", "0.00001%"]
    assert _mistake_lines(Valued(0, 0, 1e-9, mistakes[3:]))[-1].startswith("1 mistake ")

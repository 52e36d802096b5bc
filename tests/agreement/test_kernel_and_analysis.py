"""The simulated edge of the exported optimal strategy agrees with the exact one: two programs that share no code."""

import pytest

from pontoon.analysis import Solver, edge_of
from pontoon.analysis.policies.export import strategy_of
from pontoon.rulebook import NAMES, load
from pontoon.simulation import simulate
from pontoon.strategy.composition import CompositionStrategy, read_composition, write_composition

ROUNDS = [20_000_000, pytest.param(100_000_000, marks=pytest.mark.slow)]
PACKS = {"division-15": 4, "star": 6, "adelaide": 3, "canberra": 5, "federal": 8}
"""A different number of packs for each, so that every shoe size is covered."""
ERRORS = 3.5


@pytest.mark.timeout(600)
@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.parametrize("name", NAMES)
def test_played_rounds_come_to_the_exact_values(name: str, rounds: int):
    rules, packs = load(name), PACKS[name]
    solver = Solver(rules, packs)
    strategy = CompositionStrategy(read_composition(write_composition(strategy_of(solver, rules))))
    played = simulate(rules, strategy, packs=packs, rounds=rounds, seed=len(name))
    exact = edge_of(solver)
    assert abs(played.ev - exact.ev) < ERRORS * played.standard_error
    assert abs(played.sd - exact.sd) < 2e-3
    for first, value in played.ev_by_upcard.items():
        share = played.upcards[first] / rounds
        error = played.sd / (share * rounds) ** 0.5
        assert abs(value - exact.ev_by_upcard[first]) < (ERRORS + 1) * error, first

"""A co-bettor who never adds a wager: the exact value against rounds the engine plays with two bettors on a box."""

import random
from statistics import mean, stdev

import pytest

from pontoon.analysis import Solver
from pontoon.analysis.policies.co_bettor import riding_value
from pontoon.analysis.policies.export import strategy_of
from pontoon.cards import PACK
from pontoon.engine import CallNoMoreBets, CloseOffer, Command, DealCard, PlaceWager, Refusal, Round, play
from pontoon.rulebook import Rulebook, load
from pontoon.strategy import Strategy
from pontoon.strategy.answers import answer
from pontoon.strategy.composition import CompositionStrategy

ROUNDS, STAKE = 5_000, 1000


def go(state: Round, command: Command) -> Round:
    played = play(state, command)
    return go(state, CloseOffer()) if isinstance(played, Refusal) else played.state


def nets(rules: Rulebook, strategy: Strategy, draw: random.Random) -> tuple[int, int]:
    """What the controller and a co-bettor who declines everything win or lose in one round."""
    cards = iter(draw.sample(PACK * 8, 80))
    state = Round(rules)
    for command in (PlaceWager(1, "Ann", STAKE), PlaceWager(1, "Ben", STAKE), CallNoMoreBets()):
        state = go(state, command)
    while state.phase != "ended":
        offered = state.phase in ("insurance", "surrender")
        state = go(state, CloseOffer() if offered else answer(state, strategy) or DealCard(next(cards)))
    won = {
        player: sum(settlement.net for settlement in state.settlements if settlement.player == player)
        for player in ("Ann", "Ben")
    }
    return won["Ann"], won["Ben"]


@pytest.mark.parametrize("name", ["star", "canberra", "division-15"])
def test_exact_value_and_the_engine_agree(name: str):
    rules = load(name)
    solver = Solver(rules, 8)
    strategy = CompositionStrategy(strategy_of(solver, rules))
    draw = random.Random(7)
    costs = [(own - other) / STAKE for own, other in (nets(rules, strategy, draw) for _ in range(ROUNDS))]
    exact = float(solver.value()) - riding_value(solver)
    assert exact > 0
    assert abs(mean(costs) - exact) < 4 * stdev(costs) / ROUNDS**0.5

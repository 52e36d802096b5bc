"""The OpenSpiel game: OpenSpiel's own tests, and the exact value of a policy by walking the tree."""

from __future__ import annotations

import random
from typing import Any

import pyspiel
import pytest
from open_spiel.python.policy import Policy

from pontoon.environment import Seen, evaluate
from pontoon.environment.spiel import NAME, shoe_of

TINY = "9c*2 Kc*8 5d As"


def careful(seen: Seen) -> dict[int, float]:
    """A policy with chances: mostly the first allowed action, sometimes the last."""
    first, last = seen.may[0], seen.may[-1]
    return {first: 0.75, last: 0.25} if first != last else {first: 1.0}


class Careful(Policy):  # type: ignore[misc] # OpenSpiel has no types
    def __init__(self, game: Any) -> None:
        super().__init__(game, [0])

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:  # noqa: ARG002
        return careful(state.seen)


def value(state: Any, policy: Policy) -> float:
    """The expected return by traversal of the whole tree."""
    if state.is_terminal():
        return float(state.returns()[0])
    chances = state.chance_outcomes() if state.is_chance_node() else policy.action_probabilities(state).items()
    return float(sum(chance * value(state.child(action), policy) for action, chance in chances))


@pytest.mark.parametrize("rulebook", ["star", "adelaide"])
def test_openspiel_finds_no_fault(rulebook):
    random.seed(3)
    game = pyspiel.load_game(NAME, {"rulebook": rulebook})
    pyspiel.random_sim_test(game, num_sims=4, serialize=False, verbose=False)


def test_the_value_of_a_policy_by_traversal_is_the_exact_one():
    game = pyspiel.load_game(NAME, {"rulebook": "star", "shoe": TINY})
    shoe = list(shoe_of(TINY).elements())
    found = value(game.new_initial_state(), Careful(game))
    assert found == pytest.approx(evaluate(careful, "star", shoe=shoe).value, abs=1e-9)


def test_what_is_seen_as_text():
    state = pyspiel.load_game(NAME, {"shoe": "8c*2 5d Kc*6"}).new_initial_state()
    for card in ("8c", "5d", "8c"):
        actions = [action for action, _ in state.chance_outcomes()]
        state.apply_action(next(n for n in actions if state.action_to_string(state.current_player(), n) == card))
    assert state.observation_string(0) == "8c 8c against 5d, decision"
    names = [state.action_to_string(0, action) for action in state.legal_actions()]
    assert names == ["stand", "hit", "double", "split"]

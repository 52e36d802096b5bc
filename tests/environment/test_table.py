"""The table for PettingZoo: its own checks, money that adds up, and co-bettors who are asked."""

from __future__ import annotations

from collections import Counter

import pytest
from pettingzoo.test import api_test, seed_test

from pontoon.environment import ACTIONS, legal
from pontoon.environment.table import PontoonTableEnv
from pontoon.rulebook import NAMES


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pettingzoo_finds_no_fault(capsys):
    api_test(PontoonTableEnv("canberra", boxes=2, bettors=2), num_cycles=300)
    seed_test(lambda: PontoonTableEnv("star", boxes=2, bettors=2, penetration=0.5), num_cycles=60)
    assert "Passed" in capsys.readouterr().out


def round_of(env: PontoonTableEnv, seed: int) -> tuple[dict[str, float], Counter[tuple[str, str]]]:
    """What each agent wins in a round, and which actions were offered to controllers (1) and co-bettors (2)."""
    env.reset(seed=seed)
    won = dict.fromkeys(env.possible_agents, 0.0)
    offered: Counter[tuple[str, str]] = Counter()
    for agent in env.agent_iter():
        observation, reward, ended, _, _ = env.last()
        won[agent] += reward
        if ended:
            env.step(None)
            continue
        may = legal(observation)
        offered.update((agent[-1], ACTIONS[action]) for action in may if action < len(ACTIONS))
        active = [action for action in may if action in (2, 3, 4, 5, 7)]
        env.step(active[seed % len(active)] if active and seed % 3 else may[seed % len(may)])
    return won, offered


@pytest.mark.parametrize(
    "name", ["adelaide", *(pytest.param(name, marks=pytest.mark.slow) for name in NAMES if name != "adelaide")]
)
def test_rewards_are_what_the_engine_settles_and_everybody_is_asked(name):
    env = PontoonTableEnv(name, boxes=2, bettors=3)
    offered: Counter[tuple[str, str]] = Counter()
    for seed in range(60):
        won, asked = round_of(env, seed)
        assert env.state_of_round.phase == "ended"
        assert won == pytest.approx({agent: net / env.stake for agent, net in env._nets().items()})
        offered += asked
    assert {("1", "stand"), ("1", "hit"), ("1", "double"), ("1", "split")} <= set(offered)
    assert {("2", "double"), ("2", "split"), ("2", "insure"), ("3", "insure")} <= set(offered)
    assert offered["2", "hit"] * 20 < offered["1", "hit"]  # only where control of the box has passed on


@pytest.mark.parametrize(
    ("options", "complaint"),
    [({"boxes": 9}, "1 to 7"), ({"bettors": 4}, "1 to 3 can bet"), ({"penetration": 1.0}, "it goes from 0")],
)
def test_a_table_that_cannot_be_played_is_refused(options, complaint):
    with pytest.raises(ValueError, match=complaint):
        PontoonTableEnv("star", **options)

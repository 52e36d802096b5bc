"""The vector environment against the engine: the same cards and actions give the same observations and results."""

from __future__ import annotations

import random

import gymnasium
import numpy as np
import pytest

from pontoon.cards import PACK
from pontoon.environment import ACTIONS, evaluate
from pontoon.environment.box import PAID, SPLIT, Play, Seen, paid
from pontoon.environment.choices import COLUMNS, MASK, view_of
from pontoon.environment.vector import PontoonVectorEnv
from pontoon.rulebook import NAMES, load

BOXES = 400
CARDS = 120


def observed(play: Play) -> list[int]:
    """What the environment of one box sees."""
    view: Seen = paid(play.state) if play.over else play.seen
    return view_of(view)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "adelaide" else pytest.mark.slow) for name in NAMES]
)
def test_the_same_cards_and_actions_give_the_engines_observations_and_results(name):
    rules, generator = load(name), random.Random(name)
    few = [card for card in PACK if card[0] in "A678K"]
    given = [generator.choices(few if number % 2 else list(PACK), k=CARDS) for number in range(BOXES)]
    env = PontoonVectorEnv(rules, BOXES, given=given)
    observation, _ = env.reset(seed=1)
    left = [iter(cards) for cards in given]
    plays = [Play(rules, 1000, lambda cards=cards: next(cards)) for cards in left]  # type: ignore[misc]
    playing = set(range(BOXES))
    splits = 0
    while playing:
        actions = np.zeros(BOXES, np.int64)
        for box in playing:
            assert observation[box].tolist() == observed(plays[box]), (given[box][:12], plays[box].state)
            may = np.flatnonzero(observation[box, MASK:]).tolist()
            actions[box] = SPLIT if SPLIT in may and generator.random() < 0.7 else generator.choice(may)
        phases = observation[:, 0].copy()
        observation, rewards, ended, _, _ = env.step(actions)
        for box in sorted(playing):
            play = plays[box]
            if phases[box] != PAID:
                play.act(int(actions[box]))
            assert ended[box] == play.over
            if play.over:
                splits += len(play.state.boxes[0].hands) > 1
                assert rewards[box] == play.paid / 1000, (given[box][:20], play.state)
                playing.discard(box)
    assert splits > 10


@pytest.mark.slow
def test_the_mean_return_is_the_exact_value():
    """A policy of chance on 3 packs: half a million rounds against the exact value, within five standard errors."""
    env = PontoonVectorEnv("division-15", 4096, packs=4)
    observation, _ = env.reset(seed=5)
    generator = np.random.default_rng(1)
    nets: list[np.ndarray] = []
    for _ in range(260):
        lots = generator.random((4096, len(ACTIONS)), np.float32) * observation[:, MASK:]
        observation, rewards, ended, _, _ = env.step(lots.argmax(axis=1))
        nets.append(rewards[ended])
    result = np.concatenate(nets)
    exact = evaluate(lambda view: dict.fromkeys(view.may, 1 / len(view.may)), "division-15", 4).value
    assert abs(result.mean() - exact) < 5 * result.std() / len(result) ** 0.5


def test_the_columns_and_the_mask():
    env = PontoonVectorEnv("adelaide", 8)
    observation, info = env.reset(seed=3)
    assert observation.shape == (8, len(COLUMNS))
    assert env.observation_space.contains(observation)
    assert COLUMNS[MASK:] == tuple(f"may {name}" for name in ACTIONS)
    assert info["action_mask"].tolist() == observation[:, MASK:].tolist()
    with pytest.raises(ValueError, match="penetration"):
        PontoonVectorEnv("adelaide", 8, penetration=1.0)


def test_gymnasium_makes_it_by_its_id():
    env = gymnasium.make_vec("pontoon21/Adelaide-v0", num_envs=3, packs=6)
    assert isinstance(env, PontoonVectorEnv)
    assert (env.num_envs, env.packs) == (3, 6)

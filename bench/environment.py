"""Steps per second of the environments, compared with Gymnasium's Blackjack-v1, RLCard and pgx in the same run.

    python bench/environment.py [--rulebook star] [--seconds 2]

Only `step` (and `reset`, where an episode ends) is timed, by processor time on one core; the actions are chosen
outside: hit below 17, otherwise stand, decline every offer. Every figure is the median of three. RLCard and pgx are
measured if they are installed (`pip install 'pontoon21[bench]'`). pgx has no blackjack; its nearest card game, Leduc
Hold'em, is played by calling every bet.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import gymnasium
import numpy as np

from pontoon.environment import ACTIONS, PontoonEnv
from pontoon.environment.choices import COLUMNS, MASK
from pontoon.environment.vector import PontoonVectorEnv

REPETITIONS = 3
Environment = Any
Array = Any
STAND, HIT, KEEP = (ACTIONS.index(name) for name in ("stand", "hit", "keep"))
TOTAL = COLUMNS.index("total")


def many(env: Environment, choose: Callable[[Any], Any], boxes: int, seconds: float) -> float:
    """Steps per second of a vector environment."""
    observation, _ = env.reset(seed=1)
    observation = env.step(choose(observation))[0]
    spent, steps = 0.0, 0
    while spent < seconds:
        actions = choose(observation)
        begun = time.process_time()
        observation = env.step(actions)[0]
        spent += time.process_time() - begun
        steps += boxes
    return steps / spent


def single(env: Environment, choose: Callable[[Any], Any], seconds: float) -> float:
    """Steps per second of an environment of one box."""
    observation, _ = env.reset(seed=1)
    spent, steps = 0.0, 0
    while spent < seconds:
        action = choose(observation)
        begun = time.process_time()
        observation, _, ended, cut, _ = env.step(action)
        if ended or cut:
            observation, _ = env.reset()
        spent += time.process_time() - begun
        steps += 1
    return steps / spent


def pontoon_actions(observation: Array) -> Array:
    """An action for each box of the vector environment."""
    hit = (observation[:, TOTAL] < 17) | (observation[:, MASK + STAND] == 0)
    return np.where(observation[:, MASK + KEEP] == 1, KEEP, np.where(hit, HIT, STAND)).astype(np.int8)


def pontoon_action(observation: Array) -> int:
    mask = observation["action_mask"]
    if mask[KEEP]:
        return KEEP
    return HIT if observation["total"] < 17 or not mask[STAND] else STAND


def rlcard_blackjack(env: Environment, seconds: float) -> float:
    """Steps per second of RLCard's blackjack."""
    state, _ = env.reset()
    spent, steps = 0.0, 0
    while spent < seconds:
        action = int(score(state["raw_obs"]["player0 hand"]) >= 17)  # 0 hit, 1 stand
        begun = time.process_time()
        state, _ = env.step(action)
        if env.is_over():
            state, _ = env.reset()
        spent += time.process_time() - begun
        steps += 1
    return steps / spent


def score(cards: list[str]) -> int:
    """The points of cards written as RLCard does, such as "S7"."""
    total = sum({"A": 11}.get(card[1], 10 if card[1] in "TJQK" else 0) or int(card[1]) for card in cards)
    aces = sum(card[1] == "A" for card in cards)
    return total - 10 * min(aces, max(0, -(-(total - 21) // 10)))


def pgx_leduc(boxes: int, seconds: float) -> Callable[[], float]:
    """A measurement of pgx's Leduc Hold'em on this many tables, compiled for the processor."""
    jax, pgx = import_module("jax"), import_module("pgx")
    jax.config.update("jax_platforms", "cpu")
    env = pgx.make("leduc_holdem")
    step = jax.jit(jax.vmap(import_module("pgx.experimental").auto_reset(env.step, env.init)))
    split = jax.jit(lambda key: jax.random.split(key, boxes))
    calls = jax.numpy.zeros(boxes, jax.numpy.int32)
    first = jax.jit(jax.vmap(env.init))(split(jax.random.PRNGKey(1)))

    def measured() -> float:
        state = jax.block_until_ready(step(first, calls, split(jax.random.PRNGKey(2))))
        spent, steps = 0.0, 0
        while spent < seconds:
            keys = jax.block_until_ready(split(jax.random.PRNGKey(steps)))
            begun = time.process_time()
            state = jax.block_until_ready(step(state, calls, keys))
            spent += time.process_time() - begun
            steps += boxes
        return steps / spent

    return measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rulebook", default="star")
    parser.add_argument("--seconds", type=float, default=2.0)
    args = parser.parse_args()
    seconds = args.seconds
    ours = {boxes: PontoonVectorEnv(args.rulebook, boxes) for boxes in (256, 1024, 4096, 16384)}
    theirs = gymnasium.make_vec("Blackjack-v1", num_envs=64, vectorization_mode="sync")
    alone, blackjack = PontoonEnv(args.rulebook), gymnasium.make("Blackjack-v1")
    rows: dict[str, Callable[[], float]] = {
        **{
            f"pontoon, vector, {boxes:,} boxes": partial(many, env, pontoon_actions, boxes, seconds)
            for boxes, env in ours.items()
        },
        "pontoon, one box on the engine": lambda: single(alone, pontoon_action, seconds),
        "Blackjack-v1, one box": lambda: single(blackjack, lambda seen: int(seen[0] < 17), seconds),
        "Blackjack-v1, sync vector of 64": lambda: many(theirs, lambda seen: (seen[0] < 17).astype(int), 64, seconds),
    }
    try:
        rows["RLCard blackjack, one box"] = partial(
            rlcard_blackjack, import_module("rlcard").make("blackjack"), seconds
        )
    except ImportError:
        print("rlcard is not installed")
    try:
        rows |= {f"pgx Leduc Hold'em, {boxes:,} tables": pgx_leduc(boxes, seconds) for boxes in (1024, 4096)}
    except ImportError:
        print("pgx is not installed")
    found: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(REPETITIONS):
        for name, measured in rows.items():
            found[name].append(measured())
    base = statistics.median(found["Blackjack-v1, one box"])
    print(f"{'':34} {'steps/s':>12} {'ratio':>9}")
    for name, speeds in found.items():
        speed = statistics.median(speeds)
        print(f"{name:34} {speed:12,.0f} {speed / base:9.1f}")


if __name__ == "__main__":
    main()

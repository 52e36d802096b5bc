"""A small deep learner on the vector environment, with its exact regret: two hidden layers, numpy only.

    python examples/agents/deep.py [--rulebook star] [--steps 15e6] [--seed 1]

The network maps what is seen to the value of every action. It plays thousands of boxes at once, tries a random action
once in a round, and learns the return of the round for that action and those after it (Monte Carlo), with Adam and a
step that shrinks. It takes some minutes and prints the exact value and regret of what it learned.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pontoon.environment import ACTIONS, Seen, evaluate
from pontoon.environment.choices import COLUMNS, MASK, view_of
from pontoon.environment.vector import PontoonVectorEnv

BOXES, HIDDEN, NUMBER = 2048, 128, len(ACTIONS)
NEVER = -1e9
LEAST_RATE, MOST_RATE = 2e-5, 2e-3
ONE_HOT = {"phase": 8, "total": 32, "upcard": 11, "suits": 3, "split": 11}
Array = NDArray[Any]


def features(observation: NDArray[np.int8]) -> NDArray[np.float32]:
    """What is seen as numbers from 0 to 1: categories one by one, counts of cards, soft, pair."""
    hand = observation[:, 1:11].astype(np.float32)
    parts = [np.eye(size, dtype=np.float32)[observation[:, COLUMNS.index(name)]] for name, size in ONE_HOT.items()]
    soft = observation[:, [COLUMNS.index("soft"), COLUMNS.index("first hand")]].astype(np.float32)
    pair = ((hand.sum(axis=1) == 2) & (hand.max(axis=1) == 2)).astype(np.float32)[:, None]
    return np.concatenate([*parts, hand / 4, hand.sum(axis=1, keepdims=True) / 6, soft, pair], axis=1)


class Network:
    """Two hidden layers of rectified units, trained with Adam."""

    def __init__(self, inputs: int, lots: np.random.Generator) -> None:
        sizes = (inputs, HIDDEN, HIDDEN, NUMBER)
        self.weights: list[Array] = []
        for before, after in pairwise(sizes):
            self.weights.append((lots.standard_normal((before, after)) * np.sqrt(2 / before)).astype(np.float32))
            self.weights.append(np.zeros(after, np.float32))
        self.weights[-2] *= 0.1
        self.means = [np.zeros_like(part) for part in self.weights]
        self.squares = [np.zeros_like(part) for part in self.weights]
        self.updates = 0

    def layers(self, inputs: Array) -> list[Array]:
        """The output of each layer, the values of the actions last."""
        first = np.maximum(inputs @ self.weights[0] + self.weights[1], 0)
        second = np.maximum(first @ self.weights[2] + self.weights[3], 0)
        return [inputs, first, second, second @ self.weights[4] + self.weights[5]]

    def train(self, inputs: Array, actions: Array, targets: Array, rate: float) -> None:
        """One step towards the targets of these actions."""
        layers, each = self.layers(inputs), np.arange(len(actions))
        slope = np.zeros_like(layers[3])
        slope[each, actions] = np.clip(layers[3][each, actions] - targets, -2, 2) / len(actions)
        gradients: list[Array] = []
        for place in (2, 1, 0):
            gradients[:0] = [layers[place].T @ slope, slope.sum(axis=0)]
            slope = (slope @ self.weights[2 * place].T) * (layers[place] > 0)
        self.updates += 1
        for place, gradient in enumerate(gradients):
            self.means[place] += 0.1 * (gradient - self.means[place])
            self.squares[place] += 0.001 * (gradient**2 - self.squares[place])
            fair = self.means[place] / (1 - 0.9**self.updates)
            self.weights[place] -= rate * fair / (np.sqrt(self.squares[place] / (1 - 0.999**self.updates)) + 1e-8)


def learn(rulebook: str, steps: float, seed: int) -> Network:
    """Train a network on this many steps."""
    env, lots = PontoonVectorEnv(rulebook, BOXES), np.random.default_rng(seed)
    observation, _ = env.reset(seed=seed)
    network = Network(features(observation).shape[1], lots)
    tried = np.zeros(BOXES, np.bool_)
    waiting: list[tuple[Array, Array, Array]] = []
    played = 0
    while played < steps:
        allowed, inputs = observation[:, MASK:] > 0, features(observation)
        actions = np.where(allowed, network.layers(inputs)[3], NEVER).argmax(axis=1)
        trying = np.flatnonzero(~tried & (lots.random(BOXES) < 0.6))
        actions[trying] = (lots.random((len(trying), NUMBER)) * allowed[trying]).argmax(axis=1)
        tried[trying] = True
        credited = np.flatnonzero(tried)
        observation, rewards, ended, _, _ = env.step(actions)
        waiting.append((credited, inputs[credited], actions[credited]))
        boxes, seen, chosen = (np.concatenate(part) for part in zip(*waiting, strict=True))
        over = ended[boxes]
        rate = MOST_RATE * (LEAST_RATE / MOST_RATE) ** (played / steps)
        network.train(seen[over], chosen[over], np.clip(rewards[boxes[over]], -4, 6), rate)
        waiting = [(boxes[~over], seen[~over], chosen[~over])]
        tried &= ~ended
        played += BOXES
    return network


def policy_of(network: Network) -> Callable[[Seen], int]:
    """The network as a policy."""

    def policy(seen: Seen) -> int:
        row = np.array([view_of(seen)], np.int8)
        return int(np.where(row[:, MASK:] > 0, network.layers(features(row))[3], NEVER).argmax(axis=1)[0])

    return policy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rulebook", default="star")
    parser.add_argument("--steps", type=float, default=15e6)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    begun = time.process_time()
    network = learn(args.rulebook, args.steps, args.seed)
    spent = time.process_time() - begun
    found = evaluate(policy_of(network), args.rulebook)
    print(f"deep on {args.rulebook}: value {found.value:+.4%}, regret {found.regret:.4%} of a stake a round")
    print(f"{args.steps:,.0f} steps in {spent:.0f} s of processor time")
    print(found.worst())


if __name__ == "__main__":
    main()

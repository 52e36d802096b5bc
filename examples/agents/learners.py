"""Two tabular learners on the vector environment, with their exact regret: Q-learning and Monte Carlo control.

    python examples/agents/learners.py q-learning [--rulebook star] [--steps 250e6] [--seed 1]
    python examples/agents/learners.py monte-carlo

numpy only. A situation is its total, whether it is soft, its number of cards (up to six), whether it can be split,
whether it was, the suits where they matter, the upcard and the phase. Training takes less than two minutes on one
core, and the same seed learns the same values. The learner prints its exact value and regret.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pontoon.environment import ACTIONS, Seen, evaluate
from pontoon.environment.box import INSURANCE
from pontoon.environment.choices import COLUMNS, MASK, view_of
from pontoon.environment.vector import PontoonVectorEnv

BOXES = 8192
STEPS = {"monte-carlo": 250e6, "q-learning": 250e6}
"""Steps of training, less than two minutes each."""
PHASE, TOTAL, SOFT, UPCARD, SUITS, SPLIT = (
    COLUMNS.index(name) for name in ("phase", "total", "soft", "upcard", "suits", "split")
)
SIZES = (8, 32, 2, 11, 3, 2, 6, 2)
NUMBER, PAIR = len(ACTIONS), ACTIONS.index("split")
NEVER = -1e9
SPREAD = np.array([1, 1, 2, 2, 1, 1, 1, 1], np.float32) * np.float32(1.15)
"""Standard deviation of the result of each action as exploration assumes it, in stakes: that of a round of star, and
twice as much for a double and a split, which stake twice as much. It was not tuned."""
Array = NDArray[Any]


def situations(observation: NDArray[np.int8]) -> NDArray[np.int64]:
    """The number of each situation in the table."""
    cards = observation[:, 1:11].sum(axis=1, dtype=np.int8)
    parts = (
        observation[:, PHASE],
        observation[:, TOTAL],
        observation[:, SOFT],
        observation[:, UPCARD],
        observation[:, SUITS],
        observation[:, SPLIT] > 0,
        np.minimum(cards, 6) - (cards > 0),
        observation[:, MASK + PAIR],
    )
    found = np.zeros(len(observation), np.int64)
    for part, size in zip(parts, SIZES, strict=True):
        found *= size
        found += part
    return found


class Learner:
    """Values of actions, learned from the returns of rounds (Monte Carlo) or from the next situation (Q-learning).

    The learner tries actions that may be better than the best known: each value is drawn with as much doubt as its
    visits leave open (Thompson sampling), so that hopeless actions are dropped early and close ones are compared often.
    Q-learning does that at every decision. Monte Carlo does it once in a round, at a random decision, and then goes on
    with the best known actions, so that the return is that of the action tried. Nothing is credited before that
    decision, so some actions there are random: they lead to situations that the best known actions avoid, such as a
    hand that seems best surrendered. Both learn insurance from returns: an agent does not see later whether it is
    insured, so the next situation does not show it. Old experience counts less, as it comes from worse play.
    """

    def __init__(self, rulebook: str, seed: int, *, by_returns: bool) -> None:
        self.by_returns = by_returns
        self.env, self.lots = PontoonVectorEnv(rulebook, BOXES), np.random.default_rng(seed)
        table = int(np.prod(SIZES))
        self.values = np.zeros((table, NUMBER), np.float32)
        self.visits = np.zeros((table, NUMBER), np.float32)
        self.observation, _ = self.env.reset(seed=seed)
        self.states, self.known = self._seen()
        self.tried = np.zeros(BOXES, np.bool_)
        self.pending: list[tuple[Array, Array]] = []

    def learn(self, steps: float) -> NDArray[np.float32]:
        """Play this many steps and return the values; actions never tried are NEVER."""
        played, forgotten = 0, 0.01
        while played < steps:
            self.step()
            played += BOXES
            if played > forgotten * steps:
                np.minimum(self.visits, np.maximum(self.visits * 0.25, 1), out=self.visits)
                forgotten *= 1.7
        return np.where(self.visits > 0, self.values, np.float32(NEVER))

    def step(self) -> None:
        """One action on every box, and what is learned from it."""
        insuring = self.observation[:, PHASE] == INSURANCE
        actions = self._actions()
        places = self.states * NUMBER + actions
        self.observation, rewards, ended, _, _ = self.env.step(actions)
        self.states, self.known = self._seen()
        credited = np.flatnonzero(self.tried if self.by_returns else insuring)
        self.pending.append((credited, places[credited]))
        self._credit(rewards, ended)
        if not self.by_returns:
            here = np.flatnonzero(~insuring)
            self._update(places[here], np.where(ended, rewards, self.known.max(axis=1))[here])
        self.tried &= ~ended

    def _seen(self) -> tuple[NDArray[np.int64], Array]:
        """The situation of every box, and the values of its actions; those that are not allowed are NEVER."""
        states = situations(self.observation)
        return states, np.where(self.observation[:, MASK:] > 0, self.values[states], np.float32(NEVER))

    def _actions(self) -> Array:
        if not self.by_returns:
            return self._hopeful(slice(None))
        actions = self.known.argmax(axis=1)
        drawn = np.where(self.tried, np.float32(1), self.lots.random(BOXES, np.float32))
        wandering, trying = np.flatnonzero(drawn < 0.2), np.flatnonzero((drawn >= 0.2) & (drawn < 0.8))
        allowed = self.observation[wandering, MASK:] > 0
        actions[wandering] = (allowed * self.lots.random(allowed.shape, np.float32)).argmax(axis=1)
        actions[trying] = self._hopeful(trying)
        self.tried[trying] = True
        return actions

    def _hopeful(self, boxes: Any) -> Array:  # noqa: ANN401 an index of numpy
        """The action whose value, drawn from what its visits leave open, is the largest."""
        states = self.states[boxes]
        doubt = self.lots.standard_normal((len(states), NUMBER), np.float32)
        doubt *= SPREAD / np.sqrt(self.visits[states] + np.float32(0.1))
        return (self.known[boxes] + doubt).argmax(axis=1)

    def _credit(self, rewards: Array, ended: Array) -> None:
        """Credit the returns of rounds that ended to their actions; the others wait."""
        boxes = np.concatenate([part[0] for part in self.pending])
        places = np.concatenate([part[1] for part in self.pending])
        over = ended[boxes]
        self._update(places[over], rewards[boxes[over]])
        self.pending = [(boxes[~over], places[~over])]

    def _update(self, places: Array, targets: Array) -> None:
        """Move the values towards their targets, with steps that shrink as visits grow."""
        values, visits = self.values.reshape(-1), self.visits.reshape(-1)
        np.add.at(visits, places, np.float32(1))
        np.add.at(values, places, ((targets - values[places]) / visits[places]).astype(np.float32))


def learn(learner: str, rulebook: str, steps: float, seed: int) -> NDArray[np.float32]:
    """Values of actions after this many steps."""
    return Learner(rulebook, seed, by_returns=learner == "monte-carlo").learn(steps)


def policy_of(values: NDArray[np.float32]) -> Callable[[Seen], int]:
    """The learned table as a policy."""

    def policy(seen: Seen) -> int:
        row = np.array([view_of(seen)], np.int8)
        return int(np.where(row[:, MASK:] > 0, values[situations(row)], 2 * NEVER).argmax(axis=1)[0])

    return policy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("learner", choices=("q-learning", "monte-carlo"))
    parser.add_argument("--rulebook", default="star")
    parser.add_argument("--steps", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    begun, steps = time.process_time(), args.steps or STEPS[args.learner]
    values = learn(args.learner, args.rulebook, steps, args.seed)
    print(f"{args.learner} on {args.rulebook}, seed {args.seed}: {steps:,.0f} steps", end=" ")
    print(f"in {time.process_time() - begun:.0f} s of processor time")
    found = evaluate(policy_of(values), args.rulebook)
    print(f"value {found.value:+.4%}, regret {found.regret:.4%} of a stake a round")
    print(found.worst())


if __name__ == "__main__":
    main()

"""The Gymnasium environment: one box against the dealer under any rulebook."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Unpack

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pontoon.environment.box import ACTIONS, BET, OVER, PAID, RANKS, Play, Seen, paid
from pontoon.environment.drawing import picture, text
from pontoon.environment.observation import (
    DISCARDS,
    Discards,
    dictionary,
    dictionary_space,
    flat,
    flat_space,
    mask_of,
)
from pontoon.environment.shoe import CARDS, RandomShoe
from pontoon.money import as_cents
from pontoon.rulebook.resolve import RulebookLike, as_rulebook

RenderMode = Literal["ansi", "rgb_array"]
FULLEST = 0.9
"""Deepest place of the cutting card: a round must find cards behind it."""


class Choices(TypedDict, total=False):
    """Options of an environment."""

    packs: int
    """Packs in the shoe; 0 is the rulebook's default."""
    penetration: float
    """Depth of the cutting card as a fraction of the shoe; 0: a fresh shoe for every round."""
    discards: Discards
    """What is seen of the cards that have left the shoe."""
    bets: tuple[int, ...]
    """Sizes of bets in stakes. If given, a round begins with a bet and an episode is a whole shoe."""
    episode: Literal["", "round", "shoe"]
    """What an episode is; a round unless bets are given."""
    stake: int | str
    """The stake in cents, or in dollars as a string: the Super Bonus depends on it."""
    observation: Literal["dict", "flat"]
    illegal: Literal["replace", "raise"]
    """What an action that is not allowed does: the first allowed action is played instead, or ValueError is raised."""


class PontoonEnv(gymnasium.Env[Any, np.int64]):
    """One box against the dealer. docs/environment.md describes observations, actions and rewards.

    >>> env = PontoonEnv("canberra", packs=4, observation="flat")
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, env.action_space
    ((52,), Discrete(8))
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 as gymnasium declares it
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 2,
    }

    def __init__(
        self, rulebook: RulebookLike = "star", render_mode: RenderMode | None = None, **choices: Unpack[Choices]
    ) -> None:
        """`rulebook` is a name, the path of a file, or a rulebook."""
        self.rules = as_rulebook(rulebook)
        self.render_mode = render_mode
        self.packs = choices.get("packs", 0) or self.rules.decks.default
        self.stake = as_cents(choices.get("stake", 1000))
        self.bets = tuple(choices.get("bets", ()))
        self.penetration = choices.get("penetration", 0.0)
        self.episode = choices.get("episode", "") or ("shoe" if self.bets else "round")
        self.discards = choices.get("discards", "none")
        self.strict = choices.get("illegal", "replace") == "raise"
        self.flat = choices.get("observation", "dict") == "flat"
        _check(self)
        self.actions = len(ACTIONS) + len(self.bets)
        columns = {"none": 0, "number": 1, "ranks": RANKS}[self.discards]
        self.action_space = spaces.Discrete(self.actions)
        self.observation_space = (flat_space if self.flat else dictionary_space)(self.actions, columns)
        self.shoe: RandomShoe | None = None
        self.play: Play | None = None
        self.seen: Seen = OVER

    # --- gymnasium's methods ----------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; with a seed, from a new shoe."""
        super().reset(seed=seed, options=options)
        if self.shoe is None or seed is not None or self.episode == "shoe":
            self.shoe = RandomShoe(self.packs, self.np_random)
        self._next_round()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:  # noqa: ANN401 a number of any kind
        """Play an action; the reward is what was settled, in stakes."""
        chosen, illegal = int(action), False
        if chosen not in self.seen.may:
            if self.strict or not self.seen.may:
                raise ValueError(self._complaint(chosen))
            chosen, illegal = self.seen.may[0], True
        cents = self._played(chosen)
        over = self.play is not None and self.play.over
        info = self._info()
        if over and self.episode == "shoe" and not self._is_cut():
            self._next_round()
            over = False
            info["action_mask"] = mask_of(self.seen.may, self.actions)
        if illegal:
            info["illegal"] = True
        return self._observation(), cents / self.stake, over, False, info

    def render(self) -> Any:  # noqa: ANN401 a text or a picture
        """The table as text or as a picture, by the render mode."""
        if self.render_mode is None:
            return None
        state = self.play.state if self.play is not None else None
        return text(state, self.rules) if self.render_mode == "ansi" else picture(state, self.rules)

    # --- rounds -----------------------------------------------------------------------------------------

    def _next_round(self) -> None:
        """Begin a round: with bets, wait for one, otherwise deal. A round that leaves nothing to decide waits too."""
        assert self.shoe is not None
        if self._is_cut():
            self.shoe.shuffle()
        self.shoe.round_began = self.shoe.dealt
        if self.bets:
            self.play = None
            self.seen = Seen(BET, may=tuple(range(len(ACTIONS), len(ACTIONS) + len(self.bets))))
            return
        self.play = Play(self.rules, self.stake, self.shoe.draw)
        self.seen = paid(self.play.state) if self.play.over else self.play.seen

    def _played(self, action: int) -> int:
        """Play an allowed action or bet and return the cents it settled."""
        assert self.shoe is not None
        if action >= len(ACTIONS):
            self.play = Play(self.rules, self.stake * self.bets[action - len(ACTIONS)], self.shoe.draw)
            cents = self.play.paid
        else:
            assert self.play is not None
            cents = self.play.paid if self.seen.phase == PAID else self.play.act(action)
        self.seen = self.play.seen
        return cents

    def _is_cut(self) -> bool:
        """Whether the cutting card has appeared."""
        assert self.shoe is not None
        return self.shoe.dealt > 0 and self.shoe.dealt >= self.penetration * self.packs * CARDS

    # --- what is seen -----------------------------------------------------------------------------------

    def _observation(self) -> Any:  # noqa: ANN401 a dictionary or a vector
        return (flat if self.flat else dictionary)(self.seen, self.actions, self._gone())

    def _gone(self) -> NDArray[np.float32]:
        assert self.shoe is not None
        if self.discards == "none":
            return np.zeros(0, np.float32)
        dealt = np.array(self.shoe.ranks_dealt(), np.float32)
        if self.discards == "number":
            return np.array([self.shoe.dealt / (self.packs * CARDS)], np.float32)
        each = np.full(RANKS, 4 * self.packs, np.float32)
        each[-1] *= 3
        return dealt / each

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": mask_of(self.seen.may, self.actions)}
        if self.play is not None and self.play.over:
            info["net"] = self.play.paid / self.stake
            info["dealer"] = " ".join(self.play.state.dealer)
        return info

    def _complaint(self, action: int) -> str:
        if not self.seen.may:
            return "the episode is over: call reset()"
        names = [*ACTIONS, *(f"bet {size}" for size in self.bets)]
        name = names[action] if 0 <= action < len(names) else str(action)
        return f"{name} is not allowed now; allowed: {', '.join(names[number] for number in self.seen.may)}"


def _check(env: PontoonEnv) -> None:
    """Raise ValueError, in one line, for options that cannot be played."""
    if not 0 <= env.penetration <= FULLEST:
        raise ValueError(f"penetration is {env.penetration}; it goes from 0 (a fresh shoe every round) to {FULLEST}")
    if env.episode == "shoe" and not env.penetration:
        raise ValueError("an episode of a whole shoe, as with bets, needs a penetration, such as 0.75")
    if env.episode not in ("round", "shoe"):
        raise ValueError(f"episode is {env.episode!r}; it is 'round' or 'shoe'")
    if env.episode == "round" and env.bets:
        raise ValueError("bets are sized over a shoe: leave out episode='round'")
    if env.discards not in DISCARDS:
        raise ValueError(f"discards is {env.discards!r}; choose from {', '.join(DISCARDS)}")
    if any(type(size) is not int or size < 1 for size in env.bets):
        raise ValueError(f"bets are whole numbers of stakes from 1 up, not {env.bets}")
    if env.render_mode not in (None, "ansi", "rgb_array"):
        raise ValueError(f"render_mode is {env.render_mode!r}; choose from ansi, rgb_array")
    if env.packs < 1:
        raise ValueError(f"{env.packs} packs; a shoe has one or more")

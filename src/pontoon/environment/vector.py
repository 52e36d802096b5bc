"""Many boxes at once: a vector environment on compiled tables, for learners that need millions of steps a second."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

import pontoon.engine
from pontoon import cache
from pontoon.cards import Card
from pontoon.environment.box import ACTIONS
from pontoon.environment.choices import COLUMNS, MASK, WIDTH, ChoiceTables, Chosen, compile_choices
from pontoon.environment.shoe import CARDS
from pontoon.environment.single import FULLEST
from pontoon.environment.stepping import Boxes, begin_all, step_all
from pontoon.money import as_cents
from pontoon.rulebook import Rulebook, digest
from pontoon.rulebook.resolve import RulebookLike, as_rulebook
from pontoon.simulation.card_classes import Classes
from pontoon.simulation.kernel import GIVEN, SHUFFLED, Game, Sums
from pontoon.simulation.kernel_memory import new_shoes
from pontoon.simulation.tables import Numbers, Tables

ROOT = Path(pontoon.engine.__file__).parent.parent
SOURCES = ("cards", "money.py", "rulebook", "engine", "strategy", "simulation", "environment")
ABOUT = "about"


class PontoonVectorEnv(VectorEnv[Any, Any, Any]):
    """Boxes that play independently, each from a shoe of its own; a box whose round ends gets the next one immediately.

    An observation has the columns `choices.COLUMNS`: whole numbers, the last eight the action mask. The reward is that
    of a whole round, in stakes, at its end.
    """

    def __init__(
        self,
        rulebook: RulebookLike = "star",
        num_envs: int = 1024,
        *,
        packs: int = 0,
        penetration: float = 0.0,
        stake: int | str = 1000,
        given: list[list[Card]] | None = None,
    ) -> None:
        """`given`: the cards of each box in the order they are dealt, to compare it with the engine."""
        rules = as_rulebook(rulebook)
        if not 0 <= penetration <= FULLEST:
            raise ValueError(f"penetration is {penetration}; it goes from 0 (a fresh shoe every round) to {FULLEST}")
        self.num_envs, self.packs = num_envs, packs or rules.decks.default
        self.stake = as_cents(stake)
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = spaces.Box(0, 127, (len(COLUMNS),), np.int8)
        self.single_action_space = spaces.Discrete(len(ACTIONS))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._chosen = cached_choices(rules, self.stake)
        order = np.array(self._chosen.classes.shoe(self.packs), np.uint8)
        self._shoes = new_shoes(order, num_envs, cut=int(penetration * self.packs * CARDS), dealing=SHUFFLED)
        if given is not None:
            self._shoes = self._given(given)
        ints = [np.zeros(num_envs, np.int32) for _ in range(5)]
        self._boxes = Boxes(ints[0], ints[1], np.zeros(num_envs, np.int8), *ints[2:])
        self._game = Game(self._chosen.tables, self._chosen.numbers)
        self._sums = Sums(*(np.zeros(1, np.int64) for _ in range(4)))
        rows = np.zeros((num_envs, WIDTH), np.int8)
        self._out = (rows, rows.view(np.uint64), np.zeros(num_envs, np.int64), np.zeros(num_envs, np.bool_))
        self._seen, self._mask = rows[:, : len(COLUMNS)], rows[:, MASK : len(COLUMNS)]
        self._never = np.zeros(num_envs, np.bool_)

    def _given(self, given: list[list[Card]]) -> Any:  # noqa: ANN401 the kernel's shoes
        number = self._chosen.classes.number
        cards = np.array([[number[card] for card in shoe] for shoe in given], np.uint8)
        shoes = new_shoes(cards[0], self.num_envs, dealing=GIVEN)
        return shoes._replace(cards=cards.ravel(), cut=np.uint64(1 << 62))

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Begin a round on every box, from new shoes."""
        first = seed[0] if isinstance(seed, list) else seed
        super().reset(seed=first, options=options)
        number = int(self.np_random.integers(1 << 63)) if first is None else first
        with np.errstate(over="ignore"):
            begin_all(
                self._game, self._chosen.choices, self._shoes, self._boxes, np.uint64(number), self._sums, self._out
            )
        return self._seen, {"action_mask": self._mask}

    def step(
        self,
        actions: Any,  # noqa: ANN401 an array of numbers
    ) -> tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play an action on every box. An action that is not allowed is replaced by the first that is.

        The arrays are used again by the next step: copy what is to be kept.
        """
        chosen = np.asarray(actions)
        with np.errstate(over="ignore"):
            step_all(self._game, self._chosen.choices, self._shoes, self._boxes, chosen, self._sums, self._out)
        _, _, won, ended = self._out
        return self._seen, won / self.stake, ended, self._never, {"action_mask": self._mask}


# --- compiled games in the user's cache -----------------------------------------------------------------


class About(msgspec.Struct):
    """What a file holds besides the arrays."""

    numbers: Numbers
    classes: Classes
    paid: int
    tracked: int


def cached_choices(rules: Rulebook, stake: int) -> Chosen:
    """The same as `compile_choices`, from the cache if it was compiled before."""
    folder = cache.folder("choices", *(ROOT / source for source in SOURCES))
    file = folder / f"{rules.about.name}-{digest(rules)}-{stake}.choices"
    found = _read(file)
    if found is None:
        found = compile_choices(rules, stake)
        cache.put(file, _written(found))
    return found


def _written(chosen: Chosen) -> bytes:
    about = About(chosen.numbers, chosen.classes, chosen.choices.paid, chosen.choices.tracked)
    arrays = {f"choice-{name}": value for name, value in chosen.choices._asdict().items() if name not in _NUMBERS}
    arrays |= {f"table-{name}": value for name, value in chosen.tables._asdict().items()}
    out = io.BytesIO()
    np.savez(out, allow_pickle=False, **{ABOUT: np.frombuffer(msgspec.json.encode(about), np.uint8)}, **arrays)
    return out.getvalue()


_NUMBERS = ("paid", "tracked")


def _read(file: Path) -> Chosen | None:
    """The game in a file; None if it is missing or damaged."""
    try:
        with np.load(file, allow_pickle=False) as arrays:
            about = msgspec.json.decode(arrays[ABOUT].tobytes(), type=About)
            names = [name for name in ChoiceTables._fields if name not in _NUMBERS]
            choices = ChoiceTables(
                **{name: arrays[f"choice-{name}"] for name in names}, paid=about.paid, tracked=about.tracked
            )
            tables = Tables(**{name: arrays[f"table-{name}"] for name in Tables._fields})
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, msgspec.MsgspecError):
        return None
    return Chosen(choices, tables, about.numbers, about.classes)

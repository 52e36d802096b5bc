"""Environments for learning agents, with a known optimum: Gymnasium, vectorised, exact evaluation of policies.

>>> import gymnasium
>>> env = gymnasium.make("pontoon.environment:pontoon21/Star-v0")
>>> observation, info = env.reset(seed=4)
>>> [action for action, allowed in zip(ACTIONS, info["action_mask"]) if allowed]
['stand', 'hit', 'double', 'split']

Importing this package registers the ids; gymnasium imports it by itself for ids written as above.
"""

try:
    import gymnasium  # noqa: F401 the message below, before anything else fails
except ImportError:
    raise ImportError("pontoon.environment needs gymnasium: pip install 'pontoon21[rl]'") from None

from typing import TYPE_CHECKING

from pontoon.environment.box import ACTIONS, PHASES, Play, Seen
from pontoon.environment.observation import COLUMNS, flat, legal
from pontoon.environment.registration import IDS, register_environments
from pontoon.environment.single import PontoonEnv

if TYPE_CHECKING:
    from pontoon.environment.evaluation import Evaluation, evaluate
    from pontoon.environment.policies import PolicyError
    from pontoon.environment.vector import PontoonVectorEnv

__all__ = [
    "ACTIONS",
    "COLUMNS",
    "IDS",
    "PHASES",
    "Evaluation",
    "Play",
    "PolicyError",
    "PontoonEnv",
    "PontoonVectorEnv",
    "Seen",
    "evaluate",
    "flat",
    "legal",
    "register_environments",
]

_COMPILED = {
    "Evaluation": "evaluation",
    "evaluate": "evaluation",
    "PolicyError": "policies",
    "PontoonVectorEnv": "vector",
}
"""Names whose modules import numba; imported on first use."""

register_environments()


def __getattr__(name: str) -> object:
    if name in _COMPILED:
        from importlib import import_module  # noqa: PLC0415 playing needs no numba

        return getattr(import_module(f"pontoon.environment.{_COMPILED[name]}"), name)
    raise AttributeError(name)

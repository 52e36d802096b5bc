"""The ids of the environments."""

from __future__ import annotations

import gymnasium

IDS = {
    "pontoon21/Star-v0": "star",
    "pontoon21/Canberra-v0": "canberra",
    "pontoon21/Adelaide-v0": "adelaide",
    "pontoon21/Federal-v0": "federal",
    "pontoon21/Division15-v0": "division-15",
    "pontoon21/Pontoon-v0": "",
}
"""Each id and its rulebook; for the last, `rulebook` is a name or the path of a file."""


def register_environments() -> None:
    """Register every id with gymnasium, once."""
    for name, rulebook in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="pontoon.environment.single:PontoonEnv",
                vector_entry_point="pontoon.environment.vector:PontoonVectorEnv",
                kwargs={"rulebook": rulebook} if rulebook else {},
            )

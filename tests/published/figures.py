"""The published figures, and how they name cards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FIGURES: dict[str, Any] = json.loads(Path(__file__).with_name("figures.json").read_text(encoding="utf-8"))

ACE, TEN = 0, 9


def value_of(name: str) -> int:
    """The number of a value: `A`, `2` to `9`, `10`."""
    return ACE if name == "A" else int(name) - 1


def two_cards(names: str) -> tuple[int, int]:
    """Two cards, as `10,6`."""
    low, high = sorted(value_of(name) for name in names.split(","))
    return low, high


def hand(name: str) -> tuple[tuple[int, int], int]:
    """Two cards and the dealer's first, as `10,6 v 10`."""
    own, first = name.split(" v ")
    return two_cards(own), value_of(first)

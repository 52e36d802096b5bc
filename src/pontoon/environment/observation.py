"""What an agent sees as numbers: a dictionary, or one flat vector whose columns are listed in `COLUMNS`."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pontoon.environment.box import ACTIONS, PHASES, RANKS, Seen

Discards = Literal["none", "number", "ranks"]
"""What the agent sees of the cards that have left the shoe: nothing, their number, or how many of each rank."""
DISCARDS: tuple[Discards, ...] = ("none", "number", "ranks")
MOST_TOTAL = 31
MOST_CARDS = 21
"""No hand has more cards than points."""
Observation = dict[str, Any]

COLUMNS: tuple[str, ...] = (
    *(f"phase {name}" for name in PHASES),
    *(f"hand {rank}" for rank in "A23456789K"),
    "total",
    "soft",
    *(f"upcard {rank}" for rank in "A23456789K"),
    "one suit",
    "spades",
    "first aces",
    *(f"split {rank}" for rank in "A23456789K"),
    "first hand",
)
"""Columns of the flat vector, each from 0 to 1: counts are divided by 21, the total by 31, the aces by 2. The discards,
if they are seen, and the action mask follow them."""
_PHASE, _HAND, _TOTAL, _SOFT = 0, len(PHASES), len(PHASES) + RANKS, len(PHASES) + RANKS + 1
_UPCARD = _SOFT + 1
_SUITS, _ACES, _SPLIT = _UPCARD + RANKS, _UPCARD + RANKS + 2, _UPCARD + RANKS + 3
_FIRST_HAND = _SPLIT + RANKS


def mask_of(may: tuple[int, ...], actions: int = len(ACTIONS)) -> NDArray[np.int8]:
    """1 for each action that is allowed."""
    mask = np.zeros(actions, np.int8)
    mask[list(may)] = 1
    return mask


def legal(observation: Observation | NDArray[np.int8]) -> list[int]:
    """The numbers of the allowed actions of a dictionary or a mask."""
    mask = observation["action_mask"] if isinstance(observation, dict) else observation
    return [int(number) for number in np.flatnonzero(mask)]


def dictionary(seen: Seen, actions: int, gone: NDArray[np.float32]) -> Observation:
    """What is seen as a dictionary; `gone` are the columns of the discards, empty if they are not seen."""
    found: Observation = {
        "phase": np.int64(seen.phase),
        "hand": np.array(seen.ranks, np.int8),
        "total": np.int64(seen.total),
        "soft": np.int64(seen.soft),
        "upcard": np.int64(seen.upcard),
        "suits": np.int64(seen.suits),
        "first_aces": np.int64(seen.first_aces),
        "split": np.int64(seen.split),
        "first_hand": np.int64(seen.first_hand),
        "action_mask": mask_of(seen.may, actions),
    }
    if len(gone):
        found["discards"] = gone
    return found


def dictionary_space(actions: int, discards: int) -> spaces.Dict:
    """The space of `dictionary`."""
    parts: dict[str, spaces.Space[Any]] = {
        "phase": spaces.Discrete(len(PHASES)),
        "hand": spaces.Box(0, MOST_CARDS, (RANKS,), np.int8),
        "total": spaces.Discrete(MOST_TOTAL + 1),
        "soft": spaces.Discrete(2),
        "upcard": spaces.Discrete(RANKS + 1),
        "suits": spaces.Discrete(3),
        "first_aces": spaces.Discrete(3),
        "split": spaces.Discrete(RANKS + 1),
        "first_hand": spaces.Discrete(2),
        "action_mask": spaces.Box(0, 1, (actions,), np.int8),
    }
    if discards:
        parts["discards"] = spaces.Box(0, 1, (discards,), np.float32)
    return spaces.Dict(parts)


def flat(seen: Seen, actions: int = len(ACTIONS), gone: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
    """What is seen as one vector: `COLUMNS`, the discards, the action mask.

    >>> seen = Seen(4, (0, 0, 0, 0, 0, 0, 0, 2, 0, 0), 16, upcard=7, may=(0, 1, 3))
    >>> vector = flat(seen)
    >>> [name for name, value in zip(COLUMNS, vector) if value], vector[-8:].tolist()
    (['phase play', 'hand 8', 'total', 'upcard 7'], [1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0])
    """
    vector = np.zeros(len(COLUMNS), np.float32)
    vector[_PHASE + seen.phase] = 1
    vector[_HAND : _HAND + RANKS] = np.array(seen.ranks, np.float32) / MOST_CARDS
    vector[_TOTAL], vector[_SOFT] = seen.total / MOST_TOTAL, seen.soft
    if seen.upcard:
        vector[_UPCARD + seen.upcard - 1] = 1
    if seen.suits:
        vector[_SUITS + seen.suits - 1] = 1
    vector[_ACES] = seen.first_aces / 2
    if seen.split:
        vector[_SPLIT + seen.split - 1] = 1
    vector[_FIRST_HAND] = seen.first_hand
    parts = [vector, mask_of(seen.may, actions).astype(np.float32)]
    if gone is not None and len(gone):
        parts.insert(1, gone)
    return np.concatenate(parts)


def flat_space(actions: int, discards: int) -> spaces.Box:
    """The space of `flat`."""
    return spaces.Box(0, 1, (len(COLUMNS) + discards + actions,), np.float32)

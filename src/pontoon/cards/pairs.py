"""Kinds of pair for the side wagers: by face value, so that K-Q is no pair here although it may be split.

>>> pair_kind("Qh", "Qh"), pair_kind("Qh", "Qd"), pair_kind("Qh", "Qs"), pair_kind("Qh", "Kh")
('perfect', 'coloured', 'mixed', None)
"""

from __future__ import annotations

from typing import Literal

from pontoon.cards.card import Card, is_red

PairKind = Literal["perfect", "coloured", "mixed"]


def pair_kind(first: Card, second: Card) -> PairKind | None:
    """Which kind of pair two cards are, if any; the kinds exclude each other, so the highest is the only one."""
    if first[0] != second[0]:
        return None
    if first[1] == second[1]:
        return "perfect"
    return "coloured" if is_red(first) == is_red(second) else "mixed"

"""Cards, the pack of 48, and hand totals, independent of any rulebook."""

from pontoon.cards.card import (
    JOKER,
    PACK,
    POINTS,
    RANKS,
    SUITS,
    Card,
    UnknownCardError,
    name,
    points,
    read_card,
    read_cards,
)
from pontoon.cards.hand import LIMIT, Total, aces_in, add_card, is_pontoon, total

__all__ = [
    "JOKER",
    "LIMIT",
    "PACK",
    "POINTS",
    "RANKS",
    "SUITS",
    "Card",
    "Total",
    "UnknownCardError",
    "aces_in",
    "add_card",
    "is_pontoon",
    "name",
    "points",
    "read_card",
    "read_cards",
    "total",
]

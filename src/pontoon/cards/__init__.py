"""Cards, the pack of 48, hand totals and kinds of pair. Knows nothing of any rulebook."""

from pontoon.cards.card import JOKER, PACK, POINTS, RANKS, SUITS, Card, UnknownCardError, name, points, read_card
from pontoon.cards.hand import LIMIT, Total, aces_in, is_pontoon, total
from pontoon.cards.pairs import PairKind, pair_kind

__all__ = [
    "JOKER",
    "LIMIT",
    "PACK",
    "POINTS",
    "RANKS",
    "SUITS",
    "Card",
    "PairKind",
    "Total",
    "UnknownCardError",
    "aces_in",
    "is_pontoon",
    "name",
    "pair_kind",
    "points",
    "read_card",
    "total",
]

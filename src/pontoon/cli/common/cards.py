"""Cards as analysts type them: `8s 8h`, `8s8h`, `88`, `A7`, `10 6`, `T6`, `X6`.

A card without a suit gets one that makes no suited hand. T, X and 10 without a suit stand for a picture, as in the
charts: the pack has no tens.

>>> hand_of("88"), hand_of("8s8h"), hand_of("A,7"), hand_of("T-6").cards
(Typed(cards=('8c', '8d'), assumed=True), Typed(cards=('8s', '8h'), assumed=False), \
Typed(cards=('Ac', '7d'), assumed=True), ('Kc', '6d'))
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pontoon.cards import Card, UnknownCardError, read_card
from pontoon.quoting import quoted

_CARD = re.compile(r"(10|[A2-9TXJQKa2-9txjqk])([cdhsCDHS♣♦♥♠]?)")
_BETWEEN = re.compile(r"[\s,+-]*")
_SUITS = dict(zip("♣♦♥♠", "cdhs", strict=True))
_PICTURES = ("10", "T", "X")
MIXED = "cd"
"""Suits of cards without one, alternating: no three cards of one suit, no two alike."""


class Typed(NamedTuple):
    """Cards as they were typed."""

    cards: tuple[Card, ...]
    assumed: bool
    """Whether suits were chosen for cards that had none."""


def hand_of(text: str, suits: str = MIXED) -> Typed:
    """Read a hand; raise UnknownCardError if part of the text is not a card."""
    cards: list[Card] = []
    assumed, place = False, 0
    text = text.strip()
    while place < len(text):
        found = _CARD.match(text, place)
        if found is None:
            word = re.split(r"[\s,+-]", text[:place])[-1] + text[place:]
            words = f"{quoted(word)}: not a card; write ranks A 2-9 T J Q K with or without a suit c d h s"
            raise UnknownCardError(f"{words}, as in '8s 8h' or '88'")
        rank, suit = found[1].upper(), found[2].lower()
        assumed = assumed or not suit
        rank = "K" if rank in _PICTURES and not suit else rank
        cards.append(read_card(rank + (_SUITS.get(suit, suit) or suits[len(cards) % len(suits)])))
        place = _BETWEEN.match(text, found.end()).end()  # type: ignore[union-attr] # it matches the empty text
    return Typed(tuple(cards), assumed)

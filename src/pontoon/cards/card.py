"""A card is its notation: rank, then suit, as in "7s" for the seven of spades.

There is no card class: a string prints, compares, serialises and reads back by itself.

>>> points(read_card("Kd")), points(read_card("As")), name(read_card("7s"))
(10, 1, 'seven of spades')
"""

from __future__ import annotations

from typing import NewType

from pontoon.quoting import quoted

Card = NewType("Card", str)

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "J", "Q", "K")
SUITS = ("c", "d", "h", "s")
PACK: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
"""The 48 cards of one pack: four suits without the ten."""

JOKER = Card("**")
"""The promotional joker of adelaide 6: not part of a pack, and replaced by the next card."""

ACE = "A"
TEN_POINTS = frozenset("JQK")
RED = frozenset("dh")

POINTS: dict[Card, int] = {
    card: 1 if card[0] == ACE else 10 if card[0] in TEN_POINTS else int(card[0]) for card in PACK
}
"""Points of each card with the ace as 1; the hand decides whether one ace counts ten more."""

_RANK_NAMES = dict(
    zip(
        RANKS,
        "ace two three four five six seven eight nine jack queen king".split(),  # noqa: SIM905 reads as one line
        strict=True,
    )
)
_SUIT_NAMES = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


class UnknownCardError(ValueError):
    """The text is not one of the 48 cards."""


def read_card(text: str) -> Card:
    """Read a card; raise UnknownCardError with the reason if it is not one.

    >>> read_card("10s")
    Traceback (most recent call last):
    pontoon.cards.card.UnknownCardError: '10s': a pontoon pack has no tens
    """
    if not isinstance(text, str):
        raise TypeError(f'{quoted(text)}: a card is written as in "7s"')
    known = Card(text)
    if known in POINTS:
        return known
    if text[:1] in ("T", "t") or text.startswith("10"):
        reason = "a pontoon pack has no tens"
    else:
        reason = "not a card; write rank A 2-9 J Q K then suit c d h s, as in '7s'"
    message = f"{quoted(text)}: {reason}"
    raise UnknownCardError(message)


def read_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by spaces.

    >>> read_cards("5s 9d 6c")
    ('5s', '9d', '6c')
    """
    if not isinstance(text, str):
        raise TypeError(f'{quoted(text)}: cards are written as in "5s 9d 6c"')
    return tuple(map(read_card, text.split()))


def points(card: Card) -> int:
    """Points of a card, the ace as 1."""
    return POINTS[card]


def name(card: Card) -> str:
    """The name of a card in words."""
    return f"{_RANK_NAMES[card[0]]} of {_SUIT_NAMES[card[1]]}"


def is_red(card: Card) -> bool:
    """Whether the card is a heart or a diamond."""
    return card[1] in RED

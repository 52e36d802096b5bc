"""Cards as the simulation tells them apart: by rank, and by suit only where a bonus asks for suits."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pontoon.cards import PACK, RANKS, Card, aces_in, points
from pontoon.engine.odds import SEVENS, SIX_SEVEN_EIGHT
from pontoon.rulebook import Rulebook
from pontoon.strategy import rank_class

PICTURES = frozenset("JQK")
SUITED = frozenset(SEVENS + SIX_SEVEN_EIGHT)
TWO = 2


class Classes(Struct, frozen=True):
    """The classes of cards in one game; a card of the kernel's shoe is the number of its class."""

    cards: tuple[Card, ...]
    """One card of each class to stand for all of them."""
    number: dict[Card, int]
    """The class of each of the 48 cards."""
    upcards: tuple[str, ...]
    """The ranks that are told apart as the dealer's first card."""
    up: tuple[int, ...]
    """For each class the place of its rank among `upcards`."""

    def shoe(self, decks: int) -> list[int]:
        """A shoe of so many packs, in the order of the classes."""
        return sorted(self.number.values()) * decks


def classes_of(rules: Rulebook) -> Classes:
    """Tell apart what the rulebook tells apart.

    >>> from pontoon.rulebook import load
    >>> len(classes_of(load("star")).cards), len(classes_of(load("star", {"split.by": "rank"})).cards)
    (19, 21)
    """
    offered = PICTURES & set(rules.surrender.first_cards)
    alike = rules.split.by == "value" and offered in (frozenset(), PICTURES)

    def rank(card: Card) -> str:
        return rank_class(card) if alike else card[0]

    names = {card: rank(card) + (card[1] if card[0] in SUITED else "") for card in PACK}
    found = dict.fromkeys(names[card] for card in sorted(PACK, key=lambda card: RANKS.index(card[0])))
    order = {name: number for number, name in enumerate(found)}
    cards = tuple(next(card for card in reversed(PACK) if names[card] == name) for name in order)
    upcards = tuple(dict.fromkeys(rank(card) for card in cards))
    up = tuple(upcards.index(rank(card)) for card in cards)
    return Classes(cards, {card: order[names[card]] for card in PACK}, upcards, up)


def hand_name(cards: Sequence[Card], number: dict[Card, int]) -> tuple[object, ...]:
    """What of a hand can still matter: two hands of one name go on alike, whatever comes.

    The ranks without their order, the aces among the first two cards (a double may fix those), the suits while a
    suited bonus can still come, and the order of a pair, because a split gives the first card to the first hand.
    """
    if len(cards) == TWO and points(cards[0]) == points(cards[1]):
        return tuple(number[card] for card in cards)
    aces = aces_in(cards[:TWO])
    ranks = tuple(sorted(card[0] for card in cards))
    if within(ranks, SEVENS) or within(ranks, SIX_SEVEN_EIGHT):
        return (aces, *sorted(number[card] for card in cards))
    return (aces, "".join(sorted(rank_class(card) for card in cards)))


def within(ranks: Sequence[str], bonus: Sequence[str]) -> bool:
    """Whether these ranks can still become this bonus, or are it.

    >>> within(("6", "8"), ("6", "7", "8")), within(("8", "8"), ("6", "7", "8"))
    (True, False)
    """
    return all(ranks.count(rank) <= bonus.count(rank) for rank in ranks)

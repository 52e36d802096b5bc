"""Classes of cards that the simulation distinguishes: by rank, and by suit only where a bonus depends on suits."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pontoon.cards import PACK, RANKS, Card, aces_in, points
from pontoon.engine.odds import SEVENS, SIX_SEVEN_EIGHT
from pontoon.rulebook import Rulebook
from pontoon.strategy import rank_class

PICTURES = frozenset("JQK")
SUITED = frozenset(SEVENS + SIX_SEVEN_EIGHT)


class Classes(Struct, frozen=True):
    """The classes of cards in one game; a card in the kernel's shoe is the number of its class.

    Checkpoints depend on the names of these fields (`checkpoint.tables_digest`).
    """

    cards: tuple[Card, ...]
    """One card of each class, which represents it."""
    number: dict[Card, int]
    """The class of each of the 48 cards."""
    upcards: tuple[str, ...]
    """The ranks that are distinguished as the dealer's upcard."""
    up: tuple[int, ...]
    """For each class, the index of its rank in `upcards`."""

    def shoe(self, packs: int) -> list[int]:
        """The cards of a shoe as numbers of their classes, pack by pack in the order of the classes."""
        return sorted(self.number.values()) * packs


def classes_of(rules: Rulebook) -> Classes:
    """The classes of cards that a rulebook distinguishes.

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
    """A key for the part of a hand that can still matter: hands with the same key have the same future.

    It holds the ranks without their order, the aces among the first two cards (a double may fix those), the suits while
    a suited bonus is still possible, and the order of a pair, because a split gives the first card to the first hand.
    """
    if len(cards) == 2 and points(cards[0]) == points(cards[1]):
        return tuple(number[card] for card in cards)
    aces = aces_in(cards[:2])
    ranks = tuple(sorted(card[0] for card in cards))
    if within(ranks, SEVENS) or within(ranks, SIX_SEVEN_EIGHT):
        return (aces, *sorted(number[card] for card in cards))
    return (aces, "".join(sorted(rank_class(card) for card in cards)))


def within(ranks: Sequence[str], bonus: Sequence[str]) -> bool:
    """Whether these ranks are this bonus or can still become it.

    >>> within(("6", "8"), ("6", "7", "8")), within(("8", "8"), ("6", "7", "8"))
    (True, False)
    """
    return all(ranks.count(rank) <= bonus.count(rank) for rank in ranks)

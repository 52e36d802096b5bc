"""What a player sees when a decision is due, and the interface of a strategy, which is stateless.

A strategy may use the ranks of the hand (not their order), the number of aces among its first two cards, the suits of
a hand that can still become 6-7-8 or 7-7-7, the dealer's upcard and the flags below, and nothing else: the simulation
relies on this when it compiles a strategy into a table.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from pontoon.cards import Card, aces_in, total

Action = Literal["stand", "hit", "double", "split", "surrender", "forfeit", "keep"]
"""The possible actions; "keep" means not to surrender or not to forfeit."""

UPCARDS = "A23456789K"
"""Rank classes in the column order of every table; K stands for every picture."""

PICTURES = frozenset("JQK")


class StrategyError(ValueError):
    """A strategy cannot be read, found or applied; the message is one line for the user."""


class Situation(Struct, frozen=True):
    """The hand to act: its cards, the upcard, and the actions allowed."""

    cards: tuple[Card, ...]
    """The hand in the order dealt."""
    dealer: Card
    """The dealer's upcard."""
    split: str = ""
    """The rank class of the pair that was split; empty for a hand that was not split."""
    original: bool = True
    """Whether this hand carries the original wager, as the first hand of the box."""
    doubled: bool = False
    fixed_aces: int = 0
    """The number of aces fixed at 1 by a double."""
    may: frozenset[Action] = frozenset()

    @property
    def points(self) -> int:
        """The total of the hand."""
        return total(self.cards, self.fixed_aces).points

    @property
    def soft(self) -> bool:
        """Whether an ace in the hand counts as eleven."""
        return total(self.cards, self.fixed_aces).soft


class Strategy(Protocol):
    """A strategy: a subclass, any class with these two methods, or a plain function (`as_strategy`).

    It must return the same action for the same situation.

    >>> class Cautious(Strategy):
    ...     def choose(self, situation):
    ...         return "stand" if "stand" in situation.may else "hit"
    >>> Cautious().insures(("Kd", "9s"), "As")
    False
    """

    @abstractmethod
    def choose(self, situation: Situation) -> Action:
        """The chosen action, one of `situation.may`."""
        ...

    def insures(self, cards: tuple[Card, ...], dealer: Card) -> bool:  # noqa: ARG002 for those that look at them
        """Whether to insure these two cards for the maximum against the dealer's ace; by default never."""
        return False


StrategyLike: TypeAlias = Strategy | Callable[[Situation], Action]
"""A strategy, or a function that chooses; see `as_strategy`."""


def rank_class(card: Card) -> str:
    """The rank of a card, with K for every picture.

    >>> rank_class("Jd"), rank_class("7s")
    ('K', '7')
    """
    return "K" if card[0] in PICTURES else card[0]


def column(dealer: Card) -> int:
    """The column of the dealer's upcard in a table.

    >>> column("As"), column("Qd")
    (0, 9)
    """
    return UPCARDS.index(rank_class(dealer))


def ranks_key(cards: Sequence[Card]) -> str:
    """Rank classes in the order of `UPCARDS`.

    >>> ranks_key(("Kd", "5c", "As"))
    'A5K'
    """
    return "".join(sorted((rank_class(card) for card in cards), key=UPCARDS.index))


def hand_key(cards: Sequence[Card]) -> str:
    """The key of a hand in a composition-dependent table.

    It is the ranks, followed with more than two cards by "/1" or "/2", the number of aces among the first two. A double
    may fix those, so the same ranks can be two different hands.

    >>> hand_key(("As", "7d")), hand_key(("3d", "As", "7d")), hand_key(("3d", "7d", "As"))
    ('A7', 'A37/1', 'A37')
    """
    aces = aces_in(cards[:2]) if len(cards) > 2 else 0
    return ranks_key(cards) + (f"/{aces}" if aces else "")


def suits_mark(cards: Sequence[Card]) -> str:
    """The suit suffix of a two-card key: "s" for spades, "+" for another common suit, empty for mixed suits.

    >>> suits_mark(("6s", "7s")), suits_mark(("6d", "7d")), suits_mark(("6d", "7s"))
    ('s', '+', '')
    """
    suits = {card[1] for card in cards}
    return "" if len(suits) > 1 else "s" if suits == {"s"} else "+"

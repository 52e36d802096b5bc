"""What a player sees when a decision is due, and what a strategy is: an answer to that, and nothing remembered.

A strategy may look at the ranks of the hand (not at their order), at how many aces were among its first two cards, at
the suits of a hand that can still become 6-7-8 or 7-7-7, at the dealer's first card and at the flags below. It may look
at nothing else: the simulation compiles it into a table on that promise.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from pontoon.cards import Card, aces_in, total

Action = Literal["stand", "hit", "double", "split", "surrender", "forfeit", "keep"]
"""What may be done; keep: leave it as it is, that is, do not surrender and do not forfeit."""

UPCARDS = "A23456789K"
"""Rank classes in the order of every table: K stands for every picture."""

PICTURES = frozenset("JQK")
TWO = 2


class StrategyError(ValueError):
    """A strategy that cannot be read, found or asked; the message is one line for a person."""


class Situation(Struct, frozen=True):
    """A hand in turn: what is on the table, and what may be done."""

    cards: tuple[Card, ...]
    """The hand in the order dealt."""
    dealer: Card
    """The dealer's first card."""
    split: str = ""
    """The rank class of the pair that was split; empty for a hand that comes of no split."""
    original: bool = True
    """This hand carries the original wager: it is the first hand of the box."""
    doubled: bool = False
    fixed_aces: int = 0
    """How many aces the double holds at 1."""
    may: frozenset[Action] = frozenset()

    @property
    def points(self) -> int:
        """The total of the hand."""
        return total(self.cards, self.fixed_aces).points

    @property
    def soft(self) -> bool:
        """Whether an ace of the hand counts eleven."""
        return total(self.cards, self.fixed_aces).soft


class Strategy(Protocol):
    """A way to play: derive from it, or write any class with these two methods, or a plain function (`as_strategy`).

    The same situation always gets the same answer.

    >>> class Cautious(Strategy):
    ...     def choose(self, situation):
    ...         return "stand" if "stand" in situation.may else "hit"
    >>> Cautious().insures(("Kd", "9s"), "As")
    False
    """

    @abstractmethod
    def choose(self, situation: Situation) -> Action:
        """One of the actions in `situation.may`."""
        ...

    def insures(self, cards: tuple[Card, ...], dealer: Card) -> bool:  # noqa: ARG002 for those that look at them
        """Whether to insure these two cards against the dealer's ace, for the most the rulebook allows: never."""
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
    """The place of the dealer's first card in a row of a table.

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
    """The name of a hand in a composition-dependent table.

    Ranks, and where there are more than two cards "/1" or "/2": so many aces were among the first two. A double may
    fix those, so the same ranks can be two different hands.

    >>> hand_key(("As", "7d")), hand_key(("3d", "As", "7d")), hand_key(("3d", "7d", "As"))
    ('A7', 'A37/1', 'A37')
    """
    aces = aces_in(cards[:TWO]) if len(cards) > TWO else 0
    return ranks_key(cards) + (f"/{aces}" if aces else "")


def suits_mark(cards: Sequence[Card]) -> str:
    """How two cards' suits are marked in a key: "s" both spades, "+" both in another suit, nothing when mixed.

    >>> suits_mark(("6s", "7s")), suits_mark(("6d", "7d")), suits_mark(("6d", "7s"))
    ('s', '+', '')
    """
    suits = {card[1] for card in cards}
    return "" if len(suits) > 1 else "s" if suits == {"s"} else "+"

"""What the analysis answers, as plain values: they are read from the cache without numpy or numba."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import asdict

from pontoon.cards import LIMIT, Card, is_pontoon, total
from pontoon.frames import Row, Tabular, figures


class ShoeError(ValueError):
    """A card is not in the shoe, or too few cards are left to play a round."""


class HandError(ValueError):
    """There is no decision on these cards, or they cannot be a hand."""


class ActionValue(Struct, frozen=True):
    """A decision and its expected value in units of the first wager, followed by optimal play."""

    action: str
    value: float


def best_first(values: dict[str, float]) -> tuple[ActionValue, ...]:
    """Decisions in the order of their values."""
    ordered = sorted(values.items(), key=lambda item: -item[1])
    return tuple(ActionValue(action, float(value)) for action, value in ordered)


class Edge(Struct, Tabular, frozen=True):
    """The figures of a rulebook from a fresh shoe; values are in units of the first wager."""

    ev: float
    house_edge: float
    sd: float
    """Standard deviation of one round. Hands of a split are assumed to share only the dealer: off by up to 5e-4."""
    ev_by_upcard: dict[str, float]
    frequencies: dict[str, float]
    """How often a wager ends each way, per round; after a split every hand counts."""
    super_bonus_value: float
    hands: float
    """Mean number of hands per round."""

    def rows(self) -> list[Row]:
        """One row for every figure, upcard and way a wager ends: `figure`, `key`, `value`."""
        return figures(**asdict(self))


def check_hand(hand: Sequence[Card], *, doubled: bool) -> None:
    """Raise HandError if there is nothing to decide on these cards."""
    if len(hand) < (2 + 1 if doubled else 2):
        raise HandError("a hand has two cards or more" + (", three when it was doubled" if doubled else ""))
    points = total(tuple(hand)).points
    if points > LIMIT:
        raise HandError(f"{' '.join(hand)}: {points} is bust, nothing is left to decide")
    if points == LIMIT and not doubled:
        word = "pontoon" if is_pontoon(tuple(hand)) else "21"
        raise HandError(f"{' '.join(hand)}: {word} is paid at once, nothing is left to decide")

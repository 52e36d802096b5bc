"""What is printed on the layout: inscriptions, boxes and side wagers, all read from the rulebook of the table.

Every value comes from the book, so an operator's override is printed too.

>>> from pontoon.rulebook import load
>>> [one.text for one in inscriptions(load("star", {"payout.pontoon": "6:5"}))]
['Pontoon pays 6 to 5', 'Dealer must stand on hard 17 or soft 18', 'Insurance pays 2 to 1']
"""

from __future__ import annotations

from functools import lru_cache

from pontoon.money import Odds
from pontoon.rulebook import Rulebook
from pontoon.table import Table
from pontoon.view.table_parts import ClothView, InscriptionView, OddsView, SideOfferView
from pontoon.view.words import KINDS

HALVED = 2
"""A wager is surrendered, insured and taken by halves, so it is a multiple of so many cents (engine/wagers.py)."""

SIDE_ODDS = {
    "perfect_pairs": {
        "perfect pair": "perfect_pairs_perfect",
        "coloured pair": "perfect_pairs_coloured",
        "mixed pair": "perfect_pairs_mixed",
    },
    "pairs_play": {"any pair": "pairs_play_any"},
}
"""The odds printed for each side wager, by their keys in the rulebook's section on side wagers."""


class _Same:
    """A rulebook by identity: its values hold a mapping, so it has no hash, and it never changes."""

    __slots__ = ("rules",)

    def __init__(self, rules: Rulebook) -> None:
        self.rules = rules

    def __hash__(self) -> int:
        return id(self.rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.rules is other.rules


def cloth(table: Table) -> ClothView:
    """The layout of this table."""
    return _layout(_Same(table.rules), table.size)


@lru_cache(maxsize=256)
def _layout(book: _Same, cards: int) -> ClothView:
    """Cached, because every frame of every table carries it."""
    rules = book.rules
    return ClothView(
        title=rules.about.name.replace("-", " "),
        boxes=rules.boxes.count,
        cards=cards,
        multiple=HALVED,
        inscriptions=inscriptions(rules),
        side=side_offers(rules),
    )


def inscriptions(rules: Rulebook) -> tuple[InscriptionView, ...]:
    """The lines printed across the layout (adelaide 4, division-15 3.2(b))."""
    dealer = rules.dealer
    return (
        InscriptionView("pontoon", f"Pontoon pays {to(rules.payout.pontoon)}"),
        InscriptionView("dealer", f"Dealer must stand on hard {dealer.stands_hard} or soft {dealer.stands_soft}"),
        InscriptionView("insurance", f"Insurance pays {to(rules.insurance.odds)}"),
    )


def side_offers(rules: Rulebook) -> tuple[SideOfferView, ...]:
    """The side wagers this rulebook offers, in the order they are listed."""
    side = rules.side
    return tuple(
        SideOfferView(
            name, KINDS[name], tuple(OddsView(title, to(getattr(side, key))) for title, key in SIDE_ODDS[name].items())
        )
        for name, offered in (("perfect_pairs", side.perfect_pairs), ("pairs_play", side.pairs_play))
        if offered
    )


def to(odds: Odds) -> str:
    """Odds as a layout prints them.

    >>> to(Odds("3:2"))
    '3 to 2'
    """
    return f"{odds.numerator} to {odds.denominator}"

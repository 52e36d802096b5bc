"""What is printed on the layout: inscriptions, boxes and side wagers, all read from the rulebook of the table.

Every value comes from the book, so an operator's override is printed too.

>>> from pontoon.rulebook import load
>>> [one.text for one in inscriptions(load("star", {"payout.pontoon": "6:5"}))]
['Pontoon pays 6 to 5', 'Dealer must stand on hard 17 or soft 18', 'Insurance pays 2 to 1']
"""

from __future__ import annotations

from functools import lru_cache

from pontoon.engine.state import Limits
from pontoon.engine.wagers import side_limits
from pontoon.money import Odds
from pontoon.rulebook import Rulebook
from pontoon.table import Table
from pontoon.view.table_parts import ClothView, InscriptionView, OddsView, SideOfferView

HALVED = 2
"""A wager is surrendered, insured and taken by halves, so it is a multiple of so many cents (engine/wagers.py)."""


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
    return _layout(_Same(table.rules), table.packs, table.size, Limits(side=table.limits.side), table.side_bets)


@lru_cache(maxsize=256)
def _layout(book: _Same, packs: int, cards: int, sign: Limits, bets: tuple[str, ...] | None) -> ClothView:
    """Cached, because every frame of every table carries it."""
    rules = book.rules
    return ClothView(
        title=rules.about.name.replace("-", " "),
        boxes=rules.boxes.count,
        cards=cards,
        multiple=HALVED,
        inscriptions=inscriptions(rules),
        side=tuple(one for one in side_offers(rules, packs, sign) if bets is None or one.name in bets),
    )


def inscriptions(rules: Rulebook) -> tuple[InscriptionView, ...]:
    """The lines printed across the layout (adelaide 4, division-15 3.2(b))."""
    dealer = rules.dealer
    return (
        InscriptionView("pontoon", f"Pontoon pays {to(rules.payout.pontoon)}"),
        InscriptionView("dealer", f"Dealer must stand on hard {dealer.stands_hard} or soft {dealer.stands_soft}"),
        InscriptionView("insurance", f"Insurance pays {to(rules.insurance.odds)}"),
    )


def side_offers(rules: Rulebook, packs: int, sign: Limits) -> tuple[SideOfferView, ...]:
    """The side bets a table with so many packs takes, in the order of the rulebook; the sign may limit them further."""
    return tuple(
        SideOfferView(
            bet.name,
            bet.title,
            tuple(OddsView(row.title, to(row.odds)) for row in bet.pays),
            *side_limits(sign, bet),
            bet.multiple,
        )
        for bet in rules.side
        if bet.offered and packs in bet.decks
    )


def to(odds: Odds) -> str:
    """Odds as a layout prints them.

    >>> to(Odds("3:2"))
    '3 to 2'
    """
    return f"{odds.numerator} to {odds.denominator}"

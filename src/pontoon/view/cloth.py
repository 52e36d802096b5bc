"""The printed layout: inscriptions, boxes and side wagers, from the table's rulebook.

Every value comes from the book, so an operator's override is printed too.

>>> from pontoon.rulebook import load
>>> [line.text for line in inscriptions(load("star", {"payout.pontoon": "6:5"}))]
['Pontoon pays 6 to 5', 'Dealer must stand on hard 17 or soft 18', 'Insurance pays 2 to 1']
"""

from __future__ import annotations

from functools import lru_cache

from pontoon.engine.state import Limits
from pontoon.engine.wagers import side_limits
from pontoon.money import Odds
from pontoon.rulebook import Rulebook
from pontoon.table import Table
from pontoon.view.catalogue.formats import money
from pontoon.view.table_parts import ClothView, InscriptionView, OddsView, SideOfferView

HALVED = 2
"""Wagers are multiples of this many cents, because surrender and insurance halve them (engine/wagers.py)."""


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
        side=tuple(offer for offer in side_offers(rules, packs, sign) if bets is None or offer.name in bets),
        bonus=bonus_hands(rules),
        full_double=not rules.double.for_less,
    )


def inscriptions(rules: Rulebook) -> tuple[InscriptionView, ...]:
    """The lines printed across the layout (adelaide 4, division-15 3.2(b))."""
    dealer = rules.dealer
    return (
        InscriptionView("pontoon", f"Pontoon pays {to(rules.payout.pontoon)}"),
        InscriptionView("dealer", f"Dealer must stand on hard {dealer.stands_hard} or soft {dealer.stands_soft}"),
        InscriptionView("insurance", f"Insurance pays {to(rules.insurance.odds)}"),
    )


def bonus_hands(rules: Rulebook) -> tuple[OddsView, ...]:
    """Hands that pay more than even money, as a card on the table lists them.

    >>> from pontoon.rulebook import load
    >>> [(one.title, one.odds) for one in bonus_hands(load("canberra"))][1:]
    [('6-7-8', '3 to 2, up to 3 to 1'), ('7-7-7', '3 to 2, up to 3 to 1'), ('Super Bonus', 'up to $5,000')]
    """
    pays, prize = rules.payout, rules.super_bonus
    rows = [
        OddsView("Five-card 21", _between(pays.five_cards, pays.seven_cards)),
        OddsView("6-7-8", _between(pays.six_seven_eight_mixed, pays.six_seven_eight_spades)),
        OddsView("7-7-7", _between(pays.sevens_mixed, pays.sevens_spades)),
    ]
    if prize.offered:
        rows.append(OddsView("Super Bonus", f"up to {money(prize.upper)}"))
    return tuple(rows)


def _between(low: Odds, high: Odds) -> str:
    return to(low) if low == high else f"{to(low)}, up to {to(high)}"


def side_offers(rules: Rulebook, packs: int, sign: Limits) -> tuple[SideOfferView, ...]:
    """The side bets available with this many packs, in the order of the rulebook; the sign may limit them further."""
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

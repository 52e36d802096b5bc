"""The payout row of a winning hand, and the payment."""

from __future__ import annotations

from pontoon.cards import LIMIT, Card, total
from pontoon.engine.state import Hand, Limits, Wager
from pontoon.money import Odds
from pontoon.rulebook import Clauses, Rulebook
from pontoon.rulebook.round_rules import PayoutRows

SEVENS = ("7", "7", "7")
SIX_SEVEN_EIGHT = ("6", "7", "8")
FIVE, SIX = 5, 6


def suits_row(cards: tuple[Card, ...]) -> str:
    """How the suits of a bonus hand are called.

    >>> suits_row(("7s", "7s", "7s")), suits_row(("6h", "7h", "8h")), suits_row(("6h", "7s", "8h"))
    ('spades', 'suited', 'mixed')
    """
    suits = {card[1] for card in cards}
    if len(suits) > 1:
        return "mixed"
    return "spades" if "s" in suits else "suited"


def row(cards: tuple[Card, ...], points: int, *, count_requires_21: bool) -> str:
    """The payout row of a winning hand that is neither a pontoon nor doubled; the rows exclude each other.

    >>> row(("6h", "7s", "8h"), 21, count_requires_21=True)
    'six_seven_eight_mixed'
    >>> row(("2s", "3s", "4s", "5s", "6s"), 20, count_requires_21=True)
    'other'
    """
    count = len(cards)
    if count >= FIVE and (points == LIMIT or not count_requires_21):
        return "five_cards" if count == FIVE else "six_cards" if count == SIX else "seven_cards"
    if count != len(SEVENS) or points != LIMIT:
        return "other"
    ranks = tuple(sorted(card[0] for card in cards))
    if ranks == SEVENS:
        return "sevens_" + suits_row(cards)
    if ranks == SIX_SEVEN_EIGHT:
        return "six_seven_eight_" + suits_row(cards)
    return "other"


def total_for(rules: Rulebook, hand: Hand, wager: Wager) -> int:
    """The total that counts for a wager: the hand's, unless the operator keeps a non-doubler's aces free (A70)."""
    if hand.fixed_aces and not wager.double and rules.double.fixed_aces_for == "doublers":
        return total(hand.cards).points
    return hand.total


def hand_row(rules: Rulebook, hand: Hand, points: int) -> str:
    """The payout row of a winning hand."""
    return row(hand.cards, points, count_requires_21=rules.payout.count_requires_21)


_KEYS = {name: f"payout.{name}" for name in PayoutRows.__struct_fields__}
"""The key of each row in the rulebook."""


def odds_of(rules: Rulebook, hand: Hand, wager: Wager) -> tuple[Odds, Clauses]:
    """Odds of a win for one wager, and the clauses that set them."""
    if wager.double:
        return rules.payout.doubled, rules.clauses("payout.doubled")
    if hand.doubled and rules.double.non_doubler_odds == "even":
        return rules.payout.doubled, rules.clauses("double.non_doubler_odds")
    name = hand_row(rules, hand, total_for(rules, hand, wager))
    clauses = rules.clauses(_KEYS[name])
    if hand.doubled:
        clauses = (*rules.clauses("double.non_doubler_odds"), *clauses)
    return getattr(rules.payout, name), clauses


def payout(rules: Rulebook, limits: Limits, stake: int, odds: Odds, *, multiples: bool = False) -> tuple[int, Clauses]:
    """The payment for a winning stake in cents, and the clause that rounded it, if any.

    The lower multiple under a notice (for Pontoon wagers) and the next higher payable amount without one are adelaide
    120 (A44); a wager below the minimum has no lower multiple and is paid anyway (118).
    """
    exact = odds.pays(stake)
    chip = limits.smallest_chip
    if not chip or rules.wagers.rounding == "exact" or not exact % chip:
        return exact, ()
    clauses = rules.clauses("wagers.rounding")
    lower = stake - stake % limits.minimum if limits.minimum else 0
    if multiples and rules.wagers.multiples_notice and 0 < lower < stake:
        exact = odds.pays(lower)
    return exact + -exact % chip, clauses

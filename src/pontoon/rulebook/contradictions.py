"""Values that contradict each other: one row per check, with its message."""

from __future__ import annotations

from pontoon.cards import RANKS
from pontoon.rulebook.schema import Rulebook, SideBet
from pontoon.rulebook.side_bets import reachable

STEPS = ("side_wagers", "pontoons", "insurance", "surrender")
"""The steps that can follow the initial deal."""

MOST_DECKS = 8


def contradictions(book: Rulebook) -> list[str]:
    """Every contradiction in a rulebook, in words; empty if there are none."""
    decks, double, surrender = book.decks, book.double, book.surrender
    rows = (
        (
            not decks.allowed or min(decks.allowed) < 1 or max(decks.allowed) > MOST_DECKS,
            f"decks.allowed must name numbers from 1 to {MOST_DECKS}, as in [6, 8]",
        ),
        (
            decks.default not in decks.allowed,
            f"decks.default is {decks.default}, which decks.allowed does not name",
        ),
        (
            tuple(sorted(book.deal.then)) != tuple(sorted(STEPS)),
            f"deal.then must name each of {', '.join(STEPS)} once",
        ),
        (
            double.lowest_total > double.highest_total,
            f"double.lowest_total {double.lowest_total} is above double.highest_total {double.highest_total}",
        ),
        (
            not set(surrender.first_cards) <= set(RANKS),
            "surrender.first_cards names a rank that is not in the pack, ranks are A 2-9 J Q K",
        ),
        (
            surrender.mode == "controller_binds" and surrender.co_bettor_alone,
            "surrender.co_bettor_alone contradicts surrender.mode controller_binds",
        ),
        (
            book.dealer.stands_soft < book.dealer.stands_hard,
            "dealer.stands_soft is below dealer.stands_hard",
        ),
        (
            book.super_bonus.lower > book.super_bonus.upper,
            "super_bonus.lower is above super_bonus.upper",
        ),
    )
    own = [words for wrong, words in rows if wrong]
    return [*own, *(words for bet in book.side for words in _in_bet(book, bet))]


def _in_bet(book: Rulebook, bet: SideBet) -> list[str]:
    key, names = f"side.{bet.name}", {side_bet.name for side_bet in book.side}
    rows = (
        (
            not set(bet.decks) <= set(book.decks.allowed),
            f"{key}.decks names a number of packs that decks.allowed does not",
        ),
        (bet.offered and not bet.decks, f"{key} is offered but {key}.decks allows no number of packs"),
        (bet.compulsory and not bet.offered, f"{key}.compulsory asks for a side bet that is not offered"),
        (bool(bet.maximum) and bet.minimum > bet.maximum, f"{key}.minimum is above {key}.maximum"),
        (
            bool(bet.multiple) and any(limit % bet.multiple for limit in (bet.minimum, bet.maximum)),
            f"{key}.minimum and {key}.maximum must be multiples of {key}.multiple",
        ),
        (
            not set(bet.instead_of) <= names - {bet.name},
            f"{key}.instead_of names a side bet that is not in this rulebook",
        ),
    )
    unreachable = (f"{key}.pays.{row.name} can never be paid" for row in bet.pays if not reachable(bet, row))
    return [*(words for wrong, words in rows if wrong), *unreachable]

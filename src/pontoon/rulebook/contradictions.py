"""Values that are fine alone but not together, one row each: is it wrong, and what to say."""

from __future__ import annotations

from pontoon.cards import RANKS
from pontoon.rulebook.schema import Rulebook

STEPS = ("side_wagers", "pontoons", "insurance", "surrender")
"""What can follow the initial deal."""

MOST_DECKS = 8


def contradictions(book: Rulebook) -> list[str]:
    """Every contradiction in a rulebook, in words; none is an empty list."""
    decks, side, double, surrender = book.decks, book.side, book.double, book.surrender
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
            not set(decks.with_perfect_pairs) <= set(decks.allowed),
            "decks.with_perfect_pairs names a number of packs that decks.allowed does not",
        ),
        (
            side.perfect_pairs and not decks.with_perfect_pairs,
            "side.perfect_pairs is offered but decks.with_perfect_pairs allows no number of packs",
        ),
        (
            side.compulsory and not side.perfect_pairs,
            "side.compulsory asks for Perfect Pairs, which side.perfect_pairs does not offer",
        ),
        (
            (side.perfect_pairs or side.pairs_play) and side.most_per_box < 1,
            "side.most_per_box is 0 although a side wager is offered",
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
            side.perfect_pairs and not book.cites.perfect_pairs_won,
            "side.perfect_pairs is offered but the document has no clause for it",
        ),
        (
            side.pairs_play and not book.cites.pairs_play_won,
            "side.pairs_play is offered but the document has no clause for it",
        ),
        (
            book.super_bonus.offered and not book.cites.super_bonus,
            "super_bonus.offered is true but the document has no clause for it",
        ),
        (
            book.super_bonus.lower > book.super_bonus.upper,
            "super_bonus.lower is above super_bonus.upper",
        ),
    )
    return [words for wrong, words in rows if wrong]

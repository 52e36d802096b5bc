"""The amount of the Super Bonus at a bet, as the engine pays it."""

from __future__ import annotations

from functools import lru_cache

from pontoon.rulebook import Rulebook, digest

_BOOKS: dict[str, Rulebook] = {}


def super_bonus_at(rules: Rulebook, stake: int) -> int:
    """The Super Bonus for three suited sevens against a seven at this stake in cents; 0 if there is none.

    >>> from pontoon.rulebook import load
    >>> [super_bonus_at(load("star"), stake) for stake in (1000, 2400, 2500, 10000)]
    [100000, 100000, 500000, 500000]
    """
    _BOOKS.setdefault(digest(rules), rules)
    return _paid(digest(rules), max(2, stake - stake % 2))


@lru_cache(maxsize=1024)
def _paid(book: str, stake: int) -> int:
    from pontoon.analysis.game import super_bonus  # noqa: PLC0415 numpy only when it is asked for

    return super_bonus(_BOOKS[book], stake, "s")

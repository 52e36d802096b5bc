"""The rulebook for the rounds of a tournament: canberra, or the one named in the conditions.

Rule 20 itself is always canberra's; the tables may follow another casino's rules.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from pontoon.rulebook import NAMES, Rulebook, canonical, digest, load, override, pinned, recorded
from pontoon.rulebook.library import archived_digest
from pontoon.tournament.conditions.values import RULEBOOK, Conditions, Game


def book_of(game: Game) -> Rulebook:
    """The rulebook of the conditions: the embedded one, or the shipped one they name."""
    return _pinned(game.book) if game.book else load(game.rulebook)


def with_book(conditions: Conditions, book: Rulebook) -> Conditions:
    """The conditions with this rulebook embedded, so that later versions cannot change it."""
    return replace(conditions, game=replace(conditions.game, rulebook=book.about.name, book=canonical(book)))


def rules_of(game: Game) -> Rulebook:
    """The rulebook with the conditions' changes: bonuses in chips or none, side wagers or none (A69)."""
    return _rules(game.book or canonical(load(game.rulebook)), tuple(overrides_of(game)))


def overrides_of(game: Game) -> dict[str, bool]:
    """The overrides that the conditions make."""
    off = {} if game.super_bonus == "chips" else {"super_bonus.offered": False}
    sides = () if game.side_wagers else book_of(game).side
    return off | {f"side.{bet.name}.offered": False for bet in sides}


def recorded_canberra() -> Rulebook:
    """The rulebook of every tournament that version 0.1.0 recorded."""
    return recorded(RULEBOOK, {}, archived_digest(RULEBOOK))


def digest_of(game: Game) -> str:
    """The digest of an embedded rulebook; empty for a shipped one, which its name identifies."""
    return "" if game.rulebook in NAMES else digest(book_of(game))


@lru_cache(maxsize=64)
def _pinned(book: str) -> Rulebook:
    return pinned(book)


@lru_cache(maxsize=64)
def _rules(book: str, off: tuple[str, ...]) -> Rulebook:
    """Cached, because every table of a tournament uses the same rules."""
    return override(_pinned(book), dict.fromkeys(off, False))

"""Which rules a strategy file was made for: the rulebook it carries, or the digest that version 0.1.0 gave it."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from pontoon.rulebook import Rulebook, RulebookError, digest, is_recorded, pinned, play_digest
from pontoon.strategy.situation import Strategy, StrategyError


class Header(Protocol):
    """What both kinds of strategy file say of the game they were made for."""

    @property
    def rulebook(self) -> str:
        """The name of the rulebook."""

    @property
    def digest(self) -> str:
        """The digest of its rules, overrides included; may be empty."""

    @property
    def book(self) -> str:
        """Its canonical text; empty in files of version 0.1.0 and in those that people write."""

    @property
    def decks(self) -> int:
        """Packs in the shoe."""


def check_book(header: Header, file: str) -> None:
    """Refuse a file whose rulebook cannot be read, or is not the one whose digest stands beside it."""
    if header.book:
        try:
            _pinned(header.book, header.digest)
        except RulebookError as error:
            raise StrategyError(f"{file}: {error}") from None


def made_for(strategy: Strategy, rules: Rulebook, decks: int) -> str:
    """What a strategy of a file was made for, where that is something else than is played; empty if it fits.

    Rules fit where they play alike, whatever they are called and whichever clauses they cite.
    """
    header: Header | None = getattr(strategy, "table", None) or getattr(strategy, "chart", None)
    if header is None or (header.decks == decks and _fits(header, rules)):
        return ""
    overridden = " with other overrides" if header.rulebook == rules.about.name and not _fits(header, rules) else ""
    return f"{header.rulebook}, {header.decks} packs{overridden}"


def _fits(header: Header, rules: Rulebook) -> bool:
    if header.book:
        return header.digest == digest(rules) or play_digest(_pinned(header.book, header.digest)) == play_digest(rules)
    if header.digest:
        return is_recorded(rules, header.rulebook, header.digest)
    return header.rulebook == rules.about.name


@lru_cache(maxsize=32)
def _pinned(book: str, digest_was: str) -> Rulebook:
    return pinned(book, digest_was)

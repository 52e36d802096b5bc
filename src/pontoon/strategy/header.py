"""The rules a strategy file was made for: its embedded rulebook, or the digest written by version 0.1.0."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from pontoon.rulebook import Rulebook, RulebookError, digest, is_recorded, pinned, play_digest
from pontoon.strategy.situation import Strategy, StrategyError


class Header(Protocol):
    """The description of the game in both kinds of strategy file."""

    @property
    def rulebook(self) -> str:
        """The name of the rulebook."""

    @property
    def digest(self) -> str:
        """The digest of its rules, overrides included; may be empty."""

    @property
    def book(self) -> str:
        """Its canonical text; empty in files of version 0.1.0 and in hand-written ones."""

    @property
    def decks(self) -> int:
        """Packs in the shoe."""


def check_book(header: Header, file: str) -> None:
    """Refuse a file whose rulebook cannot be read or does not match its digest."""
    if header.book:
        try:
            _pinned(header.book, header.digest)
        except RulebookError as error:
            raise StrategyError(f"{file}: {error}") from None


def made_for(strategy: Strategy, rules: Rulebook, decks: int) -> str:
    """The game a strategy file was made for, if it differs from the one played; empty if it fits.

    Rules fit if they play alike, whatever their name and clauses.
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

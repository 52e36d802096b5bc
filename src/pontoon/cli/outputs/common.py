"""What several outputs share."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An object of an output: it has these keys and no others."""


class About(Part, frozen=True, kw_only=True):
    """The game that was analysed: the first keys of an answer."""

    rulebook: str
    digest: str
    """Digest of the rules that were used, with overrides."""
    overrides: dict[str, Any]
    """Values that replace the document's, by key."""
    decks: int
    """Packs in the shoe."""
    stake: str
    """The first wager in dollars."""

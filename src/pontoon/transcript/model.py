"""A transcript as data; it contains only what the rules cannot derive."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pontoon.cards import Card
from pontoon.engine import Limits, SideKind


class TranscriptError(ValueError):
    """The transcript cannot be read or is incomplete. One line: place and reason."""

    def __init__(self, place: str, reason: str) -> None:
        """Say where and why."""
        super().__init__(f"{place}: {reason}")


class Bet(Struct, frozen=True):
    """One line of the layout: a stake and a side wager of one player on one box."""

    box: int
    player: str
    stake: int
    side: tuple[tuple[SideKind, int], ...] = ()
    """Name and amount of each."""


class Line(Struct, frozen=True):
    """One action line, read: who (box and perhaps a name; box 0 is an official), verb, argument."""

    text: str
    box: int
    player: str
    verb: str
    amount: int = 0
    """Cents for insure and double; 1 or 2 for ride; for burn which card of the shoe, 0 if its face is enough."""
    for_box: int = 0
    for_player: str = ""
    what: str = ""
    """The subject of an official line: a card, an offer, dealer, round."""
    hand: int = 0
    """The hand of `for_box`; 0 if none is named."""
    at: int = -1
    """Number of cards that had left the shoe; -1 if it follows from the order of the lines."""

    @property
    def by_house(self) -> bool:
        """Whether the house decided because the document is silent."""
        return self.box == 0 and self.player == "house"


class Transcript(Struct, frozen=True):
    """One round: rulebook, operator's choices, bets, cards in order, decisions in order."""

    rulebook: str
    cards: tuple[Card, ...]
    bets: tuple[Bet, ...]
    lines: tuple[Line, ...] = ()
    decks: int = 0
    """0 is the rulebook's default."""
    limits: Limits = Limits()
    overrides: Mapping[str, object] = {}
    paid: Mapping[str, int] = {}
    book: str = ""
    """The canonical text of the rulebook, if the transcript includes it."""
    digest: str = ""
    """The digest of its rules including overrides; if given, it must match."""
    folder: str = ""
    """The base folder for relative paths to rulebooks."""

    @property
    def players(self) -> tuple[str, ...]:
        """All players in the bets, in order of appearance."""
        return tuple(dict.fromkeys(bet.player for bet in self.bets))

"""A transcript as data: only what the rules cannot derive."""

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
    """Cents for insure and double; 1 or 2 for ride; for burn which card of the shoe, 0 if its face tells."""
    for_box: int = 0
    for_player: str = ""
    what: str = ""
    """What an official line is about: a card, an offer, dealer, round."""


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
    """The canonical text of the rulebook, where the transcript brings its own."""
    digest: str = ""
    """The digest of the rules it was written under, overrides included; where it is given, it must fit."""
    folder: str = ""
    """Where a relative path to a rulebook begins."""

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody in the bets, in order of appearance."""
        return tuple(dict.fromkeys(bet.player for bet in self.bets))

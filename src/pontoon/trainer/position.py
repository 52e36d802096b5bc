"""A position as one short line: `star|8|7s 7h|Kd` is two sevens against a king under the Star's rules with 8 packs.

Rulebook, packs, hand in the order dealt and the dealer's upcard, separated by `|`. Further parts are `doubled` (the
last card came with a double), `split` (the hand comes from a split), and cards seen elsewhere. Spaces between cards
may be left out, so that a position fits into a web address. docs/positions.md describes the format.

>>> position = read_position("star|8|7s 7h|Kd")
>>> position.hand, position.dealer
(('7s', '7h'), 'Kd')
>>> str(read_position("canberra|6|5c6h4s|9d|doubled|2c 3d"))
'canberra|6|5c 6h 4s|9d|doubled|2c 3d'
>>> read_position("star|8|7s 10h|Kd")
Traceback (most recent call last):
pontoon.trainer.position.PositionError: '7s 10h': a pontoon pack has no tens
"""

from __future__ import annotations

import re

from msgspec import Struct

from pontoon.cards import Card, UnknownCardError, read_card
from pontoon.quoting import quoted

DOUBLED, SPLIT = "doubled", "split"
EXAMPLE = "star|8|7s 7h|Kd"
_PARTS = 4
_TWO = 2
_LONGEST = 400


class PositionError(ValueError):
    """A text is no position; the message says what is wrong in one line."""


class Position(Struct, frozen=True):
    """A hand to decide on."""

    rulebook: str
    packs: int
    hand: tuple[Card, ...]
    dealer: Card
    doubled: bool = False
    split: bool = False
    seen: tuple[Card, ...] = ()
    """Other cards seen since the shuffle."""

    def __str__(self) -> str:
        """The position as a line that reads back."""
        parts = [self.rulebook, str(self.packs), " ".join(self.hand), self.dealer]
        parts += [DOUBLED] * self.doubled + [SPLIT] * self.split + [" ".join(self.seen)] * bool(self.seen)
        return "|".join(parts)


def read_position(text: str) -> Position:
    """Read a position; PositionError says what is wrong with it."""
    parts = [part.strip() for part in text[:_LONGEST].split("|")]
    if len(parts) < _PARTS:
        raise PositionError(f"{quoted(text)} is no position; one is written rulebook|packs|hand|upcard, as {EXAMPLE}")
    rulebook, packs, hand, dealer, *more = parts
    if not packs.isdigit() or not 1 <= int(packs) <= 8:
        raise PositionError(f"{quoted(packs)}: the packs are a number from 1 to 8, as in {EXAMPLE}")
    held, up = _cards(hand), _cards(dealer)
    if len(held) < _TWO or len(up) != 1:
        raise PositionError(f"{quoted(text)}: a position has two cards or more and one upcard, as in {EXAMPLE}")
    seen = tuple(card for part in more if part not in (DOUBLED, SPLIT, "") for card in _cards(part))
    return Position(rulebook.lower(), int(packs), held, up[0], DOUBLED in more, SPLIT in more, seen)


def _cards(text: str) -> tuple[Card, ...]:
    words = text.replace(",", " ").split()
    if len(words) == 1 and len(words[0]) > _TWO:
        words = re.findall(r"10.?|..", words[0])
    try:
        return tuple(read_card(word[:-1].upper() + word[-1:].lower()) for word in words)
    except UnknownCardError as error:
        reason = str(error).partition(": ")[2] or str(error)
        raise PositionError(f"{quoted(text)}: {reason}") from None

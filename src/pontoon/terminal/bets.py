"""Reading a bet: `10` on every box, `10 +5` with a side wager, `1:10 3:20+5` box by box."""

from __future__ import annotations

import re

from pontoon.engine import SideKind
from pontoon.money import MoneyError, cents, dollars
from pontoon.transcript import Bet

PLAYER = "Player"
"""The person's name in events and transcripts."""

Bets = tuple[Bet, ...]
_ONE = re.compile(r"(?:(\d)\s*:\s*)?\$?([\d.]+)(?:\s*\+\s*\$?([\d.]+))?(?:[\s,]+|$)", re.ASCII)


class BetError(ValueError):
    """The text is no bet; the message is one line for a person."""


def read_bets(text: str, boxes: int, side: SideKind) -> Bets:
    """Read a bet of somebody who plays the boxes from 1 to `boxes`.

    >>> [(bet.box, bet.stake, bet.side) for bet in read_bets("10 +5", 2, "perfect_pairs")]
    [(1, 1000, (('perfect_pairs', 500),)), (2, 1000, (('perfect_pairs', 500),))]
    """
    parts = _parts(text)
    if len(parts) == 1 and not parts[0][0]:
        return tuple(_bet(box, parts[0][1], parts[0][2], side) for box in range(1, boxes + 1))
    bets = tuple(_bet(int(box or 0), stake, extra, side) for box, stake, extra in parts)
    numbers = [bet.box for bet in bets]
    if not all(1 <= number <= boxes for number in numbers):
        raise BetError(f"name your boxes from 1 to {boxes}, as in 1:10" if boxes > 1 else "you play box 1 only")
    if len(set(numbers)) < len(numbers):
        raise BetError("one bet a box")
    return bets


def _parts(text: str) -> list[tuple[str, str, str]]:
    parts, place = [], 0
    while place < len(text):
        match = _ONE.match(text, place)
        if match is None:
            raise BetError(f"{text!r} is not a bet; type a stake, as in 10 or 7.50, or ? for help")
        parts.append((match[1] or "", match[2], match[3] or ""))
        place = match.end()
    return parts


def _bet(box: int, stake: str, extra: str, side: SideKind) -> Bet:
    try:
        return Bet(box, PLAYER, cents(stake), ((side, cents(extra)),) if extra else ())
    except MoneyError:
        raise BetError(f"{stake}{'+' if extra else ''}{extra} is not an amount, as in 10 or 7.50") from None


def bets_words(bets: Bets, boxes: int) -> str:
    """Write a bet as it can be typed.

    >>> bets_words(read_bets("10+5", 3, "perfect_pairs"), 3), bets_words(read_bets("2:20 3:5", 3, "perfect_pairs"), 3)
    ('10.00 +5.00', '2:20.00 3:5.00')
    """
    amounts = [dollars(bet.stake) + "".join(f" +{dollars(amount)}" for _, amount in bet.side) for bet in bets]
    if len(bets) == boxes and len(set(amounts)) == 1:
        return amounts[0]
    return " ".join(f"{bet.box}:{amount}" for bet, amount in zip(bets, amounts, strict=True))

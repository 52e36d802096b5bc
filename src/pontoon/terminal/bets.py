"""Bets: reading `10` on every box, `10 +5` with a side wager, `1:10 3:20+5` box by box.

Also the commands that turn the wagers on the table into the planned ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from pontoon.engine import Command, PlaceSideWager, PlaceWager, SideKind
from pontoon.engine.commands import TakeBack
from pontoon.money import MoneyError, cents, dollars
from pontoon.view.table_parts import TableView

Sides = tuple[tuple[SideKind, int], ...]
MOST_BOXES = 7
_ONE = re.compile(r"(?:(\d)\s*:\s*)?\$?([\d.]+)(?:\s*\+\s*\$?([\d.]+))?(?:[\s,]+|$)", re.ASCII)


class BetError(ValueError):
    """The text is not a bet; the message is one line for the user."""


class Stake(Struct, frozen=True):
    """The planned wagers on one box, in cents."""

    stake: int = 0
    side: Sides = ()

    @property
    def total(self) -> int:
        return self.stake + sum(amount for _, amount in self.side)


Bets = Mapping[int, Stake]
"""By box."""


def read_bets(text: str, own: Sequence[int], side: SideKind, known: Sequence[int] = ()) -> Bets:
    """Read a bet of someone who plays these boxes, and may name those that are known.

    >>> read_bets("10 +5", (1, 2), "perfect_pairs")[2]
    Stake(stake=1000, side=(('perfect_pairs', 500),))
    """
    parts, known = _parts(text), known or own
    if len(parts) == 1 and not parts[0][0]:
        return {box: _stake(parts[0][1], parts[0][2], side) for box in own}
    bets = {int(box or 0): _stake(stake, extra, side) for box, stake, extra in parts}
    if not set(bets) <= set(known):
        several = f"name your boxes from {known[0]} to {known[-1]}, as in {known[0]}:10"
        raise BetError(several if len(known) > 1 else f"you play box {known[0]} only")
    if len(bets) < len(parts):
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


def _stake(stake: str, extra: str, side: SideKind) -> Stake:
    try:
        return Stake(cents(stake), ((side, cents(extra)),) if extra else ())
    except MoneyError:
        raise BetError(f"{stake}{'+' if extra else ''}{extra} is not an amount, as in 10 or 7.50") from None


def side_bet(chosen: str, view: TableView | None) -> str:
    """The side bet that `+5` is: the one chosen, otherwise the first the table offers."""
    offered = view.side_wagers if view is not None else ()
    return chosen or (offered[0] if offered else "perfect_pairs")


def bets_words(bets: Bets, own: Sequence[int]) -> str:
    """Write a bet as it can be typed.

    >>> bets_words(read_bets("10+5", (1, 2), "perfect_pairs"), (1, 2))
    '10.00 +5.00'
    >>> bets_words(read_bets("2:20 3:5", (1, 2, 3), "perfect_pairs"), (1, 2, 3))
    '2:20.00 3:5.00'
    """
    amounts = {box: dollars(one.stake) + "".join(f" +{dollars(extra)}" for _, extra in one.side)
               for box, one in sorted(bets.items())}  # fmt: skip
    if set(amounts) == set(own) and len(set(amounts.values())) == 1:
        return next(iter(amounts.values()))
    return " ".join(f"{box}:{words}" for box, words in amounts.items())


def total(bets: Bets) -> int:
    """All of it, in cents."""
    return sum(bet.total for bet in bets.values())


def placed(view: TableView, player: str) -> Bets:
    """A player's wagers on the table."""
    if view.round is None:
        return {}
    stakes = {box.number: bettor.stake for box in view.round.boxes for bettor in box.bettors if bettor.player == player}
    sides: dict[int, Sides] = {}
    for one in view.round.side:
        if one.player == player:
            sides[one.box] = (*sides.get(one.box, ()), (one.kind, one.stake))
    return {box: Stake(stakes.get(box, 0), sides.get(box, ())) for box in sorted({*stakes, *sides})}


def changes(player: str, lie: Bets, wanted: Bets) -> list[Command]:
    """The commands that turn the placed wagers into the planned ones; a changed wager is withdrawn first."""
    commands: list[Command] = []
    for box in sorted({*lie, *wanted}):
        was, meant = lie.get(box, Stake()), wanted.get(box, Stake())
        if was == meant:
            continue
        if was.total:
            commands.append(TakeBack(box, player))
        if meant.stake:
            commands.append(PlaceWager(box, player, meant.stake))
        commands += [PlaceSideWager(box, player, kind, amount) for kind, amount in meant.side if amount]
    return commands

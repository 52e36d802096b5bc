"""Prizes: the whole pool and nothing but the pool, to the cent (20.19, 20.20)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from msgspec import Struct

from pontoon.tournament.conditions import Conditions
from pontoon.tournament.events import Payment, Standing


def split(pool: int, shares: Sequence[Fraction], odd_cents: str, last: int = -1) -> tuple[int, ...]:
    """The pool by shares, best place first; they need not make one, their proportion counts.

    A part of a cent is nobody's: what is left over goes to the first, to the last, or one cent each from the first on.
    `last` is where the last one stands, if prizes of sessions come after it.

    >>> third = Fraction(1, 3)
    >>> [split(1001, (third, third, third), rule) for rule in ("first", "last", "one_each")]
    [(335, 333, 333), (333, 333, 335), (334, 334, 333)]
    """
    total = sum(shares, Fraction(0))
    amounts = [int(pool * share / total) for share in shares]
    odd = pool - sum(amounts)
    assert 0 <= odd < len(amounts), "less than a cent is lost at each place, and somebody takes it"
    if odd_cents == "one_each":
        return tuple(amount + (place < odd) for place, amount in enumerate(amounts))
    amounts[0 if odd_cents == "first" else last] += odd
    return tuple(amounts)


class Prize(Struct, frozen=True):
    """A share of the pool that somebody has won; equal players hold the shares of their places together."""

    share: Fraction
    standing: Standing
    session: int = 0


def won(shares: Sequence[Fraction], standings: Sequence[Standing], session: int = 0) -> list[Prize]:
    """Who takes the shares of one list of prizes, from the first place on."""
    return [Prize(share, one, session) for share, one in zip(shares, standings, strict=False)]


def tied_with(last: Standing, standings: Sequence[Standing]) -> list[Standing]:
    """Everybody with the same place."""
    return [one for one in standings if one.place == last.place]


def pay_sheet(
    conditions: Conditions, pool: int, lists: Sequence[tuple[int, Sequence[Standing]]]
) -> tuple[Payment, ...]:
    """Every payment of a tournament: its own prizes first, then those of its sessions (`lists`: 0 or the session).

    The pool is split over the shares somebody took, so the share of a place nobody took goes to the others in
    proportion. Then equal players put their prizes together and divide them.
    """
    prizes: list[Prize] = []
    for session, standings in lists:
        shares = conditions.sessions[session - 1].prizes if session else conditions.prizes.shares
        prizes += won(shares, standings, session)
    own = sum(not prize.session for prize in prizes)
    amounts = split(pool, [prize.share for prize in prizes], conditions.prizes.odd_cents, own - 1)
    payments: list[Payment] = []
    tables = dict(lists)
    for (session, _), group in groupby(
        zip(prizes, amounts, strict=True), key=lambda pair: (pair[0].session, pair[0].standing.place)
    ):
        held = list(group)
        equal = tied_with(held[0][0].standing, tables[session])
        together = sum(amount for _, amount in held)
        each = split(together, [Fraction(1)] * len(equal), conditions.prizes.odd_cents)
        payments += [
            Payment(0, one.player, amount, one.place, session)
            for one, amount in zip(equal, each, strict=True)
            if amount
        ]
    return tuple(
        Payment(number, one.player, one.amount, one.place, one.session) for number, one in enumerate(payments, 1)
    )

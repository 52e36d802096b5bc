"""Prizes: the whole pool and nothing but the pool, to the cent (20.19, 20.20)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from msgspec import Struct

from pontoon.tournament.conditions import Conditions
from pontoon.tournament.events import Payment, Standing


def split(pool: int, shares: Sequence[Fraction], odd_cents: str, last: int = -1) -> tuple[int, ...]:
    """Divide the pool by shares, best place first; only the proportion of the shares matters.

    Leftover cents go to the first, to the last, or one each from the first down. `last` is the position of the last
    one, if session prizes follow it.

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
    """A share of the pool that was won; tied players hold the shares of their places together."""

    share: Fraction
    standing: Standing
    session: int = 0


def won(shares: Sequence[Fraction], standings: Sequence[Standing], session: int = 0) -> list[Prize]:
    """The winners of the shares of one prize list, from first place down."""
    return [Prize(share, one, session) for share, one in zip(shares, standings, strict=False)]


def tied_with(last: Standing, standings: Sequence[Standing]) -> list[Standing]:
    """Groups of players with the same place."""
    return [one for one in standings if one.place == last.place]


def pay_sheet(
    conditions: Conditions, pool: int, lists: Sequence[tuple[int, Sequence[Standing]]]
) -> tuple[Payment, ...]:
    """Every payment of a tournament: its own prizes first, then those of its sessions (`lists`: 0 or the session).

    The pool is divided over the shares that were won, so the share of a place not taken goes to the others in
    proportion. Then tied players combine their prizes and divide them.
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

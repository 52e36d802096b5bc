"""Prizes: the whole pool is paid out, to the cent (20.19, 20.20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from pontoon.tournament.conditions.values import Conditions
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
    assert 0 <= odd < len(amounts), "rounding down leaves less than a cent per place"
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
    return [Prize(share, standing, session) for share, standing in zip(shares, standings, strict=False)]


def tied_with(last: Standing, standings: Sequence[Standing]) -> list[Standing]:
    """The players who share the place of `last`."""
    return [standing for standing in standings if standing.place == last.place]


def session_sheet(
    conditions: Conditions, pool: int, session: int, standings: Sequence[Standing], before: int
) -> tuple[Payment, ...]:
    """The payments of one session when it ends: its shares of the pool so far, rounded down to the cent.

    `before` is the number of payments awarded earlier.
    """
    prizes = won(conditions.sessions[session - 1].prizes, standings, session)
    amounts = [int(pool * prize.share) for prize in prizes]
    return _divided(conditions, prizes, amounts, {session: standings}, before)


def pay_sheet(
    conditions: Conditions, pool: int, lists: Sequence[tuple[int, Sequence[Standing]]], before: int = 0
) -> tuple[Payment, ...]:
    """The payments at the end: the tournament's own prizes, then those of sessions (`lists`: 0 or the session).

    The pool is divided over the shares that were won, so the share of a place not taken goes to the others in
    proportion. `before` is the number of payments awarded earlier.
    """
    prizes: list[Prize] = []
    for session, standings in lists:
        shares = conditions.sessions[session - 1].prizes if session else conditions.prizes.shares
        prizes += won(shares, standings, session)
    own = sum(not prize.session for prize in prizes)
    amounts = split(pool, [prize.share for prize in prizes], conditions.prizes.odd_cents, own - 1)
    return _divided(conditions, prizes, amounts, dict(lists), before)


def _divided(
    conditions: Conditions,
    prizes: Sequence[Prize],
    amounts: Sequence[int],
    tables: Mapping[int, Sequence[Standing]],
    before: int,
) -> tuple[Payment, ...]:
    """The payments for these amounts: tied players combine their prizes and divide them."""
    payments: list[Payment] = []
    for (session, _), group in groupby(
        zip(prizes, amounts, strict=True), key=lambda pair: (pair[0].session, pair[0].standing.place)
    ):
        held = list(group)
        equal = tied_with(held[0][0].standing, tables[session])
        together = sum(amount for _, amount in held)
        each = split(together, [Fraction(1)] * len(equal), conditions.prizes.odd_cents)
        payments += [
            Payment(0, standing.player, amount, standing.place, session)
            for standing, amount in zip(equal, each, strict=True)
            if amount
        ]
    return tuple(replace(payment, number=number) for number, payment in enumerate(payments, before + 1))

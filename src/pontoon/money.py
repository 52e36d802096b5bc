"""Money is integer cents; odds are exact fractions. Neither is ever a float.

An `int` is always cents and a `str` is always dollars: `cents` converts dollars to cents, `dollars` converts back.

>>> cents("22.50"), dollars(2250), Odds("3:2").pays(1500)
(2250, '22.50', 2250)
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NewType, Self

from pontoon.quoting import quoted

Cents = NewType("Cents", int)

_AMOUNT = re.compile(r"(\d{1,12})(?:\.(\d{1,2}))?", re.ASCII)
_ODDS = re.compile(r"(\d{1,4}):(\d{1,4})", re.ASCII)


class MoneyError(ValueError):
    """The text is not an amount of money, or not odds."""


def cents(text: object) -> Cents:
    """Read an amount in dollars, written as a decimal string.

    >>> cents(7.5)
    Traceback (most recent call last):
    pontoon.money.MoneyError: 7.5: money is a decimal string in dollars, as in "7.50"
    """
    match = _AMOUNT.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        message = f'{quoted(text)}: money is a decimal string in dollars, as in "7.50"'
        raise MoneyError(message)
    whole, part = match.groups()
    return Cents(int(whole) * 100 + int((part or "0").ljust(2, "0")))


def as_cents(amount: int | str) -> Cents:
    """Convert an amount to cents: an int is already cents, a string is dollars.

    >>> as_cents(2250), as_cents("22.50")
    (2250, 2250)
    >>> as_cents(22.5)
    Traceback (most recent call last):
    TypeError: 22.5: an amount is whole cents, as in 750, or a string of dollars, as in "7.50"
    """
    if type(amount) is int:
        return Cents(amount)
    if isinstance(amount, str):
        return cents(amount)
    raise TypeError(f'{quoted(amount)}: an amount is whole cents, as in 750, or a string of dollars, as in "7.50"')


def dollars(amount: int) -> str:
    """Write cents as dollars with two decimals.

    >>> dollars(-50)
    '-0.50'
    >>> dollars(7.5)
    Traceback (most recent call last):
    TypeError: 7.5: an amount is whole cents
    """
    if isinstance(amount, float | str):
        raise TypeError(f"{quoted(amount)}: an amount is whole cents")
    sign = "-" if amount < 0 else ""
    return f"{sign}{abs(amount) // 100}.{abs(amount) % 100:02d}"


class Odds(Fraction):
    """Odds such as 3:2: the payment per unit staked, excluding the stake."""

    __slots__ = ("_text",)
    _text: str
    _numerator: int
    _denominator: int

    def __new__(cls, text: object) -> Self:
        """Read odds from "3:2"."""
        match = _ODDS.fullmatch(text) if isinstance(text, str) else None
        if match is None or not int(match[2]):
            message = f'{quoted(text)}: odds are written as in "3:2"'
            raise MoneyError(message)
        odds = super().__new__(cls, int(match[1]), int(match[2]))
        odds._text = f"{odds.numerator}:{odds.denominator}"
        return odds

    def __str__(self) -> str:
        """Odds as text, such as "3:2"."""
        return self._text

    def __repr__(self) -> str:
        """Odds as a Python expression."""
        return f'Odds("{self}")'

    def pays(self, stake: int) -> Cents:
        """The payment for a winning stake.

        Stakes are even numbers of cents, so the documents' odds are always exact; with other odds a fraction of a
        cent is rounded up in the player's favour.

        >>> Odds("6:5").pays(101)
        122
        """
        return Cents(-(-stake * self._numerator // self._denominator))  # without the properties: twice as fast

"""Numbers as people type them, the same in every command: 10k, 2.5M, 1e9, 10_000, 75%, $500.

Each function is a `type=` for argparse: it returns the number, or explains in one line what to write.

>>> rounds("10K"), rounds("2.5M"), share("75%"), dollars_of("$1.5k")
(10000, 2500000, 0.75, '1500.00')
"""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from collections.abc import Callable
from decimal import Decimal

from pontoon.money import MoneyError, cents, dollars
from pontoon.quoting import quoted

UNITS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
"""The units in which numbers are printed; lower-case letters, and B for billions, are accepted too."""
_FACTORS = {"k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9, "t": 10**12}
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(?!\d)")
MOST_ROUNDS = 1 << 51
"""Number of rounds for which the generator has streams: 2.25e15."""
MOST_PACKS = 99
DEEPEST = 0.9
"""Deepest cutting card the simulation deals to."""


def number(text: str) -> Decimal | None:
    """A number with an optional unit or percent sign; None if it is not one.

    >>> number("10K"), number("75%"), number("1e-5"), number("10,000"), number("6,8"), number("ten")
    (Decimal('10000'), Decimal('0.75'), Decimal('0.00001'), Decimal('10000'), None, None)
    """
    plain = text.strip().removeprefix("$")
    if _THOUSANDS.match(plain.replace("_", ",")):
        plain = plain.replace(",", "")
    plain = plain.replace("_", "")
    factor = Decimal(1)
    if plain.endswith("%"):
        plain, factor = plain[:-1], Decimal("0.01")
    elif plain[-1:].lower() in _FACTORS and plain[:-1]:
        plain, factor = plain[:-1], Decimal(_FACTORS[plain[-1].lower()])
    try:
        read = Decimal(plain) * factor
    except ArithmeticError:
        return None
    return read if read.is_finite() else None


def whole(what: str, example: str, lowest: int, highest: int) -> Callable[[str], int]:
    """A `type=` for a whole number from `lowest` to `highest`."""

    def read(text: str) -> int:
        found = number(text)
        if found is not None and lowest <= found <= highest and found == int(found):
            return int(found)
        raise ArgumentTypeError(f"{quoted(text)} is not {what}; write {example}")

    return read


rounds = whole("a number of rounds", "1 to 2.25e15, as in 1000000, 1e9 or 10M", 1, MOST_ROUNDS)
packs = whole("a number of packs", "a whole number from 1, as in 8", 1, MOST_PACKS)


def share(text: str) -> float:
    """A part of a whole, as a fraction or in percent.

    >>> share("0.05"), share("5%")
    (0.05, 0.05)
    """
    found = number(text)
    if found is not None and 0 < found <= 1:
        return float(found)
    raise ArgumentTypeError(f"{quoted(text)} is not a share; write a fraction or a percentage, as in 0.05 or 5%")


def penetration(text: str) -> float:
    """The depth of the cutting card."""
    found = number(text)
    if found is not None and 0 < found <= DEEPEST:
        return float(found)
    message = f"{quoted(text)} is not a penetration; write a part of the shoe up to 0.9, as in 0.75 or 75%"
    raise ArgumentTypeError(message)


def error_size(text: str) -> float:
    """A standard error to reach."""
    found = number(text)
    if found is not None and 0 < found < 1:
        return float(found)
    message = f"{quoted(text)} is not an error; write a fraction of the first wager, as in 1e-5 or 0.001%"
    raise ArgumentTypeError(message)


def positive(what: str, example: str) -> Callable[[str], float]:
    """A `type=` for a number above 0."""

    def read(text: str) -> float:
        found = number(text)
        if found is not None and found > 0:
            return float(found)
        raise ArgumentTypeError(f"{quoted(text)} is not {what}; write a number above 0, as in {example}")

    return read


def cents_of(text: str) -> int | None:
    """An amount of dollars in cents, `10`, `7.50` or `$10k`; None if it is not one or not above 0."""
    found = number(text)
    if found is None or text.strip().endswith("%"):
        return None
    try:
        amount = int(cents(f"{found:f}"))
    except MoneyError:
        return None
    return amount if amount > 0 else None


def dollars_of(text: str) -> str:
    """A stake in dollars."""
    amount = cents_of(text)
    if amount is None:
        raise ArgumentTypeError(f"{quoted(text)} is not a stake; write dollars, as in 10 or 7.50")
    return dollars(amount)

"""Numbers, amounts and lists of names, written the same way everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import cast

from msgspec import Struct


class Writing(Struct, frozen=True):
    """How a language writes amounts and lists: its `[format]` entries."""

    currency: str = "$"
    thousands: str = ","
    decimal: str = "."
    minus: str = "\u2212"
    comma: str = ", "
    last: str = " and "
    """Between the last two names."""
    then: str = ", then "
    """Separator between items in sequence."""


def money(amount: int, writing: Writing = Writing()) -> str:  # noqa: B008 frozen
    """Cents as dollars; whole dollars without a decimal point.

    >>> money(200_000), money(750), money(-500)
    ('$2,000', '$7.50', '−$5')
    """
    whole, part = divmod(abs(amount), 100)
    written = f"{writing.currency}{whole:,}".replace(",", writing.thousands)
    sign = writing.minus if amount < 0 else ""
    return f"{sign}{written}{writing.decimal}{part:02d}" if part else f"{sign}{written}"


def net(amount: int, writing: Writing = Writing()) -> str:  # noqa: B008 frozen
    """A result with its sign.

    >>> net(2250), net(-1000), net(0)
    ('+$22.50', '−$10', '$0')
    """
    return ("+" if amount > 0 else "") + money(amount, writing)


def decimal(number: Fraction, writing: Writing = Writing()) -> str:  # noqa: B008 frozen
    """A number with at most two decimals, none that say nothing.

    >>> decimal(Fraction(7, 2)), decimal(Fraction(70)), decimal(Fraction(10, 3))
    ('3.5', '70', '3.33')
    """
    return f"{float(number):.2f}".rstrip("0").rstrip(".").replace(".", writing.decimal)


def names(value: Iterable[object], writing: Writing = Writing()) -> str:  # noqa: B008 frozen
    """Several names.

    >>> names(("Ann", "Ben", "Cat")), names(["Ann"]), names(())
    ('Ann, Ben and Cat', 'Ann', '')
    """
    *others, last = [str(item) for item in value] or [""]
    return writing.last.join((writing.comma.join(others), last)) if others else last


def order(value: Iterable[object], writing: Writing = Writing()) -> str:  # noqa: B008 frozen
    """Names, or groups of names, in sequence.

    >>> order((("Ann",), ("Ben", "Cat"))), order(("Ann", "Ben"))
    ('Ann, then Ben and Cat', 'Ann, then Ben')
    """
    return writing.then.join(
        item if isinstance(item, str) else names(cast("list[str]", item), writing) for item in value
    )


def holdings(value: Iterable[tuple[str, int]], writing: Writing = Writing()) -> str:  # noqa: B008 frozen
    """Each player's amount.

    >>> holdings((("Ann", 150_000), ("Ben", 50)))
    'Ann $1,500, Ben $0.50'
    """
    return writing.comma.join(f"{name} {money(amount, writing)}" for name, amount in value)


def results(value: Iterable[tuple[str | int, ...]], writing: Writing = Writing()) -> str:  # noqa: B008 frozen
    """Each player's win or loss, the last number of each row.

    >>> results((("Ann", 500, 1000), ("Ben", 50, -50)))
    'Ann +$10, Ben −$0.50'
    """
    return writing.comma.join(f"{row[0]} {net(int(row[-1]), writing)}" for row in value)


def cards(value: Iterable[object], _: object = None) -> str:
    """Cards side by side.

    >>> cards(("7s", "8h"))
    '7s 8h'
    """
    return " ".join(map(str, value))


def title(value: str | tuple[str, ...], _: object = None) -> str:
    """The name of a side bet whose rulebook is not available, or of several.

    >>> title("perfect_pairs"), title(("pairs_play", "lucky_9"))
    ('Perfect Pairs', 'Pairs Play, Lucky 9')
    """
    values = (value,) if isinstance(value, str) else value
    return ", ".join(one.replace("_", " ").title() for one in values)


FORMATS = cast(
    "dict[str, Callable[[object, Writing], str]]",
    {
        "money": money,
        "net": net,
        "order": order,
        "holdings": holdings,
        "results": results,
        "cards": cards,
        "title": title,
    },
)
"""The formats allowed after the colon of a placeholder; any other name is a group of entries."""

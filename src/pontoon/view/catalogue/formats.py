"""Numbers, amounts and lists of names, written the same way everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
    """Between those who come one after the other."""


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


def names(value: Iterable[object], writing: Writing = Writing()) -> str:  # noqa: B008 frozen
    """Several names.

    >>> names(("Ann", "Ben", "Cat")), names(["Ann"]), names(())
    ('Ann, Ben and Cat', 'Ann', '')
    """
    *others, last = [str(one) for one in value] or [""]
    return writing.last.join((writing.comma.join(others), last)) if others else last


def order(value: Iterable[object], writing: Writing = Writing()) -> str:  # noqa: B008 frozen
    """Names, or groups of them, one after the other.

    >>> order((("Ann",), ("Ben", "Cat"))), order(("Ann", "Ben"))
    ('Ann, then Ben and Cat', 'Ann, then Ben')
    """
    return writing.then.join(one if isinstance(one, str) else names(cast("list[str]", one), writing) for one in value)


def holdings(value: Iterable[tuple[str, int]], writing: Writing = Writing()) -> str:  # noqa: B008 frozen
    """What each of several has.

    >>> holdings((("Ann", 150_000), ("Ben", 50)))
    'Ann $1,500, Ben $0.50'
    """
    return writing.comma.join(f"{name} {money(amount, writing)}" for name, amount in value)


def results(value: Iterable[tuple[str | int, ...]], writing: Writing = Writing()) -> str:  # noqa: B008 frozen
    """What each of several won or lost, the last number of each row.

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


def title(value: str, _: object = None) -> str:
    """The name of a side bet where its rulebook is not at hand.

    >>> title("perfect_pairs")
    'Perfect Pairs'
    """
    return value.replace("_", " ").title()


FORMATS = cast(
    "dict[str, Callable[[object, Writing], str]]",
    {
        "money": money,
        "net": net,
        "names": names,
        "order": order,
        "holdings": holdings,
        "results": results,
        "cards": cards,
        "title": title,
    },
)
"""What may stand behind the colon of a hole; anything else is a group of entries."""

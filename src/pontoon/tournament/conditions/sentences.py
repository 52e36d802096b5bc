"""Values formatted for patrons, and the sentence of every value of the conditions."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

from msgspec import Struct

from pontoon.money import Cents
from pontoon.quoting import counted
from pontoon.tournament.conditions.field_spec import FieldSpec
from pontoon.tournament.conditions.load import hints
from pontoon.tournament.conditions.paper import Paragraph


def say(part: Struct, name: str) -> Paragraph:
    """The sentence of one value.

    >>> from pontoon.tournament.conditions.values import Money
    >>> say(Money(fee=Cents(11000), chips=Cents(100000)), "fee")
    Paragraph(words='The entry fee is $110.00.', clause='20.3(a)(iii)')
    """
    wanted, spec = hints(type(part))[name]
    value = getattr(part, name)
    if not value and spec.no:
        return Paragraph(spec.no, spec.clause)
    words = spec.text.format(_shown(value, wanted, spec)).replace("best 1 player", "best player")
    return Paragraph(words if words.endswith((".", "!", "?")) else f"{words}.", spec.clause)


def _shown(value: object, wanted: object, spec: FieldSpec) -> str:
    if isinstance(value, dt.datetime):
        return when(value)
    if isinstance(value, tuple):
        return ", ".join(f"{ordinal(place)} {_row(one)}" for place, one in enumerate(value, start=1))
    if wanted is Cents and isinstance(value, int):
        return money(value)
    if spec.unit and isinstance(value, int):
        return counted(value, spec.unit)
    return dict(spec.words).get(str(value), str(value))


def _row(value: object) -> str:
    return percent(value) if isinstance(value, Fraction) else str(value)


def money(amount: int) -> str:
    """Dollars formatted for patrons.

    >>> money(123456789)
    '$1,234,567.89'
    """
    return f"${amount // 100:,}.{amount % 100:02d}"


def percent(share: Fraction) -> str:
    """A share, as a percentage if that is exact.

    >>> percent(Fraction(1, 8)), percent(Fraction(1, 3))
    ('12.5%', '1/3')
    """
    hundredths = share * 10_000
    return f"{float(share * 100):g}%" if hundredths.denominator == 1 else f"{share.numerator}/{share.denominator}"


def ordinal(number: int) -> str:
    """A place as an ordinal.

    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 22, 113)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd', '113th']
    """
    teens = 10 <= number % 100 <= 20  # eleventh, twelfth, thirteenth
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def when(at: dt.datetime) -> str:
    """A date and time in words.

    >>> when(dt.datetime(2026, 12, 5, 19, 0))
    'Saturday 5 December 2026 at 7:00 pm'
    """
    hour = f"{at.hour % 12 or 12}:{at:%M} {'am' if at.hour < 12 else 'pm'}"
    hour = {"12:00 am": "midnight", "12:00 pm": "12 noon"}.get(hour, hour)
    zone = f" ({at.tzname()})" if at.tzinfo else ""
    return f"{_DAYS[at.weekday()]} {at.day} {_MONTHS[at.month - 1]} {at.year} at {hour}{zone}"


_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

"""Signs at the table: the limits in words, and notices to the players.

>>> sign_words(LimitsView(500, 50_000, 50, 100_000, 250))
'$5 to $500, $1,000 a box, in steps of $2.50'
"""

from __future__ import annotations

from collections.abc import Callable

from pontoon.table import Table
from pontoon.view.catalogue.formats import money
from pontoon.view.table_parts import LimitsView


def sign_words(limits: LimitsView, money: Callable[[int], str] = money) -> str:
    """The limits as a sign shows them; `money` formats the amounts."""
    words = f"{money(limits.minimum)}" + (f" to {money(limits.maximum)}" if limits.maximum else " and up")
    if limits.box_maximum:
        words += f", {money(limits.box_maximum)} a box"
    elif limits.for_box and limits.maximum:
        words += " a box"
    return words + (f", in steps of {money(limits.increment)}" if limits.increment else "")


def notices(table: Table) -> tuple[str, ...]:
    """The notices displayed at a table now."""
    found = []
    if table.hours_over:
        found.append("Gaming has closed for today")
    if table.closing:
        found.append(_closing(table))
    if table.coming is not None:
        limits, box = table.coming
        sign = LimitsView(limits.minimum, limits.maximum, limits.smallest_chip, box)
        found.append(f"New limits are coming: {sign_words(sign)}")
    if table.hold_late:
        found.append("Players who come late or sit out a round may be held to the minimum")
    return tuple(found)


def _closing(table: Table) -> str:
    if table.closing == "rounds":
        count = table.rounds_left
        return "The last round has been played" if not count else f"The last {count} round{'s' if count > 1 else ''}"
    minutes = f" {table.rules.closing.minutes} minutes after the notice" if table.closing == "minutes" else " soon"
    return f"This table closes{minutes}"

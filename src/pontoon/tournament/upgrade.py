"""Convert events written by version 0.1.0 to this version.

Events about a tie had no purpose then; it follows from the clause they cite. Only this module interprets that clause.
"""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from pontoon.tournament.events import ExtraCounted, LotsDrawn, TieFound

Happening = TypeVar("Happening")
_POINTS = "20.3(a)(ix)(B)"


def upgraded(event: Happening) -> Happening:
    """The event with every field of this version.

    >>> upgraded(LotsDrawn(("20.3(a)(ix)(B)",), ("Ann", "Ben"))).purpose
    'points'
    """
    if isinstance(event, TieFound | ExtraCounted | LotsDrawn) and not event.purpose:
        return replace(event, purpose="points" if _POINTS in event.clauses else "place")
    return event

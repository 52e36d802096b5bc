"""Events written by version 0.1.0, as this version has them.

Events about a tie had no purpose then; only the clause they cite tells it. This is the one place where that is read.
"""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from pontoon.tournament.events import ExtraCounted, LotsDrawn, TieFound

Happening = TypeVar("Happening")
_POINTS = "20.3(a)(ix)(B)"


def upgraded(event: Happening) -> Happening:
    """The event with everything this version records in it.

    >>> upgraded(LotsDrawn(("20.3(a)(ix)(B)",), ("Ann", "Ben"))).purpose
    'points'
    """
    if isinstance(event, TieFound | ExtraCounted | LotsDrawn) and not event.purpose:
        return replace(event, purpose="points" if _POINTS in event.clauses else "place")
    return event

"""The starting marker: who wagers first, and how it moves."""

from __future__ import annotations

from collections.abc import Sequence

from pontoon.tournament.events import MarkerMoved
from pontoon.tournament.flow import Flow

MARKER = ('A "Starting Marker"',)
"""The clause that defines it."""


def next_box(boxes: Sequence[int], marker: int) -> int:
    """The next player clockwise, skipping vacated seats.

    >>> next_box((1, 2, 5), 2), next_box((1, 2, 5), 5), next_box((1, 2, 5), 3)
    (5, 1, 5)
    """
    return min((box for box in boxes if box > marker), default=min(boxes))


def wager_order(boxes: Sequence[int], marker: int) -> tuple[int, ...]:
    """The boxes in wagering order: clockwise from the marker.

    >>> wager_order((1, 2, 5), 2)
    (2, 5, 1)
    """
    return tuple(sorted(boxes, key=lambda box: (box < marker, box)))


def move_on(flow: Flow, number: int) -> None:
    """Move the marker to the next player after a round, if anyone is left."""
    table = flow.state.tables[number - 1]
    if table.seated:
        flow.put(MarkerMoved(MARKER, number, next_box([box for box, _ in table.seated], table.marker)))


def come_back(flow: Flow, number: int) -> None:
    """A player returned before the next round: put the marker where it would have been without the absence."""
    table = flow.state.tables[number - 1]
    box = next_box([box for box, _ in table.seated], table.last_marker)
    if box != table.marker:
        flow.put(MarkerMoved(MARKER, number, box))


def settle(flow: Flow, number: int) -> None:
    """Move a marker in front of an empty seat to the next player, without a round played."""
    table = flow.state.tables[number - 1]
    if table.marker not in [box for box, _ in table.seated]:
        move_on(flow, number)

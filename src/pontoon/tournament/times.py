"""When the next session starts, as announced to the players (20.3(a)(i), 20.7)."""

from __future__ import annotations

from pontoon.tournament.ballot import upcoming
from pontoon.tournament.state import Tournament

MINUTE = 60_000


def specified_start(state: Tournament, ended: int = 0) -> int:
    """The announced start of the next session in milliseconds since 1970; 0 if none is announced.

    `ended` is when the last session ended. A time of the conditions without a zone is in the server's zone.
    """
    if state.phase in {"session", "awarded", "over", "cancelled"}:
        return 0
    if state.start:
        return state.start
    number = state.session if state.phase == "balloted" else state.session and upcoming(state)
    if number > 1:
        after = state.conditions.sessions[number - 1].after
        return ended + after * MINUTE if after and ended else 0
    if state.session and state.phase == "between":
        return 0
    entered = state.phase in {"closed", "balloted"}
    if state.conditions.structure.sit_and_go and entered:
        return 0
    return earliest_start(state)


def earliest_start(state: Tournament) -> int:
    """The starting time in the conditions, in milliseconds since 1970."""
    return round(state.conditions.start.at.timestamp() * 1000)

"""What happens to stakes on a table that stays paused: after a limit they go back to the players."""

from __future__ import annotations

from pontoon.engine import TakeBack, VoidRound
from pontoon.server.rooms.commands import Resume
from pontoon.server.rooms.state import RoomState
from pontoon.table import commands as c
from pontoon.table import refusal

REASON = "the table was paused for too long"


def relief(state: RoomState) -> c.TableCommand | Resume | None:
    """The next step that returns the stakes of a paused table; None if there are none.

    Open wagers are taken back one by one. A round in progress is void, or is played on if its document does not let
    it be void.
    """
    play = state.table.round
    if not state.held or play is None or state.heat is not None or state.table.phase not in ("ready", "round"):
        return None
    bettors = [(box.number, wager.player) for box in play.boxes for wager in box.bettors]
    if not bettors:
        return None
    if play.phase == "wagers":
        number, player = bettors[0]
        return c.Play(TakeBack(number, player), player)
    void = c.Play(VoidRound(by_house=True), by="casino_supervisor", approver="inspector", reason=REASON)
    return void if refusal(state.table, void) is None else Resume()

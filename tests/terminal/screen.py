"""The screen of the app as text, waiting for the table, and snapshots kept in files."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from pontoon.terminal.app import TableApp
from pontoon.terminal.draw import Style
from pontoon.terminal.line import Playing
from tests.terminal.seat import near

SNAPSHOTS = Path(__file__).parent / "snapshots"
UPDATE = "PONTOON_UPDATE_SNAPSHOTS"
"""Set in the environment, snapshots are written instead of compared."""
SMALL, LARGE = (80, 24), (120, 40)
PATIENCE = 8.0
PLAYING = Playing()


class Player:
    """A user at the keyboard."""

    def __init__(self, pilot: Pilot[int], app: TableApp) -> None:
        self.pilot, self.app = pilot, app

    @property
    def text(self) -> str:
        """The text on the screen."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text.rstrip() for strip in strips)

    async def until(self, met: Callable[[], object]) -> None:
        """Wait for the table."""
        ends = time.monotonic() + PATIENCE
        while not met():
            assert time.monotonic() < ends, self.text
            await self.pilot.pause(0.01)
        await self.pilot.pause()

    async def sees(self, *words: str) -> None:
        """Wait until all of these are on the screen."""
        await self.until(lambda: all(word in self.text for word in words))

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)

    async def asked(self, *moments: str) -> None:
        """Wait until the table waits for one of these."""
        await self.until(lambda: self.app.model.asked in moments and not self.app.table.waiting())

    async def ready(self) -> None:
        """Wagers are open; the first cut is passed on where it is offered."""
        await self.asked("wagers", "cut")
        if self.app.model.asked == "cut":
            await self.press("n")
            await self.asked("wagers")

    async def snapshot(self, name: str) -> None:
        """Wait until the screen matches its stored snapshot."""
        file = SNAPSHOTS / f"{name}.txt"
        if os.environ.get(UPDATE):
            await self.pilot.pause(0.5)
            file.write_text(self.text + "\n", "utf-8")
        wanted, ends = file.read_text("utf-8"), time.monotonic() + PATIENCE
        while self.text + "\n" != wanted and time.monotonic() < ends:
            await self.pilot.pause(0.02)
        assert self.text + "\n" == wanted


@asynccontextmanager
async def sitting(
    rulebook: str = "star",
    cards: str = "",
    *,
    size: tuple[int, int] = SMALL,
    style: Style | None = None,
    playing: Playing = PLAYING,
    ready: bool = True,
    **table,
) -> AsyncIterator[Player]:
    """A person at a screen of this size, at a table with these cards."""
    seat, model = near(rulebook, cards, **table)
    app = TableApp(seat, model, playing, style, "instant")
    async with app.run_test(size=size) as pilot:
        player = Player(pilot, app)
        if ready:
            await player.ready()
        yield player
        await seat.close()

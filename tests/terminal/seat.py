"""A local table with known first cards."""

from __future__ import annotations

from pontoon.engine import Limits
from pontoon.rulebook import load
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.terminal.embedded import Embedded, Start
from pontoon.terminal.model import Model

CLOCKS = Clocks(1, 600_000, 600_000, 600_000)
NONE = Limits()


def near(
    rulebook: str = "star",
    cards: str = "",
    *,
    decks: int = 0,
    boxes: int = 1,
    bots: int = 0,
    chips: int = 100_000,
    limits: Limits = NONE,
    seed: int = 7,
    clocks: Clocks = CLOCKS,
    practice: bool = True,
    **more,
) -> tuple[Embedded, Model]:
    """A seat at a table, these cards being the first after every shuffle; and what is known there.

    Every choice has a default, so that a test names only what it is about.
    """
    settings = Settings(
        rulebook,
        packs=decks or load(rulebook).decks.default,
        minimum=limits.minimum,
        maximum=limits.maximum,
        smallest_chip=limits.smallest_chip,
        practice=practice,
        clocks=clocks,
        first_cards=cards,
        **more,
    )
    table = Embedded(Start(settings, "Player", chips, boxes, bots, seed))
    return table, Model("Player", range(1, boxes + 1))

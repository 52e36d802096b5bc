"""The sums of the lab, done in processes of their own: only plain values come in and go out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from pontoon.money import dollars
from pontoon.rulebook import Rulebook, pinned

if TYPE_CHECKING:
    from pontoon.analysis import Solver

Codes = dict[str, dict[str, tuple[str, ...]]]
"""Block, hand, and the code against each upcard."""


class Game(Struct, frozen=True):
    """Rules, packs and stake: everything a sum depends on."""

    book: str
    """The canonical text of the rulebook with its changes."""
    packs: int
    stake: int
    """In cents: the Super Bonus depends on it."""

    def rules(self) -> Rulebook:
        """The rulebook with its changes."""
        return pinned(self.book)


class SideBet(Struct, frozen=True):
    """A side bet and its exact house edge."""

    name: str
    house_edge: float
    fraction: str
    """The same as a fraction."""


class EdgeSum(Struct, frozen=True):
    """What the house keeps of the first wager under best play from a fresh shoe."""

    house_edge: float
    sides: tuple[SideBet, ...]


class ChartSum(Struct, frozen=True):
    """The best chart a person can carry."""

    upcards: tuple[str, ...]
    codes: Codes
    cost: float
    """What playing by it gives away against the best play, in first wagers a round."""


@lru_cache(maxsize=8)
def _solver(game: Game) -> Solver:
    from pontoon.analysis import Solver  # noqa: PLC0415 numba is only for these processes

    return Solver(game.rules(), game.packs, stake=dollars(game.stake))


def edge_sum(game: Game) -> EdgeSum:
    """The exact house edge, and the side bets."""
    from pontoon.analysis import side_values  # noqa: PLC0415

    sides = tuple(
        SideBet(one.name, -float(one.value), str(-one.value))
        for one in side_values(game.rules(), game.packs)
        if not one.name.startswith("Insurance")
    )
    return EdgeSum(-float(_solver(game).value()), sides)


def chart_sum(game: Game) -> ChartSum:
    """The chart; of the forfeits only totals that a double comes to."""
    from pontoon.analysis.chart import chart_of  # noqa: PLC0415
    from pontoon.view.chart import shown_rows  # noqa: PLC0415

    chart = chart_of(_solver(game), game.rules())
    codes = {
        block: {hand: tuple(square.code for square in row.values()) for hand, row in rows.items()}
        for block, _, rows in shown_rows(chart)
    }
    return ChartSum(chart.upcards, codes, chart.cost)


def deviation_sum(game: Game) -> float:
    """The standard deviation of one round, in first wagers."""
    from pontoon.analysis import edge_of  # noqa: PLC0415

    return edge_of(_solver(game)).sd

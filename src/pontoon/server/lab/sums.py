"""The lab's calculations, which run in worker processes with plain values as input and output."""

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
    """Rules, packs and stake: everything a calculation depends on."""

    book: str
    """The canonical text of the rulebook with its changes."""
    packs: int
    stake: int
    """Stake in cents, on which the Super Bonus depends."""

    def rules(self) -> Rulebook:
        """The rulebook with its changes."""
        return pinned(self.book)


class SideBet(Struct, frozen=True):
    """A side bet and its exact house edge."""

    name: str
    house_edge: float
    fraction: str
    """The exact edge as a fraction."""


class EdgeSum(Struct, frozen=True):
    """The house edge on the first wager under best play from a fresh shoe."""

    house_edge: float
    sides: tuple[SideBet, ...]


class ChartSum(Struct, frozen=True):
    """The best basic strategy chart."""

    upcards: tuple[str, ...]
    codes: Codes
    cost: float
    """The cost of playing by it instead of perfectly, in first wagers per round."""


@lru_cache(maxsize=8)
def _solver(game: Game) -> Solver:
    from pontoon.analysis import Solver  # noqa: PLC0415 numba is only for these processes

    return Solver(game.rules(), game.packs, stake=dollars(game.stake))


def edge_sum(game: Game) -> EdgeSum:
    """The exact house edge, and the side bets."""
    from pontoon.analysis import side_values  # noqa: PLC0415

    sides = tuple(
        SideBet(value.name, -float(value.value), str(-value.value))
        for value in side_values(game.rules(), game.packs)
        if not value.name.startswith("Insurance")
    )
    return EdgeSum(-float(_solver(game).value()), sides)


def chart_sum(game: Game) -> ChartSum:
    """The chart; forfeits only for totals possible after a double."""
    from pontoon.analysis.charts.chart import chart_of  # noqa: PLC0415
    from pontoon.view.charts.text import shown_rows  # noqa: PLC0415

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

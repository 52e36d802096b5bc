"""Exact analysis: the value of every decision and every rulebook. `Solver` and its users need numpy and numba."""

from typing import TYPE_CHECKING

from pontoon.analysis.answers import Edge, ShoeError
from pontoon.analysis.side import SideValue, side_values

if TYPE_CHECKING:
    from pontoon.analysis.edge import edge_of
    from pontoon.analysis.shoe import Shoe
    from pontoon.analysis.solver import Solver

__all__ = ["Edge", "Shoe", "ShoeError", "SideValue", "Solver", "edge_of", "side_values"]

_HEAVY = {
    "edge_of": "pontoon.analysis.edge",
    "Shoe": "pontoon.analysis.shoe",
    "Solver": "pontoon.analysis.solver",
}
"""Names whose modules import numpy and numba; imported on first use."""


def __getattr__(name: str) -> object:
    if name in _HEAVY:
        from importlib import import_module  # noqa: PLC0415 not needed for side wagers alone

        return getattr(import_module(_HEAVY[name]), name)
    raise AttributeError(name)

"""Monte-Carlo play of any rulebook with any strategy, at the speed of the hardware.

Needs numpy and numba. The engine's answers are compiled into tables once (compile.py); the kernel walks them.
"""

from pontoon.simulation.compile import Compiled, compile_game
from pontoon.simulation.local import (
    Plan,
    Progress,
    Result,
    SimulationError,
    add,
    make_plan,
    play_batch,
    result,
    run,
    simulate,
)
from pontoon.simulation.record import Recorded, record

__all__ = [
    "Compiled",
    "Plan",
    "Progress",
    "Recorded",
    "Result",
    "SimulationError",
    "add",
    "compile_game",
    "make_plan",
    "play_batch",
    "record",
    "result",
    "run",
    "simulate",
]

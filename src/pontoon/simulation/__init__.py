"""Monte Carlo simulation of any rulebook and strategy. Needs numpy and numba.

The engine's answers are compiled into tables once (tables.py); the kernel walks them. `simulate` is the driver.
"""

from pontoon.simulation.batch import play_batch
from pontoon.simulation.checkpoint import Checkpoint, CheckpointError
from pontoon.simulation.driver import OnProgress, machine_for, run, simulate, warm_up
from pontoon.simulation.plan import Plan, Settings, SimulationError, make_plan
from pontoon.simulation.progress import Progress, advance, no_progress
from pontoon.simulation.recorded_rounds import Recorded, record
from pontoon.simulation.result import Result
from pontoon.simulation.tables import Compiled, compile_game

__all__ = [
    "Checkpoint",
    "CheckpointError",
    "Compiled",
    "OnProgress",
    "Plan",
    "Progress",
    "Recorded",
    "Result",
    "Settings",
    "SimulationError",
    "advance",
    "compile_game",
    "machine_for",
    "make_plan",
    "no_progress",
    "play_batch",
    "record",
    "run",
    "simulate",
    "warm_up",
]

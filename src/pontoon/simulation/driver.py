"""The simulation driver: one path for the library, the commands, threads, GPU and cluster.

`simulate` takes a caller's choices; `run` plays a plan that is already made. Both end in `advance` (progress.py), which
asks a `Machine` (device.py) for streams.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from os import PathLike
from pathlib import Path

from pontoon.rulebook import Rulebook
from pontoon.simulation.checkpoint import Checkpoint
from pontoon.simulation.device import DEVICES, Cpu, Machine, choose
from pontoon.simulation.plan import (
    MAX_ROUNDS,
    ROUNDS,
    Plan,
    Settings,
    SimulationError,
    check,
    check_int,
    make_plan,
    stake_cents,
)
from pontoon.simulation.progress import Progress, advance, no_progress
from pontoon.simulation.result import Result
from pontoon.simulation.table_cache import cached_game
from pontoon.strategy import Action, Situation, Strategy, as_strategy

OnProgress = Callable[[Progress], None]
"""Called after every piece of the run; `Progress.result()` gives the figures so far."""


def simulate(  # noqa: PLR0913 the public call: keyword choices of a person, each with a default
    rulebook: Rulebook,
    strategy: Strategy | Callable[[Situation], Action],
    *,
    packs: int = 0,
    rounds: int | None = None,
    until_error: float | None = None,
    boxes: int = 1,
    penetration: float = 0.0,
    stake: str = "10",
    seed: int = 1,
    device: str = "auto",
    threads: int = 0,
    cluster: str | None = None,
    checkpoint: str | PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
) -> Result:
    """Play rounds and return their figures; the same choices give the same counts on any machine.

    packs: packs in the shoe; 0: the rulebook's default.
    rounds: rounds to play, 10 million by default; with `until_error` an upper limit.
    until_error: stop when the standard error of `ev` is this small.
    boxes: boxes in every round, all played by the strategy.
    penetration: depth of the cutting card as a fraction of the shoe, at most 0.9. The round in which it appears is
        finished, then the shoe is shuffled and, if the rulebook says so, a card burned. 0: a fresh shoe every round.
    stake: first wager on each box, in dollars.
    device: "cpu", "gpu", or "auto" for a GPU if there is one and `threads` is not given.
    threads: threads on the CPU; 0: every core.
    cluster: address of a Dask scheduler, or "local".
    checkpoint: file the progress is saved to every few seconds; if it exists, the run continues from it.
    """
    settings = Settings(
        packs=packs,
        rounds=default_rounds(until_error) if rounds is None else rounds,
        boxes=boxes,
        penetration=penetration,
        seed=seed,
    )
    check(rulebook, settings)
    check_error(until_error)
    with closing(machine_for(device, threads, cluster)) as machine:  # may refuse; compiling takes seconds
        plan = make_plan(cached_game(rulebook, as_strategy(strategy), stake_cents(stake)), rulebook, settings)
        saved = None if checkpoint is None else Checkpoint(checkpoint, plan)
        start = saved.load() if saved is not None and Path(saved.file).exists() else None
        warm_up(machine, plan if start is None else start.plan)
        return run(plan, machine, start=start, until_error=until_error, checkpoint=saved, on_progress=on_progress)


def run(
    plan: Plan,
    machine: Machine | None = None,
    *,
    start: Progress | None = None,
    until_error: float | None = None,
    checkpoint: Checkpoint | None = None,
    on_progress: OnProgress | None = None,
) -> Result:
    """Play a plan to its end on a machine (by default every core) and return the figures.

    If the run is stopped, by Ctrl-C or by an error, the checkpoint is saved first; `on_progress` has been given the
    latest progress.
    """
    machine = machine or Cpu()
    progress = start or no_progress(plan)
    if checkpoint is not None:
        checkpoint.save(progress)
    pieces = advance(progress, machine, until_error)
    try:
        with closing(pieces):  # type: ignore[type-var] # a generator
            for progress in pieces:
                if checkpoint is not None:
                    checkpoint.update(progress)
                if on_progress is not None:
                    on_progress(progress)
    finally:
        if checkpoint is not None:
            checkpoint.finish()
    return progress.result(machine)


def default_rounds(until_error: float | None) -> int:
    """The default number of rounds: with a target error, as many as the generator has."""
    return ROUNDS if until_error is None else MAX_ROUNDS


def check_error(until_error: float | None) -> None:
    """Raise for a standard error that cannot be reached."""
    if until_error is not None and not isinstance(until_error, int | float):
        raise TypeError(f"until_error must be a float, not {type(until_error).__name__}")
    if until_error is not None and not 0 < until_error < 1:
        raise SimulationError(f"until_error is a fraction of the first wager between 0 and 1, not {until_error}")


def machine_for(device: str = "auto", threads: int = 0, cluster: str | None = None) -> Machine:
    """The machine to play on: the cores or the GPU of this one, or a cluster."""
    if device not in DEVICES:
        raise SimulationError(f"device is {', '.join(DEVICES)}, not {device!r}")
    check_int("threads", threads)
    if threads < 0:
        raise SimulationError(f"threads is a whole number, 0 for every core, not {threads}")
    if threads and (device == "gpu" or cluster not in (None, "local")):
        raise SimulationError("threads are for the cores of this machine, not for a GPU or a cluster elsewhere")
    if cluster is None:
        return choose(device, threads)
    from pontoon.simulation.cluster import connect  # noqa: PLC0415 most runs need no cluster

    return connect(cluster, device, threads)


def warm_up(machine: Machine, plan: Plan) -> None:
    """Compile the kernel before the clock starts, by playing one round; workers of a cluster compile it themselves."""
    if machine.name in ("cpu", "gpu"):
        for _ in machine.play(plan._replace(rounds=1), [(0, 1)]):
            pass

"""A cluster gives the same sums as one machine, whatever happens to its workers."""

from __future__ import annotations

import os
import signal
import sys

import numpy as np
import pytest

from pontoon.rulebook import load
from pontoon.simulation import (
    Plan,
    Settings,
    SimulationError,
    advance,
    cluster,
    make_plan,
    no_progress,
    simulate,
)
from pontoon.simulation.device import Cpu
from pontoon.simulation.kernel import KERNEL_VERSION, STREAM_ROUNDS
from tests.simulation.games import wild_game
from tests.simulation.strategies import Wild

pytestmark = pytest.mark.filterwarnings("ignore")  # Dask's own, about sockets and loops it closes late
RULES = load("canberra")


def plan(rounds: int) -> Plan:
    return make_plan(wild_game("canberra", 1, 3), RULES, Settings(packs=6, rounds=rounds, seed=3))


@pytest.mark.skipif(sys.platform == "win32", reason="a process is killed by a signal")
def test_a_worker_killed_in_the_middle_changes_nothing():
    asked = plan(3000 * STREAM_ROUNDS + 5)
    alone = list(advance(no_progress(asked), Cpu(2)))[-1]
    known = no_progress(asked)
    machine = cluster.connect("local", threads=2)
    killed = 0
    try:
        assert machine.threads == 2
        for pieces, known in enumerate(advance(no_progress(asked), machine)):  # noqa: B007 the last is compared
            if pieces == 2:
                killed = next(iter(machine._owned.workers.values())).process.pid
                os.kill(killed, signal.SIGKILL)
    finally:
        machine.close()
    assert killed
    assert known.rounds == alone.rounds == asked.rounds
    assert all(map(np.array_equal, known.sums, alone.sums))


def test_the_library_reaches_a_cluster():
    asked = {"packs": 6, "rounds": 300 * STREAM_ROUNDS + 5, "seed": 3, "threads": 2}
    alone = simulate(RULES, Wild(1, calm=3), **asked)  # type: ignore[arg-type]
    found = simulate(RULES, Wild(1, calm=3), cluster="local", **asked)  # type: ignore[arg-type]
    assert (found.device, found.threads) == ("cluster cpu", 2)
    assert found.distribution == alone.distribution
    assert found.frequencies == alone.frequencies


def test_jobs_grow_to_some_seconds_and_shrink_towards_the_end():
    machine = object.__new__(cluster.Cluster)
    machine.device, machine.threads, machine._size = "cpu", 10, 128
    machine._measure((0, 128), 8.0)
    assert machine._job_size(10**9) == 128
    machine._measure((0, 128), 0.01)
    assert machine._job_size(10**9) == 4 * 128
    machine._measure((0, 100_000), 2.0)
    assert machine._job_size(10**9) == 200_000
    assert machine._job_size(100_000) == 5000
    machine.threads = 10_000
    machine._measure((0, 100_000), 50.0)
    assert machine._job_size(10**12) == 200_000


def test_a_job_is_its_streams_and_another_version_is_refused():
    asked = plan(300 * STREAM_ROUNDS)
    sent = cluster.unpacked(cluster.packed(asked))
    sums, seconds = cluster.play_job(sent, (10, 290), "cpu", KERNEL_VERSION)
    assert sums[0].sum() >= 280 * STREAM_ROUNDS
    assert seconds > 0
    with pytest.raises(SimulationError, match="this worker has another version"):
        cluster.play_job(sent, (10, 290), "cpu", KERNEL_VERSION + 1)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("tcp://127.0.0.1:9", "no scheduler at tcp://127.0.0.1:9: "),
        ("nowhere", "no scheduler at nowhere: ValueError: missing port number"),
        ("bird://x", "no scheduler at bird://x: ValueError: unknown address scheme"),
    ],
)
def test_no_scheduler_is_one_line(address: str, words: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cluster, "TIMEOUT", 0.5)
    with pytest.raises(SimulationError, match=words) as refused:
        cluster.connect(address)
    assert "\n" not in str(refused.value)


def test_dask_may_be_missing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SimulationError, match=r"pip install 'pontoon21\[cluster\]'"):
        cluster.connect("local")


class Lost:
    """A failed future."""

    def __init__(self, error: BaseException | None) -> None:
        self.status = "error" if error else "cancelled"
        self.exception = lambda: error


def test_lost_jobs_are_asked_again_and_failed_ones_are_not():
    from distributed import KilledWorker

    machine = object.__new__(cluster.Cluster)
    machine.client = type("Client", (), {"status": "running"})()
    job = cluster.Job((0, 8))
    killed = KilledWorker("job", None, 3)  # type: ignore[arg-type] # whose state is not asked for
    assert machine._ended(Lost(killed), job) is None
    assert machine._ended(Lost(None), job) is None
    with pytest.raises(SimulationError, match="a worker failed: ValueError: first"):
        machine._ended(Lost(ValueError("first\nsecond")), job)
    with pytest.raises(SimulationError, match="streams 0 to 8 lost their workers 20 times"):
        machine._ended(Lost(None), job._replace(lost=20))
    machine.client.status = "closed"
    with pytest.raises(SimulationError, match="the connection to the scheduler is lost"):
        machine._ended(Lost(None), job)

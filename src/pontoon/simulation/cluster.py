"""Simulation on many machines: Dask hands out ranges of streams, and their counts are added as they arrive.

A job is a range of streams that takes a few seconds. A job whose worker is lost is given to another worker. A stream
gives the same counts everywhere, so the sums are exactly those of a run on one machine. docs/cluster.md shows how to
set up a cluster.
"""

from __future__ import annotations

import logging
import pickle
import time
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

from pontoon.simulation.batch import BATCH, add
from pontoon.simulation.device import GPU_BATCH, Cpu, Gpu, Machine, Range, Streams, cores
from pontoon.simulation.kernel import KERNEL_VERSION, STREAM_ROUNDS, Sums
from pontoon.simulation.kernel_memory import new_sums
from pontoon.simulation.plan import Plan, SimulationError

Client: TypeAlias = Any
Future: TypeAlias = Any
LocalCluster: TypeAlias = Any
"""Dask is imported only when it is used, and has no types."""
LOCAL = "local"
JOB_SECONDS = 4.0
JOBS_A_SECOND = 100
"""What a scheduler handles easily: with many workers, jobs become longer instead of more numerous."""
GROWTH = 4
"""A job is at most this many times as long as the one it is estimated from; the first also compiles the kernel."""
TIMEOUT = 10
"""Seconds to wait for the scheduler, and for a first worker."""
LOST = 20
"""How often a job may lose its worker. Dask gives up sooner; we submit the job again."""
MISSING = "--cluster needs dask: pip install 'pontoon21[cluster]'"


class Job(NamedTuple):
    """A range of streams submitted to a worker."""

    streams: Range
    lost: int = 0
    """How often its worker was lost."""


class Cluster:
    """The workers of a Dask scheduler."""

    def __init__(self, client: Client, device: str = "cpu", *, owned: LocalCluster = None) -> None:
        """Play on these workers; `owned` is a local cluster to shut down on close."""
        self.client, self.device, self._owned = client, device, owned
        self.name = f"cluster {device}"
        self._size = BATCH if device == "cpu" else GPU_BATCH
        self._seen = 0.0
        self.threads = 0
        self._count_workers()
        if not self.threads:
            kind = "worker with a GPU (dask worker --resources GPU=1)" if device == "gpu" else "worker"
            self.close()
            raise SimulationError(f"the cluster has no {kind}")

    def _count_workers(self) -> None:
        """Count the workers, at most once a second: they come and go."""
        if time.monotonic() - self._seen < 1:
            return
        self._seen = time.monotonic()
        if self.device == "gpu":
            workers = self.client.scheduler_info(n_workers=-1)["workers"].values()
            self.threads = sum(int(worker.get("resources", {}).get("GPU", 0)) for worker in workers)
        else:
            self.threads = sum(self.client.nthreads().values())

    def play(self, plan: Plan, ranges: Iterable[Range]) -> Iterator[tuple[Range, Sums]]:
        streams, running = Streams(ranges), dict[Any, Job]()
        # A task rather than scattered data: if the workers that hold it are lost, Dask computes it again.
        remote_plan = self.client.submit(unpacked, packed(plan), pure=False)
        finished = _dask().as_completed(raise_errors=False)

        def submit(job: Job) -> None:
            future = self._submit(remote_plan, job.streams)
            running[future.key] = job
            finished.add(future)

        try:
            while running or streams.left:
                while streams.left and len(running) < 2 * max(1, self.threads):
                    submit(Job(streams.take(self._job_size(streams.left))))
                future = next(finished)
                job = running.pop(future.key)
                ended = self._ended(future, job)
                if ended is None:
                    submit(job._replace(lost=job.lost + 1))
                    continue
                self._measure(job.streams, ended[1])
                yield job.streams, ended[0]
                self._count_workers()
        finally:
            finished.clear()

    def _job_size(self, left: int) -> int:
        """Streams in the next job: a few seconds of work, and towards the end an equal share for every worker."""
        minimum = BATCH if self.device == "cpu" else GPU_BATCH
        return max(minimum, min(self._size, left // (2 * max(1, self.threads))))

    def _measure(self, streams: Range, seconds: float) -> None:
        count = streams[1] - streams[0]
        wanted = max(JOB_SECONDS, self.threads / JOBS_A_SECOND)
        self._size = max(1, int(count * min(GROWTH, wanted / max(seconds, 1e-3))))

    def _submit(self, plan: Future, streams: Range) -> Future:
        resources = {"GPU": 1} if self.device == "gpu" else None
        try:
            return self.client.submit(
                play_job, plan, streams, self.device, KERNEL_VERSION, pure=False, retries=3, resources=resources
            )
        except (OSError, RuntimeError) as error:
            raise SimulationError(f"the cluster cannot be reached: {_line(error)}") from None

    def _ended(self, future: Future, job: Job) -> tuple[Sums, float] | None:
        """The counts of a job and its time in seconds; None if its worker was lost: submit the job again."""
        killed = _dask().KilledWorker
        if future.status == "finished":
            try:
                parts, seconds = future.result()
                return Sums(*parts), seconds
            except (OSError, killed):  # lost after the job ended, before we fetched its result
                pass
        elif future.status == "error" and not isinstance(error := future.exception(), killed):
            raise SimulationError(f"a worker failed: {_line(error)}") from None
        if self.client.status != "running":
            raise SimulationError("the connection to the scheduler is lost")
        if job.lost >= LOST:
            raise SimulationError(f"streams {job.streams[0]} to {job.streams[1]} lost their workers {LOST} times")
        return None

    def close(self) -> None:
        self.client.close()
        if self._owned is not None:
            self._owned.close()


def _dask() -> Any:  # noqa: ANN401 a module without types
    try:
        import distributed  # noqa: PLC0415 it may be missing
    except ImportError:
        raise SimulationError(MISSING) from None
    return distributed


def _line(error: object) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__


def connect(address: str, device: str = "cpu", threads: int = 0) -> Cluster:
    """Connect to the cluster at an address; "local" starts one on this machine, with a process per thread."""
    dask = _dask()
    for name in ("distributed", "distributed.client"):  # we report errors ourselves, in one line
        logging.getLogger(name).setLevel(logging.CRITICAL)
    device = "gpu" if device == "gpu" else "cpu"
    if address == LOCAL:
        gpu = device == "gpu"
        if gpu:
            Gpu()  # raises if there is none
        local = dask.LocalCluster(
            n_workers=1 if gpu else threads or cores(),
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs="CRITICAL",
            resources={"GPU": 1} if gpu else None,
        )
        return Cluster(dask.Client(local), device, owned=local)
    try:
        dask.comm.resolve_address(address)  # before an event loop is started for an invalid address
        client = dask.Client(address, timeout=TIMEOUT)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        raise SimulationError(f"no scheduler at {address}: {_line(error)}") from None
    try:
        client.wait_for_workers(1, timeout=TIMEOUT)
    except TimeoutError:
        client.close()
        raise SimulationError(f"the scheduler at {address} has no workers") from None
    return Cluster(client, device)


# --- on the workers ------------------------------------------------------------------------------------


def packed(plan: Plan) -> bytes:
    """Serialize a plan for the workers: a few tens of kilobytes."""
    return zlib.compress(pickle.dumps(plan), 6)


def unpacked(plan: bytes) -> Plan:
    """Deserialize a plan on a worker."""
    read = pickle.loads(zlib.decompress(plan))  # noqa: S301 a worker runs what its scheduler sends anyway
    assert isinstance(read, Plan)
    return read


def play_job(plan: Plan, streams: Range, device: str, kernel: int) -> tuple[tuple[Any, ...], float]:
    """Play streams and return their counts and the time taken; refuse if this worker would play other rounds."""
    if kernel != KERNEL_VERSION:
        raise SimulationError("this worker has another version of pontoon")
    begun = time.perf_counter()
    total = new_sums(plan.compiled)
    machine: Machine = Gpu() if device == "gpu" else Cpu(1)
    for _, sums in machine.play(plan, [streams]):
        add(total, sums)
    assert streams[0] * STREAM_ROUNDS < plan.rounds
    return tuple(total), time.perf_counter() - begun

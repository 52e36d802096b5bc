"""Prometheus metrics. No metric names a card, a player or a table.

The terminal runs a house too, but its metrics are not collected: without the Prometheus library nothing is counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
else:
    try:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
    except ImportError:

        class Counter:
            """Counts nothing."""

            def __init__(self, *_: object, **__: object) -> None:
                """Accept the arguments of the library's classes."""

            def __getattr__(self, _: str) -> Any:  # noqa: ANN401 whatever is asked of a counter
                return lambda *_, **__: self

            def __enter__(self) -> None: ...

            def __exit__(self, *_: object) -> None: ...

        CollectorRegistry = Gauge = Histogram = Counter

        def generate_latest(_: object) -> bytes:
            """An empty page."""
            return b""


REGISTRY = CollectorRegistry()

COMMANDS = Counter("pontoon_commands", "Commands by kind and outcome", ["kind", "outcome"], registry=REGISTRY)
STEPS = Counter("pontoon_steps", "Log entries applied", registry=REGISTRY)
CUT_OFF = Counter("pontoon_sockets_cut_off", "Connections closed because they did not read", registry=REGISTRY)
CONNECTIONS_REFUSED = Counter(
    "pontoon_connections_refused", "Connections closed below the application, by status", ["status"], registry=REGISTRY
)
QUOTA_REFUSALS = Counter("pontoon_quota_refusals", "Requests refused, by quota", ["quota"], registry=REGISTRY)
STORE_FAILURES = Counter("pontoon_store_failures", "Transactions that the store did not write", registry=REGISTRY)
FREE_BYTES = Gauge("pontoon_disk_free_bytes", "Free space where the store is", registry=REGISTRY)
VERIFIED = Gauge("pontoon_entries_verified", "Entries verified since the start", registry=REGISTRY)
SOCKETS = Gauge("pontoon_sockets", "Open sockets", registry=REGISTRY)
ROOMS = Gauge("pontoon_tables_owned", "Tables owned by this process", registry=REGISTRY)
BATCHES = Histogram(
    "pontoon_batch_size", "Appends in one transaction", buckets=(1, 2, 4, 8, 16, 32, 64), registry=REGISTRY
)
COMMIT_SECONDS = Histogram("pontoon_commit_seconds", "Duration of a transaction", registry=REGISTRY)
COMMAND_SECONDS = Histogram(
    "pontoon_command_seconds", "Time from a command to its answer, at the owner of the table", registry=REGISTRY
)
QUEUED = Gauge("pontoon_writes_queued", "Appends that wait for the next transaction", registry=REGISTRY)
HTTP = Counter(
    "pontoon_http_requests", "Requests by method and class of status", ["method", "status"], registry=REGISTRY
)
HTTP_SECONDS = Histogram("pontoon_http_seconds", "Duration of a request", registry=REGISTRY)
SIGN_INS = Counter("pontoon_sign_ins", "Attempts to sign in, by outcome", ["outcome"], registry=REGISTRY)
LOADED = Gauge("pontoon_tables_loaded", "Tables in memory", registry=REGISTRY)
ROUNDS = Counter("pontoon_rounds", "Rounds finished at tables of this process", registry=REGISTRY)


def rendered(worker: str = "") -> str:
    """All metrics of this process in Prometheus format; where several share a store, with the label `worker`."""
    page = generate_latest(REGISTRY).decode()
    return "\n".join(_labelled(line, worker) for line in page.split("\n")) if worker else page


def _labelled(line: str, worker: str) -> str:
    """A line with one more label.

    >>> _labelled('pontoon_sockets 2.0', "1"), _labelled('pontoon_commands_total{kind="Sit"} 1.0', "2")
    ('pontoon_sockets{worker="1"} 2.0', 'pontoon_commands_total{worker="2",kind="Sit"} 1.0')
    """
    if not line or line.startswith("#"):
        return line
    name, brace, rest = line.partition("{")
    if brace:
        return f'{name}{{worker="{worker}",{rest}'
    name, _, value = line.partition(" ")
    return f'{name}{{worker="{worker}"}} {value}'


def merged(pages: Iterable[str]) -> str:
    """The pages of several processes as one: every family once, with the samples of all."""
    families: dict[str, dict[str, None]] = {}
    for page in pages:
        family = ""
        for line in page.splitlines():
            if line.startswith("# HELP "):
                family = line.split(" ")[2]
            families.setdefault(family, {})[line] = None
    return "".join(f"{line}\n" for lines in families.values() for line in lines)


def total(counter: Counter) -> float:
    """The sum of a counter over its labels."""
    return sum(
        sample.value for metric in counter.collect() for sample in metric.samples if sample.name.endswith("_total")
    )


def mean(histogram: Histogram) -> float:
    """The mean of what a histogram without labels has observed; 0 for nothing."""
    found = {
        sample.name.rpartition("_")[2]: sample.value for metric in histogram.collect() for sample in metric.samples
    }
    return found["sum"] / found["count"] if found.get("count") else 0.0

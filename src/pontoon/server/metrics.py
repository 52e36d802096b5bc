"""What is counted, for Prometheus. No metric names a card, a player or a table.

A table in the terminal has a house too, and nobody to ask it for metrics: without the library nothing is counted.
"""

from __future__ import annotations

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
                """As the library's."""

            def __getattr__(self, _: str) -> Any:  # noqa: ANN401 whatever is asked of a counter
                return lambda *_, **__: self

            def __enter__(self) -> None: ...

            def __exit__(self, *_: object) -> None: ...

        CollectorRegistry = Gauge = Histogram = Counter

        def generate_latest(_: object) -> bytes:
            """Nothing was counted."""
            return b""


REGISTRY = CollectorRegistry()

COMMANDS = Counter(
    "pontoon_commands", "Commands by kind and what became of them", ["kind", "outcome"], registry=REGISTRY
)
STEPS = Counter("pontoon_steps", "Entries followed", registry=REGISTRY)
CUT_OFF = Counter("pontoon_sockets_cut_off", "Sockets closed because they did not read", registry=REGISTRY)
SOCKETS = Gauge("pontoon_sockets", "Sockets open", registry=REGISTRY)
ROOMS = Gauge("pontoon_tables_owned", "Tables this process writes", registry=REGISTRY)
BATCHES = Histogram(
    "pontoon_batch_size", "Appends in one transaction", buckets=(1, 2, 4, 8, 16, 32, 64), registry=REGISTRY
)
COMMIT_SECONDS = Histogram("pontoon_commit_seconds", "How long a transaction took", registry=REGISTRY)
ROUNDS = Counter("pontoon_rounds", "Rounds finished at tables of this process", registry=REGISTRY)


def rendered() -> bytes:
    """All metrics as Prometheus reads them."""
    return generate_latest(REGISTRY)

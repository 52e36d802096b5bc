"""Traces of a command through the processes, for OpenTelemetry; without `--traces` nothing is done.

A command is received by one process, perhaps forwarded to the owner of its table, decided, appended to the log and
published; every process that is notified applies it. The context travels with the message. No span names a person, a
card or a table.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Tracer

PARENT = "traceparent"
_NOTHING: AbstractContextManager[None] = nullcontext()


class Traces:
    """The tracer of this process, if there is one."""

    def __init__(self) -> None:
        self._provider: TracerProvider | None = None
        self._tracer: Tracer | None = None

    def start(self, url: str) -> None:
        """Send spans to a collector at this address (OTLP over HTTP); ImportError without the extra `telemetry`."""
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

        about = Resource.create({"service.name": "pontoon", "service.instance.id": str(os.getpid())})
        provider = TracerProvider(resource=about)
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=url)))
        self.use(provider)

    def use(self, provider: TracerProvider) -> None:
        """Trace with this provider."""
        self._provider, self._tracer = provider, provider.get_tracer("pontoon")

    def stop(self) -> None:
        """Send what is left, and trace no more."""
        if self._provider is not None:
            self._provider.shutdown()
        self._provider = self._tracer = None

    def span(self, name: str, parent: str = "", **about: str) -> AbstractContextManager[Any]:
        """A span around what happens inside; `parent` is the `here` of another task or process."""
        if self._tracer is None:
            return _NOTHING
        return self._tracer.start_as_current_span(name, _context(parent) if parent else None, attributes=about)

    @property
    def here(self) -> str:
        """The current span as text, for another task or process; empty if nothing is traced."""
        if self._tracer is None:
            return ""
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator  # noqa: PLC0415

        carried: dict[str, str] = {}
        TraceContextTextMapPropagator().inject(carried)
        return carried.get(PARENT, "")


def _context(parent: str) -> Context:
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator  # noqa: PLC0415

    return TraceContextTextMapPropagator().extract({PARENT: parent})


TRACES = Traces()

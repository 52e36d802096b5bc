"""A command traced through two processes; without `--traces` there is nothing to pay."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from pontoon.server.operation.traces import TRACES
from pontoon.table.commands import Sit
from tests.server.test_peers import ANN, two_hosts


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    TRACES.use(provider)
    yield exporter
    TRACES.stop()


def ancestors(span: ReadableSpan, by_id: dict[int, ReadableSpan]) -> list[str]:
    """The names from the first span to this one."""
    above = ancestors(by_id[span.parent.span_id], by_id) if span.parent is not None else []
    return [*above, span.name]


def test_a_command_is_one_trace_through_both_processes(spans: InMemorySpanExporter):
    async def work() -> None:
        async with two_hosts() as (houses, networks, table):
            networks[0].reach([houses[1].options.address])
            assert await networks[0].measure([houses[1].options.address])  # connected
            houses[0]._shared.others = {houses[1].options.address}
            await houses[1].live(table)
            spans.clear()
            assert isinstance(await houses[1].command(ANN, table, Sit("Ann", 1), "sit", None), int)
            async with asyncio.timeout(30):
                while not any(span.name == "apply" for span in spans.get_finished_spans()):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)

    asyncio.run(work())
    found = spans.get_finished_spans()
    (first,) = [span for span in found if span.name == "receive"]
    assert first.context is not None
    mine = [span for span in found if span.context is not None and span.context.trace_id == first.context.trace_id]
    by_id = {span.context.span_id: span for span in mine if span.context is not None}
    owner = ["receive", "forward", "answer", "own"]
    lines = {tuple(ancestors(span, by_id)) for span in mine}
    assert lines >= {
        (*owner, "decide"),
        (*owner, "append"),
        (*owner, "publish"),
        (*owner, "publish", "apply"),
    }
    assert dict(first.attributes or {}) == {"command": "Sit"}, "no span names a person or a table"


def test_nothing_is_traced_unless_asked():
    with TRACES.span("receive", command="Sit") as span:
        assert span is None
        assert TRACES.here == ""

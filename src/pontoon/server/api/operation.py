"""Endpoints for operators: health, readiness and metrics."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from msgspec import Struct

from pontoon.server.api.dependencies import HouseHere, answer
from pontoon.server.api.describe import route
from pontoon.server.operation.readiness import Readiness
from pontoon.server.problems import ProblemError, problem

router = APIRouter()

METRICS = "text/plain; version=0.0.4; charset=utf-8"


class State(Struct, frozen=True, omit_defaults=True):
    """The state of the process."""

    status: str


class Ready(Struct, frozen=True):
    """The server is ready; how much of the log that it found at its start is verified."""

    status: str
    entries: int
    verified: int
    verification: str
    """`complete`, `running`, or `none`."""


@router.get("/health", **route(gives=State))
async def health() -> Response:
    """Report that the process is alive."""
    return answer(State("ok"))


@router.head("/health", include_in_schema=False)
async def health_head() -> Response:
    """The process lives."""
    return Response(status_code=200)


@router.get("/ready", **route(gives=Ready, no=(503,)))
async def ready(request: Request, house: HouseHere) -> Response:
    """Started, not shutting down, the store accepts a write within two seconds, and there is free space."""
    if house.closing or not getattr(request.app.state, "ready", False):
        raise ProblemError(problem("closing") if house.closing else problem("starting"))
    readiness: Readiness = request.app.state.readiness
    no = await readiness.problem()
    if no is not None:
        raise ProblemError(no)
    checked = house.verification
    if checked is None:
        return answer(Ready("ready", 0, 0, "none"))
    return answer(Ready("ready", checked.entries, checked.verified, "complete" if checked.complete else "running"))


@router.get("/metrics", **route(gives=METRICS))
async def metrics(house: HouseHere) -> Response:
    """The metrics in Prometheus format, of all processes that share the store."""
    return Response(await house.measurements(), 200, {"Cache-Control": "no-store"}, METRICS)

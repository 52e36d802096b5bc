"""For whoever runs the server: alive, ready, and counted."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response
from msgspec import Struct

from pontoon.server.api.dependencies import HouseHere, answer
from pontoon.server.api.describe import route
from pontoon.server.logs import broken
from pontoon.server.metrics import rendered
from pontoon.server.problems import ProblemError, problem

router = APIRouter()

METRICS = "text/plain; version=0.0.4; charset=utf-8"


class State(Struct, frozen=True):
    """How it goes."""

    status: str


@router.get("/health", **route(gives=State))
async def health() -> Response:
    """The process lives."""
    return answer(State("ok"))


@router.get("/ready", **route(gives=State, no=(503,)))
async def ready(request: Request, house: HouseHere) -> Response:
    """Started, not closing, and the store can be written."""
    if house.closing or not getattr(request.app.state, "ready", False):
        raise ProblemError(problem("closing") if house.closing else problem("starting"))
    try:
        await asyncio.to_thread(house.store.write, [])  # a transaction of nothing, which may wait for the writer's
    except Exception:  # noqa: BLE001 whatever it is, we are not ready
        broken("not_ready")
        raise ProblemError(problem("store_away")) from None
    return answer(State("ready"))


@router.get("/metrics", **route(gives=METRICS))
async def metrics() -> Response:
    """What is counted, for Prometheus."""
    return Response(rendered(), 200, {"Cache-Control": "no-store"}, METRICS)

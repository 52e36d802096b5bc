"""The web application: REST for everything around the game, one WebSocket a client for the game itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from fastapi import FastAPI, WebSocket
from fastapi.responses import HTMLResponse, Response
from msgspec import Struct
from starlette.requests import HTTPConnection

from pontoon.server.api import routers
from pontoon.server.api.limits import Limits
from pontoon.server.api.problems import install_problem_handlers, problem_response
from pontoon.server.house import House
from pontoon.server.lab.lanes import Lab
from pontoon.server.operation.garbage_collection import GarbageCollection
from pontoon.server.operation.metrics import HTTP, HTTP_SECONDS
from pontoon.server.operation.readiness import Readiness
from pontoon.server.problems import problem
from pontoon.server.sockets import Hub
from pontoon.version import __version__

LARGEST_BODY = 64 * 1024
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
)
"""Headers of every response: no framing, no content sniffing, no referrer."""
HOLD = 0.2
"""Seconds before a flood is refused: a program that waits for its answers is slowed down, and costs us less."""
MOST_HELD = 64
"""Refusals that are held back at a time; further ones are sent at once."""
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS")
FRAMED = "/embed/"
"""Pages below this address may be framed: they show a shared hand and cannot act for a user."""

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Pontoon</title>
<h1>Pontoon table server</h1>
<p>Tables are played over the WebSocket <code>/play</code>; everything around them is under <code>/api</code>,
described in <a href="/openapi.json">/openapi.json</a>. <a href="/health">health</a> · <a href="/ready">ready</a> ·
<a href="/metrics">metrics</a> · <a href="/api/tables">tables</a></p></html>"""


class AppOptions(Struct, frozen=True):
    """Options of the application."""

    origins: tuple[str, ...] = ()
    """Pages of other origins that may open a socket."""
    backup_folder: Path | None = None
    folder: Path | None = None
    """Where the store is, if it is on a disk of this machine."""
    before: Callable[[], Awaitable[None]] | None = None
    """Done before the house starts, on the application's own loop."""
    after: Callable[[], Awaitable[None]] | None = None
    """Done when the house has closed."""
    limited: bool = True
    """Whether requests are limited by address."""


def make_app(house: House, options: AppOptions | None = None, collection: GarbageCollection | None = None) -> FastAPI:
    """The application around a house; the house lives as long as it does. `collection` counts arrivals."""
    chosen = options or AppOptions()
    hub = Hub(house, chosen.origins)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        if chosen.before is not None:
            await chosen.before()
        await house.start()
        publishing = asyncio.create_task(hub.run())
        app.state.ready = True
        yield
        app.state.ready = False
        hub.close()
        app.state.lab.close()
        await house.close()
        publishing.cancel()
        await asyncio.gather(publishing, return_exceptions=True)
        if chosen.after is not None:
            await chosen.after()

    app = FastAPI(title="Pontoon", version=__version__, lifespan=lifespan, openapi_url=None)
    app.state.house, app.state.hub = house, hub
    app.state.lab = Lab(house.options.rulebooks)
    app.state.ready = False
    app.state.readiness = Readiness(house, chosen.folder)
    app.state.backup_folder = chosen.backup_folder
    app.state.limits = Limits(loose=not chosen.limited)
    install_problem_handlers(app)
    for router in routers:
        app.include_router(router)

    @app.get("/", response_class=HTMLResponse, include_in_schema=False)
    async def index() -> str:
        return PAGE

    @app.websocket("/play")
    async def play(socket: WebSocket) -> None:
        await hub.serve(socket)

    app.add_middleware(Gate, collection=collection or GarbageCollection())
    return app


class Gate:
    """Outermost middleware: refuses floods and large bodies, and adds the headers to every response."""

    def __init__(self, app: Any, collection: GarbageCollection) -> None:  # noqa: ANN401 an ASGI application
        self.app = app
        self.collection = collection
        self._held = 0

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:  # noqa: ANN401 ASGI
        self.collection.arrival()
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if not length.isdigit() or len(length) > len(str(LARGEST_BODY)) or int(length) > LARGEST_BODY:
            await _too_large(send)
            return
        size, began = 0, time.perf_counter()

        async def counted() -> Any:  # noqa: ANN401 ASGI
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > LARGEST_BODY:
                return {"type": "http.disconnect"}
            return message

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                method = scope["method"] if scope["method"] in METHODS else "other"
                HTTP.labels(method, f"{message['status'] // 100}xx").inc()
                HTTP_SECONDS.observe(time.perf_counter() - began)
                headers = HEADERS[:-1] if scope["path"].startswith(FRAMED) else HEADERS
                message["headers"] = [*message.get("headers", ()), *headers]
            await send(message)

        refused = _flood(HTTPConnection(scope))
        if refused is not None:
            await self._hold()
        await (refused or self.app)(scope, counted, with_headers)

    async def _hold(self) -> None:
        if self._held < MOST_HELD:
            self._held += 1
            try:
                await asyncio.sleep(HOLD)
            finally:
                self._held -= 1


def _flood(asked: HTTPConnection) -> Response | None:
    """The answer to a request beyond the limit of its session or its address; None within it."""
    seconds = asked.app.state.limits.wait(asked)
    no = problem("too_many", seconds=seconds)
    return problem_response(asked, no, {"Retry-After": str(seconds)}) if seconds else None


async def _too_large(send: Any) -> None:  # noqa: ANN401 ASGI
    words = f"a body has at most {LARGEST_BODY} bytes"
    reply = {
        "type": "about:blank",
        "title": "malformed",
        "status": 413,
        "detail": words,
        "code": "malformed",
        "clauses": [],
        "facts": {"detail": words},
    }
    body = msgspec.json.encode(reply)
    headers = [(b"content-type", b"application/problem+json"), (b"connection", b"close"), *HEADERS]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": body})

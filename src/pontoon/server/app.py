"""The web application: REST for everything around the game, one WebSocket a client for the game itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from fastapi import FastAPI, WebSocket
from fastapi.responses import HTMLResponse
from msgspec import Struct

from pontoon.server.api import routers
from pontoon.server.api.limits import Limits
from pontoon.server.api.problems import install_problem_handlers
from pontoon.server.house import House
from pontoon.server.lab.lanes import Lab
from pontoon.server.sockets import Hub
from pontoon.server.tidy import Tidy
from pontoon.version import __version__

LARGEST_BODY = 64 * 1024
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
)
"""On every answer: this server is no place to frame, sniff or follow links from."""

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Pontoon</title>
<h1>Pontoon table server</h1>
<p>Tables are played over the WebSocket <code>/play</code>; everything around them is under <code>/api</code>,
described in <a href="/openapi.json">/openapi.json</a>. <a href="/health">health</a> · <a href="/ready">ready</a> ·
<a href="/metrics">metrics</a> · <a href="/api/tables">tables</a></p></html>"""


class AppOptions(Struct, frozen=True):
    """What the application is told beside its house."""

    origins: tuple[str, ...] = ()
    """Pages of other origins that may open a socket."""
    backup_folder: Path | None = None
    before: Callable[[], Awaitable[None]] | None = None
    """Done before the house starts, on the application's own loop."""
    after: Callable[[], Awaitable[None]] | None = None
    """Done when the house has closed."""
    limited: bool = True
    """Whether an address may come only so often."""


def make_app(house: House, options: AppOptions | None = None, tidy: Tidy | None = None) -> FastAPI:
    """The application around a house; the house lives as long as it does. `tidy` hears of all who come."""
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
        if chosen.after is not None:
            await chosen.after()

    app = FastAPI(title="Pontoon", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.house, app.state.hub = house, hub
    app.state.lab = Lab(house.options.rulebooks)
    app.state.ready = False
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

    app.add_middleware(Gate, tidy=tidy or Tidy())
    return app


class Gate:
    """At the door: no large bodies in, no answer without its headers out."""

    def __init__(self, app: Any, tidy: Tidy) -> None:  # noqa: ANN401 an ASGI application
        self.app = app
        self.tidy = tidy

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:  # noqa: ANN401 ASGI
        self.tidy.came()
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if not length.isdigit() or len(length) > len(str(LARGEST_BODY)) or int(length) > LARGEST_BODY:
            await _too_large(send)
            return
        size = 0

        async def counted() -> Any:  # noqa: ANN401 ASGI
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > LARGEST_BODY:
                return {"type": "http.disconnect"}
            return message

        async def with_headers(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        await self.app(scope, counted, with_headers)


async def _too_large(send: Any) -> None:  # noqa: ANN401 ASGI
    words = f"a body has at most {LARGEST_BODY} bytes"
    told = {
        "type": "about:blank",
        "title": "malformed",
        "status": 413,
        "detail": words,
        "code": "malformed",
        "clauses": [],
    }
    body = msgspec.json.encode(told)
    headers = [(b"content-type", b"application/problem+json"), (b"connection", b"close"), *HEADERS]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": body})

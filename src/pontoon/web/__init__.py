"""The browser's table: one page and its modules, served as they lie here, with no build step and nothing from outside.

The page holds no rule of the game: what may be done comes with the view, ready to send.
"""

from __future__ import annotations

import mimetypes
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, Response
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

STATIC = Path(__file__).parent / "static"
_SOURCES = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self' ws: wss:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
POLICY = "; ".join(f"{kind} {allowed}" for kind, allowed in _SOURCES.items())
"""No inline script or style, nothing from another host, no frame around us."""
HEADERS = ((b"content-security-policy", POLICY.encode()), (b"cache-control", b"no-cache"))
"""`no-cache` asks again with the ETag each time: a new release is seen at once, and an old one costs no bytes."""
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
"""Said here because a machine's own list of types may say something else, and browsers refuse such modules."""


class Guarded:
    """Static files with the policy on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        await self.app(scope, receive, with_headers)


async def page(_: Request) -> Response:
    """The one page: lobby at `/`, table at `/t/{table}`, tournament at `/tournament/{tournament}`, lab at `/lab`."""
    headers = {name.decode(): value.decode() for name, value in HEADERS}
    return FileResponse(STATIC / "index.html", media_type="text/html", headers=headers)


def add_to(app: FastAPI) -> None:
    """Serve the browser's table from this application.

    It goes before the routes that are there already, for the application's own `/` is a plain note.
    """
    for ending, kind in TYPES.items():
        mimetypes.add_type(kind, ending)
    app.router.routes.insert(0, Mount("/static", Guarded(GZipMiddleware(StaticFiles(directory=STATIC))), name="static"))
    for path in ("/t/{table}", "/tournament/{tournament}", "/lab", "/"):
        app.add_api_route(path, page, include_in_schema=False)
        app.router.routes.insert(0, app.router.routes.pop())

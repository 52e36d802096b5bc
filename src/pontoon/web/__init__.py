"""The browser's table: one page and its modules, served as they are, with no build step and nothing from outside.

The page holds no rule of the game: what may be done comes with the view, ready to send.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Awaitable, Callable
from html import escape
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pontoon.server.api.hands import LinkId, hand_of
from pontoon.server.app import FRAMED
from pontoon.server.problems import ProblemError
from pontoon.web.documentation import ARCHIVE, documentation

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
    "manifest-src": "'self'",
    "worker-src": "'self'",
}
POLICY = "; ".join(f"{kind} {allowed}" for kind, allowed in _SOURCES.items())
"""No inline script or style, nothing from another host, no frame around us."""
HEADERS = ((b"content-security-policy", POLICY.encode()), (b"cache-control", b"no-cache"))
"""`no-cache` asks again with the ETag each time: a new release is seen immediately, and an old one costs no bytes."""
COMPRESSION = 3
"""Nearly as small as the usual 9, at a third of the processor time."""
TYPES = {
    ".webmanifest": "application/manifest+json",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".html": "text/html",
}
"""Set here because the machine's own list of types may differ, and browsers refuse modules of a wrong type."""


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


PAGES = (
    "/t/{table}",
    "/tables",
    "/tournament/{tournament}",
    "/screen/{tournament}",
    "/conditions",
    "/lab",
    "/learn",
    "/rules",
    "/rules/{rulebook}",
    "/train",
    "/review",
    "/players",
    "/players/{name}",
    "/me",
    "/",
)
"""Start page, tables, lobby, tournaments and their conditions, rules lab, lesson, rulebooks, trainer, review,
leaderboard and profiles, the user's own page."""


async def page(_: Request) -> Response:
    """The one page for every address in PAGES; its modules read the address."""
    headers = {name.decode(): value.decode() for name, value in HEADERS}
    return FileResponse(STATIC / "index.html", media_type="text/html", headers=headers)


async def hand_page(request: Request, link: LinkId) -> Response:
    """The page of a shared hand, with a title and a picture for previews of its link."""
    return await _hand(request, link, "index.html", POLICY)


async def embedded_hand(request: Request, link: LinkId) -> Response:
    """A shared hand for a frame on another site: no sign-in and no buttons that act for anyone."""
    return await _hand(request, link, "embed.html", POLICY.replace("frame-ancestors 'none'", "frame-ancestors *"))


async def _hand(request: Request, link: str, page_name: str, policy: str) -> Response:
    text = (STATIC / page_name).read_text("utf-8")
    headers = {"content-security-policy": policy, "cache-control": "no-cache"}
    try:
        hand = (await hand_of(request, request.app.state.house, link)).hand
    except ProblemError as error:  # the page says why
        return Response(text, error.problem.status, headers, "text/html")
    base = str(request.base_url).rstrip("/")
    facts = {
        "og:title": hand.title,
        "og:description": f"{hand.line}. Replay it step by step, with the coach's verdict on each decision.",
        "og:type": "website",
        "og:url": f"{base}/hand/{link}",
        "og:image": f"{base}/api/hands/{link}/picture.png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "twitter:card": "summary_large_image",
    }
    tags = "\n".join(f'<meta property="{name}" content="{escape(value)}">' for name, value in facts.items())
    title = f"<title>{escape(hand.title)} · Pontoon</title>"
    return Response(text.replace("<title>Pontoon</title>", f"{title}\n{tags}"), 200, headers, "text/html")


async def worker(_: Request) -> Response:
    """The service worker: at the root, because a worker sees only what lies below its own address."""
    headers = {name.decode(): value.decode() for name, value in HEADERS}
    return FileResponse(STATIC / "sw.js", media_type="text/javascript", headers=headers)


async def icon(_: Request) -> Response:
    """Browsers ask for this address whatever the page says."""
    return FileResponse(STATIC / "icons" / "icon.svg", media_type="image/svg+xml")


async def docs_page(request: Request, path: str) -> Response:
    """A file of the documentation site."""
    return await run_in_threadpool(documentation, request, path, POLICY, ARCHIVE)


async def docs_start(_: Request) -> Response:
    """The documentation's links are relative, so its first page needs the slash."""
    return RedirectResponse("/docs/")


async def floor_page(_: Request) -> Response:
    """The page of the floor: tables and consoles, the supervisor's desk, the pit, incidents, the school."""
    headers = {name.decode(): value.decode() for name, value in HEADERS}
    return FileResponse(STATIC / "floor" / "index.html", media_type="text/html", headers=headers)


FLOOR = (
    "/floor", "/floor/{table}", "/desk/{table}", "/pit", "/incidents", "/incidents/{table}/{number}", "/search",
    "/school", "/school/{part}", "/admin", "/admin/{part}",
)  # fmt: skip
"""The addresses of the floor's page."""


def add_to(app: FastAPI) -> None:
    """Serve the browser's table from this application.

    It goes before the routes that are there already, for the application's own `/` is a plain note.
    """
    for ending, kind in TYPES.items():
        mimetypes.add_type(kind, ending)
    files = GZipMiddleware(StaticFiles(directory=STATIC), compresslevel=COMPRESSION)
    app.router.routes.insert(0, Mount("/static", Guarded(files), name="static"))
    single: dict[str, Callable[..., Awaitable[Response]]] = dict.fromkeys(PAGES, page)
    single |= {"/docs": docs_start, "/docs/{path:path}": docs_page}
    single |= {"/hand/{link}": hand_page, f"{FRAMED}{{link}}": embedded_hand, "/sw.js": worker, "/favicon.ico": icon}
    for path, endpoint in single.items():
        app.add_api_route(path, endpoint, include_in_schema=False)
        app.router.routes.insert(0, app.router.routes.pop())
    for path in FLOOR:
        app.add_api_route(path, floor_page, include_in_schema=False)
        app.router.routes.insert(0, app.router.routes.pop())

"""The browser's table: one page and its modules, served as they are, with no build step and nothing from outside.

The page holds no rule of the game: what may be done comes with the view, ready to send.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.routing import BaseRoute, Mount, Route

from pontoon.server.api.hands import LinkId, hand_of
from pontoon.server.app import FRAMED
from pontoon.server.problems import ProblemError
from pontoon.web.documentation import ARCHIVE, documentation
from pontoon.web.files import Files

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
HEADERS = {"content-security-policy": POLICY, "cache-control": "no-cache"}
"""`no-cache` asks again with the ETag each time: a new release is seen immediately, and an old one costs no bytes."""
FILES = Files(STATIC, HEADERS)


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


async def page(request: Request) -> Response:
    """The one page for every address in PAGES; its modules read the address."""
    return FILES.answer(request, "index.html")


async def hand_page(request: Request, link: LinkId) -> Response:
    """The page of a shared hand, with a title and a picture for previews of its link."""
    return await _hand(request, link, "index.html", POLICY)


async def embedded_hand(request: Request, link: LinkId) -> Response:
    """A shared hand for a frame on another site: no sign-in and no buttons that act for anyone."""
    return await _hand(request, link, "embed.html", POLICY.replace("frame-ancestors 'none'", "frame-ancestors *"))


async def _hand(request: Request, link: str, page_name: str, policy: str) -> Response:
    text = FILES.find(page_name).content.decode()
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


async def worker(request: Request) -> Response:
    """The service worker: at the root, because a worker sees only what lies below its own address."""
    return FILES.answer(request, "sw.js")


async def icon(request: Request) -> Response:
    """Browsers ask for this address whatever the page says."""
    return FILES.answer(request, "icons/icon.svg")


async def docs_page(request: Request, path: str) -> Response:
    """A file of the documentation site."""
    return await run_in_threadpool(documentation, request, path, POLICY, ARCHIVE)


async def docs_start(_: Request) -> Response:
    """The documentation's links are relative, so its first page needs the slash."""
    return RedirectResponse("/docs/")


async def floor_page(request: Request) -> Response:
    """The page of the floor: tables and consoles, the supervisor's desk, the pit, incidents, the school."""
    return FILES.answer(request, "floor/index.html")


FLOOR = (
    "/floor", "/floor/{table}", "/desk/{table}", "/pit", "/incidents", "/incidents/{table}/{number}", "/search",
    "/school", "/school/{part}", "/admin", "/admin/{part}",
)  # fmt: skip
"""The addresses of the floor's page."""


def add_to(app: FastAPI) -> None:
    """Serve the browser's table from this application.

    It goes before the routes that are there already, for the application's own `/` is a plain note.
    """
    routes: list[BaseRoute] = [Route(path, floor_page) for path in FLOOR]
    routes += [Route("/sw.js", worker), Route("/favicon.ico", icon), Route("/docs", docs_start)]
    routes += [Route(path, page) for path in PAGES]
    routes.append(Mount("/static", FILES, name="static"))
    known = len(app.router.routes)
    with_link = {"/docs/{path:path}": docs_page, "/hand/{link}": hand_page, f"{FRAMED}{{link}}": embedded_hand}
    for path, endpoint in with_link.items():
        app.add_api_route(path, endpoint, include_in_schema=False)
    ours = app.router.routes[known:]
    app.router.routes[:] = [*routes, *ours, *app.router.routes[:known]]

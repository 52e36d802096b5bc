"""Which language somebody gets words in: `?lang=` where it is given, else what the browser accepts, else English."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from pontoon.view.catalogue import best_language


def language_of(asked: HTTPConnection) -> str:
    """The language of a request or a socket."""
    return best_language(asked.query_params.get("lang") or asked.headers.get("accept-language", ""))

"""The language of responses: `?lang=` if given, otherwise the browser's preference, otherwise English."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from pontoon.view.catalogue import best_language


def language_of(asked: HTTPConnection) -> str:
    """The language of a request or a socket."""
    return best_language(asked.query_params.get("lang") or asked.headers.get("accept-language", ""))

"""The contents of /openapi.json: request and response bodies are our structs, and every response is listed."""

from __future__ import annotations

import gzip
from asyncio import to_thread
from http import HTTPStatus
from threading import Lock
from typing import Any, Literal

import msgspec
from fastapi import FastAPI, Request
from fastapi.responses import Response
from msgspec import Struct

from pontoon.rulebook import Clauses

JSON, PROBLEM = "application/json", "application/problem+json"
REFS = "#/components/schemas/{name}"
Signed = Literal["no", "may", "must"]
"""Whether an endpoint requires a signed-in caller."""
SCHEMES = {
    "token": {"type": "http", "scheme": "bearer"},
    "cookie": {"type": "apiKey", "in": "cookie", "name": "pontoon"},
}
_SECURITY: dict[Signed, list[dict[str, list[str]]]] = {
    "no": [],
    "may": [{}, {"token": []}, {"cookie": []}],
    "must": [{"token": []}, {"cookie": []}],
}


class ProblemBody(Struct, frozen=True):
    """A problem (RFC 9457): code and facts for programs, `detail` for people, and the clauses behind it."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    clauses: Clauses
    facts: dict[str, Any]


_kinds: dict[str, Any] = {ProblemBody.__name__: ProblemBody}


def ref(kind: type[Struct]) -> dict[str, str]:
    """The schema reference of a struct."""
    assert _kinds.setdefault(kind.__name__, kind) is kind, kind
    return {"$ref": REFS.format(name=kind.__name__)}


def route(
    *,
    takes: type[Struct] | None = None,
    gives: type[Struct] | str | tuple[str, ...] | None = None,
    status: int = 200,
    signed: Signed = "no",
    no: tuple[int, ...] = (),
) -> dict[str, Any]:
    """The description of an endpoint, for its decorator.

    `gives` is a struct or one or several media types; `no` lists the problem statuses besides 400, 429 and, where
    signing in matters, 401.
    """
    refused = {400, 429, *no} | ({401} if signed != "no" else set()) | ({415} if takes is not None else set())
    responses = {refusal: _problem(refusal) for refusal in sorted(refused)}
    content: dict[str, Any] = {}
    if isinstance(gives, str | tuple):
        kinds = (gives,) if isinstance(gives, str) else gives
        content = {kind: {"schema": {"type": "string"}} for kind in kinds}
    elif gives is not None:
        content = {JSON: {"schema": ref(gives)}}
    responses[status] = {"description": HTTPStatus(status).phrase, **({"content": content} if content else {})}
    extra: dict[str, Any] = {"security": _SECURITY[signed]}
    if takes is not None:
        extra["requestBody"] = {"required": True, "content": {JSON: {"schema": ref(takes)}}}
    return {
        "status_code": status,
        "responses": responses,
        "openapi_extra": extra,
        "response_class": Response,
        "response_model": None,
    }


def _problem(status: int) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "description": HTTPStatus(status).phrase,
        "content": {PROBLEM: {"schema": ref(ProblemBody)}},
    }
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        answer["headers"] = {"Retry-After": {"description": "seconds to wait", "schema": {"type": "integer"}}}
    return answer


def _anything(kind: type) -> dict[str, Any]:
    """The schema of a rulebook value, which is any JSON."""
    assert kind is object, kind
    return {"description": "any JSON"}


def describe(app: FastAPI) -> None:
    """Make the application describe itself with our structs, at /openapi.json."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = plain()
            for path in schema["paths"].values():
                for operation in path.values():
                    if PROBLEM not in operation["responses"].get("422", {}).get("content", {PROBLEM: ""}):
                        del operation["responses"]["422"]  # FastAPI's own: what cannot be read is answered with 400
                    if not operation.get("parameters") and "requestBody" not in operation:
                        del operation["responses"]["400"]  # there is no input to read
            _, components = msgspec.json.schema_components(
                tuple(_kinds.values()), schema_hook=_anything, ref_template=REFS
            )
            schema["components"] = {"schemas": components, "securitySchemes": SCHEMES}
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign] # as FastAPI's documentation does it
    _serve(app)


def _serve(app: FastAPI) -> None:
    """Serve the description, encoded and compressed once."""
    encoding = Lock()
    encoded: list[tuple[bytes, bytes]] = []

    def encoded_once() -> tuple[bytes, bytes]:
        with encoding:
            if not encoded:
                content = msgspec.json.encode(app.openapi())
                encoded.append((content, gzip.compress(content, mtime=0)))
        return encoded[0]

    @app.get("/openapi.json", include_in_schema=False)
    async def description(request: Request) -> Response:
        # It takes a quarter of a second to make and ten milliseconds to encode: in a thread, once.
        content, compressed = encoded[0] if encoded else await to_thread(encoded_once)
        headers = {"Vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            content, headers["Content-Encoding"] = compressed, "gzip"
        return Response(content, 200, headers, JSON)

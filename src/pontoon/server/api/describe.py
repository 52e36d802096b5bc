"""What /openapi.json says: bodies and answers are our own structures, and every answer a client may get is named."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Literal

import msgspec
from fastapi import FastAPI
from fastapi.responses import Response
from msgspec import Struct

from pontoon.rulebook import Clauses

JSON, PROBLEM = "application/json", "application/problem+json"
REFS = "#/components/schemas/{name}"
Signed = Literal["no", "may", "must"]
"""Whether an endpoint asks who one is."""
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
    """Why not (RFC 9457): code and facts for programs, words for people (`detail`), the clauses behind it."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    clauses: Clauses
    facts: dict[str, Any]


_kinds: dict[str, Any] = {ProblemBody.__name__: ProblemBody}


def ref(kind: type[Struct]) -> dict[str, str]:
    """Where a structure is described."""
    assert _kinds.setdefault(kind.__name__, kind) is kind, kind
    return {"$ref": REFS.format(name=kind.__name__)}


def route(
    *,
    takes: type[Struct] | None = None,
    gives: type[Struct] | str | None = None,
    status: int = 200,
    signed: Signed = "no",
    no: tuple[int, ...] = (),
) -> dict[str, Any]:
    """The description of an endpoint, for its decorator.

    `gives` is a structure, or a media type; `no` are the problems it may answer with beside 400, and 401 where one
    may sign in.
    """
    refused = {400, *no} | ({401} if signed != "no" else set())
    responses = {one: _problem(one) for one in sorted(refused)}
    content: dict[str, Any] = {}
    if isinstance(gives, str):
        content = {gives: {"schema": {"type": "string"}}}
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
    """A value of a rulebook is any JSON."""
    assert kind is object, kind
    return {"description": "any JSON"}


def describe(app: FastAPI) -> None:
    """Let the application describe itself with our structures."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = plain()
            for path in schema["paths"].values():
                for operation in path.values():
                    operation["responses"].pop("422", None)  # what cannot be read is answered with 400
                    if not operation.get("parameters") and "requestBody" not in operation:
                        del operation["responses"]["400"]  # and here there is nothing to read
            _, components = msgspec.json.schema_components(
                tuple(_kinds.values()), schema_hook=_anything, ref_template=REFS
            )
            schema["components"] = {"schemas": components, "securitySchemes": SCHEMES}
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign] # as FastAPI's documentation does it

"""Errors as problem+json: refusals, bad input, unknown paths, and internal errors without a traceback."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any, TypeVar

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pontoon.server.api.describe import PROBLEM, ProblemBody, describe
from pontoon.server.language import language_of
from pontoon.server.operation.logs import broken
from pontoon.server.problems import Problem, ProblemError, problem
from pontoon.server.wire import MalformedError
from pontoon.store.model import StoreError

T = TypeVar("T")

_encode = msgspec.json.Encoder().encode


class TooManyError(ProblemError):
    """Too many requests; retry after the given number of seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(problem("too_many", seconds=seconds))


def good(answer: T | Problem) -> T:
    """Return the answer, or raise it if it is a problem."""
    if isinstance(answer, Problem):
        raise ProblemError(answer)
    return answer


def problem_response(asked: HTTPConnection, no: Problem, headers: dict[str, str] | None = None) -> Response:
    """A problem as a response in the caller's language."""
    title, words = HTTPStatus(no.status).phrase, no.said(language_of(asked))
    body = ProblemBody("about:blank", title, no.status, words, no.code, no.clauses, no.facts)
    return Response(_encode(body), no.status, {"Cache-Control": "no-store", **(headers or {})}, PROBLEM)


def install_problem_handlers(app: FastAPI) -> None:
    """Answer all errors with problem+json, and document it in /openapi.json."""
    app.add_exception_handler(ProblemError, _refused)
    app.add_exception_handler(MalformedError, _malformed)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_middleware(UnexpectedErrors)
    describe(app)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, ProblemError)
    again = {}
    if error.problem.status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        again = {"Retry-After": str(error.problem.facts.get("seconds", 1))}
    return problem_response(request, error.problem, again)


async def _malformed(request: Request, error: Exception) -> Response:
    return problem_response(request, problem("malformed", detail=str(error)))


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = " ".join(str(part) for part in first["loc"])
    return problem_response(request, problem("malformed", detail=f"{where}: {first['msg']}"))


async def _http(request: Request, error: Exception) -> Response:
    """Errors raised by the framework."""
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.NOT_FOUND:
        return problem_response(request, problem("not_found"))
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = allowed_methods(request.app, request.url.path) or (error.headers or {}).get("Allow", "")
        no = problem("wrong_method", method=request.method)
        return problem_response(request, no, {"Allow": allowed})
    return problem_response(request, problem("malformed", detail=str(error.detail)))


def allowed_methods(app: Any, path: str) -> str:  # noqa: ANN401 starlette says no more
    """The methods allowed at a path."""
    names: set[str] = set()
    for template, operations in app.openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(template)), path):
            names |= {name.upper() for name in operations}
    return ", ".join(sorted(names))


class UnexpectedErrors:
    """Middleware that logs unexpected errors with a traceback and answers without it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def noted(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, noted)
        except StoreError as error:
            if started:
                raise
            broken("request_not_written", method=scope["method"], path=scope["path"])
            no = problem("unsure" if error.unsure else "store_away")
            await problem_response(HTTPConnection(scope), no, {"Retry-After": "1"})(scope, receive, send)
        except Exception:
            if started:  # the response has already begun
                raise
            broken("request_failed", method=scope["method"], path=scope["path"])
            await problem_response(HTTPConnection(scope), problem("broken"))(scope, receive, send)

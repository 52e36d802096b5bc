"""Dependencies of endpoints: the house, the caller, a strictly parsed body, paging."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import Depends, Path, Query, Request, Response
from msgspec import Struct
from starlette.requests import ClientDisconnect

from pontoon.server.api.describe import JSON
from pontoon.server.house import House
from pontoon.server.language import language_of
from pontoon.server.people.accounts import address_of, token_of, viewer_of
from pontoon.server.people.people import Account
from pontoon.server.problems import ProblemError, problem
from pontoon.server.rooms.permits import Role
from pontoon.server.wire import LARGEST, MalformedError, read_as, same_host, strict_json
from pontoon.view.viewer import Viewer

SAFE = ("GET", "HEAD", "OPTIONS")
READERS: tuple[Role, ...] = ("administrator", "inspector", "casino_supervisor")
"""Roles that may read accounts, balances and logs."""

T = TypeVar("T")

_encode = msgspec.json.Encoder().encode


def answer(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A struct as a JSON response that must not be cached."""
    return Response(_encode(value), status, {"Cache-Control": "no-store", **(headers or {})}, JSON)


def house_of(request: Request) -> House:
    """The house of this application."""
    house: House = request.app.state.house
    return house


# --- the caller ----------------------------------------------------------------------------------------


class Caller(Struct, frozen=True):
    """The caller of an endpoint, with the session token."""

    account: Account
    token: str


async def somebody(request: Request) -> Caller | None:
    """The caller, if signed in; an invalid token is refused, but an expired cookie is ignored."""
    token, in_cookie = token_of(request)
    account = await house_of(request).holder(token) if token else None
    if account is None:
        if token and not in_cookie:
            raise ProblemError(problem("unknown_token"))
        return None
    if in_cookie and request.method not in SAFE and not _same_origin(request):
        raise ProblemError(problem("wrong_origin"))
    return Caller(account, token)


def _same_origin(request: Request) -> bool:
    """Whether a request with a cookie comes from our own pages; browsers send cookies from any page."""
    origin = request.headers.get("origin")
    return origin is None or same_host(origin, request.headers.get("host"))


async def signed(caller: Annotated[Caller | None, Depends(somebody)]) -> Caller:
    """The caller, who must be signed in."""
    if caller is None:
        raise ProblemError(problem("unknown_token"))
    return caller


def in_role(*roles: Role) -> Callable[..., Awaitable[Caller]]:
    """A dependency for callers in one of these roles."""

    async def check(caller: Annotated[Caller, Depends(signed)]) -> Caller:
        role = caller.account.role
        if role not in roles:
            raise ProblemError(problem("forbidden", role=role))
        return caller

    return check


def spoken(request: Request) -> str:
    """The language of the caller."""
    return language_of(request)


async def viewer(request: Request, caller: Annotated[Caller | None, Depends(somebody)]) -> Viewer:
    """The caller's view of a table, and the language."""
    return viewer_of(caller.account if caller is not None else None, language_of(request))


def from_address(request: Request) -> str:
    """Where a request comes from."""
    return address_of(request)


Address = Annotated[str, Depends(from_address)]
HouseHere = Annotated[House, Depends(house_of)]
Somebody = Annotated[Caller | None, Depends(somebody)]
Signed = Annotated[Caller, Depends(signed)]
ViewerHere = Annotated[Viewer, Depends(viewer)]
Speaks = Annotated[str, Depends(spoken)]
"""The language of the words in a response."""
Reader = Annotated[Caller, Depends(in_role(*READERS))]
Stopper = Annotated[Caller, Depends(in_role("administrator", "casino_supervisor", "game_supervisor"))]
"""Who may stop a person or a table."""
Administrator = Annotated[Caller, Depends(in_role("administrator"))]


# --- parameters -------------------------------------------------------------------------------------


def body_of(kind: type[T], page: str = "") -> Any:  # noqa: ANN401 FastAPI's own dependencies are Any
    """The request body, parsed strictly as this type; `page` names a key whose text may have several lines."""

    async def read(request: Request) -> T:
        media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media != JSON:
            raise ProblemError(problem("wrong_media", media=JSON))
        try:
            content = await request.body()
        except ClientDisconnect:
            raise MalformedError("the body is too large or ended early") from None
        return read_as(strict_json(content, page), kind)

    return Depends(read)


TableId = Annotated[str, Path(pattern=r"^[2-9a-z]{1,24}$", description="the name of a table")]
Number = Annotated[int, Path(ge=1, le=LARGEST)]
PersonName = Annotated[str, Path(min_length=1, max_length=64, pattern=r"^[^\x00-\x1f\x7f/]+$")]
Moment = Annotated[int, Query(ge=0, le=LARGEST, description="milliseconds since 1970")]
Limit = Annotated[int, Query(ge=1, le=200, description="maximum number of rows")]
After = Annotated[int, Query(ge=0, le=LARGEST, description="only rows after this version or number")]

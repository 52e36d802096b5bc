"""What endpoints need: the house, who asks, a body that was read strictly, a page of a list."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import Depends, Path, Query, Request, Response
from msgspec import Struct
from starlette.requests import ClientDisconnect

from pontoon.server.accounts import eye_of, token_of
from pontoon.server.api.describe import JSON
from pontoon.server.house import House
from pontoon.server.language import language_of
from pontoon.server.people import Account
from pontoon.server.permits import Role
from pontoon.server.problems import ProblemError, problem
from pontoon.server.wire import LARGEST, MalformedError, read_as, same_host, strict_json
from pontoon.view.eye import Eye

SAFE = ("GET", "HEAD", "OPTIONS")
READERS: tuple[Role, ...] = ("administrator", "inspector", "casino_supervisor")
"""Who may look into accounts, balances and logs."""

T = TypeVar("T")

_encode = msgspec.json.Encoder().encode


def answer(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A structure as JSON; what is true now is not kept by anybody."""
    return Response(_encode(value), status, {"Cache-Control": "no-store", **(headers or {})}, JSON)


def house_of(request: Request) -> House:
    """The house behind this application."""
    house: House = request.app.state.house
    return house


# --- who asks ------------------------------------------------------------------------------------------


class Caller(Struct, frozen=True):
    """Who asks, with which token."""

    account: Account
    token: str


async def somebody(request: Request) -> Caller | None:
    """Who asks, where nobody has to say so; a token that is given must be good, an old cookie is no matter."""
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
    """A browser sends its cookie whatever page asks; ours may."""
    origin = request.headers.get("origin")
    return origin is None or same_host(origin, request.headers.get("host"))


async def signed(caller: Annotated[Caller | None, Depends(somebody)]) -> Caller:
    """Who asks, where it must be known."""
    if caller is None:
        raise ProblemError(problem("unknown_token"))
    return caller


def in_role(*roles: Role) -> Callable[..., Awaitable[Caller]]:
    """Who asks, where only some may."""

    async def check(caller: Annotated[Caller, Depends(signed)]) -> Caller:
        role = caller.account.role
        if role not in roles:
            raise ProblemError(problem("forbidden", role=role))
        return caller

    return check


def spoken(request: Request) -> str:
    """The language of who asks."""
    return language_of(request)


async def viewer(request: Request, caller: Annotated[Caller | None, Depends(somebody)]) -> Eye:
    """How who asks looks at a table, and in which language."""
    return eye_of(caller.account if caller is not None else None, language_of(request))


HouseHere = Annotated[House, Depends(house_of)]
Somebody = Annotated[Caller | None, Depends(somebody)]
Signed = Annotated[Caller, Depends(signed)]
Viewer = Annotated[Eye, Depends(viewer)]
Speaks = Annotated[str, Depends(spoken)]
"""The language of the words in an answer."""
Reader = Annotated[Caller, Depends(in_role(*READERS))]
Administrator = Annotated[Caller, Depends(in_role("administrator"))]


# --- what is asked -------------------------------------------------------------------------------------


def body_of(kind: type[T], page: str = "") -> Any:  # noqa: ANN401 FastAPI's own dependencies are Any
    """The body of a request, read strictly as this kind; `page` names a key whose text may have lines."""

    async def read(request: Request) -> T:
        media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media != JSON:
            raise MalformedError(f"the body must be {JSON}")
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
Limit = Annotated[int, Query(ge=1, le=200, description="how many at most")]
After = Annotated[int, Query(ge=0, le=LARGEST, description="only what comes after this version or number")]

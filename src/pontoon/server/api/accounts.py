"""Guests, accounts and sessions; and oneself: chips, password, the rounds one has played."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from msgspec import Meta, Struct

from pontoon.server import accounts
from pontoon.server.accounts import COOKIE, LONGEST_PASSWORD, SHORTEST_PASSWORD, Me, SignedIn
from pontoon.server.api.dependencies import HouseHere, Limit, Signed, Viewer, answer, body_of
from pontoon.server.api.describe import route
from pontoon.server.api.history import RoundPage, RoundSteps, page_of, steps_of
from pontoon.server.api.limits import limited
from pontoon.server.api.paging import Before
from pontoon.server.api.problems import good
from pontoon.server.history import Query, rounds
from pontoon.server.people import TOKEN_DAYS
from pontoon.server.problems import ProblemError, problem

router = APIRouter(prefix="/api")

Name = Annotated[str, Meta(min_length=1, max_length=64)]
NewPassword = Annotated[str, Meta(min_length=SHORTEST_PASSWORD, max_length=LONGEST_PASSWORD)]
Password = Annotated[str, Meta(max_length=LONGEST_PASSWORD)]


class NewGuest(Struct, frozen=True, forbid_unknown_fields=True):
    """Guest play needs only a name."""

    name: Name


class NewAccount(Struct, frozen=True, forbid_unknown_fields=True):
    """A name one can come back to."""

    name: Name
    password: NewPassword


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    """Who comes back."""

    name: Name
    password: Password


class PasswordChange(Struct, frozen=True, forbid_unknown_fields=True):
    """The password one has (a guest has none) and the one to come."""

    new: NewPassword
    old: Password = ""


def _welcome(request: Request, who: SignedIn) -> Response:
    """The token goes back in the body for programs, and as a cookie no script can read for browsers."""
    said = answer(who, 201)
    said.set_cookie(
        COOKIE,
        who.token,
        max_age=TOKEN_DAYS * 86_400,
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return said


@router.post(
    "/guests",
    dependencies=[limited("guests")],
    **route(takes=NewGuest, gives=SignedIn, status=201, no=(409, 429, 503)),
)
async def come_as_guest(request: Request, house: HouseHere, who: Annotated[NewGuest, body_of(NewGuest)]) -> Response:
    """Play with nothing but a name."""
    return _welcome(request, good(await accounts.guest(house, who.name)))


@router.post(
    "/accounts",
    dependencies=[limited("signing")],
    **route(takes=NewAccount, gives=SignedIn, status=201, no=(409, 429, 503)),
)
async def sign_up(request: Request, house: HouseHere, who: Annotated[NewAccount, body_of(NewAccount)]) -> Response:
    """Open an account."""
    return _welcome(request, good(await accounts.sign_up(house, who.name, who.password)))


@router.post(
    "/sessions",
    dependencies=[limited("signing")],
    **route(takes=Credentials, gives=SignedIn, status=201, no=(401, 429, 503)),
)
async def sign_in(request: Request, house: HouseHere, who: Annotated[Credentials, body_of(Credentials)]) -> Response:
    """Come back."""
    return _welcome(request, good(await accounts.sign_in(house, who.name, who.password)))


@router.delete("/sessions/current", **route(status=204, signed="must", no=(403, 503)))
async def sign_out(house: HouseHere, caller: Signed) -> Response:
    """This token is worth nothing any more; its sockets close."""
    good(await accounts.sign_out(house, caller.account, caller.token))
    said = Response(status_code=204)
    said.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    return said


# --- oneself -------------------------------------------------------------------------------------------


@router.get("/me", **route(gives=Me, signed="must"))
async def me(house: HouseHere, caller: Signed) -> Response:
    """Who one is and what one has, in cents."""
    return answer(await accounts.me(house, caller.account))


@router.post(
    "/me/password",
    dependencies=[limited("signing")],
    **route(takes=PasswordChange, status=204, signed="must", no=(403, 429, 503)),
)
async def change_password(
    house: HouseHere, caller: Signed, change: Annotated[PasswordChange, body_of(PasswordChange)]
) -> Response:
    """Change the password; all other sessions end. A guest who sets one has an account."""
    good(await accounts.change_password(house, caller.account, caller.token, change.old, change.new))
    return Response(status_code=204)


@router.post(
    "/me/chips",
    dependencies=[limited("chips")],
    **route(gives=Me, signed="must", no=(403, 409, 429, 503)),
)
async def chips(house: HouseHere, caller: Signed) -> Response:
    """New play chips, for whoever has next to none."""
    return answer(good(await accounts.chips(house, caller.account)))


@router.get("/me/rounds", **route(gives=RoundPage, signed="must"))
async def my_rounds(house: HouseHere, caller: Signed, cursor: Before = None, limit: Limit = 50) -> Response:
    """The rounds one has played, newest first."""
    return answer(await page_of(house, Query(player=caller.account.name, before=cursor), limit))


@router.get("/me/last", **route(gives=RoundSteps, signed="must", no=(404, 429)))
async def last_game(house: HouseHere, caller: Signed, eye: Viewer) -> Response:
    """The last game: what it came to, and its steps."""
    found = await rounds(house, Query(player=caller.account.name), 1)
    if not found:
        raise ProblemError(problem("no_such_round"))
    return answer(await steps_of(house, found[0], eye))

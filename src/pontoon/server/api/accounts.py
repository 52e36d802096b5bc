"""Guests, accounts and sessions, and the signed-in user's chips, password and rounds."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from msgspec import Meta, Struct

from pontoon.server.api.dependencies import Address, HouseHere, Limit, Signed, ViewerHere, answer, body_of
from pontoon.server.api.describe import route
from pontoon.server.api.history import RoundPage, RoundSteps, page_of, steps_of
from pontoon.server.api.limits import limited
from pontoon.server.api.paging import Before
from pontoon.server.api.problems import good
from pontoon.server.people import accounts, password_links
from pontoon.server.people.accounts import COOKIE, LONGEST_PASSWORD, SHORTEST_PASSWORD, Me, SignedIn
from pontoon.server.people.people import TOKEN_DAYS
from pontoon.server.people.practice_chips import refill
from pontoon.server.problems import ProblemError, problem
from pontoon.server.records.history import Query, rounds

router = APIRouter(prefix="/api")

Name = Annotated[str, Meta(min_length=1, max_length=64)]
NewPassword = Annotated[str, Meta(min_length=SHORTEST_PASSWORD, max_length=LONGEST_PASSWORD)]
Password = Annotated[str, Meta(max_length=LONGEST_PASSWORD)]


class NewGuest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to play as a guest."""

    name: Name


class NewAccount(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a new account."""

    name: Name
    password: NewPassword


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    """Name and password for signing in."""

    name: Name
    password: Password


class PasswordChange(Struct, frozen=True, forbid_unknown_fields=True):
    """The current password (a guest has none) and the new one."""

    new: NewPassword
    old: Password = ""


class LinkUsed(Struct, frozen=True, forbid_unknown_fields=True):
    """A one-time link and the new password."""

    link: Annotated[str, Meta(min_length=1, max_length=128)]
    password: NewPassword


def _welcome(request: Request, who: SignedIn) -> Response:
    """Return the token in the body for programs, and as an HTTP-only cookie for browsers."""
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
async def sign_in_as_guest(request: Request, house: HouseHere, who: Annotated[NewGuest, body_of(NewGuest)]) -> Response:
    """Sign in as a guest, with a name only."""
    return _welcome(request, good(await accounts.guest(house, who.name)))


@router.post(
    "/accounts",
    dependencies=[limited("signing")],
    **route(takes=NewAccount, gives=SignedIn, status=201, no=(409, 422, 429, 503)),
)
async def sign_up(request: Request, house: HouseHere, who: Annotated[NewAccount, body_of(NewAccount)]) -> Response:
    """Create an account and sign in."""
    return _welcome(request, good(await accounts.sign_up(house, who.name, who.password)))


@router.post(
    "/sessions",
    dependencies=[limited("signing")],
    **route(takes=Credentials, gives=SignedIn, status=201, no=(401, 403, 429, 503)),
)
async def sign_in(
    request: Request, house: HouseHere, address: Address, who: Annotated[Credentials, body_of(Credentials)]
) -> Response:
    """Sign in."""
    return _welcome(request, good(await accounts.sign_in(house, who.name, who.password, address)))


@router.post(
    "/links",
    dependencies=[limited("signing")],
    **route(takes=LinkUsed, gives=SignedIn, status=201, no=(403, 404, 422, 429, 503)),
)
async def use_link(
    request: Request, house: HouseHere, address: Address, who: Annotated[LinkUsed, body_of(LinkUsed)]
) -> Response:
    """Set a password with a one-time link from an administrator, and sign in."""
    return _welcome(request, good(await password_links.use_link(house, who.link, who.password, address)))


@router.delete("/sessions/current", **route(status=204, signed="must", no=(403, 503)))
async def sign_out(house: HouseHere, caller: Signed) -> Response:
    """End this session; its sockets close."""
    good(await accounts.sign_out(house, caller.account, caller.token))
    said = Response(status_code=204)
    said.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    return said


# --- the user ------------------------------------------------------------------------------------------


@router.get("/me", **route(gives=Me, signed="must"))
async def me(house: HouseHere, caller: Signed) -> Response:
    """The signed-in user and their balance in cents."""
    return answer(await accounts.me(house, caller.account))


@router.post(
    "/me/password",
    dependencies=[limited("signing")],
    **route(takes=PasswordChange, status=204, signed="must", no=(403, 422, 429, 503)),
)
async def change_password(
    house: HouseHere, caller: Signed, address: Address, change: Annotated[PasswordChange, body_of(PasswordChange)]
) -> Response:
    """Change the password and end all other sessions. A guest who sets one gets an account."""
    good(await accounts.change_password(house, caller.account, caller.token, change.old, change.new, address))
    return Response(status_code=204)


@router.post(
    "/me/chips",
    dependencies=[limited("chips")],
    **route(gives=Me, signed="must", no=(403, 409, 429, 503)),
)
async def chips(house: HouseHere, caller: Signed, practice: bool = False) -> Response:  # noqa: FBT001 FBT002 query
    """Give new play chips to a player who has almost none left; `practice` chips are given at any time."""
    if practice:
        await refill(house, caller.account.name)
        return answer(await accounts.me(house, caller.account))
    return answer(good(await accounts.chips(house, caller.account)))


@router.get("/me/rounds", **route(gives=RoundPage, signed="must"))
async def my_rounds(house: HouseHere, caller: Signed, cursor: Before = None, limit: Limit = 50) -> Response:
    """The user's rounds, newest first."""
    return answer(await page_of(house, Query(player=caller.account.name, before=cursor), limit, caller.account))


@router.get("/me/last", **route(gives=RoundSteps, signed="must", no=(404, 429)))
async def last_game(house: HouseHere, caller: Signed, viewer: ViewerHere) -> Response:
    """The user's last round, with its result and steps."""
    found = await rounds(house, Query(player=caller.account.name), 1)
    if not found:
        raise ProblemError(problem("no_such_round"))
    return answer(await steps_of(house, found[0], viewer))

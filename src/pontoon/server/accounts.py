"""Coming and going: guests, accounts, sessions, roles and chips, each of them an entry in the people's stream.

Passwords are hashed beside the game, one at a time. A name that is not known costs as long as a wrong password, so
that nobody learns who is here.
"""

from __future__ import annotations

import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct
from starlette.requests import HTTPConnection

from pontoon.ledger import receivable, wallet
from pontoon.server.aside import Aside
from pontoon.server.capacity import Actor
from pontoon.server.house import House
from pontoon.server.people import (
    FIRST_CHIPS,
    LEAST_CHIPS,
    TOKEN_DAYS,
    Account,
    ChipsGiven,
    PasswordSet,
    People,
    PeopleEvent,
    RoleGiven,
    TokenGiven,
    TokensRevoked,
    draft,
    new_token,
    opened_name,
    token_hash,
)
from pontoon.server.permits import Role
from pontoon.server.problems import Problem, problem
from pontoon.store.model import Draft
from pontoon.view.catalogue import ENGLISH
from pontoon.view.eye import Eye

HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""Argon2id as OWASP recommends it where memory is shared: about 30 ms of one core."""
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 128
MOST_WAITING = 32
"""Passwords that may wait to be hashed: about a second."""
DAY = 86_400_000
BEARER, COOKIE = "bearer ", "pontoon"
"""How a token is given: in the header of a program, or in the cookie of a browser."""
TRIES = 5

_HASHING = Aside("passwords", MOST_WAITING)
_NOBODY = HASHER.hash("nobody has this password")
"""What the password of a name that is not known is compared with."""


class SignedIn(Struct, frozen=True):
    """Somebody is here, with a token that is told this once."""

    name: str
    role: Role
    guest: bool
    token: str
    wallet: int


class Me(Struct, frozen=True):
    """What a person may know of the own account."""

    name: str
    role: Role
    guest: bool
    wallet: int
    owed: int
    """What the house is still to get, after a round was made void."""


# --- who acts ------------------------------------------------------------------------------------------


def actor_for(account: Account, wanted: str | None = None) -> Actor | Problem:
    """In which capacity somebody acts: in the own role, or as a player where that is asked for.

    >>> actor_for(Account("Ann", "inspector"))
    Actor(name='Ann', role='inspector')
    >>> actor_for(Account("Ann", "inspector"), "player")
    Actor(name='Ann', role='player')
    >>> actor_for(Account("Ben", "player"), "dealer").words
    'a player may not act as a dealer'
    """
    if not wanted or wanted == account.role:
        return Actor(account.name, account.role)
    if wanted == "player":
        return Actor(account.name, "player")
    return problem("forbidden", role=account.role, other=wanted)


def eye_of(account: Account | None, language: str = ENGLISH) -> Eye:
    """How somebody looks at a table; without an account as a spectator."""
    return Eye(account.name, account.role != "player", language) if account is not None else Eye(language=language)


def token_of(asked: HTTPConnection) -> tuple[str, bool]:
    """The token of a request or a socket, and whether it came in a cookie."""
    given = asked.headers.get("authorization", "")
    if given[: len(BEARER)].lower() == BEARER:
        return given[len(BEARER) :].strip(), False
    return asked.cookies.get(COOKIE, ""), True


# --- passwords -----------------------------------------------------------------------------------------


def _bytes(password: str) -> bytes:
    """The same password typed on two machines is the same."""
    return unicodedata.normalize("NFC", password).encode()


async def hashed(password: str) -> str:
    """A password as it is kept."""
    return await _HASHING.do(lambda: HASHER.hash(_bytes(password)))


async def fits(account: Account | None, password: str) -> bool:
    """Whether this is the password; it takes equally long for a name that is not known, and for a guest."""
    kept = account.password if account is not None and account.password else _NOBODY

    def compared() -> bool:
        try:
            return HASHER.verify(kept, _bytes(password))
        except (VerificationError, InvalidHashError):
            return False

    return await _HASHING.do(compared) and kept is not _NOBODY


# --- coming and going ----------------------------------------------------------------------------------


async def guest(house: House, name: str) -> SignedIn | Problem:
    """Play with nothing but a name; one that is taken gets a number behind it."""
    entry = await house.write_people(lambda people: people.opened(name, guest=True))
    return entry if isinstance(entry, Problem) else await _let_in(house, opened_name(entry))


async def sign_up(house: House, name: str, password: str) -> SignedIn | Problem:
    """A name one can come back to."""
    trial = house.people.opened(name)
    if isinstance(trial, Problem):  # before anybody hashes
        return trial
    kept = await hashed(password)
    entry = await house.write_people(lambda people: people.opened(name, password=kept))
    return entry if isinstance(entry, Problem) else await _let_in(house, opened_name(entry))


async def sign_in(house: House, name: str, password: str) -> SignedIn | Problem:
    """Come back."""
    if house.options.leased:
        await house.follow_people()
    account = house.people.find(name)
    if not await fits(account, password):
        return problem("wrong_password")
    assert account is not None
    if HASHER.check_needs_rehash(account.password):
        again = await house.say_of(account.name, PasswordSet(account.name, await hashed(password)))
        if isinstance(again, Problem):
            return again
    return await _let_in(house, account.name)


async def _let_in(house: House, name: str) -> SignedIn | Problem:
    token = new_token()
    until = house.clock.wall() + TOKEN_DAYS * DAY
    entry = await house.say_of(name, TokenGiven(name, token_hash(token), until))
    if isinstance(entry, Problem):
        return entry
    account = house.people.find(name)
    assert account is not None
    return SignedIn(account.name, account.role, account.guest, token, await house.balance(account.name))


async def sign_out(house: House, account: Account, token: str) -> Problem | None:
    """This token is worth nothing any more; its sockets close."""
    return await _said(house, account.name, TokensRevoked(account.name, (token_hash(token),)))


async def _said(house: House, by: str, *events: PeopleEvent) -> Problem | None:
    entry = await house.say_of(by, *events)
    return entry if isinstance(entry, Problem) else None


async def change_password(house: House, account: Account, token: str, old: str, new: str) -> Problem | None:
    """Set a password, which makes a guest an account; every other session of the person ends."""
    if account.password and not await fits(account, old):
        return problem("wrong_password")
    others = tuple(sorted(account.tokens.keys() - {token_hash(token)}))
    events: tuple[PeopleEvent, ...] = (PasswordSet(account.name, await hashed(new)),)
    if others:
        events += (TokensRevoked(account.name, others),)
    return await _said(house, account.name, *events)


async def me(house: House, account: Account) -> Me:
    """What a person has and owes."""
    owed = await house.read(lambda: house.store.balance(receivable(account.name)))
    return Me(account.name, account.role, account.guest, await house.balance(account.name), max(-owed, 0))


async def chips(house: House, account: Account) -> Me | Problem:
    """New play chips for somebody who has next to none, and none on a table."""
    entry: object = problem("not_here")
    for _ in range(TRIES):
        version = house.people.version
        has = await house.balance(account.name)
        if has >= LEAST_CHIPS or await _has_chips_out(house, account.name):
            return problem("chips_enough", least=LEAST_CHIPS)
        given = ChipsGiven(account.name, FIRST_CHIPS - has)

        def make(people: People, seen: int = version, given: ChipsGiven = given) -> Draft | Problem:
            """Only if nothing was handed out since we looked."""
            return draft(account.name, (given,)) if people.version == seen else problem("not_here")

        entry = await house.write_people(make)
        if not (isinstance(entry, Problem) and entry.code == "not_here"):
            break
    return entry if isinstance(entry, Problem) else await me(house, account)


async def _has_chips_out(house: House, name: str) -> bool:
    accounts = await house.read(lambda: house.store.balances("escrow/"))
    mine = wallet(name).removeprefix("wallet")
    return any(amount and one.endswith(mine) for one, amount in accounts.items())


# --- administration ------------------------------------------------------------------------------------


async def give_role(house: House, by: Account, name: str, role: Role) -> Account | Problem:
    """From now on a person acts in another capacity; an official needs a password."""
    account = house.people.find(name)
    if account is None:
        return problem("no_such_person", name=name)
    if account.guest and role != "player":
        return problem("needs_password", name=account.name)
    no = await _said(house, by.name, RoleGiven(account.name, role))
    return no if no is not None else account


async def revoke(house: House, by: Account, name: str) -> Problem | None:
    """End every session of a person."""
    account = house.people.find(name)
    if account is None:
        return problem("no_such_person", name=name)
    return await _said(house, by.name, TokensRevoked(account.name)) if account.tokens else None

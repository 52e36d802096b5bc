"""Guests, accounts, sessions, roles and chips: each change is an entry in the people's stream.

Passwords are hashed in the background, one at a time. An unknown name takes as long as a wrong password, so that no one
can find out who has an account.
"""

from __future__ import annotations

import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct
from starlette.requests import HTTPConnection

from pontoon.ledger import receivable, wallet
from pontoon.server.coach.work_queue import WorkQueue
from pontoon.server.house import House
from pontoon.server.operation import policy_checks
from pontoon.server.operation.logs import event
from pontoon.server.operation.metrics import SIGN_INS
from pontoon.server.people.passwords import weak
from pontoon.server.people.people import (
    LEAST_CHIPS,
    TOKEN_DAYS,
    Account,
    AccountRestored,
    AccountSuspended,
    ChipsGiven,
    PasswordSet,
    People,
    PeopleEvent,
    RoleGiven,
    TokenGiven,
    TokensRevoked,
    draft,
    folded,
    new_token,
    opened_name,
    token_hash,
)
from pontoon.server.problems import Problem, problem
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.permits import Role
from pontoon.store.model import Draft
from pontoon.view.catalogue import ENGLISH
from pontoon.view.viewer import Viewer

HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""Argon2id as OWASP recommends it where memory is shared: about 30 ms of one core."""
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 128
MOST_WAITING = 32
"""Passwords that may wait to be hashed: about a second."""
DAY = 86_400_000
BEARER, COOKIE = "bearer ", "pontoon"
"""How a token is given: in the header of a program, or in the cookie of a browser."""
TRIES = 5

_HASHING = WorkQueue("passwords", MOST_WAITING)
_NOBODY = HASHER.hash("nobody has this password")
"""A hash to compare with when the name is unknown."""


class SignedIn(Struct, frozen=True):
    """A signed-in user with a new token, which is shown only once."""

    name: str
    role: Role
    guest: bool
    token: str
    wallet: int


class Me(Struct, frozen=True, omit_defaults=True):
    """The user's own account."""

    name: str
    role: Role
    guest: bool
    wallet: int
    owed: int
    """Debt to the house after a round was voided."""
    practice: int = 0
    given: int = 0
    """Practice chips handed out so far."""


# --- who acts ------------------------------------------------------------------------------------------


def actor_for(account: Account, wanted: str | None = None) -> Actor | Problem:
    """The role in which a user acts: their own, or player if requested.

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


def viewer_of(account: Account | None, language: str = ENGLISH) -> Viewer:
    """A user's view of a table; without an account, a spectator's."""
    return (
        Viewer(account.name, account.role != "player", language) if account is not None else Viewer(language=language)
    )


def token_of(asked: HTTPConnection) -> tuple[str, bool]:
    """The token of a request or a socket, and whether it came in a cookie."""
    given = asked.headers.get("authorization", "")
    if given[: len(BEARER)].lower() == BEARER:
        return given[len(BEARER) :].strip(), False
    return asked.cookies.get(COOKIE, ""), True


def address_of(asked: HTTPConnection) -> str:
    """Where a request or a socket comes from; behind a proxy, what the proxy says."""
    return asked.client.host if asked.client is not None else ""


# --- passwords -----------------------------------------------------------------------------------------


def _bytes(password: str) -> bytes:
    """Normalise a password, so that it is the same from any keyboard."""
    return unicodedata.normalize("NFC", password).encode()


async def hashed(password: str) -> str:
    """Hash a password for storage."""
    return await _HASHING.do(lambda: HASHER.hash(_bytes(password)))


async def fits(account: Account | None, password: str) -> bool:
    """Check a password; takes equally long for unknown names and for guests."""
    kept = account.password if account is not None and account.password else _NOBODY

    def compared() -> bool:
        try:
            return HASHER.verify(kept, _bytes(password))
        except (VerificationError, InvalidHashError):
            return False

    return await _HASHING.do(compared) and kept is not _NOBODY


# --- signing in and out ----------------------------------------------------------------------------------


async def guest(house: House, name: str) -> SignedIn | Problem:
    """Create a guest; a number is appended to a name that is taken."""
    no = policy_checks.guest_refused(house.people.policy)
    if no is not None:
        return no
    entry = await house.write_people(lambda people: people.opened(name, guest=True))
    return entry if isinstance(entry, Problem) else await let_in(house, opened_name(entry))


async def sign_up(house: House, name: str, password: str) -> SignedIn | Problem:
    """Create an account with a password."""
    trial = house.people.opened(name)
    if isinstance(trial, Problem):  # before hashing
        return trial
    if weak(password, name):
        return problem("weak_password")
    kept = await hashed(password)
    entry = await house.write_people(lambda people: people.opened(name, password=kept))
    return entry if isinstance(entry, Problem) else await let_in(house, opened_name(entry))


async def sign_in(house: House, name: str, password: str, address: str = "") -> SignedIn | Problem:
    """Sign in and return a session."""
    if house.options.leased:
        await house.catch_up_with_people()
    account = house.people.find(name)
    no = await _refused_password(house, account, name, password, address)
    if no is not None:
        return no
    assert account is not None
    if account.suspended:
        event("sign_in_refused", name=account.name, address=address, why="suspended")
        SIGN_INS.labels("suspended").inc()
        return problem("suspended")
    event("signed_in", name=account.name, address=address)
    SIGN_INS.labels("done").inc()
    if HASHER.check_needs_rehash(account.password):
        again = await house.say_of(account.name, PasswordSet(account.name, await hashed(password)))
        if isinstance(again, Problem):
            return again
    return await let_in(house, account.name)


async def _refused_password(
    house: House, account: Account | None, name: str, password: str, address: str
) -> Problem | None:
    """A problem if the password is wrong, or after too many wrong ones; unknown names are treated the same way."""
    wait = house.sign_ins.wait(folded(name), address)
    if wait:
        event("sign_in_refused", name=name, address=address, why="too many failures", seconds=wait)
        SIGN_INS.labels("locked").inc()
        return problem("try_later", seconds=wait)
    if await fits(account, password):
        house.sign_ins.succeeded(folded(name))
        return None
    house.sign_ins.failed(folded(name), address)
    event("sign_in_failed", name=name, address=address)
    SIGN_INS.labels("wrong_password").inc()
    return problem("wrong_password")


async def let_in(house: House, name: str) -> SignedIn | Problem:
    """A session for a person who may have one."""
    token = new_token()
    until = house.clock.wall() + TOKEN_DAYS * DAY
    entry = await house.say_of(name, TokenGiven(name, token_hash(token), until))
    if isinstance(entry, Problem):
        return entry
    account = house.people.find(name)
    assert account is not None
    return SignedIn(account.name, account.role, account.guest, token, await house.balance(account.name))


async def sign_out(house: House, account: Account, token: str) -> Problem | None:
    """Revoke this token; its sockets close."""
    return await _said(house, account.name, TokensRevoked(account.name, (token_hash(token),)))


async def _said(house: House, by: str, *events: PeopleEvent) -> Problem | None:
    entry = await house.say_of(by, *events)
    return entry if isinstance(entry, Problem) else None


async def change_password(
    house: House, account: Account, token: str, old: str, new: str, address: str = ""
) -> Problem | None:
    """Set a password, which makes a guest an account; every other session of the person ends."""
    no = await _refused_password(house, account, account.name, old, address) if account.password else None
    if no is not None or weak(new, account.name):
        return no or problem("weak_password")
    event("password_changed", name=account.name, address=address)
    others = tuple(sorted(account.tokens.keys() - {token_hash(token)}))
    events: tuple[PeopleEvent, ...] = (PasswordSet(account.name, await hashed(new)),)
    if others:
        events += (TokensRevoked(account.name, others),)
    return await _said(house, account.name, *events)


async def me(house: House, account: Account) -> Me:
    """A user's balance and debt."""
    owed = await house.read(lambda: house.store.balance(receivable(account.name)))
    chips = (await house.chips_of({account.name}))[account.name]
    return Me(account.name, account.role, account.guest, chips.wallet, max(-owed, 0), chips.practice, chips.given)


async def chips(house: House, account: Account) -> Me | Problem:
    """Give new play chips to a user who has almost none left and none on a table."""
    entry: object = problem("not_here")
    for _ in range(TRIES):
        version = house.people.version
        has = await house.balance(account.name)
        if has >= LEAST_CHIPS or await _has_chips_out(house, account.name):
            return problem("chips_enough", least=LEAST_CHIPS)
        no = policy_checks.top_up_refused(house.people.policy, account, house.clock.wall())
        if no is not None:
            return no
        given = ChipsGiven(account.name, max(house.people.policy.first_chips, LEAST_CHIPS) - has)

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
    """Change a person's role; an official needs a password."""
    account = house.people.find(name)
    if account is None:
        return problem("no_such_person", name=name)
    if account.guest and role != "player":
        return problem("needs_password", name=account.name)
    if account.role == "administrator" != role and _is_last_administrator(house, account):
        return problem("last_administrator", name=account.name)
    no = await _said(house, by.name, RoleGiven(account.name, role))
    return no if no is not None else account


def _is_last_administrator(house: House, account: Account) -> bool:
    others = (one for one in house.people.accounts.values() if one is not account)
    return not any(other.role == "administrator" and not other.suspended for other in others)


async def suspend(house: House, by: Account, name: str, reason: str) -> Problem | None:
    """Stop a person: their sessions end, nobody can sign in as them, and the tables they made are paused."""
    account = house.people.find(name)
    if account is None:
        return problem("no_such_person", name=name)
    if account.role == "administrator" and (by.role != "administrator" or _is_last_administrator(house, account)):
        return problem("last_administrator", name=account.name)
    no = await _said(house, by.name, AccountSuspended(account.name, reason))
    if no is None:
        event("suspended", name=account.name, by=by.name)
        actor = Actor(by.name, by.role)
        for live in tuple(house.made_by(account.name)):
            await house.stop_table(actor, live.room.id, reason)
    return no


async def restore(house: House, by: Account, name: str) -> Problem | None:
    """Let a suspended person sign in again."""
    account = house.people.find(name)
    if account is None:
        return problem("no_such_person", name=name)
    event("restored", name=account.name, by=by.name)
    return await _said(house, by.name, AccountRestored(account.name)) if account.suspended else None


async def revoke(house: House, by: Account, name: str) -> Problem | None:
    """End every session of a person."""
    account = house.people.find(name)
    if account is None:
        return problem("no_such_person", name=name)
    return await _said(house, by.name, TokensRevoked(account.name)) if account.tokens else None

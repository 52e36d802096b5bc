"""One-time links with which a person sets a password: for a new account, or when a password is lost.

An administrator makes the link and hands it over; nobody learns another person's password. Only its hash is recorded.
"""

from __future__ import annotations

from msgspec import Struct

from pontoon.server.house import House
from pontoon.server.operation.logs import event
from pontoon.server.people.accounts import SignedIn, hashed, let_in
from pontoon.server.people.passwords import weak
from pontoon.server.people.people import (
    Account,
    LinkGiven,
    PasswordSet,
    TokensRevoked,
    new_token,
    opened_name,
    token_hash,
)
from pontoon.server.problems import Problem, problem
from pontoon.server.rooms.permits import Role

MINUTES = 30
FOR_A_NEW_PERSON = 7 * 24 * 60


class PasswordLink(Struct, frozen=True):
    """A link for one person, for one use."""

    name: str
    role: Role
    link: str
    """The secret of the link: the page is `/floor#link=SECRET`."""
    until: int


async def add_person(house: House, by: Account, name: str, role: Role) -> PasswordLink | Problem:
    """Open an account that nobody can sign in to yet, and make the link for its owner."""
    trial = house.people.opened(name)
    if isinstance(trial, Problem):  # before hashing
        return trial
    unknown = await hashed(new_token())
    entry = await house.write_people(lambda people: people.opened(name, role, unknown))
    if isinstance(entry, Problem):
        return entry
    event("account_added", name=opened_name(entry), role=role, by=by.name)
    return await give_link(house, by, opened_name(entry), FOR_A_NEW_PERSON)


async def give_link(house: House, by: Account, name: str, minutes: int = MINUTES) -> PasswordLink | Problem:
    """Make a link for a person; an earlier one no longer works, the password still does."""
    account = house.people.find(name)
    if account is None:
        return problem("no_such_person", name=name)
    secret, until = new_token(), house.clock.wall() + minutes * 60_000
    entry = await house.say_of(by.name, LinkGiven(account.name, token_hash(secret), until))
    if isinstance(entry, Problem):
        return entry
    event("password_link_given", name=account.name, by=by.name)
    return PasswordLink(account.name, account.role, secret, until)


async def use_link(house: House, link: str, password: str, address: str = "") -> SignedIn | Problem:
    """Set the password of the person to whom a link was given, end all their sessions, and sign in."""
    if house.options.leased:
        await house.catch_up_with_people()
    account = house.people.linked(token_hash(link), house.clock.wall())
    if account is None:
        event("password_link_refused", address=address)
        return problem("link_used")
    if account.suspended:
        return problem("suspended")
    if weak(password, account.name):
        return problem("weak_password")
    events = (PasswordSet(account.name, await hashed(password)), TokensRevoked(account.name))
    entry = await house.say_of(account.name, *(events if account.tokens else events[:1]))
    if isinstance(entry, Problem):
        return entry
    event("password_changed", name=account.name, address=address)
    return await let_in(house, account.name)

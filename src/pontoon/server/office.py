"""Accounts without a server: straight on the store, for the command line."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from pontoon.server.accounts import HASHER
from pontoon.server.people import STREAM, People, RoleGiven, TokensRevoked, draft
from pontoon.server.permits import ROLES, Role
from pontoon.server.problems import Problem
from pontoon.store.model import Append, Appended, Draft, Store, entries_after

TRIES = 20


class OfficeError(Exception):
    """It was not done; the message is one line for a person."""


class Office:
    """The people of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.people = People()
        self._catch_up()

    def _catch_up(self) -> None:
        for entry in entries_after(self.store, STREAM, self.people.version):
            self.people.follow(entry)

    def _write(self, make: Callable[[], Draft | Problem]) -> None:
        for _ in range(TRIES):
            wanted = make()
            if isinstance(wanted, Problem):
                raise OfficeError(wanted.words)
            now = time.time_ns() // 1_000_000
            outcome = self.store.write([Append(STREAM, self.people.version, now, (wanted,))])[0]
            self._catch_up()
            if isinstance(outcome, Appended):
                return
        raise OfficeError("somebody else writes all the time; try again")

    @staticmethod
    def _role(text: str) -> Role:
        if text not in ROLES:
            raise OfficeError(f"no role {text!r}; there are {', '.join(ROLES)}")
        return text

    def _known(self, name: str) -> str:
        account = self.people.find(name)
        if account is None:
            raise OfficeError(f"nobody here is called {name!r}")
        return account.name

    def add(self, name: str, role: str) -> str:
        """Make an account; its password, which is kept nowhere else."""
        given = self._role(role)
        password = secrets.token_urlsafe(12)
        hashed = HASHER.hash(password)
        self._write(lambda: self.people.opened(name, given, hashed))
        return password

    def give_role(self, name: str, role: str) -> None:
        """From now on a person acts in another capacity."""
        event = RoleGiven(self._known(name), self._role(role))
        self._write(lambda: draft("operator", (event,)))

    def revoke(self, name: str) -> None:
        """End all sessions of a person."""
        event = TokensRevoked(self._known(name))
        self._write(lambda: draft("operator", (event,)))

    def listed(self) -> list[dict[str, object]]:
        """Everybody, by name."""
        found = sorted(self.people.accounts.values(), key=lambda one: one.name)
        return [{"name": one.name, "role": one.role, "guest": one.guest} for one in found]

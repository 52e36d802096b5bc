"""Accounts managed directly on the store, without a server: for the command line."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from hashlib import sha256

from pontoon.server.operation.policy import Policy, changes, policy_text
from pontoon.server.people.accounts import HASHER
from pontoon.server.people.people import STREAM, People, PolicySet, RoleGiven, TokensRevoked, draft
from pontoon.server.people.snapshots import open_people
from pontoon.server.problems import Problem
from pontoon.server.rooms.permits import ROLES, Role
from pontoon.store.model import Append, Appended, Draft, Store, entries_after

TRIES = 20


class AccountError(Exception):
    """The change was not made; the message is one line for the user."""


class OfflineAccounts:
    """The accounts of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.people = People()
        open_people(store, self.people)

    def _catch_up(self) -> None:
        for entry in entries_after(self.store, STREAM, self.people.version):
            self.people.apply(entry)

    def _write(self, make: Callable[[], Draft | Problem]) -> None:
        for _ in range(TRIES):
            wanted = make()
            if isinstance(wanted, Problem):
                raise AccountError(wanted.words)
            now = time.time_ns() // 1_000_000
            outcome = self.store.write([Append(STREAM, self.people.version, now, (wanted,))])[0]
            self._catch_up()
            if isinstance(outcome, Appended):
                return
        raise AccountError("another process keeps writing; try again")

    @staticmethod
    def _role(text: str) -> Role:
        if text not in ROLES:
            raise AccountError(f"no role {text!r}; available: {', '.join(ROLES)}")
        return text

    def _known(self, name: str) -> str:
        account = self.people.find(name)
        if account is None:
            raise AccountError(f"there is no account {name!r}")
        return account.name

    def add(self, name: str, role: str) -> str:
        """Create an account and return its generated password, which is not stored anywhere."""
        given = self._role(role)
        password = secrets.token_urlsafe(12)
        hashed = HASHER.hash(password)
        self._write(lambda: self.people.opened(name, given, hashed))
        return password

    def give_role(self, name: str, role: str) -> None:
        """Change a user's role."""
        event = RoleGiven(self._known(name), self._role(role))
        self._write(lambda: draft("operator", (event,)))

    def revoke(self, name: str) -> None:
        """End all sessions of a user."""
        event = TokensRevoked(self._known(name))
        self._write(lambda: draft("operator", (event,)))

    def set_policy(self, policy: Policy, *, file: bool = False) -> tuple[str, ...]:
        """Apply a policy and return the keys that changed.

        A file that the server reads at every start (`file`) changes nothing until it has changed itself: what an
        administrator set since then stays.
        """
        digest = sha256(policy_text(policy).encode()).hexdigest()[:16] if file else ""
        changed = changes(self.people.policy, policy)
        if (file and digest == self.people.record.file) or not (changed or file):
            return ()
        self._write(lambda: draft("operator", (PolicySet(policy, changed, digest),)))
        return changed

    def listed(self) -> list[dict[str, object]]:
        """All accounts, by name."""
        found = sorted(self.people.accounts.values(), key=lambda account: account.name)
        return [{"name": account.name, "role": account.role, "guest": account.guest} for account in found]

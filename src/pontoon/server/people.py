"""Accounts, roles, tokens and chips: a stream of its own, folded in memory by every process.

Passwords are kept as argon2 hashes, tokens as SHA-256; neither is ever written down as it is.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from typing import Any

import msgspec
from msgspec import Struct

from pontoon.ledger import BANK, Posting, wallet
from pontoon.server.permits import Role
from pontoon.server.problems import Problem, problem
from pontoon.server.wire import family, one_of
from pontoon.store.model import Draft, Entry

STREAM = "people"
FIRST_CHIPS = 100_000
"""Play chips a new player is given, in cents."""
LEAST_CHIPS = 1_000
"""Whoever has less may ask for new ones."""
TOKEN_DAYS = 30
MOST_TOKENS = 20
"""How many tokens one person has at a time; the oldest goes first."""
LONGEST_NAME = 32
RESERVED = frozenset({"dealer", "clock", "house", "bank", "bot", "program", "nobody", "server", "operator", "steward"})

_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that are not seen: with one of them a name would look like another's, or like nothing."""


class PeopleEvent(Struct, frozen=True, tag=True, omit_defaults=True):
    """Anything that happened to people."""


class AccountOpened(PeopleEvent, frozen=True):
    """Somebody has a name here; a guest has no password."""

    name: str
    role: Role = "player"
    password: str = ""


class PasswordSet(PeopleEvent, frozen=True):
    """A password was set or changed."""

    name: str
    password: str


class RoleGiven(PeopleEvent, frozen=True):
    """A person acts in another capacity from now on."""

    name: str
    role: Role


class TokenGiven(PeopleEvent, frozen=True):
    """Somebody signed in."""

    name: str
    token: str
    until: int


class TokensRevoked(PeopleEvent, frozen=True):
    """These tokens are worth nothing any more; without any, all of the person's."""

    name: str
    tokens: tuple[str, ...] = ()


class ChipsGiven(PeopleEvent, frozen=True):
    """Play chips were handed out."""

    name: str
    amount: int


_WRITER = msgspec.json.Encoder()
_READER: Any = msgspec.json.Decoder(tuple[one_of(family(PeopleEvent)), ...])  # type: ignore[misc] # made at run time


class Account(Struct):
    """What is known of a person."""

    name: str
    role: Role
    password: str = ""
    tokens: dict[str, int] = {}
    """Until when each token is good."""

    @property
    def guest(self) -> bool:
        """Without a password nobody can come back but with the token."""
        return not self.password


def token_hash(token: str) -> str:
    """A token as it is kept."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def new_token() -> str:
    """An opaque token: 256 bits nobody can guess."""
    return secrets.token_urlsafe(32)


def folded(name: str) -> str:
    """Names that look alike are alike."""
    return unicodedata.normalize("NFKC", name).casefold()


def clean_name(given: str) -> str | Problem:
    """A name as it is shown to others, or what is wrong with it.

    >>> clean_name("  Ann  O'Neil ")
    "Ann O'Neil"
    >>> clean_name("<script>").words
    "a name has letters, digits, spaces and - _ . ' only"
    """
    name = " ".join(unicodedata.normalize("NFC", given).split())
    if not 1 <= len(name) <= LONGEST_NAME:
        return problem("malformed", detail=f"a name has 1 to {LONGEST_NAME} characters")
    if not all(unicodedata.category(one)[0] in "LMN" or one in " -_.'" for one in name) or _UNSEEN.search(name):
        return problem("malformed", detail="a name has letters, digits, spaces and - _ . ' only")
    first = folded(name).split(" ")[0]
    return problem("name_taken", name=name) if first in RESERVED else name


class People:
    """Everybody, as the stream tells."""

    def __init__(self) -> None:
        self.version = 0
        self.accounts: dict[str, Account] = {}
        """By folded name."""
        self.tokens: dict[str, str] = {}
        """Whose a token is, by its hash."""

    # --- following ---

    def follow(self, entry: Entry) -> set[str]:
        """One more entry; the hashes of tokens that are worth nothing any more."""
        assert entry.version == self.version + 1, (entry.version, self.version)
        gone: set[str] = set()
        for event in _READER.decode(entry.body):
            gone |= self._follow(event)
        self.version = entry.version
        return gone

    def _follow(self, event: PeopleEvent) -> set[str]:
        match event:
            case AccountOpened(name=name, role=role, password=password):
                self.accounts[folded(name)] = Account(name, role, password, {})
            case PasswordSet(name=name, password=password):
                self.accounts[folded(name)].password = password
            case RoleGiven(name=name, role=role):
                self.accounts[folded(name)].role = role
            case TokenGiven(name=name, token=token, until=until):
                return self._give_token(name, token, until)
            case TokensRevoked(name=name, tokens=tokens):
                return self._revoke(name, tokens)
            case _:
                pass
        return set()

    def _give_token(self, name: str, token: str, until: int) -> set[str]:
        account = self.accounts[folded(name)]
        account.tokens[token] = until
        self.tokens[token] = account.name
        oldest = sorted(account.tokens, key=account.tokens.__getitem__)[:-MOST_TOKENS]
        return self._revoke(name, tuple(oldest)) if oldest else set()

    def _revoke(self, name: str, tokens: tuple[str, ...]) -> set[str]:
        account = self.accounts[folded(name)]
        gone = set(tokens or account.tokens)
        for token in gone:
            account.tokens.pop(token, None)
            self.tokens.pop(token, None)
        return gone

    # --- asking ---

    def find(self, name: str) -> Account | None:
        """The account of a person."""
        return self.accounts.get(folded(name))

    def holder(self, token: str, at: int) -> Account | None:
        """Whose a token is, while it is good."""
        hashed = token_hash(token)
        name = self.tokens.get(hashed)
        account = self.find(name) if name is not None else None
        return account if account is not None and account.tokens[hashed] > at else None

    # --- what would be written ---

    def opened(self, given: str, role: Role = "player", password: str = "", *, guest: bool = False) -> Draft | Problem:
        """A new account with its first chips; a guest whose name is taken gets a number behind it."""
        name = clean_name(given)
        if isinstance(name, Problem):
            return name
        if self.find(name) is not None:
            if not guest:
                return problem("name_taken", name=name)
            name = next(one for number in range(2, 1_000_000) if not self.find(one := f"{name} {number}"))
        events = (AccountOpened(name, role, password), ChipsGiven(name, FIRST_CHIPS))
        return draft(name, events)


def draft(by: str, events: tuple[PeopleEvent, ...]) -> Draft:
    """An entry for the people's stream; chips come from the bank."""
    moved = [
        part
        for one in events
        if isinstance(one, ChipsGiven)
        for part in (Posting(BANK, -one.amount), Posting(wallet(one.name), one.amount))
    ]
    return Draft(by, _WRITER.encode(events), postings=tuple(moved))


def opened_name(entry: Entry) -> str:
    """Whose account an entry opened."""
    first = _READER.decode(entry.body)[0]
    assert isinstance(first, AccountOpened)
    return first.name

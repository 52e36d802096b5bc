"""Accounts, roles, tokens and chips: a separate stream, folded in memory by every process.

Passwords are kept as argon2 hashes, tokens as SHA-256; neither is ever stored in the clear.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pontoon.ledger import BANK, Posting, practice, practice_bank, wallet
from pontoon.server.operation.policy import Policy
from pontoon.server.problems import Problem, problem
from pontoon.server.rooms.permits import Role
from pontoon.server.wire import family, one_of
from pontoon.store.model import Draft, Entry

STREAM = "people"
FIRST_CHIPS = 100_000
"""Practice chips a player is given, in cents; the house policy says how many play chips."""
LEAST_CHIPS = 1_000
"""Players with less than this may ask for new chips."""
TOKEN_DAYS = 30
MOST_TOKENS = 20
"""Maximum number of tokens per person; the oldest is dropped first."""
LONGEST_NAME = 32
RESERVED = frozenset(
    [
        "admin",
        "administrator",
        "anonymous",
        "bank",
        "bot",
        "casino",
        "clock",
        "dealer",
        "demo",
        "demonstration",
        "director",
        "house",
        "inspector",
        "moderator",
        "nobody",
        "official",
        "operator",
        "pontoon",
        "program",
        "root",
        "seat",
        "server",
        "staff",
        "steward",
        "supervisor",
        "support",
        "system",
    ]
)
"""First words of names that would pass for the house, the program, an official, or (Seat 1 to Seat 7) a walk-up."""

_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Invisible characters, with which a name could look like another one or empty."""


class PeopleEvent(Struct, frozen=True, tag=True, omit_defaults=True):
    """Anything that happened to people."""


class AccountOpened(PeopleEvent, frozen=True):
    """An account was created; a guest has no password."""

    name: str
    role: Role = "player"
    password: str = ""


class PasswordSet(PeopleEvent, frozen=True):
    """A password was set or changed."""

    name: str
    password: str


class RoleGiven(PeopleEvent, frozen=True):
    """The person's role changed."""

    name: str
    role: Role


class TokenGiven(PeopleEvent, frozen=True):
    """A user signed in."""

    name: str
    token: str
    until: int


class TokensRevoked(PeopleEvent, frozen=True):
    """These tokens were revoked; if none are named, all of the person's."""

    name: str
    tokens: tuple[str, ...] = ()


class AccountSuspended(PeopleEvent, frozen=True):
    """The account was suspended: its sessions have ended, and signing in is not allowed until it is restored."""

    name: str
    reason: str = ""


class AccountRestored(PeopleEvent, frozen=True):
    """The account may be used again."""

    name: str


class LinkGiven(PeopleEvent, frozen=True):
    """The person may set a password once with this link, of which only the hash is recorded."""

    name: str
    link: str
    until: int


class ChipsGiven(PeopleEvent, frozen=True):
    """Play chips were handed out, or practice chips."""

    name: str
    amount: int
    practice: bool = False


class PolicySet(PeopleEvent, frozen=True):
    """The house policy changed."""

    policy: Policy
    changed: tuple[str, ...] = ()
    """The keys whose values are new."""
    file: str = ""
    """The digest of the file that `pontoon serve --policy` read; empty if it came another way."""
    name: str = "house policy"
    """What the audit trail calls it."""


class TableArchived(PeopleEvent, frozen=True):
    """A table left the lobby, or came back to it."""

    name: str
    """Name of the table."""
    archived: bool = True


_WRITER = msgspec.json.Encoder()
_READER: Any = msgspec.json.Decoder(tuple[one_of(family(PeopleEvent)), ...])  # type: ignore[misc] # made at run time


class Account(Struct):
    """A person's account."""

    name: str
    role: Role
    password: str = ""
    tokens: dict[str, int] = {}
    """Expiry time of each token."""
    suspended: bool = False
    link: tuple[str, int] | None = None
    """The hash of a link to set a password, and until when it is good."""
    topped_up: int = 0
    """When the person asked for new chips last; 0 for never."""
    seen: int = 0
    """When the person signed in last; 0 for never."""

    @property
    def guest(self) -> bool:
        """Without a password, only the token lets a guest return."""
        return not self.password


class HouseRecord(Struct, frozen=True):
    """What is recorded of the house itself."""

    policy: Policy = Policy()
    at: int = 0
    """When the policy was changed last, and by whom."""
    by: str = ""
    file: str = ""
    """The digest of the policy file that was applied last."""
    archived: frozenset[str] = frozenset()


def token_hash(token: str) -> str:
    """The stored hash of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def new_token() -> str:
    """An opaque token: 256 bits nobody can guess."""
    return secrets.token_urlsafe(32)


LOOKALIKE = frozenset(("LATIN", "GREEK", "CYRILLIC", "COPTIC", "CHEROKEE", "ARMENIAN", "LISU"))
"""Alphabets with letters that look alike, as their names in Unicode begin."""


def folded(name: str) -> str:
    """The form in which names are compared, so that two that look alike are equal."""
    return unicodedata.normalize("NFKC", name).casefold()


def clean_name(given: str) -> str | Problem:
    """A name in its displayed form, or the problem with it.

    >>> clean_name("  Ann  O'Neil ")
    "Ann O'Neil"
    >>> clean_name("<script>").words
    "a name has letters, digits, spaces and - _ . ' only"
    """
    name = " ".join(unicodedata.normalize("NFC", given).split())
    if not 1 <= len(name) <= LONGEST_NAME:
        return problem("malformed", detail=f"a name has 1 to {LONGEST_NAME} characters")
    if not all(unicodedata.category(letter)[0] in "LMN" or letter in " -_.'" for letter in name) or _UNSEEN.search(
        name
    ):
        return problem("malformed", detail="a name has letters, digits, spaces and - _ . ' only")
    if any(len(_alphabets(word)) > 1 for word in name.split(" ")):
        return problem("malformed", detail="a word in a name may not mix alphabets")
    first = folded(name).split(" ")[0]
    return problem("name_taken", name=name) if first in RESERVED else name


def _alphabets(word: str) -> set[str]:
    """Which of the alphabets that share shapes of letters a word uses: one that mixes them looks like another's name.

    >>> sorted(_alphabets("R\N{CYRILLIC SMALL LETTER U}th")), _alphabets("Zoë")
    (['CYRILLIC', 'LATIN'], {'LATIN'})
    """
    return {unicodedata.name(letter, "").split(" ")[0] for letter in word} & LOOKALIKE


class People:
    """All accounts, folded from their stream."""

    def __init__(self) -> None:
        self.version = 0
        self.hash = ""
        """The hash of the last entry."""
        self.accounts: dict[str, Account] = {}
        """By folded name."""
        self.tokens: dict[str, str] = {}
        """The owner of each token, by its hash."""
        self.record = HouseRecord()

    @property
    def policy(self) -> Policy:
        """The house policy in force."""
        return self.record.policy

    @property
    def archived(self) -> frozenset[str]:
        """The tables that an administrator took out of the lobby."""
        return self.record.archived

    # --- following ---

    def apply(self, entry: Entry) -> set[str]:
        """Apply one entry; returns the hashes of revoked tokens."""
        assert entry.version == self.version + 1, (entry.version, self.version)
        gone: set[str] = set()
        for event in _READER.decode(entry.body):
            gone |= self._apply(event)
            self._apply_time(event, entry)
        self.version, self.hash = entry.version, entry.hash
        return gone

    def restore(self, accounts: tuple[Account, ...], record: HouseRecord, version: int, hashed: str) -> None:
        """Continue from the accounts and the house as they were after an entry."""
        self.record = record
        self.accounts = {folded(account.name): account for account in accounts}
        self.tokens = {token: account.name for account in accounts for token in account.tokens}
        self.version, self.hash = version, hashed

    def _apply(self, event: PeopleEvent) -> set[str]:
        match event:
            case AccountOpened(name=name, role=role, password=password):
                self.accounts[folded(name)] = Account(name, role, password, {})
            case PasswordSet(name=name, password=password):
                self.accounts[folded(name)].password = password
                self.accounts[folded(name)].link = None
            case LinkGiven(name=name, link=link, until=until):
                self.accounts[folded(name)].link = (link, until)
            case RoleGiven(name=name, role=role):
                self.accounts[folded(name)].role = role
            case TokenGiven(name=name, token=token, until=until):
                return self._give_token(name, token, until)
            case TokensRevoked(name=name, tokens=tokens):
                return self._revoke(name, tokens)
            case AccountSuspended(name=name):
                self.accounts[folded(name)].suspended = True
                return self._revoke(name, ())
            case AccountRestored(name=name):
                self.accounts[folded(name)].suspended = False
            case TableArchived(name=name, archived=archived):
                tables = self.archived | {name} if archived else self.archived - {name}
                self.record = replace(self.record, archived=tables)
            case _:
                pass
        return set()

    def _apply_time(self, event: PeopleEvent, entry: Entry) -> None:
        """Events of which the time or the author matters."""
        match event:
            case PolicySet(policy=policy, file=file):
                file = file or self.record.file
                self.record = replace(self.record, policy=policy, at=entry.at, by=entry.by, file=file)
            case ChipsGiven(name=name, practice=False) if folded(name) in self.accounts:
                account = self.accounts[folded(name)]
                if account.seen and entry.by == name:  # neither the first chips nor those of an administrator
                    account.topped_up = entry.at
            case TokenGiven(name=name):
                self.accounts[folded(name)].seen = entry.at
            case _:
                pass

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
        """The owner of a valid token."""
        hashed = token_hash(token)
        name = self.tokens.get(hashed)
        account = self.find(name) if name is not None else None
        return account if account is not None and account.tokens[hashed] > at else None

    def linked(self, link: str, at: int) -> Account | None:
        """The person to whom a link with this hash was given, if it is still valid."""
        found = (known for known in self.accounts.values() if known.link is not None and known.link[0] == link)
        account = next(found, None)
        return account if account is not None and account.link is not None and account.link[1] > at else None

    # --- what would be written ---

    def opened(self, given: str, role: Role = "player", password: str = "", *, guest: bool = False) -> Draft | Problem:
        """A new account with its first chips; a guest whose name is taken gets a number appended."""
        name = clean_name(given)
        if isinstance(name, Problem):
            return name
        if self.find(name) is not None:
            if not guest:
                return problem("name_taken", name=name)
            name = next(one for number in range(2, 1_000_000) if not self.find(one := f"{name} {number}"))
        events = (AccountOpened(name, role, password), ChipsGiven(name, self.policy.first_chips))
        return draft(name, events)


def draft(by: str, events: tuple[PeopleEvent, ...]) -> Draft:
    """An entry for the people's stream; chips come from the bank."""
    moved = [part for event in events if isinstance(event, ChipsGiven) for part in _given(event)]
    return Draft(by, _WRITER.encode(events), postings=tuple(moved))


def _given(event: ChipsGiven) -> tuple[Posting, Posting]:
    bank, purse = (practice_bank, practice) if event.practice else (lambda _: BANK, wallet)
    return Posting(bank(event.name), -event.amount), Posting(purse(event.name), event.amount)


def people_events(entry: Entry) -> tuple[Any, ...]:
    """The events in an entry of the people's stream; each has a name."""
    found: tuple[Any, ...] = _READER.decode(entry.body)
    return found


def opened_name(entry: Entry) -> str:
    """The account created by an entry."""
    first = _READER.decode(entry.body)[0]
    assert isinstance(first, AccountOpened)
    return first.name

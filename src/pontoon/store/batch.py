"""Decide the outcome of each append of a batch, in the same way for memory, SQLite and PostgreSQL.

The SQL stores read the rows that the batch touches under its locks and decide here; the statement that debits an
account checks the balance again, so that no mistake here can take a wallet below zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pontoon.store.model import (
    FLOORED,
    NOTHING,
    Append,
    Appended,
    Conflict,
    Draft,
    Entry,
    LeaseLost,
    NotEnough,
    Outcome,
    Repeated,
    entries_of,
)

Key = tuple[str, str, str]
"""A stream, the actor, and the sender's key for the command."""

LARGEST = 2**53
"""The largest amount: every part of the program, including a browser, represents it exactly."""

LONGEST = 1000
"""Maximum characters in a name; PostgreSQL limits notifications and index keys."""


class Tip(Struct, frozen=True):
    """The last entry of a stream, which the next one follows."""

    version: int
    at: int
    hash: str


NO_ENTRY = Tip(0, 0, NOTHING)


class Move(Struct):
    """The effect of a batch on one account: the sum, and the lowest intermediate sum."""

    total: int = 0
    lowest: int = 0


class Standing(Struct, frozen=True):
    """The state before the batch, at least for everything the batch touches."""

    tips: Mapping[str, Tip]
    epochs: Mapping[str, int]
    """Epochs of the leased streams."""
    keys: Mapping[Key, Entry]
    balances: Mapping[str, int]


class Batch:
    """The appends of one transaction, decided in order, each on top of the previous ones."""

    def __init__(self, standing: Standing) -> None:
        self.standing = standing
        self.entries: list[Entry] = []
        self.tips: dict[str, Tip] = {}
        self.moves: dict[str, Move] = {}
        self._keys: dict[Key, Entry] = {}

    @property
    def versions(self) -> dict[str, int]:
        """The new versions of the written streams, for waiting readers."""
        return {stream: tip.version for stream, tip in self.tips.items()}

    def decide(self, append: Append) -> Outcome:
        """Accept the append, or return why it is refused."""
        epoch = self.standing.epochs.get(append.stream, 0)
        if append.epoch != epoch:
            return LeaseLost(epoch)
        repeated = self._repeated(append)
        if repeated is not None:
            return Repeated(repeated)
        tip = self.tips.get(append.stream) or self.standing.tips.get(append.stream, NO_ENTRY)
        if append.expected != tip.version:
            return Conflict(tip.version)
        moves: dict[str, Move] = {}
        for draft in append.drafts:
            short = self._short(draft, moves)
            if short:
                return NotEnough(short)
        return self._take(append, tip, moves)

    def _repeated(self, append: Append) -> Entry | None:
        for draft in append.drafts:
            if draft.key:
                key = (append.stream, draft.by, draft.key)
                entry = self._keys.get(key) or self.standing.keys.get(key)
                if entry is not None:
                    return entry
        return None

    def _short(self, draft: Draft, moves: dict[str, Move]) -> str:
        """Add a draft's net postings to the moves; return the account that would go below zero, or an empty string."""
        for account, amount in netted(draft).items():
            move = moves.setdefault(account, Move())
            move.total += amount
            move.lowest = min(move.lowest, move.total)
            if amount < 0 and account.startswith(FLOORED) and self._balance(account) + move.total < 0:
                return account
        return ""

    def _balance(self, account: str) -> int:
        move = self.moves.get(account)
        return self.standing.balances.get(account, 0) + (move.total if move else 0)

    def _take(self, append: Append, tip: Tip, moves: dict[str, Move]) -> Appended:
        if append.at < tip.at:  # the clock may have been set back
            append = replace(append, at=tip.at)
        entries = entries_of(append, tip.hash)
        self.entries += entries
        self.tips[append.stream] = Tip(entries[-1].version, append.at, entries[-1].hash)
        for entry in entries:
            if entry.key:
                self._keys[entry.stream, entry.by, entry.key] = entry
        for account, move in moves.items():
            before = self.moves.setdefault(account, Move())
            before.lowest = min(before.lowest, before.total + move.lowest)
            before.total += move.total
        return Appended(entries)


def netted(draft: Draft) -> dict[str, int]:
    """The net amount per account of a draft's postings.

    >>> from pontoon.ledger import Posting
    >>> netted(Draft("Ann", b"", postings=(Posting("a", -5), Posting("b", 3), Posting("a", 2))))
    {'a': -3, 'b': 3}
    """
    sums: dict[str, int] = {}
    for posting in draft.postings:
        sums[posting.account] = sums.get(posting.account, 0) + posting.amount
    return sums


# --- what a writer must not send -----------------------------------------------------------------------


def check(appends: Sequence[Append]) -> None:
    """Raise ValueError for appends that no writer may send, which stores would otherwise treat differently."""
    for append in appends:
        if not append.stream or not append.drafts:
            raise ValueError(f"an append needs a stream and drafts: {append}")
        _check_words((append.stream,))
        keys = [(draft.by, draft.key) for draft in append.drafts if draft.key]
        if len(set(keys)) != len(keys):
            raise ValueError(f"two drafts of one append have the same key: {keys}")
        for draft in append.drafts:
            _check_draft(draft)


def _check_draft(draft: Draft) -> None:
    _check_words((draft.by, draft.key, *draft.marks))
    _check_words(posting.account for posting in draft.postings)
    if sum(posting.amount for posting in draft.postings):
        raise ValueError(f"postings do not sum to zero: {draft.postings}")
    if any(abs(posting.amount) > LARGEST for posting in draft.postings):
        raise ValueError(f"an amount is too large: {draft.postings}")
    if len(set(draft.marks)) != len(draft.marks):
        raise ValueError(f"a mark is given twice: {draft.marks}")


def _check_words(words: Iterable[str]) -> None:
    for word in words:
        if "\0" in word or len(word) > LONGEST:
            raise ValueError(f"not a valid name: {word[:50]!r}")

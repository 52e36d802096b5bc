"""A process's cache of the streams it writes, so that it need not query them before each batch.

Only PostgreSQL needs it, because of its round trips. The cache may be out of date: the statement that writes checks
every cached value, and if one differs nothing is written and the store is queried.
"""

from __future__ import annotations

from collections.abc import Sequence

from pontoon.store.batch import Batch, Standing, Tip
from pontoon.store.model import Append, Appended, Outcome

PLENTY = 2**60
"""The balance assumed for a cached account; the debit itself checks the real one."""
MOST = 200_000
"""Maximum number of cached names; beyond it the cache is cleared."""


class TipCache:
    """The last entries of streams, and the accounts known to exist (none is ever deleted)."""

    def __init__(self) -> None:
        self._tips: dict[str, Tip] = {}
        self._accounts: set[str] = set()

    def predict(self, appends: Sequence[Append]) -> tuple[Batch, list[Outcome]] | None:
        """The batch if no other process has written; None if a value is not cached or an append would be refused."""
        accounts = {posting.account for append in appends for draft in append.drafts for posting in draft.postings}
        if not accounts <= self._accounts or any(append.stream not in self._tips for append in appends):
            return None
        tips = {append.stream: self._tips[append.stream] for append in appends}
        epochs = {append.stream: append.epoch for append in appends}
        batch = Batch(Standing(tips, epochs, {}, dict.fromkeys(accounts, PLENTY)))
        outcomes = [batch.decide(append) for append in appends]
        return (batch, outcomes) if all(isinstance(outcome, Appended) for outcome in outcomes) else None

    def invalidate(self, batch: Batch) -> None:
        """Drop the streams of a batch that is being written and may be refused."""
        for stream in batch.tips:
            self._tips.pop(stream, None)

    def update(self, batch: Batch) -> None:
        """Store the tips and accounts of a batch that was written."""
        if len(self._tips) + len(self._accounts) > MOST:
            self._tips.clear()
            self._accounts.clear()
        self._tips.update(batch.tips)
        self._accounts.update(batch.moves)

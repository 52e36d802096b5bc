"""What a process remembers of the streams it writes, so that it need not ask before each batch.

Only PostgreSQL is far enough away for that to matter. What is remembered may be old: the statement that writes checks
every bit of it, and where it finds otherwise nothing is written and the store is asked after all.
"""

from __future__ import annotations

from collections.abc import Sequence

from pontoon.store.batch import Batch, Standing, Tip
from pontoon.store.model import Append, Appended, Outcome

PLENTY = 2**60
"""What a remembered account is taken to hold: whether it has enough is seen when it pays."""
MOST = 200_000
"""Names to remember; then all are forgotten and learned again."""


class Remembered:
    """The last entries of streams, and accounts that exist (none is ever deleted)."""

    def __init__(self) -> None:
        self._tips: dict[str, Tip] = {}
        self._accounts: set[str] = set()

    def guess(self, appends: Sequence[Append]) -> tuple[Batch, list[Outcome]] | None:
        """The batch as it is if nobody else came between; None where that is not known or not all would be taken."""
        accounts = {one.account for append in appends for draft in append.drafts for one in draft.postings}
        if not accounts <= self._accounts or any(append.stream not in self._tips for append in appends):
            return None
        tips = {append.stream: self._tips[append.stream] for append in appends}
        epochs = {append.stream: append.epoch for append in appends}
        batch = Batch(Standing(tips, epochs, {}, dict.fromkeys(accounts, PLENTY)))
        outcomes = [batch.decide(append) for append in appends]
        return (batch, outcomes) if all(isinstance(one, Appended) for one in outcomes) else None

    def forget(self, batch: Batch) -> None:
        """A batch is on its way, and may be refused: its streams may not be what they were."""
        for stream in batch.tips:
            self._tips.pop(stream, None)

    def learn(self, batch: Batch) -> None:
        """A batch was written."""
        if len(self._tips) + len(self._accounts) > MOST:
            self._tips.clear()
            self._accounts.clear()
        self._tips.update(batch.tips)
        self._accounts.update(batch.moves)

"""The whole log verified while the server runs: chains, postings and balances as of the start, at a bounded rate.

At the start the heads and balances are noted; then every stream is read page by page up to its noted head. No long
transaction is held, so the write-ahead log does not grow meanwhile.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator

from pontoon.server.operation.logs import event
from pontoon.server.operation.metrics import VERIFIED
from pontoon.server.people.people import STREAM as PEOPLE
from pontoon.server.people.snapshots import SnapshotCheck
from pontoon.store.auditable import AuditableStore
from pontoon.store.model import NOTHING, Entry, Head, StoreError, entry_hash

RATE = 5000.0
"""Entries a second: about a tenth of one core."""
PAGE = 200


class Verification:
    """The progress of one verification."""

    def __init__(self, store: AuditableStore, rate: float = RATE) -> None:
        """Record what the log holds now; `run` verifies it."""
        self.store = store
        self.rate = rate
        self.fault = ""
        self.verified = 0
        self.complete = False
        self.closing = False
        self._heads: list[Head] = []
        self._balances: dict[str, int] = {}
        self.entries = 0

    def begin(self) -> None:
        """Note heads and balances as of one moment: another process may be writing."""
        with self.store.snapshot() as rows:
            self._heads = [Head(stream, version, name) for stream, version, _, name in rows("heads")]
            self._balances = {account: balance for account, balance, _ in rows("accounts")}
        self.entries = sum(head.version for head in self._heads)

    def done(self) -> None:
        """All of it was verified before."""
        self.begin()
        self.verified, self.complete = self.entries, True

    def run(self, pause: Callable[[float], None] = time.sleep) -> None:
        """Verify everything, in a thread; what is wrong is in `fault`."""
        began = time.monotonic()
        try:
            self.fault = next(self._faults(began, pause), "")
        except StoreError as error:
            self.fault = "" if self.closing else str(error)
        if self.fault:
            event("log_damaged", why=self.fault)
        elif not self.closing:
            self.complete = True
            event("verified", entries=self.verified, seconds=round(time.monotonic() - began, 1))

    def _faults(self, began: float, pause: Callable[[float], None]) -> Iterator[str]:
        totals: Counter[str] = Counter()
        accounts = SnapshotCheck(self.store)
        for head in self._heads:
            before, version = NOTHING, 0
            while version < head.version:
                if self.closing:
                    return
                page = self.store.read(head.stream, version, min(PAGE, head.version - version))
                if not page:
                    yield f"{head.stream} entry {version + 1} is missing"
                    return
                for entry in page:
                    wrong = _wrong(entry, version, before) or (accounts.fault(entry) if head.stream == PEOPLE else "")
                    if wrong:
                        yield f"{head.stream} entry {entry.version}: {wrong}"
                        return
                    for posting in entry.postings:
                        totals[posting.account] += posting.amount
                    before, version = entry.hash, entry.version
                self.verified += len(page)
                VERIFIED.set(self.verified)
                pause(max(0.0, began + self.verified / self.rate - time.monotonic()))
            if before != head.hash:
                yield f"{head.stream} entry {version}: the head of the stream is another one"
                return
        yield from self._unbalanced(totals)

    def _unbalanced(self, totals: Counter[str]) -> Iterator[str]:
        for account in sorted(self._balances.keys() | totals.keys()):
            balance = self._balances.get(account, 0)
            if balance != totals[account]:
                yield f"account {account}: balance {balance}, but postings sum to {totals[account]}"


def _wrong(entry: Entry, version: int, before: str) -> str:
    """What is wrong with an entry, given the previous one; empty for nothing."""
    if entry.version != version + 1:
        return f"missing; after version {version} comes {entry.version}"
    if sum(posting.amount for posting in entry.postings):
        return "the postings do not sum to zero"
    return "" if entry_hash(before, entry) == entry.hash else "the hash does not match the contents"

"""The postings of one person's accounts, newest first: read from the log, so that they add up to the balance."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from pontoon.ledger import wallet
from pontoon.store.model import Store

PAGE = 50
TRIES = 3
"""How often a page is read again because the wallet moved meanwhile."""


class WalletLine(Struct, frozen=True):
    """What one entry of the log moved into or out of a wallet, in cents."""

    at: int
    stream: str
    """Where it was written: `people`, `table/…` or `tournament/…`."""
    version: int
    by: str
    amount: int
    balance: int
    """The wallet after it."""


def wallet_lines(store: Store, name: str, skip: int, limit: int) -> list[WalletLine]:
    """A page of the postings of a wallet, newest first; the cost depends on the page and the number of streams."""
    account = wallet(name)
    for _ in range(TRIES):
        balance = before = store.balance(account)
        streams = store.wallet_streams(account)
        newest = heapq.merge(*(_newest(store, account, stream) for stream in streams), key=lambda line: -line.at)
        page: list[WalletLine] = []
        for line in islice(newest, skip + limit):
            page.append(WalletLine(line.at, line.stream, line.version, line.by, line.amount, balance))
            balance -= line.amount
        if store.balance(account) == before:  # otherwise it moved meanwhile
            break
    return page[skip:]


def _newest(store: Store, account: str, stream: str) -> Iterator[WalletLine]:
    """The lines of one stream, newest first; an entry is read when its turn comes."""
    before, size = 2**62, 1
    while lines := store.wallet_moves(account, stream, before, size):
        for version, amount in lines:
            entry = store.read(stream, version - 1, 1)[0]
            yield WalletLine(entry.at, stream, version, entry.by, amount, 0)
        before, size = lines[-1][0], PAGE

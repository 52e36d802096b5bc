"""The postings of table events: those of the rounds, and the reversals for voids and reconstructions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pontoon.ledger.postings import HOUSE, Posting, escrow, postings, wallet
from pontoon.table import events as t


def receivable(player: str) -> str:
    """The account of what a departed player owes the house; negative while the debt is open."""
    return f"receivable/{player}"


def table_postings(event: t.TableEvent) -> tuple[Posting, ...]:
    """The postings of one table event; they sum to zero.

    >>> table_postings(t.AmountOwed((), "Ann", 1500))
    (Posting(account='receivable/Ann', amount=-1500), Posting(account='wallet/Ann', amount=1500))
    """
    match event:
        case t.InRound(event=inner):
            return postings(inner)
        case t.EarlierRoundVoided(returns=returns):
            return tuple(part for player, amount in returns for part in _pair(HOUSE, wallet(player), amount))
        case t.DisputeDecided(player=player, amount=amount):
            return _pair(HOUSE, wallet(player), amount)
        case t.AmountOwed(player=player, amount=amount):
            return _pair(receivable(player), wallet(player), amount)
        case t.RoundReconstructed(returns=moved):
            return tuple(part for player, box, back, held in moved for part in _undone(player, box, back, held))
        case _:
            return ()


def _pair(source: str, target: str, amount: int) -> tuple[Posting, ...]:
    return (Posting(source, -amount), Posting(target, amount)) if amount else ()


def _undone(player: str, box: int, back: int, held: int) -> tuple[Posting, ...]:
    """Return chips to the wallet and the escrow; the house pays or receives the difference."""
    parts = (Posting(wallet(player), back), Posting(escrow(box, player), held), Posting(HOUSE, -back - held))
    return tuple(part for part in parts if part.amount)


def table_balances(events: Iterable[t.TableEvent]) -> Counter[str]:
    """The balance of every account at a table: a fold over its events."""
    totals: Counter[str] = Counter()
    for event in events:
        for posting in table_postings(event):
            totals[posting.account] += posting.amount
    return totals


def at_table(table: str, moved: Iterable[Posting]) -> tuple[Posting, ...]:
    """The same postings for one of many tables: each table has separate accounts for its boxes.

    >>> at_table("7", (Posting("wallet/Ann", -500), Posting("escrow/1/Ann", 500)))
    (Posting(account='wallet/Ann', amount=-500), Posting(account='escrow/7/1/Ann', amount=500))
    """
    return tuple(Posting(_named(table, posting.account), posting.amount) for posting in moved)


def _named(table: str, account: str) -> str:
    kind, _, rest = account.partition("/")
    if account == HOUSE:
        return f"{HOUSE}/{table}"
    return f"escrow/{table}/{rest}" if kind == "escrow" else account


def netted(moved: Iterable[Posting]) -> tuple[Posting, ...]:
    """One posting per account, omitting those that sum to zero.

    >>> netted([Posting("a", 5), Posting("b", -5), Posting("a", -5), Posting("b", 5)])
    ()
    """
    totals: Counter[str] = Counter()
    for posting in moved:
        totals[posting.account] += posting.amount
    return tuple(Posting(account, amount) for account, amount in sorted(totals.items()) if amount)

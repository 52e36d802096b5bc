"""Double entry: events become postings that sum to zero; balances are a fold."""

from pontoon.ledger.postings import HOUSE, Posting, balances, escrow, postings, wallet
from pontoon.ledger.table_postings import receivable, table_balances, table_postings

__all__ = [
    "HOUSE",
    "Posting",
    "balances",
    "escrow",
    "postings",
    "receivable",
    "table_balances",
    "table_postings",
    "wallet",
]

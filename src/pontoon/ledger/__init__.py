"""Double entry: events become postings that sum to zero; balances are a fold."""

from pontoon.ledger.postings import HOUSE, Posting, balances, escrow, postings, wallet
from pontoon.ledger.table_postings import at_table, netted, receivable, table_balances, table_postings

__all__ = [
    "HOUSE",
    "Posting",
    "at_table",
    "balances",
    "escrow",
    "netted",
    "postings",
    "receivable",
    "table_balances",
    "table_postings",
    "wallet",
]

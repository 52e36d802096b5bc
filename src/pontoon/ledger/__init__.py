"""Double-entry bookkeeping: events become postings that sum to zero; balances are a fold over them."""

from pontoon.ledger.postings import BANK, HOUSE, Posting, balances, escrow, postings, wallet, wallet_of
from pontoon.ledger.practice import holder_of, in_practice_chips, practice, practice_bank
from pontoon.ledger.table_postings import at_table, netted, receivable, table_balances, table_postings

__all__ = [
    "BANK",
    "HOUSE",
    "Posting",
    "at_table",
    "balances",
    "escrow",
    "holder_of",
    "in_practice_chips",
    "netted",
    "postings",
    "practice",
    "practice_bank",
    "receivable",
    "table_balances",
    "table_postings",
    "wallet",
    "wallet_of",
]

"""Double entry: events become postings that sum to zero; balances are a fold."""

from pontoon.ledger.postings import HOUSE, Posting, balances, escrow, postings, wallet

__all__ = ["HOUSE", "Posting", "balances", "escrow", "postings", "wallet"]

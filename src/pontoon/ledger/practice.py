"""Practice chips: lesson and practice tables use accounts of their own, so that they never touch a wallet."""

from __future__ import annotations

from collections.abc import Iterable

from pontoon.ledger.postings import Posting, wallet_of

_PRACTICE = "practice/"
_KINDS = {"wallet": "practice", "escrow": "practice_on", "house": "practice_house", "receivable": "practice_bank"}
"""Each kind of account and its counterpart for practice chips. A debt is forgiven: the bank hands the chips out."""


def practice(player: str) -> str:
    """The account of a player's practice chips."""
    return f"{_PRACTICE}{player}"


def practice_bank(player: str) -> str:
    """The account that issues a player's practice chips; its balance is minus the chips issued so far."""
    return f"practice_bank/{player}"


def holder_of(account: str) -> str:
    """The player whose wallet or practice chips an account holds; empty for any other account.

    >>> holder_of("wallet/Ann"), holder_of("practice/Ann"), holder_of("practice_on/7/1/Ann")
    ('Ann', 'Ann', '')
    """
    return account.removeprefix(_PRACTICE) if account.startswith(_PRACTICE) else wallet_of(account)


def in_practice_chips(moved: Iterable[Posting]) -> list[Posting]:
    """The same postings in practice chips.

    >>> in_practice_chips([Posting("wallet/Ann", -500), Posting("escrow/7/1/Ann", 500)])
    [Posting(account='practice/Ann', amount=-500), Posting(account='practice_on/7/1/Ann', amount=500)]
    """
    return [Posting(_counterpart(posting.account), posting.amount) for posting in moved]


def _counterpart(account: str) -> str:
    kind, slash, rest = account.partition("/")
    return f"{_KINDS.get(kind, kind)}{slash}{rest}"

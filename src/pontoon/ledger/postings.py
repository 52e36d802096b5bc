"""The postings of round events, in integer cents that sum to zero; chips are always in some account.

A wager moves chips from the wallet to the escrow of a box; a settlement moves them from the escrow to the wallet and
the house. After a round every escrow is zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from pontoon.engine import Event
from pontoon.engine import events as e

HOUSE = "house"
BANK = "bank"
"""The account that issues play chips: negative by the total issued."""
_WALLET = "wallet/"


class Posting(Struct, frozen=True):
    """An amount credited to an account, or debited if negative."""

    account: str
    amount: int


def wallet(player: str) -> str:
    """The account of a player's own chips."""
    return f"{_WALLET}{player}"


def wallet_of(account: str) -> str:
    """The player whose wallet an account is; empty if it is not a wallet.

    >>> wallet_of("wallet/Ann"), wallet_of("escrow/1/Ann")
    ('Ann', '')
    """
    return account.removeprefix(_WALLET) if account.startswith(_WALLET) else ""


def escrow(box: int, player: str) -> str:
    """The account of a player's chips on a box: wagers, doubles, splits, insurance, side wagers."""
    return f"escrow/{box}/{player}"


def postings(event: Event) -> tuple[Posting, ...]:
    """The postings of one event; most events move no chips.

    >>> postings(e.SplitMade(1, 1, "Ann", 500, ()))
    (Posting(account='wallet/Ann', amount=-500), Posting(account='escrow/1/Ann', amount=500))
    """
    match event:
        case (
            e.WagerPlaced(box=box, player=player, stake=amount)
            | e.SideWagerPlaced(box=box, player=player, stake=amount)
            | e.InsuranceMade(owner_box=box, player=player, amount=amount)
            | e.Doubled(box=box, player=player, amount=amount)
            | e.SplitMade(box=box, player=player, amount=amount)
            | e.SplitCovered(box=box, player=player, amount=amount)
        ):
            return _move(wallet(player), escrow(box, player), amount)
        case e.InsuranceReduced(owner_box=box, player=player, returned=amount):
            return _move(escrow(box, player), wallet(player), amount)
        case e.WagerTakenBack(box=box, player=player, stake=stake, side=side):
            return _move(escrow(box, player), wallet(player), stake + side)
        case e.Settled():
            return _settled(event)
        case e.Reversed(player=player, net=net):
            return _move(HOUSE, wallet(player), net) if net else ()
        case _:
            return ()


def _move(source: str, target: str, amount: int) -> tuple[Posting, ...]:
    """Two postings that move an amount from one account to another; a negative amount goes the other way."""
    return (Posting(source, -amount), Posting(target, amount))


def _settled(event: e.Settled) -> tuple[Posting, ...]:
    """The stake leaves the escrow, the player gets stake plus net, the house pays the net; a bonus has no stake."""
    bonus = event.kind in ("super_bonus", "envy_bonus")
    stake = 0 if bonus else event.stake
    parts = (
        Posting(escrow(event.box, event.player), -stake),
        Posting(wallet(event.player), stake + event.net),
        Posting(HOUSE, -event.net),
    )
    return tuple(part for part in parts if part.amount)


def balances(events: Iterable[Event]) -> Counter[str]:
    """The balance of every account: a fold over the events."""
    totals: Counter[str] = Counter()
    for event in events:
        for posting in postings(event):
            totals[posting.account] += posting.amount
    return totals

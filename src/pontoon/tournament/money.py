"""The postings of tournament events: money and tournament chips, each summing to zero separately.

Money moves between `wallet/NAME`, `pool/ID`, `commission/ID` and `house`; tournament chips, which cannot be exchanged
for it, between `chips/ID/NAME` and `chip_bank/ID`.
"""

from __future__ import annotations

from collections.abc import Iterable

from pontoon.ledger import HOUSE, Posting, wallet
from pontoon.tournament import events as e


def pool(tournament: str) -> str:
    """The account of the prize pool; never below zero, and empty at the end."""
    return f"pool/{tournament}"


def commission(tournament: str) -> str:
    """The account of the tournament commission."""
    return f"commission/{tournament}"


def chips(tournament: str, player: str) -> str:
    """The account of a player's tournament chips; never below zero."""
    return f"chips/{tournament}/{player}"


def bank(tournament: str) -> str:
    """The account that issues tournament chips: negative by the total issued."""
    return f"chip_bank/{tournament}"


def postings(tournament: str, event: e.TournamentEvent, *, counts: bool = True) -> tuple[Posting, ...]:
    """The postings of one event, which sum to zero; omit `counts` if the tables' postings already move the chips.

    >>> for posting in postings("7", e.Entered(("20.20",), "Ann", "", 10000, 1000)):
    ...     print(posting.account, posting.amount)
    wallet/Ann -10000
    pool/7 9000
    commission/7 1000
    """
    if isinstance(event, e.ChipsCounted) and not counts:
        return ()
    return tuple(posting for posting in _all(tournament, event) if posting.amount)


def _all(tournament: str, event: e.TournamentEvent) -> Iterable[Posting]:
    match event:
        case e.Entered() | e.SeatOffered():
            return _fee(tournament, event.player, event.fee, event.commission)
        case e.BoughtBack():
            paid = _fee(tournament, event.player, event.fee, event.commission)
            return (*paid, *issued(tournament, ((event.player, event.chips),)))
        case e.EntriesClosed(added=added):
            return (Posting(HOUSE, -added), Posting(pool(tournament), added))
        case e.PrizePaid(payment=payment):
            return (Posting(pool(tournament), -payment.amount), Posting(wallet(payment.player), payment.amount))
        case e.Cancelled():
            return _cancelled(tournament, event)
        case _:
            return issued(tournament, _moved_chips(event))


def _moved_chips(event: e.TournamentEvent) -> Iterable[tuple[str, int]]:
    """The chips that an event moves from the bank to players; negative amounts go the other way."""
    match event:
        case e.SessionStarted(issued=moved) | e.ChipsCounted(changes=moved) | e.TableEnded(restored=moved):
            return moved
        case e.SessionEnded(returned=moved) | e.PlacesAwarded(returned=moved):
            return ((player, -amount) for player, amount in moved)
        case e.Substituted():
            return ((event.player, -event.chips), (event.substitute, event.chips))
        case e.Reinstated(player=player, chips=amount) | e.ChipsCorrected(player=player, change=amount):
            return ((player, amount),)
        case e.Eliminated() | e.PositionForfeited():
            return ((event.player, -event.chips),)
        case _:
            return ()


def _fee(tournament: str, player: str, fee: int, part: int) -> tuple[Posting, ...]:
    return (
        Posting(wallet(player), -fee),
        Posting(pool(tournament), fee - part),
        Posting(commission(tournament), part),
    )


def issued(tournament: str, given: Iterable[tuple[str, int]]) -> tuple[Posting, ...]:
    """Postings of chips from the bank to players; negative amounts go the other way."""
    moved = [(player, amount) for player, amount in given if amount]
    out = sum(amount for _, amount in moved)
    return (
        *(Posting(chips(tournament, player), amount) for player, amount in moved),
        Posting(bank(tournament), -out),
    )


def returned(tournament: str, given: Iterable[tuple[str, int]]) -> tuple[Posting, ...]:
    """Postings of chips from players back to the bank."""
    return issued(tournament, ((player, -amount) for player, amount in given))


def _cancelled(tournament: str, event: e.Cancelled) -> tuple[Posting, ...]:
    """Reversals of every fee, the casino's contribution less what it makes up for, and all chips issued."""
    fees = tuple(posting for player, fee, part in event.refunds for posting in _fee(tournament, player, -fee, -part))
    back = event.added - event.made_up
    added = (Posting(HOUSE, back), Posting(pool(tournament), -back))
    return (*added, *fees, *returned(tournament, event.returned))

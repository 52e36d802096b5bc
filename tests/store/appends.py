"""Appends that tests of the store write, and a store with a bit of everything in it."""

from random import Random
from typing import Any

from pontoon.ledger import Posting
from pontoon.store import Append, Appended, Draft, Entry, Store


def move(source: str, target: str, amount: int) -> tuple[Posting, ...]:
    return (Posting(source, -amount), Posting(target, amount))


def buy(player: str, amount: int) -> Draft:
    return Draft("cashier", b"bought", postings=move("bank", f"wallet/{player}", amount), marks=(f"player:{player}",))


def bet(player: str, amount: int, key: str = "") -> Draft:
    return Draft(player, b"bet", key, move(f"wallet/{player}", f"escrow/1/{player}", amount), (f"player:{player}",))


def append(stream: str, expected: int, *drafts: Draft, at: int = 1000, epoch: int = 0) -> Append:
    return Append(stream, expected, at, drafts or (Draft("dealer", b"{}"),), epoch)


def put(store: Store, stream: str, *drafts: Draft, at: int = 1000) -> tuple[Entry, ...]:
    """Append to a stream with no other writers."""
    (outcome,) = store.write([append(stream, store.head(stream).version, *drafts, at=at)])
    assert isinstance(outcome, Appended), outcome
    return outcome.entries


def furnish(store: Store, random: Random, entries: int = 60) -> None:
    """Some tables with rounds and wallets, several roots between."""
    players = ["Ann", "Bob", "Čeněk", "d/e"]
    for player in players:
        put(store, "people", buy(player, 10_000))
    for number in range(entries):
        player, stream = random.choice(players), f"table/{random.randrange(4)}"
        drafts = (bet(player, random.randint(1, 50), f"k{number}"), note(number, random))[: random.randint(1, 2)]
        put(store, stream, *drafts, at=1000 + number)
        if number % 8 == 5:
            store.seal(2000 + number)


def note(number: int, random: Random) -> Draft:
    marks = tuple(f"round:{number + offset}" for offset in range(random.randrange(3)))
    return Draft("dealer", random.randbytes(random.randrange(20)), "", (), marks)


def kinds(outcomes: list[Any]) -> list[str]:
    return [type(outcome).__name__ for outcome in outcomes]

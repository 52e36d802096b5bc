"""Snapshots of the accounts: a start reads the entries after them, and they are what the log says."""

from __future__ import annotations

import asyncio
import zlib
from functools import partial

import pytest
from msgspec.structs import replace

from pontoon.server.house import House, Options
from pontoon.server.people import snapshots as people_snapshots
from pontoon.server.people.offline_accounts import OfflineAccounts
from pontoon.server.people.people import (
    STREAM,
    AccountSuspended,
    LinkGiven,
    PasswordSet,
    People,
    RoleGiven,
    TokenGiven,
    TokensRevoked,
)
from pontoon.server.people.snapshots import accounts_of, open_people, snapshot_fault, snapshot_of
from pontoon.server.records.verification import Verification
from pontoon.store import MemoryStore
from pontoon.store.model import Entry, entries_after

NAMES = ("Ann", "Ben", "Zoë", "Eve")


class CountingStore(MemoryStore):
    """Counts the entries that are read."""

    entries_read = 0

    def read(self, stream: str, after: int = 0, limit: int = 1000) -> list[Entry]:
        found = super().read(stream, after, limit)
        self.entries_read += len(found)
        return found


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> CountingStore:
    """A store where a house has written a snapshot of its accounts, and some entries after it."""
    monkeypatch.setattr(people_snapshots, "EVERY", 10)
    found = CountingStore()

    async def day() -> None:
        house = House(found, Options(inline=True))
        await house.start()
        for name in NAMES:
            await house.write_people(partial(People.opened, given=name))
            for number in range(3):
                await house.say_of(name, TokenGiven(name, f"{name} {number}", 2**50 + number))
        await house.say_of("Ann", TokensRevoked("Ann", ("Ann 0",)), PasswordSet("Ben", "hash"))
        await house.say_of("Ann", RoleGiven("Ann", "administrator"), AccountSuspended("Eve"), LinkGiven("Zoë", "l", 9))
        await house.write_people_snapshot()
        await house.say_of("Ann", RoleGiven("Ben", "dealer"))
        await house.close()

    asyncio.run(day())
    return found


def from_log(store: MemoryStore) -> People:
    people = People()
    for entry in entries_after(store, STREAM):
        people.apply(entry)
    return people


def state(people: People) -> tuple[object, ...]:
    return people.accounts, people.tokens, people.version, people.hash


def test_accounts_from_a_snapshot_are_those_of_the_log(store):
    store.entries_read = 0
    people = People()
    assert open_people(store, people) == people.version - 1
    assert store.entries_read == 1, "only what was written after the snapshot"
    assert state(people) == state(from_log(store))
    assert OfflineAccounts(store).listed()[0] == {"name": "Ann", "role": "administrator", "guest": True}


def test_only_the_last_snapshot_of_the_accounts_is_stored(store):
    first = store.snapshot_before(STREAM, 2**62)
    people = from_log(store)
    store.keep_snapshots([snapshot_of(accounts_of(people), people.version, people.hash)], only_last=True)
    assert store.snapshot_before(STREAM, first.version) is None
    assert open_people(store, People()) == people.version


@pytest.mark.parametrize(
    "harm", [{"hash": "f" * 64}, {"about": b"{}"}, {"body": b"x"}, {"body": zlib.compress(b"{}")}], ids=str
)
def test_a_snapshot_of_accounts_that_does_not_fit_is_discarded(store, harm):
    good = store.snapshot_before(STREAM, 2**62)
    store.keep_snapshots([replace(good, **harm)])
    people = People()
    assert open_people(store, people) == 0
    assert state(people) == state(from_log(store))


def test_a_role_in_the_snapshot_that_nobody_gave_is_found(store):
    sound = Verification(store, rate=1e9)
    sound.begin()
    sound.run()
    assert (sound.fault, sound.complete, snapshot_fault(store)) == ("", True, None)
    good = store.snapshot_before(STREAM, 2**62)
    forged = zlib.decompress(good.body).replace(b'"Eve","role":"player"', b'"Eve","role":"administrator"')
    assert forged != zlib.decompress(good.body)
    store.keep_snapshots([replace(good, body=zlib.compress(forged))])
    forgery = Verification(store, rate=1e9)
    forgery.begin()
    forgery.run()
    fault = snapshot_fault(store)
    assert fault is not None
    assert fault.version == good.version
    assert "people entry" in forgery.fault
    assert "the snapshot of the accounts is not what the log says" in forgery.fault


def test_the_cost_of_snapshots_does_not_grow_with_every_account():
    people = People()
    people.version = 2500
    assert people_snapshots.is_due(people, 1500)
    assert not people_snapshots.is_due(people, 1501)
    people.accounts = dict.fromkeys(map(str, range(2000)))  # type: ignore[assignment] # only their number counts
    assert not people_snapshots.is_due(people, 501)
    assert people_snapshots.is_due(people, 500)

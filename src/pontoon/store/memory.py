"""A store in memory, for tests, simulations and temporary tables."""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from threading import RLock
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pontoon.store.batch import NO_ENTRY, Batch, Key, Standing, Tip, check
from pontoon.store.body_coding import stored
from pontoon.store.model import FLOORED, NOTHING, PAGE, Append, Entry, Head, Lease, Outcome, Root, Snapshot, root_hash
from pontoon.store.rows import Rows
from pontoon.store.write_signal import WriteSignal

Place = tuple[int, str, int]
"""Time, stream and version."""


class _Term(Struct, frozen=True):
    """A lease and its expiry time."""

    lease: Lease
    until: float


class MemoryStore:
    """Plain dicts under one lock; lost when the process ends."""

    failed = ""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = RLock()
        self._written_signal = WriteSignal()
        self._entries: dict[str, list[Entry]] = {}
        self._tips: dict[str, Tip] = {}
        self._keys: dict[Key, Entry] = {}
        self._marks: dict[str, list[Place]] = {}
        self._balances: dict[str, int] = {}
        self._terms: dict[str, _Term] = {}
        self._epochs: dict[str, int] = {}
        """Epochs of the leased streams; a released lease is only in `_terms`."""
        self._roots: list[Root] = []
        self._snapshots: dict[str, dict[int, Snapshot]] = {}

    # --- entries -------------------------------------------------------------------------------------------

    def write(self, appends: Sequence[Append]) -> list[Outcome]:
        check(appends)
        with self._lock:
            batch = Batch(Standing(self._tips, self._epochs, self._keys, self._balances))
            outcomes = [batch.decide(append) for append in appends]
            for entry in batch.entries:
                self._keep(entry)
            self._tips |= batch.tips
            for account, move in batch.moves.items():
                self._balances[account] = self._balances.get(account, 0) + move.total
        self._written_signal.notify(batch.versions)
        return outcomes

    def _keep(self, entry: Entry) -> None:
        self._entries.setdefault(entry.stream, []).append(entry)
        if entry.key:
            self._keys[entry.stream, entry.by, entry.key] = entry
        for mark in entry.marks:
            insort(self._marks.setdefault(mark, []), (entry.at, entry.stream, entry.version))

    def read(self, stream: str, after: int = 0, limit: int = 1000) -> list[Entry]:
        with self._lock:
            return self._entries.get(stream, [])[after : after + limit]

    def new_entries(self, seen: Mapping[str, int]) -> list[Entry]:
        with self._lock:
            every = (entry for stream in sorted(seen) for entry in self._entries.get(stream, [])[seen[stream] :])
            return list(islice(every, PAGE))

    def find(self, stream: str, by: str, key: str) -> Entry | None:
        return self._keys.get((stream, by, key))

    def marked(
        self,
        mark: str,
        *,
        stream: str = "",
        before: Place | None = None,
        since: int = 0,
        until: int = 0,
        limit: int = 50,
    ) -> list[Entry]:
        with self._lock:
            places = self._marks.get(mark, [])
            first = bisect_left(places, (since,))
            end = bisect_left(places, (until + 1,)) if until else len(places)
            end = min(end, bisect_left(places, before)) if before else end
            found: list[Entry] = []
            for index in range(end - 1, first - 1, -1):
                _, name, version = places[index]
                if len(found) == limit:
                    break
                if stream in ("", name):
                    found.append(self._entries[name][version - 1])
            return found

    def heads(self, prefix: str = "") -> list[Head]:
        with self._lock:
            tips = sorted(self._tips.items())
        return [Head(stream, tip.version, tip.hash) for stream, tip in tips if stream.startswith(prefix)]

    def head(self, stream: str) -> Head:
        tip = self._tips.get(stream, NO_ENTRY)
        return Head(stream, tip.version, tip.hash)

    def balance(self, account: str) -> int:
        return self._balances.get(account, 0)

    def balances_of(self, accounts: Sequence[str]) -> dict[str, int]:
        return {account: self._balances.get(account, 0) for account in accounts}

    def balances(self, prefix: str = "") -> dict[str, int]:
        with self._lock:
            items = sorted(self._balances.items())
        return {account: amount for account, amount in items if account.startswith(prefix)}

    def wallet_streams(self, account: str) -> list[str]:
        with self._lock:
            return [stream for stream in sorted(self._entries) if self._moves(account, stream)]

    def wallet_moves(self, account: str, stream: str, before: int, limit: int) -> list[tuple[int, int]]:
        with self._lock:
            moves = self._moves(account, stream)
            return [(version, moves[version]) for version in sorted(moves, reverse=True) if version < before][:limit]

    def _moves(self, account: str, stream: str) -> dict[int, int]:
        moves: dict[int, int] = {}
        for entry in self._entries.get(stream, []):
            for posting in entry.postings:
                if posting.account == account:
                    moves[entry.version] = moves.get(entry.version, 0) + posting.amount
        return moves

    # --- leases --------------------------------------------------------------------------------------------

    def take_lease(self, stream: str, owner: str, address: str, seconds: float) -> Lease | None:
        with self._lock:
            now, term = self._clock(), self._terms.get(stream)
            epoch = 1
            if term is not None:
                mine = term.lease.owner == owner
                if term.lease.owner and not mine and term.until > now:
                    return None
                epoch = term.lease.epoch if mine else term.lease.epoch + 1
            lease = Lease(stream, owner, address, epoch)
            self._terms[stream] = _Term(lease, now + seconds)
            self._epochs[stream] = epoch
            return lease

    def renew_leases(self, owner: str, seconds: float) -> set[str]:
        with self._lock:
            until = self._clock() + seconds
            owned = {stream: term for stream, term in self._terms.items() if term.lease.owner == owner}
            self._terms |= {stream: _Term(term.lease, until) for stream, term in owned.items()}
            return set(owned)

    def release_leases(self, owner: str, stream: str = "") -> None:
        with self._lock:
            for name, term in self._terms.items():
                if term.lease.owner == owner and stream in ("", name):
                    self._terms[name] = _Term(replace(term.lease, owner="", address=""), 0)
                    self._epochs.pop(name, None)

    def lease(self, stream: str) -> Lease | None:
        with self._lock:
            term = self._terms.get(stream)
            running = term is not None and term.lease.owner and term.until > self._clock()
            return term.lease if term is not None and running else None

    def leased(self) -> dict[str, str]:
        with self._lock:
            now, terms = self._clock(), self._terms.items()
            return {stream: term.lease.address for stream, term in terms if term.lease.owner and term.until > now}

    # --- roots ---------------------------------------------------------------------------------------------

    def seal(self, at: int) -> Root | None:
        with self._lock:
            last = self._roots[-1] if self._roots else Root(0, 0, (), NOTHING)
            heads = tuple(self.heads())
            if heads == last.heads:
                return None
            number, at = last.number + 1, max(at, last.at)
            root = Root(number, at, heads, root_hash(last.hash, number, at, heads))
            self._roots.append(root)
            return root

    def root_hash(self, number: int) -> str:
        return self._roots[number - 1].hash if 0 < number <= len(self._roots) else ""

    def root_lines(self, after: int = 0) -> list[tuple[int, int, str]]:
        return [(root.number, root.at, root.hash) for root in self._roots[after:]]

    def behind_roots(self, after: int = 0) -> list[str]:
        with self._lock:
            sealed = [head for root in self._roots[after:] for head in root.heads]
            return sorted({head.stream for head in sealed if self.head(head.stream).version < head.version})

    def keep_snapshots(self, snapshots: Sequence[Snapshot], *, only_last: bool = False) -> None:
        with self._lock:
            for snapshot in snapshots:
                if only_last:
                    self._snapshots.pop(snapshot.stream, None)
                self._snapshots.setdefault(snapshot.stream, {})[snapshot.version] = snapshot

    def snapshot_before(self, stream: str, version: int) -> Snapshot | None:
        with self._lock:
            fitting = [
                one
                for at, one in self._snapshots.get(stream, {}).items()
                if at <= version
                and self._entries[stream][at - 1 : at]
                and self._entries[stream][at - 1].hash == one.hash
            ]
            return max(fitting, key=lambda snapshot: snapshot.version, default=None)

    def last_snapshots(self, prefix: str) -> dict[str, Snapshot]:
        with self._lock:
            return {
                stream: replace(found[max(found)], body=b"")
                for stream, found in self._snapshots.items()
                if stream.startswith(prefix)
            }

    def probe(self, owner: str) -> None:
        self.write(())
        assert owner

    def roots(self, after: int = 0, limit: int = 1000) -> list[Root]:
        with self._lock:
            return self._roots[after : after + limit]

    # --- the rest ------------------------------------------------------------------------------------------

    def wait_for_writes(self, seconds: float) -> dict[str, int]:
        return self._written_signal.wait(seconds)

    def close(self) -> None:
        """Nothing to close."""

    @contextmanager
    def snapshot(self) -> Iterator[Rows]:
        """The contents as rows of an SQL store, for `verify` and `backup`."""
        with self._lock:
            yield lambda table: iter(getattr(self, f"_rows_of_{table}")())

    def damage(self) -> list[str]:
        """Check the index by key, the only data outside the rows."""
        with self._lock:
            keys = {(entry.stream, entry.by, entry.key): entry for entry in self._in_order() if entry.key}
            return [] if keys == self._keys else ["the index by key does not match the entries"]

    def _rows_of_entries(self) -> Iterator[tuple[Any, ...]]:
        for entry in self._in_order():
            yield entry.stream, entry.version, entry.at, entry.by, entry.key, stored(entry.body), entry.hash

    def _rows_of_postings(self) -> Iterator[tuple[Any, ...]]:
        for entry in self._in_order():
            for line, one in enumerate(entry.postings, 1):
                yield entry.stream, entry.version, line, one.account, one.amount

    def _rows_of_marks(self) -> Iterator[tuple[Any, ...]]:
        """Read through the index by mark, so that a gap in it is detected."""
        for entry in self._in_order():
            place = (entry.at, entry.stream, entry.version)
            found = [mark for mark in entry.marks if _holds(self._marks.get(mark, []), place)]
            for line, mark in enumerate(found, 1):
                yield entry.stream, entry.version, line, mark, entry.at

    def _rows_of_heads(self) -> list[tuple[Any, ...]]:
        return sorted((stream, tip.version, tip.at, tip.hash) for stream, tip in self._tips.items())

    def _rows_of_accounts(self) -> list[tuple[Any, ...]]:
        return sorted((name, amount, int(name.startswith(FLOORED))) for name, amount in self._balances.items())

    def _rows_of_roots(self) -> list[tuple[Any, ...]]:
        return [(root.number, root.at, root.hash) for root in self._roots]

    def _rows_of_root_heads(self) -> Iterator[tuple[Any, ...]]:
        """Only the heads that changed from root to root, as in the SQL tables."""
        before: frozenset[Head] = frozenset()
        for root in self._roots:
            for head in root.heads:
                if head not in before:
                    yield root.number, head.stream, head.version, head.hash
            before = frozenset(root.heads)

    def _rows_of_sealed(self) -> list[tuple[Any, ...]]:
        return sorted((stream, version, number, name) for number, stream, version, name in self._rows_of_root_heads())

    def _in_order(self) -> Iterator[Entry]:
        for stream in sorted(self._entries):
            yield from self._entries[stream]


def _holds(places: list[Place], place: Place) -> bool:
    return bisect_right(places, place) - bisect_left(places, place) == 1

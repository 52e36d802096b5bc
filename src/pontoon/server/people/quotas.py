"""How much one person, and one address, may use: tables, bots, commands a second, entries and bytes a day, sockets.

The amounts are per process and since its start. Officials, tournaments and the server's own tables are not limited.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Iterable

from msgspec import Struct

from pontoon.server.operation.logs import event
from pontoon.server.operation.metrics import QUOTA_REFUSALS
from pontoon.server.problems import Problem, problem

DAY = 86_400.0
MOST_SUBJECTS = 20_000
"""Maximum number of people and addresses kept in memory; the least recently active is dropped."""


class QuotaLimits(Struct, frozen=True):
    """What one person may use; an address, which a class or a house may share, has `shared` times as much."""

    tables: int = 8
    """Tables created and not closed."""
    bots: int = 21
    """Bots at the person's own tables."""
    commands: float = 30.0
    """Commands a second, over REST and sockets together."""
    burst: float = 90.0
    entries: int = 100_000
    """Log entries a day: the person's own commands, and the program's at the person's own tables where only bots
    play."""
    megabytes: int = 64
    """The size of those entries."""
    sockets: int = 16
    shared: int = 16
    handshakes: float = 10.0
    """Sockets a second an address may open, after as many at once as it may have."""


UNLIMITED = QuotaLimits(10**9, 10**9, 1e9, 1e9, 10**15, 10**9, 10**9, 1, 1e9)


class Bucket:
    """A token bucket: `burst` at once, then one every `seconds`.

    >>> clock = iter([0.0, 0.0, 0.0, 2.0])
    >>> bucket = Bucket(2, 2.0, lambda: next(clock))
    >>> [bucket.wait("10.0.0.1") for _ in range(4)]
    [0, 0, 2, 0]
    """

    def __init__(self, burst: float, seconds: float, clock: Callable[[], float]) -> None:
        self.burst = burst
        self.seconds = seconds
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, name: str, cost: int = 1) -> int:
        """0 if this one may pass, and it is counted (`cost` times); otherwise the seconds to wait."""
        now = self._clock()
        left, at = self._left.pop(name, (self.burst, now))
        left = min(self.burst, left + (now - at) / self.seconds)
        passes = left >= cost
        self._left[name] = (left - cost if passes else left, now)
        if len(self._left) > MOST_SUBJECTS:
            self._left.popitem(last=False)
        return 0 if passes else max(1, math.ceil((cost - left) * self.seconds))


class _Used(Struct):
    """What one subject has written today."""

    since: float
    entries: int = 0
    size: int = 0


class Quotas:
    """The use of one house."""

    def __init__(self, limits: QuotaLimits, clock: Callable[[], float]) -> None:
        self.limits = limits
        self._clock = clock
        self._commands = Bucket(limits.burst, 1 / limits.commands, clock)
        self._from_address = Bucket(limits.burst * limits.shared, 1 / (limits.commands * limits.shared), clock)
        self._handshakes = Bucket(limits.sockets * limits.shared, 1 / limits.handshakes, clock)
        self._used: OrderedDict[str, _Used] = OrderedDict()
        self._told: dict[tuple[str, str], float] = {}

    # --- commands ---

    def command(self, name: str, address: str = "") -> Problem | None:
        """Count one command; a problem if it exceeds the limit."""
        wait = self._commands.wait(name) or (self._from_address.wait(address) if address else 0)
        if wait:
            return self.refused("commands", name, seconds=wait)
        if self._spent(name, 1) or (address and self._spent(f"@{address}", self.limits.shared)):
            return self.refused("entries", name, seconds=3600)
        return None

    def handshake(self, address: str, here: int) -> Problem | None:
        """Count one handshake of an address that has `here` sockets; a problem if it exceeds the limit."""
        wait = self._handshakes.wait(address)
        if wait:
            return self.refused("handshakes", address, seconds=wait)
        return self.most("sockets", here, address, shared=True)

    # --- what is written ---

    def charge(self, names: Iterable[str], entries: int, size: int) -> None:
        """Add entries of this size to the day of these people or addresses (`@10.0.0.1`)."""
        for name in names:
            used = self._today(name)
            used.entries += entries
            used.size += size

    def spent(self, name: str) -> bool:
        """Whether a person has written as much as a day allows."""
        return self._spent(name, 1)

    def _spent(self, name: str, share: int) -> bool:
        if name not in self._used:
            return False
        used, limits = self._today(name), self.limits
        return used.entries >= limits.entries * share or used.size >= (limits.megabytes << 20) * share

    def _today(self, name: str) -> _Used:
        now = self._clock()
        used = self._used.pop(name, None)
        if used is None or now - used.since >= DAY:
            used = _Used(now)
        self._used[name] = used
        if len(self._used) > MOST_SUBJECTS:
            self._used.popitem(last=False)
        return used

    # --- refusing ---

    def most(self, kind: str, count: int, name: str, *, shared: bool = False) -> Problem | None:
        """A problem if `count` has reached the number of tables, bots or sockets that one may have."""
        limit: int = getattr(self.limits, kind) * (self.limits.shared if shared else 1)
        return self.refused(kind, name, limit=limit) if count >= limit else None

    def refused(self, kind: str, name: str, **facts: int) -> Problem:
        """A refusal, counted, and logged once a minute for each person."""
        QUOTA_REFUSALS.labels(kind).inc()
        now = self._clock()
        if now - self._told.get((kind, name), -60.0) >= 60.0:
            if len(self._told) > MOST_SUBJECTS:
                self._told.clear()
            self._told[kind, name] = now
            event("quota_refused", quota=kind, name=name)
        return problem("too_many", **facts) if kind == "commands" else problem("quota_used", quota=kind, **facts)

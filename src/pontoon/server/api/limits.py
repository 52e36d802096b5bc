"""How often somebody may come to the door: a bucket of tokens for each address."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from fastapi import Depends, Request

from pontoon.server.api.problems import TooManyError

MOST_ADDRESSES = 10_000
"""How many addresses are remembered; the one that was quiet longest is forgotten."""


class Bucket:
    """So many at once, then one every so many seconds.

    >>> clock = iter([0.0, 0.0, 0.0, 2.0])
    >>> bucket = Bucket(2, 2.0, lambda: next(clock))
    >>> [bucket.wait("10.0.0.1") for _ in range(4)]
    [0, 0, 2, 0]
    """

    def __init__(self, burst: float, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.burst = burst
        self.seconds = seconds
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str) -> int:
        """0 where this one may pass, and it is counted; else the seconds to wait."""
        now = self._clock()
        left, at = self._left.pop(address, (self.burst, now))
        left = min(self.burst, left + (now - at) / self.seconds)
        passes = left >= 1
        self._left[address] = (left - 1 if passes else left, now)
        if len(self._left) > MOST_ADDRESSES:
            self._left.popitem(last=False)
        return 0 if passes else max(1, math.ceil((1 - left) * self.seconds))


class Limits:
    """The buckets of an application; another one may be put at `app.state.limits`."""

    def __init__(self, *, loose: bool = False) -> None:
        """`loose` is for tests and measurements, where everybody comes from one address."""
        much = 1e9 if loose else 0
        self.signing = Bucket(10 + much, 6)
        """Sign-ins, sign-ups and passwords: each of them costs us a hash."""
        self.guests = Bucket(30 + much, 2)
        self.tables = Bucket(30 + much, 2)
        self.chips = Bucket(10 + much, 6)
        self.lab = Bucket(120 + much, 0.2)
        """Changes of a rule: a class may share an address."""


def limited(name: str) -> Any:  # noqa: ANN401 FastAPI's own dependencies are Any
    """A dependency that lets an address pass so often only."""

    def check(request: Request) -> None:
        state = request.app.state
        if not hasattr(state, "limits"):
            state.limits = Limits()
        bucket: Bucket = getattr(state.limits, name)
        seconds = bucket.wait(request.client.host if request.client else "")
        if seconds:
            raise TooManyError(seconds)

    return Depends(check)

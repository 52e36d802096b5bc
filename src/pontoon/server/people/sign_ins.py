"""Failed sign-ins: after a few, an account and an address must wait, each time twice as long."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

MOST = 20_000
"""Accounts and addresses that are remembered."""
FREE_FOR_ACCOUNT, FREE_FOR_ADDRESS = 5, 20
"""Failures before the first wait."""
LONGEST_FOR_ACCOUNT, LONGEST_FOR_ADDRESS = 60.0, 900.0
"""Seconds: a stranger who fails on purpose cannot lock an account for long."""
FORGOTTEN = 3600.0


class _Failures(Struct):
    count: int
    last: float


class SignIns:
    """What failed lately, by account and by address.

    >>> now = [0.0]
    >>> attempts = SignIns(lambda: now[0])
    >>> for _ in range(7):
    ...     attempts.failed("ann", "10.0.0.1")
    >>> attempts.wait("ann", "10.0.0.2"), attempts.wait("ben", "10.0.0.1")
    (4, 0)
    >>> attempts.succeeded("ann")
    >>> attempts.wait("ann", "10.0.0.2")
    0
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._failures: OrderedDict[str, _Failures] = OrderedDict()

    def wait(self, account: str, address: str) -> int:
        """The seconds until this account may be tried from this address; 0 for now."""
        by_account = self._left(f"account {account}", FREE_FOR_ACCOUNT, LONGEST_FOR_ACCOUNT)
        return max(by_account, self._left(f"address {address}", FREE_FOR_ADDRESS, LONGEST_FOR_ADDRESS))

    def _left(self, subject: str, free: int, longest: float) -> int:
        found = self._failures.get(subject)
        if found is None or found.count < free:
            return 0
        wait = min(2.0 ** (found.count - free), longest)
        return max(0, math.ceil(found.last + wait - self._clock()))

    def failed(self, account: str, address: str) -> None:
        """Count one failure."""
        now = self._clock()
        for subject in (f"account {account}", f"address {address}"):
            found = self._failures.pop(subject, None)
            count = found.count + 1 if found is not None and now - found.last < FORGOTTEN else 1
            self._failures[subject] = _Failures(count, now)
            if len(self._failures) > MOST:
                self._failures.popitem(last=False)

    def recent(self) -> tuple[int, str, int]:
        """Failures of the last hour, and the account with most of them and how many."""
        now = self._clock()
        found = [
            (known.count, subject.removeprefix("account "))
            for subject, known in self._failures.items()
            if subject.startswith("account ") and now - known.last < FORGOTTEN
        ]
        most, name = max(found, default=(0, ""))
        return sum(count for count, _ in found), name, most

    def succeeded(self, account: str) -> None:
        """Forget the failures of an account; those of the address stay."""
        self._failures.pop(f"account {account}", None)

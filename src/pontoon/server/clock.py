"""Time, so that a simulation can bring its own."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Two clocks: one for the record, one for waiting."""

    def wall(self) -> int:
        """Milliseconds since 1970."""

    def steady(self) -> float:
        """Seconds that never go back."""


class SystemClock:
    """The clocks of this machine."""

    def wall(self) -> int:
        return time.time_ns() // 1_000_000

    def steady(self) -> float:
        return time.monotonic()

"""Clock interface; the simulation supplies a fake one."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Two clocks: wall time for the log, monotonic time for waiting."""

    def wall(self) -> int:
        """Milliseconds since 1970."""

    def steady(self) -> float:
        """Monotonic seconds."""


class SystemClock:
    """The system clocks."""

    def wall(self) -> int:
        return time.time_ns() // 1_000_000

    def steady(self) -> float:
        return time.monotonic()

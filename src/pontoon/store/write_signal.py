"""A signal from writers to one waiting reader."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Condition


class WriteSignal:
    """The streams written since the last wait, and their latest versions.

    >>> signal = WriteSignal()
    >>> signal.notify({"table/1": 7})
    >>> signal.notify({"table/1": 8})
    >>> signal.wait(0), signal.wait(0)
    ({'table/1': 8}, {})
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._streams: dict[str, int] = {}

    def notify(self, streams: Mapping[str, int]) -> None:
        """Add streams with their versions and wake the reader."""
        with self._changed:
            self._streams.update(streams)
            if self._streams:
                self._changed.notify_all()

    def wait(self, seconds: float) -> dict[str, int]:
        """Wait for writes and return the streams written; empty after the timeout."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._streams), seconds)
            streams, self._streams = self._streams, {}
            return streams

"""A bell that writers ring and one reader waits for."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Condition


class Bell:
    """The streams written since somebody last asked, and the versions they came to.

    >>> bell = Bell()
    >>> bell.ring({"table/1": 7})
    >>> bell.ring({"table/1": 8})
    >>> bell.wait(0), bell.wait(0)
    ({'table/1': 8}, {})
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._streams: dict[str, int] = {}

    def ring(self, streams: Mapping[str, int]) -> None:
        """Wake whoever waits."""
        with self._changed:
            self._streams.update(streams)
            if self._streams:
                self._changed.notify_all()

    def wait(self, seconds: float) -> dict[str, int]:
        """The streams that were rung for; none when so long passed in silence."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._streams), seconds)
            streams, self._streams = self._streams, {}
            return streams

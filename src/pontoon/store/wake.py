"""A bell that writers ring and one reader waits for."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Condition


class Bell:
    """The streams written since somebody last asked.

    >>> bell = Bell()
    >>> bell.ring(["table/1"])
    >>> bell.wait(0), bell.wait(0)
    ({'table/1'}, set())
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._streams: set[str] = set()

    def ring(self, streams: Iterable[str]) -> None:
        """Wake whoever waits."""
        with self._changed:
            self._streams.update(streams)
            if self._streams:
                self._changed.notify_all()

    def wait(self, seconds: float) -> set[str]:
        """The streams that were rung for; none when so long passed in silence."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._streams), seconds)
            streams, self._streams = self._streams, set()
            return streams

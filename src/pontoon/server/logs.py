"""Structured logs: one line an entry, JSON, never a card and never a secret."""

from __future__ import annotations

import json
import logging
import sys
import time

LOGGER = logging.getLogger("pontoon.server")


class OneLine(logging.Formatter):
    """A record as one line of JSON, whatever is in it."""

    def format(self, record: logging.LogRecord) -> str:
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        said: dict[str, object] = {
            "at": f"{when}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            said["trace"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=True, default=str)


def event(name: str, level: int = logging.INFO, **facts: object) -> None:
    """Something worth a line."""
    LOGGER.log(level, name, extra={"facts": facts})


def broken(name: str, **facts: object) -> None:
    """Our bug: with its trace, in one line."""
    LOGGER.exception(name, extra={"facts": facts})  # noqa: LOG004 called where one was caught


def log_to_stderr(level: str = "info") -> None:
    """Send the server's own lines and the web server's to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine())
    for name in ("pontoon.server", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(level.upper())
        logger.propagate = False

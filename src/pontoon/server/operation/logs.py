"""Structured logs: one line of JSON per record, without cards or secrets."""

from __future__ import annotations

import json
import logging
import re
import sys
import time

LOGGER = logging.getLogger("pontoon.server")


class OneLine(logging.Formatter):
    """Formats any record as one line of JSON."""

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


def event(name: str, /, level: int = logging.INFO, **facts: object) -> None:
    """Log one line."""
    LOGGER.log(level, name, extra={"facts": facts})


def broken(name: str, /, **facts: object) -> None:
    """Our bug: with its trace, in one line."""
    LOGGER.exception(name, extra={"facts": facts})  # noqa: LOG004 called where one was caught


_QUERY = re.compile(r'\?[^\s"]*')


def without_queries(record: logging.LogRecord) -> bool:
    """A log filter: uvicorn logs the query of a socket's address, where a client may have put its token."""
    if record.name.startswith("uvicorn"):
        record.msg, record.args = _QUERY.sub("?…", record.getMessage()), ()
    return True


def log_to_stderr(level: str = "info") -> None:
    """Send the logs of the server and of the web server to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine())
    handler.addFilter(without_queries)
    for name in ("pontoon.server", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(level.upper())
        logger.propagate = False
